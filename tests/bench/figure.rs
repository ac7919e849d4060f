//! The motion that is read and written: a figure of limbs that swing.

use std::fmt::Write as _;

/// Its joints.
pub(crate) const JOINTS: usize = 60;
/// As many frames as a long take has.
pub(crate) const FRAMES: usize = 10_000;

/// A BVH file of [`JOINTS`] joints and so many frames, with smooth seeded motion, six decimals a value.
pub(crate) fn made_file(frames: usize) -> String {
    let mut text = String::from("HIERARCHY\n");
    let mut open = 0;
    for joint in 0..JOINTS {
        let (keyword, channels) = if joint == 0 {
            ("ROOT", "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation")
        } else {
            ("JOINT", "3 Zrotation Xrotation Yrotation")
        };
        writeln!(text, "{keyword} joint{joint}\n{{\nOFFSET 0.5 {}.25 -1.0\nCHANNELS {channels}", 3 + joint % 9)
            .unwrap();
        open += 1;
        // Limbs of ten joints, each on the root.
        if joint % 10 == 9 || joint == JOINTS - 1 {
            text.push_str("End Site\n{\nOFFSET 0.0 2.0 0.0\n}\n");
            let stay = usize::from(joint != JOINTS - 1);
            text.push_str(&"}\n".repeat(open - stay));
            open = stay;
        }
    }
    writeln!(text, "MOTION\nFrames: {frames}\nFrame Time: 0.0333333").unwrap();
    let mut state = 20_260_101_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let channels: Vec<(f64, f64, f64)> = (0..JOINTS * 3 + 3)
        .map(|_| (60.0 + 110.0 * random(), 0.01 + 0.05 * random(), std::f64::consts::TAU * random()))
        .collect();
    for frame in 0..frames {
        for (index, (size, speed, phase)) in channels.iter().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            write!(text, "{gap}{:.6}", size * (frame as f64 * speed + phase).sin()).unwrap();
        }
        text.push('\n');
    }
    text
}

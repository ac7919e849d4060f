//! What a joint's name says: a part of the body, a side, a helper.

use super::Side;

/// A part of the body that a name can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Hips,
    /// A hip of one side: a thigh where none follows.
    SideHip,
    Spine,
    Neck,
    Head,
    /// A collar bone; the shoulder joint itself where no upper arm follows.
    Shoulder,
    UpperArm,
    Forearm,
    Hand,
    Thigh,
    /// "Leg" alone: a thigh, or a shin below a thigh.
    Leg,
    Shin,
    Foot,
    Toe,
    Finger,
    Tail,
}

/// What one name says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clue {
    pub(super) part: Option<Part>,
    pub(super) side: Option<Side>,
    /// A twist, roll or dummy joint, an IK target, a tip: no part of its own.
    pub(super) helper: bool,
}

/// Words of a name, lower case: split at anything that is no letter, at digits, and at capitals.
fn words(name: &str) -> Vec<String> {
    let plain = name.rsplit([':', '|']).next().unwrap_or(name);
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut last_lower = false;
    let letters: Vec<char> = plain.chars().collect();
    for (i, c) in letters.iter().enumerate() {
        let capital_before_small = c.is_uppercase() && letters.get(i + 1).is_some_and(|n| n.is_lowercase());
        let starts = !c.is_alphabetic() || (c.is_uppercase() && last_lower) || capital_before_small;
        if starts && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
        last_lower = c.is_lowercase();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Reads one name.
pub(super) fn read(name: &str) -> Clue {
    let mut clue = japanese(name);
    if clue.part.is_some() || clue.helper {
        return clue;
    }
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
    // Words run together ("leftupleg", "larm") are looked for inside the whole.
    let whole = words.concat();
    clue.side = clue.side.or_else(|| side(&words, &whole));
    clue.helper = has(&[
        "twist", "roll", "ik", "pole", "helper", "dummy", "nub", "end", "top", "target", "ctrl", "trj", "effector",
    ]) || name.starts_with("__")
        || whole.contains("twist");
    clue.part = PARTS.iter().find(|(_, test)| test(&words, &whole)).map(|(part, _)| *part);
    clue
}

fn side(words: &[String], whole: &str) -> Option<Side> {
    let is = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
    if is(&["left", "l", "lt"]) || whole.starts_with("left") || whole.ends_with("left") {
        return Some(Side::Left);
    }
    if is(&["right", "r", "rt"]) || whole.starts_with("right") || whole.ends_with("right") {
        return Some(Side::Right);
    }
    // CMU: "lfemur", "rhumerus", "LHipJoint".
    let bones = [
        "femur", "tibia", "foot", "toes", "clavicle", "humerus", "radius", "wrist", "hand", "fingers", "thumb",
        "hipjoint",
    ];
    let cmu = |letter: char| whole.strip_prefix(letter).is_some_and(|rest| bones.contains(&rest));
    if cmu('l') {
        Some(Side::Left)
    } else if cmu('r') {
        Some(Side::Right)
    } else {
        None
    }
}

type Test = fn(&[String], &str) -> bool;

fn any(words: &[String], list: &[&str]) -> bool {
    words.iter().any(|w| list.contains(&w.as_str()))
}

/// Parts by words, the telling ones first: "LeftHandIndex1" is a finger, "LeftForeArm" no upper arm.
const PARTS: &[(Part, Test)] = &[
    (Part::Toe, |words, whole| any(words, &["toe", "toes", "ball", "metatarsal"]) || whole.contains("toe")),
    (Part::Finger, |words, whole| {
        any(words, &["finger", "fingers", "thumb", "index", "ring", "pinky", "little", "metacarpal", "carpal", "palm"])
            || (any(words, &["middle", "mid"]) && !any(words, &["spine", "back"]))
            || ["thumb", "index", "pinky", "finger"].iter().any(|w| whole.contains(w))
    }),
    (Part::Forearm, |words, whole| {
        ["forearm", "lowerarm", "loarm", "elbow", "lowarm", "radius", "ulna"].iter().any(|w| whole.contains(w))
            || (any(words, &["fore", "lower", "lo", "low"]) && any(words, &["arm"]))
    }),
    (Part::UpperArm, |words, whole| {
        ["upperarm", "uparm", "shldr", "humerus", "bicep"].iter().any(|w| whole.contains(w))
            || (any(words, &["arm"]) || whole.ends_with("arm")) && !whole.contains("armature")
    }),
    (Part::Shoulder, |_, whole| ["shoulder", "clavicle", "collar", "scapula"].iter().any(|w| whole.contains(w))),
    (Part::Hand, |words, whole| any(words, &["hand", "wrist"]) || whole.ends_with("hand") || whole.contains("wrist")),
    (Part::Shin, |_, whole| {
        ["lowerleg", "loleg", "lowleg", "shin", "calf", "knee", "tibia", "crus"].iter().any(|w| whole.contains(w))
    }),
    (Part::Thigh, |_, whole| ["upleg", "upperleg", "thigh", "femur"].iter().any(|w| whole.contains(w))),
    (Part::SideHip, |words, whole| {
        whole.contains("hipjoint") || (any(words, &["hip"]) && any(words, &["l", "r", "left", "right"]))
    }),
    (Part::Foot, |words, whole| {
        any(words, &["foot", "ankle", "hoof", "paw"]) || whole.contains("foot") || whole.contains("ankle")
    }),
    (Part::Leg, |words, whole| any(words, &["leg"]) || whole.ends_with("leg")),
    (Part::Tail, |words, _| any(words, &["tail"])),
    (Part::Head, |words, _| any(words, &["head", "skull"])),
    (Part::Neck, |words, whole| any(words, &["neck"]) || whole.contains("neck")),
    (Part::Hips, |words, _| any(words, &["hips", "hip", "pelvis"])),
    (Part::Spine, |words, whole| {
        any(
            words,
            &[
                "spine",
                "chest",
                "abdomen",
                "torso",
                "thorax",
                "waist",
                "belly",
                "ribs",
                "back",
                "lowerback",
                "upperback",
            ],
        ) || whole.contains("spine")
    }),
];

/// Japanese names as MikuMikuDance models have them.
fn japanese(name: &str) -> Clue {
    let side = if name.contains('左') {
        Some(Side::Left)
    } else if name.contains('右') {
        Some(Side::Right)
    } else {
        None
    };
    let helper = ["捩", "ＩＫ", "ik", "IK", "先", "補助", "ダミー", "キャンセル"].iter().any(|w| name.contains(w))
        && !name.is_ascii();
    const WORDS: &[(&str, Part)] = &[
        ("つま先", Part::Toe),
        ("足首", Part::Foot),
        ("手首", Part::Hand),
        ("ひじ", Part::Forearm),
        ("肘", Part::Forearm),
        ("ひざ", Part::Shin),
        ("膝", Part::Shin),
        ("親指", Part::Finger),
        ("人指", Part::Finger),
        ("人差指", Part::Finger),
        ("中指", Part::Finger),
        ("薬指", Part::Finger),
        ("小指", Part::Finger),
        ("腕", Part::UpperArm),
        ("肩", Part::Shoulder),
        ("足", Part::Thigh),
        ("頭", Part::Head),
        ("首", Part::Neck),
        ("上半身", Part::Spine),
        ("下半身", Part::Hips),
        ("腰", Part::Hips),
        ("尻尾", Part::Tail),
        ("しっぽ", Part::Tail),
    ];
    let toe = name.contains("つま先");
    let part = WORDS.iter().find(|(word, _)| name.contains(word)).map(|(_, part)| *part);
    Clue { part, side, helper: helper && !toe }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_tools_are_read() {
        let cases = [
            ("mixamorig:LeftForeArm", Some(Part::Forearm), Some(Side::Left)),
            ("LeftArm", Some(Part::UpperArm), Some(Side::Left)),
            ("RightUpLeg", Some(Part::Thigh), Some(Side::Right)),
            ("RightLeg", Some(Part::Leg), Some(Side::Right)),
            ("LeftInHandIndex", Some(Part::Finger), Some(Side::Left)),
            ("upperarm02.R", Some(Part::UpperArm), Some(Side::Right)),
            ("wrist.L", Some(Part::Hand), Some(Side::Left)),
            ("LoLeg_R", Some(Part::Shin), Some(Side::Right)),
            ("lShldr", Some(Part::UpperArm), Some(Side::Left)),
            ("rCollar", Some(Part::Shoulder), Some(Side::Right)),
            ("lfemur", Some(Part::Thigh), Some(Side::Left)),
            ("rtibia", Some(Part::Shin), Some(Side::Right)),
            ("LHipJoint", Some(Part::SideHip), Some(Side::Left)),
            ("thigh_l", Some(Part::Thigh), Some(Side::Left)),
            ("b_RightUpperArm_06", Some(Part::UpperArm), Some(Side::Right)),
            ("左ひじ", Some(Part::Forearm), Some(Side::Left)),
            ("右足首", Some(Part::Foot), Some(Side::Right)),
            ("左足", Some(Part::Thigh), Some(Side::Left)),
            ("頭", Some(Part::Head), None),
            ("首", Some(Part::Neck), None),
            ("Head", Some(Part::Head), None),
            ("j17", None, None),
            ("Spine 01 (mid)", Some(Part::Spine), None),
            ("arm.R.001", Some(Part::UpperArm), Some(Side::Right)),
            ("Armature", None, None),
        ];
        for (name, part, side) in cases {
            let clue = read(name);
            assert_eq!((clue.part, clue.side), (part, side), "{name}: {clue:?}");
        }
        for name in ["左腕捩", "左足ＩＫ", "upperarm_twist_01_l", "__UpLeg_L", "HeadTop_End", "RightHandEnd"] {
            assert!(read(name).helper, "{name}");
        }
    }
}

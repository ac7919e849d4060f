//! Colours and sizes as plain numbers, for the dark and the light theme: the one place where they are chosen.
//!
//! No toolkit's colour type appears here, so that the window, the 3D view and the headless renderer agree. Sizes are
//! logical points; colours are sRGB with straight (not premultiplied) alpha, and reach the screen as they are given.

/// An sRGB colour with straight alpha: red, green, blue, alpha, 0 to 255 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgba(pub [u8; 4]);

impl Rgba {
    /// An opaque colour from `0xRRGGBB`.
    #[must_use]
    pub const fn hex(rgb: u32) -> Self {
        let [_, r, g, b] = rgb.to_be_bytes();
        Self([r, g, b, 255])
    }

    /// The same colour with another alpha, 0 (invisible) to 255 (opaque).
    #[must_use]
    pub const fn with_alpha(self, alpha: u8) -> Self {
        let [r, g, b, _] = self.0;
        Self([r, g, b, alpha])
    }

    /// The same colour with its alpha multiplied by `factor`, clamped to 0..=1; NaN counts as 0.
    #[must_use]
    pub fn faded(self, factor: f64) -> Self {
        let factor = if factor > 0.0 { factor.min(1.0) } else { 0.0 };
        self.with_alpha(to_byte(f64::from(self.0[3]) * factor))
    }

    /// This colour moved towards `other` by `amount` (0 keeps this one, 1 gives the other), clamped, in sRGB.
    #[must_use]
    pub fn mix(self, other: Self, amount: f64) -> Self {
        let amount = if amount > 0.0 { amount.min(1.0) } else { 0.0 };
        let mut out = [0; 4];
        for (channel, value) in out.iter_mut().enumerate() {
            let (a, b) = (f64::from(self.0[channel]), f64::from(other.0[channel]));
            *value = to_byte(a + (b - a) * amount);
        }
        Self(out)
    }
}

/// The nearest byte; values out of range are clamped.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=255 just before")]
fn to_byte(value: f64) -> u8 {
    value.round().clamp(0.0, 255.0) as u8
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Light marks on a dark ground; the default.
    #[default]
    Dark,
    /// Dark marks on a light ground.
    Light,
}

/// Colours that tell rivals apart on both themes, in this order; a number stands beside each, as colour alone tells nothing.
/// After M. Okabe and K. Ito 2008, which are told apart with any kind of colour vision.
pub const RIVALS: [Rgba; 8] = [
    Rgba::hex(0xe6_9f00),
    Rgba::hex(0x56_b4e9),
    Rgba::hex(0xcc_79a7),
    Rgba::hex(0x00_a57a),
    Rgba::hex(0xd5_5e00),
    Rgba::hex(0x8f_7ce0),
    Rgba::hex(0xb8_ae20),
    Rgba::hex(0x8c_9096),
];

/// From none to all on a surface: dark to bright, told apart in grey too (after viridis, S. van der Walt and N. Smith 2015).
const HEAT: [Rgba; 6] = [
    Rgba::hex(0x3a_3d45),
    Rgba::hex(0x44_3983),
    Rgba::hex(0x31_688e),
    Rgba::hex(0x21_918c),
    Rgba::hex(0x5d_c863),
    Rgba::hex(0xfd_e725),
];

/// Vertices that have no weight at all: none of the colours of [`heat`], with any kind of colour vision.
pub const UNWEIGHTED: Rgba = Rgba::hex(0xf2_f2f2);

/// The colour of a part, 0..1, of something measured: none of it is the first, all of it the last.
#[must_use]
pub fn heat(part: f64) -> Rgba {
    let along = if part > 0.0 { part.min(1.0) } else { 0.0 } * (HEAT.len() - 1) as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the list")]
    let at = (along as usize).min(HEAT.len() - 2);
    HEAT[at].mix(HEAT[at + 1], along - at as f64)
}

/// The colours of one theme.
#[derive(Clone, Debug, PartialEq)]
pub struct Palette {
    /// Behind everything in the 3D view.
    pub viewport: Rgba,
    /// Where a character's contact shadow is deepest.
    pub shadow: Rgba,
    /// Grid lines; coarser ones are drawn more opaque.
    pub grid: Rgba,
    /// X axis, curves named `.x`.
    pub axis_x: Rgba,
    /// Y axis, curves named `.y`.
    pub axis_y: Rgba,
    /// Z axis, curves named `.z`.
    pub axis_z: Rgba,
    /// Quaternion w and scalars without an axis.
    pub axis_w: Rgba,
    /// Parts of the mannequin on the character's left.
    pub part_left: Rgba,
    /// Parts of the mannequin on the character's right.
    pub part_right: Rgba,
    /// Parts of the mannequin in the middle.
    pub part_centre: Rgba,
    /// The one accent: what is selected.
    pub selected: Rgba,
    /// What the pointer is over.
    pub hovered: Rgba,
    /// Bones and joints drawn over the character.
    pub bone: Rgba,
    /// The edge around a joint's disc, so that it reads on any ground.
    pub bone_edge: Rgba,
    /// Trail and ghosts before now.
    pub past: Rgba,
    /// Trail and ghosts after now.
    pub future: Rgba,
    /// Auto-key; used for nothing else.
    pub record: Rgba,
    /// A pose that is not keyed yet.
    pub unkeyed: Rgba,
}

impl Palette {
    /// The dark theme.
    pub const DARK: Self = Self {
        viewport: Rgba::hex(0x2c_2f34),
        shadow: Rgba::hex(0x10_1214),
        grid: Rgba::hex(0x8a_919c),
        axis_x: Rgba::hex(0xf0_5a5a),
        axis_y: Rgba::hex(0x7c_c85a),
        axis_z: Rgba::hex(0x5a_96f0),
        axis_w: Rgba::hex(0xe8_b44a),
        part_left: Rgba::hex(0x8f_b4dc),
        part_right: Rgba::hex(0xdd_ae8a),
        part_centre: Rgba::hex(0xc4_c8cf),
        selected: Rgba::hex(0xff_b02e),
        hovered: Rgba::hex(0xff_e2a0),
        bone: Rgba::hex(0xe6_eaf0),
        bone_edge: Rgba::hex(0x14_1619),
        past: Rgba::hex(0x58_c08a),
        future: Rgba::hex(0x6a_9cf0),
        record: Rgba::hex(0xe8_3a3a),
        unkeyed: Rgba::hex(0xe0_72d8),
    };

    /// The light theme.
    pub const LIGHT: Self = Self {
        viewport: Rgba::hex(0xe4_e6ea),
        shadow: Rgba::hex(0xa6_abb4),
        grid: Rgba::hex(0x70_7886),
        axis_x: Rgba::hex(0xc8_3232),
        axis_y: Rgba::hex(0x3f_8c28),
        axis_z: Rgba::hex(0x2a_62c4),
        axis_w: Rgba::hex(0xa8_7410),
        part_left: Rgba::hex(0x7f_aade),
        part_right: Rgba::hex(0xe2_a67c),
        part_centre: Rgba::hex(0xd2_d5da),
        selected: Rgba::hex(0xf0_8a00),
        hovered: Rgba::hex(0xff_c24a),
        bone: Rgba::hex(0x38_3e48),
        bone_edge: Rgba::hex(0xfa_fbfc),
        past: Rgba::hex(0x1f_8a54),
        future: Rgba::hex(0x2f_66cc),
        record: Rgba::hex(0xd0_2020),
        unkeyed: Rgba::hex(0xb0_3aa8),
    };

    /// The colours of a theme.
    #[must_use]
    pub const fn of(theme: Theme) -> &'static Self {
        match theme {
            Theme::Dark => &Self::DARK,
            Theme::Light => &Self::LIGHT,
        }
    }
}

/// The colour of a speed as a part of the top speed, 0..=1, clamped; NaN counts as 0. From dark blue over green to yellow,
/// ever brighter, so that it reads without colour vision too.
#[must_use]
pub fn speed_colour(part: f64) -> Rgba {
    const STOPS: [Rgba; 5] =
        [Rgba::hex(0x44_3a83), Rgba::hex(0x31_688e), Rgba::hex(0x20_a386), Rgba::hex(0x8f_d744), Rgba::hex(0xfd_e725)];
    let part = if part > 0.0 { part.min(1.0) } else { 0.0 };
    let at = part * (STOPS.len() - 1) as f64;
    let index = (at.floor() as usize).min(STOPS.len() - 2);
    STOPS[index].mix(STOPS[index + 1], at - index as f64)
}

/// Radius of a joint's disc, points.
pub const JOINT_RADIUS_PT: f64 = 3.5;
/// Radius of the disc of a selected or hovered joint, points.
pub const JOINT_RADIUS_ACTIVE_PT: f64 = 5.0;
/// Width of the thin end of a bone, points.
pub const BONE_THIN_PT: f64 = 1.2;
/// Greatest width of a bone, points; short bones are thinner.
pub const BONE_THICK_PT: f64 = 7.0;
/// Width of trails and guides, points.
pub const GUIDE_WIDTH_PT: f64 = 1.5;
/// Width of the lines of a gizmo, points.
pub const GIZMO_WIDTH_PT: f64 = 2.5;
/// Length of a gizmo's arrows, and radius of its rings, points.
pub const GIZMO_SIZE_PT: f64 = 80.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_from_hex_and_mixed() {
        assert_eq!(Rgba::hex(0x12_3456), Rgba([0x12, 0x34, 0x56, 255]));
        let (black, white) = (Rgba::hex(0), Rgba::hex(0xff_ffff));
        assert_eq!(black.mix(white, 0.5), Rgba([128, 128, 128, 255]));
        assert_eq!(black.mix(white, 7.0), white);
        assert_eq!(white.faded(0.5).0[3], 128);
        assert_eq!(white.faded(f64::NAN).0[3], 0);
        assert_eq!((speed_colour(f64::NAN), speed_colour(9.0)), (Rgba::hex(0x44_3a83), Rgba::hex(0xfd_e725)));
        assert_eq!(speed_colour(0.5), Rgba::hex(0x20_a386));
    }
}

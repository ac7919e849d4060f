//! What a joint's name says about it.

use super::anatomy::Side;

/// The side a joint's name tells: `LeftArm`, `lShldr`, `arm.L`, `UpArm_R`, `R_Hand`.
pub(super) fn side_of_name(name: &str) -> Option<Side> {
    let name = name.rsplit(':').next().unwrap_or(name);
    let lower = name.to_lowercase();
    if lower.contains("left") {
        return Some(Side::Left);
    }
    if lower.contains("right") {
        return Some(Side::Right);
    }
    let of = |token: &str| match token {
        "l" | "L" => Some(Side::Left),
        "r" | "R" => Some(Side::Right),
        _ => None,
    };
    let mut tokens = name.split(|c: char| !c.is_alphanumeric()).filter(|token| !token.is_empty());
    if let Some(side) = tokens.find_map(of) {
        return Some(side);
    }
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some('l' | 'L'), Some(second)) if second.is_uppercase() => Some(Side::Left),
        (Some('r' | 'R'), Some(second)) if second.is_uppercase() => Some(Side::Right),
        _ => None,
    }
}

/// Whether a joint's name is that of a foot.
pub(super) fn is_foot(name: &str) -> bool {
    let lower = name.to_lowercase();
    ["foot", "ankle", "paw", "hoof"].iter().any(|word| lower.contains(word))
}

/// Whether a joint's name is that of a hand.
pub(super) fn is_hand(name: &str) -> bool {
    let lower = name.to_lowercase();
    ["hand", "wrist"].iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_read_from_names() {
        for name in ["LeftArm", "lShldr", "arm.L", "UpArm_L", "L_Hand", "mixamorig:LeftFoot", "LHipJoint"] {
            assert_eq!(side_of_name(name), Some(Side::Left), "{name}");
        }
        for name in ["rForeArm", "wrist.R", "Foot_R", "right_knee"] {
            assert_eq!(side_of_name(name), Some(Side::Right), "{name}");
        }
        for name in ["Root", "Hips", "spine01", "Larynx", "neck", "Lower back", ""] {
            assert_eq!(side_of_name(name), None, "{name}");
        }
    }
}

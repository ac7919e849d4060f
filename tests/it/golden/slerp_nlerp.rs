//! Interpolation between two rotations: the functions, and keys of a document's rotation track, the rotation lab.

use super::case::{Case, Outcome};
use super::played::Played;
use inbetween::eval::rotation_lab::{LabKey, LabScheme, Way};
use inbetween::math::Quat;
use inbetween::math::rotation::{nlerp, rotation_angle, slerp};
use inbetween::model::{KeyedRotation, RotationInterpolation, RotationKey};

pub(super) fn run(case: &Case) -> Outcome {
    let (q0, q1): (Quat, Quat) = (case.input("q0")?, case.input("q1")?);
    let t: f64 = case.input("t")?;
    let at = slerp(&q0, &q1, t);
    let played = |interpolation| {
        let keys = [(0.0, q0), (1.0, q1)].map(|(time, rotation)| RotationKey::new(time, rotation, interpolation));
        Ok::<_, String>(Played::rotation(KeyedRotation { keys: keys.into_iter().collect() })?.turned(t))
    };
    let by_slerp = played(RotationInterpolation::Slerp)?;
    let key = |secs, rotation| LabKey { secs, rotation, triple: None };
    let lab = |scheme| Way::new(scheme, &[key(0.0, q0), key(1.0, q1)]).map(|way| way.rotation(t)).ok_or("no keys");
    case.judge(|field| match field {
        "slerp" => {
            case.rotation(field, &at)?;
            case.rotation(field, &by_slerp)?;
            case.rotation(field, &lab(LabScheme::Slerp)?)
        }
        "nlerp" => {
            case.rotation(field, &nlerp(&q0, &q1, t))?;
            case.rotation(field, &played(RotationInterpolation::Nlerp)?)?;
            case.rotation(field, &lab(LabScheme::Nlerp)?)
        }
        "slerp_angle_from_q0" => {
            case.number(field, rotation_angle(&(q0.inverse() * at)))?;
            case.number(field, rotation_angle(&(q0.inverse() * by_slerp)))
        }
        _ => case.unknown(field),
    })
}

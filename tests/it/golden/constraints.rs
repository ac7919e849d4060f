//! Constraints on world transforms: point, orientation and parent with kept offsets, weighted points, aim.

use super::case::{Case, FromJson, Outcome};
use inbetween::eval::constraint::{Stand, held};
use inbetween::math::{Affine, Quat, Transform, Vec3};
use inbetween::model::{Aim, ConstraintKind, HeldBy, ObjectId, OrientHold, ParentHold, PinSpace, PointHold, Source};
use serde_json::Value;

struct World(Transform);

impl FromJson for World {
    fn from_json(json: &Value) -> Option<Self> {
        let (rotation, translation) = (Quat::from_json(json.get("q")?)?, Vec3::from_json(json.get("t")?)?);
        Some(Self(Transform { rotation, translation, ..Transform::IDENTITY }))
    }
}

fn stand(of: &Transform) -> Stand {
    Stand { place: of.translation, rotation: of.rotation, scale: of.scale }
}

const TARGET: PinSpace = PinSpace::Object(ObjectId(1));

pub(super) fn run(case: &Case) -> Outcome {
    match case.input::<String>("type")?.as_str() {
        "point_weighted" => weighted(case),
        "aim" => aim(case),
        kind => bound(case, kind),
    }
}

fn bound(case: &Case, kind: &str) -> Outcome {
    let (World(bind), World(child)) = (case.input("target_at_bind")?, case.input("child_at_bind")?);
    let World(now) = case.input("target_now")?;
    let back = bind.rotation.inverse();
    let kind = match kind {
        "parent" => {
            let offset = Transform { rotation: back, translation: -(back * bind.translation), ..Transform::IDENTITY };
            ConstraintKind::Parent(ParentHold { parents: vec![HeldBy { space: TARGET, offset }], source: 0.0 })
        }
        "orient" => {
            let offset = Transform::from_rotation(back * child.rotation);
            ConstraintKind::Orient(OrientHold { source: TARGET, offset })
        }
        "point" => ConstraintKind::Point(PointHold {
            sources: vec![Source::new(TARGET)],
            offset: child.translation - bind.translation,
        }),
        other => return Err(format!("no constraint is called {other}")),
    };
    let find = |_| Some(now.to_affine());
    let got = held(&kind, &stand(&child), 0.0, &find).ok_or("it does not act")?;
    let World(wanted) = case.wanted("child")?;
    case.judge(|field| match field {
        "child" => {
            let abs = case.tolerance("abs");
            let off = (got.place - wanted.translation).norm();
            case.hold(off <= abs, field, || format!("the place is {off} off"));
            let turned = 1.0 - got.rotation.coords.dot(&wanted.rotation.coords).abs();
            case.hold(turned <= abs, field, || format!("the rotation is {turned} off"));
            Ok(())
        }
        _ => case.unknown(field),
    })
}

fn weighted(case: &Case) -> Outcome {
    let (targets, weights): (Vec<Vec3>, Vec<f64>) = (case.input("targets")?, case.input("weights")?);
    let space = |index: usize| PinSpace::Object(ObjectId(u32::try_from(index).unwrap()));
    let sources = weights.iter().enumerate().map(|(index, weight)| Source { space: space(index), weight: *weight });
    let kind = ConstraintKind::Point(PointHold { sources: sources.collect(), offset: Vec3::zeros() });
    let find = |wanted: PinSpace| {
        let index = (0..targets.len()).find(|index| space(*index) == wanted)?;
        Some(Affine { translation: targets[index], ..Affine::IDENTITY })
    };
    let got = held(&kind, &stand(&Transform::IDENTITY), 0.0, &find).ok_or("it does not act")?;
    case.judge(|field| match field {
        "position" => case.vector(field, &got.place),
        _ => case.unknown(field),
    })
}

fn aim(case: &Case) -> Outcome {
    let (place, target, up): (Vec3, Vec3, Vec3) = (case.input("position")?, case.input("target")?, case.input("up")?);
    let axes: (String, String) = (case.input("aim_axis")?, case.input("up_axis")?);
    case.hold((axes.0.as_str(), axes.1.as_str()) == ("+Z", "+Y"), "axes", || format!("{axes:?}"));
    let kind = ConstraintKind::Aim(Aim { target: TARGET, up });
    let find = |_| Some(Affine { translation: target, ..Affine::IDENTITY });
    let own = Stand { place, ..stand(&Transform::IDENTITY) };
    let got = held(&kind, &own, 0.0, &find).ok_or("it does not act")?;
    case.judge(|field| match field {
        "quat" => case.rotation(field, &got.rotation),
        _ => case.unknown(field),
    })
}

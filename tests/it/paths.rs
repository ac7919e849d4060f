//! Paths and what follows them, through the document: constant speed, exact distances, arrivals, cycles, hostile points.

use crate::support::driver::Driver;
use inbetween::interact::{
    camera::{OrbitCamera, ViewDirection},
    input::Key as InputKey,
    view_state::{ToolId, ViewChange},
};
use inbetween::{
    edit::{
        AutoKey, ConstraintEdit, Edit, EditError, KeyEdit, ObjectEdit, PathEdit, Session,
        follow::{OnPath, Pace, arrive, by_distance, by_speed, follow_path, mend, pace, set_follow},
        numbers::{key_number, number_edit, static_edit},
        pose::points_edit,
    },
    eval::{Evaluator, follow::Travel},
    io::ron,
    math::{Transform, Vec3},
    model::{
        Camera, ChannelPath, Clip, Component, Constraint, ConstraintId, ConstraintKind, Document, Drive, Follow,
        FollowOrientation, FrameRange, Interpolation, Key, Object, ObjectId, ObjectKind, Parent, Path, PathScheme,
        PointId, Property, Target,
    },
};
use std::sync::Arc;

/// A document with a path and an empty that follows it.
fn scene(path: Path) -> (Document, OnPath, ObjectId) {
    let mut document = Document::default();
    let road = document.add_object(Object::path("Road", path));
    let cart = document.add_object(Object::new("Cart", ObjectKind::Empty));
    follow_path(&document, &[cart], road).unwrap().apply(&mut document).unwrap();
    let length = Evaluator::new().frame(&document, 0.0).path(road).unwrap().curve.length();
    (document, OnPath { object: cart, constraint: ConstraintId(0), length }, road)
}

fn uneven() -> Path {
    let places = [0.0, 1.0, 1.1, 2.1, 2.2, 3.2].map(|x: f64| Vec3::new(x, 0.4 * (2.0 * x).sin(), 0.3 * x * x));
    Path::through(&places)
}

fn at(document: &Document, object: ObjectId, secs: f64) -> Vec3 {
    Evaluator::new().frame(document, secs).objects[&object].world.translation
}

fn schemes() -> [PathScheme; 8] {
    [
        PathScheme::Linear,
        PathScheme::CatmullRom { alpha: 0.0 },
        PathScheme::CatmullRom { alpha: 0.5 },
        PathScheme::CatmullRom { alpha: 1.0 },
        PathScheme::Cardinal { tension: 0.4 },
        PathScheme::Tcb,
        PathScheme::Bezier,
        PathScheme::Natural,
    ]
}

#[test]
fn constant_speed_is_constant_over_uneven_points() {
    for scheme in schemes() {
        let (mut document, on, road) = scene(Path { scheme, ..uneven() });
        pace(&document, on, Pace::Constant, (0.0, 4.0)).unwrap().apply(&mut document).unwrap();
        let evaluator = Evaluator::new();
        let frame = evaluator.frame(&document, 0.0);
        let curve = &frame.path(road).unwrap().curve;
        let mut before = 0.0;
        for i in 1..=96 {
            let place = evaluator.frame(&document, f64::from(i) / 24.0).objects[&on.object].world.translation;
            // The place's own length along the path, found without the follower's way of finding it.
            let parameter = nearest(curve, &place, before);
            let length = curve.length_at(parameter).unwrap();
            let step = length - curve.length_at(before).unwrap();
            assert!((step * 96.0 / on.length - 1.0).abs() < 1e-4, "{scheme:?} frame {i}: {step}");
            before = parameter;
        }
    }
}

/// The parameter after another at which a path passes nearest to a place.
fn nearest(curve: &inbetween::math::path::MeasuredPath, place: &Vec3, from: f64) -> f64 {
    let off = |u: f64| (curve.point(u).unwrap() - place).norm();
    let end = curve.segments().len() as f64;
    let coarse = (0..=4000).map(|i| from + f64::from(i) / 4000.0 * (end - from).min(1.5));
    let best = coarse.min_by(|a, b| off(*a).total_cmp(&off(*b))).unwrap();
    let (mut low, mut high) = ((best - 1e-3).max(0.0), (best + 1e-3).min(end));
    for _ in 0..80 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if off(a) < off(b) { high = b } else { low = a }
    }
    f64::midpoint(low, high)
}

#[test]
fn speeds_and_accelerations_are_integrated_not_summed() {
    let (mut document, on, _) = scene(Path::through(&[Vec3::zeros(), Vec3::x() * 100.0]));
    let linear = |time: f64, value: f64| Key { interpolation: Interpolation::Linear, ..Key::new(time, value) };
    let insert = |document: &mut Document, property, keys: &[(f64, f64)]| {
        let path = ChannelPath::constraint(on.object, on.constraint, property);
        key_number(document, path, keys).unwrap().apply(document).unwrap();
        let clip = document.clip_of(on.object).unwrap();
        let curve = inbetween::edit::CurveRef { clip, path };
        let keys = keys.iter().map(|(time, value)| linear(*time, *value)).collect();
        Edit::from(KeyEdit::Insert { curve, keys }).apply(document).unwrap();
    };
    set_follow(&document, on, |f| (f.drive, f.tied) = (Drive::Speed, false)).unwrap().apply(&mut document).unwrap();
    insert(&mut document, Property::Speed, &[(0.0, 3.93), (1.82, 1.33), (3.79, 3.91), (5.14, 3.15)]);
    // The open golden case velocity_keys_0.
    for (secs, wanted) in [(0.447, 1.613_989_285_714_285_7), (2.131, 5.263_565_071_065_989), (5.14, 14.7135)] {
        assert!((at(&document, on.object, secs).x - wanted).abs() < 1e-9, "{secs}");
    }
    // As distance it is the same way.
    let mut converted = document.clone();
    by_distance(&document, on).unwrap().apply(&mut converted).unwrap();
    for i in 0..=100 {
        let secs = 5.14 * f64::from(i) / 100.0;
        assert!((at(&converted, on.object, secs) - at(&document, on.object, secs)).norm() < 1e-5, "{secs}");
    }
    // acceleration_keys_0.
    set_follow(&document, on, |f| (f.drive, f.speed, f.distance) = (Drive::Acceleration, 1.5, 0.25))
        .unwrap()
        .apply(&mut document)
        .unwrap();
    insert(&mut document, Property::Acceleration, &[(0.0, 2.16), (0.81, -1.85), (1.53, -1.19), (2.66, -0.41)]);
    for (secs, wanted) in [(0.405, 0.979_835_312_5), (1.53, 2.482_994_5), (2.66, 2.489_435_5)] {
        assert!((at(&document, on.object, secs).x - wanted).abs() < 1e-9, "{secs}");
    }
    let travel = Travel::new(&document, on.object, on.constraint, on.length).unwrap();
    assert!(travel.goes_back().is_some(), "its speed falls below zero");
    mend(&document, on).unwrap().apply(&mut document).unwrap();
    let travel = Travel::new(&document, on.object, on.constraint, on.length).unwrap();
    assert_eq!(travel.goes_back(), None);
}

#[test]
fn what_is_tied_ends_at_the_end_whatever_the_path_becomes() {
    let (mut document, on, road) = scene(uneven());
    for kind in Pace::ALL {
        pace(&document, on, kind, (0.5, 2.5)).unwrap().apply(&mut document).unwrap();
        assert_eq!(document.problems(), []);
        let travel = Travel::new(&document, on.object, on.constraint, on.length).unwrap();
        assert_eq!(travel.goes_back(), None, "{kind:?}");
        assert!((at(&document, on.object, 2.5) - uneven().points[5].place).norm() < 1e-9);
        assert!((at(&document, on.object, 0.0) - uneven().points[0].place).norm() < 1e-9);
    }
    let moved = Vec3::new(9.0, 1.0, 3.0);
    points_edit(&document, road, 0.0, &[(PointId(5), moved)], AutoKey::On).unwrap().apply(&mut document).unwrap();
    assert!((at(&document, on.object, 2.5) - moved).norm() < 1e-9);
}

/// A pace keeps what drives the follower where it can: the same way by its speed as by its distance.
#[test]
fn a_pace_by_speed_is_the_same_way() {
    for kind in Pace::ALL {
        let (mut document, on, _) = scene(uneven());
        let by = |document: &mut Document, drive: Drive| {
            set_follow(document, on, |follow| (follow.drive, follow.distance) = (drive, 0.3))
                .unwrap()
                .apply(document)
                .unwrap();
            pace(document, on, kind, (0.5, 2.5)).unwrap().apply(document).unwrap();
            assert_eq!(document.problems(), []);
            let follow = *document.object(on.object).unwrap().constraint(on.constraint).unwrap().as_follow().unwrap();
            let travel = Travel::new(document, on.object, on.constraint, on.length).unwrap();
            let way: Vec<f64> = (0..=80).map(|i| travel.distance(0.5 + f64::from(i) / 40.0)).collect();
            (follow.drive, way)
        };
        let (_, distances) = by(&mut document, Drive::Distance);
        let (drive, speeds) = by(&mut document, Drive::Speed);
        assert_eq!(drive, Drive::Speed, "{kind:?}");
        let off = distances.iter().zip(&speeds).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-12 * on.length.max(1.0), "{kind:?} {off}");
        let (drive, again) = by(&mut document, Drive::Acceleration);
        assert_eq!((drive, again), (Drive::Distance, distances), "{kind:?}: it stops at the end");
    }
}

/// From distance to speed and back: where it was at the keys, and all the way where that is a smooth cubic.
#[test]
fn speed_takes_over_the_way() {
    let way = |document: &Document, on: OnPath| {
        let travel = Travel::new(document, on.object, on.constraint, on.length).unwrap();
        (0..=96).map(|i| travel.distance(f64::from(i) / 32.0)).collect::<Vec<f64>>()
    };
    for kind in Pace::ALL {
        let (mut document, on, _) = scene(uneven());
        pace(&document, on, kind, (0.0, 3.0)).unwrap().apply(&mut document).unwrap();
        let before = way(&document, on);
        by_speed(&document, on).unwrap().apply(&mut document).unwrap();
        assert_eq!(document.problems(), []);
        let follow = *document.object(on.object).unwrap().constraint(on.constraint).unwrap().as_follow().unwrap();
        assert!(follow.drive == Drive::Speed && follow.tied, "{kind:?}");
        let off = before.iter().zip(way(&document, on)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{kind:?} {off}");
        by_distance(&document, on).unwrap().apply(&mut document).unwrap();
        let off = before.iter().zip(way(&document, on)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{kind:?} and back {off}");
    }
    let (mut document, on, _) = scene(uneven());
    let part = on.length.max(1.0);
    for (metres, secs) in [(0.25 * part, 1.0), (0.75 * part, 2.0), (0.5 * part, 3.0)] {
        arrive(&document, on, metres, secs, 0.0).unwrap().apply(&mut document).unwrap();
    }
    by_speed(&document, on).unwrap().apply(&mut document).unwrap();
    let travel = Travel::new(&document, on.object, on.constraint, on.length).unwrap();
    for (metres, secs) in [(0.25 * part, 1.0), (0.75 * part, 2.0), (0.5 * part, 3.0)] {
        assert!((travel.distance(secs) - metres).abs() < 1e-9 * part, "{secs}");
    }
}

#[test]
fn it_arrives_where_and_when_it_is_told_and_goes_on_only() {
    let (mut document, on, road) = scene(uneven());
    let path = Evaluator::new().frame(&document, 0.0).path(road).unwrap().clone();
    for (index, secs) in [(1, 1.0), (3, 2.0), (2, 3.0)] {
        arrive(&document, on, path.distance_of(index), secs, 0.0).unwrap().apply(&mut document).unwrap();
        assert!((at(&document, on.object, secs) - uneven().points[index].place).norm() < 1e-8);
    }
    assert!(
        (at(&document, on.object, 0.0) - uneven().points[0].place).norm() < 1e-9,
        "it sets out from where it stood"
    );
    let travel = |document: &Document| Travel::new(document, on.object, on.constraint, on.length).unwrap();
    let (from, to) = travel(&document).goes_back().unwrap();
    assert!(from >= 1.9 && to <= 3.1, "{from} {to}");
    mend(&document, on).unwrap().apply(&mut document).unwrap();
    assert_eq!(travel(&document).goes_back(), None);
    assert!((at(&document, on.object, 2.0) - uneven().points[3].place).norm() < 1e-8);
}

#[test]
fn a_follower_is_turned_along_and_closes_with_the_path() {
    let places: Vec<Vec3> = (0..8)
        .map(|i| {
            let a = f64::from(i) / 8.0 * std::f64::consts::TAU;
            Vec3::new(3.0 * a.cos(), (2.0 * a).sin(), 3.0 * a.sin())
        })
        .collect();
    let path = Path { closed: true, ..Path::through(&places) };
    for orientation in FollowOrientation::ALL {
        let (mut document, on, road) = scene(path.clone());
        set_follow(&document, on, |follow| follow.orientation = orientation).unwrap().apply(&mut document).unwrap();
        pace(&document, on, Pace::Constant, (0.0, 8.0)).unwrap().apply(&mut document).unwrap();
        let evaluator = Evaluator::new();
        let mut before: Option<inbetween::math::Quat> = None;
        for i in 0..=800 {
            let frame = evaluator.frame(&document, f64::from(i) / 100.0);
            let world = frame.objects[&on.object].world;
            assert!(world.shear() < 1e-12);
            if orientation != FollowOrientation::Fixed {
                let report = frame.follows[0];
                let curve = &frame.path(road).unwrap().curve;
                let along = curve.velocity(curve.parameter_at(report.distance).unwrap()).unwrap().normalize();
                assert!((world.linear.column(2) - along).norm() < 1e-6, "{orientation:?} {i}");
            }
            let turned = world.rotation();
            if let Some(before) = before {
                assert!(before.angle_to(&turned) < 0.05, "{orientation:?} jumps at {i}: {}", before.angle_to(&turned));
            }
            before = Some(turned);
        }
        let (first, last) = (evaluator.frame(&document, 0.0), evaluator.frame(&document, 8.0 - 1e-9));
        let apart = first.objects[&on.object].world.rotation().angle_to(&last.objects[&on.object].world.rotation());
        assert!(apart < 1e-6, "{orientation:?}: {apart}");
    }
}

#[test]
fn cycles_are_refused_by_name_and_what_is_needed_comes_first() {
    let mut document = Document::default();
    let cart = document.add_object(Object::new("Cart", ObjectKind::Empty));
    let road = document.add_object(Object::path("Road", uneven()));
    let rail = document.add_object(Object { parent: Some(Parent::Object(cart)), ..Object::path("Rail", uneven()) });
    follow_path(&document, &[cart], road).unwrap().apply(&mut document).unwrap();
    let refused = follow_path(&document, &[cart], rail).unwrap_err();
    assert!(matches!(&refused, EditError::FollowCycle(names) if names.contains("'Cart'")), "{refused}");
    assert!(refused.to_string().contains("'Cart'"));
    // The follower has the lower id and waits for the path nonetheless.
    pace(&document, OnPath { object: cart, constraint: ConstraintId(0), length: 1.0 }, Pace::Constant, (0.0, 1.0))
        .unwrap()
        .apply(&mut document)
        .unwrap();
    assert!((at(&document, cart, 1.0) - uneven().points[5].place).norm() < 1e-9);
    // Made by hand it is found, named, and drawn all the same.
    let mut broken = document.clone();
    broken.object_mut(road).unwrap().parent = Some(Parent::Object(cart));
    assert!(broken.problems().iter().any(|problem| problem.to_string().contains("'Cart'")));
    assert_eq!(Evaluator::new().frame(&broken, 0.5).objects.len(), 3);
    // Who followed a path that is deleted follows no more.
    Edit::from(ObjectEdit::Delete { objects: vec![road] }).apply(&mut document).unwrap();
    assert!(document.object(cart).unwrap().constraints.is_empty());
    assert_eq!(document.problems(), []);
    assert!(document.clips.values().all(|clip| clip.channels.is_empty()));
}

#[test]
fn hostile_paths_are_followed_or_left_without_a_panic() {
    let one = Vec3::new(1.0, 2.0, 3.0);
    let lists: [Vec<Vec3>; 6] = [
        vec![],
        vec![one],
        vec![one; 4],
        vec![one, one, Vec3::zeros(), Vec3::zeros()],
        vec![Vec3::zeros(), Vec3::repeat(1e150), Vec3::repeat(-1e150)],
        vec![Vec3::zeros(), Vec3::repeat(1e-200)],
    ];
    for places in lists {
        for scheme in schemes() {
            for closed in [false, true] {
                let path = Path { scheme, closed, ..Path::through(&places) };
                let (mut document, on, _) = scene(path);
                for orientation in FollowOrientation::ALL {
                    set_follow(&document, on, |f| f.orientation = orientation).unwrap().apply(&mut document).unwrap();
                    for distance in [0.0, 0.5, 1.0, -3.0, 1e300] {
                        let path = ChannelPath::constraint(on.object, on.constraint, Property::Distance);
                        static_edit(&document, path, distance).unwrap().apply(&mut document).unwrap();
                        let place = at(&document, on.object, 0.0);
                        assert!(place.iter().all(|x| x.is_finite()), "{places:?} {scheme:?} {distance}: {place}");
                    }
                }
                assert_eq!(document.problems(), []);
            }
        }
    }
    let (mut document, on, road) = scene(Path { closed: true, ..Path::through(&[Vec3::zeros(), Vec3::x()]) });
    assert!((on.length - 2.0).abs() < 1e-9, "there and back");
    let path = ChannelPath::constraint(on.object, on.constraint, Property::Distance);
    static_edit(&document, path, 0.75).unwrap().apply(&mut document).unwrap();
    assert!((at(&document, on.object, 0.0).x - 0.5).abs() < 1e-9);
    for refused in [
        number_edit(&document, path, 0.0, f64::NAN, AutoKey::On).map(|_| ()),
        points_edit(&document, road, 0.0, &[(PointId(0), Vec3::repeat(f64::NAN))], AutoKey::On)
            .and_then(|edit| edit.apply(&mut document.clone())),
        Edit::from(PathEdit::SetPlaces { object: road, places: vec![(PointId(9), one)] }).apply(&mut document.clone()),
        Edit::from(PathEdit::SetScheme { object: road, scheme: PathScheme::CatmullRom { alpha: 2.0 } })
            .apply(&mut document.clone()),
        Edit::from(PathEdit::SetClosed { object: on.object, closed: true }).apply(&mut document.clone()),
    ] {
        refused.unwrap_err();
    }
}

#[test]
fn points_are_channels_that_a_clip_moves_and_that_go_with_them() {
    let (mut document, on, road) = scene(uneven());
    let clip = document.add_clip(Clip::new("Clip", FrameRange::new(0, 47)));
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    let y = ChannelPath::point(road, PointId(5), Component::Y);
    let curve = inbetween::edit::CurveRef { clip, path: y };
    let keys = vec![Key::new(0.0, 0.0), Key::new(1.0, 5.0)];
    Edit::from(KeyEdit::Insert { curve, keys }).apply(&mut document).unwrap();
    pace(&document, on, Pace::Constant, (0.0, 1.0)).unwrap().apply(&mut document).unwrap();
    assert!((at(&document, on.object, 1.0).y - 5.0).abs() < 1e-9, "the end is where the clip has it");
    // Dragging a keyed point keys it.
    let wanted = Vec3::new(3.0, 7.0, 1.0);
    points_edit(&document, road, 1.0, &[(PointId(5), wanted)], AutoKey::On).unwrap().apply(&mut document).unwrap();
    assert!((at(&document, on.object, 1.0) - wanted).norm() < 1e-9);
    assert_eq!(document.object(road).unwrap().point(PointId(5)).unwrap().place, uneven().points[5].place);
    assert_eq!(document.problems(), []);
    let text = ron::save(&document).unwrap();
    assert_eq!(ron::load(&text).unwrap(), document);
    Edit::from(PathEdit::Delete { object: road, points: vec![PointId(5)] }).apply(&mut document).unwrap();
    assert!(!document.clip(clip).unwrap().channels.keys().any(|path| path.target == Target::Point(road, PointId(5))));
    assert_eq!(document.problems(), []);
}

#[test]
fn a_camera_looks_along_its_path_and_keys_its_field_of_view() {
    let mut document = Document::default();
    let road = document.add_object(Object::path("Road", Path::through(&[Vec3::zeros(), Vec3::x() * 4.0])));
    let camera = document.add_object(Object::new("Camera", ObjectKind::Camera(Camera::default())));
    follow_path(&document, &[camera, road], road).unwrap().apply(&mut document).unwrap();
    let world = Evaluator::new().frame(&document, 0.0).objects[&camera].world;
    assert!((world.linear.column(2) + Vec3::x()).norm() < 1e-12 && (world.linear.column(1) - Vec3::y()).norm() < 1e-12);
    let path = ChannelPath::object(camera, Property::FieldOfView, Component::Only);
    number_edit(&document, path, 0.0, 0.5, AutoKey::On).unwrap().apply(&mut document).unwrap();
    assert_eq!(document.object(camera).unwrap().as_camera().unwrap().fov_y, 0.5);
    key_number(&document, path, &[(0.0, 0.5), (1.0, 1.0)]).unwrap().apply(&mut document).unwrap();
    assert_eq!(document.problems(), []);
    let text = ron::save(&document).unwrap();
    assert_eq!(ron::load(&text).unwrap(), document);
}

#[test]
fn every_step_is_undone_and_warm_frames_are_cold_ones() {
    let (document, on, road) = scene(uneven());
    let mut session = Session::new(document.clone());
    let evaluator = Evaluator::new();
    let edits: Vec<Edit> = vec![
        PathEdit::SetScheme { object: road, scheme: PathScheme::Natural }.into(),
        PathEdit::SetClosed { object: road, closed: true }.into(),
        PathEdit::Reverse { object: road }.into(),
        PathEdit::SetTcb { object: road, points: vec![(PointId(1), [0.5, -0.5, 1.0])] }.into(),
        PathEdit::SetHandles { object: road, handles: vec![(PointId(2), Some(Vec3::x()), None)] }.into(),
        pace(&document, on, Pace::EaseInOut, (0.0, 2.0)).unwrap(),
        PathEdit::Delete { object: road, points: vec![PointId(0), PointId(4)] }.into(),
        ConstraintEdit::Delete { object: on.object, constraint: on.constraint }.into(),
    ];
    for edit in &edits {
        session.apply("history.move", edit).unwrap();
        assert_eq!(session.document().problems(), []);
        for secs in [0.0, 0.7, 0.7, 2.0] {
            let (warm, cold) =
                (evaluator.frame(session.document(), secs), Evaluator::new().frame(session.document(), secs));
            assert_eq!(format!("{:?}", warm.objects), format!("{:?}", cold.objects));
            assert_eq!(warm.follows, cold.follows);
        }
    }
    for _ in &edits {
        session.undo();
    }
    assert_eq!(**session.document(), document);
}

#[test]
fn constraints_weigh_and_mute() {
    let (mut document, on, road) = scene(Path::through(&[Vec3::zeros(), Vec3::x() * 4.0]));
    document.object_mut(on.object).unwrap().transform = Transform::from_translation(Vec3::new(0.0, 2.0, 0.0));
    let path = ChannelPath::constraint(on.object, on.constraint, Property::Influence);
    number_edit(&document, path, 0.0, 0.25, AutoKey::On).unwrap().apply(&mut document).unwrap();
    assert!((at(&document, on.object, 0.0) - Vec3::new(0.0, 1.5, 0.0)).norm() < 1e-12);
    let kind = ConstraintKind::Follow(Follow::new(road));
    let muted = Constraint { id: on.constraint, name: String::new(), muted: true, influence: 1.0, joint: None, kind };
    let edit = ConstraintEdit::Set { object: on.object, constraint: Arc::new(muted) };
    Edit::from(edit).apply(&mut document).unwrap();
    assert!((at(&document, on.object, 0.0) - Vec3::new(0.0, 2.0, 0.0)).norm() < 1e-12);
}

/// A driver with the draw tool in hand, seen from above, on a document without objects.
fn drawing() -> Driver {
    let mut d = Driver::new(Document::default());
    d.view.apply(ViewChange::Tool(ToolId::DrawPath));
    let camera = OrbitCamera { pivot: Vec3::zeros(), distance: 6.0, ..OrbitCamera::default() };
    d.view.apply(ViewChange::Camera(camera.along(ViewDirection::Top)));
    d
}

fn on_screen(d: &mut Driver, place: &Vec3) -> [f64; 2] {
    d.camera().project(place).unwrap()
}

fn drawn(d: &Driver) -> (ObjectId, Arc<Path>) {
    let document = d.session.document();
    let (id, object) = document.objects.iter().next().unwrap();
    (*id, object.as_path().unwrap().clone())
}

/// The way round a ring of the screen, from its right.
fn ring(parts: u32, of: f64) -> Vec<[f64; 2]> {
    let turn = |i: u32| of * std::f64::consts::TAU * f64::from(i) / f64::from(parts);
    (0..=parts).map(|i| [550.0 + 150.0 * turn(i).cos(), 400.0 + 150.0 * turn(i).sin()]).collect()
}

#[test]
fn a_path_is_drawn_by_one_drag_and_is_one_step() {
    let mut d = drawing();
    let way = ring(120, 0.6);
    d.stroke(&way, |_| {});
    let (id, path) = drawn(&d);
    assert!(!path.closed && path.scheme == PathScheme::Bezier);
    assert!((2..8).contains(&path.points.len()), "{}", path.points.len());
    assert!(path.points.iter().all(|point| point.place.y.abs() < 1e-9), "on the ground");
    assert_eq!(d.steps(), 1);
    assert_eq!(d.session.selection().active, Some(Target::Object(id)));
    let frame = Evaluator::new().frame(d.session.document(), 0.0);
    let view = d.camera();
    let curve = &frame.path(id).unwrap().curve;
    let end = curve.segments().len() as f64;
    let dense: Vec<[f64; 2]> =
        (0..=4000).map(|i| view.project(&curve.point(end * f64::from(i) / 4000.0).unwrap()).unwrap()).collect();
    for at in &way {
        let near = dense.iter().map(|p| (p[0] - at[0]).hypot(p[1] - at[1])).fold(f64::INFINITY, f64::min);
        assert!(near <= d.view.draw_within + 0.2, "{near} points off");
    }
    // A nearer bound takes more points; a movement less than a drag's is a click.
    d.session.undo();
    assert!(d.session.document().objects.is_empty());
    d.view.apply(ViewChange::DrawWithin(0.5));
    d.stroke(&way, |_| {});
    assert!(drawn(&d).1.points.len() > path.points.len());
}

#[test]
fn a_stroke_that_comes_back_closes_and_escape_leaves_nothing() {
    let mut d = drawing();
    d.stroke(&ring(120, 1.0), |_| {});
    let (_, path) = drawn(&d);
    assert!(path.closed && path.points.len() > 2, "{}", path.points.len());
    d.session.undo();
    let before = d.session.document().clone();
    d.stroke(&ring(120, 0.7), |d| {
        assert_eq!(d.session.document().objects.len(), 1, "it is seen while it is drawn");
        d.key(InputKey::Escape);
    });
    assert!(Arc::ptr_eq(&before, d.session.document()));
    assert_eq!(d.steps(), 0);
}

#[test]
fn a_stroke_above_the_horizon_or_with_shift_faces_the_view() {
    let mut d = drawing();
    let camera = OrbitCamera { pivot: Vec3::y(), distance: 6.0, ..OrbitCamera::default() };
    d.view.apply(ViewChange::Camera(camera.along(ViewDirection::Front)));
    d.stroke(&[[300.0, 200.0], [340.0, 240.0], [400.0, 250.0], [480.0, 210.0]], |_| {});
    let (_, path) = drawn(&d);
    assert!(path.points.iter().all(|point| point.place.z.abs() < 1e-9), "{path:?}");
    assert!(path.points.iter().any(|point| point.place.y.abs() > 0.1));
}

#[test]
fn a_path_is_drawn_inserted_into_closed_and_dragged_by_the_pointer() {
    let mut d = drawing();
    for at in [[400.0, 300.0], [700.0, 300.0], [700.0, 500.0]] {
        d.click(at);
    }
    let (id, path) = drawn(&d);
    assert_eq!(path.points.len(), 3);
    assert!(path.points.iter().all(|point| point.place.y.abs() < 1e-9), "on the ground");
    // On the path between the first two.
    let frame = Evaluator::new().frame(d.session.document(), 0.0);
    let middle = frame.path(id).unwrap().curve.point(0.5).unwrap();
    let at = on_screen(&mut d, &middle);
    d.click(at);
    let (_, path) = drawn(&d);
    assert_eq!(path.points.len(), 4);
    assert!((path.points[1].place - middle).norm() < 0.02, "the new one stands second");
    // Drag the last, then close by the first.
    d.drag([700.0, 500.0], [600.0, 560.0], 5);
    let (_, path) = drawn(&d);
    assert!((on_screen(&mut d, &path.points[3].place)[0] - 600.0).abs() < 1.0);
    d.click([400.0, 300.0]);
    let (_, path) = drawn(&d);
    assert!(path.closed && path.points.len() == 4);
    assert_eq!(d.steps(), 6);
    for _ in 0..6 {
        d.session.undo();
    }
    assert!(d.session.document().objects.is_empty());
}

#[test]
fn a_follower_is_dragged_along_its_path_only() {
    let (mut document, on, road) = scene(Path::through(&[Vec3::zeros(), Vec3::x() * 2.0]));
    pace(&document, on, Pace::Constant, (0.0, 2.0)).unwrap().apply(&mut document).unwrap();
    let mut d = Driver::new(document);
    let camera = OrbitCamera { pivot: Vec3::x(), distance: 6.0, ..OrbitCamera::default() };
    d.view.apply(ViewChange::Camera(camera.along(ViewDirection::Top)));
    d.view.apply(ViewChange::Time(1.0));
    let (from, to) = (on_screen(&mut d, &Vec3::x()), on_screen(&mut d, &(Vec3::x() * 1.5 + Vec3::z() * 0.7)));
    d.drag(from, to, 8);
    let place = at(d.session.document(), on.object, 1.0);
    assert!((place - Vec3::x() * 1.5).norm() < 0.02, "{place}");
    assert_eq!(d.steps(), 1);
    // It was keyed: the ends stay.
    assert!((at(d.session.document(), on.object, 2.0) - Vec3::x() * 2.0).norm() < 1e-9);
    assert_eq!(d.session.document().object(road).unwrap().as_path().unwrap().points.len(), 2);
}

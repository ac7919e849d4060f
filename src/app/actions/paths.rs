//! Paths, empties and cameras: made, followed, changed, deleted; looking through a camera.

use crate::{
    app::{dispatch::told, window::App},
    command::CommandId as Id,
    edit::{
        ConstraintEdit, DeformEdit, Edit, EditError, ImportEdit, ObjectEdit, PathEdit, Selection,
        follow::{OnPath, Pace, follow_path, pace},
    },
    eval::follow,
    interact::{camera::OrbitCamera, view_state::ViewChange},
    math::{Transform, Vec3},
    model::{Camera, ConstraintId, Document, Drive, Object, ObjectId, ObjectKind, Path, PathPoint, PointId, Target},
    notice::Notice,
    text::{fill, t},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The points of a new path about a middle, as parts of its size: a gentle S on the ground.
const NEW_PATH: [[f64; 2]; 4] = [[-1.0, 0.35], [-0.35, -0.35], [0.35, 0.35], [1.0, -0.35]];

impl App {
    /// Carries out a command about paths, empties and cameras.
    pub(in crate::app) fn paths(&mut self, id: Id) {
        let document = self.state.session.document().clone();
        let selection = self.state.session.selection().clone();
        let added = match id {
            Id::AddPath => Some(("history.add_path", Object::path("Path", new_path(&self.state.view.camera)))),
            Id::AddEmpty => Some(("history.add_empty", self.at_pivot(Object::new("Empty", ObjectKind::Empty)))),
            Id::AddCamera | Id::CameraFromView => Some(("history.add_camera", self.camera_from_view())),
            _ => None,
        };
        if let Some((label, object)) = added {
            self.add(label, &document, object);
            return;
        }
        let path = path_of(&document, &selection);
        let edit = match (id, path) {
            (Id::DeleteSelected, _) => Ok(("history.delete_selected", delete(&document, &selection))),
            (Id::FollowPath, _) => match follow_selected(&document, &selection) {
                Ok(edit) => edit.map(|edit| ("history.follow_path", edit)),
                Err(why) => return self.state.tell(Notice::info(t(why).into_owned())),
            },
            (Id::PaceConstant | Id::PaceEaseIn | Id::PaceEaseOut | Id::PaceEaseInOut, _) => {
                return self.pace(&document, &selection, id);
            }
            (_, None) => return self.state.tell(Notice::info(t("path.none_selected").into_owned())),
            (Id::ClosePath, Some((object, path))) => {
                Ok(("history.path_close", PathEdit::SetClosed { object, closed: !path.closed }.into()))
            }
            (Id::ReversePath, Some((object, _))) => Ok(("history.path_reverse", PathEdit::Reverse { object }.into())),
            (_, Some((object, path))) => {
                let edit = divide(&document, self.state.view.secs, object, &path, &selection);
                Ok(("history.path_divide", edit))
            }
        };
        let done: Result<(), EditError> = edit.and_then(|(label, edit)| {
            if edit.is_none() {
                self.state.tell(Notice::info(t("path.nothing_meant").into_owned()));
                return Ok(());
            }
            self.state.session.apply(label, &edit).map(|_| ())
        });
        told(self, done);
    }

    /// Lets the selected followers pass their whole paths in the play range.
    fn pace(&mut self, document: &Document, selection: &Selection, id: Id) {
        let wanted = match id {
            Id::PaceEaseIn => Pace::EaseIn,
            Id::PaceEaseOut => Pace::EaseOut,
            Id::PaceEaseInOut => Pace::EaseInOut,
            _ => Pace::Constant,
        };
        let (rate, range) = (document.settings.rate, document.settings.play_range);
        let range = (rate.secs(range.first), rate.secs(range.last));
        let frame = self.state.frame();
        let objects: BTreeSet<ObjectId> = selection.targets.iter().map(|target| target.object()).collect();
        let mut edits = Vec::new();
        let mut switched = false;
        for id in objects {
            for constraint in document.object(id).into_iter().flat_map(|object| &object.constraints) {
                let Some(follow) = constraint.as_follow() else { continue };
                let length = frame.path(follow.path).map_or(0.0, |path| path.curve.length());
                switched |= follow.drive == Drive::Acceleration;
                edits.push(pace(document, OnPath { object: id, constraint: constraint.id, length }, wanted, range));
            }
        }
        if edits.is_empty() {
            return self.state.tell(Notice::info(t("follow.no_follower").into_owned()));
        }
        let edits: Result<Vec<Edit>, EditError> = edits.into_iter().collect();
        let done = edits.and_then(|edits| self.state.session.apply("history.follow_pace", &Edit::Batch(edits)));
        if done.is_ok() && switched {
            let before = t("follow.by_acceleration").to_lowercase();
            self.state.tell(Notice::info(fill("follow.now_by_distance", &[("before", &before)])));
        }
        told(self, done.map(|_| ()));
    }

    fn add(&mut self, label: &'static str, document: &Document, object: Object) {
        let id = ObjectId(document.next_id);
        let edit = ImportEdit { objects: vec![(id, Arc::new(object))], ..ImportEdit::default() };
        let done = self.state.session.apply(label, &edit.into()).map(|_| ());
        if done.is_ok() {
            self.state.session.select(Selection::single(Target::Object(id)));
        }
        told(self, done);
    }

    fn at_pivot(&self, object: Object) -> Object {
        Object { transform: Transform::from_translation(self.state.view.camera.pivot), ..object }
    }

    /// A camera that sees what the 3D view sees.
    fn camera_from_view(&self) -> Object {
        let view = &self.state.view.camera;
        let camera = Camera { fov_y: view.fov_y.clamp(Camera::FIELD.0, Camera::FIELD.1), ..Camera::default() };
        let transform = Transform { translation: view.eye(), rotation: view.world_from_view(), ..Transform::IDENTITY };
        Object { transform, ..Object::new("Camera", ObjectKind::Camera(camera)) }
    }

    /// Looks through the selected camera, else the only one; back where the view does already.
    pub(in crate::app) fn look_through(&mut self) {
        let document = self.state.session.document();
        let cameras: Vec<ObjectId> =
            document.objects.iter().filter(|(_, object)| object.as_camera().is_some()).map(|(id, _)| *id).collect();
        let selected = self.state.session.selection().targets.iter().map(|target| target.object());
        let wanted = selected.into_iter().find(|id| cameras.contains(id)).or_else(|| cameras.first().copied());
        let now = self.state.view.through.filter(|id| cameras.contains(id));
        match (now, wanted) {
            (Some(_), _) => self.state.view.apply(ViewChange::Through(None)),
            (None, Some(camera)) => self.state.view.apply(ViewChange::Through(Some(camera))),
            (None, None) => self.state.tell(Notice::info(t("camera.none").into_owned())),
        }
    }
}

fn new_path(camera: &OrbitCamera) -> Path {
    let size = camera.distance / 3.0;
    let middle = Vec3::new(camera.pivot.x, 0.0, camera.pivot.z);
    let places = NEW_PATH.map(|[x, z]| middle + Vec3::new(x, 0.0, z) * size);
    Path::through(&places)
}

/// The selected path, or that of a selected point.
fn path_of(document: &Document, selection: &Selection) -> Option<(ObjectId, Arc<Path>)> {
    let active = selection.active.into_iter().chain(selection.targets.iter().copied());
    active.map(Target::object).find_map(|id| Some((id, document.object(id)?.as_path()?.clone())))
}

/// The selected objects follow the selected path; without one, the only path there is.
///
/// # Errors
/// Where there is no path, or nothing selected that could follow it: why, as a text key.
fn follow_selected(document: &Document, selection: &Selection) -> Result<Result<Edit, EditError>, &'static str> {
    let objects: BTreeSet<ObjectId> = selection.targets.iter().map(|target| target.object()).collect();
    let is_path = |id: &ObjectId| document.object(*id).is_some_and(|object| object.as_path().is_some());
    let selected = objects.iter().copied().find(|id| is_path(id));
    let path = selected.or_else(|| document.objects.keys().copied().find(|id| is_path(id)));
    let path = path.ok_or("follow.no_path")?;
    let followers: Vec<ObjectId> = objects.into_iter().filter(|id| !is_path(id)).collect();
    if followers.is_empty() {
        return Err("follow.none_selected");
    }
    Ok(follow_path(document, &followers, path))
}

/// Selected points of paths go, selected constraints and IK chains, and selected objects that are not rigs; a joint is no such thing.
fn delete(document: &Document, selection: &Selection) -> Edit {
    let mut points: BTreeMap<ObjectId, Vec<PointId>> = BTreeMap::new();
    let mut objects = Vec::new();
    let mut constraints: BTreeSet<(ObjectId, ConstraintId)> = BTreeSet::new();
    for target in &selection.targets {
        match *target {
            Target::Point(object, point) => points.entry(object).or_default().push(point),
            Target::Object(object) if document.object(object).is_some() => objects.push(object),
            Target::Constraint(object, constraint) | Target::Pole(object, constraint) => {
                constraints.insert((object, constraint));
            }
            _ => {}
        }
    }
    points.retain(|object, _| !objects.contains(object));
    let of_points = |(object, points): (ObjectId, Vec<PointId>)| match document.object(object) {
        // Points of a lattice belong to its grid.
        Some(found) if found.as_lattice().is_some() => Edit::none(),
        Some(found) if found.as_deformer().is_some() => {
            let landmarks = points.into_iter().map(|point| (point, None)).collect();
            DeformEdit::SetLandmarks { object, landmarks }.into()
        }
        _ => PathEdit::Delete { object, points }.into(),
    };
    let mut edits: Vec<Edit> = points.into_iter().map(of_points).collect();
    constraints.retain(|(object, _)| !objects.contains(object));
    edits.extend(
        constraints.into_iter().map(|(object, constraint)| ConstraintEdit::Delete { object, constraint }.into()),
    );
    if !objects.is_empty() {
        edits.push(ObjectEdit::Delete { objects }.into());
    }
    Edit::Batch(edits)
}

/// A point in the middle of each segment between selected points; of all where fewer than two are selected.
fn divide(document: &Document, secs: f64, object: ObjectId, path: &Path, selection: &Selection) -> Edit {
    let clip = document.clip_of(object).and_then(|clip| document.clip(clip));
    let places = follow::places(document, clip.map(|clip| &**clip), object, path, secs);
    let chosen =
        |index: usize| path.points.get(index).is_some_and(|point| selection.contains(Target::Point(object, point.id)));
    let several = (0..path.points.len()).filter(|index| chosen(*index)).count() > 1;
    let mut next = path.fresh_point_id().0;
    let mut edits = Vec::new();
    // From the end, so that the places of those before stay.
    let (segments, pieces) = follow::segments(path, &places);
    for index in (0..segments.len() / pieces).rev() {
        if several && !(chosen(index) && chosen((index + 1) % path.points.len())) {
            continue;
        }
        // The middle of an even number of cubics is where one ends.
        let (half, odd) = (index * pieces + pieces / 2, pieces % 2 == 1);
        let Some(segment) = segments.get(half) else { continue };
        let point = PathPoint::new(PointId(next), segment.point(if odd { 0.5 } else { 0.0 }));
        next = next.saturating_add(1);
        edits.push(PathEdit::Insert { object, index: index + 1, points: vec![point] }.into());
    }
    Edit::Batch(edits)
}

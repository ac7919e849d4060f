//! Shapes, lattices and deformers: made, put around what is selected, brought back to rest.

use crate::{
    app::{dispatch::told, window::App},
    command::CommandId as Id,
    edit::{
        DeformEdit, Edit, EditError, ImportEdit, Selection,
        deform::{Bounce, FreezeTo, add_to_stack, bounce_keys, edges_of, fitted, flexor, freeze, reset},
    },
    interact::view_state::ViewChange,
    math::{Transform, Vec3},
    model::{
        Deformer, DeformerKind, Document, Lattice, Mask, Object, ObjectId, ObjectKind, Parent, PointId, StackEntry,
        Target,
    },
    notice::Notice,
    samples::shapes::Shape,
    text::t,
};
use std::{collections::BTreeMap, sync::Arc};

/// Points along each axis of a new lattice.
const NEW_COUNT: u8 = 4;
/// Along an axis along which a mesh is thinner than this part of its greatest edge a new lattice is not divided.
const THIN: f64 = 1e-3;
/// Quads along a side of a new shape.
const PIECES: u32 = 16;

/// What new deformers are for.
struct Subjects {
    meshes: Vec<ObjectId>,
    /// What they hang on.
    parent: Option<Parent>,
    /// Which vertices they act on.
    mask: Option<Mask>,
}

impl App {
    /// Carries out a command about shapes.
    pub(in crate::app) fn shapes(&mut self, id: Id) {
        match id {
            Id::AddBox
            | Id::AddSphere
            | Id::AddCylinder
            | Id::AddCapsule
            | Id::AddTube
            | Id::AddPlane
            | Id::AddHead => {
                self.add_shape(id);
            }
            Id::AddFace => self.add_face(),
            Id::AddFlexor => self.add_flexor(),
            Id::KeyBounce => self.key_bounce(),
            Id::FitLattice => self.fit_lattice(),
            Id::ResetLattice => self.reset_lattice(),
            Id::FreezeToMesh | Id::FreezeToMorph => self.freeze_stacks(id == Id::FreezeToMorph),
            Id::ToggleSoft => {
                let mut points = self.state.view.points;
                points.soft = !points.soft;
                self.state.view.apply(ViewChange::Points(points));
            }
            Id::CycleMirror => {
                let mut points = self.state.view.points;
                points.mirror = match points.mirror {
                    [false, false, false] => [true, false, false],
                    [true, false, false] => [false, true, false],
                    [false, true, false] => [false, false, true],
                    _ => [false; 3],
                };
                self.state.view.apply(ViewChange::Points(points));
            }
            Id::AddLattice => self.add_to_stacks(None),
            _ => {}
        }
    }

    /// A deformer around the selected meshes, or around what follows the selected joint.
    pub(in crate::app) fn add_deformer(&mut self, kind: DeformerKind) {
        self.add_to_stacks(Some(kind));
        if kind == DeformerKind::Warp {
            // Its landmarks are put with the pointer.
            self.state.view.apply(ViewChange::Tool(crate::interact::view_state::ToolId::Pull));
        }
    }

    fn add_shape(&mut self, id: Id) {
        let shape = match id {
            Id::AddBox => Shape::Box,
            Id::AddSphere => Shape::Sphere,
            Id::AddCylinder => Shape::Cylinder,
            Id::AddCapsule => Shape::Capsule,
            Id::AddTube => Shape::Tube,
            Id::AddHead => Shape::Head,
            _ => Shape::Plane,
        };
        let document = self.state.session.document().clone();
        let mesh = shape.mesh(PIECES);
        // On the ground below the middle of the view, at round numbers.
        let pivot = self.state.view.camera.pivot.map(|at| (at * 10.0).round() / 10.0 + 0.0);
        let low = mesh.geometry.positions.iter().map(|at| f64::from(at[1])).fold(f64::INFINITY, f64::min);
        let place = Transform::from_translation(Vec3::new(pivot.x, -low, pivot.z));
        let object = Object { transform: place, ..Object::new(shape.name(), ObjectKind::Mesh(Arc::new(mesh))) };
        let new = ObjectId(document.next_id);
        let edit = ImportEdit { objects: vec![(new, Arc::new(object))], ..ImportEdit::default() };
        self.apply_and_select("history.add_shape", &edit.into(), new);
    }

    fn add_face(&mut self) {
        let document = self.state.session.document().clone();
        let pivot = self.state.view.camera.pivot;
        let face = crate::samples::face::object();
        let place = Transform::from_translation(Vec3::new(pivot.x, face.transform.translation.y, pivot.z));
        let new = ObjectId(document.next_id);
        let object = Arc::new(Object { transform: place, ..face });
        let edit = ImportEdit { objects: vec![(new, object)], ..ImportEdit::default() };
        self.apply_and_select("history.add_face", &edit.into(), new);
        self.dock.reveal(self.state.settings.workspace, crate::command::PanelId::FaceBoard);
    }

    /// A bulge on the bone before the active joint, driven by how far that is bent.
    fn add_flexor(&mut self) {
        let document = self.state.session.document().clone();
        let selection = self.state.session.selection();
        let all = selection.active.into_iter().chain(selection.targets.iter().copied());
        let joint = all.filter_map(|target| Some((target.object(), target.joint()?))).next();
        let Some((rig, joint)) = joint else {
            return self.state.tell(Notice::info(t("deform.flexor_joint").into_owned()));
        };
        let frame = self.state.evaluator.frame(&document, self.state.view.secs);
        match flexor(&document, &frame, rig, joint) {
            Ok((new, edit)) => self.apply_and_select("history.add_flexor", &edit, new),
            Err(error) => told(self, Err(error)),
        }
    }

    /// Keys a bounce of the selected squash and stretch from the playhead on.
    fn key_bounce(&mut self) {
        let document = self.state.session.document().clone();
        let is_squash = |id: &ObjectId| {
            let deformer = document.object(*id).and_then(|object| object.as_deformer());
            deformer.is_some_and(|deformer| deformer.kind == DeformerKind::Squash)
        };
        let Some(id) = self.state.session.selection().objects().into_iter().find(is_squash) else {
            return self.state.tell(Notice::info(t("deform.bounce_squash").into_owned()));
        };
        let edit = bounce_keys(&document, id, self.state.view.secs, Bounce::default());
        let done = edit.and_then(|edit| self.state.session.apply("history.bounce", &edit).map(|_| ()));
        told(self, done);
    }

    fn apply_and_select(&mut self, label: &'static str, edit: &Edit, id: ObjectId) {
        let done = self.state.session.apply(label, edit).map(|_| ());
        if done.is_ok() {
            self.state.session.select(Selection::single(Target::Object(id)));
        }
        told(self, done);
    }

    /// A deformer of a kind, or a lattice, around the selected meshes or what follows the selected joint.
    fn add_to_stacks(&mut self, kind: Option<DeformerKind>) {
        let document = self.state.session.document().clone();
        let subjects = subjects(&document, self.state.session.selection());
        let frame = self.state.evaluator.frame(&document, self.state.view.secs);
        let (object, label) = match kind {
            Some(kind) => {
                let name = t(kind.title()).into_owned();
                (Object::new(&name, ObjectKind::Deformer(Deformer::new(kind))), "history.add_deformer")
            }
            None => {
                let edges = edges_of(&document, &frame, &subjects.meshes, subjects.mask, subjects.parent);
                let thin = |axis: usize| edges.is_some_and(|edges| edges[axis] < THIN * edges.max());
                let counts = [0, 1, 2].map(|axis| if thin(axis) { 1 } else { NEW_COUNT });
                let lattice = Lattice { counts, ..Lattice::default() };
                (Object::new("Lattice", ObjectKind::Lattice(Arc::new(lattice))), "history.add_lattice")
            }
        };
        let object = if subjects.meshes.is_empty() {
            Object { transform: Transform::from_translation(self.state.view.camera.pivot), ..object }
        } else {
            fitted(&document, &frame, (&subjects.meshes, subjects.mask), object, subjects.parent)
        };
        match add_to_stack(&document, object, (&subjects.meshes, subjects.mask)) {
            Ok((new, edit)) => self.apply_and_select(label, &edit, new),
            Err(error) => told(self, Err(error)),
        }
        if subjects.meshes.is_empty() {
            self.state.tell(Notice::info(t("deform.no_mesh").into_owned()));
        }
    }

    /// Puts the selected lattice around the meshes that it deforms, or around those selected with it.
    fn fit_lattice(&mut self) {
        let document = self.state.session.document().clone();
        let selection = self.state.session.selection().clone();
        let Some((id, object)) = lattice_of(&document, &selection) else {
            return self.state.tell(Notice::info(t("lattice.none_selected").into_owned()));
        };
        let mut meshes = meshes(&document, &selection);
        let mask = document.objects.values().filter_map(|object| object.as_mesh()).find_map(|mesh| {
            let entry: Option<&StackEntry> = mesh.stack.iter().find(|entry| entry.by == id);
            entry.and_then(|entry| entry.mask)
        });
        if meshes.is_empty() {
            meshes = crate::eval::deform::deformed_by(&document, id).map(|(mesh, _)| mesh).collect();
        }
        if meshes.is_empty() {
            return self.state.tell(Notice::info(t("deform.no_mesh").into_owned()));
        }
        // Around the meshes as they are without it: where it has carried them it must not follow itself.
        let bare = without(&document, id);
        let frame = crate::eval::Evaluator::new().frame(&bare, self.state.view.secs);
        let fitted = fitted(&bare, &frame, (&meshes, mask), (*object).clone(), object.parent);
        let Some(lattice) = fitted.as_lattice() else { return };
        let shape = DeformEdit::SetBox { object: id, size: lattice.size, falloff: lattice.falloff };
        let place = crate::edit::pose::transform_edit(
            &document,
            id,
            self.state.view.secs,
            &fitted.transform,
            self.state.view.auto_key,
        );
        let done = place.and_then(|place| {
            self.state.session.apply("history.fit_lattice", &Edit::Batch(vec![place, shape.into()])).map(|_| ())
        });
        told(self, done);
    }

    /// Keeps what the stacks of the selected meshes do, and takes the stacks off.
    fn freeze_stacks(&mut self, to_morph: bool) {
        let document = self.state.session.document().clone();
        let stacked = |id: &ObjectId| {
            let mesh = document.object(*id).and_then(|object| object.as_mesh());
            mesh.is_some_and(|mesh| !mesh.stack.is_empty())
        };
        let wanted: Vec<ObjectId> =
            meshes(&document, self.state.session.selection()).into_iter().filter(stacked).collect();
        if wanted.is_empty() {
            return self.state.tell(Notice::info(t("deform.no_stack").into_owned()));
        }
        let frame = self.state.evaluator.frame(&document, self.state.view.secs);
        let to = if to_morph { FreezeTo::Morph(t("deform.frozen").into_owned()) } else { FreezeTo::Mesh };
        let edits: Result<Vec<Edit>, EditError> = wanted.iter().map(|id| freeze(&document, &frame, *id, &to)).collect();
        let done =
            edits.and_then(|edits| self.state.session.apply("history.freeze_stack", &Edit::Batch(edits)).map(|_| ()));
        told(self, done);
    }

    /// Brings the selected points back to rest, or all of the selected lattices.
    fn reset_lattice(&mut self) {
        let document = self.state.session.document().clone();
        let selection = self.state.session.selection().clone();
        let mut points: BTreeMap<ObjectId, Vec<PointId>> = BTreeMap::new();
        let is_lattice = |id: ObjectId| document.object(id).is_some_and(|object| !object.carrying_points().is_empty());
        for target in selection.targets.iter().filter(|target| is_lattice(target.object())) {
            let own = points.entry(target.object()).or_default();
            if let Target::Point(_, point) = target {
                own.push(*point);
            }
        }
        if points.is_empty() {
            return self.state.tell(Notice::info(t("lattice.none_selected").into_owned()));
        }
        let (secs, auto_key) = (self.state.view.secs, self.state.view.auto_key);
        let mut base = (*document).clone();
        let mut edits = Vec::new();
        let mut all = || -> Result<(), EditError> {
            for (object, points) in &points {
                let edit = reset(&base, *object, points, secs, auto_key)?;
                edit.apply(&mut base)?;
                edits.push(edit);
            }
            Ok(())
        };
        let done = all();
        let done =
            done.and_then(|()| self.state.session.apply("history.reset_lattice", &Edit::Batch(edits)).map(|_| ()));
        told(self, done);
    }
}

/// The document with an object in no stack.
fn without(document: &Document, by: ObjectId) -> Document {
    let mut out = document.clone();
    let named: Vec<ObjectId> = crate::eval::deform::deformed_by(document, by).map(|(id, _)| id).collect();
    for id in named {
        if let Some(ObjectKind::Mesh(mesh)) = out.object_mut(id).map(|object| &mut object.kind) {
            Arc::make_mut(mesh).stack.retain(|entry| entry.by != by);
        }
    }
    out
}

/// The selected lattice, or that of a selected point.
fn lattice_of(document: &Document, selection: &Selection) -> Option<(ObjectId, Arc<Object>)> {
    let targets = selection.active.into_iter().chain(selection.targets.iter().copied());
    let mut objects = targets.map(Target::object).filter_map(|id| Some((id, document.object(id)?.clone())));
    objects.find(|(_, object)| object.as_lattice().is_some())
}

/// The selected mesh objects.
fn meshes(document: &Document, selection: &Selection) -> Vec<ObjectId> {
    let is_mesh = |id: &ObjectId| document.object(*id).is_some_and(|object| object.as_mesh().is_some());
    selection.objects().into_iter().filter(is_mesh).collect()
}

/// The selected meshes; else those that follow the selected joint, as far as they do; else the only mesh there is.
fn subjects(document: &Document, selection: &Selection) -> Subjects {
    let meshes = meshes(document, selection);
    let skinned = |id: &ObjectId| document.object(*id).and_then(|o| o.as_mesh()).is_some_and(|m| m.skin.is_some());
    if let [only] = meshes.as_slice()
        && !skinned(only)
    {
        return Subjects { parent: Some(Parent::Object(*only)), meshes, mask: None };
    }
    if !meshes.is_empty() {
        return Subjects { meshes, parent: None, mask: None };
    }
    let joints = selection.targets.iter().filter_map(|target| match *target {
        Target::Joint(object, joint) => Some(Parent::Joint(object, joint)),
        _ => None,
    });
    for joint in joints {
        let follows = |object: &Object| {
            let skin = object.as_mesh().and_then(|mesh| mesh.skin.as_ref());
            skin.is_some_and(|skin| skin.joints.iter().any(|own| own.joint == joint))
        };
        let found: Vec<ObjectId> =
            document.objects.iter().filter(|(_, object)| follows(object)).map(|(id, _)| *id).collect();
        if !found.is_empty() {
            return Subjects { meshes: found, parent: Some(joint), mask: Some(Mask::Joint(joint)) };
        }
    }
    let all: Vec<ObjectId> =
        document.objects.iter().filter(|(_, object)| object.as_mesh().is_some()).map(|(id, _)| *id).collect();
    match all.as_slice() {
        [only] if selection.targets.is_empty() => {
            let parent = (!skinned(only)).then_some(Parent::Object(*only));
            Subjects { parent, meshes: all, mask: None }
        }
        _ => Subjects { meshes: Vec::new(), parent: None, mask: None },
    }
}

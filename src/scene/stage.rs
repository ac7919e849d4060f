//! The 3D view as a whole: from a document at one time to a picture's description.

use super::deform_marks::DeformMarks;
use super::figures::Figures;
use super::skeleton_marks::{Emphasis, SkeletonMarks};
use super::surfaces::Heat;
use super::trail_marks::{self, TrailShown};
use super::{Side, gizmo_marks};
use crate::eval::EvaluatedFrame;
use crate::interact::gizmo::{Gizmo, Handle};
use crate::interact::projection::View;
use crate::interact::view_state::ViewportOptions;
use crate::math::{Affine, Vec3};
use crate::model::{Document, Joint, Mask, ObjectId, Parent, Rig, Skeleton, Target};
use crate::render::{Camera, Ghost, Ground, Instance, Layer, Light, Plate, RenderScene, Shadow};
use crate::style::{Palette, Rgba};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What is shown, and how.
#[derive(Clone, Copy, Debug)]
pub struct Stage<'a> {
    /// The document.
    pub document: &'a Document,
    /// The document at one time.
    pub frame: &'a EvaluatedFrame,
    /// Where it is seen from.
    pub view: &'a View,
    /// What is drawn.
    pub options: ViewportOptions,
    /// The only objects shown; none shows all that are not hidden.
    pub isolated: Option<&'a BTreeSet<ObjectId>>,
    /// What is selected.
    pub selected: &'a BTreeSet<Target>,
    /// What the pointer is over.
    pub hovered: Option<Target>,
    /// A gizmo, and its handle under the pointer or being dragged.
    pub gizmo: Option<(Gizmo, Option<Handle>)>,
    /// The joint whose weights are seen where they are; none for any that is selected.
    pub weighed: Option<Parent>,
    /// Figures at other times.
    pub ghosts: &'a [Ghost],
    /// The trails of joints.
    pub trails: &'a [TrailShown],
    /// Pictures behind, in and before the scene.
    pub plates: &'a [Plate],
    /// The colours.
    pub palette: &'a Palette,
}

impl<'a> Stage<'a> {
    /// A document at one time and nothing around it: no selection, no tool, no ghosts.
    #[must_use]
    pub fn plain(document: &'a Document, frame: &'a EvaluatedFrame, view: &'a View, palette: &'a Palette) -> Self {
        static NOTHING: BTreeSet<Target> = BTreeSet::new();
        Self {
            document,
            frame,
            view,
            options: ViewportOptions { bones: false, ..ViewportOptions::default() },
            isolated: None,
            selected: &NOTHING,
            hovered: None,
            gizmo: None,
            weighed: None,
            ghosts: &[],
            trails: &[],
            plates: &[],
            palette,
        }
    }
}

impl Stage<'_> {
    /// Describes the picture.
    #[must_use]
    pub fn scene(&self, figures: &mut Figures) -> RenderScene {
        let mut scene = RenderScene {
            background: self.palette.viewport,
            camera: Camera {
                view_from_world: *self.view.view_from_world(),
                clip_from_view: self.view.clip_from_view(),
            },
            light: Light::default(),
            ground: self.options.grid.then(|| self.ground()),
            plates: self.plates.to_vec(),
            ghosts: self.ghosts.to_vec(),
            instances: Vec::new(),
            surfaces: Vec::new(),
            marks: Layer::default(),
            overlay: Layer::default(),
        };
        for trail in self.trails {
            trail_marks::draw(trail, self.frame, self.view, self.palette, &mut scene.overlay);
        }
        let shown = |id: &ObjectId| self.isolated.is_none_or(|only| only.contains(id));
        for (id, _, rig) in self.document.rigs().filter(|(id, object, _)| !object.hidden && shown(id)) {
            let pose = self.frame.objects.get(&id).and_then(|at| Some((at.world, at.rig.as_ref()?)));
            let Some((world, pose)) = pose else { continue };
            let joints: Vec<Affine> = pose.model.iter().map(|model| world * *model).collect();
            let emphasis = self.emphasis(id, &rig.skeleton);
            let colors: Vec<Option<Rgba>> = joint_colors(rig);
            if self.options.mannequin {
                let solid = !(self.options.mesh && self.document.has_body(id));
                self.add_mannequin(id, &joints, (&emphasis, &colors), (figures, solid), &mut scene);
            }
            if self.options.bones {
                self.add_bones(&rig.skeleton, &joints, (&emphasis, &colors), &mut scene);
            }
        }
        if self.options.mesh {
            self.add_meshes(&shown, figures, &mut scene);
        }
        let marks = DeformMarks {
            document: self.document,
            frame: self.frame,
            view: self.view,
            palette: self.palette,
            selected: self.selected,
            hovered: self.hovered,
        };
        for (id, _) in self.document.objects.iter().filter(|(id, object)| !object.hidden && shown(id)) {
            if self.options.bones {
                marks.draw(*id, &mut scene.marks, &mut scene.overlay);
            }
        }
        if let Some((gizmo, active)) = &self.gizmo {
            gizmo_marks::draw(gizmo, *active, self.view, self.palette, &mut scene.overlay);
        }
        scene
    }

    /// What surfaces are coloured by: the weights of the selected joint, or the influence of selected points.
    fn heat(&self) -> Option<Heat> {
        let joint = |target: &Target| match *target {
            Target::Joint(object, joint) => Some(Parent::Joint(object, joint)),
            _ => None,
        };
        let joint = self.weighed.or_else(|| self.selected.iter().find_map(joint)).filter(|_| self.options.weights);
        joint.map(Heat::Joint).or_else(|| self.point_heat())
    }

    /// The selected points of the first lattice of which some are, where their influence is to be seen.
    fn point_heat(&self) -> Option<Heat> {
        let point = |target: &Target| match *target {
            Target::Point(object, point) => {
                self.document.object(object)?.as_lattice()?;
                Some((object, point))
            }
            _ => None,
        };
        // A painted mask is seen while its entry is in hand.
        let painted = self.selected.iter().find_map(|target| match *target {
            Target::Deformer(object, entry) => match self.document.object(object)?.as_mesh()?.entry(entry)?.mask {
                Some(Mask::Painted(mask)) => Some(Heat::Mask(object, mask)),
                _ => None,
            },
            _ => None,
        });
        if painted.is_some() {
            return painted;
        }
        let own: Vec<_> = self.selected.iter().filter_map(point).collect();
        let (lattice, _) = *own.first().filter(|_| self.options.influence)?;
        let points = own.into_iter().filter(|(object, _)| *object == lattice).map(|(_, point)| point).collect();
        Some(Heat::Points { lattice, points })
    }

    fn add_meshes(&self, shown: &dyn Fn(&ObjectId) -> bool, figures: &mut Figures, scene: &mut RenderScene) {
        let heat = self.heat();
        for (id, object) in self.document.objects.iter().filter(|(id, object)| !object.hidden && shown(id)) {
            if object.as_mesh().is_none() {
                continue;
            }
            let target = Target::Object(*id);
            let (color, amount) = if self.selected.contains(&target) {
                (self.palette.selected, 0.35)
            } else if self.hovered == Some(target) {
                (self.palette.hovered, 0.2)
            } else {
                (self.palette.hovered, 0.0)
            };
            let [r, g, b, _] = color.0.map(|channel| f32::from(channel) / 255.0);
            let glow = if heat.is_some() { [0.0; 4] } else { [r, g, b, amount] };
            let surface = figures.surfaces.surface(self.document, self.frame, *id, glow, heat.as_ref());
            scene.surfaces.extend(surface);
        }
    }

    fn ground(&self) -> Ground {
        let palette = self.palette;
        Ground {
            height: 0.0,
            grid: palette.grid,
            axes: [palette.axis_x, palette.axis_y, palette.axis_z],
            shadow_color: palette.shadow,
            shadow_reach: 1.0,
            shadows: Vec::new(),
            focus: self.view.camera().pivot,
        }
    }

    /// How each joint of a rig is shown. The whole object selected emphasises none of them.
    fn emphasis(&self, object: ObjectId, skeleton: &Skeleton) -> Vec<Emphasis> {
        let of = |target: Target| {
            if self.selected.contains(&target) {
                Emphasis::Selected
            } else if self.hovered == Some(target) {
                Emphasis::Hovered
            } else {
                Emphasis::Plain
            }
        };
        skeleton.joints().iter().map(|joint| of(Target::Joint(object, joint.id))).collect()
    }

    /// A rig's mannequin, or where it is not `solid`, for a body takes its place, its shadow alone.
    fn add_mannequin(
        &self,
        object: ObjectId,
        joints: &[Affine],
        (emphasis, colors): (&[Emphasis], &[Option<Rgba>]),
        (figures, solid): (&mut Figures, bool),
        scene: &mut RenderScene,
    ) {
        let mannequin = figures.get(self.document, object);
        for part in &mannequin.parts {
            let (Some(place), Some(emphasis)) = (joints.get(part.joint), emphasis.get(part.joint)) else { continue };
            let own = colors.get(part.joint).copied().flatten();
            let color = self.part_color(part.side, own, *emphasis);
            if solid {
                scene.instances.push(Instance { mesh: Arc::clone(&part.mesh), world_from_mesh: *place, color });
            }
            if let Some(ground) = &mut scene.ground {
                let (from, to) = (place.point(&part.a), place.point(&part.b));
                ground.shadows.push(Shadow { from, to, radius: part.radius_a.max(part.radius_b) });
                ground.shadow_reach = ground.shadow_reach.max(0.75 * mannequin.size);
            }
        }
    }

    /// The colour of a part: that of a group of its joint, else that of its side.
    fn part_color(&self, side: Side, group: Option<Rgba>, emphasis: Emphasis) -> Rgba {
        let own = group.unwrap_or(match side {
            Side::Left => self.palette.part_left,
            Side::Right => self.palette.part_right,
            Side::Middle => self.palette.part_centre,
        });
        match emphasis {
            Emphasis::Plain => own,
            Emphasis::Hovered => own.mix(self.palette.hovered, 0.45),
            Emphasis::Selected => own.mix(self.palette.selected, 0.65),
        }
    }

    fn add_bones(
        &self,
        skeleton: &Skeleton,
        joints: &[Affine],
        (emphasis, colors): (&[Emphasis], &[Option<Rgba>]),
        scene: &mut RenderScene,
    ) {
        let places: Vec<Vec3> = joints.iter().map(|joint| joint.translation).collect();
        let tips: Vec<bool> = skeleton.joints().iter().map(crate::model::Joint::is_end).collect();
        let marks = SkeletonMarks {
            parents: skeleton.parents(),
            tips: &tips,
            places: &places,
            emphasis,
            colors,
            over_a_body: self.options.mannequin,
        };
        marks.draw(self.view, self.palette, &mut scene.overlay);
    }
}

/// The colours of a rig's joints by the coloured sets that hold them, by joint index; empty where no set has one.
fn joint_colors(rig: &Rig) -> Vec<Option<Rgba>> {
    if rig.set_colors.is_empty() {
        return Vec::new();
    }
    let color = |joint: &Joint| rig.color_of(joint.id).map(|[r, g, b]| Rgba([r, g, b, 255]));
    rig.skeleton.joints().iter().map(color).collect()
}

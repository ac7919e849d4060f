//! What the 3D view shows of a document.

use inbetween::eval::{EvaluatedFrame, Evaluator};
use inbetween::interact::camera::OrbitCamera;
use inbetween::interact::gizmo::{Gizmo, GizmoKind, Handle};
use inbetween::interact::projection::View;
use inbetween::interact::view_state::ViewportOptions;
use inbetween::math::{Mat3, Vec3};
use inbetween::model::{Document, ObjectId, Target};
use inbetween::render::RenderScene;
use inbetween::scene::{Figures, Stage};
use inbetween::style::Palette;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The start document at half a second, and what is shown of it.
struct Shown {
    document: Document,
    frame: Arc<EvaluatedFrame>,
    view: View,
    options: ViewportOptions,
    isolated: Option<BTreeSet<ObjectId>>,
    selected: BTreeSet<Target>,
    hovered: Option<Target>,
    gizmo: Option<(Gizmo, Option<Handle>)>,
}

impl Shown {
    fn new() -> Self {
        let document = inbetween::samples::walker();
        Self {
            frame: Evaluator::new().frame(&document, 0.5),
            document,
            view: OrbitCamera::default().view([1280.0, 800.0], 2.0),
            options: ViewportOptions::default(),
            isolated: None,
            selected: BTreeSet::new(),
            hovered: None,
            gizmo: None,
        }
    }

    fn rig(&self) -> ObjectId {
        self.document.rigs().next().unwrap().0
    }

    fn joint(&self, name: &str) -> Target {
        let (id, _, rig) = self.document.rigs().next().unwrap();
        Target::Joint(id, rig.skeleton.joints().iter().find(|joint| joint.name == name).unwrap().id)
    }

    fn scene(&self) -> RenderScene {
        let stage = Stage {
            document: &self.document,
            frame: &self.frame,
            view: &self.view,
            options: self.options,
            isolated: self.isolated.as_ref(),
            selected: &self.selected,
            hovered: self.hovered,
            gizmo: self.gizmo,
            palette: &Palette::DARK,
            weighed: None,
            ghosts: &[],
            trails: &[],
            plates: &[],
        };
        stage.scene(&mut Figures::default())
    }
}

#[test]
fn scene_shows_body_bones_and_ground_as_asked() {
    let mut shown = Shown::new();
    let all = shown.scene();
    let triangles: usize = all.instances.iter().map(|instance| instance.mesh.indices.len() / 3).sum();
    assert!(all.instances.len() >= 20 && triangles < 6000, "{} {triangles}", all.instances.len());
    assert!(!all.overlay.dots.is_empty() && !all.overlay.strokes.is_empty());
    assert_eq!(all.ground.as_ref().unwrap().shadows.len(), all.instances.len());
    shown.options = ViewportOptions { mannequin: false, bones: false, grid: false, ..shown.options };
    let none = shown.scene();
    assert!(none.instances.is_empty() && none.overlay.dots.is_empty() && none.ground.is_none());
}

#[test]
fn scene_leaves_out_what_is_hidden_or_not_isolated() {
    let mut shown = Shown::new();
    shown.isolated = Some(BTreeSet::new());
    assert!(shown.scene().instances.is_empty());
    shown.isolated = Some([shown.rig()].into());
    assert!(!shown.scene().instances.is_empty());
    let rig = shown.rig();
    shown.document.object_mut(rig).unwrap().hidden = true;
    assert!(shown.scene().instances.is_empty());
    let shapes = Figures::default().part_shapes(&shown.document, &shown.frame, |_| true);
    assert!(shapes.is_empty());
}

#[test]
fn scene_marks_what_is_selected_and_hovered() {
    let mut shown = Shown::new();
    let plain = shown.scene();
    shown.selected.insert(shown.joint("hand.l"));
    shown.hovered = Some(shown.joint("thigh.r"));
    let marked = shown.scene();
    let changed: Vec<_> = plain.instances.iter().zip(&marked.instances).filter(|(a, b)| a.color != b.color).collect();
    assert_eq!(changed.len(), 2);
    let palette = Palette::DARK;
    assert_eq!(marked.overlay.dots.last().unwrap().color, palette.selected);
    assert!(marked.overlay.dots.iter().any(|dot| dot.color == palette.hovered));
    assert!(plain.overlay.dots.iter().all(|dot| dot.color == palette.bone));
}

#[test]
fn scene_draws_gizmos_on_top() {
    let mut shown = Shown::new();
    let before = shown.scene().overlay;
    for (kind, handle) in [(GizmoKind::Move, Handle::Arrow(0)), (GizmoKind::Rotate, Handle::Ring(0))] {
        let origin = Vec3::new(0.0, 1.0, 0.0);
        shown.gizmo = Some((Gizmo { kind, origin, axes: Mat3::identity() }, Some(handle)));
        let after = shown.scene().overlay;
        assert!(after.strokes.len() > before.strokes.len() + 3);
        let added = &after.strokes[before.strokes.len()..];
        assert!(added.iter().any(|stroke| stroke.color_from == Palette::DARK.selected), "{kind:?}");
        assert!(added.iter().any(|stroke| stroke.color_from == Palette::DARK.axis_y), "{kind:?}");
    }
}

#[test]
fn scene_parts_can_be_picked_where_they_are_drawn() {
    let shown = Shown::new();
    let shapes = Figures::default().part_shapes(&shown.document, &shown.frame, |_| true);
    let scene = shown.scene();
    assert_eq!(shapes.len(), scene.instances.len());
    for (shape, instance) in shapes.iter().zip(&scene.instances) {
        let middle = (shape.from + shape.to) / 2.0;
        let reach = (shape.to - shape.from).norm() / 2.0 + 3.0 * shape.radius + 0.06;
        assert!(shape.radius > 0.0);
        for p in &instance.mesh.positions {
            let p = instance.world_from_mesh.point(&Vec3::from(p.map(f64::from)));
            assert!((p - middle).norm() < reach, "{shape:?}");
        }
    }
}

#[test]
fn scene_keeps_a_mannequin_while_its_skeleton_stays() {
    let shown = Shown::new();
    let mut figures = Figures::default();
    let first = figures.get(&shown.document, shown.rig());
    assert!(Arc::ptr_eq(&first, &figures.get(&shown.document.clone(), shown.rig())));
    assert!(figures.get(&shown.document, ObjectId(999)).parts.is_empty());
}

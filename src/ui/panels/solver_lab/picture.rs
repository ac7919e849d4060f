//! One solver's chain: where it started, where it is at the step shown, and the target, which all pictures share.

use super::state::{Run, Shown, State, front};
use crate::{
    eval::solver_lab::planar::wrapped,
    interact::{camera::OrbitCamera, input::ScreenPos, projection::View},
    math::Vec3,
    ui::{
        panel::PanelContext,
        panels::race::{badge, rival_colour},
        theme::Colours,
        widgets::set_name,
    },
};
use egui::{Color32, CursorIcon, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, Vec2};

/// How near to a handle a press takes it, points.
const REACH_PT: f32 = 14.0;

/// What can be dragged in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handle {
    Target,
    Pole,
    /// The bone before this joint of the own arm's start.
    Bone(usize),
}

/// A picture in the window.
struct Picture {
    view: View,
    rect: Rect,
    painter: Painter,
}

impl Picture {
    fn at(&self, point: &Vec3) -> Option<Pos2> {
        let [x, y] = self.view.project(point)?;
        let at = self.rect.min + Vec2::new(x as f32, y as f32);
        // What is far outside, or no number, is not drawn.
        let near = at.x.is_finite() && at.y.is_finite() && self.rect.expand(4000.0).contains(at);
        near.then_some(at)
    }

    fn within(&self, pos: Pos2) -> ScreenPos {
        let at = pos - self.rect.min;
        [f64::from(at.x), f64::from(at.y)]
    }

    fn chain(&self, positions: &[Vec3], stroke: Stroke, joints: f32) {
        let places: Vec<Option<Pos2>> = positions.iter().map(|p| self.at(p)).collect();
        for pair in places.windows(2) {
            if let [Some(from), Some(to)] = pair {
                self.painter.line_segment([*from, *to], stroke);
            }
        }
        for place in places.iter().flatten() {
            self.painter.circle_filled(*place, joints, stroke.color);
        }
    }
}

/// Seen so that the whole reach is in the picture.
fn seen(camera: &OrbitCamera, shown: &Shown) -> OrbitCamera {
    let height = 2.0 * (0.5 * camera.fov_y).tan();
    OrbitCamera { pivot: shown.problem.root(), distance: 2.5 * shown.problem.length().max(1e-6) / height, ..*camera }
}

/// Shows a run's picture; dragging in it changes what all share.
pub(super) fn show(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    state: &mut State,
    shown: &Shown,
    run: &Run,
    (name, size, step): (&str, Vec2, usize),
) {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    set_name(ui, &response, name);
    let camera = seen(&state.camera, shown);
    let view = camera.view([f64::from(size.x), f64::from(size.y)], 4.0 * shown.problem.length());
    let picture = Picture { view, rect, painter: ui.painter_at(rect) };
    picture.painter.rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
    operate(ui, &picture, state, shown, &response);
    draw(&picture, ctx.colours, shown, run, step);
}

fn operate(ui: &Ui, picture: &Picture, state: &mut State, shown: &Shown, response: &Response) {
    let handles = handles(state, shown);
    let nearest = |pos: Pos2| {
        let far = handles.iter().filter_map(|(handle, place)| Some((*handle, picture.at(place)?.distance(pos))));
        far.filter(|(_, far)| *far <= REACH_PT).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(handle, _)| handle)
    };
    if response.hover_pos().and_then(nearest).is_some() {
        ui.ctx().set_cursor_icon(CursorIcon::Grab);
    }
    if response.drag_started() {
        state.held = ui.input(|input| input.pointer.press_origin()).and_then(nearest);
        if state.held.is_some_and(|handle| matches!(handle, Handle::Bone(_))) {
            state.player.go(0);
        }
    }
    if response.double_clicked() && shown.limb.is_some() {
        state.camera = OrbitCamera { yaw: 0.6, pitch: 0.2, ..front() };
    }
    if response.dragged() {
        match (state.held, response.interact_pointer_pos()) {
            (Some(handle), Some(pos)) => drag(picture, state, shown, handle, pos),
            // The plane arm is seen from the front, always.
            (None, _) if shown.limb.is_some() => {
                let by = response.drag_delta();
                state.camera = state.camera.orbited([f64::from(by.x), f64::from(by.y)]);
            }
            _ => {}
        }
    }
    if response.drag_stopped() {
        state.held = None;
    }
}

fn handles(state: &State, shown: &Shown) -> Vec<(Handle, Vec3)> {
    let mut all = vec![(Handle::Target, shown.problem.goal.target)];
    all.extend(state.pole.map(|pole| (Handle::Pole, pole)));
    if shown.limb.is_none() && state.start == crate::eval::solver_lab::limb::Start::Current {
        let joints = shown.problem.positions.iter().enumerate().skip(1);
        all.extend(joints.map(|(joint, place)| (Handle::Bone(joint), *place)));
    }
    all
}

fn drag(picture: &Picture, state: &mut State, shown: &Shown, handle: Handle, pos: Pos2) {
    let through = match handle {
        Handle::Target | Handle::Bone(_) => shown.problem.goal.target,
        Handle::Pole => state.pole.unwrap_or_default(),
    };
    let mut place = picture.view.point_at_depth_of(picture.within(pos), &through);
    if shown.limb.is_none() {
        place.z = 0.0;
    }
    match handle {
        Handle::Target => state.target = Some(place),
        Handle::Pole => state.pole = Some(place),
        Handle::Bone(joint) => {
            let from = shown.problem.positions[joint - 1];
            let before: f64 = state.arm.angles[..joint - 1].iter().sum();
            let heading = (place.y - from.y).atan2(place.x - from.x);
            let turn = wrapped(heading - before) - state.arm.angles[joint - 1];
            state.arm.angles[joint - 1] += turn;
            // What comes after keeps its direction in the plane, so that one bone is turned.
            if let Some(next) = state.arm.angles.get_mut(joint) {
                *next = wrapped(*next - turn);
            }
        }
    }
}

fn draw(picture: &Picture, colours: &Colours, shown: &Shown, run: &Run, step: usize) {
    let problem = &shown.problem;
    if let (Some(root), Some(scale)) = (picture.at(&problem.root()), picture.view.points_per_metre(&problem.root())) {
        let reach = (problem.length() * scale) as f32;
        picture.painter.circle_stroke(root, reach, Stroke::new(1.0, colours.line));
    }
    picture.chain(&problem.positions, Stroke::new(2.0, colours.weak.gamma_multiply(0.6)), 2.5);
    // The way of the end up to here.
    let ends = run.trace.steps.iter().take(step + 1).filter_map(|step| picture.at(step.positions.last()?));
    let ends: Vec<Pos2> = ends.collect();
    let colour = rival_colour(run.number);
    picture.painter.extend(Shape::dashed_line(&ends, Stroke::new(1.0, colour), 3.0, 2.0));
    let now = run.trace.at(step);
    picture.chain(&now.positions, Stroke::new(3.0, colour), 4.0);
    if let Some(pole) = problem.goal.pole.and_then(|pole| picture.at(&pole)) {
        cross(picture, pole, colours.axes[1]);
    }
    if let Some(target) = picture.at(&problem.goal.target) {
        picture.painter.circle_stroke(target, 6.0, Stroke::new(2.0, colours.accent_text));
        picture.painter.circle_filled(target, 1.5, colours.accent_text);
    }
    badge(&picture.painter, picture.rect.min + Vec2::splat(12.0), run.number);
}

fn cross(picture: &Picture, at: Pos2, colour: Color32) {
    for by in [Vec2::new(5.0, 5.0), Vec2::new(5.0, -5.0)] {
        picture.painter.line_segment([at - by, at + by], Stroke::new(2.0, colour));
    }
}

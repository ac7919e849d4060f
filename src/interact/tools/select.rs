//! Selecting: hover, click, click-through, box. The tool itself, and the part of it that every other tool has.

use crate::{
    edit::Selection,
    interact::{
        input::{Button, Event, Key, Modifiers, PointerEvent, PointerKind, ScreenPos, is_drag},
        overlay::{Ink, Mark, Overlay},
        picking::{ClickCycle, Hit, targets_of},
        tool::{Cursor, Hovered, Look, Tool, ToolContext, ToolOutput},
    },
    model::Target,
};
use std::collections::BTreeSet;

/// What a selection does with what was selected before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Replace,
    Add,
    Subtract,
}

impl Mode {
    const fn of(modifiers: Modifiers) -> Self {
        match modifiers {
            Modifiers { ctrl: true, .. } => Self::Subtract,
            Modifiers { shift: true, .. } => Self::Add,
            _ => Self::Replace,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    #[default]
    Idle,
    Pressed {
        at: ScreenPos,
    },
    Boxing {
        from: ScreenPos,
        to: ScreenPos,
        modifiers: Modifiers,
    },
}

/// Selecting by click and by box.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picker {
    state: State,
    cycle: ClickCycle,
}

impl Picker {
    /// Whether a button is down.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.state != State::Idle
    }

    /// Handles a pointer event.
    pub fn handle(&mut self, event: &PointerEvent, ctx: &ToolContext<'_>) -> ToolOutput {
        match (event.kind, self.state) {
            (PointerKind::Press(Button::Primary), _) => {
                self.state = State::Pressed { at: event.pos };
                ToolOutput::taken()
            }
            (PointerKind::Move, State::Pressed { at: from } | State::Boxing { from, .. }) => {
                if matches!(self.state, State::Boxing { .. }) || is_drag(from, event.pos) {
                    self.state = State::Boxing { from, to: event.pos, modifiers: event.modifiers };
                }
                ToolOutput::taken()
            }
            (PointerKind::Release(Button::Primary), State::Pressed { at }) => {
                self.state = State::Idle;
                self.click(at, event.modifiers, ctx)
            }
            (PointerKind::Release(Button::Primary), State::Boxing { from, .. }) => {
                self.state = State::Idle;
                self.cycle.reset();
                let inside = ctx.scene.in_rectangle(ctx.view, [from, event.pos], &ctx.selection.targets);
                changed(ctx.selection, &inside, Mode::of(event.modifiers))
            }
            (PointerKind::Press(Button::Secondary), State::Pressed { .. } | State::Boxing { .. }) => self.cancel(),
            _ => ToolOutput::IGNORED,
        }
    }

    /// A click at a place: selects what lies there, with Shift turns it over, with Ctrl takes it out; on empty ground clears.
    pub fn click(&mut self, at: ScreenPos, modifiers: Modifiers, ctx: &ToolContext<'_>) -> ToolOutput {
        let first = ctx.scene.hits(ctx.view, at, &ctx.selection.targets).first().map(Hit::target);
        match Mode::of(modifiers) {
            Mode::Replace => {
                // In the order of no selection: the one clicked last must not come first again and again.
                let targets = targets_of(&ctx.scene.hits(ctx.view, at, &BTreeSet::new()));
                let target = self.cycle.click(at, &targets, first);
                changed(ctx.selection, target.as_slice(), Mode::Replace)
            }
            mode => {
                self.cycle.reset();
                let Some(target) = first else { return ToolOutput::taken() };
                let mode = if ctx.selection.contains(target) && is_active(ctx, target) { Mode::Subtract } else { mode };
                changed(ctx.selection, &[target], mode)
            }
        }
    }

    /// Drops a press or a box; nothing is selected.
    pub fn cancel(&mut self) -> ToolOutput {
        if std::mem::take(&mut self.state) == State::Idle { ToolOutput::IGNORED } else { ToolOutput::taken() }
    }

    /// What the pointer is over, if no button is down.
    #[must_use]
    pub fn hovered(&self, ctx: &ToolContext<'_>) -> Option<Target> {
        let at = ctx.pointer.filter(|_| !self.is_busy())?;
        Some(ctx.scene.hits(ctx.view, at, &ctx.selection.targets).first()?.target())
    }

    /// The box, and a dot on everything it would take.
    #[must_use]
    pub fn overlay(&self, ctx: &ToolContext<'_>) -> Overlay {
        let mut overlay = Overlay::default();
        let State::Boxing { from, to, .. } = self.state else { return overlay };
        let inside = ctx.scene.in_rectangle(ctx.view, [from, to], &ctx.selection.targets);
        let joints = ctx.scene.joints.iter().filter(|joint| !joint.is_tip());
        let joints = joints.map(|joint| (Target::Joint(joint.object, joint.joint), joint.at));
        let spots = ctx.scene.spots.iter().map(|spot| (spot.target, spot.at));
        for (target, at) in joints.chain(spots) {
            if let (true, Some(at)) = (inside.contains(&target), ctx.view.project(&at)) {
                overlay.marks.push(Mark::Dot { at, radius: 3.0, ink: Ink::Hovered });
            }
        }
        overlay.marks.push(Mark::Marquee { from, to });
        overlay
    }

    /// Whether a box is being drawn.
    #[must_use]
    pub const fn is_boxing(&self) -> bool {
        matches!(self.state, State::Boxing { .. })
    }

    /// The text key of the hint, if the picker has one: while a box is drawn.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        match self.state {
            State::Boxing { modifiers, .. } => Some(match Mode::of(modifiers) {
                Mode::Replace => "hint.box",
                Mode::Add => "hint.box_add",
                Mode::Subtract => "hint.box_subtract",
            }),
            _ => None,
        }
    }
}

fn is_active(ctx: &ToolContext<'_>, target: Target) -> bool {
    ctx.selection.active == Some(target)
}

/// A selection with some targets put in place of, added to or taken out of the selected ones; ignored where that changes
/// nothing.
fn changed(before: &Selection, targets: &[Target], mode: Mode) -> ToolOutput {
    let mut after = before.clone();
    if mode == Mode::Replace {
        after.clear_targets();
        if targets.is_empty() {
            // Off all points, what they belong to stays in hand: only the next time it is laid down.
            let points = before.targets.iter().filter(|target| matches!(target, Target::Point(..)));
            points.for_each(|point| after.insert(Target::Object(point.object())));
        }
    }
    for &target in targets {
        if mode == Mode::Subtract { after.remove(target) } else { after.insert(target) }
    }
    if after.targets != before.targets {
        // The graph shows other channels now: keys that are not seen must not stay selected.
        after.keys.clear();
    }
    if after == *before { ToolOutput::taken() } else { ToolOutput::select(after) }
}

/// The tool that only selects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelectTool {
    picker: Picker,
}

impl Tool for SelectTool {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        match event {
            Event::Pointer(pointer) => self.picker.handle(pointer, ctx),
            Event::Key(key) if key.key == Key::Escape => self.picker.cancel(),
            Event::Key(_) | Event::Modifiers(_) => ToolOutput::IGNORED,
        }
    }

    fn cancel(&mut self) -> ToolOutput {
        self.picker.cancel()
    }

    fn is_busy(&self) -> bool {
        self.picker.is_busy()
    }

    fn gesture(&self) -> Option<&'static str> {
        None
    }

    fn look(&self, ctx: &ToolContext<'_>) -> Look {
        let hovered = self.picker.hovered(ctx);
        let cursor = match hovered {
            _ if self.picker.is_boxing() => Cursor::Cross,
            Some(_) => Cursor::Pointing,
            None => Cursor::Default,
        };
        Look {
            overlay: self.picker.overlay(ctx),
            gizmo: None,
            hovered: hovered.map(Hovered::Target),
            cursor,
            hint: self.picker.hint().unwrap_or(if hovered.is_some() { "hint.select_over" } else { "hint.select" }),
            ..Look::default()
        }
    }
}

/// Selects by one box wherever it begins, on a body too: after a key, until the box is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoxSelect {
    picker: Picker,
    is_done: bool,
}

impl Tool for BoxSelect {
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        match event {
            Event::Pointer(pointer) if pointer.kind == PointerKind::Press(Button::Secondary) => self.cancel(),
            Event::Pointer(pointer) => {
                self.is_done = pointer.kind == PointerKind::Release(Button::Primary) && self.picker.is_busy();
                self.picker.handle(pointer, ctx)
            }
            Event::Key(key) if key.key == Key::Escape => self.cancel(),
            Event::Key(_) | Event::Modifiers(_) => ToolOutput::IGNORED,
        }
    }

    fn cancel(&mut self) -> ToolOutput {
        self.is_done = true;
        self.picker.cancel();
        ToolOutput::taken()
    }

    fn is_busy(&self) -> bool {
        !self.is_done
    }

    fn gesture(&self) -> Option<&'static str> {
        None
    }

    fn look(&self, ctx: &ToolContext<'_>) -> Look {
        let hint = self.picker.hint().unwrap_or("hint.box");
        Look { overlay: self.picker.overlay(ctx), cursor: Cursor::Cross, hint, ..Look::default() }
    }
}

//! Strokes of a brush: what all tools that paint do from the press to the release. A stroke is one step of undo; Esc and the
//! other button give it up; while it runs no other key acts.

use crate::{
    edit::{Edit, Gesture, Selection},
    interact::{
        input::{Button, Event, Key, PointerKind, ScreenPos},
        tool::{ToolContext, ToolOutput},
    },
};

/// What a kind of stroke does with the places that the pointer passes.
pub(super) trait Stroke: Sized {
    /// The text key of a stroke in the history.
    const LABEL: &'static str;
    /// Whether a press that begins none is for nothing else.
    const TAKES_PRESS: bool;

    /// A stroke from a press on, and what is selected with it; none where there is nothing to paint. With `takes` it takes
    /// away.
    fn begin(ctx: &ToolContext<'_>, at: ScreenPos, takes: bool) -> Option<(Self, Option<Selection>)>;

    /// Paints where it began; the whole change so far.
    fn first(&mut self, ctx: &ToolContext<'_>, at: ScreenPos) -> Option<Edit>;

    /// Goes on to a place; the whole change so far, none where it is as before.
    fn go_on(&mut self, ctx: &ToolContext<'_>, to: ScreenPos) -> Option<Edit>;
}

/// The stroke of a tool, while one runs.
#[derive(Clone, Debug)]
pub(super) struct Painting<S> {
    stroke: Option<Box<S>>,
}

impl<S> Default for Painting<S> {
    fn default() -> Self {
        Self { stroke: None }
    }
}

impl<S: Stroke> Painting<S> {
    pub(super) fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput {
        match (&mut self.stroke, event) {
            (None, Event::Pointer(pointer)) if pointer.kind == PointerKind::Press(Button::Primary) => {
                let Some((mut stroke, selection)) = S::begin(ctx, pointer.pos, pointer.modifiers.ctrl) else {
                    return if S::TAKES_PRESS { ToolOutput::taken() } else { ToolOutput::IGNORED };
                };
                let first = stroke.first(ctx, pointer.pos).map(Gesture::Update);
                let gestures = std::iter::once(Gesture::Begin { label: S::LABEL }).chain(first).collect();
                self.stroke = Some(Box::new(stroke));
                ToolOutput { gestures, selection, ..ToolOutput::taken() }
            }
            (Some(stroke), Event::Pointer(pointer)) => match pointer.kind {
                PointerKind::Move => update(stroke.go_on(ctx, pointer.pos)),
                PointerKind::Release(Button::Primary) => {
                    let mut output = update(stroke.go_on(ctx, pointer.pos));
                    self.stroke = None;
                    output.append(ToolOutput::gesture(Gesture::Commit));
                    output
                }
                PointerKind::Press(Button::Secondary) => self.cancel(),
                _ => ToolOutput::taken(),
            },
            (Some(_), Event::Key(key)) if key.key == Key::Escape => self.cancel(),
            (Some(_), Event::Key(_)) => ToolOutput::taken(),
            _ => ToolOutput::IGNORED,
        }
    }

    pub(super) fn cancel(&mut self) -> ToolOutput {
        match self.stroke.take() {
            Some(_) => ToolOutput::gesture(Gesture::Cancel),
            None => ToolOutput::IGNORED,
        }
    }

    pub(super) const fn is_busy(&self) -> bool {
        self.stroke.is_some()
    }

    pub(super) fn gesture(&self) -> Option<&'static str> {
        self.stroke.as_ref().map(|_| S::LABEL)
    }
}

fn update(edit: Option<Edit>) -> ToolOutput {
    edit.map_or_else(ToolOutput::taken, |edit| ToolOutput::gesture(Gesture::Update(edit)))
}

//! What a tool is: an explicit state machine that turns events into gestures, selections and things to draw.

use super::{
    brush_prefs::BrushPrefs,
    gizmo::{Gizmo, Handle},
    input::{Event, ScreenPos},
    overlay::Overlay,
    picking::PickScene,
    point_prefs::PointPrefs,
    projection::View,
    rest_mode::RestMode,
    tools::steering::Steer,
    view_state::{DragPrefs, TransformSpace},
};
use crate::{
    edit::{AutoKey, Edit, EditError, Gesture, Selection},
    eval::{EvaluatedFrame, trail::Trail},
    model::{Document, Target},
};
use std::sync::Arc;

/// What a tool may look at. While a gesture runs, document, frame and pick scene are those of the press, so that every
/// move is worked out from there; [`Tool::look`] is given those that are shown.
#[derive(Clone, Copy, Debug)]
pub struct ToolContext<'a> {
    /// The document.
    pub document: &'a Document,
    /// The document at the time shown.
    pub frame: &'a EvaluatedFrame,
    /// What is selected.
    pub selection: &'a Selection,
    /// The camera on the panel.
    pub view: &'a View,
    /// Where the pointer is; none while it is elsewhere.
    pub pointer: Option<ScreenPos>,
    /// What can be picked.
    pub scene: &'a PickScene,
    /// What posing writes.
    pub auto_key: AutoKey,
    /// The axes of gizmos.
    pub space: TransformSpace,
    /// How dragging a body works.
    pub drag: &'a DragPrefs,
    /// How points of lattices are moved together.
    pub points: &'a PointPrefs,
    /// The weight brush.
    pub brush: &'a BrushPrefs,
    /// How the rest pose is edited, where what is shown is that; then the document has nothing that moves joints.
    pub rest: Option<&'a RestMode>,
    /// How near a path that is drawn freehand stays to the stroke, points on the screen, above 0.
    pub draw_within: f64,
    /// The trails that are drawn.
    pub trails: &'a [Arc<Trail>],
}

/// What came of an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolOutput {
    /// Whether the event is used up: a key that is not goes to the shortcuts.
    pub taken: bool,
    /// What is asked of the session, in order.
    pub gestures: Vec<Gesture>,
    /// What is selected from now on.
    pub selection: Option<Selection>,
    /// Why what was asked for cannot be done; said once.
    pub refused: Option<EditError>,
    /// The time that is shown from now on, seconds.
    pub time: Option<f64>,
}

impl ToolOutput {
    /// Nothing came of it, and the event is left to others.
    pub const IGNORED: Self = Self { taken: false, gestures: Vec::new(), selection: None, refused: None, time: None };

    /// Nothing came of it, but the event is used up.
    #[must_use]
    pub const fn taken() -> Self {
        Self { taken: true, gestures: Vec::new(), selection: None, refused: None, time: None }
    }

    /// A gesture step.
    #[must_use]
    pub fn gesture(gesture: Gesture) -> Self {
        Self { gestures: vec![gesture], ..Self::taken() }
    }

    /// What a running movement asks for after it was steered, and whether it has ended. `edit` works out its total change; it is told
    /// whether the movement goes on.
    #[must_use]
    pub fn of_steer(steer: Steer, edit: impl FnOnce(bool) -> Result<Edit, EditError>) -> (Self, bool) {
        match steer {
            Steer::Ignored => (Self::taken(), false),
            Steer::Cancelled => (Self::gesture(Gesture::Cancel), true),
            Steer::Changed | Steer::Confirmed => match edit(steer == Steer::Changed) {
                Ok(edit) => {
                    let ended = steer == Steer::Confirmed;
                    let commit = ended.then_some(Gesture::Commit);
                    let gestures = [Gesture::Update(edit)].into_iter().chain(commit).collect();
                    (Self { gestures, ..Self::taken() }, ended)
                }
                // What cannot be done is not half done.
                Err(error) => (Self { refused: Some(error), ..Self::gesture(Gesture::Cancel) }, true),
            },
        }
    }

    /// Adds what came of another event after this one.
    pub fn append(&mut self, next: Self) {
        self.taken |= next.taken;
        self.gestures.extend(next.gestures);
        self.selection = next.selection.or(self.selection.take());
        self.refused = next.refused.or(self.refused.take());
        self.time = next.time.or(self.time);
    }

    /// A selection.
    #[must_use]
    pub fn select(selection: Selection) -> Self {
        Self { selection: Some(selection), ..Self::taken() }
    }
}

/// The shape of the pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cursor {
    /// An arrow.
    #[default]
    Default,
    /// A hand that points: a click does something.
    Pointing,
    /// An open hand: a drag does something.
    Grab,
    /// A closed hand: a drag is running.
    Grabbing,
    /// A cross: a rectangle is being drawn.
    Cross,
}

/// What the pointer is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hovered {
    /// A joint, by itself, a bone or a part.
    Target(Target),
    /// A part of a gizmo.
    Handle(Handle),
}

/// How a tool looks at present.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Look {
    /// Drawn over the panel.
    pub overlay: Overlay,
    /// Drawn in the scene.
    pub gizmo: Option<Gizmo>,
    /// Highlighted.
    pub hovered: Option<Hovered>,
    /// Shape of the pointer.
    pub cursor: Cursor,
    /// Text key of the line that says what the pointer and the keys do now.
    pub hint: &'static str,
    /// Numbers that stand before it: how far, as typed or as moved; empty where nothing runs.
    pub readout: String,
}

/// A tool in hand.
pub trait Tool {
    /// Handles an event.
    fn handle(&mut self, event: &Event, ctx: &ToolContext<'_>) -> ToolOutput;

    /// Drops whatever is running; afterwards document and selection are as before it began.
    fn cancel(&mut self) -> ToolOutput;

    /// Whether something is running: a press, a drag, a movement that waits to be confirmed.
    fn is_busy(&self) -> bool;

    /// The label of the session's gesture that is running: context and scene must then be those of its beginning.
    fn gesture(&self) -> Option<&'static str>;

    /// Whether what is running follows the pointer without a button held, until a click or a key ends it.
    fn is_modal(&self) -> bool {
        false
    }

    /// How it looks, for what is shown.
    fn look(&self, ctx: &ToolContext<'_>) -> Look;
}

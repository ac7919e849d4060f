//! From egui's input to shortcuts and commands.

use crate::command::{CommandId, Key, Keymap, PanelId, Shortcut};
use egui::{Context, Event, FocusDirection, Modifiers};

/// The keys that a shortcut may use, from egui's.
#[must_use]
pub fn key(key: egui::Key) -> Option<Key> {
    let name = match key {
        egui::Key::ArrowLeft => "Left",
        egui::Key::ArrowRight => "Right",
        egui::Key::ArrowUp => "Up",
        egui::Key::ArrowDown => "Down",
        egui::Key::Comma => ",",
        egui::Key::Period => ".",
        egui::Key::Slash => "/",
        egui::Key::Backslash => "\\",
        egui::Key::Semicolon => ";",
        egui::Key::Quote => "'",
        egui::Key::OpenBracket => "[",
        egui::Key::CloseBracket => "]",
        egui::Key::Minus => "-",
        egui::Key::Equals => "=",
        egui::Key::Backtick => "`",
        other => other.name(),
    };
    Key::ALL.iter().copied().find(|key| key.name() == name)
}

/// The shortcut that a key with modifiers is.
#[must_use]
pub fn shortcut(pressed: egui::Key, modifiers: Modifiers) -> Option<Shortcut> {
    Some(Shortcut { ctrl: modifiers.command, alt: modifiers.alt, shift: modifiers.shift, key: key(pressed)? })
}

/// What decides which shortcuts count in a frame.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// The panel the pointer is over.
    pub hovered: Option<PanelId>,
    /// Whether a text field has the focus, or had it before this frame began.
    pub text_focused: bool,
    /// Whether a tool waits for plain keys.
    pub captured: bool,
    /// Whether a question stands in front: then nothing counts.
    pub blocked: bool,
}

/// Takes the shortcuts out of this frame's input and gives what they run, in order.
pub fn take_shortcuts(ctx: &Context, keymap: &Keymap, situation: Situation) -> Vec<CommandId> {
    if situation.blocked {
        return Vec::new();
    }
    let mut commands = Vec::new();
    // In an open menu these move from entry to entry.
    let menu = egui::Popup::is_any_open(ctx);
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            // The system's own copy and paste come as such and not as keys.
            let (key, repeat, modifiers) = match event {
                Event::Key { key, pressed: true, repeat, modifiers, .. } => (*key, *repeat, *modifiers),
                Event::Copy if !is_own(situation) => (egui::Key::C, false, Modifiers::COMMAND),
                Event::Paste(_) if !is_own(situation) => (egui::Key::V, false, Modifiers::COMMAND),
                _ => return true,
            };
            if menu && moves_in_menu(key) && !modifiers.any() {
                return true;
            }
            let Some(shortcut) = shortcut(key, modifiers) else { return true };
            let Some(id) = keymap.lookup(shortcut, situation.hovered) else { return true };
            if situation.text_focused && shortcut.types_text() || situation.captured && !works_while_captured(id) {
                return true;
            }
            if !repeat || repeats(id) {
                commands.push(id);
            }
            false
        });
    });
    if situation.captured || !commands.is_empty() {
        // egui has already read the arrows and Tab as a wish to move the focus.
        ctx.memory_mut(|memory| memory.move_focus(FocusDirection::None));
    }
    if situation.captured && !situation.text_focused {
        // Nor does Enter press what has it: it is the tool's.
        ctx.memory_mut(|memory| memory.focused().into_iter().for_each(|id| memory.surrender_focus(id)));
    }
    commands
}

/// Whether one of these shortcuts was pressed in this frame; it is taken out of the input.
pub fn pressed(ctx: &Context, shortcuts: &[Shortcut]) -> bool {
    ctx.input_mut(|input| {
        let before = input.events.len();
        input.events.retain(|event| match event {
            Event::Key { key, pressed: true, repeat: false, modifiers, .. } => {
                !shortcut(*key, *modifiers).is_some_and(|pressed| shortcuts.contains(&pressed))
            }
            _ => true,
        });
        input.events.len() < before
    })
}

const fn moves_in_menu(key: egui::Key) -> bool {
    use egui::Key;
    matches!(key, Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown | Key::Tab | Key::Space)
}

/// Whether copying and pasting are for what has the focus, or for a panel that takes them by itself.
fn is_own(situation: Situation) -> bool {
    situation.text_focused || situation.hovered == Some(PanelId::Graph)
}

/// Undo in mid-drag cancels the drag.
const fn works_while_captured(id: CommandId) -> bool {
    matches!(id, CommandId::Undo | CommandId::Redo)
}

/// Whether a held key runs the command again and again.
const fn repeats(id: CommandId) -> bool {
    matches!(
        id,
        CommandId::StepBack
            | CommandId::StepForward
            | CommandId::PreviousKey
            | CommandId::NextKey
            | CommandId::Undo
            | CommandId::Redo
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_a_shortcut_can_be_pressed() {
        for wanted in Key::ALL {
            let found = egui::Key::ALL.iter().any(|pressed| key(*pressed) == Some(*wanted));
            assert!(found, "no key gives {}", wanted.name());
        }
    }
}

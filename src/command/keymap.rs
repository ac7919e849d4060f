//! Which shortcut runs which command: a profile's table with the user's changes on top.

use super::{COMMANDS, CommandId, CommandSpec, PanelId, Shortcut};
use crate::interact::view_state::Profile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The user's changes to the shortcuts, by profile and command name. A command without an entry keeps its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Overrides(pub BTreeMap<Profile, BTreeMap<String, Vec<Shortcut>>>);

/// The shortcuts in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap {
    bindings: BTreeMap<CommandId, Vec<Shortcut>>,
    /// Most specific first: more modifiers, then panels before the program as a whole.
    sorted: Vec<(Shortcut, CommandId)>,
}

impl Keymap {
    /// The shortcuts of a profile with the user's changes.
    #[must_use]
    pub fn new(profile: Profile, overrides: &Overrides) -> Self {
        let own = overrides.0.get(&profile);
        let bindings: BTreeMap<_, _> = COMMANDS
            .iter()
            .map(|spec| {
                let changed = own.and_then(|own| own.get(spec.id.name())).cloned();
                (spec.id, changed.unwrap_or_else(|| spec.defaults(profile).collect()))
            })
            .collect();
        let mut sorted: Vec<_> =
            bindings.iter().flat_map(|(id, list)| list.iter().map(|shortcut| (*shortcut, *id))).collect();
        let modifiers = |s: &Shortcut| u8::from(s.ctrl) + u8::from(s.alt) + u8::from(s.shift);
        sorted.sort_by_key(|(shortcut, id)| (std::cmp::Reverse(modifiers(shortcut)), id.spec().panels.is_empty(), *id));
        Self { bindings, sorted }
    }

    /// A command's shortcuts, the one shown in menus first.
    #[must_use]
    pub fn of(&self, id: CommandId) -> &[Shortcut] {
        self.bindings.get(&id).map_or(&[], Vec::as_slice)
    }

    /// A command's first shortcut as text; empty where it has none.
    #[must_use]
    pub fn text(&self, id: CommandId) -> String {
        self.of(id).first().map(ToString::to_string).unwrap_or_default()
    }

    /// All shortcuts, most specific first.
    #[must_use]
    pub fn sorted(&self) -> &[(Shortcut, CommandId)] {
        &self.sorted
    }

    /// What a shortcut runs with the pointer over a panel (or none).
    #[must_use]
    pub fn lookup(&self, shortcut: Shortcut, hovered: Option<PanelId>) -> Option<CommandId> {
        let found = |id: CommandId| {
            let panels = id.spec().panels;
            panels.is_empty() || hovered.is_none_or(|panel| panels.contains(&panel))
        };
        self.sorted.iter().filter(|(own, _)| *own == shortcut).map(|(_, id)| *id).find(|id| found(*id))
    }

    /// The commands that would be in each other's way if a command had a shortcut: those with the same one, where the
    /// program as a whole or a common panel carries both out.
    pub fn conflicts(&self, id: CommandId, shortcut: Shortcut) -> impl Iterator<Item = CommandId> + '_ {
        self.sorted
            .iter()
            .filter(move |(own, other)| *own == shortcut && *other != id && overlap(id.spec(), other.spec()))
            .map(|(_, other)| *other)
    }
}

fn overlap(a: &CommandSpec, b: &CommandSpec) -> bool {
    a.panels.is_empty() || b.panels.is_empty() || a.panels.iter().any(|panel| b.panels.contains(panel))
}

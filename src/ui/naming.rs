//! How what stands in a list is named: in every list alike. A name that is taken gets a number, which is told; an empty one is
//! none; F2 over a row asks for it.

use super::{panel::PanelContext, widgets::text_field};
use crate::{command::Command, model::names, notice::Notice, text::fill};
use egui::{Key, Modifiers, Response, Ui};

/// The name that one of a list gets where another is wanted for it: none where nothing changes.
pub fn given(ctx: &PanelContext<'_>, own: &str, wanted: &str, is_taken: impl Fn(&str) -> bool) -> Option<String> {
    let (name, told) = free_for(own, wanted, is_taken)?;
    if told {
        let text = fill("naming.taken", &[("wanted", &wanted.trim()), ("name", &name)]);
        ctx.commands.send(Command::Tell(Notice::info(text)));
    }
    (name != own).then_some(name)
}

/// The free name next to the one wanted, and whether that is another; none for no name or the one it has.
fn free_for(own: &str, wanted: &str, is_taken: impl Fn(&str) -> bool) -> Option<(String, bool)> {
    let wanted = wanted.trim();
    if wanted.is_empty() || wanted == own {
        return None;
    }
    let name = names::free(wanted, |name| name != own && is_taken(name));
    let told = name != wanted;
    Some((name, told))
}

/// A field for the name of one of a list, and the name once another is given.
pub fn name_field(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    (label, own, width): (&str, &str, f32),
    is_taken: impl Fn(&str) -> bool,
) -> (Response, Option<String>) {
    let (response, typed) = text_field(ui, label, own, width);
    (response, typed.and_then(|wanted| given(ctx, own, &wanted, is_taken)))
}

/// Whether F2 asks for the name of the row that the pointer is over, or that has the focus.
#[must_use]
pub fn asked(row: &Response) -> bool {
    (row.contains_pointer() || row.has_focus())
        && row.ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::F2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_name_gets_a_number_and_an_empty_one_is_none() {
        let taken = |name: &str| ["Walk", "Run", "Walk 2"].contains(&name);
        assert_eq!(free_for("Run", " Walk ", taken), Some(("Walk 3".to_owned(), true)));
        assert_eq!(free_for("Walk 2", "Walk", taken), Some(("Walk 2".to_owned(), true)), "its own number is its own");
        assert_eq!(free_for("Run", "Idle", taken), Some(("Idle".to_owned(), false)));
        assert_eq!(free_for("Run", "Run ", taken), None);
        assert_eq!(free_for("Run", "  ", taken), None);
    }
}

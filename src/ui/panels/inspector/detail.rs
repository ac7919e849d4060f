//! Hands and feet: curl and spread of the fingers, the roll of a foot.

use super::{folding, labelled, send};
use crate::{
    edit::{Edit, EditError, pose::pose_edit_into},
    eval::limbs::{
        foot::{Foot, FootBody, FootPivot},
        hand::{Finger, Hand},
    },
    interact::tools::roll_foot::pivot_name,
    math::Transform,
    model::{ObjectId, Rig, Target},
    text::{fill, t},
    ui::{panel::PanelContext, widgets::DragField},
};
use egui::Ui;

/// What the rows work on.
struct Subject<'a> {
    object: ObjectId,
    rig: &'a Rig,
    rest: Vec<Transform>,
    /// The pose that changes start from, and the one shown.
    local: &'a [Transform],
    shown: &'a [Transform],
}

impl Subject<'_> {
    /// The edit that gives joints new local transforms.
    fn edit(&self, ctx: &PanelContext<'_>, changed: &[(usize, Transform)]) -> Result<Edit, EditError> {
        let joints = self.rig.skeleton.joints();
        let changes: Vec<_> = changed
            .iter()
            .filter_map(|(index, local)| Some((joints.get(*index).filter(|joint| !joint.is_end())?.id, *local)))
            .collect();
        let correction = ctx.selection.correction.filter(|(clip, _)| ctx.document.clip_of(self.object) == Some(*clip));
        let correction = correction.map(|(_, correction)| correction);
        // As the document was before the gesture: a change is the total one.
        let base = ctx.session.base();
        pose_edit_into(base, self.object, ctx.frame.secs, &changes, ctx.view.auto_key, correction)
    }
}

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, target: Target) {
    let Target::Joint(object, joint) = target else { return };
    let Some(rig) = ctx.document.object(object).and_then(|object| object.as_rig()) else { return };
    let (Some(index), Some(limbs)) = (rig.skeleton.index_of(joint), ctx.evaluator.limbs(ctx.document, object)) else {
        return;
    };
    // Changes are worked out from the pose at the beginning of the gesture.
    let base = ctx.session.in_gesture().then(|| ctx.evaluator.frame(ctx.session.base(), ctx.frame.secs));
    let base = base.as_deref().unwrap_or(ctx.frame);
    let (Some(frame), Some(shown)) = (base.rig(object), ctx.frame.rig(object)) else { return };
    let rest = limbs.stance(&rig.skeleton);
    let subject = Subject { object, rig, rest, local: &frame.local, shown: &shown.local };
    if let Some(hand) = Hand::of(rig, &limbs, index) {
        folding(ui, "inspector.hand", |ui| fingers(ui, ctx, &subject, &hand));
    }
    if let Some(foot) = Foot::of(rig, &limbs, index) {
        let root = base.objects.get(&object).map(|placed| placed.world).unwrap_or_default();
        folding(ui, "inspector.foot", |ui| {
            for pivot in FootPivot::ALL {
                let body = FootBody { rig, limbs: &limbs, locals: &frame.local, root };
                roll(ui, ctx, &subject, &foot, &body, pivot);
            }
        });
    }
}

fn fingers(ui: &mut Ui, ctx: &PanelContext<'_>, subject: &Subject<'_>, hand: &Hand) {
    let (rest, local) = (&subject.rest[..], subject.local);
    let count = hand.fingers.len();
    let curl = |finger: usize, locals: &[Transform]| hand.curl(finger, rest, locals);
    #[expect(clippy::cast_precision_loss, reason = "fingers")]
    let all = |locals: &[Transform]| (0..count).map(|finger| curl(finger, locals)).sum::<f64>() / count as f64;
    let curl_all = t("inspector.curl");
    percent(ui, ctx, [&curl_all, &curl_all], [all(local), all(subject.shown)], |by| {
        subject.edit(ctx, &hand.curled(None, by, rest, local))
    });
    let first = |finger: &Finger| finger.joints.first().and_then(|at| subject.rig.skeleton.joints().get(at.joint));
    let names: Vec<&str> = hand.fingers.iter().map(|f| first(f).map_or("", |joint| joint.name.as_str())).collect();
    let shared = shared_start(&names);
    for (index, name) in names.iter().enumerate() {
        let title = fill("inspector.curl_finger", &[("name", name)]);
        // What all of them begin with would be all there is room for.
        let name = name.get(shared..).unwrap_or(name);
        percent(ui, ctx, [name, &title], [curl(index, local), curl(index, subject.shown)], |by| {
            subject.edit(ctx, &hand.curled(Some(index), by, rest, local))
        });
    }
    if hand.fingers.len() > 2 {
        let spread = |locals: &[Transform]| hand.spread(rest, locals);
        let title = t("inspector.spread");
        percent(ui, ctx, [&title, &title], [spread(local), spread(subject.shown)], |by| {
            subject.edit(ctx, &hand.spread_by(by, rest, local))
        });
    }
}

/// How many bytes all names begin with alike, as far as the last of them that ends a word: letters of different case, or a
/// mark that is no letter. 0 where one of them has nothing else.
fn shared_start(names: &[&str]) -> usize {
    let Some((first, others)) = names.split_first().filter(|(_, others)| !others.is_empty()) else { return 0 };
    let mut ends = 0;
    let mut before = ' ';
    for (at, letter) in first.char_indices() {
        let begins_word = letter.is_uppercase() && !before.is_uppercase() || !before.is_alphanumeric();
        if at > 0 && begins_word && letter.is_alphanumeric() {
            ends = at;
        }
        let till = at + letter.len_utf8();
        if till == first.len() || others.iter().any(|name| name.get(..till) != first.get(..till)) {
            break;
        }
        before = letter;
    }
    if names.iter().all(|name| name.len() > ends) { ends } else { 0 }
}

/// A share as per cent under a label (the whole title besides), before the gesture that runs and as shown; `edit` makes the change that adds to the former.
fn percent(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    [label, title]: [&str; 2],
    [before, shown]: [f64; 2],
    edit: impl Fn(f64) -> Result<Edit, EditError>,
) {
    labelled(ui, label, |ui| {
        let field =
            DragField::new(title, shown * 100.0).decimals(0).unit("%").width(84.0).range(-100.0, 150.0).speed(0.5);
        let (_, edits) = field.show(ui);
        send(ctx, "history.fingers", edits, |value| edit(value / 100.0 - before));
    });
}

/// How far the foot has rolled about a pivot since it was taken hold of.
fn roll(
    ui: &mut Ui,
    ctx: &PanelContext<'_>,
    subject: &Subject<'_>,
    foot: &Foot,
    body: &FootBody<'_>,
    pivot: FootPivot,
) {
    let title = t(pivot_name(pivot));
    labelled(ui, &title, |ui| {
        let field = DragField::new(&title, 0.0).decimals(1).unit("°").width(84.0).range(-90.0, 90.0).speed(0.3);
        let (response, edits) = field.as_change().show(ui);
        response.on_hover_text(t("inspector.roll_hint").into_owned());
        send(ctx, "history.roll_foot", edits, |value| {
            subject.edit(ctx, &foot.roll(body, pivot, value.to_radians()).changed)
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingers_are_told_apart_by_what_their_names_do_not_share() {
        let own = |names: &[&str]| -> Vec<String> {
            let shared = shared_start(names);
            names.iter().map(|name| name[shared..].to_owned()).collect()
        };
        assert_eq!(own(&["LeftHandIndex1", "LeftHandThumb1"]), ["Index1", "Thumb1"]);
        assert_eq!(own(&["LeftHandIndex1", "LeftHandInner1"]), ["Index1", "Inner1"]);
        assert_eq!(own(&["finger1-1.L", "finger2-1.L"]), ["finger1-1.L", "finger2-1.L"]);
        assert_eq!(own(&["hand_l_thumb", "hand_l_index"]), ["thumb", "index"]);
        assert_eq!(own(&["mixamorig:Tail"]), ["mixamorig:Tail"]);
        assert_eq!(own(&["左親指1", "左人指1"]), ["左親指1", "左人指1"]);
        assert_eq!(own(&["HandA", "HandA"]), ["A", "A"]);
        assert_eq!(own(&["Hand", "HandIndex"]), ["Hand", "HandIndex"]);
        assert!(own(&[]).is_empty());
    }
}

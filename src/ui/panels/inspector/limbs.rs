//! The limbs that were found in a rig, and what the user says they are.

use super::labelled;
use crate::{
    edit::RigEdit,
    eval::limbs::Limb,
    model::{BendToward, JointId, LimbSetting, LimbSpec, ObjectId, Rig, Role, Side, Target},
    text::t,
    ui::panel::PanelContext,
};
use egui::{ComboBox, Ui};

pub(super) fn show(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId) {
    let Some(rig) = ctx.document.object(object).and_then(|object| object.as_rig()) else { return };
    let Some(limbs) = ctx.evaluator.limbs(ctx.document, object) else { return };
    let title = t("inspector.limbs");
    ui.add_space(6.0);
    let header = egui::CollapsingHeader::new(title.into_owned()).id_salt("limbs").default_open(false);
    header.show_unindented(ui, |ui| {
        ui.weak(t("inspector.limbs_hint").into_owned());
        for limb in limbs.limbs.iter() {
            if let Some(spec) = limbs.spec(rig, limb) {
                ui.push_id((spec.end, spec.role), |ui| row(ui, ctx, (object, rig), limb, spec));
            }
        }
        ui.horizontal(|ui| {
            add(ui, ctx, object, rig);
            let reset =
                ui.add_enabled(!rig.limbs.is_empty(), egui::Button::new(t("inspector.limbs_reset").into_owned()));
            if reset.on_hover_text(t("inspector.limbs_reset_hint").into_owned()).clicked() {
                ctx.commands.apply("history.limbs", RigEdit::ResetLimbs { object }.into());
            }
        });
    });
}

fn role_title(role: Role) -> &'static str {
    match role {
        Role::Arm => "role.arm",
        Role::Leg => "role.leg",
        Role::Spine => "role.spine",
        Role::Neck => "role.neck",
        Role::Tail => "role.tail",
        Role::Finger => "role.finger",
        Role::Toe => "role.toe",
        Role::Chain => "role.chain",
    }
}

/// What a limb is called: a left arm.
fn limb_title(side: Side, role: Role) -> String {
    let key = role_title(role).trim_start_matches("role.");
    match side {
        Side::Left => t(&format!("limb.left_{key}")).into_owned(),
        Side::Right => t(&format!("limb.right_{key}")).into_owned(),
        Side::Middle => t(role_title(role)).into_owned(),
    }
}

fn side_title(side: Side) -> &'static str {
    match side {
        Side::Left => "side.left",
        Side::Right => "side.right",
        Side::Middle => "side.middle",
    }
}

fn bend_title(bend: Option<BendToward>) -> &'static str {
    match bend {
        None => "bend.found",
        Some(BendToward::Forward) => "bend.forward",
        Some(BendToward::Back) => "bend.back",
        Some(BendToward::Left) => "bend.left",
        Some(BendToward::Right) => "bend.right",
        Some(BendToward::Up) => "bend.up",
        Some(BendToward::Down) => "bend.down",
    }
}

fn name(rig: &Rig, joint: JointId) -> String {
    rig.skeleton.joint(joint).map(|joint| joint.name.clone()).unwrap_or_default()
}

/// Under which joint a limb is corrected: the end of the one found, or its own.
fn key_of(rig: &Rig, spec: &LimbSpec) -> JointId {
    let said = |(key, setting): (&JointId, &LimbSetting)| {
        matches!(setting, LimbSetting::Limb(limb) if limb.end == spec.end && limb.role == spec.role).then_some(*key)
    };
    rig.limbs.iter().find_map(said).unwrap_or(spec.end)
}

fn row(ui: &mut Ui, ctx: &PanelContext<'_>, (object, rig): (ObjectId, &Rig), limb: &Limb, spec: LimbSpec) {
    let found = key_of(rig, &spec);
    let said = rig.limbs.contains_key(&found);
    let mark = if said { " *" } else { "" };
    let text = format!("{}: {}{mark}", limb_title(spec.side, spec.role), name(rig, spec.end));
    let state = egui::CollapsingHeader::new(text).id_salt("limb").default_open(false);
    let shown = state.show(ui, |ui| {
        let set = |limb: LimbSpec| {
            let limb = Some(LimbSetting::Limb(limb));
            ctx.commands.apply("history.limbs", RigEdit::SetLimb { object, found, limb }.into());
        };
        choice(
            ui,
            "inspector.limb_role",
            spec.role,
            &Role::ALL,
            |role| t(role_title(role)).into_owned(),
            |role| {
                set(LimbSpec { role, ..spec });
            },
        );
        choice(
            ui,
            "inspector.limb_side",
            spec.side,
            &Side::ALL,
            |side| t(side_title(side)).into_owned(),
            |side| {
                set(LimbSpec { side, ..spec });
            },
        );
        joints(ui, rig, limb, &spec, &set);
        if spec.middle.is_some() {
            let all: Vec<Option<BendToward>> = std::iter::once(None).chain(BendToward::ALL.map(Some)).collect();
            choice(
                ui,
                "inspector.limb_bend",
                spec.bend,
                &all,
                |bend| t(bend_title(bend)).into_owned(),
                |bend| {
                    set(LimbSpec { bend, ..spec });
                },
            );
        }
        ui.horizontal(|ui| {
            if ui.button(t("inspector.limb_remove").into_owned()).clicked() {
                let limb = Some(LimbSetting::Removed);
                ctx.commands.apply("history.limbs", RigEdit::SetLimb { object, found, limb }.into());
            }
            if said && ui.button(t("inspector.limb_reset").into_owned()).clicked() {
                ctx.commands.apply("history.limbs", RigEdit::SetLimb { object, found, limb: None }.into());
            }
        });
    });
    if shown.header_response.on_hover_text(t("inspector.limb_hint").into_owned()).double_clicked() {
        let mut selection = ctx.selection.clone();
        selection.clear_targets();
        selection.insert(Target::Joint(object, spec.end));
        ctx.commands.select(selection);
    }
}

/// First, middle and last joint: any joint on the way that the others allow.
fn joints(ui: &mut Ui, rig: &Rig, limb: &Limb, spec: &LimbSpec, set: &impl Fn(LimbSpec)) {
    let parents = rig.skeleton.parents();
    let ids = rig.skeleton.joints();
    let mut above: Vec<JointId> =
        std::iter::successors(Some(limb.end()), |at| parents[*at]).skip(1).map(|at| ids[at].id).collect();
    above.reverse();
    choice(
        ui,
        "inspector.limb_root",
        spec.root,
        &above,
        |joint| name(rig, joint),
        |root| {
            set(kept(rig, LimbSpec { root, ..*spec }));
        },
    );
    let between: Vec<Option<JointId>> = std::iter::once(None)
        .chain(limb.joints.iter().skip(1).take(limb.joints.len().saturating_sub(2)).map(|at| Some(ids[*at].id)))
        .collect();
    let middle_name = |joint: Option<JointId>| {
        joint.map_or_else(|| t("inspector.limb_no_middle").into_owned(), |joint| name(rig, joint))
    };
    choice(ui, "inspector.limb_middle", spec.middle, &between, middle_name, |middle| {
        set(LimbSpec { middle, ..*spec });
    });
    let root = limb.root();
    let under = |joint: &usize| std::iter::successors(Some(*joint), |at| parents[*at]).skip(1).any(|at| at == root);
    let below: Vec<JointId> = (root + 1..parents.len()).filter(under).map(|at| ids[at].id).collect();
    choice(
        ui,
        "inspector.limb_end",
        spec.end,
        &below,
        |joint| name(rig, joint),
        |end| {
            set(kept(rig, LimbSpec { end, ..*spec }));
        },
    );
}

/// A limb whose middle joint no longer lies between its ends has none.
fn kept(rig: &Rig, spec: LimbSpec) -> LimbSpec {
    if rig.fits(&spec) { spec } else { LimbSpec { middle: None, ..spec } }
}

fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    title: &str,
    now: T,
    all: &[T],
    name: impl Fn(T) -> String,
    chosen: impl FnOnce(T),
) {
    labelled(ui, &t(title), |ui| {
        let mut new = None;
        ComboBox::from_id_salt(title).selected_text(name(now)).width(ui.available_width()).show_ui(ui, |ui| {
            for option in all {
                if ui.selectable_label(*option == now, name(*option)).clicked() && *option != now {
                    new = Some(*option);
                }
            }
        });
        if let Some(new) = new {
            chosen(new);
        }
    });
}

/// Adds a limb between the two or three joints that are selected: the uppermost, the one between, the lowest.
fn add(ui: &mut Ui, ctx: &PanelContext<'_>, object: ObjectId, rig: &Rig) {
    let mut selected: Vec<usize> =
        ctx.selection.joints(object).filter_map(|joint| rig.skeleton.index_of(joint)).collect();
    selected.sort_unstable();
    let id = |place: usize| selected.get(place).map(|at| rig.skeleton.joints()[*at].id);
    let spec = match selected.len() {
        2 => id(0).zip(id(1)).map(|(root, end)| (root, None, end)),
        3 => id(0).zip(id(2)).map(|(root, end)| (root, id(1), end)),
        _ => None,
    };
    let spec = spec.map(|(root, middle, end)| LimbSpec {
        role: Role::Chain,
        side: Side::Middle,
        root,
        middle,
        end,
        bend: None,
    });
    let spec = spec.filter(|spec| rig.fits(spec));
    let button = ui.add_enabled(spec.is_some(), egui::Button::new(t("inspector.limbs_add").into_owned()));
    let hint = t("inspector.limbs_add_hint").into_owned();
    let button = button.on_hover_text(hint.clone()).on_disabled_hover_text(hint);
    if let Some(spec) = spec.filter(|_| button.clicked()) {
        let limb = Some(LimbSetting::Limb(spec));
        ctx.commands.apply("history.limbs", RigEdit::SetLimb { object, found: spec.end, limb }.into());
    }
}

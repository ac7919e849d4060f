//! New characters: asked for their numbers, with a picture of what they would be.

use crate::{
    app::{dispatch::told, questions::Question, window::App},
    command::CommandId as Id,
    edit::{ImportEdit, Selection},
    eval::{Evaluator, fk},
    math::{Affine, Transform, Vec3},
    model::{Document, Object, ObjectId, Rig, Skeleton, Target, names},
    samples::templates::{Build, Stance, Template},
    text::t,
    ui::widgets::{
        modal::{Answer, question},
        set_name,
    },
};
use egui::{TextEdit, Ui};
use std::sync::Arc;

/// What is asked for, as typed.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct CharacterChoice {
    template: Template,
    height: String,
    segments: String,
    fingers: String,
    stance: Stance,
}

/// Height of the picture, points.
const PICTURE_PT: f32 = 150.0;

impl CharacterChoice {
    fn usual(template: Template) -> Self {
        let build = template.usual();
        Self {
            template,
            height: build.height.to_string(),
            segments: build.segments.to_string(),
            fingers: build.fingers.to_string(),
            stance: build.stance,
        }
    }

    /// The numbers, where all are within their ranges.
    fn build(&self) -> Option<Build> {
        let height: f64 = self.height.trim().parse().ok()?;
        let (segments, fingers): (u32, u32) = (self.segments.trim().parse().ok()?, self.fingers.trim().parse().ok()?);
        let sound = Build::HEIGHT.contains(&height) && Build::SEGMENTS.contains(&segments) && fingers <= Build::FINGERS;
        sound.then_some(Build { height, segments, fingers, stance: self.stance })
    }
}

const fn template_of(id: Id) -> (Template, &'static str) {
    match id {
        Id::NewCharacterQuadruped => (Template::Quadruped, "Quadruped"),
        Id::NewCharacterTentacle => (Template::Tentacle, "Tentacle"),
        Id::NewCharacterArm => (Template::Arm, "Arm"),
        _ => (Template::Biped, "Biped"),
    }
}

const fn name_of(template: Template) -> (&'static str, &'static str) {
    match template {
        Template::Biped => ("Biped", "character.biped"),
        Template::Quadruped => ("Quadruped", "character.quadruped"),
        Template::Tentacle => ("Tentacle", "character.tentacle"),
        Template::Arm => ("Arm", "character.arm"),
    }
}

impl App {
    /// Asks for the numbers of a new character from a template.
    pub(in crate::app) fn new_character(&mut self, id: Id) {
        self.state.question = Some(Question::NewCharacter(CharacterChoice::usual(template_of(id).0)));
    }

    pub(in crate::app) fn character_question(
        &mut self,
        ctx: &egui::Context,
        mut choice: CharacterChoice,
    ) -> Option<Question> {
        let build = choice.build();
        let (cancel, make) = (t("question.cancel"), t("character.make"));
        let body = |ui: &mut Ui| fields(ui, &mut choice, build.as_ref());
        let buttons = [(&*cancel, true), (&*make, build.is_some())];
        match (question(ctx, "new_character", &t("character.title"), body, &buttons), build) {
            (None, _) => return Some(Question::NewCharacter(choice)),
            (Some(Answer::Button(1)), Some(build)) => self.make_character(choice.template, &build),
            _ => {}
        }
        None
    }

    /// A new character beside what there is.
    fn make_character(&mut self, template: Template, build: &Build) {
        let skeleton = Arc::new(template.skeleton(build));
        let document = self.state.session.document();
        let aside = Vec3::x() * beside(document, &self.state.evaluator, &skeleton);
        let rig = Object::rig(&free_name(document, name_of(template).0), Rig { skeleton, ..Rig::default() });
        let object = Object { transform: Transform::from_translation(aside), ..rig };
        let added = ObjectId(document.next_id);
        let edit = ImportEdit { objects: vec![(added, Arc::new(object))], ..ImportEdit::default() };
        let done = self.state.session.apply("history.new_character", &edit.into()).map(|_| ());
        if done.is_ok() {
            self.state.session.select(Selection::single(Target::Object(added)));
            if aside != Vec3::zeros() {
                // It stands where the view may not look.
                self.state.frame_all = true;
            }
        }
        told(self, done);
    }
}

/// A name that no object of a document has: the wanted one, or with the first number from 2 on that is free.
fn free_name(document: &Document, wanted: &str) -> String {
    names::free(wanted, |name| document.objects.values().any(|object| object.name == name))
}

/// Times of the play range at which is looked what stands where.
const LOOKS: u32 = 8;
/// The room between a new character and what is there, as a share of its width.
const GAP: f64 = 0.25;

/// How far along X a new figure must go to stand beside what there is, metres: 0 where nothing is in its place.
fn beside(document: &Document, evaluator: &Evaluator, skeleton: &Skeleton) -> f64 {
    let locals: Vec<Transform> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    let mut model = Vec::new();
    fk::model_from_locals(skeleton.tree(), &locals, &Affine::IDENTITY, &mut model);
    let Some(own) = Ground::of(model.iter().map(|joint| joint.translation)) else { return 0.0 };
    let own = own.wider(GAP * (own.high.0 - own.low.0).max(own.high.1 - own.low.1).max(0.1));
    let settings = &document.settings;
    let (first, last) = (settings.rate.secs(settings.play_range.first), settings.rate.secs(settings.play_range.last));
    let mut taken: Vec<Ground> = Vec::new();
    for look in 0..=LOOKS {
        let frame = evaluator.frame(document, first + (last - first) * f64::from(look) / f64::from(LOOKS));
        let rigs = frame.objects.values().filter_map(|placed| Some((placed, placed.rig.as_ref()?)));
        let grounds = rigs.map(|(placed, rig)| rig.model.iter().map(|joint| placed.world.point(&joint.translation)));
        taken.extend(grounds.filter_map(Ground::of));
    }
    if !taken.iter().any(|other| other.meets(&own)) {
        return 0.0;
    }
    taken.iter().map(|other| other.high.0).fold(0.0, f64::max) - own.low.0
}

/// What something covers of the ground: least and greatest X and Z, metres.
#[derive(Clone, Copy)]
struct Ground {
    low: (f64, f64),
    high: (f64, f64),
}

impl Ground {
    /// None for no points, or where one is no place.
    fn of(points: impl Iterator<Item = Vec3>) -> Option<Self> {
        let none = Self { low: (f64::INFINITY, f64::INFINITY), high: (f64::NEG_INFINITY, f64::NEG_INFINITY) };
        let all = points.fold(none, |ground, at| Self {
            low: (ground.low.0.min(at.x), ground.low.1.min(at.z)),
            high: (ground.high.0.max(at.x), ground.high.1.max(at.z)),
        });
        [all.low.0, all.low.1, all.high.0, all.high.1].iter().all(|number| number.is_finite()).then_some(all)
    }

    fn wider(self, by: f64) -> Self {
        Self { low: (self.low.0 - by, self.low.1 - by), high: (self.high.0 + by, self.high.1 + by) }
    }

    fn meets(&self, other: &Self) -> bool {
        self.low.0 < other.high.0 && other.low.0 < self.high.0 && self.low.1 < other.high.1 && other.low.1 < self.high.1
    }
}

fn fields(ui: &mut Ui, choice: &mut CharacterChoice, build: Option<&Build>) {
    egui::Grid::new("new_character").num_columns(2).spacing([16.0, 8.0]).show(ui, |ui| {
        ui.label(t("character.kind").into_owned());
        ui.name_inputs(t("character.kind"), |ui| {
            let shown = t(name_of(choice.template).1).into_owned();
            egui::ComboBox::from_id_salt("kind").selected_text(shown).width(160.0).show_ui(ui, |ui| {
                for template in Template::ALL {
                    let on = choice.template == template;
                    if ui.selectable_label(on, t(name_of(template).1).into_owned()).clicked() && !on {
                        *choice = CharacterChoice::usual(template);
                    }
                }
            });
        });
        ui.end_row();
        let long = matches!(choice.template, Template::Tentacle | Template::Arm);
        let (height, segments) = match choice.template {
            _ if !long => ("character.height", "character.spine"),
            _ => ("character.length", "character.segments"),
        };
        let number = |ui: &mut Ui, key: &str, text: &mut String| {
            ui.label(t(key).into_owned());
            let response = ui.add(TextEdit::singleline(text).desired_width(80.0));
            set_name(ui, &response, &t(key));
            ui.end_row();
        };
        number(ui, height, &mut choice.height);
        if choice.template != Template::Arm {
            number(ui, segments, &mut choice.segments);
        }
        if matches!(choice.template, Template::Biped | Template::Arm) {
            number(ui, "character.fingers", &mut choice.fingers);
        }
        if choice.template == Template::Biped {
            ui.label(t("character.stance").into_owned());
            ui.horizontal(|ui| {
                for (stance, key) in [(Stance::T, "character.t_pose"), (Stance::A, "character.a_pose")] {
                    ui.radio_value(&mut choice.stance, stance, t(key).into_owned());
                }
            });
            ui.end_row();
        }
    });
    ui.add_space(8.0);
    match build {
        Some(build) => picture(ui, choice.template, build),
        None => {
            let (rect, _) = ui.allocate_exact_size(egui::vec2(ui.available_width(), PICTURE_PT), egui::Sense::hover());
            let text = t("character.refused").into_owned();
            ui.put(rect, egui::Label::new(egui::RichText::new(text).weak()).wrap());
        }
    }
}

/// The bones, seen from the front and from the left.
fn picture(ui: &mut Ui, template: Template, build: &Build) {
    let (rect, response) = ui.allocate_exact_size(egui::vec2(ui.available_width(), PICTURE_PT), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, t("character.picture")));
    let skeleton = template.skeleton(build);
    let locals: Vec<_> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    let mut model = Vec::new();
    fk::model_from_locals(skeleton.tree(), &locals, &Affine::IDENTITY, &mut model);
    let places: Vec<Vec3> = model.iter().map(|place| place.translation).collect();
    let halves = rect.split_left_right_at_fraction(0.5);
    type Flat = fn(&Vec3) -> (f64, f64);
    let views: [(egui::Rect, Flat); 2] = [(halves.0, |at| (at.x, at.y)), (halves.1, |at| (at.z, at.y))];
    let size = |axis: fn(&Vec3) -> f64| {
        let (low, high) =
            places.iter().map(axis).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        (f64::midpoint(low, high), high - low)
    };
    let ((x, wide), (y, high), (z, deep)) = (size(|at| at.x), size(|at| at.y), size(|at| at.z));
    let room = f64::from(halves.0.width()) - 16.0;
    let scale = (f64::from(PICTURE_PT) - 16.0).min(room) / wide.max(high).max(deep).max(1e-9);
    let stroke = egui::Stroke::new(2.0, ui.visuals().text_color());
    for ((part, flat), across) in views.into_iter().zip([x, z]) {
        let at = |place: &Vec3| {
            let (right, up) = flat(place);
            part.center() + egui::vec2((scale * (right - across)) as f32, (scale * (y - up)) as f32)
        };
        for (index, parent) in skeleton.parents().iter().enumerate() {
            if let Some((from, to)) = parent.and_then(|parent| places.get(parent)).zip(places.get(index)) {
                ui.painter().line_segment([at(from), at(to)], stroke);
            }
        }
        for place in &places {
            ui.painter().circle_filled(at(place), 2.2, ui.visuals().weak_text_color());
        }
    }
}

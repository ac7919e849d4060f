//! What is to be said about a layer: why it does nothing, or not what one would think.

use crate::{
    edit::blend::clips_of,
    eval::blend::layers::LayerReport,
    model::{Clip, Document, Layer, LayerMode, ObjectId, Plays, names::joint_names},
    text::{fill, t},
    ui::widgets::drag_field::number_text,
};

use std::sync::Arc;

/// What the joints of a clip are to a rig.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// It moves them.
    Own,
    /// It moves another rig's: so many have the same names, of how many.
    ByName(usize, usize),
    /// It moves nothing.
    Nothing,
}

/// What the joints that a clip moves are to a rig: as layers read it, joints of another rig go by name.
pub(super) fn fit(document: &Document, object: ObjectId, clip: &Clip) -> Fit {
    if clip.moves(object) {
        return Fit::Own;
    }
    let Some((_, _, other)) = document.rigs().find(|(id, ..)| clip.moves(*id)) else { return Fit::Nothing };
    let Some(own) = document.object(object).and_then(|object| object.as_rig()) else { return Fit::Nothing };
    let names = joint_names(&own.skeleton);
    let shared = joint_names(&other.skeleton).iter().filter(|name| names.contains(name)).count();
    Fit::ByName(shared, names.len())
}

/// The lines to be shown; each with whether it warns.
pub(super) fn lines(
    document: &Document,
    object: ObjectId,
    layer: &Layer,
    report: Option<&LayerReport>,
) -> Vec<(bool, String)> {
    let mut lines = Vec::new();
    if let Plays::Clip(clip) = layer.plays
        && let Some(clip) = document.clip(clip)
    {
        match fit(document, object, clip) {
            Fit::Own => {}
            Fit::ByName(0, _) => lines.push((true, t("layers.fit_none").into_owned())),
            Fit::ByName(shared, of) => {
                lines.push((false, fill("layers.fit_by_name", &[("shared", &shared), ("of", &of)])));
            }
            Fit::Nothing => lines.push((true, t("layers.fit_nothing").into_owned())),
        }
        if clip.range.last <= clip.range.first {
            lines.push((false, t("layers.one_pose").into_owned()));
        }
    }
    if let Plays::Space(space) = layer.plays
        && document.blend_spaces.get(&space).is_some_and(|space| space.samples.is_empty())
    {
        lines.push((true, t("layers.space_empty").into_owned()));
    }
    if layer.mode == LayerMode::Additive {
        let added_in = |id| document.clip(id).map(|clip: &Arc<Clip>| clip.additive.unwrap_or_default().space);
        let mut spaces = clips_of(document, layer.plays).into_iter().filter_map(added_in);
        let first = spaces.next();
        if spaces.any(|space| Some(space) != first) {
            lines.push((true, t("layers.mixed_axes").into_owned()));
        }
    }
    let rig = document.object(object).and_then(|object| object.as_rig());
    if let Some(mask) = layer.mask.and_then(|mask| document.masks.get(&mask))
        && let Some(rig) = rig
    {
        let gone = mask.unknown(&rig.skeleton);
        if !gone.is_empty() {
            lines.push((true, fill("layers.mask_gone", &[("names", &gone.join(", "))])));
        }
        if mask.weights(&rig.skeleton).iter().all(|weight| *weight == 0.0) {
            lines.push((true, t("layers.mask_nothing").into_owned()));
        }
    }
    let Some(report) = report else { return lines };
    if report.landing.is_some_and(|landing| landing.nothing) && !lines.iter().any(|(warns, _)| *warns) {
        lines.push((true, t("layers.no_weight").into_owned()));
    }
    if report.unmatched {
        lines.push((true, t("layers.unmatched").into_owned()));
    }
    if report.ignores_pins {
        lines.push((false, t("layers.ignores_pins").into_owned()));
    }
    if let Some((joint, turn)) = report.turns_over {
        let name = rig.and_then(|rig| rig.skeleton.joints().get(joint)).map_or("", |joint| joint.name.as_str());
        let numbers: [(&str, &dyn std::fmt::Display); 2] =
            [("joint", &name), ("turn", &number_text(turn.to_degrees(), 0))];
        lines.push((true, fill("layers.turns_over", &numbers)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        edit::blend::change_additive,
        eval::blend::space::Landing,
        model::{Additive, AdditiveSpace, ClipId, FrameRange, JointMask, LayerId, Object, Rig},
        samples::SAMPLES,
    };

    fn moves() -> (Document, ObjectId) {
        let document = (SAMPLES.iter().find(|sample| sample.id == "moves").unwrap().build)();
        let object = document.rigs().next().unwrap().0;
        (document, object)
    }

    #[test]
    fn what_does_nothing_says_why() {
        let (mut document, object) = moves();
        let clip = *document.clips.keys().next().unwrap();
        let layer = Layer::new(LayerId(0), "a", Plays::Clip(clip));
        assert_eq!(lines(&document, object, &layer, None), []);
        let other = document.add_object(Object::rig("other", Rig::default()));
        assert_eq!(lines(&document, other, &layer, None), [(true, t("layers.fit_none").into_owned())]);
        let still = document.add_clip(Clip::new("still", FrameRange::new(4, 4)));
        let still = Layer { plays: Plays::Clip(still), ..layer.clone() };
        let said = lines(&document, object, &still, None);
        assert_eq!(said.iter().map(|(warns, _)| *warns).collect::<Vec<_>>(), [true, false]);
        let mut mask = JointMask { name: "m".to_owned(), ..JointMask::default() };
        mask.joints.insert("tail".to_owned(), 1.0);
        let mask = document.add_mask(mask);
        let masked = Layer { mask: Some(mask), ..layer.clone() };
        let said = lines(&document, object, &masked, None);
        assert!(said.len() == 2 && said[0].1.contains("tail"), "{said:?}");
        let missing = Layer { plays: Plays::Clip(ClipId(9999)), ..layer };
        assert_eq!(lines(&document, object, &missing, None), []);
    }

    #[test]
    fn clips_of_a_space_that_are_added_in_different_axes_are_told() {
        let (mut document, object) = moves();
        let (space, gait) = document.blend_spaces.iter().map(|(id, space)| (*id, space.clone())).next().unwrap();
        let clips = clips_of(&document, Plays::Space(space));
        assert!(clips.len() > 1 && clips.len() <= gait.samples.len());
        let added = Layer::new(LayerId(0), "aim", Plays::Space(space));
        let added = Layer { mode: LayerMode::Additive, ..added };
        assert_eq!(lines(&document, object, &added, None), []);
        let mesh = Some(Additive { space: AdditiveSpace::Mesh, ..Additive::default() });
        document.clip_mut(clips[1]).unwrap().additive = mesh;
        assert_eq!(lines(&document, object, &added, None), [(true, t("layers.mixed_axes").into_owned())]);
        // Set for the layer it is set for all of them.
        let all = change_additive(&document, added.plays, |additive| additive.space = AdditiveSpace::Mesh);
        all.apply(&mut document).unwrap();
        assert!(clips.iter().all(|clip| document.clip(*clip).unwrap().additive == mesh));
        assert_eq!(lines(&document, object, &added, None), []);
    }

    #[test]
    fn reports_of_the_frame_are_put_in_words() {
        let (document, object) = moves();
        let clip = *document.clips.keys().next().unwrap();
        let layer = Layer::new(LayerId(0), "a", Plays::Clip(clip));
        let report = LayerReport {
            object,
            layer: layer.id,
            weight: 1.0,
            samples: Vec::new(),
            landing: Some(Landing { nothing: true, ..Landing::at([0.0; 2]) }),
            phase: 0.0,
            cycle: 1.0,
            ignores_pins: true,
            unmatched: true,
            turns_over: Some((0, 3.5)),
        };
        let said = lines(&document, object, &layer, Some(&report));
        assert_eq!(said.len(), 4);
        assert!(said[3].1.contains("201"), "{}", said[3].1);
    }
}

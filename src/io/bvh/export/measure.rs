//! A BVH file written, read again, and compared with the document.

use super::{ExportError, ExportOptions, with_joints, without_layers};
use crate::{
    io::{
        bvh::{ImportOptions, parse, to_motion, write_with},
        channel_error::{ChannelError, tell_errors},
        open::new_document,
        played::Played,
        report::Report,
    },
    model::{Document, ObjectId, Parent, Property, names},
    progress::Progress,
};

/// A written BVH file.
#[derive(Debug)]
pub struct BvhWritten {
    /// The text.
    pub bytes: Vec<u8>,
    /// How far each joint's rotation, and the translation of each that moves, is from the document's, measured; between
    /// rows as readers interpolate.
    pub errors: Vec<ChannelError>,
}

/// How many times a clip is compared at.
const COMPARED: usize = 2000;

/// Exports, writes with so many decimals (none for as many as it takes), reads the text again and measures it.
///
/// # Errors
/// [`ExportError`].
pub fn export_measured(
    document: &Document,
    object: ObjectId,
    options: ExportOptions,
    digits: Option<u8>,
    progress: &Progress,
    report: &mut Report,
) -> Result<BvhWritten, ExportError> {
    let plain = without_layers(document, object, options, progress, report)?;
    let document = &*plain;
    let (file, joints) = with_joints(document, object, options, progress, report)?;
    let bytes = write_with(&file, digits);
    let errors = measured(document, object, options, &bytes, &joints, progress)?;
    tell_errors(&errors, "BVH holds one value a row, of limited decimals", report);
    Ok(BvhWritten { bytes, errors })
}

fn measured(
    document: &Document,
    object: ObjectId,
    options: ExportOptions,
    bytes: &[u8],
    joints: &[Option<usize>],
    progress: &Progress,
) -> Result<Vec<ChannelError>, ExportError> {
    let Some(rig) = document.object(object).and_then(|object| object.as_rig()) else { return Ok(Vec::new()) };
    let Some(id) = options.clip.or_else(|| document.clip_of(object)) else { return Ok(Vec::new()) };
    let mut ignored = Report::new();
    let Ok(parsed) = parse(bytes, &mut ignored) else { return Ok(Vec::new()) };
    let unit = Some(options.unit.unwrap_or(rig.unit));
    let motion = to_motion(parsed, ImportOptions { unit, ..ImportOptions::default() }, &mut ignored);
    let (rate, frames) = (motion.rate, motion.frames);
    let again = new_document(motion, "");
    let Some((read, _, read_rig)) = again.rigs().next() else { return Ok(Vec::new()) };
    let read_clip = again.settings.clip;
    let (Some(source), Some(written)) =
        (Played::new(document, id), read_clip.and_then(|clip| Played::new(&again, clip)))
    else {
        return Ok(Vec::new());
    };
    let start = match options.range {
        Some(range) => document.settings.rate.secs(range.first),
        None => document.settings.rate.secs(source.clip.range.first),
    };
    let end = rate.secs(i64::try_from(frames.saturating_sub(1)).unwrap_or(i64::MAX));
    let step = (rate.frame_secs() / 2.0).max(end / COMPARED as f64);
    let count = (end / step).floor().max(0.0) as u32;
    let times: Vec<f64> = (0..=count).map(|n| f64::from(n) * step).collect();
    if source.has_frames() {
        let moments: Vec<f64> = times.iter().map(|secs| start + secs).collect();
        source.prepare(&moments, progress, 0)?;
    }
    let mut errors = Vec::new();
    let joint_names = names::joint_names(&rig.skeleton);
    let object_name = names::object_name(document, object).unwrap_or_default();
    let pairs = joints.iter().zip(read_rig.skeleton.joints()).filter_map(|(own, read)| Some(((*own)?, read)));
    for (index, (own, read_joint)) in pairs.enumerate() {
        if index % 16 == 0 {
            progress.check()?;
        }
        let Some(joint) = rig.skeleton.joints().get(own).filter(|joint| !joint.is_end()) else { continue };
        let moves = |property: Property| {
            let on = |played: &Played, target| played.clip.curves_of(target, property).next().is_some();
            on(&source, crate::model::Target::Joint(object, joint.id))
                || on(&written, crate::model::Target::Joint(read, read_joint.id))
        };
        let (mut off, mut turned) = (0.0_f64, 0.0_f64);
        let wanted = source.motion(Parent::Joint(object, joint.id));
        let found = written.motion(Parent::Joint(read, read_joint.id));
        for &secs in &times {
            let (a, b) = (wanted.local(start + secs), found.local(secs));
            off = off.max((a.translation - b.translation).norm());
            turned = turned.max(crate::math::rotation::chord_angle(&a.rotation, &b.rotation));
        }
        let name = joint_names.get(own).map_or("", String::as_str);
        for (property, error) in [(Property::Translation, off), (Property::Rotation, turned)] {
            if moves(property) || error > 1e-6 {
                let channel = format!("{object_name}/{name}/{}", property.name());
                errors.push(ChannelError { clip: source.clip.name.clone(), channel, property, error });
            }
        }
    }
    Ok(errors)
}

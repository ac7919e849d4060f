//! Document to text.

use super::Header;
use crate::model::{Document, Problem};
use ron::ser::PrettyConfig;

/// Depth below which a value stands on one line: that of a key in a curve in a clip.
pub const LINE_DEPTH: usize = 6;

/// Why a document was not written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SaveError {
    /// The document is damaged: writing it would make a file that cannot be opened.
    #[error("the document cannot be saved as it is: {}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Unsound(
        /// What is wrong, at least one.
        Vec<Problem>,
    ),
    /// The serializer failed.
    #[error("the document cannot be written as text: {0}")]
    Text(String),
}

/// The text of a document. The same document gives the same bytes on every platform.
///
/// # Errors
/// Where [`Document::problems`] finds any.
pub fn save(document: &Document) -> Result<String, SaveError> {
    let problems = document.problems();
    if !problems.is_empty() {
        return Err(SaveError::Unsound(problems));
    }
    let text = |error: ron::Error| SaveError::Text(error.to_string());
    let mut out = ron::to_string(&Header::default()).map_err(text)?;
    out.push('\n');
    let layout = PrettyConfig::new().depth_limit(LINE_DEPTH).new_line("\n").indentor(" ");
    ron::Options::default().to_writer_pretty(&mut out, document, layout).map_err(text)?;
    out.push('\n');
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        io::ron::{LoadError, load},
        math::Vec3,
        model::*,
    };
    use std::sync::Arc;

    fn document() -> Document {
        let mut document = Document::default();
        let hips = Joint::new(JointId(0), "hips \"a\"/#\u{4f60}", None, Vec3::new(0.1, 0.2, 1e-17));
        let spine = Joint::new(JointId(1), "spine", Some(JointId(0)), Vec3::y());
        let skeleton = Arc::new(Skeleton::new(vec![hips, spine]).unwrap());
        let rig = document.add_object(Object::rig("Biped", Rig { skeleton, ..Rig::default() }));
        let mut clip = Clip::new("walk", FrameRange::new(0, 47));
        let path = ChannelPath::joint(rig, JointId(1), Property::Rotation, Component::X);
        let keys = (0..5).map(|i| Key::new(f64::from(i) * 0.1, f64::from(i) / 3.0)).collect();
        let curve = KeyedCurve { keys, pre: Extrapolation::Cycle, ..KeyedCurve::default() };
        clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
        let samples = Samples::new(0.0, FrameRate::FPS_24, (0..70).map(f64::from).collect());
        let y = path.with_component(Component::Y);
        clip.channels.insert(y, Arc::new(Curve::Scalar(ScalarCurve::Sampled(samples))));
        clip.unkeyed.push(UnkeyedFrame { time: 0.5, values: [(path, Value::Scalar(1.0 / 3.0))].into() });
        let clip = document.add_clip(clip);
        Arc::make_mut(&mut document.settings).clip = Some(clip);
        document
    }

    fn changed_lines(a: &str, b: &str) -> usize {
        assert_eq!(a.lines().count(), b.lines().count());
        a.lines().zip(b.lines()).filter(|(a, b)| a != b).count()
    }

    #[test]
    fn what_is_saved_is_what_is_loaded() {
        let document = document();
        let text = save(&document).unwrap();
        let again = load(&text).unwrap();
        assert_eq!(again, document);
        assert_eq!(save(&again).unwrap(), text);
    }

    #[test]
    fn one_changed_key_sample_or_joint_is_one_changed_line() {
        let before = document();
        let text = save(&before).unwrap();
        let clip = before.settings.clip.unwrap();
        let mut moved = before.clone();
        let channels = &mut moved.clip_mut(clip).unwrap().channels;
        let curves: Vec<_> = channels.values_mut().map(Arc::make_mut).collect();
        for curve in curves {
            match curve {
                Curve::Scalar(ScalarCurve::Keyed(curve)) => {
                    let key = curve.keys.get(2).unwrap();
                    curve.keys.replace_same_time(2, Key { value: 9.0, ..key });
                }
                Curve::Scalar(ScalarCurve::Sampled(samples)) => {
                    let mut values = samples.values.to_vec();
                    values[40] = 0.25;
                    samples.values = values.into();
                }
                Curve::Rotation(_) => unreachable!("the sample has none"),
            }
        }
        assert_eq!(changed_lines(&text, &save(&moved).unwrap()), 2);
        let mut moved = before.clone();
        let rig = before.rigs().next().unwrap().0;
        let ObjectKind::Rig(rig) = &mut moved.object_mut(rig).unwrap().kind else { panic!() };
        let rig = Arc::make_mut(rig);
        let skeleton = rig.skeleton.map_joints(|joint| {
            let mut joint = joint.clone();
            joint.rest.translation.x += if joint.id == JointId(1) { 1.0 } else { 0.0 };
            joint
        });
        rig.skeleton = Arc::new(skeleton.unwrap());
        assert_eq!(changed_lines(&text, &save(&moved).unwrap()), 1);
    }

    #[test]
    fn newer_files_are_refused_by_name() {
        let text = save(&document()).unwrap();
        let newer = text.replacen("version:1", "version:7", 1);
        assert_eq!(load(&newer), Err(LoadError::Newer { version: 7 }));
        let field = text.replacen("next_id:", "next_gadget: 3,\n next_id:", 1);
        match load(&field) {
            Err(LoadError::UnknownName { name, line, .. }) => {
                assert_eq!(name, "next_gadget");
                assert!(field.lines().nth(line - 1).unwrap().contains("next_gadget"));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn wrong_values_are_named_by_place() {
        let text = save(&document()).unwrap();
        for (from, to) in [("v: 0.6666", "v: NaN, bias: 0.6666"), ("60.0", "inf"), ("t: 0.1,", "t: 0.9,")] {
            let broken = text.replacen(from, to, 1);
            assert_ne!(broken, text, "{from}");
            match load(&broken) {
                Err(LoadError::Syntax { line, column, .. }) => assert!(line > 1 && column > 0, "{to}"),
                other => panic!("{to}: {other:?}"),
            }
        }
        assert!(matches!(load(""), Err(LoadError::NotADocument { .. })));
        assert!(matches!(load("HIERARCHY\nROOT a"), Err(LoadError::NotADocument { .. })));
    }
}

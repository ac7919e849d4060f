//! BVH texts and where their joints are in the world, frame by frame.

use super::case::{Case, Outcome};
use crate::support::motion::{document_of, model_at, only_rig};
use inbetween::io::bvh::{ImportOptions, parse};
use inbetween::io::report::Report;
use inbetween::math::Affine;
use inbetween::model::LengthUnit;
use serde_json::{Map, Value};

pub(super) fn run(case: &Case) -> Outcome {
    let text: String = case.input("bvh_text")?;
    let file = parse(text.as_bytes(), &mut Report::new()).map_err(|e| e.to_string())?;
    // Positions are expected in file units.
    let options = ImportOptions { unit: Some(LengthUnit::Metre), ..ImportOptions::default() };
    let (document, _) = document_of(&text, options).map_err(|e| e.to_string())?;
    case.judge(|field| match field {
        "frame_time" => case.number(field, file.frame_time.secs),
        "n_frames" => case.number(field, file.frames as f64),
        "n_channels" => case.number(field, file.columns.len() as f64),
        "joint_order" => {
            let names: Vec<&str> = file.joints.iter().filter(|j| !j.is_end).map(|j| j.name.as_str()).collect();
            case.hold(case.wanted::<Vec<String>>(field)? == names, field, || format!("got {names:?}"));
            Ok(())
        }
        "frames" => {
            let wanted: Vec<Value> = case.wanted(field)?;
            case.hold(wanted.len() == file.frames, field, || format!("got {} frames", file.frames));
            let joints = only_rig(&document).1.skeleton.joints();
            let names: Vec<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
            for (frame, wanted) in (0..).zip(&wanted) {
                judge_frame(case, frame, wanted, &names, &model_at(&document, frame))?;
            }
            Ok(())
        }
        _ => case.unknown(field),
    })
}

fn judge_frame(case: &Case, frame: i64, wanted: &Value, names: &[&str], model: &[Affine]) -> Outcome {
    let fields = wanted.as_object().ok_or("a frame must have fields")?;
    for (field, by_name) in fields {
        let by_name: &Map<String, Value> = by_name.as_object().ok_or("joints must be by name")?;
        for (name, numbers) in by_name {
            let wanted: Vec<f64> = serde_json::from_value(numbers.clone()).map_err(|e| e.to_string())?;
            let place = format!("frame {frame} {field} {name}");
            let Some(at) = names.iter().position(|own| own == name) else {
                case.hold(false, &place, || "no such joint".into());
                continue;
            };
            let (got, tolerance) = match field.as_str() {
                "world_positions" | "end_site_positions" => (model[at].translation.as_slice().to_vec(), "abs"),
                "world_quats" => {
                    let mut q = model[at].rotation().coords;
                    if q.iter().zip(&wanted).map(|(a, b)| a * b).sum::<f64>() < 0.0 {
                        q = -q;
                    }
                    (q.as_slice().to_vec(), "abs_quat")
                }
                _ => return case.unknown(&format!("frames.{field}")),
            };
            let within = case.tolerance(tolerance);
            let close = got.len() == wanted.len() && got.iter().zip(&wanted).all(|(g, w)| (g - w).abs() <= within);
            case.hold(close, &place, || format!("got {got:?}, wanted {wanted:?}"));
        }
    }
    Ok(())
}

//! Warps of the plane by radial basis functions.

use super::case::{Case, Outcome};
use inbetween::math::rbf::{Kernel, Rbf};
use serde_json::Value;

fn points(case: &Case, field: &str) -> Result<Vec<[f64; 2]>, String> {
    serde_json::from_value(case.input::<Value>(field)?).map_err(|error| error.to_string())
}

pub(super) fn run(case: &Case) -> Outcome {
    let kernel = match case.input::<String>("kernel")?.as_str() {
        "thin_plate" => Kernel::ThinPlate,
        "gaussian" => Kernel::Gaussian,
        "multiquadric" => Kernel::Multiquadric,
        "inverse_multiquadric" => Kernel::InverseMultiquadric,
        other => return Err(format!("kernel {other}")),
    };
    let parameter = case.input::<Value>("parameter")?.as_f64().unwrap_or(1.0);
    let (source, target, query) = (points(case, "source")?, points(case, "target")?, points(case, "query")?);
    let warp = Rbf::new(kernel, parameter, &source, &target).ok_or("no warp")?;
    let (linear, offset) = warp.affine();
    case.judge(|field| match field {
        "warped" => {
            let all: Vec<f64> = query.iter().flat_map(|at| warp.warped(at)).collect();
            case.numbers(field, &all)
        }
        "weights" => case.numbers(field, warp.weights().as_flattened()),
        "A" => case.numbers(field, linear.as_flattened()),
        "b" => case.numbers(field, offset),
        // The smallest solution: finite, and told.
        "property" => {
            let finite = query.iter().flat_map(|at| warp.warped(at)).all(f64::is_finite);
            case.hold(finite && warp.report().rank < 2, field, || format!("{:?}", warp.report()));
            Ok(())
        }
        _ => case.unknown(field),
    })
}

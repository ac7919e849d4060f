//! One polynomial through all points, and what spacing does to it.

use super::case::{Case, Outcome};
use inbetween::math::spline::{Lagrange, chebyshev_nodes, equispaced_nodes};

pub(super) fn run(case: &Case) -> Outcome {
    if case.has("function") { runge(case) } else { points(case) }
}

fn values(polynomial: &Lagrange, at: &[f64]) -> Vec<f64> {
    at.iter().map(|x| polynomial.value(*x)).collect()
}

fn points(case: &Case) -> Outcome {
    let (x, y): (Vec<f64>, Vec<f64>) = (case.input("x")?, case.input("y")?);
    let polynomial = Lagrange::new(&x, &y).ok_or("no polynomial")?;
    let got = values(&polynomial, &case.input::<Vec<f64>>("sample_x")?);
    case.judge(|field| match field {
        "values" => case.numbers(field, &got),
        _ => case.unknown(field),
    })
}

fn runge(case: &Case) -> Outcome {
    let function = match case.input::<String>("function")?.as_str() {
        "1/(1+25x^2)" => |x: f64| 1.0 / (1.0 + 25.0 * x * x),
        other => return Err(format!("the function {other} is not known")),
    };
    let count: usize = case.input("n")?;
    let nodes = match case.input::<String>("nodes")?.as_str() {
        "equispaced" => equispaced_nodes(count),
        "chebyshev" => chebyshev_nodes(count),
        other => return Err(format!("no nodes are called {other}")),
    };
    let mut listed: Vec<f64> = case.input("node_x")?;
    let mut ours = nodes.clone();
    listed.sort_by(f64::total_cmp);
    ours.sort_by(f64::total_cmp);
    let same = listed.len() == ours.len() && listed.iter().zip(&ours).all(|(a, b)| (a - b).abs() < 1e-12);
    case.hold(same, "node_x", || format!("got {ours:?}, wanted {listed:?}"));
    let polynomial =
        Lagrange::new(&nodes, &nodes.iter().map(|x| function(*x)).collect::<Vec<_>>()).ok_or("no polynomial")?;
    let got = values(&polynomial, &case.input::<Vec<f64>>("sample_x")?);
    let miss = |k: i32| {
        let x = f64::from(k) / 500.0 - 1.0;
        (polynomial.value(x) - function(x)).abs()
    };
    case.judge(|field| match field {
        "values" => case.numbers(field, &got),
        "max_abs_error_on_grid_1001" => case.number(field, (0..=1000).map(miss).fold(0.0, f64::max)),
        _ => case.unknown(field),
    })
}

//! One polynomial through all points, and what spacing does to it: the polynomial itself, and the scheme of a document's
//! curve within its keys (beyond them a curve does what its extrapolation says).

use super::case::{Case, Outcome};
use super::played::Played;
use inbetween::math::spline::{Lagrange, chebyshev_nodes, equispaced_nodes};
use inbetween::model::{Key, KeyedCurve, Scheme};

pub(super) fn run(case: &Case) -> Outcome {
    if case.has("function") { runge(case) } else { points(case) }
}

fn values(polynomial: &Lagrange, at: &[f64]) -> Vec<f64> {
    at.iter().map(|x| polynomial.value(*x)).collect()
}

fn points(case: &Case) -> Outcome {
    let (x, y): (Vec<f64>, Vec<f64>) = (case.input("x")?, case.input("y")?);
    let polynomial = Lagrange::new(&x, &y).ok_or("no polynomial")?;
    let at: Vec<f64> = case.input("sample_x")?;
    let got = values(&polynomial, &at);
    let played = within_keys(&x, &y, &at, &got)?;
    case.judge(|field| match field {
        "values" => {
            case.numbers(field, &got)?;
            case.numbers(field, &played)
        }
        _ => case.unknown(field),
    })
}

/// What a document's curve by the scheme of one polynomial plays at places within its keys; at the others, `beyond`.
fn within_keys(x: &[f64], y: &[f64], at: &[f64], beyond: &[f64]) -> Result<Vec<f64>, String> {
    let mut keys: Vec<Key> = x.iter().zip(y).map(|(x, y)| Key::new(*x, *y)).collect();
    keys.sort_by(|a, b| a.time.total_cmp(&b.time));
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return Err("no keys".to_owned()) };
    let within = first.time..=last.time;
    let curve = KeyedCurve { keys: keys.into_iter().collect(), scheme: Scheme::Lagrange, ..KeyedCurve::default() };
    let played = Played::scalar(&curve)?.values(at);
    let each = at.iter().zip(beyond).zip(played);
    Ok(each.map(|((at, beyond), played)| if within.contains(at) { played } else { *beyond }).collect())
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
    let heights: Vec<f64> = nodes.iter().map(|x| function(*x)).collect();
    let polynomial = Lagrange::new(&nodes, &heights).ok_or("no polynomial")?;
    let at: Vec<f64> = case.input("sample_x")?;
    let grid: Vec<f64> = (0..=1000).map(|k| f64::from(k) / 500.0 - 1.0).collect();
    let (got, on_grid) = (values(&polynomial, &at), values(&polynomial, &grid));
    let played = within_keys(&nodes, &heights, &at, &got)?;
    let played_on_grid = within_keys(&nodes, &heights, &grid, &on_grid)?;
    let miss = |got: &[f64]| grid.iter().zip(got).map(|(x, y)| (y - function(*x)).abs()).fold(0.0, f64::max);
    case.judge(|field| match field {
        "values" => {
            case.numbers(field, &got)?;
            case.numbers(field, &played)
        }
        "max_abs_error_on_grid_1001" => {
            case.number(field, miss(&on_grid))?;
            case.number(field, miss(&played_on_grid))
        }
        _ => case.unknown(field),
    })
}

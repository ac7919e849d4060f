//! Plots as tables.

use super::{Plot, Series};

/// Comma-separated values (RFC 4180): the time, then a column for each line of each panel, a row for each time any of them
/// has; a cell is empty where its line has no point at that time. Numbers are written so that they read back exactly.
#[must_use]
pub fn csv(plot: &Plot) -> String {
    let columns: Vec<(&str, &Series)> =
        plot.panels.iter().flat_map(|panel| panel.series.iter().map(|series| (&*panel.label, series))).collect();
    let mut out = quoted(&plot.time_label);
    for (label, series) in &columns {
        out.push(',');
        out.push_str(&quoted(&format!("{}: {label}", series.name)));
    }
    out.push_str("\r\n");
    let mut times: Vec<f64> =
        columns.iter().flat_map(|(_, series)| series.points.iter().map(|[time, _]| *time)).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut next = vec![0; columns.len()];
    for time in times {
        out.push_str(&time.to_string());
        for (at, (_, series)) in next.iter_mut().zip(&columns) {
            out.push(',');
            if let Some([_, value]) = series.points.get(*at).filter(|[own, _]| *own == time) {
                out.push_str(&value.to_string());
                *at += 1;
            }
        }
        out.push_str("\r\n");
    }
    out
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

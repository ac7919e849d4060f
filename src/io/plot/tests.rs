use super::*;
use crate::model::*;
use std::sync::Arc;

fn document() -> (Document, PlotRequest) {
    let mut document = Document::default();
    let object = document.add_object(Object::rig("Bob, \"the\" rig", Rig::default()));
    let mut clip = Clip::new("Swing", FrameRange::new(0, 24));
    let path = ChannelPath::object(object, Property::Rotation, Component::X);
    let mut first = Key::new(0.0, 0.0);
    first.interpolation = Interpolation::Linear;
    let mut second = Key::new(0.5, std::f64::consts::PI);
    second.interpolation = Interpolation::Step;
    let keys = [first, second, Key::new(1.0, 0.0)].into_iter().collect();
    let curve = KeyedCurve { keys, ..KeyedCurve::default() };
    clip.channels.insert(path, Arc::new(Curve::Scalar(ScalarCurve::Keyed(curve))));
    let clip = document.add_clip(clip);
    Arc::make_mut(&mut document.settings).clip = Some(clip);
    let request = PlotRequest { clip, channels: vec![path], frames: None, derivatives: true, time: TimeAxis::Seconds };
    (document, request)
}

#[test]
fn values_are_in_degrees_and_slopes_are_those_of_the_curve() {
    let (document, request) = document();
    let plot = of_channels(&document, &request).unwrap();
    let labels: Vec<&str> = plot.panels.iter().map(|panel| &*panel.label).collect();
    assert_eq!(labels, ["rotation (\u{b0})", "rotation velocity (\u{b0}/s)", "rotation acceleration (\u{b0}/s\u{b2})"]);
    let value = &plot.panels[0].series[0];
    assert_eq!(value.keys.len(), 3);
    assert!((value.keys[1][1] - 180.0).abs() < 1e-9);
    let ramp = plot.panels[1].series[0].points.iter().filter(|[time, _]| *time < 0.5);
    assert!(ramp.clone().count() > 100 && ramp.into_iter().all(|[_, slope]| (slope - 360.0).abs() < 1e-4));
    let held = plot.panels[1].series[0].points.iter().filter(|[time, _]| *time > 0.5 && *time < 1.0);
    assert!(held.into_iter().all(|[_, slope]| *slope == 0.0));
}

#[test]
fn a_step_stands_upright() {
    let (document, request) = document();
    let plot = of_channels(&document, &request).unwrap();
    let points = &plot.panels[0].series[0].points;
    let before_last = points[points.len() - 2];
    assert!(1.0 - before_last[0] < 1e-12 && (before_last[1] - 180.0).abs() < 1e-9);
}

#[test]
fn tables_read_back_exactly() {
    let (document, request) = document();
    let plot = of_channels(&document, &PlotRequest { time: TimeAxis::Frames, derivatives: false, ..request }).unwrap();
    let text = csv(&plot);
    let mut lines = text.split("\r\n");
    assert_eq!(lines.next().unwrap(), "frame,\"Bob, \"\"the\"\" rig/rotation.x: rotation (\u{b0})\"");
    let rows: Vec<[f64; 2]> = lines
        .filter(|line| !line.is_empty())
        .map(|line| line.split_once(',').map(|(a, b)| [a.parse().unwrap(), b.parse().unwrap()]).unwrap())
        .collect();
    assert_eq!(rows, plot.panels[0].series[0].points);
}

#[test]
fn svg_has_its_size_in_millimetres_and_print_is_white() {
    let (document, request) = document();
    let plot = of_channels(&document, &request).unwrap();
    let sheet = Sheet { size_mm: [120.0, 90.0], ..Sheet::new(Style::Print, 1) };
    let text = svg(&plot, &sheet).unwrap();
    assert!(text.starts_with("<svg width=\"120mm\" height=\"90mm\" viewBox=\"0 0 2400 1800\""), "{}", &text[..90]);
    assert!(text.contains("#FFFFFF") && text.contains("rotation velocity") && text.contains("Swing"));
    assert!(!svg(&plot, &Sheet { style: Style::Screen, ..sheet }).unwrap().contains("fill=\"#FFFFFF\""));
}

#[test]
fn png_has_the_pixels_of_its_resolution_and_draws_lines() {
    let (document, request) = document();
    let plot = of_channels(&document, &request).unwrap();
    let sheet = Sheet { size_mm: [50.8, 25.4], dpi: 100.0, style: Style::Print };
    let bytes = png(&plot, &sheet).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    assert_eq!((reader.info().width, reader.info().height), (200, 100));
    let mut pixels = vec![0; 200 * 100 * 3];
    reader.next_frame(&mut pixels).unwrap();
    let coloured = pixels.chunks(3).filter(|pixel| pixel.iter().max() != pixel.iter().min()).count();
    assert!(coloured > 50, "{coloured}");
}

#[test]
fn flat_empty_and_endless_curves_have_a_picture() {
    let flat = |points: Vec<[f64; 2]>| Plot {
        title: String::new(),
        time_label: "frame".to_owned(),
        times: (3.0, 3.0),
        panels: vec![Panel {
            label: "value".to_owned(),
            series: vec![Series { name: "a".to_owned(), points, keys: vec![] }],
        }],
    };
    for points in
        [vec![], vec![[3.0, 7.0]], vec![[0.0, 1e300], [6.0, 1e300]], vec![[0.0, f64::NAN], [1.0, f64::INFINITY]]]
    {
        svg(&flat(points), &Sheet::new(Style::Screen, 1)).unwrap();
    }
    assert!(
        svg(
            &Plot { panels: vec![], ..flat(vec![]) },
            &Sheet { size_mm: [f64::NAN, -3.0], ..Sheet::new(Style::Print, 1) }
        )
        .is_ok()
    );
}

#[test]
fn what_is_no_number_is_named() {
    let (document, request) = document();
    let none = PlotRequest { channels: vec![], ..request.clone() };
    assert_eq!(of_channels(&document, &none), Err(PlotError::Nothing));
    let whole = request.channels[0].with_component(Component::Whole);
    let whole = PlotRequest { channels: vec![whole], ..request };
    assert!(matches!(of_channels(&document, &whole), Err(PlotError::Whole(_))));
}

#[test]
fn a_picture_beyond_all_measure_is_refused() {
    let (document, request) = document();
    let plot = of_channels(&document, &request).unwrap();
    let sheet = Sheet { size_mm: [2_000.0, 2_000.0], dpi: 1_200.0, style: Style::Print };
    assert!(matches!(png(&plot, &sheet), Err(PlotError::TooLarge { .. })));
    assert!(svg(&plot, &sheet).is_ok(), "a drawing without pixels has no such bound");
}

//! BVH text in and out: every rule about good, odd and bad files.

use inbetween::io::bvh::{BvhError, BvhFile, Channel, parse, write};
use inbetween::io::report::{Place, Report};

const HEAD: &str = "HIERARCHY\nROOT Hips\n{\n OFFSET 0 95 0\n CHANNELS 4 Xposition Zrotation Xrotation Yrotation\n \
                    JOINT Tip\n {\n  OFFSET 0 10 0\n  CHANNELS 2 Zrotation Xrotation\n  End Site\n  {\n   OFFSET 0 1 0\n  \
                    }\n }\n}\n";
/// The line the first row of [`with_rows`] stands on.
const FIRST_ROW: usize = 19;

fn read(text: &str) -> Result<(BvhFile, Report), BvhError> {
    let mut report = Report::new();
    parse(text.as_bytes(), &mut report).map(|file| (file, report))
}

fn with_rows(frames: &str, rows: &str) -> String {
    format!("{HEAD}MOTION\nFrames: {frames}\nFrame Time: 0.05\n{rows}")
}

/// The rows of a file, frame by frame.
fn rows(file: &BvhFile) -> Vec<Vec<f64>> {
    (0..file.frames).map(|frame| file.columns.iter().map(|column| column.values[frame]).collect()).collect()
}

fn kinds(report: &Report) -> Vec<&'static str> {
    report.entries().iter().map(|entry| entry.kind).collect()
}

fn place(report: &Report, kind: &str) -> (usize, usize) {
    let entry = report.entries().iter().find(|entry| entry.kind == kind).expect("an entry of that kind");
    let Place::Text { line, column } = entry.place else { panic!("{entry} has no place") };
    (line, column)
}

#[test]
fn a_plain_file_needs_no_remark() {
    let (file, report) = read(&with_rows("2", "1 2 3 4 5 6\n7 8 9 10 11 12\n")).unwrap();
    assert!(report.is_empty(), "{report:?}");
    assert_eq!(rows(&file), [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0]]);
    assert_eq!(
        file.joints.iter().map(|j| (j.name.as_str(), j.parent, j.is_end)).collect::<Vec<_>>(),
        [("Hips", None, false), ("Tip", Some(0), false), ("", Some(1), true)]
    );
    use Channel::{Position, Rotation};
    assert_eq!(file.joints[0].channels, [Position(0), Rotation(2), Rotation(0), Rotation(1)]);
    assert_eq!((file.frame_time.text.as_str(), file.frame_time.secs), ("0.05", 0.05));
}

#[test]
fn layout_does_not_matter() {
    let plain = read(&with_rows("2", "1 2 3 4 5 6\n7 8 9 10 11 12\n")).unwrap().0;
    let text = with_rows("2", "1 2 3 4 5 6\n7 8 9 10 11 12\n");
    let variants = [
        text.replace('\n', "\r\n"),
        text.replace(' ', "\t"),
        text.trim_end().to_owned(),
        text.replace("\n {", " {").replace("\n{", "{").replace("{\n", "{ "),
        text.replace("position", "POSITION").replace("rotation", "Rotation"),
        text.replace("\n1 2", "\n\n \n  1  2").replace("12\n", "12   \n\n\n"),
        text.replace("HIERARCHY", "hierarchy").replace("ROOT", "Root").replace("Frames: ", "FRAMES:"),
        text.replace("Frame Time: ", "Frame Time:\t"),
        text.replace("1 2 3 4 5 6", "1 2\n3 4 5 6").replace("7 8 9 10 11 12", "7 8\n\n9 10 11 12"),
        text.replace("1 2 3", "1e0 +2 30E-1"),
    ];
    for variant in variants {
        let (file, report) = read(&variant).unwrap_or_else(|e| panic!("{e}\n{variant}"));
        assert_eq!(file, plain, "{variant}");
        assert!(report.is_empty(), "{report:?}\n{variant}");
    }
}

#[test]
fn names_are_kept_whole() {
    for name in ["Model:Spine.001", "Spine 01 (mid)", "左腕", "a  b", "JOINT", "Frames: 3", "//x"] {
        let text = with_rows("1", "1 2 3 4 5 6\n").replace("JOINT Tip", &format!("JOINT {name}"));
        let (file, _) = read(&text).unwrap();
        assert_eq!(file.joints[1].name, name);
        assert_eq!(read(std::str::from_utf8(&write(&file)).unwrap()).unwrap().0.joints, file.joints);
    }
    let (twice, _) = read(&with_rows("1", "1 2 3 4 5 6\n").replace("Tip", "Hips")).unwrap();
    assert_eq!(twice.joints[1].name, "Hips");
}

#[test]
fn rows_count_not_the_frames_line() {
    for (declared, kind) in
        [("5", 1), ("1", 1), ("0", 1), ("4000000000", 1), ("-3", 1), ("99999999999999999999", 1), ("x", 1)]
    {
        let (file, report) = read(&with_rows(declared, "1 2 3 4 5 6\n1 2 3 4 5 6\n")).unwrap();
        assert_eq!((file.frames, report.count("frames-count")), (2, kind), "{declared}");
        assert_eq!(place(&report, "frames-count"), (FIRST_ROW - 2, 9));
    }
    let text = with_rows("2", "1 2 3 4 5 6\n1 2 3 4 5 6\n").replace("Frames: 2\n", "");
    assert_eq!(kinds(&read(&text).unwrap().1), ["frames-count"]);
    let (none, report) = read(&with_rows("0", "")).unwrap();
    assert_eq!((none.frames, none.columns.len(), report.total()), (0, 6, 0));
}

#[test]
fn a_missing_or_impossible_frame_time_is_a_thirtieth() {
    let text = with_rows("1", "1 2 3 4 5 6\n");
    for line in ["", "Frame Time:\n", "Frame Time: 0\n", "Frame Time: -1\n", "Frame Time: nan\n", "Frame Time: soon\n"]
    {
        let (file, report) = read(&text.replace("Frame Time: 0.05\n", line)).unwrap();
        assert_eq!((file.frame_time.secs, file.frames), (1.0 / 30.0, 1), "{line}");
        assert_eq!(kinds(&report), ["frame-time"], "{line}");
        assert_eq!(place(&report, "frame-time").0, FIRST_ROW - 1, "{line}");
    }
}

#[test]
fn values_that_are_no_numbers_take_the_neighbours() {
    let text =
        with_rows("4", "1 nan 3 inf 5 NaN\n1 2 -nan(ind) 4 5 NaN\nnan 20 3 4 1e999 nan\n1 2 3 4 1e308 1.#QNAN\n");
    let (file, report) = read(&text).unwrap();
    assert_eq!(
        rows(&file),
        [
            [1.0, 2.0, 3.0, 4.0, 5.0, 0.0],
            [1.0, 2.0, 3.0, 4.0, 5.0, 0.0],
            [1.0, 20.0, 3.0, 4.0, 5.0, 0.0],
            [1.0, 2.0, 3.0, 4.0, 5.0, 0.0],
        ]
    );
    assert_eq!(report.count("value"), 10);
    assert_eq!(place(&report, "value"), (FIRST_ROW, 3));
    // A position without any value is where OFFSET says.
    let (file, _) = read(&with_rows("1", "nan 0 0 0 0 0\n").replace("OFFSET 0 95 0", "OFFSET 7 95 0")).unwrap();
    assert_eq!(file.columns[0].values[0], 7.0);
}

#[test]
fn a_cut_last_row_is_dropped() {
    for last in ["7 8 9", "7 8 9\n", "7 8 9 10 11 -", "7 8 9 10 11 1e-", "7"] {
        let (file, report) = read(&with_rows("2", &format!("1 2 3 4 5 6\n{last}"))).unwrap();
        assert_eq!((file.frames, file.columns[5].values.as_ref()), (1, &[6.0][..]), "{last}");
        assert_eq!((kinds(&report), place(&report, "cut-row")), (vec!["cut-row"], (FIRST_ROW + 1, 1)), "{last}");
    }
    // Wrapped rows: a line short, a line missing.
    for last in ["7 8\n9 10", "7 8\n", "7"] {
        let (file, report) = read(&with_rows("2", &format!("1 2\n3 4 5 6\n{last}"))).unwrap();
        assert_eq!((file.frames, kinds(&report)), (1, vec!["cut-row"]), "{last}");
    }
    let (file, report) = read(&with_rows("1", "1 2 3")).unwrap();
    assert_eq!((file.frames, kinds(&report)), (0, vec!["cut-row"]));
}

#[test]
fn no_end_site_is_reported_and_none_is_made() {
    let text = with_rows("1", "1 2 3 4 5 6\n").replace("  End Site\n  {\n   OFFSET 0 1 0\n  }\n", "");
    let (file, report) = read(&text).unwrap();
    assert_eq!((file.joints.len(), kinds(&report)), (2, vec!["no-end-site"]));
    assert_eq!(place(&report, "no-end-site"), (6, 2));
    assert!(!String::from_utf8(write(&file)).unwrap().contains("End Site"));
}

/// Every error says line, column, what was found, what was wanted and what to do.
#[test]
fn faults_that_could_shift_channels_are_errors() {
    let row = "1 2 3 4 5 6\n";
    let good = with_rows("2", &format!("{row}{row}"));
    let r = FIRST_ROW;
    let cases = [
        (String::new(), 1, 1, "the end of the file", "HIERARCHY"),
        ("glTF".into(), 1, 1, "`glTF`", "HIERARCHY"),
        (good.replace("HIERARCHY\n", ""), 1, 1, "`ROOT`", "HIERARCHY"),
        ("HIERARCHY\n".into(), 2, 1, "the end of the file", "ROOT"),
        ("HIERARCHY\nMOTION\n".into(), 2, 1, "`MOTION`", "ROOT"),
        (HEAD.into(), 16, 1, "the end of the file", "ROOT or MOTION"),
        (good.replace(" }\n}\n", " }\n"), 15, 1, "`MOTION`", "in joint `Hips`"),
        (good.replace(" }\n}\n", " }\n}\n}\n"), 16, 1, "`}`", "ROOT or MOTION"),
        (good.replace("Tip\n {", "Tip\n"), 8, 3, "`OFFSET`", "`{` to open joint `Tip`"),
        (HEAD.split("4 X").next().unwrap_or_default().into(), 5, 11, "the end of the file", "the number of channels"),
        (good.replace("OFFSET 0 10 0", "OFFSET 0 nan 0"), 8, 12, "`nan`", "finite"),
        (good.replace("OFFSET 0 10 0", "OFFSET 0 1e200 0"), 8, 12, "`1e200`", "finite"),
        (good.replace("OFFSET 0 10 0", "OFFSET 0 10"), 9, 3, "`CHANNELS`", "a number"),
        (good.replace("  OFFSET 0 10 0\n", ""), 13, 2, "`}`", "an OFFSET in joint `Tip`"),
        (good.replace("CHANNELS 2", "CHANNELS 3"), 10, 3, "`End`", "channel 3 of 3"),
        (good.replace("CHANNELS 2", "CHANNELS 1"), 9, 24, "`Xrotation`", "1 channels"),
        (good.replace("CHANNELS 2", "CHANNELS 4000000000"), 10, 3, "`End`", "channel 3 of 4000000000"),
        (good.replace("CHANNELS 2", "CHANNELS two"), 9, 12, "`two`", "the number of channels"),
        (good.replace("2 Zrotation", "2 Wrotation"), 9, 14, "`Wrotation`", "channel 1 of 2"),
        (good.replace("2 Zrotation", "2 Xrotation"), 9, 24, "`Xrotation`", "once"),
        (good.replace("End Site\n  {", "End Site\n  {\n JOINT x {"), 12, 2, "`JOINT`", "End Site"),
        (with_rows("2", &format!("1 2 3 4 5\n{row}")), r, 10, "5 values", "6 values"),
        (with_rows("2", &format!("1 2 3 4 5 6 7\n{row}")), r, 13, "7 values", "6 values"),
        (with_rows("3", &format!("{row}1 2 3 4 5\n{row}")), r + 1, 10, "5 values", "6 values"),
        (with_rows("2", &format!("{row}1 2 3 4 5 6 7 8\n")), r + 1, 13, "8 values", "6 values"),
        (with_rows("2", "1 2\n3 4 5 6\n1 2 3\n4 5 6\n"), r + 2, 5, "3 values", "2 values"),
        (with_rows("2", &format!("{row}1 2 x 4 5 6\n")), r + 1, 5, "`x`", "a number"),
        (with_rows("2", &format!("{row}1,5 2 3 4 5 6\n")), r + 1, 1, "`1,5`", "a number"),
        (with_rows("2", &format!("{row}end\n")), r + 1, 1, "`end`", "a number"),
    ];
    for (text, line, column, found, wanted) in cases {
        let error = read(&text).expect_err(&text);
        assert_eq!((error.line, error.column, error.found.as_str()), (line, column, found), "{error}\n{text}");
        assert!(error.wanted.contains(wanted) && !error.remedy.is_empty(), "{error}\n{text}");
    }
}

#[test]
fn depth_and_counts_do_not_exhaust_anything() {
    let depth = 100_000;
    let mut text = String::from("HIERARCHY\nROOT a { OFFSET 0 0 0 ");
    text.push_str(&"JOINT b { OFFSET 0 1 0 ".repeat(depth));
    text.push_str(&"}".repeat(depth + 1));
    text.push_str("\nMOTION\nFrames: 4000000000\nFrame Time: 0.05\n");
    let (file, _) = read(&text).unwrap();
    assert_eq!((file.joints.len(), file.frames), (depth + 1, 0));
    let out = write(&file);
    assert!(out.len() < 20_000_000);
    assert_eq!(read(std::str::from_utf8(&out).unwrap()).unwrap().0.joints, file.joints);
    let open = read(&text[..text.find("JOINT b { OFFSET 0 1 0 }").unwrap_or(0)]).unwrap_err();
    assert!(open.line == 2 && open.remedy.contains("cut short"), "{open}");
}

/// Many frames, so that several threads share the rows; faults are found at the right line all the same.
#[test]
fn long_files_are_read_by_several_threads_alike() {
    for wrapped in [false, true] {
        let frames = 30_000;
        let mut body = String::new();
        for frame in 0..frames {
            let turn = frame as f64 * 0.25;
            let gap = if wrapped { "\n" } else { " " };
            body.push_str(&format!("{turn:.6} 1.5{gap}-{turn:.6} 4 0.000001 {frame}\n"));
            if frame % 1000 == 0 {
                body.push('\n');
            }
        }
        let (file, report) = read(&with_rows(&frames.to_string(), &body)).unwrap();
        assert!(report.is_empty(), "{report:?}");
        assert_eq!(file.frames, frames);
        for frame in 0..frames {
            let turn = frame as f64 * 0.25;
            let row: Vec<f64> = file.columns.iter().map(|column| column.values[frame]).collect();
            assert_eq!(row, [turn, 1.5, -turn, 4.0, 0.000_001, frame as f64]);
        }
        assert_eq!(read(std::str::from_utf8(&write(&file)).unwrap()).unwrap().0, file);
        for frame in [1_usize, 999, 14_000, 15_001, 29_998] {
            let bad = body.replace(&format!(" 0.000001 {frame}\n"), &format!(" 0.000001x {frame}\n"));
            let error = read(&with_rows("1", &bad)).unwrap_err();
            let blanks = 1 + frame.saturating_sub(1) / 1000;
            let line = FIRST_ROW + blanks + if wrapped { 2 * frame + 1 } else { frame };
            assert_eq!((error.line, error.found.as_str()), (line, "`0.000001x`"), "frame {frame}, wrapped {wrapped}");
        }
        let cut = read(&with_rows("1", &body[..body.len() - 9])).unwrap();
        assert_eq!((cut.0.frames, cut.1.count("cut-row")), (frames - 1, 1));
    }
}

/// One frame fills more bytes than a thread's share: frames must not be torn.
#[test]
fn long_rows_are_not_torn_between_threads() {
    let joints = 12_000;
    let mut text = String::from("HIERARCHY\nROOT a { OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition\n");
    for _ in 1..joints {
        text.push_str("JOINT b { OFFSET 0 1 0 CHANNELS 3 Zrotation Xrotation Yrotation }\n");
    }
    text.push_str("}\nMOTION\nFrames: 5\nFrame Time: 0.05\n");
    for value in 0..5 * joints * 3 {
        let end = if value % 9 == 4 || value % 9 == 8 { '\n' } else { ' ' };
        text.push_str(&format!("{value}.{value:06}{end}"));
    }
    let (file, report) = read(&text).unwrap();
    assert_eq!((file.frames, report.count("no-end-site"), report.total()), (5, joints - 1, joints - 1));
    for (channel, column) in file.columns.iter().enumerate() {
        for (frame, got) in column.values.iter().enumerate() {
            assert_eq!(*got as usize, frame * joints * 3 + channel);
        }
    }
}

#[test]
fn case_b02_colons_and_dots_stay_in_names() {
    let (file, _) = read(include_str!("../data/bvh/B02_colon_names.bvh")).unwrap();
    let text = String::from_utf8(write(&file)).unwrap();
    assert_eq!((file.joints[0].name.as_str(), file.joints[1].name.as_str()), ("Model:Hips", "Model:Spine.001"));
    assert!(text.contains("ROOT Model:Hips\n") && text.contains("JOINT Model:Spine.001\n"));
}

#[test]
fn case_b04_exponents_are_numbers() {
    let (file, _) = read(include_str!("../data/bvh/B04_scientific.bvh")).unwrap();
    assert_eq!(file.frame_time.secs, 0.05);
    assert_eq!(file.joints[1].offset, [0.0, 10.0, 0.0]);
    assert_eq!(rows(&file)[0], [-0.000_012_535_8, 95.0, 0.0, 1.2379e-6, -45.0, 0.0]);
    assert_eq!(read(std::str::from_utf8(&write(&file)).unwrap()).unwrap().0, file);
}

//! The icons: small drawings in `icons/`, read from their SVG text once and painted as lines in the colour of the text.
//!
//! Of SVG they use absolute `M L H V C Z` paths in a 24 x 24 box, stroked, or filled where a path says so (then convex).

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use std::sync::OnceLock;

macro_rules! icons {
    ($($icon:ident $name:literal),* $(,)?) => {
        /// An icon.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "each is named as its drawing is")]
        pub enum Icon { $($icon),* }

        impl Icon {
            /// All icons.
            pub const ALL: &'static [Self] = &[$(Self::$icon),*];

            const fn svg(self) -> &'static str {
                match self { $(Self::$icon => include_str!(concat!("../../icons/", $name, ".svg"))),* }
            }
        }
    };
}

icons! {
    Select "select",
    DragLimb "drag_limb",
    Move "move",
    Rotate "rotate",
    Play "play",
    PlayBack "play_back",
    Pause "pause",
    First "first",
    Last "last",
    StepBack "step_back",
    StepForward "step_forward",
    PreviousKey "previous_key",
    NextKey "next_key",
    Loop "loop",
    Key "key",
    KeySet "key_set",
    Record "record",
    Eye "eye",
    EyeOff "eye_off",
    Joint "joint",
    JointEnd "joint_end",
    Rig "rig",
    Path "path",
    Empty "empty",
    Camera "camera",
    Search "search",
    Close "close",
    Delete "delete",
    Correction "correction",
    Pin "pin",
    Muted "muted",
    Continuity "continuity",
    Clip "clip",
    Info "info",
    Warn "warn",
    Error "error",
    Snap "snap",
    ChevronRight "chevron_right",
    ChevronDown "chevron_down",
    ChevronUp "chevron_up",
    History "history",
    Viewport "viewport",
    Graph "graph",
    Timeline "timeline",
    Outliner "outliner",
    Inspector "inspector",
    Log "log",
    Mannequin "mannequin",
    Mesh "mesh",
    Light "light",
    Lattice "lattice",
    Brush "brush",
    Deformer "deformer",
    Pull "pull",
    Weights "weights",
    PaintMask "paint_mask",
    Bones "bones",
    Grid "grid",
    Names "names",
    Onion "onion",
    Trail "trail",
    Spacing "spacing",
    Lock "lock",
    Unlock "unlock",
    FrameAll "frame_all",
    FrameSelected "frame_selected",
    Normalise "normalise",
    Follow "follow",
    Velocity "velocity",
    Acceleration "acceleration",
    LevelHand "level_hand",
    Write "write",
    Grip "grip",
    Help "help",
}

/// Side of the box the drawings are made in.
const BOX: f32 = 24.0;
/// Stroke width in that box.
const STROKE: f32 = 1.6;
/// Straight pieces a cubic is drawn with.
const PIECES: u8 = 6;

/// One path of a drawing, flattened.
#[derive(Debug, Default)]
struct Path {
    points: Vec<Pos2>,
    closed: bool,
    filled: bool,
}

impl Icon {
    /// Paints the icon in the middle of a rectangle, `size` points wide and high.
    pub fn paint(self, painter: &Painter, rect: Rect, size: f32, colour: Color32) {
        let scale = size / BOX;
        let origin = rect.center() - Vec2::splat(size / 2.0);
        let stroke = Stroke::new((STROKE * scale).max(1.0), colour);
        for path in self.paths() {
            let points: Vec<Pos2> = path.points.iter().map(|p| origin + p.to_vec2() * scale).collect();
            painter.add(match (path.filled, path.closed) {
                (true, _) => Shape::convex_polygon(points, colour, Stroke::NONE),
                (false, true) => Shape::closed_line(points, stroke),
                (false, false) => Shape::line(points, stroke),
            });
        }
    }

    fn paths(self) -> &'static [Path] {
        static PARSED: OnceLock<Vec<Vec<Path>>> = OnceLock::new();
        let all = PARSED.get_or_init(|| Self::ALL.iter().map(|icon| parse_svg(icon.svg())).collect());
        all.get(self as usize).map_or(&[], Vec::as_slice)
    }
}

fn parse_svg(svg: &str) -> Vec<Path> {
    svg.split("<path d=\"")
        .skip(1)
        .filter_map(|rest| {
            let (data, after) = rest.split_once('"')?;
            let element = after.split("/>").next()?;
            let mut path = parse_path(data);
            path.filled = element.contains("fill=\"currentColor\"");
            Some(path)
        })
        .collect()
}

fn parse_path(data: &str) -> Path {
    let mut path = Path::default();
    let mut at = Pos2::ZERO;
    let mut words = data.split_whitespace();
    let mut command = ' ';
    while let Some(word) = words.next() {
        let mut rest = word;
        if let Some(first) = word.chars().next().filter(char::is_ascii_alphabetic) {
            command = first;
            rest = &word[first.len_utf8()..];
        }
        if command == 'Z' {
            path.closed = true;
            continue;
        }
        let first: f32 = rest.parse().unwrap_or(0.0);
        let mut number = || words.next().and_then(|word| word.parse::<f32>().ok()).unwrap_or(0.0);
        match command {
            'H' => at.x = first,
            'V' => at.y = first,
            'C' => {
                let (a, b) = (pos2(first, number()), pos2(number(), number()));
                let end = pos2(number(), number());
                path.points.extend((1..PIECES).map(|i| cubic([at, a, b, end], f32::from(i) / f32::from(PIECES))));
                at = end;
            }
            _ => at = pos2(first, number()),
        }
        path.points.push(at);
    }
    path
}

fn cubic([a, b, c, d]: [Pos2; 4], t: f32) -> Pos2 {
    let s = 1.0 - t;
    let weighted = |p: Pos2, w: f32| vec2(p.x, p.y) * w;
    (weighted(a, s * s * s) + weighted(b, 3.0 * s * s * t) + weighted(c, 3.0 * s * t * t) + weighted(d, t * t * t))
        .to_pos2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_drawing_stays_in_its_box_and_fills_convex_shapes() {
        for icon in Icon::ALL {
            assert!(!icon.paths().is_empty(), "{icon:?} is empty");
            for path in icon.paths() {
                assert!(path.points.len() > 1, "{icon:?} has a path of one point");
                assert!(
                    path.points.iter().all(|p| (0.0..=BOX).contains(&p.x) && (0.0..=BOX).contains(&p.y)),
                    "{icon:?}"
                );
                assert!(!path.filled || is_convex(&path.points), "{icon:?} fills a shape that is not convex");
            }
        }
    }

    fn is_convex(points: &[Pos2]) -> bool {
        let turns = (0..points.len()).map(|i| {
            let p = |k: usize| points[(i + k) % points.len()];
            let (a, b) = (p(1) - p(0), p(2) - p(1));
            a.x * b.y - a.y * b.x
        });
        let turns: Vec<f32> = turns.collect();
        turns.iter().all(|t| *t >= -1e-3) || turns.iter().all(|t| *t <= 1e-3)
    }
}

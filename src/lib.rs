//! Inbetween: a rig-and-curve editor for character animation.
//!
//! One document holds characters, curves, paths and what is done to them; every panel is another way to touch the same
//! motion. One idea carries it: **everything that can move is a channel**, a [`model::ChannelPath`] for which a
//! [`model::Clip`] may hold a curve. Keys, graph, copies, undo, baking and files are written once, against channels.
//!
//! Inside: right-handed, Y up, metres, seconds, radians, `f64`. Degrees, frames and the file's unit are for the eye.
//!
//! # Rooms
//!
//! Each room may use those named beside it and no others; `tests/it/layering.rs` reads every `use` and holds to it.
//!
//! | room | holds | may use |
//! |---|---|---|
//! | [`math`] | numbers: rotations, cubics, eases, splines, paths, roots | nothing of ours; nalgebra |
//! | [`model`] | the document as plain data, its invariants, its saved form, differences of two | `math` |
//! | [`eval`] | pure functions: document and time to pose; curves, solvers, limbs, drags, pins, trails, skins; poses for pictures in single precision ([`eval::preview`]) | `math`, `model`, `progress` |
//! | [`edit`] | every change, as data; gestures, undo, selection | `math`, `model`, `eval` |
//! | [`io`] | bytes to documents and back: RON, BVH, glTF, plots, pictures, the journal | the above, `notice`, `progress` |
//! | [`interact`] | what pointer and keys mean, without a toolkit: tools, picking, cameras, view state | `math`, `model`, `eval`, `edit` |
//! | [`render`] | OpenGL; the only room that knows three-d and glow | `math`, `style` |
//! | [`scene`] | an evaluated document as a picture's description: mannequin, ghosts, marks | `math`, `model`, `eval`, `interact`, `render`, `style` |
//! | [`command`] | the table of everything the program can be told to do | `model`, `edit`, `interact` |
//! | [`ui`] | panels and widgets; the only room that knows egui widgets; changes nothing itself | all but `io`, `cli`, `app`; of `render` the scene only |
//! | [`cli`] | the program without a window | all but `ui`, `app` |
//! | [`app`] | wiring: the window, files, work beside it, what commands do | all |
//! | [`samples`] | the sample documents and templates of new characters, built by code | `math`, `model`, `eval` |
//!
//! # One edit
//!
//! ```text
//! pointer, keys --ui--> interact tool --Gesture(Edit)--> command queue --app--> edit::Session --> model::Document (Arcs)
//!      ^                                                                            |                    |
//!      |                                              io::journal <-- Recorded -----+                    v
//!   picture <--render-- RenderScene <--scene-- EvaluatedFrame <------------------------- eval::Evaluator (keyed by Arcs)
//! ```
//!
//! A gesture applies its *total* change to the document as it was at the press: a hundred small moves are one big one to
//! the bit, Esc gives back the same parts, a drag is one step of undo. Undo is a list of documents that share what they
//! have in common. Evaluation is a function of document and time; its caches compare the identity of shared parts, so that
//! there is nothing to invalidate.
//!
//! What an object plays at a time: its layers ([`eval::blend::layers`]: clips and blend spaces, one over the other), else a
//! clip. A pose set by hand goes to the clip that the object's work goes to, [`model::Document::clip_of`]; while layers play,
//! into the layer of that clip, as much as it takes for all of them to give the pose ([`eval::blend::layers::written()`]).
//!
//! A clip's value at a time: its curves (with modifiers, read through retimes), then corrections, then waiting edits of
//! exactly that time, then what drives it ([`eval::drive`]); then objects in the order of [`eval::pipeline`]:
//! constraints and followers, joints, constraints and IK chains of joints (in the order of
//! [`model::constraint_order`]), pins, deformers and skins.
//!
//! # Where a new thing goes
//!
//! | a new | is a file in | and a row in |
//! |---|---|---|
//! | interpolation of a key | `eval/curve/schemes` | `SCHEMES` there, [`model::Interpolation`] |
//! | scheme of weights of a blend space | `eval/blend/space` | [`eval::blend::space::SCHEMES`], [`model::BlendScheme`] |
//! | scheme of a whole curve | `eval/curve/whole` | `model/scheme.rs` |
//! | ease | `math/easing` | its table there |
//! | chain solver | `eval/ik` | [`eval::ik::SOLVERS`] |
//! | command | `command/table.rs`, one line | `assets/text/command.en.yml`, `app/dispatch.rs` or the panel's `run` |
//! | panel | `ui/panels` | `ui::panel::PANELS`, [`command::PanelId`] |
//! | tool of the view | `interact/tools` | `interact/viewport_tools.rs` |
//! | change | a variant of the [`edit::Edit`] of its area | its `run` |
//! | kind of file | `io` | `io::open::FileKind` |
//! | kind of constraint | `model/held.rs`, [`model::ConstraintKind`] | `eval/constraint`, the inspector's `constraints` |
//! | deformer | `eval/deform/functions` | its kind and parameters in `model/deform.rs` |
//! | shape of the sample face | `samples/face.rs` | its tables there |
//! | template of a character | `samples/templates.rs` | [`samples::templates::Template`] there |
//! | command without a window | `cli` | `cli::args::Command` |
//! | golden topic | `tests/it/golden` | its table there |

pub mod app;
pub mod cli;
pub mod command;
pub mod edit;
pub mod eval;
pub mod interact;
pub mod io;
pub mod math;
pub mod model;
pub mod notice;
pub mod progress;
pub mod render;
pub mod samples;
pub mod scene;
pub mod style;
pub mod text;
pub mod ui;

rust_i18n::i18n!("assets/text", fallback = "en");

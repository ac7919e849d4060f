//! The tasks a new user has, done in the real window from the start screen at 1280x800, and how many actions each takes.
//!
//! An action is a click, a drag, a key or a typed value. Looking is none: where a test moves the playhead only to learn where
//! a dot of a trail is drawn, a person sees it.

#![cfg(target_os = "linux")]

mod blending;
mod curves;
mod files;
mod person;
mod posing;
mod shapes;
mod timing;

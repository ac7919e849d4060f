//! The program: parses arguments, then runs a headless command or the window.

fn main() {}

//! Rebuilds the crate where only the text tables changed: the macro that reads them does not say so itself.

fn main() {
    println!("cargo:rerun-if-changed=assets/text");
    println!("cargo:rerun-if-changed=src/build.rs");
}

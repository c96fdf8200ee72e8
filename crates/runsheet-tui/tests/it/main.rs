//! How the terminal UI looks, without a terminal.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod harness;
mod history;
mod hostile;
mod keys;
mod looks;
mod random;
mod sizes;
mod states;

#[test]
fn no_file_is_forgotten() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let main = include_str!("main.rs");
    for file in std::fs::read_dir(here).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let Some(module) = name.strip_suffix(".rs") else { continue };
        assert!(module == "main" || main.contains(&format!("mod {module};")), "{name} is no module of main.rs");
    }
}

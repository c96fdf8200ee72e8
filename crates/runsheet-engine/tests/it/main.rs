//! The engine over the in-memory store.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod calls;
mod feed;
mod host;
mod identity;
mod leaving;
mod opening;
mod reports;
mod transfer;

/// A file that is not listed above would silently not be tested.
#[test]
fn every_file_is_a_module() {
    let listed = include_str!("main.rs");
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    for entry in std::fs::read_dir(here).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(module) = name.strip_suffix(".rs") else { continue };
        assert!(module == "main" || listed.contains(&format!("mod {module};")), "{name} is not listed in main.rs");
    }
}

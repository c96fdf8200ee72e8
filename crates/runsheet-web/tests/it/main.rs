//! The host API over the in-memory store.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod assets;
mod edit;
mod feed;
mod host;
mod hostile;
mod openapi;
mod reads;
mod trust;

/// A file that is not listed above would silently not be tested.
#[test]
fn every_file_is_a_module() {
    let listed = include_str!("main.rs");
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    for entry in std::fs::read_dir(here).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        assert!(module == "main" || listed.contains(&format!("mod {module};")), "{name} is not listed in main.rs");
    }
}

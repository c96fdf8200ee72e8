//! Tests of the stores.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests too")]

mod busy;
mod child;
mod crash;
mod damage;
mod desk;
mod disk;
mod durability;
mod memory;
mod model;
mod paths;
mod sqlite;
mod support;

#[test]
fn every_file_is_a_module() {
    let main = include_str!("main.rs");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        assert!(module == "main" || main.contains(&format!("mod {module};")), "{name} is forgotten");
    }
}

//! The integration tests of the core, one binary. A module for each subject, listed here.

#![allow(clippy::unwrap_used, reason = "helpers of tests panic as tests do")]

mod activity;
mod dialect_dsh;
mod dialect_dsh_hostile;
mod dialect_dsh_offer;
mod envelope;
mod lifecycle;
mod log_alone;
mod logs;
mod observed;
mod projections;
mod properties;
mod repair;
mod simulation;
mod surface;
mod todos;
mod told;
mod turns;
mod vocabulary;

/// A file that nobody lists is compiled by nobody and tests nothing.
#[test]
fn every_file_is_listed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it");
    let listed: Vec<&str> =
        include_str!("main.rs").lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
    let mut forgotten = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_module = path.is_dir() || path.extension().is_some_and(|ending| ending == "rs");
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if is_module && name != "main" && !listed.contains(&name.as_str()) {
            forgotten.push(name);
        }
    }
    assert!(forgotten.is_empty(), "add to tests/it/main.rs: {forgotten:?}");
}

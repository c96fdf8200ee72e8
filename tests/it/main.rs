//! Real clients against the built binary, in a network namespace with nothing but loopback.
//! `cargo xtask test --clients` installs the clients, builds the binary and starts these tests where they can run.

#[cfg(feature = "clients")]
mod claude;
#[cfg(feature = "clients")]
mod codex;
#[cfg(feature = "clients")]
mod dsh;
#[cfg(feature = "clients")]
mod gemini;
#[cfg(feature = "clients")]
mod mcp;
#[cfg(feature = "clients")]
mod opencode;

#[test]
fn no_file_is_forgotten() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("it");
    let main = include_str!("main.rs");
    for entry in std::fs::read_dir(folder).expect("the tests' own folder").flatten() {
        let path = entry.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        assert!(
            name == "main" || main.contains(&format!("mod {name};")),
            "{} is not a module of main.rs",
            path.display()
        );
    }
}

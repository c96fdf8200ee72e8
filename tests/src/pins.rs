//! Where `cargo xtask test --clients` has put the pinned clients.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The table the installer reads too.
const PINS: &str = include_str!("../clients.json");

/// The folder the clients are installed under.
pub fn root() -> PathBuf {
    if let Some(root) = std::env::var_os("RUNSHEET_CLIENTS") {
        return root.into();
    }
    let home = std::env::var_os("HOME").expect("HOME is not set; set it, or set RUNSHEET_CLIENTS to a folder");
    Path::new(&home).join(".cache/runsheet-clients")
}

/// The pinned version of a tool.
pub fn version(tool: &str) -> String {
    let pins: Value = serde_json::from_str(PINS).expect("tests/clients.json is JSON");
    let pin = pins.as_array().into_iter().flatten().find(|pin| pin["tool"] == tool);
    let version = pin.and_then(|pin| pin["version"].as_str());
    version.unwrap_or_else(|| panic!("tests/clients.json has no tool {tool}")).to_owned()
}

/// A program an installed tool brings.
pub fn npm_bin(tool: &str, name: &str) -> PathBuf {
    installed(tool, &format!("node_modules/.bin/{name}"))
}

/// The folder of npm's own Node, for what needs a newer one than the machine has.
pub fn node_folder() -> PathBuf {
    let node = installed("node", "node_modules/node/bin/node");
    node.parent().expect("a program stands in a folder").to_owned()
}

/// The Python with the SDK.
pub fn python() -> PathBuf {
    installed("python-sdk", "bin/python")
}

/// A file of an installed tool; a panic with the way to install it when it is not there.
pub fn installed(tool: &str, file: &str) -> PathBuf {
    let path = root().join(tool).join(file);
    assert!(path.exists(), "{} is missing; `cargo xtask test --clients` installs it", path.display());
    path
}

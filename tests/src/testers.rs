//! The MCP testers: programs written by others, or on others' SDKs, that speak to our server.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::pins;
use crate::process::{Finished, Running};
use crate::sandbox::{Sandbox, with_new_node};

/// A script of this package under `testers/`.
pub fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testers").join(name)
}

/// A program of an npm tool, run by npm's own Node.
pub fn node_tool(sandbox: &Sandbox, tool: &str, bin: &str) -> Command {
    let mut command = sandbox.command(&pins::npm_bin(tool, bin));
    with_new_node(&mut command);
    command
}

/// Our script on the TypeScript SDK. It stands where the SDK is installed, because Node looks for packages from there.
pub fn typescript(sandbox: &Sandbox) -> Command {
    let sdk = pins::installed("typescript-sdk", "node_modules/@modelcontextprotocol/sdk/package.json");
    let modules = sdk.ancestors().nth(3).expect("the SDK stands in node_modules");
    let linked =
        sandbox.write("sdk/client.mjs", &std::fs::read_to_string(script("client.mjs")).expect("our own script"));
    let link = linked.with_file_name("node_modules");
    std::os::unix::fs::symlink(modules, link).expect("the sandbox can be written");
    let mut command = sandbox.command(&pins::node_folder().join("node"));
    command.arg(linked);
    command
}

/// Our script on the Python SDK, in one of its modes.
pub fn python(sandbox: &Sandbox, mode: &str) -> Command {
    let mut command = sandbox.command(&pins::python());
    command.arg(script("client.py")).env("MODE", mode).env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// Runs a tester to its end.
pub fn run(sandbox: &Sandbox, command: &mut Command, name: &str) -> Finished {
    Running::start(command, &sandbox.logs(), name).wait()
}

/// The conformance scenarios that must fail, with why.
pub fn expected_failures() -> BTreeMap<String, String> {
    let text = include_str!("../conformance.toml");
    let groups: BTreeMap<String, BTreeMap<String, String>> =
        toml::from_str(text).expect("tests/conformance.toml has groups of scenario = reason");
    groups.into_values().flatten().collect()
}

use std::process::Command;

use serde_json::json;

use super::{PROMPT, Setup};
use crate::pins;
use crate::sandbox::with_new_node;

pub(super) fn command(setup: &Setup<'_>) -> Command {
    setup.stdio_only("dsh");
    let (program, arguments) = setup.program();
    // JSON is YAML too.
    let patch = json!([{ "insert": [{
        "id": "mcp-runsheet",
        "name": "@deepseek-ai/dsh-mcp-client",
        "config": {
            "serverName": "runsheet", "transport": "stdio", "command": program, "args": arguments,
            "failOnStartupError": true,
        },
    }] }]);
    let patch = setup.sandbox.write("mcp.patch.yml", &patch.to_string());
    let mut command = setup.sandbox.command(&pins::npm_bin("dsh", "dsh"));
    with_new_node(&mut command).env("DEEPSEEK_BASE_URL", &setup.model).env("DEEPSEEK_API_KEY", "dummy");
    command.env("DSH_TELEMETRY_MODE", "DISABLED").env("DSH_PERMISSION_MODE", "danger-full-access");
    command.args(["--profile", "headless", "--patch"]).arg(patch).arg(PROMPT);
    command
}

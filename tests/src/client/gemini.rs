use std::process::Command;

use serde_json::json;

use super::{PROMPT, Setup};
use crate::pins;

pub(super) fn command(setup: &Setup<'_>) -> Command {
    setup.stdio_only("gemini");
    let (program, arguments) = setup.program();
    let settings = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "privacy": { "usageStatisticsEnabled": false }, "telemetry": { "enabled": false },
        "general": { "disableAutoUpdate": true, "enableAutoUpdate": false },
        "mcpServers": { "runsheet": { "command": program, "args": arguments, "trust": true } },
    });
    setup.sandbox.write("home/.gemini/settings.json", &settings.to_string());
    let mut command = setup.sandbox.command(&pins::npm_bin("gemini", "gemini"));
    command.env("GEMINI_API_KEY", "dummy").env("GOOGLE_GEMINI_BASE_URL", &setup.model);
    command.env("GEMINI_TELEMETRY_ENABLED", "0").env("GEMINI_CLI_TRUST_WORKSPACE", "true");
    command.args(["--yolo", "--model", "gemini-2.5-flash", "--output-format", "stream-json", "-p", PROMPT]);
    command
}

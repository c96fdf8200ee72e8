use std::process::Command;

use serde_json::json;

use super::{PROMPT, Setup};
use crate::pins;

pub(super) fn command(setup: &Setup<'_>) -> Command {
    setup.stdio_only("opencode");
    let config = json!({
        "$schema": "https://opencode.ai/config.json",
        "model": "mock/mock-model", "small_model": "mock/mock-model", "autoupdate": false, "share": "disabled",
        "provider": { "mock": {
            "npm": "@ai-sdk/openai-compatible", "name": "Mock",
            "options": { "baseURL": format!("{}/v1", setup.model), "apiKey": "dummy" },
            "models": { "mock-model": { "name": "Mock", "tool_call": true, "limit": { "context": 100_000, "output": 8_000 } } },
        } },
        "mcp": { "runsheet": { "type": "local", "command": setup.runsheet.stdio_server(), "enabled": true } },
        "permission": { "*": "allow" },
    });
    setup.sandbox.write("workspace/opencode.json", &config.to_string());
    let home = setup.sandbox.home();
    let mut command = setup.sandbox.command(&pins::npm_bin("opencode", "opencode"));
    let folders = [("CONFIG", ".config"), ("DATA", ".local/share"), ("STATE", ".local/state"), ("CACHE", ".cache")];
    for (kind, folder) in folders {
        command.env(format!("XDG_{kind}_HOME"), home.join(folder));
    }
    for quiet in ["AUTOUPDATE", "MODELS_FETCH", "DEFAULT_PLUGINS", "LSP_DOWNLOAD"] {
        command.env(format!("OPENCODE_DISABLE_{quiet}"), "1");
    }
    command.args(["run", "--format", "json", PROMPT]);
    command
}

use std::process::Command;

use serde_json::{Value, json};

use super::{Client, PROMPT, Server, Setup};
use crate::pins;

/// Claude Code asks once whether a key it finds in the environment may be used; it knows a key by its end.
const KEY: &str = "sk-dummy-0123456789abcdefghij";

pub(super) fn command(client: Client, setup: &Setup<'_>) -> Command {
    let mut command = common(client, setup);
    command.args(["-p", PROMPT, "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"]);
    if setup.resume {
        command.arg("--continue");
    }
    command
}

/// The command of a session with a person at the terminal, past the questions of a first start.
pub fn interactive(client: Client, setup: &Setup<'_>) -> Command {
    let workspace = setup.sandbox.workspace().display().to_string();
    let trusted = json!({ "hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true, "allowedTools": [] });
    let state = json!({
        "hasCompletedOnboarding": true, "lastOnboardingVersion": client.agent().1, "theme": "dark", "numStartups": 5,
        "customApiKeyResponses": { "approved": [&KEY[KEY.len() - 20..]], "rejected": [] },
        "projects": { workspace: trusted },
    });
    setup.sandbox.write("home/.claude.json", &state.to_string());
    let mut command = common(client, setup);
    command.args(["--allowedTools", "mcp__runsheet__todo_write"]);
    command
}

fn common(client: Client, setup: &Setup<'_>) -> Command {
    let tool = if client == Client::ClaudeOld { "claude-old" } else { "claude" };
    let mcp = setup.sandbox.write("mcp.json", &servers(setup).to_string());
    let settings = setup.sandbox.write("settings.json", &hooks(setup).to_string());
    let mut command = setup.sandbox.command(&pins::npm_bin(tool, "claude"));
    command.env("ANTHROPIC_BASE_URL", &setup.model).env("ANTHROPIC_API_KEY", KEY);
    // It refuses to skip its questions as root, unless it is told that it sits in a sandbox. It does.
    command.env("IS_SANDBOX", "1");
    for quiet in [
        "DISABLE_TELEMETRY",
        "DISABLE_AUTOUPDATER",
        "DISABLE_ERROR_REPORTING",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    ] {
        command.env(quiet, "1");
    }
    command.arg("--mcp-config").arg(mcp).arg("--settings").arg(settings);
    command
}

fn servers(setup: &Setup<'_>) -> Value {
    let server = match &setup.server {
        Server::Http(url) => json!({ "type": "http", "url": url }),
        Server::Stdio => {
            let (program, arguments) = setup.program();
            json!({ "command": program, "args": arguments })
        }
    };
    json!({ "mcpServers": { "runsheet": server } })
}

fn hooks(setup: &Setup<'_>) -> Value {
    if !setup.hook {
        return json!({});
    }
    let line = json!({ "type": "command", "command": setup.runsheet.hook_line() });
    json!({ "hooks": { "PreToolUse": [{ "matcher": "mcp__runsheet__.*", "hooks": [line] }] } })
}

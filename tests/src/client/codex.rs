use std::process::Command;

use serde_json::json;

use super::{PROMPT, Server, Setup, Shape};
use crate::pins;

pub(super) fn command(shape: Shape, setup: &Setup<'_>) -> Command {
    let sandbox = setup.sandbox;
    let home = sandbox.home().join("codex");
    sandbox.write("home/codex/config.toml", &config(shape, setup));
    let mut command = sandbox.command(&pins::npm_bin("codex", "codex"));
    command.env("CODEX_HOME", home).env("MOCK_KEY", "dummy");
    command.args(["exec", "--dangerously-bypass-hook-trust", "--strict-config", "--json", "--skip-git-repo-check"]);
    command.arg("-C").arg(sandbox.workspace());
    if setup.resume {
        command.args(["resume", "--last"]);
    }
    command.arg(PROMPT);
    command
}

fn config(shape: Shape, setup: &Setup<'_>) -> String {
    let model = match shape {
        Shape::Direct => "mock-model",
        Shape::Search => "gpt-5.5",
        Shape::Code => "gpt-6-sol",
    };
    // A JSON string or array of strings is also a TOML one.
    let url = json!(format!("{}/v1", setup.model));
    let server = match &setup.server {
        Server::Http(url) => format!("url = {}", json!(url)),
        Server::Stdio => {
            let (program, arguments) = setup.program();
            format!("command = {}\nargs = {}\nstartup_timeout_sec = 60", json!(program), json!(arguments))
        }
    };
    let hook = if setup.hook {
        let line = json!(setup.runsheet.hook_line());
        format!(
            "[[hooks.PreToolUse]]\nmatcher = \"mcp__runsheet__.*\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = {line}\n"
        )
    } else {
        String::new()
    };
    format!(
        r#"model = "{model}"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[features]
plugins = false
apps = false
[analytics]
enabled = false
[model_providers.mock]
name = "mock"
base_url = {url}
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 0
stream_max_retries = 0
[mcp_servers.runsheet]
{server}
{hook}"#
    )
}

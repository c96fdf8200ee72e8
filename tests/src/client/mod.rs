//! The clients people run: how each is set up, started, and named in our store.

mod claude;
mod codex;
mod dsh;
mod gemini;
mod opencode;

use std::process::Command;

use crate::pins;
use crate::runsheet::Runsheet;
use crate::sandbox::Sandbox;

pub use self::claude::interactive;

/// What every client is asked. The scripted model does not read it.
const PROMPT: &str = "Fix the bug please";

/// A client under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// Codex, with the tools in one of its three shapes.
    Codex(Shape),
    /// Claude Code, the current one.
    Claude,
    /// Claude Code before it knew the 2026-07-28 protocol.
    ClaudeOld,
    /// opencode.
    Opencode,
    /// DeepSeek Harness.
    Dsh,
    /// Gemini CLI.
    Gemini,
}

/// How Codex offers tools; it goes by the model's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// In the request.
    Direct,
    /// Behind `tool_search`.
    Search,
    /// As functions of a JavaScript program.
    Code,
}

/// How the client reaches our server.
#[derive(Clone, Debug)]
pub enum Server {
    /// It starts `runsheet mcp`.
    Stdio,
    /// It speaks to this address.
    Http(String),
}

/// What a launch needs.
pub struct Setup<'a> {
    /// The test's folders.
    pub sandbox: &'a Sandbox,
    /// Our binary.
    pub runsheet: &'a Runsheet<'a>,
    /// The scripted model's address.
    pub model: String,
    /// How our server is reached.
    pub server: Server,
    /// Whether the PreToolUse hook is connected.
    pub hook: bool,
    /// Whether the client goes on with its last session.
    pub resume: bool,
}

impl Client {
    /// The agent's name and version in our store. dsh does not tell its own version, only its MCP client's.
    pub fn agent(self) -> (&'static str, String) {
        match self {
            Self::Codex(_) => ("codex", pins::version("codex")),
            Self::Claude => ("claude-code", pins::version("claude")),
            Self::ClaudeOld => ("claude-code", pins::version("claude-old")),
            Self::Opencode => ("opencode", pins::version("opencode")),
            Self::Dsh => ("dsh", "0.0.1".into()),
            Self::Gemini => ("gemini-cli", pins::version("gemini")),
        }
    }

    /// Writes the client's settings and returns the command of one run without a person.
    pub fn command(self, setup: &Setup<'_>) -> Command {
        match self {
            Self::Codex(shape) => codex::command(shape, setup),
            Self::Claude | Self::ClaudeOld => claude::command(self, setup),
            Self::Opencode => opencode::command(setup),
            Self::Dsh => dsh::command(setup),
            Self::Gemini => gemini::command(setup),
        }
    }
}

impl Setup<'_> {
    /// The stdio server's program and arguments.
    fn program(&self) -> (String, Vec<String>) {
        let mut words = self.runsheet.stdio_server();
        let arguments = words.split_off(1);
        (words.remove(0), arguments)
    }

    /// For the clients that are only driven over stdio.
    fn stdio_only(&self, client: &str) {
        assert!(matches!(self.server, Server::Stdio), "{client} is driven over stdio only");
        assert!(!self.hook && !self.resume, "{client} is driven without hooks, one session a run");
    }
}

//! What the hooks of Claude Code and Codex say, on stdin, as JSON.

use runsheet_core::dialect;
use runsheet_engine::{PreToolUse, is_id};
use serde::Deserialize;

/// The longest path that is taken, as the system has it.
const MAX_PATH_BYTES: usize = 4_096;

/// The parts of a hook we read; both clients' hooks have more, the arguments of the tool among it.
#[derive(Debug, Deserialize)]
pub(crate) struct HookInput {
    hook_event_name: String,
    session_id: String,
    tool_name: Option<String>,
    tool_use_id: Option<String>,
    cwd: Option<String>,
    transcript_path: Option<String>,
    agent_id: Option<String>,
    /// Codex' key of the turn.
    turn_id: Option<String>,
    /// Claude Code's key of the turn.
    prompt_id: Option<String>,
    /// Only Claude Code's hooks have it.
    effort: Option<serde::de::IgnoredAny>,
}

/// Why a hook is passed over.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Passed {
    /// An event we take nothing from yet.
    Event(String),
    /// A call of a tool that is not ours.
    Tool,
    /// A call without an id, or with one no call would be found by.
    NoCallId,
    /// A session or sub-agent whose id is none: whose call it is cannot be told.
    NoId,
    /// Neither client's shape.
    Client,
}

impl HookInput {
    /// What the engine is told, as the principal's.
    pub(crate) fn pre_tool_use(self, principal: String) -> Result<PreToolUse, Passed> {
        if self.hook_event_name != "PreToolUse" {
            return Err(Passed::Event(self.hook_event_name));
        }
        if !self.tool_name.as_deref().is_some_and(is_ours) {
            return Err(Passed::Tool);
        }
        let client = self.client().ok_or(Passed::Client)?;
        if !is_id(&self.session_id) || self.agent_id.as_deref().is_some_and(|id| !is_id(id)) {
            return Err(Passed::NoId);
        }
        Ok(PreToolUse {
            principal,
            client: client.into(),
            call_id: self.tool_use_id.filter(|id| is_id(id)).ok_or(Passed::NoCallId)?,
            session: self.session_id,
            agent: self.agent_id,
            turn_key: self.turn_id.or(self.prompt_id).filter(|key| is_id(key)),
            cwd: self.cwd.filter(|cwd| cwd.len() <= MAX_PATH_BYTES),
        })
    }

    /// Which client speaks. Codex alone names turns; Claude Code alone names prompts and efforts. Where a version says
    /// none of it, the names of their transcripts tell.
    fn client(&self) -> Option<&'static str> {
        if self.turn_id.is_some() {
            return Some("codex");
        }
        if self.prompt_id.is_some() || self.effort.is_some() {
            return Some("claude-code");
        }
        let transcript = self.transcript_path.as_deref()?;
        let (folder, file) = transcript.rsplit_once('/')?;
        if file.starts_with("rollout-") {
            Some("codex")
        } else {
            folder.contains("/projects/").then_some("claude-code")
        }
    }
}

/// Whether a client's name of a tool means one of ours: `mcp__<server>__<tool>`, whatever the server is called.
fn is_ours(tool: &str) -> bool {
    let unset = |dialect: &&dyn dialect::Dialect| dialect::Rules {
        parallel: dialect.parallel(None),
        bounds: dialect::ListBounds::default(),
    };
    let (Some(rest), dialects) = (tool.strip_prefix("mcp__"), dialect::dialects()) else { return false };
    dialects.iter().any(|dialect| {
        let tools = dialect.tools(&unset(dialect));
        tools.iter().any(|ours| rest.strip_suffix(ours.name).is_some_and(|server| server.ends_with("__")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_tools() {
        for (tool, ours) in [
            ("mcp__runsheet__todo_write", true),
            ("mcp__my_plan__todo_write", true),
            ("mcp__plugin_x_runsheet__todo_write", true),
            ("todo_write", false),
            ("TodoWrite", false),
            ("mcp__runsheet__todo_write_all", false),
            ("mcp__runsheet__todo_read", false),
            ("mcp__todo_write", false),
            ("Bash", false),
        ] {
            assert_eq!(is_ours(tool), ours, "{tool}");
        }
    }
}

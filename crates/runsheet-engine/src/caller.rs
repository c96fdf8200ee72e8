//! Who calls, as the edge that took the call can tell.

use uuid::Uuid;

/// The longest id that is taken from another program, in bytes.
const MAX_ID_BYTES: usize = 256;

/// Whether a text of another program is fit for an id: short, and without control characters.
#[must_use]
pub fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= MAX_ID_BYTES && !id.chars().any(char::is_control)
}

/// One call's origin. It is resolved per call, never per connection: one process may serve several sessions.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who runs the client: `uid:<n>` on this machine, a token's id elsewhere. One principal never touches another's
    /// sessions.
    pub principal: String,
    /// The client.
    pub client: Client,
    /// The client's working folder, where the edge can know it.
    pub cwd: Option<String>,
    /// What tells the session.
    pub hints: SessionHints,
    /// The client's id of this call.
    pub call_id: Option<String>,
    /// The client's key of the turn.
    pub turn_key: Option<String>,
    /// The host that took the call, as the session's header names it: `mcp`, `http`.
    pub via: &'static str,
}

/// A client, as it names itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Client {
    /// The family: `codex`, `claude-code`, `opencode`, `dsh`, `gemini-cli`, or the client's own name. Two programs of
    /// one family see the same sessions.
    pub family: String,
    /// The client's version.
    pub version: Option<String>,
}

/// What can tell which session a call belongs to. The engine takes the first that does, in this order; the call's id
/// (see [`Caller::call_id`]) comes before all of them when a hook told of the call.
#[derive(Clone, Debug, Default)]
pub struct SessionHints {
    /// Codex names session and thread in every call.
    pub codex: Option<CodexThread>,
    /// The name in the URL `/mcp/s/<name>` or the header `Runsheet-Session`.
    pub named: Option<String>,
    /// The legacy header `Mcp-Session-Id`.
    pub transport: Option<String>,
    /// The session the client put into the environment of a process it started (`CLAUDE_CODE_SESSION_ID`).
    pub environment: Option<String>,
    /// A process that serves one client over stdio: its own session where nothing better is known.
    pub process: Option<Uuid>,
}

/// A thread of Codex: the session's own, or a sub-agent's when its id differs from the session's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodexThread {
    /// The session.
    pub session: String,
    /// The thread.
    pub thread: String,
}

impl Client {
    /// The client behind a name it gave in a handshake or user agent.
    #[must_use]
    pub fn named(name: &str, version: Option<&str>) -> Self {
        let family = match name {
            "codex-mcp-client" => "codex",
            "gemini-cli-mcp-client" => "gemini-cli",
            "dsh-mcp-client" => "dsh",
            other => other,
        };
        // Foreign text that ends up in every listing: one line, and not long.
        let clean = |text: &str| text.chars().filter(|c| !c.is_control()).take(64).collect::<String>();
        Self { family: clean(family), version: version.map(clean).filter(|version| !version.is_empty()) }
    }
}

//! What the server is told by the program around it.

use std::time::Duration;

use runsheet_engine::is_id;
use tokio_util::sync::CancellationToken;

/// What holds for every connection.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct McpOptions {
    /// Who runs the clients: `uid:<n>` on this machine.
    pub principal: String,
    /// The longest message over stdio, in bytes.
    pub max_line_bytes: usize,
    /// Requests of one stdio connection that are served at once; further ones wait unread.
    pub max_requests: usize,
    /// Open `subscriptions/listen` of all connections together.
    pub max_listens: usize,
    /// Resources one client may be subscribed to.
    pub max_subscriptions: usize,
    /// How long a peer may take to accept a notification before it is given up.
    pub notify_timeout: Duration,
    /// How long requests in flight may take to end once the connection is closing.
    pub drain_timeout: Duration,
}

impl McpOptions {
    /// The usual bounds.
    #[must_use]
    pub fn new(principal: impl Into<String>) -> Self {
        Self {
            principal: principal.into(),
            max_line_bytes: 8 * 1024 * 1024,
            max_requests: 64,
            max_listens: 256,
            max_subscriptions: 128,
            notify_timeout: Duration::from_secs(5),
            // A store that is busy says so after five seconds: that answer is still given.
            drain_timeout: Duration::from_secs(7),
        }
    }
}

/// What a process that serves one client over stdio knows of that client.
#[derive(Clone, Debug, Default)]
pub struct StdioProcess {
    /// The working folder.
    pub cwd: Option<String>,
    /// `CLAUDE_PROJECT_DIR`: Claude Code's name for its working folder.
    pub project_dir: Option<String>,
    /// `CLAUDE_CODE_SESSION_ID`. It may be stale or wrong; it counts only where no hook told of the call.
    pub session: Option<String>,
}

impl StdioProcess {
    /// This process.
    #[must_use]
    pub fn current() -> Self {
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            cwd: std::env::current_dir().ok().and_then(|cwd| cwd.into_os_string().into_string().ok()),
            project_dir: set("CLAUDE_PROJECT_DIR"),
            session: set("CLAUDE_CODE_SESSION_ID").filter(|id| is_id(id)),
        }
    }
}

/// What holds for streamable HTTP.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HttpOptions {
    /// The authorities a `Host` header may name, to the letter: `127.0.0.1:4477`.
    pub allowed_hosts: Vec<String>,
    /// The origins an `Origin` header may name: `http://127.0.0.1:4477`. A request without one passes, unless
    /// `Sec-Fetch-Site` says that it comes from another site.
    pub allowed_origins: Vec<String>,
    /// Sessions of clients of the older protocol versions.
    pub max_sessions: usize,
    /// The largest body of a request.
    pub max_body_bytes: usize,
    /// How long a body may take to arrive.
    pub body_timeout: Duration,
    /// How long the rest of a request, or who reads an answer, is waited for once the server shuts down.
    pub closing_grace: Duration,
    /// Cancelled once the server shut down and every request has its answer: what is open then has nothing to lose.
    pub drained: CancellationToken,
    /// How long a session may be silent before it is forgotten.
    pub session_idle: Duration,
    /// How long a session may be silent before its turn is ended.
    pub turn_idle: Duration,
}

impl HttpOptions {
    /// A server on a port of the loopback interface.
    #[must_use]
    pub fn loopback(port: u16) -> Self {
        let hosts = ["127.0.0.1", "[::1]", "localhost"];
        Self {
            allowed_hosts: hosts.iter().map(|host| format!("{host}:{port}")).collect(),
            allowed_origins: hosts.iter().map(|host| format!("http://{host}:{port}")).collect(),
            max_sessions: 256,
            max_body_bytes: 8 * 1024 * 1024,
            body_timeout: Duration::from_secs(30),
            closing_grace: Duration::from_secs(1),
            drained: CancellationToken::new(),
            session_idle: Duration::from_secs(24 * 3_600),
            turn_idle: Duration::from_secs(30 * 60),
        }
    }
}

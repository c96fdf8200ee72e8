//! What the server is told by the program around it.

use std::time::Duration;

use crate::trust::Logins;

/// What holds for every request.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WebOptions {
    /// The authorities a `Host` header may name, to the letter: `127.0.0.1:4477`.
    pub allowed_hosts: Vec<String>,
    /// The origins an `Origin` header may name: `http://127.0.0.1:4477`. A request without one passes.
    pub allowed_origins: Vec<String>,
    /// Whose sessions a client's own name for a session is looked up among: `uid:<n>`.
    pub principal: String,
    /// The codes that log a browser in, and the cookies given for them.
    pub logins: Logins,
    /// What a program that is no browser and not of our user must send as `Authorization: Bearer`.
    pub token: Option<String>,
    /// The largest body of a request, in bytes.
    pub max_body_bytes: usize,
    /// How long a body may take to arrive.
    pub body_timeout: Duration,
    /// Readers of the live feed at once.
    pub max_readers: usize,
    /// Events that wait for one reader; of more, it is told to start over.
    pub max_queue_events: usize,
    /// Bytes of events that wait for one reader; of more, it is told to start over.
    pub max_queue_bytes: usize,
    /// Values that wait for one reader, each the latest of its projection; of more, it is told to start over.
    pub max_queue_values: usize,
    /// How many events a reader may be behind and still be brought up to date.
    pub max_behind: u64,
    /// How often a silent feed says that it is alive.
    pub keep_alive: Duration,
}

impl WebOptions {
    /// A server on a port of the loopback interface.
    #[must_use]
    pub fn loopback(port: u16, principal: impl Into<String>, logins: Logins) -> Self {
        let hosts = ["127.0.0.1", "[::1]", "localhost"];
        Self {
            allowed_hosts: hosts.iter().map(|host| format!("{host}:{port}")).collect(),
            allowed_origins: hosts.iter().map(|host| format!("http://{host}:{port}")).collect(),
            principal: principal.into(),
            logins,
            token: None,
            max_body_bytes: 1024 * 1024,
            body_timeout: Duration::from_secs(10),
            max_readers: 1_024,
            max_queue_events: 5_000,
            max_queue_bytes: 16 * 1024 * 1024,
            max_queue_values: 8_192,
            max_behind: 5_000,
            keep_alive: Duration::from_secs(15),
        }
    }
}

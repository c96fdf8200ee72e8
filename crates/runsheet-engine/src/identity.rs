//! Whose call it is.

use runsheet_core::log::{Agent, FORMAT, Ownership, Scope, SessionCreated, Source, StreamId};
use runsheet_store::CallAlias;

use crate::caller::{Caller, Client};

/// The session a call belongs to, and whose call it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The session.
    pub stream: StreamId,
    /// The session's own agent, or a sub-agent.
    pub scope: Scope,
    /// The client's key of the turn.
    pub key: Option<String>,
    /// The client's own id of the session.
    pub native: Option<String>,
    /// The session's working folder.
    pub cwd: Option<String>,
}

/// The family of sessions that are named by a URL or header: whichever clients use the name share the session.
const NAMED: &str = "named";
/// The name of the one session that calls without any share, when the settings allow it.
const SHARED: &str = "anonymous";

impl Owner {
    /// Finds the owner of a call; `None` when nothing names one. The first rule that applies decides (DESIGN §9):
    /// a hook told of this very call; Codex' own thread; a name in URL or header; the legacy transport session; the
    /// environment of a process the client started; the process itself.
    #[must_use]
    pub fn of(caller: &Caller, alias: Option<CallAlias>, share_anonymous: bool) -> Option<Self> {
        if let Some(alias) = alias {
            return Some(Self {
                stream: alias.stream,
                scope: alias.scope,
                key: alias.key,
                native: Some(alias.native),
                cwd: alias.cwd,
            });
        }
        let Caller { principal, client, hints, .. } = caller;
        let of = |family: &str, native: &str, scope: Scope| Self {
            stream: StreamId::observed(principal, family, native),
            scope,
            key: caller.turn_key.clone(),
            native: Some(native.to_owned()),
            cwd: caller.cwd.clone(),
        };
        if let Some(codex) = &hints.codex {
            let scope = if codex.thread == codex.session { Scope::Main } else { Scope::Agent(codex.thread.clone()) };
            return Some(of(&client.family, &codex.session, scope));
        }
        if let Some(name) = &hints.named {
            return Some(of(NAMED, name, Scope::Main));
        }
        if let Some(native) = hints.transport.as_ref().or(hints.environment.as_ref()) {
            return Some(of(&client.family, native, Scope::Main));
        }
        if let Some(process) = hints.process {
            let stream = StreamId::Session(process);
            let Caller { turn_key: key, cwd, .. } = caller.clone();
            return Some(Self { stream, scope: Scope::Main, key, native: None, cwd });
        }
        share_anonymous.then(|| of(NAMED, SHARED, Scope::Main))
    }

    /// The header of the session, should it not exist yet.
    #[must_use]
    pub fn header(&self, client: &Client, via: &str, dialect: &str) -> SessionCreated {
        SessionCreated {
            format: FORMAT,
            cwd: self.cwd.clone(),
            agent: Agent {
                name: client.family.clone(),
                version: client.version.clone(),
                dialect: Some(dialect.to_owned()),
            },
            parent: None,
            source: Source { kind: via.to_owned(), native: self.native.clone() },
            lifecycle: Ownership::Observed,
        }
    }
}

//! Which session a client's call belongs to, as a hook of the client said before the call came.

use runsheet_core::log::{Scope, StreamId, Time};

use crate::{error::StoreError, event_log::BoxFuture};

/// How long an alias is kept, counted from its own time to a later alias's.
pub(crate) const ALIAS_LIFE_MS: i64 = 24 * 60 * 60 * 1_000;

/// What a `PreToolUse` hook said of a call to one of our tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallAlias {
    /// Who runs the client.
    pub principal: String,
    /// The client's id of the call.
    pub call_id: String,
    /// The session the call belongs to.
    pub stream: StreamId,
    /// Whose call it is in that session.
    pub scope: Scope,
    /// The client's key of the turn.
    pub key: Option<String>,
    /// Which client.
    pub client: String,
    /// The client's own id of the session.
    pub native: String,
    /// The session's working folder.
    pub cwd: Option<String>,
    /// When the hook ran. Aliases are kept for 24 hours.
    pub at: Time,
}

/// Aliases of calls: visible to other processes before the hook exits, not synced to the disk.
pub trait CallAliases: Send + Sync {
    /// Keeps an alias, and forgets those more than 24 hours older. A second one for the same call replaces the first.
    ///
    /// # Errors
    /// See [`StoreError`].
    fn put_alias(&self, alias: CallAlias) -> BoxFuture<'_, Result<(), StoreError>>;

    /// The alias of a call of a principal, if a hook told of it.
    ///
    /// # Errors
    /// See [`StoreError`].
    fn alias(&self, principal: String, call_id: String) -> BoxFuture<'_, Result<Option<CallAlias>, StoreError>>;
}

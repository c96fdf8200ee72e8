//! What hooks of other programs report.

use runsheet_core::log::{Scope, StreamId};
use runsheet_store::CallAlias;

use crate::{engine::Engine, error::EngineError};

/// A client is about to call one of our tools: which session and agent the call comes from, before it comes.
#[derive(Clone, Debug)]
pub struct PreToolUse {
    /// Who runs the client.
    pub principal: String,
    /// The client's family.
    pub client: String,
    /// The client's id of the call.
    pub call_id: String,
    /// The client's id of the session.
    pub session: String,
    /// The client's id of the sub-agent, when one calls.
    pub agent: Option<String>,
    /// The client's key of the turn.
    pub turn_key: Option<String>,
    /// The session's working folder.
    pub cwd: Option<String>,
}

impl Engine {
    /// Keeps what a hook said of a call. It appends no event: the call itself will. When this returns, every process
    /// that serves the call can see it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn pre_tool_use(&self, hook: PreToolUse) -> Result<(), EngineError> {
        let alias = CallAlias {
            stream: StreamId::observed(&hook.principal, &hook.client, &hook.session),
            scope: hook.agent.map_or(Scope::Main, Scope::Agent),
            principal: hook.principal,
            call_id: hook.call_id,
            key: hook.turn_key,
            client: hook.client,
            native: hook.session,
            cwd: hook.cwd,
            at: self.clock().now(),
        };
        let store = self.store().await?;
        store.put_alias(alias).await.map_err(EngineError::store("keeping what the hook said"))
    }
}

//! The server: what all connections share.

use std::sync::Arc;

use runsheet_engine::Engine;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::task::{TaskTracker, task_tracker::TaskTrackerToken};

use crate::{hub::Hub, offer::Offers, options::McpOptions};

/// The MCP server over one engine. Cheap to clone; every transport serves a clone.
#[derive(Clone)]
pub struct McpServer(Arc<Shared>);

struct Shared {
    engine: Engine,
    options: McpOptions,
    offers: Offers,
    hub: Hub,
    calls: TaskTracker,
    listens: Arc<Semaphore>,
}

impl McpServer {
    /// A server. It does nothing until a transport is served.
    #[must_use]
    pub fn new(engine: Engine, options: McpOptions) -> Self {
        let listens = Arc::new(Semaphore::new(options.max_listens));
        Self(Arc::new(Shared {
            hub: Hub::new(),
            offers: Offers::default(),
            calls: TaskTracker::new(),
            engine,
            options,
            listens,
        }))
    }

    /// Waits until no call runs any more, also none whose client has gone; at most as long as a connection may take to
    /// drain. To be awaited between the end of the transports and [`Engine::close`].
    pub async fn finished(&self) {
        self.0.calls.close();
        let waited = tokio::time::timeout(self.0.options.drain_timeout, self.0.calls.wait()).await;
        if waited.is_err() {
            tracing::warn!(calls = self.0.calls.len(), "calls are still running; the store is closed under them");
        }
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.0.engine
    }

    pub(crate) fn options(&self) -> &McpOptions {
        &self.0.options
    }

    pub(crate) fn offers(&self) -> &Offers {
        &self.0.offers
    }

    pub(crate) fn hub(&self) -> &Hub {
        &self.0.hub
    }

    /// Held by a call while it runs.
    pub(crate) fn running(&self) -> TaskTrackerToken {
        self.0.calls.token()
    }

    /// Held by an open `subscriptions/listen`; `None` when there are too many.
    pub(crate) fn listening(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.listens).try_acquire_owned().ok()
    }
}

impl std::fmt::Debug for McpServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("McpServer").finish_non_exhaustive()
    }
}

//! What one connection keeps: a stdio process, a session over HTTP, or a single stateless request.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::broadcast;
use tokio_util::sync::{CancellationToken, DropGuard};
use uuid::Uuid;

use crate::{hub::Update, offer::Offer, options::StdioProcess, server::McpServer, subscribe::Subscriptions};

/// Receivers made for subscriptions that are about to begin.
const MAX_RECEIVERS: usize = 16;

/// How a connection came.
#[derive(Debug)]
pub(crate) enum Edge {
    /// A process that serves one client; its id is the session's where nothing better is known.
    Stdio(StdioProcess, Uuid),
    /// Streamable HTTP.
    Http,
}

/// One connection.
pub(crate) struct Connection {
    pub(crate) server: McpServer,
    pub(crate) edge: Edge,
    /// Cancelled when the connection is ending, at the latest when it is dropped.
    pub(crate) closing: CancellationToken,
    pub(crate) subscriptions: Subscriptions,
    offered: Mutex<Option<Arc<Offer>>>,
    receivers: Mutex<Vec<broadcast::Receiver<Update>>>,
    _closed: DropGuard,
}

impl Connection {
    pub(crate) fn new(server: McpServer, edge: Edge, closing: CancellationToken) -> Arc<Self> {
        Arc::new(Self {
            server,
            edge,
            subscriptions: Subscriptions::default(),
            offered: Mutex::default(),
            receivers: Mutex::default(),
            _closed: closing.clone().drop_guard(),
            closing,
        })
    }

    /// The session's working folder, where it can be known.
    pub(crate) fn cwd(&self, family: &str) -> Option<&str> {
        let Edge::Stdio(process, _) = &self.edge else { return None };
        // The variable is inherited: another client below Claude Code has it too.
        let project = process.project_dir.as_deref().filter(|_| family == "claude-code");
        project.or(process.cwd.as_deref())
    }

    /// What a session in a folder is offered now.
    pub(crate) fn current(&self, cwd: Option<&str>) -> Arc<Offer> {
        self.server.offers().current(self.server.engine(), cwd)
    }

    /// Lists the tools: from now on the connection is judged by them.
    pub(crate) fn offer(&self, cwd: Option<&str>) -> Arc<Offer> {
        let offer = self.current(cwd);
        *self.offered() = Some(Arc::clone(&offer));
        offer
    }

    /// What a call is judged by: the tools last listed. Settings that show in no tool hold at once.
    pub(crate) fn judged_by(&self, cwd: Option<&str>) -> Arc<Offer> {
        let current = self.current(cwd);
        match &*self.offered() {
            Some(offered) if offered.tools != current.tools => Arc::clone(offered),
            _ => current,
        }
    }

    fn offered(&self) -> std::sync::MutexGuard<'_, Option<Arc<Offer>>> {
        self.offered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to listen to what changes before a subscription is acknowledged, so that nothing after it is missed.
    pub(crate) fn prepare_receiver(&self) {
        let mut receivers = self.receivers.lock().unwrap_or_else(PoisonError::into_inner);
        if receivers.len() < MAX_RECEIVERS {
            receivers.push(self.server.hub().subscribe(self.server.engine()));
        }
    }

    /// A receiver that listens at least since the subscription was acknowledged.
    pub(crate) fn receiver(&self) -> broadcast::Receiver<Update> {
        let prepared = self.receivers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        prepared.unwrap_or_else(|| self.server.hub().subscribe(self.server.engine()))
    }
}

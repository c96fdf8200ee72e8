//! Notifications to peers that shook hands: they subscribe one resource at a time, and hear of changed tools unasked.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rmcp::{ErrorData, Peer, RoleServer, model::ResourceUpdatedNotificationParam};
use tokio::sync::broadcast::{
    Receiver,
    error::{RecvError, TryRecvError},
};

use crate::{
    connection::Connection,
    hub::Update,
    resources::{Uri, not_found},
};

type Wanted = Arc<Mutex<HashMap<String, Uri>>>;

/// What one peer is subscribed to.
#[derive(Debug, Default)]
pub(crate) struct Subscriptions {
    wanted: Wanted,
    updating: AtomicBool,
    watching: AtomicBool,
}

impl Subscriptions {
    /// Subscribes the connection's peer to a resource.
    pub(crate) fn add(&self, connection: &Connection, peer: &Peer<RoleServer>, uri: String) -> Result<(), ErrorData> {
        let parsed: Uri = uri.parse().map_err(|_| not_found(&uri))?;
        if !parsed.can_be_followed() {
            let what = "only resources named by a session's uuid can be subscribed to; resources/list has them";
            return Err(ErrorData::invalid_params(what, None));
        }
        let most = connection.server.options().max_subscriptions;
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        if wanted.len() >= most && !wanted.contains_key(&uri) {
            return Err(ErrorData::invalid_params(format!("at most {most} resources can be subscribed to"), None));
        }
        wanted.insert(uri, parsed);
        drop(wanted);
        if !self.updating.swap(true, Ordering::AcqRel) {
            let updates = connection.server.hub().subscribe(connection.server.engine());
            let timeout = connection.server.options().notify_timeout;
            let telling = tell_updates(updates, Arc::clone(&self.wanted), peer.clone(), timeout);
            let closing = connection.closing.clone();
            tokio::spawn(async move { closing.run_until_cancelled(telling).await });
        }
        Ok(())
    }

    /// Ends a subscription; one that never was is ended, too.
    pub(crate) fn remove(&self, uri: &str) {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).remove(uri);
    }

    /// Tells the connection's peer of changed tools from now on.
    pub(crate) fn watch_tools(&self, connection: &Connection, peer: &Peer<RoleServer>, cwd: Option<String>) {
        if self.watching.swap(true, Ordering::AcqRel) {
            return;
        }
        let (server, closing, peer) = (connection.server.clone(), connection.closing.clone(), peer.clone());
        let mut changed = server.engine().settings().changed();
        let mut known = connection.current(cwd.as_deref());
        let telling = async move {
            while changed.changed().await.is_ok() {
                let now = server.offers().current(server.engine(), cwd.as_deref());
                if now.tools != known.tools {
                    known = now;
                    if !delivered(server.options().notify_timeout, peer.notify_tool_list_changed()).await {
                        return;
                    }
                }
            }
        };
        tokio::spawn(async move { closing.run_until_cancelled(telling).await });
    }
}

async fn tell_updates(mut updates: Receiver<Update>, wanted: Wanted, peer: Peer<RoleServer>, timeout: Duration) {
    while let Some(updates) = gather(&mut updates).await {
        let concerned: Vec<_> = {
            let wanted = wanted.lock().unwrap_or_else(PoisonError::into_inner);
            let concerned = |uri: &Uri| updates.iter().any(|update| uri.concerned(*update));
            wanted.iter().filter(|(_, uri)| concerned(uri)).map(|(uri, _)| uri.clone()).collect()
        };
        for uri in concerned {
            let updated = peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri));
            if !delivered(timeout, updated).await {
                return;
            }
        }
    }
}

/// The updates that are there, at least one; `None` when there will be none any more.
pub(crate) async fn gather(receiver: &mut Receiver<Update>) -> Option<Vec<Update>> {
    let mut updates = match receiver.recv().await {
        Ok(update) => vec![update],
        Err(RecvError::Lagged(_)) => vec![Update::Everything],
        Err(RecvError::Closed) => return None,
    };
    loop {
        match receiver.try_recv() {
            Ok(update) if updates.contains(&update) => {}
            Ok(update) => updates.push(update),
            Err(TryRecvError::Lagged(_)) => updates.push(Update::Everything),
            Err(TryRecvError::Empty | TryRecvError::Closed) => return Some(updates),
        }
    }
}

/// Delivers one notification. A peer that does not take it in time gets none any more: it must not hold up others.
pub(crate) async fn delivered<E: std::fmt::Display>(
    timeout: Duration,
    notifying: impl Future<Output = Result<(), E>>,
) -> bool {
    match tokio::time::timeout(timeout, notifying).await {
        Ok(Ok(())) => true,
        Ok(Err(error)) => {
            tracing::debug!(%error, "a notification could not be sent");
            false
        }
        Err(_) => {
            tracing::warn!("a client does not read its notifications; it gets no more of them");
            false
        }
    }
}

//! The sessions of clients that shook hands: how many, whose, and which is let go first.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rmcp::transport::streamable_http_server::{SessionManager, session::local::LocalSessionManager};

use super::name::SessionName;

/// The sessions there are.
pub(super) struct Sessions {
    manager: Arc<LocalSessionManager>,
    max: usize,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    sessions: HashMap<Arc<str>, Session>,
    /// Places of sessions that are just being made.
    reserved: usize,
    /// Counts uses, which orders them.
    uses: u64,
}

struct Session {
    used: u64,
    /// Requests and streams that are open.
    open: usize,
    /// The first name it was used with.
    name: Option<SessionName>,
}

/// A session that was used with one name is used with another.
#[derive(Debug)]
pub(super) struct OtherName;

impl Sessions {
    pub(super) fn new(manager: Arc<LocalSessionManager>, max: usize) -> Arc<Self> {
        Arc::new(Self { manager, max, known: Mutex::default() })
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for one more: forgets those that ended, then lets go of the one that is idle for longest. `None` when
    /// all are in use.
    pub(super) async fn reserve(self: &Arc<Self>) -> Option<Reserved> {
        let alive: HashSet<_> = self.manager.sessions.read().await.keys().cloned().collect();
        {
            let sessions = &mut self.known().sessions;
            sessions.retain(|id, session| session.open > 0 || alive.contains(id));
            // One whose client went away before it had the answer was made all the same.
            for id in alive {
                sessions.entry(id).or_insert(Session { used: 0, open: 0, name: None });
            }
        }
        while !self.has_room() {
            let idle = {
                let mut known = self.known();
                let idle = known.sessions.iter().filter(|(_, session)| session.open == 0);
                let (id, _) = idle.min_by_key(|(_, session)| session.used)?;
                let id = Arc::clone(id);
                known.sessions.remove(&id);
                id
            };
            tracing::info!("a session over HTTP was let go: there are too many");
            if let Err(error) = self.manager.close_session(&idle).await {
                tracing::warn!(%error, "closing a session failed");
            }
        }
        // Another may have taken the room meanwhile; then one more than the bound is there for a moment.
        self.known().reserved += 1;
        Some(Reserved(Arc::clone(self)))
    }

    fn has_room(&self) -> bool {
        let known = self.known();
        known.sessions.len() + known.reserved < self.max
    }

    /// Uses a session, for as long as what this gives is held; gives its name, too. A session that is not known is the
    /// library's to refuse.
    pub(super) fn enter(
        self: &Arc<Self>,
        id: &str,
        name: Option<SessionName>,
    ) -> Result<(Option<SessionName>, Option<Entered>), OtherName> {
        let mut known = self.known();
        known.uses += 1;
        let used = known.uses;
        let Some((id, session)) = known.sessions.get_key_value(id).map(|(id, _)| Arc::clone(id)).and_then(|id| {
            let session = known.sessions.get_mut(&id)?;
            Some((id, session))
        }) else {
            return Ok((name, None));
        };
        match (&session.name, name) {
            (Some(bound), Some(name)) if *bound != name => return Err(OtherName),
            (None, Some(name)) => session.name = Some(name),
            _ => {}
        }
        session.used = used;
        session.open += 1;
        Ok((session.name.clone(), Some(Entered(Arc::clone(self), id))))
    }

    /// Forgets a session its client ended.
    pub(super) fn forget(&self, id: &str) {
        self.known().sessions.remove(id);
    }
}

/// Room for a session.
pub(super) struct Reserved(Arc<Sessions>);

impl Reserved {
    /// The session was made.
    pub(super) fn made(self, id: &str, name: Option<SessionName>) -> Option<Entered> {
        {
            let mut known = self.0.known();
            known.uses += 1;
            let used = known.uses;
            known.sessions.insert(id.into(), Session { used, open: 0, name: name.clone() });
        }
        self.0.enter(id, name).ok()?.1
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.0.known().reserved -= 1;
    }
}

/// A session in use.
pub(super) struct Entered(Arc<Sessions>, Arc<str>);

impl Drop for Entered {
    fn drop(&mut self) {
        if let Some(session) = self.0.known().sessions.get_mut(&self.1) {
            session.open -= 1;
        }
    }
}

//! Session locks within one process.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use uuid::Uuid;

use crate::{
    error::StoreError,
    locks::{Attachment, LastOut, OwnerLock},
};

/// How long a join waits for the last one out to settle.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Default)]
pub(super) struct Live {
    sessions: Mutex<Sessions>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Sessions {
    attached: HashMap<Uuid, usize>,
    settling: HashSet<Uuid>,
    owned: HashSet<Uuid>,
}

impl Live {
    fn lock(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One fewer; says whether it was the last.
    fn detach(&self, session: Uuid) -> bool {
        let mut sessions = self.lock();
        let Some(count) = sessions.attached.get_mut(&session) else { return false };
        *count -= 1;
        let last = *count == 0;
        if last {
            sessions.attached.remove(&session);
        }
        last
    }
}

fn busy(session: Uuid) -> StoreError {
    StoreError::SessionBusy { session, pid: std::process::id() }
}

pub(super) fn attach(live: &Arc<Live>, session: Uuid) -> Result<(Box<dyn Attachment>, bool), StoreError> {
    let sessions = live.lock();
    let (mut sessions, _) = live
        .changed
        .wait_timeout_while(sessions, PATIENCE, |sessions| sessions.settling.contains(&session))
        .unwrap_or_else(PoisonError::into_inner);
    if sessions.settling.contains(&session) {
        return Err(busy(session));
    }
    let count = sessions.attached.entry(session).or_default();
    *count += 1;
    let first = *count == 1;
    Ok((Box::new(Attached { live: Arc::clone(live), session, left: false }), first))
}

pub(super) fn deserted(live: &Live, session: Uuid) -> bool {
    !live.lock().attached.contains_key(&session)
}

pub(super) fn own(live: &Arc<Live>, session: Uuid) -> Result<Box<dyn OwnerLock>, StoreError> {
    if live.lock().owned.insert(session) {
        Ok(Box::new(Owned { live: Arc::clone(live), session }))
    } else {
        Err(busy(session))
    }
}

struct Attached {
    live: Arc<Live>,
    session: Uuid,
    left: bool,
}

impl Attachment for Attached {
    fn leave(mut self: Box<Self>) -> Option<Box<dyn LastOut>> {
        self.left = true;
        if !self.live.detach(self.session) {
            return None;
        }
        self.live.lock().settling.insert(self.session);
        Some(Box::new(Settling { live: Arc::clone(&self.live), session: self.session }))
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        if !self.left {
            self.live.detach(self.session);
        }
    }
}

struct Settling {
    live: Arc<Live>,
    session: Uuid,
}

impl LastOut for Settling {}

impl Drop for Settling {
    fn drop(&mut self) {
        self.live.lock().settling.remove(&self.session);
        self.live.changed.notify_all();
    }
}

struct Owned {
    live: Arc<Live>,
    session: Uuid,
}

impl OwnerLock for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        self.live.lock().owned.remove(&self.session);
    }
}

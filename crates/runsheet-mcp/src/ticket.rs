//! What a request holds while it is served.

use std::{
    collections::HashSet,
    mem,
    sync::{Arc, Mutex, PoisonError},
};

use rmcp::model::RequestId;
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::{
    sync::{CancellationToken, DropGuard},
    task::task_tracker::TaskTrackerToken,
};

/// Travels with a request of a stdio connection; what it holds is let go when the request's handler is done with it, or
/// when the request never reached one.
#[derive(Clone)]
pub(crate) struct Ticket(Arc<Held>);

struct Held {
    before: CancellationToken,
    _after: Option<DropGuard>,
    _id: KnownId,
    _tracked: TaskTrackerToken,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Ticket {
    /// Waits until the calls that came before it are done, so that effects have the order of the messages.
    pub(crate) async fn turn(&self) {
        self.0.before.cancelled().await;
    }
}

/// Gives out the tickets of a connection, in the order of its messages.
pub(crate) struct Queue {
    last: CancellationToken,
    ids: Arc<Mutex<HashSet<RequestId>>>,
}

impl Queue {
    pub(crate) fn new() -> Self {
        let last = CancellationToken::new();
        last.cancel();
        Self { last, ids: Arc::default() }
    }

    /// A ticket; those who come later wait for it when it `orders` them. `None` when a request of this id is being
    /// served.
    pub(crate) fn ticket(
        &mut self,
        id: &RequestId,
        orders: bool,
        tracked: TaskTrackerToken,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Option<Ticket> {
        let id = KnownId::new(&self.ids, id)?;
        let before = self.last.clone();
        let after = orders.then(|| {
            let token = CancellationToken::new();
            self.last = token.clone();
            token.drop_guard()
        });
        Some(Ticket(Arc::new(Held { before, _after: after, _id: id, _tracked: tracked, _permit: permit })))
    }
}

/// The id of a request that is being served.
struct KnownId(RequestId, Arc<Mutex<HashSet<RequestId>>>);

impl KnownId {
    fn new(ids: &Arc<Mutex<HashSet<RequestId>>>, id: &RequestId) -> Option<Self> {
        let new = ids.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone());
        new.then(|| Self(id.clone(), Arc::clone(ids)))
    }
}

impl Drop for KnownId {
    fn drop(&mut self) {
        let id = mem::replace(&mut self.0, RequestId::Number(0));
        self.1.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }
}

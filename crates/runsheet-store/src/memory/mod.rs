//! The store in memory: for tests, and for hosts that keep nothing. Nothing outlives the process.

mod locks;
mod state;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use runsheet_core::log::{Bounds, Event, Seq, StreamId, Vocabulary};
use tokio::sync::watch;
use uuid::Uuid;

use crate::{
    aliases::{ALIAS_LIFE_MS, CallAlias, CallAliases},
    batch,
    cache::{CacheRow, ProjectionCache},
    error::StoreError,
    event_log::{
        AppendOutcome, BoxFuture, Cursor, Decide, EventLog, Expected, FeedPage, Head, Listing, Page, Select,
        StreamKind, Transacted,
    },
    locks::{Attachment, OwnerLock, SessionLocks},
};
use locks::Live;
use state::State;

/// A store in memory.
#[derive(Debug)]
pub struct MemoryStore {
    vocabulary: Arc<Vocabulary>,
    bounds: Bounds,
    state: Mutex<State>,
    bell: watch::Sender<u64>,
    live: Arc<Live>,
}

impl MemoryStore {
    /// An empty store. Every append is checked against the vocabulary.
    #[must_use]
    pub fn new(vocabulary: Arc<Vocabulary>) -> Self {
        Self::with_bounds(vocabulary, Bounds::default())
    }

    /// An empty store with bounds of its own.
    #[must_use]
    pub fn with_bounds(vocabulary: Arc<Vocabulary>, bounds: Bounds) -> Self {
        Self {
            vocabulary,
            bounds,
            state: Mutex::new(State::new(Uuid::now_v7())),
            bell: watch::Sender::new(0),
            live: Arc::default(),
        }
    }

    /// The state, unless the store was closed.
    fn open(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.closed { Err(StoreError::Closed) } else { Ok(state) }
    }

    fn ring(&self, state: &State) {
        self.bell.send_if_modified(|known| std::mem::replace(known, state.position()) != state.position());
    }
}

fn ready<'a, T: Send + 'a>(value: T) -> BoxFuture<'a, T> {
    Box::pin(std::future::ready(value))
}

impl EventLog for MemoryStore {
    fn transact(
        &self,
        stream: StreamId,
        after: Option<Seq>,
        mut decide: Decide,
    ) -> BoxFuture<'_, Result<Transacted, StoreError>> {
        Box::pin(async move {
            let mut state = self.open()?;
            let made = state.transact(&self.vocabulary, &self.bounds, &stream, after, &mut decide)?;
            self.ring(&state);
            Ok(made)
        })
    }

    fn append(
        &self,
        stream: StreamId,
        expected: Expected,
        batch: Vec<Event>,
    ) -> BoxFuture<'_, Result<AppendOutcome, StoreError>> {
        Box::pin(async move {
            let (head, fork) = match expected {
                Expected::Absent => (None, batch::parent(&stream, &batch)),
                Expected::Seq(seq) => (Some(seq), None),
            };
            let mut state = self.open()?;
            batch::check(&self.vocabulary, &self.bounds, &stream, batch::seqs(head, fork), &batch)?;
            let outcome = state.append(&stream, expected, fork, &batch)?;
            self.ring(&state);
            Ok(outcome)
        })
    }

    fn read(&self, stream: StreamId, select: Select) -> BoxFuture<'_, Result<Page, StoreError>> {
        ready(self.open().map(|state| state.read(&stream, &select)))
    }

    fn head(&self, stream: StreamId) -> BoxFuture<'_, Result<Option<Head>, StoreError>> {
        ready(self.open().map(|state| state.head(&stream)))
    }

    fn feed(&self, after: Cursor, limit: usize) -> BoxFuture<'_, Result<FeedPage, StoreError>> {
        ready(self.open().and_then(|state| state.feed(after, limit)))
    }

    fn doorbell(&self) -> watch::Receiver<u64> {
        self.bell.subscribe()
    }

    fn end(&self) -> BoxFuture<'_, Result<Cursor, StoreError>> {
        ready(self.open().map(|state| state.cursor()))
    }

    fn streams(&self, kind: StreamKind, limit: usize) -> BoxFuture<'_, Result<Listing, StoreError>> {
        ready(self.open().map(|state| state.streams(kind, limit)))
    }

    fn check_medium(&self) -> BoxFuture<'_, Result<Vec<String>, StoreError>> {
        ready(self.open().map(|_| Vec::new()))
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        ready(())
    }
}

impl ProjectionCache for MemoryStore {
    fn cached(
        &self,
        stream: StreamId,
        projections: Vec<(&'static str, u32)>,
    ) -> BoxFuture<'_, Result<Vec<CacheRow>, StoreError>> {
        ready(self.open().map(|state| state.cached(&stream, &projections)))
    }

    fn cache(&self, stream: StreamId, rows: Vec<CacheRow>) -> BoxFuture<'_, Result<(), StoreError>> {
        ready(self.open().map(|mut state| state.cache(&stream, rows)))
    }
}

impl CallAliases for MemoryStore {
    fn put_alias(&self, alias: CallAlias) -> BoxFuture<'_, Result<(), StoreError>> {
        ready(self.open().map(|mut state| {
            let oldest = alias.at.as_ms().saturating_sub(ALIAS_LIFE_MS);
            state.aliases.insert((alias.principal.clone(), alias.call_id.clone()), alias);
            state.aliases.retain(|_, kept| kept.at.as_ms() >= oldest);
        }))
    }

    fn alias(&self, principal: String, call_id: String) -> BoxFuture<'_, Result<Option<CallAlias>, StoreError>> {
        ready(self.open().map(|state| state.aliases.get(&(principal, call_id)).cloned()))
    }
}

impl SessionLocks for MemoryStore {
    fn attach(&self, session: Uuid) -> Result<(Box<dyn Attachment>, bool), StoreError> {
        drop(self.open()?);
        locks::attach(&self.live, session)
    }

    fn deserted(&self, session: Uuid) -> bool {
        locks::deserted(&self.live, session)
    }

    fn own(&self, session: Uuid) -> Result<Box<dyn OwnerLock>, StoreError> {
        drop(self.open()?);
        locks::own(&self.live, session)
    }
}

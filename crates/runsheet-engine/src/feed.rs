//! What changes, as it becomes durable, whichever process wrote it.

use std::{collections::HashMap, sync::Arc};

use runsheet_core::{
    log::{Seq, StreamId},
    projection::{Fold, UNITS},
};
use runsheet_store::{Cursor, FeedEntry, Store, StoreError};
use serde_json::value::RawValue;
use tokio::sync::watch;

use crate::{engine::Engine, error::EngineError};

/// How many events are taken from the store at once.
const PAGE: usize = 500;
/// How many sessions are kept folded for a follower.
const MAX_FOLDS: usize = 1_024;

/// A projection of a session changed. The value is whole: a client keeps the one with the higher seq and never folds.
#[derive(Clone, Debug)]
pub struct Change {
    /// The session.
    pub session: StreamId,
    /// The projection.
    pub key: &'static str,
    /// What clients see of it now; `None` when the session lost the capability.
    pub value: Option<Arc<RawValue>>,
    /// The last event folded into it.
    pub seq: Seq,
}

/// What one look at the feed gives.
#[derive(Clone, Debug)]
pub struct Changes {
    /// The events, in the order they were committed.
    pub events: Vec<FeedEntry>,
    /// What they changed: each projection once, at the last of its session's events here.
    pub changes: Vec<Change>,
    /// A sentence for each event that is damaged: it is passed over.
    pub damaged: Vec<String>,
    /// Where to go on.
    pub next: Cursor,
    /// Whether events were missed (a foreign or lost cursor): a client starts over from snapshots.
    pub reset: bool,
}

/// Follows the feed of the store from one place on.
pub struct Follower {
    engine: Engine,
    store: Arc<dyn Store>,
    bell: watch::Receiver<u64>,
    next: Cursor,
    folds: HashMap<StreamId, Fold>,
}

impl Engine {
    /// Follows all sessions from a cursor on; without one, from now on.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn follow(&self, after: Option<Cursor>) -> Result<Follower, EngineError> {
        let store = self.store().await?;
        let bell = store.doorbell();
        let next = match after {
            Some(after) => after,
            None => store.end().await.map_err(EngineError::store("finding the feed's end"))?,
        };
        Ok(Follower { engine: self.clone(), store, bell, next, folds: HashMap::new() })
    }
}

impl Follower {
    /// Where the follower stands.
    #[must_use]
    pub const fn cursor(&self) -> Cursor {
        self.next
    }

    /// Waits for the next changes. Dropping the future loses nothing.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn next(&mut self) -> Result<Changes, EngineError> {
        loop {
            // Marked as heard before looking: a ring after the look is then not lost.
            self.bell.borrow_and_update();
            match self.store.feed(self.next, PAGE).await {
                Ok(page) if page.next != self.next => {
                    let changes = self.fold(&page.entries).await?;
                    self.next = page.next;
                    let (events, damaged) = (page.entries, page.damaged);
                    return Ok(Changes { events, changes, damaged, next: self.next, reset: false });
                }
                Ok(_) => {}
                Err(StoreError::ForeignEpoch) => {
                    self.next = self.store.end().await.map_err(EngineError::store("finding the feed's end"))?;
                    self.folds.clear();
                    let (events, changes, damaged) = (Vec::new(), Vec::new(), Vec::new());
                    return Ok(Changes { events, changes, damaged, next: self.next, reset: true });
                }
                Err(error) => return Err(EngineError::store("following the feed")(error)),
            }
            if self.bell.changed().await.is_err() {
                return Err(EngineError::store("following the feed")(StoreError::Closed));
            }
        }
    }

    async fn fold(&mut self, entries: &[FeedEntry]) -> Result<Vec<Change>, EngineError> {
        let mut changed: Vec<(StreamId, Vec<&'static str>)> = Vec::new();
        for entry in entries.iter().filter(|entry| entry.stream.session().is_some()) {
            let keys = match self.folds.get_mut(&entry.stream) {
                Some(fold) if fold.seq().map_or(0, |seq| seq + 1) >= entry.event.seq => fold.apply(&entry.event),
                _ => self.open(entry).await?,
            };
            let at = changed.iter().position(|(stream, _)| *stream == entry.stream).unwrap_or_else(|| {
                changed.push((entry.stream.clone(), Vec::new()));
                changed.len() - 1
            });
            let known = &mut changed[at].1;
            known.extend(keys.into_iter().filter(|key| !known.contains(key)).collect::<Vec<_>>());
        }
        let views = changed.into_iter().flat_map(|(session, keys)| {
            let fold = self.folds.get(&session);
            let seq = fold.and_then(Fold::seq).unwrap_or_default();
            let visible = keys.into_iter().filter(|key| UNITS.iter().any(|unit| unit.key == *key && unit.visible));
            visible
                .map(|key| Change {
                    session: session.clone(),
                    key,
                    value: fold.and_then(|fold| fold.view(key)).map(Arc::from),
                    seq,
                })
                .collect::<Vec<_>>()
        });
        Ok(views.collect())
    }

    /// Folds a session met for the first time. It may be ahead of the entry already; then its later entries change
    /// nothing more, and all it holds counts as changed now.
    async fn open(&mut self, entry: &FeedEntry) -> Result<Vec<&'static str>, EngineError> {
        if self.folds.len() >= MAX_FOLDS {
            self.folds.clear();
        }
        match self.engine.load(&*self.store, &entry.stream).await {
            Ok(fold) => {
                self.folds.insert(entry.stream.clone(), fold);
                Ok(UNITS.iter().map(|unit| unit.key).collect())
            }
            // One session that cannot be followed does not keep the others from being followed.
            Err(error) if error.is_of_one_session() => {
                tracing::warn!(stream = %entry.stream, %error, "the session is not followed");
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    }
}

impl std::fmt::Debug for Follower {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Follower").field("next", &self.next).finish_non_exhaustive()
    }
}

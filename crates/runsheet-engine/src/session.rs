//! A session as this process knows it: the fold of its events.

use std::sync::{Arc, Mutex, PoisonError};

use runsheet_core::{
    log::{Recorded, Seq, StreamId},
    projection::{Fold, Snapshot, UNITS},
};
use runsheet_store::{CacheRow, Head, Order, Page, Select, Store};

use crate::{engine::Engine, error::EngineError};

/// How many sessions are kept folded. One more, and those nobody uses are forgotten; they cost a cached open again.
const MAX_LIVE: usize = 1_024;

/// How many events may pass without a cached state, outside turn ends.
pub(crate) const CACHE_EVERY: Seq = 200;

/// The fold of one session, advanced only from committed events.
#[derive(Debug)]
pub(crate) struct Live {
    fold: Mutex<Arc<Fold>>,
}

impl Live {
    fn new(fold: Fold) -> Self {
        Self { fold: Mutex::new(Arc::new(fold)) }
    }

    /// The fold as it is.
    pub(crate) fn fold(&self) -> Arc<Fold> {
        Arc::clone(&self.fold.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes a fold, unless the one here is further along by now; gives the one that is.
    fn replace(&self, fold: Arc<Fold>) -> Arc<Fold> {
        let mut known = self.fold.lock().unwrap_or_else(PoisonError::into_inner);
        if fold.seq() > known.seq() {
            *known = fold;
        }
        Arc::clone(&known)
    }

    /// Takes committed events; those known are passed over.
    pub(crate) fn advance<'a>(&self, events: impl IntoIterator<Item = &'a Recorded>) {
        let mut fold = self.fold.lock().unwrap_or_else(PoisonError::into_inner);
        let fold = Arc::make_mut(&mut fold);
        for event in events {
            fold.apply(event);
        }
    }
}

impl Engine {
    /// A session folded to its end, from its cached state where there is one.
    pub(crate) async fn live(&self, stream: &StreamId) -> Result<Arc<Live>, EngineError> {
        let store = self.store().await?;
        if let Some(live) = self.sessions().get(stream).cloned() {
            return Ok(live);
        }
        let live = Arc::new(Live::new(self.load(&*store, stream).await?));
        let mut sessions = self.sessions();
        if sessions.len() >= MAX_LIVE {
            sessions.retain(|_, live| Arc::strong_count(live) > 1);
        }
        Ok(Arc::clone(sessions.entry(stream.clone()).or_insert(live)))
    }

    /// Folds a stream from its cached state, or from its beginning.
    pub(crate) async fn load(&self, store: &dyn Store, stream: &StreamId) -> Result<Fold, EngineError> {
        let failed = || EngineError::store("opening the session");
        let Some(head) = store.head(stream.clone()).await.map_err(failed())? else { return Ok(Fold::new(UNITS)) };
        for used in &head.types {
            self.vocabulary()
                .follows(&used.ty, used.v, used.ignorable, &used.by)
                .map_err(|source| EngineError::Foreign { stream: stream.clone(), source })?;
        }
        let wanted = UNITS.iter().map(|unit| (unit.key, unit.version)).collect();
        let rows = store.cached(stream.clone(), wanted).await.map_err(failed())?;
        let mut fold = cached(&rows).unwrap_or_else(|| Fold::new(UNITS));
        self.catch_up(store, stream, &mut fold).await?;
        Ok(fold)
    }

    /// Folds what was appended since.
    pub(crate) async fn catch_up(
        &self,
        store: &dyn Store,
        stream: &StreamId,
        fold: &mut Fold,
    ) -> Result<(), EngineError> {
        loop {
            let select = Select::from(fold.seq().map_or(0, |seq| seq + 1));
            let page = store.read(stream.clone(), select).await.map_err(EngineError::store("reading the session"))?;
            for event in &page.events {
                fold.apply(event);
            }
            if !page.more {
                return Ok(());
            }
        }
    }

    /// A session as it is now, with what other processes wrote; `None` when there is no such session.
    ///
    /// # Errors
    /// When the store fails, or the session was written by a later version.
    pub async fn fold(&self, stream: &StreamId) -> Result<Option<Arc<Fold>>, EngineError> {
        Ok(self.folded(stream).await?.map(|(fold, _)| fold))
    }

    /// A session as it is now, and its end.
    pub(crate) async fn folded(&self, stream: &StreamId) -> Result<Option<(Arc<Fold>, Head)>, EngineError> {
        let store = self.store().await?;
        let live = self.live(stream).await?;
        let known = live.fold();
        let head = store.head(stream.clone()).await.map_err(EngineError::store("opening the session"))?;
        let Some(head) = head else { return Ok(None) };
        if known.seq() == Some(head.seq) {
            return Ok(Some((known, head)));
        }
        let mut fold = Fold::clone(&known);
        self.catch_up(&*store, stream, &mut fold).await?;
        let fold = live.replace(Arc::new(fold));
        Ok(Some((fold, head)))
    }

    /// What clients see of a session, in one cut; `None` when there is no such session.
    ///
    /// # Errors
    /// See [`Engine::fold`].
    pub async fn snapshot(&self, stream: &StreamId) -> Result<Option<Snapshot>, EngineError> {
        Ok(self.fold(stream).await?.map(|fold| fold.snapshot()))
    }

    /// A page of a session's events.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn events(&self, stream: &StreamId, select: Select) -> Result<Page, EngineError> {
        let store = self.store().await?;
        store.read(stream.clone(), select).await.map_err(EngineError::store("reading the session"))
    }

    /// The last event of some types at or before a seq.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn last_of(
        &self,
        stream: &StreamId,
        types: &[&'static str],
        to: Seq,
    ) -> Result<Option<Recorded>, EngineError> {
        let select = Select { from: 0, to, types: Some(types.to_vec()), order: Order::Backward, limit: 1 };
        Ok(self.events(stream, select).await?.events.into_iter().next())
    }
}

/// The fold that cached rows give, when all of them are of one event.
fn cached(rows: &[CacheRow]) -> Option<Fold> {
    let first = rows.first()?;
    let at = (first.seq, first.event_id);
    if rows.iter().any(|row| (row.seq, row.event_id) != at) {
        return None;
    }
    Fold::load(UNITS, at, |key| rows.iter().find(|row| row.key == key).map(|row| &*row.state))
}

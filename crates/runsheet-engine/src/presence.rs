//! Which sessions this process serves, and what it owes them when it leaves.

use std::{
    collections::HashMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use runsheet_core::{
    log::{EndReason, StreamId, Time},
    observe,
    projection::TurnsUnit,
};
use runsheet_store::{Attachment, Decision, Store};

use crate::{engine::Engine, error::EngineError};

/// How long the end of a session's turn may take when the process ends.
const LEAVING: Duration = Duration::from_secs(1);

/// The sessions this process is attached to, and when each was last heard of.
pub(crate) struct Presence {
    attached: Mutex<HashMap<StreamId, Attached>>,
    /// How many there may be.
    most: AtomicUsize,
}

pub(crate) struct Attached {
    attachment: Box<dyn Attachment>,
    heard: Time,
}

/// What came of joining.
#[derive(Default)]
pub(crate) struct Joined {
    /// Nobody served the session before: an implicit turn still open was left behind.
    pub(crate) deserted: bool,
    /// A session there is no room for any more, to be left.
    pub(crate) over: Option<(StreamId, Attached)>,
}

impl Default for Presence {
    fn default() -> Self {
        Self { attached: Mutex::default(), most: AtomicUsize::new(usize::MAX) }
    }
}

impl Presence {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<StreamId, Attached>> {
        self.attached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn bound(&self, most: usize) {
        self.most.store(most.max(1), Ordering::Relaxed);
    }

    /// Joins a session's processes unless this one has.
    pub(crate) fn attach(&self, store: &dyn Store, stream: &StreamId, now: Time) -> Result<Joined, EngineError> {
        let Some(session) = stream.session() else { return Ok(Joined::default()) };
        let mut attached = self.lock();
        if let Some(known) = attached.get_mut(stream) {
            known.heard = now;
            return Ok(Joined::default());
        }
        let (attachment, deserted) =
            store.attach(session).map_err(EngineError::store("joining the session's processes"))?;
        let silent =
            || attached.iter().min_by_key(|(_, attached)| attached.heard.as_ms()).map(|(stream, _)| stream.clone());
        let over = if attached.len() < self.most.load(Ordering::Relaxed) { None } else { silent() };
        let over = over.and_then(|stream| attached.remove_entry(&stream));
        attached.insert(stream.clone(), Attached { attachment, heard: now });
        Ok(Joined { deserted, over })
    }
}

impl Engine {
    /// Leaves all sessions: a client that goes away closes its turn, however it went.
    pub(crate) async fn leave_all(&self) {
        let attached: Vec<_> = self.presence().lock().drain().collect();
        for (stream, attached) in attached {
            // Who goes is waited for. The turn of a session that was left like this is ended by its next writer.
            if tokio::time::timeout(LEAVING, self.leave(&stream, attached)).await.is_err() {
                tracing::warn!("the store is busy: open turns are left for whoever writes to their sessions next");
                return;
            }
        }
    }

    /// Leaves the sessions that were silent for too long: over stateless HTTP nobody says goodbye.
    pub async fn leave_silent(&self, silent_ms: i64) {
        let now = self.clock().now().as_ms();
        let silent: Vec<_> = {
            let mut attached = self.presence().lock();
            attached.extract_if(|_, attached| now - attached.heard.as_ms() >= silent_ms).collect()
        };
        for (stream, attached) in silent {
            self.leave(&stream, attached).await;
        }
    }

    pub(crate) async fn leave(&self, stream: &StreamId, attached: Attached) {
        // The guard keeps others from joining until the turn is ended.
        let Some(_last_out) = attached.attachment.leave() else { return };
        if let Err(error) = self.end_implicit(stream).await {
            tracing::warn!(%stream, %error, "the session's turn could not be ended");
        }
    }

    async fn end_implicit(&self, stream: &StreamId) -> Result<(), EngineError> {
        let store = self.store().await?;
        let live = self.live(stream).await?;
        let base = live.fold();
        let (after, stamp, vocabulary) = (base.seq(), self.clock().stamp(), self.vocabulary().clone());
        let session = stream.session();
        let decide = Box::new(move |tail: &dyn runsheet_store::Tail| {
            let mut turns = base.state::<TurnsUnit>().clone();
            tail.new_events().iter().for_each(|event| {
                turns.apply(event);
            });
            let batch = session
                .map(|session| observe::ended(&vocabulary, &turns, session, (EndReason::Disconnected, true), &stamp));
            Decision { batch: batch.unwrap_or_default(), cache: Vec::new() }
        });
        let done = store
            .transact(stream.clone(), after, decide)
            .await
            .map_err(EngineError::store("ending the session's turn"))?;
        live.advance(done.before.iter().chain(&done.appended));
        Ok(())
    }
}

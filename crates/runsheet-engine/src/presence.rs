//! Which sessions this process serves, and what it owes them when it leaves.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use runsheet_core::{
    log::{EndReason, StreamId, Time},
    observe,
    projection::TurnsUnit,
};
use runsheet_store::{Attachment, Decision, Store};

use crate::{engine::Engine, error::EngineError};

/// The sessions this process is attached to, and when each was last heard of.
#[derive(Default)]
pub(crate) struct Presence(Mutex<HashMap<StreamId, Attached>>);

struct Attached {
    attachment: Box<dyn Attachment>,
    heard: Time,
}

impl Presence {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<StreamId, Attached>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins a session's processes unless this one has. Says whether nobody served it before: an implicit turn still
    /// open was then left behind.
    pub(crate) fn attach(&self, store: &dyn Store, stream: &StreamId, now: Time) -> Result<bool, EngineError> {
        let Some(session) = stream.session() else { return Ok(false) };
        let mut attached = self.lock();
        if let Some(known) = attached.get_mut(stream) {
            known.heard = now;
            return Ok(false);
        }
        let (attachment, deserted) =
            store.attach(session).map_err(EngineError::store("joining the session's processes"))?;
        attached.insert(stream.clone(), Attached { attachment, heard: now });
        Ok(deserted)
    }
}

impl Engine {
    /// Leaves all sessions: a client that goes away closes its turn, however it went.
    pub(crate) async fn leave_all(&self) {
        let attached: Vec<_> = self.presence().lock().drain().collect();
        for (stream, attached) in attached {
            self.leave(&stream, attached).await;
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

    async fn leave(&self, stream: &StreamId, attached: Attached) {
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

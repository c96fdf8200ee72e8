//! Forking a session, and closing what a crash left open in one of our own.

use runsheet_core::{
    log::{self, Ownership, Recorded, Seq, SessionCreated, StreamId, Time, Turns, closers, read},
    projection::TurnsUnit,
};
use runsheet_store::{AppendOutcome, Decision, Expected, Select, StoreError, Tail};

use crate::{engine::Engine, error::EngineError};

impl Engine {
    /// A new session that begins with another's events up to `at`, its end by default.
    ///
    /// # Errors
    /// When `at` lies inside a turn or beyond the end, or the store fails.
    pub async fn fork(&self, parent: &StreamId, at: Option<Seq>) -> Result<StreamId, EngineError> {
        let missing = || EngineError::NoSession(parent.to_string());
        let store = self.store().await?;
        let failed = || EngineError::store("forking the session");
        let head = store.head(parent.clone()).await.map_err(failed())?.ok_or_else(missing)?.seq;
        let at = at.unwrap_or(head);
        let (header, turns) = self.turns_at(parent, at.min(head)).await?;
        let header = header.ok_or_else(missing)?;
        let session = parent.session().ok_or_else(missing)?;
        let child = self.clock().id();
        let batch = log::fork(
            self.vocabulary(),
            (session, &header),
            (at, head),
            &turns,
            [self.clock().id(), self.clock().id()],
            self.clock().now(),
        )
        .map_err(|source| EngineError::Fork { stream: parent.clone(), source })?;
        let stream = StreamId::Session(child.uuid());
        match store.append(stream.clone(), Expected::Absent, batch).await.map_err(failed())? {
            AppendOutcome::Appended(_) | AppendOutcome::Duplicate { .. } => Ok(stream),
            AppendOutcome::Conflict { head } => {
                let reason = format!("the fresh session {stream} is there already, up to {head:?}");
                Err(failed()(StoreError::Medium { operation: "fork", reason }))
            }
        }
    }

    /// Closes what a crash left open in a session of our own; gives how many events that took. The session's owner lock
    /// is held meanwhile, so a session that runs is left alone.
    ///
    /// # Errors
    /// [`StoreError::SessionBusy`] when the session runs.
    pub async fn repair(&self, stream: &StreamId) -> Result<usize, EngineError> {
        let session = stream.session().ok_or_else(|| EngineError::NoSession(stream.to_string()))?;
        let store = self.store().await?;
        let failed = || EngineError::store("repairing the session");
        let _owner = store.own(session).map_err(failed())?;
        let live = self.live(stream).await?;
        let base = live.fold();
        let after = base.seq();
        let last = self.events(stream, Select { limit: 1, ..Select::from(after.unwrap_or(0)) }).await?;
        let known = last.events.last().map_or(Time::default(), |event| event.time);
        let vocabulary = self.vocabulary().clone();
        let decide = Box::new(move |tail: &dyn Tail| {
            let mut turns = base.state::<TurnsUnit>().clone();
            tail.new_events().iter().for_each(|event| {
                turns.apply(event);
            });
            let last = tail.new_events().last().map_or(known, |event| event.time);
            Decision { batch: closers(&vocabulary, session, &turns, last), cache: Vec::new() }
        });
        let done = store.transact(stream.clone(), after, decide).await.map_err(failed())?;
        live.advance(done.before.iter().chain(&done.appended));
        Ok(done.appended.len())
    }

    async fn turns_at(&self, stream: &StreamId, at: Seq) -> Result<(Option<SessionCreated>, Turns), EngineError> {
        let (mut turns, mut header) = (Turns::default(), None);
        let mut fold = |event: &Recorded| {
            if event.seq == 0 {
                header = read::<SessionCreated>(event);
            }
            turns.apply(event);
        };
        let mut from = 0;
        loop {
            let select = Select { to: at, types: Some(Turns::TYPES.to_vec()), ..Select::from(from) };
            let page = self.events(stream, select).await?;
            page.events.iter().for_each(&mut fold);
            match page.events.last() {
                Some(last) if page.more => from = last.seq + 1,
                _ => return Ok((header, turns)),
            }
        }
    }

    /// Whether a session is one of our own.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn is_owned(&self, stream: &StreamId) -> Result<bool, EngineError> {
        Ok(self.live(stream).await?.fold().state::<TurnsUnit>().ownership == Some(Ownership::Owned))
    }
}

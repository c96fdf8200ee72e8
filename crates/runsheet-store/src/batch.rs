//! What becomes of a batch: decided before anything is written, the same way in every store.

use std::{
    collections::HashSet,
    panic::{AssertUnwindSafe, catch_unwind},
};

use runsheet_core::log::{Bounds, Event, Parent, Recorded, Seq, SessionCreated, StreamId, Vocabulary, read};

use crate::{
    error::StoreError,
    event_log::{Decide, Decision, Expected, Tail},
};

/// A stream as a write finds it, under the lock.
pub(crate) trait Standing<E: From<StoreError>> {
    /// The last event's seq.
    fn head(&self) -> Option<Seq>;
    /// The event with the id of this one, if the stream holds it, inherited ones too.
    fn find(&mut self, event: &Event) -> Result<Option<Recorded>, E>;
}

/// What is to be done with a batch.
#[derive(Debug)]
pub(crate) enum Plan {
    /// Append these of its events, each at its seq.
    Append(Vec<(Seq, usize)>),
    /// All of it stands there.
    Duplicate {
        first: Seq,
    },
    Conflict {
        head: Option<Seq>,
    },
}

/// Has a decision made. One that panics must not take the writer of all sessions with it.
pub(crate) fn decide(decide: &mut Decide, tail: &dyn Tail) -> Result<Decision, StoreError> {
    catch_unwind(AssertUnwindSafe(|| decide(tail))).map_err(|_| StoreError::Medium {
        operation: "decide on an append",
        reason: "the decision panicked; nothing was appended".into(),
    })
}

/// The session a batch forks from, when its header says so.
pub(crate) fn parent(stream: &StreamId, batch: &[Event]) -> Option<Parent> {
    let header = batch.first()?.clone().at(0);
    read::<SessionCreated>(&header)?.parent.filter(|parent| Some(parent.session) != stream.session())
}

/// The seq of a batch's events when it stands after `head`: a fork's header is at 0, and the rest after what it inherits.
pub(crate) fn seqs(head: Option<Seq>, fork: Option<Parent>) -> impl Iterator<Item = Seq> {
    let (first, rest) = match (head, fork) {
        (Some(head), _) => (head + 1, head + 2),
        (None, Some(parent)) => (0, parent.seq + 1),
        (None, None) => (0, 1),
    };
    std::iter::once(first).chain(rest..)
}

/// Checks what needs no knowledge of the stream: bounds, and the shape of each event at the seq it would get.
pub(crate) fn check(
    vocabulary: &Vocabulary,
    bounds: &Bounds,
    stream: &StreamId,
    seqs: impl Iterator<Item = Seq>,
    batch: &[Event],
) -> Result<(), StoreError> {
    if batch.len() > bounds.max_batch_events {
        return Err(StoreError::TooBig { events: batch.len(), limit: bounds.max_batch_events });
    }
    let mut ids = HashSet::with_capacity(batch.len());
    for (seq, event) in seqs.zip(batch) {
        vocabulary.check(seq, event, bounds).map_err(|source| StoreError::Shape {
            stream: stream.clone(),
            seq,
            source,
        })?;
        if !ids.insert(event.id) {
            return Err(StoreError::IdReused { stream: stream.clone(), id: event.id });
        }
    }
    Ok(())
}

/// What an append at an expected place becomes. Idempotence is by place and id, at any later time.
pub(crate) fn expected<E: From<StoreError>>(
    stream: &StreamId,
    standing: &mut dyn Standing<E>,
    expected: Expected,
    fork: Option<Parent>,
    batch: &[Event],
) -> Result<Plan, E> {
    let head = standing.head();
    let in_place = match expected {
        Expected::Absent => head.is_none(),
        Expected::Seq(seq) => head == Some(seq),
    };
    // An empty batch is there, wherever.
    let mut first = batch.is_empty().then(|| head.map_or(0, |head| head + 1));
    let (mut there, mut repeated) = (0, None);
    for (index, event) in batch.iter().enumerate() {
        let Some(recorded) = standing.find(event)? else { continue };
        if !event.same(&recorded) {
            return Err(StoreError::IdReused { stream: stream.clone(), id: event.id }.into());
        }
        if index == 0 {
            first = Some(recorded.seq);
        }
        there += 1;
        repeated = Some(event.id);
    }
    match (first, repeated) {
        (Some(first), _) if there == batch.len() => Ok(Plan::Duplicate { first }),
        _ if !in_place => Ok(Plan::Conflict { head }),
        // At the right place, but part of it is there: no retry could ever succeed, so it is no conflict.
        (_, Some(id)) => Err(StoreError::IdReused { stream: stream.clone(), id }.into()),
        _ => Ok(Plan::Append(seqs(head, fork).zip(0..batch.len()).collect())),
    }
}

/// What a decided batch becomes: events that stand there already are left out.
pub(crate) fn decided<E: From<StoreError>>(
    stream: &StreamId,
    standing: &mut dyn Standing<E>,
    fork: Option<Parent>,
    batch: &[Event],
) -> Result<Vec<(Seq, usize)>, E> {
    let mut missing = Vec::with_capacity(batch.len());
    for (index, event) in batch.iter().enumerate() {
        match standing.find(event)? {
            None => missing.push(index),
            Some(recorded) if event.same(&recorded) => {}
            Some(_) => return Err(StoreError::IdReused { stream: stream.clone(), id: event.id }.into()),
        }
    }
    Ok(seqs(standing.head(), fork).zip(missing).collect())
}

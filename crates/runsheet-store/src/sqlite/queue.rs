//! Writes on their way to the writer.

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

use runsheet_core::log::{Event, Parent, Seq, StreamId};
use tokio::sync::oneshot;

use crate::{
    aliases::CallAlias,
    cache::CacheRow,
    error::StoreError,
    event_log::{AppendOutcome, Decide, Expected, Transacted},
};

/// What is to be written.
pub(super) enum Work {
    Append { stream: StreamId, expected: Expected, fork: Option<Parent>, batch: Vec<Event> },
    Transact { stream: StreamId, after: Option<Seq>, decide: Decide },
    Cache { stream: StreamId, rows: Vec<CacheRow> },
    Alias(CallAlias),
}

/// What came of it.
#[derive(Debug)]
pub(super) enum Done {
    Append(AppendOutcome),
    Transact(Transacted),
    /// States or an alias are kept.
    Kept,
}

pub(super) struct Request {
    pub(super) claim: Arc<Claim>,
    /// Taken, with the reply, once the request is claimed.
    pub(super) work: Option<Work>,
    pub(super) reply: Option<oneshot::Sender<Result<Done, StoreError>>>,
}

pub(super) enum Message {
    Write(Box<Request>),
    Close(oneshot::Sender<()>),
}

/// Who decides about a queued request: the writer, by claiming it, or the caller, by giving it up. Whoever is first.
#[derive(Debug, Default)]
pub(super) struct Claim(AtomicU8);

const QUEUED: u8 = 0;
const CLAIMED: u8 = 1;
const ABANDONED: u8 = 2;

impl Claim {
    /// The writer's: the request will be carried out.
    pub(super) fn claim(&self) -> bool {
        self.take(CLAIMED)
    }

    /// The caller's: the request will never be carried out.
    pub(super) fn abandon(&self) -> bool {
        self.take(ABANDONED)
    }

    fn take(&self, by: u8) -> bool {
        self.0.compare_exchange(QUEUED, by, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

/// Gives a request up when its caller goes away before it was claimed.
pub(super) struct Caller(pub(super) Arc<Claim>);

impl Drop for Caller {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

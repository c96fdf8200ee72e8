//! The contract of an event log.

use std::{fmt, pin::Pin, str::FromStr};

use runsheet_core::log::{Event, EventId, Recorded, Seq, StreamId, Time};
use tokio::sync::watch;
use uuid::Uuid;

use crate::{cache::CacheRow, error::StoreError};

/// A future of an object-safe trait.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Streams of events.
///
/// Idempotence is defined by place and id, not by a time window: an append that was already made is a
/// [`Duplicate`](AppendOutcome::Duplicate), however long ago.
pub trait EventLog: Send + Sync {
    /// Decides on the latest state and appends the decision, in one step that no other writer comes between.
    ///
    /// `decide` runs under the writer's lock, with the events after `after`; it is pure and may run again. It must be
    /// quick: every writer of every process waits for it.
    ///
    /// # Errors
    /// See [`StoreError`]. After [`StoreError::Busy`] the decision was not and will not be made.
    fn transact(
        &self,
        stream: StreamId,
        after: Option<Seq>,
        decide: Decide,
    ) -> BoxFuture<'_, Result<Transacted, StoreError>>;

    /// Appends a batch at an expected place: for import, forks and tests. A batch is a duplicate only as a whole.
    ///
    /// A header whose `parent` names another session makes a fork: the header takes seq 0, the parent's events up to
    /// the named one are read through with their own seqs and ids, and the rest of the batch goes on after them.
    ///
    /// # Errors
    /// See [`StoreError`]; [`StoreError::IdReused`] when an id stands there with other data.
    fn append(
        &self,
        stream: StreamId,
        expected: Expected,
        batch: Vec<Event>,
    ) -> BoxFuture<'_, Result<AppendOutcome, StoreError>>;

    /// Reads one page of a stream. A stream that does not exist is an empty page without a head.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] for a row whose checksum is wrong: it is reported, never shown.
    fn read(&self, stream: StreamId, select: Select) -> BoxFuture<'_, Result<Page, StoreError>>;

    /// The end of a stream and the types it holds; `None` when it does not exist.
    ///
    /// # Errors
    /// See [`StoreError`].
    fn head(&self, stream: StreamId) -> BoxFuture<'_, Result<Option<Head>, StoreError>>;

    /// The events of all streams after a cursor, in the order they were committed. A damaged one is named instead of
    /// given, and does not keep those after it from being read.
    ///
    /// # Errors
    /// [`StoreError::ForeignEpoch`] when the cursor is of another store, or of a past this one lost.
    fn feed(&self, after: Cursor, limit: usize) -> BoxFuture<'_, Result<FeedPage, StoreError>>;

    /// Rings when any process committed: the position of the feed's end as last heard. It may ring late or for nothing,
    /// never not at all.
    fn doorbell(&self) -> watch::Receiver<u64>;

    /// The cursor after the latest event of all.
    ///
    /// # Errors
    /// See [`StoreError`].
    fn end(&self) -> BoxFuture<'_, Result<Cursor, StoreError>>;

    /// The streams, those written last first. What is damaged is named beside them.
    ///
    /// # Errors
    /// See [`StoreError`].
    fn streams(&self, kind: StreamKind, limit: usize) -> BoxFuture<'_, Result<Listing, StoreError>>;

    /// Checks the medium below the events (pages, indexes, rows' checksums): a sentence for each fault found.
    ///
    /// # Errors
    /// See [`StoreError`].
    fn check_medium(&self) -> BoxFuture<'_, Result<Vec<String>, StoreError>>;

    /// Finishes what was accepted and lets go of the medium. Later calls fail with [`StoreError::Closed`].
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// What a decision sees of its stream, under the writer's lock.
pub trait Tail {
    /// The last event's seq; `None` when the stream does not exist.
    fn head(&self) -> Option<Seq>;
    /// The events after the place the caller knew.
    fn new_events(&self) -> &[Recorded];
    /// Whether the stream holds an id (an inherited one too).
    fn has(&self, id: EventId) -> bool;
}

/// A decision to be made under the writer's lock.
pub type Decide = Box<dyn FnMut(&dyn Tail) -> Decision + Send>;

/// What was decided.
#[derive(Debug, Default)]
pub struct Decision {
    /// What to append; nothing is a decision too.
    pub batch: Vec<Event>,
    /// Projection states that come due with this append; written with its commit.
    pub cache: Vec<CacheRow>,
}

/// The outcome of a decision.
#[derive(Debug)]
pub struct Transacted {
    /// The events after the caller's place that others had appended.
    pub before: Vec<Recorded>,
    /// The events appended by the decision, durable.
    pub appended: Vec<Recorded>,
    /// The feed's cursor after the last appended event; `None` when nothing was appended.
    pub cursor: Option<Cursor>,
}

/// Where an append is to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The stream does not exist yet.
    Absent,
    /// The stream's last event.
    Seq(Seq),
}

/// What became of an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppendOutcome {
    /// It is durable.
    Appended(Appended),
    /// The whole batch stands there already.
    Duplicate {
        /// The seq of its first event.
        first: Seq,
    },
    /// The stream's end is elsewhere, and the batch is not there.
    Conflict {
        /// The stream's last event; `None` when it does not exist.
        head: Option<Seq>,
    },
}

/// Where an append stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The seq of its first event.
    pub first: Seq,
    /// The seq of its last event.
    pub last: Seq,
    /// The feed's cursor after it.
    pub cursor: Cursor,
}

/// A selection of a stream's events.
#[derive(Clone, Debug)]
pub struct Select {
    /// The first seq wanted.
    pub from: Seq,
    /// The last seq wanted, inclusive.
    pub to: Seq,
    /// Only these types; `None` for all.
    pub types: Option<Vec<&'static str>>,
    /// The order, which decides what a limited page holds.
    pub order: Order,
    /// The most events wanted. A store may give fewer; [`Page::more`] says whether there are more.
    pub limit: usize,
}

/// An order of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Oldest first.
    Forward,
    /// Newest first.
    Backward,
}

impl Select {
    /// Events from a seq on, oldest first, a page at a time.
    #[must_use]
    pub const fn from(from: Seq) -> Self {
        Self { from, to: Seq::MAX, types: None, order: Order::Forward, limit: 1_000 }
    }
}

/// One page of a stream.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The events, in the order asked for.
    pub events: Vec<Recorded>,
    /// The stream's last event when the page was cut.
    pub head: Option<Seq>,
    /// Whether the selection holds more.
    pub more: bool,
}

/// The end of a stream.
#[derive(Clone, Debug)]
pub struct Head {
    /// The last event's seq.
    pub seq: Seq,
    /// Its id.
    pub id: EventId,
    /// When it was written.
    pub time: Time,
    /// The types the stream holds, each with its latest version: what decides whether this program can follow it.
    pub types: Vec<TypeUse>,
}

/// A type as a stream holds it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeUse {
    /// The type.
    pub ty: String,
    /// The version of its data.
    pub v: u32,
    /// Whether it may be skipped.
    pub ignorable: bool,
    /// A version of the program that wrote it.
    pub by: String,
}

/// A place in the feed of a store. Clients get it as an opaque text and bring it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Which store, and which past of it.
    pub epoch: Uuid,
    /// How many events were committed up to it.
    pub position: u64,
}

/// A text that is no cursor.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no cursor of a feed")]
pub struct CursorError(String);

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.epoch.simple(), self.position)
    }
}

impl FromStr for Cursor {
    type Err = CursorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fault = || CursorError(text.chars().take(80).collect());
        let (epoch, position) = text.split_once('.').ok_or_else(fault)?;
        Ok(Self { epoch: epoch.parse().map_err(|_| fault())?, position: position.parse().map_err(|_| fault())? })
    }
}

/// One event of the feed.
#[derive(Clone, Debug)]
pub struct FeedEntry {
    /// The feed's position after it.
    pub position: u64,
    /// Its stream.
    pub stream: StreamId,
    /// The event.
    pub event: Recorded,
}

/// One page of the feed.
#[derive(Clone, Debug)]
pub struct FeedPage {
    /// The events, in the order committed.
    pub entries: Vec<FeedEntry>,
    /// A sentence for each event of the page that is damaged or missing.
    pub damaged: Vec<String>,
    /// The cursor after the page.
    pub next: Cursor,
    /// Whether more was committed when the page was cut.
    pub more: bool,
}

/// A kind of stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    /// Sessions.
    Sessions,
    /// Task lists.
    Tasks,
}

/// A listing of streams.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Those that can be told.
    pub streams: Vec<StreamInfo>,
    /// A sentence for each that is there and cannot be told: its row is damaged. It may be of any kind.
    pub damaged: Vec<String>,
}

/// A stream in a listing.
#[derive(Clone, Debug)]
pub struct StreamInfo {
    /// The stream.
    pub stream: StreamId,
    /// Its last event.
    pub head: Seq,
    /// When its first event was written.
    pub created: Time,
    /// When its last event was written.
    pub updated: Time,
}

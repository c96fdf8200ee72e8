//! Durable event logs.
//!
//! [`EventLog`] is the contract: streams of events, appended idempotently, read by position, followed through one feed.
//! [`ProjectionCache`], [`CallAliases`] and [`SessionLocks`] lie beside it; [`Store`] is all of them. Two stores keep
//! the contract, `sqlite` and `memory`, and both pass `testkit`, the suite any further store must pass.
//!
//! A success is reported after it is durable, never before, and an append whose outcome cannot be known says so
//! ([`StoreError::Unknown`]).

#![warn(missing_docs)]

mod aliases;
mod batch;
mod cache;
mod error;
mod event_log;
mod locks;
mod memory;
mod sqlite;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use aliases::{CallAlias, CallAliases};
pub use cache::{CacheRow, ProjectionCache};
pub use error::StoreError;
pub use event_log::{
    AppendOutcome, Appended, BoxFuture, Cursor, CursorError, Decide, Decision, EventLog, Expected, FeedEntry, FeedPage,
    Head, Listing, Order, Page, Select, StreamInfo, StreamKind, Tail, Transacted, TypeUse,
};
pub use locks::{Attachment, LastOut, OwnerLock, SessionLocks};
pub use memory::MemoryStore;
pub use sqlite::{Access, Durability, SqliteOptions, SqliteStore};

/// Everything the engine keeps its state in.
pub trait Store: EventLog + ProjectionCache + CallAliases + SessionLocks {}

impl<T: EventLog + ProjectionCache + CallAliases + SessionLocks> Store for T {}

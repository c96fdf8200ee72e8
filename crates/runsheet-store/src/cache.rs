//! The cache of projection states.

use runsheet_core::log::{EventId, Seq, StreamId};

use crate::{error::StoreError, event_log::BoxFuture};

/// A projection's state at an event of a stream: a shortcut, never the authority.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheRow {
    /// The projection's key.
    pub key: &'static str,
    /// The projection's version.
    pub version: u32,
    /// The last event folded into the state.
    pub seq: Seq,
    /// That event's id: the row is valid only while the event at `seq` has it.
    pub event_id: EventId,
    /// The state, as the projection writes it.
    pub state: Vec<u8>,
}

/// States of projections, by stream and key.
pub trait ProjectionCache: Send + Sync {
    /// The valid rows of a stream for the projections asked for, by key and version. Rows whose event is not there are
    /// left out.
    ///
    /// # Errors
    /// See [`StoreError`].
    fn cached(
        &self,
        stream: StreamId,
        projections: Vec<(&'static str, u32)>,
    ) -> BoxFuture<'_, Result<Vec<CacheRow>, StoreError>>;

    /// Keeps rows. A failure loses time later, never data.
    ///
    /// # Errors
    /// See [`StoreError`].
    fn cache(&self, stream: StreamId, rows: Vec<CacheRow>) -> BoxFuture<'_, Result<(), StoreError>>;
}

//! How a store is opened.

use std::{sync::Arc, time::Duration};

use runsheet_core::log::{Bounds, Vocabulary};

/// What a success promises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Synced to the disk: it survives a loss of power. What is visible is synced.
    #[default]
    Full,
    /// Survives a crash of any process; a loss of power may take the last events. Then the feed's epoch changes, so that
    /// nobody resumes from a past that is gone.
    Normal,
}

/// What may be done to the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Read and write; made when it is not there.
    #[default]
    Create,
    /// Read and write; it must be there.
    Existing,
    /// Only read; it must be there. Writes fail with [`StoreError::ReadOnly`](crate::StoreError::ReadOnly).
    ReadOnly,
}

/// How a [`SqliteStore`](super::SqliteStore) is opened.
#[derive(Clone, Debug)]
pub struct SqliteOptions {
    /// The event types known to this program; every append is checked against them.
    pub vocabulary: Arc<Vocabulary>,
    /// What a success promises.
    pub durability: Durability,
    /// What may be done to the file.
    pub access: Access,
    /// Bounds on events and batches.
    pub bounds: Bounds,
    /// How long a write waits for its turn before it is given up with [`StoreError::Busy`](crate::StoreError::Busy).
    pub patience: Duration,
    /// The most pages of 2 KiB the database may have. A write that needs more fails with
    /// [`StoreError::Full`](crate::StoreError::Full).
    pub max_pages: Option<u32>,
    /// Whether the last process to close moves the WAL into the database and removes it. Without, a small WAL is left
    /// for the next: for processes that write once and end, such as hooks, it saves two syncs.
    pub checkpoint_on_close: bool,
}

impl SqliteOptions {
    /// The defaults: durable, made when missing, 5 seconds of patience.
    #[must_use]
    pub fn new(vocabulary: Arc<Vocabulary>) -> Self {
        Self {
            vocabulary,
            durability: Durability::default(),
            access: Access::default(),
            bounds: Bounds::default(),
            patience: Duration::from_secs(5),
            max_pages: None,
            checkpoint_on_close: true,
        }
    }
}

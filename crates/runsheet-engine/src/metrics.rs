//! What this process did, counted cheaply.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// The upper bounds of a [`Histogram`]'s buckets, in microseconds; what is above them all falls into one more.
pub const BUCKETS_US: [u64; 12] =
    [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 50_000, 100_000, 500_000, 2_500_000];

/// How long something took, by bucket.
#[derive(Debug, Default)]
pub struct Histogram {
    counts: [AtomicU64; BUCKETS_US.len() + 1],
    sum_us: AtomicU64,
}

impl Histogram {
    /// Counts one that took this long.
    pub fn observe(&self, took: Duration) {
        let us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKETS_US.partition_point(|bound| *bound < us);
        self.counts[bucket].fetch_add(1, Relaxed);
        self.sum_us.fetch_add(us, Relaxed);
    }

    /// How many there were in each bucket and above them all, and the sum in microseconds.
    #[must_use]
    pub fn read(&self) -> ([u64; BUCKETS_US.len() + 1], u64) {
        (std::array::from_fn(|at| self.counts[at].load(Relaxed)), self.sum_us.load(Relaxed))
    }
}

/// What an engine counts.
#[derive(Debug, Default)]
pub struct EngineMetrics {
    /// Calls that wrote, or were answered from the log.
    pub calls_served: AtomicU64,
    /// Calls that were refused.
    pub calls_refused: AtomicU64,
    /// Calls that failed, because the store did.
    pub calls_failed: AtomicU64,
    /// How long calls took, until they were durable.
    pub call: Histogram,
    /// Lists that people edited.
    pub edits: AtomicU64,
    /// Edits of a list that had moved on.
    pub edit_conflicts: AtomicU64,
}

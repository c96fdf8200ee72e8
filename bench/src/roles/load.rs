//! Sessions that append as fast as they can.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use runsheet_engine::store::EventLog;
use serde::{Deserialize, Serialize};

use super::{say, wait_for_go};
use crate::{
    sample::{Series, ms_since},
    stores::{self, Writer},
    workload,
};

/// What a process of writing sessions did.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Load {
    pub(crate) events: usize,
    pub(crate) seconds: f64,
    /// How long an append took, in milliseconds.
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
}

pub(super) fn play(store: &str, sessions: usize, per_append: usize, for_ms: u64) -> Result<()> {
    let runtime = stores::full_runtime()?;
    let store = Arc::new(stores::open(Path::new(store))?);
    // The writer's thread and its connection are up before the clock runs.
    runtime.block_on(Writer::begin(&*store))?;
    wait_for_go()?;
    let load = runtime.block_on(write(&store, sessions, per_append, Duration::from_millis(for_ms)))?;
    runtime.block_on(store.close());
    say(&load)
}

async fn write<L: EventLog + 'static>(
    log: &Arc<L>,
    sessions: usize,
    per_append: usize,
    lasting: Duration,
) -> Result<Load> {
    let from = Instant::now();
    let tasks: Vec<_> = (0..sessions)
        .map(|_| {
            let log = Arc::clone(log);
            tokio::spawn(async move { session(&*log, per_append, from + lasting).await })
        })
        .collect();
    let mut waits = Vec::new();
    for task in tasks {
        waits.extend(task.await.context("a session's task panicked")??);
    }
    let seconds = from.elapsed().as_secs_f64();
    let events = waits.len() * per_append;
    let waits: Series = [waits].into_iter().collect();
    Ok(Load { events, seconds, p50_ms: waits.quantile(0.5), p99_ms: waits.quantile(0.99) })
}

async fn session(log: &dyn EventLog, per_append: usize, until: Instant) -> Result<Vec<f64>> {
    let mut writer = Writer::begin(log).await?;
    let mut waits = Vec::new();
    while Instant::now() < until {
        // One list, or all that one call over MCP appends.
        let batch = if per_append == 1 { vec![workload::write(waits.len())] } else { workload::call(waits.len()) };
        let from = Instant::now();
        writer.append(batch).await?;
        waits.push(ms_since(from));
    }
    Ok(waits)
}

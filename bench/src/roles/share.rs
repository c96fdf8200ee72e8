//! One of several processes that write to one stream.

use std::{path::Path, time::Instant};

use anyhow::{Context, Result};
use runsheet_core::log::{Seq, StreamId};
use runsheet_engine::store::{Decision, EventLog, Tail};
use serde::{Deserialize, Serialize};

use super::{say, wait_for_go};
use crate::{
    sample::{Series, ms_since},
    stores, workload,
};

/// How one of the writers fared.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Share {
    pub(crate) seconds: f64,
    pub(crate) p50_ms: f64,
    pub(crate) longest_ms: f64,
}

/// Each event is decided on under the lock, with what the others wrote meanwhile, as the engine does it.
pub(super) fn play(store: &str, stream: &str, writer: usize, events: usize) -> Result<()> {
    let runtime = stores::single_runtime()?;
    let store = stores::open(Path::new(store))?;
    let stream: StreamId = stream.parse().context("the role's stream is none")?;
    let mut known = runtime.block_on(store.head(stream.clone()))?.map(|head| head.seq);
    wait_for_go()?;
    let began = Instant::now();
    let mut waits = Vec::with_capacity(events);
    for number in 0..events {
        let from = Instant::now();
        runtime.block_on(add(&store, &stream, &mut known, event_number(writer, number)))?;
        waits.push(ms_since(from));
    }
    let seconds = began.elapsed().as_secs_f64();
    runtime.block_on(store.close());
    let waits: Series = [waits].into_iter().collect();
    say(&Share { seconds, p50_ms: waits.quantile(0.5), longest_ms: waits.quantile(1.0) })
}

/// Which event of which writer an event is.
const fn event_number(writer: usize, number: usize) -> usize {
    writer * 1_000_000 + number
}

/// The call id by which an event of a writer is known.
pub(crate) fn call_of(writer: usize, number: usize) -> String {
    workload::call_id(event_number(writer, number))
}

async fn add(log: &dyn EventLog, stream: &StreamId, known: &mut Option<Seq>, number: usize) -> Result<()> {
    let event = workload::write(number);
    // The decision may run again; then it is about the same event.
    let decide = Box::new(move |_: &dyn Tail| Decision { batch: vec![event.clone()], cache: Vec::new() });
    let done = log.transact(stream.clone(), *known, decide).await.context("an append to the shared stream failed")?;
    *known = done.appended.last().map(|event| event.seq).or(*known);
    Ok(())
}

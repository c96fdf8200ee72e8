//! Opening a session costs the same however long it is.

use std::{path::Path, sync::Arc, time::Instant};

use anyhow::{Context, Result, bail};
use runsheet_core::log::{EndReason, Event, StreamId, TurnEnd, TurnStart};
use runsheet_engine::store::{EventLog, SqliteStore, Store};

use super::Group;
use crate::{
    bench::Bench,
    report::{Limit, Row, figure},
    sample::{in_turns, ms_since},
    stores::{self, Writer},
    workload,
};

pub(super) const GROUP: Group =
    Group { name: "opening", about: "opening a session of 1,000,000 events, and one of 1,000", measure };

const SHORT: usize = 1_000;
/// The calls a session ends with, of three events each: long enough for the engine to write its cache on the way.
const CALLS: usize = 120;
/// Events of one append while a session is filled.
const BATCH: usize = 9_000;
/// Events of one turn of an agent.
const TURN: usize = 100;
const PER_ROUND: usize = 40;

fn measure(bench: &Bench) -> Result<Vec<Row>> {
    let long_events = bench.count(1_000_000, 100_000);
    let runtime = stores::full_runtime()?;
    let path = bench.fresh_store("opening")?;
    let began = Instant::now();
    let (long, short) = runtime.block_on(async {
        let (long, short) = {
            let store = stores::open_to_fill(&path)?;
            let sessions = (fill(&store, long_events).await?, fill(&store, SHORT).await?);
            store.close().await;
            sessions
        };
        finish(&path, [&long, &short]).await?;
        anyhow::Ok((long, short))
    })?;
    let filled = began.elapsed();
    let store: Arc<dyn Store> = Arc::new(stores::open(&path)?);
    let open = |session: &StreamId| {
        let times = (0..PER_ROUND).map(|_| runtime.block_on(open(&store, session)));
        times.collect::<Result<Vec<_>>>()
    };
    let (heads, pair) = (
        (runtime.block_on(head(&*store, &long))?, runtime.block_on(head(&*store, &short))?),
        in_turns(bench.count(25, 3), || open(&long), || open(&short))?,
    );
    runtime.block_on(store.close());
    let note = format!(
        "{} and {} events, filled by append in {} s, the last {} by Engine::call_tool, which wrote the cached states",
        figure(heads.0 as f64 + 1.0),
        figure(heads.1 as f64 + 1.0),
        figure(filled.as_secs_f64()),
        CALLS * 3
    );
    let name = format!("opening {} events p50", figure(long_events as f64));
    Ok(vec![
        Row::typical(&name, "ms", &pair.measured)
            .against("1,000 events", pair.reference.typical())
            .limit(Limit::TimesReference(1.5))
            .note(note),
    ])
}

/// A session of an agent that works turn after turn, up to the calls it ends with.
async fn fill(store: &SqliteStore, events: usize) -> Result<StreamId> {
    let mut writer = Writer::begin(store).await?;
    let (mut left, mut number, mut turn) = (events - 1 - CALLS * 3, 0, 0);
    while left > 0 {
        let mut batch = Vec::with_capacity(BATCH + TURN);
        while batch.len() < BATCH.min(left) {
            turn += 1;
            let length = TURN.min(left - batch.len());
            push_turn(&mut batch, turn, length, &mut number);
        }
        left -= batch.len();
        writer.append(batch).await?;
    }
    Ok(writer.stream().clone())
}

/// One turn: a list first and now and then again, commands between.
fn push_turn(batch: &mut Vec<Event>, turn: u64, length: usize, number: &mut usize) {
    let end = batch.len() + length;
    batch.push(workload::event(&TurnStart { turn, key: None, implicit: false }));
    while batch.len() + 1 < end {
        let mut work =
            if number.is_multiple_of(12) { workload::call(*number) } else { workload::observed(*number).into() };
        work.truncate(end - 1 - batch.len());
        batch.append(&mut work);
        *number += 1;
    }
    if batch.len() < end {
        batch.push(workload::event(&TurnEnd { turn, reason: EndReason::Completed }));
    }
}

/// The last events of each session, by the way of every call: so the engine writes its cached states as it always does.
async fn finish(path: &Path, sessions: [&StreamId; 2]) -> Result<()> {
    let engine = stores::engine(Arc::new(stores::open(path)?));
    for session in sessions {
        let caller = stores::caller(session);
        let tools = engine.toolset(None);
        for number in 0..CALLS {
            let arguments = workload::arguments(number).to_string();
            let outcome = engine.call_tool(&caller, &tools, "todo_write", &arguments).await;
            let outcome = outcome.context("a call to fill the session failed")?;
            if outcome.is_error {
                bail!("a call to fill the session was refused: {}", outcome.blocks.join(" "));
            }
        }
    }
    engine.close().await;
    Ok(())
}

/// How long a process that never saw the session takes to have its fold, in milliseconds.
async fn open(store: &Arc<dyn Store>, session: &StreamId) -> Result<f64> {
    let engine = stores::engine(Arc::clone(store));
    engine.store().await?;
    let from = Instant::now();
    let fold = engine.fold(session).await?.context("the session is gone")?;
    let took = ms_since(from);
    let _ = fold;
    Ok(took)
}

async fn head(store: &dyn Store, session: &StreamId) -> Result<u64> {
    Ok(store.head(session.clone()).await?.context("the session is gone")?.seq)
}

//! How soon one process sees what another appends.

use std::{collections::HashMap, sync::Arc, thread};

use anyhow::{Context, Result};
use runsheet_engine::Follower;

use super::Group;
use crate::{
    bench::Bench,
    clock::monotonic_ns,
    report::{Limit, Row},
    roles::{self, Played, Spans},
    sample::Series,
    stores,
};

pub(super) const GROUP: Group =
    Group { name: "tail", about: "one process appends, another sees it in its feed", measure };

const PER_ROUND: usize = 200;
/// The pause between two appends is between this and twice as long.
const PAUSE_US: u64 = 3_000;

fn measure(bench: &Bench) -> Result<Vec<Row>> {
    let path = bench.fresh_store("tail")?;
    let runtime = stores::full_runtime()?;
    let engine = stores::engine(Arc::new(stores::open(&path)?));
    let (mut whole, mut after, mut appends) = (Series::default(), Series::default(), Series::default());
    for _ in 0..bench.count(10, 2) {
        let (store, count, pause) = (path.display().to_string(), PER_ROUND.to_string(), PAUSE_US.to_string());
        let mut writer = Played::start(&[roles::APPEND, &store, &count, &pause])?;
        writer.ready()?;
        // From here on: the writer has begun its session already.
        let mut follower = runtime.block_on(engine.follow(None)).context("cannot follow the store")?;
        writer.go()?;
        let answers = thread::spawn(move || {
            let spans: Spans = writer.answer()?;
            writer.finish().map(|()| spans)
        });
        let seen = runtime.block_on(watch(&mut follower, PER_ROUND))?;
        let spans = answers.join().map_err(|_| anyhow::anyhow!("the thread that hears the writer panicked"))??;
        let ms = |from: i64, to: i64| (to - from) as f64 / 1e6;
        let seen_at = |position| seen.get(position).copied().context("an event was never seen");
        let of = |take: &dyn Fn(i64, i64, i64) -> f64| {
            spans.iter().map(|(from, to, position)| Ok(take(*from, *to, seen_at(position)?))).collect::<Result<_>>()
        };
        whole.push(of(&|from, _, seen| ms(from, seen))?);
        // A reader may well see an event before its writer is told that it is durable.
        after.push(of(&|_, to, seen| ms(to, seen).max(0.0))?);
        appends.push(of(&|from, to, _| ms(from, to))?);
    }
    runtime.block_on(engine.close());
    Ok(vec![
        Row::typical("tail across processes p50", "ms", &whole)
            .against("the append itself", appends.typical())
            .limit(Limit::AtMost(5.0))
            .note("from the call of append in one process to the change in the other's hands"),
        Row::value_of("tail across processes p99", "ms", whole.quantile(0.99))
            .samples(whole.count())
            .against("the append itself", appends.quantile(0.99))
            .limit(Limit::AtMost(5.0)),
        Row::value_of("tail after the writer's answer p99", "ms", after.quantile(0.99)).samples(after.count()),
    ])
}

/// When each of the next events was seen, by the feed's position after it.
async fn watch(follower: &mut Follower, events: usize) -> Result<HashMap<u64, i64>> {
    let mut seen = HashMap::with_capacity(events);
    while seen.len() < events {
        let changes = follower.next().await.context("cannot follow the store")?;
        let now = monotonic_ns();
        seen.extend(changes.events.iter().map(|entry| (entry.position, now)));
    }
    Ok(seen)
}

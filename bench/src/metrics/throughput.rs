//! How many events become durable in a second, when many sessions write at once.

use std::path::Path;

use anyhow::Result;

use super::Group;
use crate::{
    bench::Bench,
    file_log::FileLog,
    report::{Limit, Row, figure},
    roles::{self, Load, Played},
    sample::{Pair, Series, in_turns},
    workload,
};

pub(super) const ONE_PROCESS: Group = Group {
    name: "one-process",
    about: "durable events a second of one process, 64 sessions",
    measure: |bench| measure(bench, &Writers { processes: 1, sessions: 64, least: 20_000.0 }),
};

pub(super) const MANY_PROCESSES: Group = Group {
    name: "many-processes",
    about: "durable events a second of 8 processes, 8 sessions each",
    measure: |bench| measure(bench, &Writers { processes: 8, sessions: 8, least: 10_000.0 }),
};

struct Writers {
    processes: usize,
    sessions: usize,
    least: f64,
}

/// Appends of the reference, one after the other, in each round.
const REFERENCE_APPENDS: usize = 200;

fn measure(bench: &Bench, writers: &Writers) -> Result<Vec<Row>> {
    [1, 3].into_iter().map(|per_append| row(bench, writers, per_append)).collect()
}

fn row(bench: &Bench, writers: &Writers, per_append: usize) -> Result<Row> {
    let Writers { processes, sessions, least } = *writers;
    let path = bench.fresh_store("throughput")?;
    let mut file = FileLog::create(&path.with_file_name("plain.log"))?;
    let bytes = workload::line(&workload::write(4));
    let lasting = u64::try_from(bench.lasting(2_500, 500).as_millis()).unwrap_or(u64::MAX);
    let (mut waits, mut worst) = (Series::default(), Series::default());
    let pair: Pair = in_turns(
        bench.count(7, 2),
        || {
            let loads = round(&path, writers, per_append, lasting)?;
            waits.push(loads.iter().map(|load| load.p50_ms).collect());
            worst.push(loads.iter().map(|load| load.p99_ms).collect());
            Ok(vec![loads.iter().map(|load| load.events as f64 / load.seconds).sum()])
        },
        || {
            let waits: Series = [file.timed(REFERENCE_APPENDS, &bytes)?].into_iter().collect();
            Ok(vec![1_000.0 / waits.typical()])
        },
    )?;
    let what = if per_append == 1 { "1 event".to_owned() } else { format!("{per_append} events") };
    let name = format!("{processes} × {sessions} sessions, {what} an append");
    let note = format!("an append took p50 {} ms, p99 {} ms", figure(waits.typical()), figure(worst.typical()));
    Ok(Row::typical(&name, "events/s", &pair.measured)
        .against("append + fdatasync, one by one", pair.reference.typical())
        .limit(Limit::AtLeast(least))
        .note(note))
}

fn round(store: &Path, writers: &Writers, per_append: usize, lasting_ms: u64) -> Result<Vec<Load>> {
    let (store, sessions) = (store.display().to_string(), writers.sessions.to_string());
    let (per_append, lasting_ms) = (per_append.to_string(), lasting_ms.to_string());
    let mut played = (0..writers.processes)
        .map(|_| Played::start(&[roles::LOAD, &store, &sessions, &per_append, &lasting_ms]))
        .collect::<Result<Vec<_>>>()?;
    played.iter_mut().try_for_each(Played::ready)?;
    played.iter_mut().try_for_each(Played::go)?;
    let loads = played.iter_mut().map(Played::answer).collect::<Result<_>>()?;
    played.into_iter().try_for_each(Played::finish)?;
    Ok(loads)
}

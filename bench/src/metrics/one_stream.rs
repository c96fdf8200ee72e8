//! Eight processes that append to one stream: nothing lost, nothing twice, nobody starved.

use std::collections::HashSet;

use anyhow::{Result, bail};
use runsheet_core::{
    log::{Recorded, read},
    todo::TodoWrite,
};
use runsheet_engine::store::EventLog;

use super::Group;
use crate::{
    bench::Bench,
    report::{Limit, Row, figure},
    roles::{self, Played, Share},
    sample::Series,
    stores::{self, Writer},
};

pub(super) const GROUP: Group =
    Group { name: "one-stream", about: "8 processes append 1,250 events each to one stream", measure };

const WRITERS: usize = 8;

fn measure(bench: &Bench) -> Result<Vec<Row>> {
    let events = bench.count(1_250, 150);
    let (mut slowest, mut fastest) = (Series::default(), Series::default());
    let (mut fairness, mut longest, mut rate) = (Series::default(), 0.0_f64, Series::default());
    for _ in 0..bench.count(5, 2) {
        let shares = round(bench, events)?;
        let seconds = || shares.iter().map(|share| share.seconds);
        let (slow, fast) = (seconds().fold(0.0, f64::max), seconds().fold(f64::INFINITY, f64::min));
        slowest.push(vec![slow]);
        fastest.push(vec![fast]);
        fairness.push(vec![slow / fast]);
        rate.push(vec![(WRITERS * events) as f64 / slow]);
        longest = shares.iter().map(|share| share.longest_ms).fold(longest, f64::max);
    }
    let note = format!(
        "no gap and no duplicate in {} rounds; slowest/fastest {} to {}; {} events/s",
        fairness.count(),
        figure(fairness.spread().0),
        figure(fairness.spread().1),
        figure(rate.typical())
    );
    Ok(vec![
        Row::typical("one stream, slowest of 8 processes", "s", &slowest)
            .against("the fastest", fastest.typical())
            .limit(Limit::TimesReference(1.1))
            .note(note),
        Row::value_of("one stream, longest wait", "ms", longest).samples(WRITERS * events * fairness.count()),
    ])
}

fn round(bench: &Bench, events: usize) -> Result<Vec<Share>> {
    let path = bench.fresh_store("one-stream")?;
    let runtime = stores::single_runtime()?;
    let store = stores::open(&path)?;
    let stream = runtime.block_on(async { anyhow::Ok(Writer::begin(&store).await?.stream().clone()) })?;
    let (place, name, count) = (path.display().to_string(), stream.to_string(), events.to_string());
    let mut played = (0..WRITERS)
        .map(|writer| Played::start(&[roles::SHARE, &place, &name, &writer.to_string(), &count]))
        .collect::<Result<Vec<_>>>()?;
    played.iter_mut().try_for_each(Played::ready)?;
    played.iter_mut().try_for_each(Played::go)?;
    let shares = played.iter_mut().map(Played::answer).collect::<Result<_>>()?;
    played.into_iter().try_for_each(Played::finish)?;
    check(&runtime.block_on(stores::read_all(&store, &stream))?, events)?;
    runtime.block_on(store.close());
    Ok(shares)
}

/// The header, then each writer's events: all of them, each once, in the writer's order.
fn check(events: &[Recorded], each: usize) -> Result<()> {
    if events.len() != 1 + WRITERS * each {
        bail!("the stream holds {} events, {} were appended", events.len(), 1 + WRITERS * each);
    }
    let mut ids = HashSet::new();
    let mut next = [0; WRITERS];
    for (event, seq) in events.iter().zip(0..) {
        if event.seq != seq {
            bail!("event {} of the stream stands at {seq}: there is a gap", event.seq);
        }
        if !ids.insert(event.id) {
            bail!("event {seq} of the stream has the id of an earlier one");
        }
        let Some(call) = read::<TodoWrite>(event).and_then(|write| write.call_id) else { continue };
        let expected = next.iter().enumerate().find(|(writer, number)| call == roles::call_of(*writer, **number));
        let Some((writer, _)) = expected else { bail!("event {seq} ({call}) is not the next one of any writer") };
        next[writer] += 1;
    }
    Ok(())
}

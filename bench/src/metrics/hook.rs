//! What a hook costs the agent that waits for it: a process that opens the store, keeps an alias, ends.

use anyhow::Result;

use super::Group;
use crate::{
    bench::Bench,
    report::Row,
    roles::{self, Played},
    sample::{in_turns, timed},
    stores::{self, Writer},
};

pub(super) const GROUP: Group =
    Group { name: "hook", about: "a process like a hook: open the store, keep an alias, end", measure };

const PER_ROUND: usize = 10;

fn measure(bench: &Bench) -> Result<Vec<Row>> {
    let path = bench.fresh_store("hook")?;
    let runtime = stores::single_runtime()?;
    // Somebody else serves sessions meanwhile, as it is when a hook runs.
    let store = stores::open(&path)?;
    runtime.block_on(Writer::begin(&store))?;
    let place = path.display().to_string();
    let pair = in_turns(
        bench.count(20, 3),
        || timed(PER_ROUND, || Played::start(&[roles::HOOK, &place])?.finish()),
        || timed(PER_ROUND, || Played::start(&[roles::NOTHING])?.finish()),
    )?;
    Ok(vec![
        Row::typical("hook-like process p50", "ms", &pair.measured)
            .against("a process that does nothing", pair.reference.typical()),
        Row::value_of("hook-like process p99", "ms", pair.measured.quantile(0.99)).samples(pair.measured.count()),
    ])
}

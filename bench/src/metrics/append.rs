//! What a durable append costs beside what the disk costs.

use std::time::Instant;

use anyhow::Result;

use super::Group;
use crate::{
    bench::Bench,
    file_log::{APPEND, FileLog},
    report::{Limit, Row},
    sample::{in_turns, ms_since},
    stores::{self, Writer},
    workload,
};

pub(super) const GROUP: Group =
    Group { name: "append", about: "one durable append of a list of ten items, about 1 KiB", measure };

const PER_ROUND: usize = 200;

fn measure(bench: &Bench) -> Result<Vec<Row>> {
    let runtime = stores::single_runtime()?;
    let path = bench.fresh_store("append")?;
    let store = stores::open(&path)?;
    let mut writer = runtime.block_on(Writer::begin(&store))?;
    let mut file = FileLog::create(&path.with_file_name("plain.log"))?;
    let bytes = workload::line(&workload::write(4));
    let mut number = 0;
    let mut append = || {
        let batch = vec![workload::write(number)];
        number += 1;
        let from = Instant::now();
        runtime.block_on(writer.append(batch))?;
        Ok(ms_since(from))
    };
    // Past the first checkpoint the write-ahead log is overwritten, not grown: that is how a store spends its life.
    (0..bench.count(1_500, 100)).try_for_each(|_| append().map(drop))?;
    let pair =
        in_turns(bench.count(25, 5), || (0..PER_ROUND).map(|_| append()).collect(), || file.timed(PER_ROUND, &bytes))?;
    Ok(vec![
        Row::typical("append p50", "ms", &pair.measured)
            .against(APPEND, pair.reference.typical())
            .limit(Limit::TimesReference(1.2)),
        Row::value_of("append p99", "ms", pair.measured.quantile(0.99))
            .samples(pair.measured.count())
            .against(APPEND, pair.reference.quantile(0.99)),
    ])
}

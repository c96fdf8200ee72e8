//! A process that appends now and then, for another that watches.

use std::{path::Path, thread, time::Duration};

use anyhow::Result;
use runsheet_engine::store::EventLog;

use super::{say, wait_for_go};
use crate::{
    clock::monotonic_ns,
    stores::{self, Writer},
    workload,
};

/// When each append began, when its writer was answered, and the feed's position after it.
pub(crate) type Spans = Vec<(i64, i64, u64)>;

pub(super) fn play(store: &str, appends: usize, pause_us: u64) -> Result<()> {
    let runtime = stores::single_runtime()?;
    let store = stores::open(Path::new(store))?;
    let mut writer = runtime.block_on(Writer::begin(&store))?;
    wait_for_go()?;
    let mut spans = Spans::with_capacity(appends);
    for number in 0..appends {
        // Not in step with anything that runs by a timer.
        thread::sleep(Duration::from_micros(pause_us + (number as u64 * 7_919) % pause_us.max(1)));
        let batch = vec![workload::write(number)];
        let from = monotonic_ns();
        let appended = runtime.block_on(writer.append(batch))?;
        spans.push((from, monotonic_ns(), appended.cursor.position));
    }
    runtime.block_on(store.close());
    say(&spans)
}

//! A writer that leaves a long write-ahead log behind: a reader keeps it from being begun anew, and it is killed.

use std::path::Path;

use anyhow::{Context, Result};
use rusqlite::Connection;

use super::wait_for_go;
use crate::{
    stores::{self, Writer},
    workload,
};

pub(super) fn play(store: &str, wal_bytes: u64) -> Result<()> {
    let path = Path::new(store);
    let runtime = stores::single_runtime()?;
    let log = stores::open_to_fill(path)?;
    let mut writer = runtime.block_on(Writer::begin(&log))?;
    let reader = Connection::open(path).context("cannot open the store to hold a read transaction")?;
    reader.execute_batch("BEGIN; SELECT count(*) FROM streams;").context("cannot hold a read transaction")?;
    let wal = path.with_file_name("runsheet.db-wal");
    for number in 0.. {
        runtime.block_on(writer.append(workload::call(number)))?;
        let length = wal.metadata().with_context(|| format!("cannot look at `{}`", wal.display()))?.len();
        if length >= wal_bytes {
            break;
        }
    }
    wait_for_go()
}

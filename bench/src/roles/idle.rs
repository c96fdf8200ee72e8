//! A process that follows a store in which nothing happens.

use std::{path::Path, sync::Arc, time::Duration};

use anyhow::{Context, Result};
use tokio::time;

use super::{say, wait_for_go};
use crate::{clock::cpu_ns, stores};

/// How long it settles before it is watched.
const SETTLE: Duration = Duration::from_millis(500);

/// Answers with the nanoseconds of processor time it used.
pub(super) fn play(store: &str, for_ms: u64) -> Result<()> {
    let runtime = stores::full_runtime()?;
    let engine = stores::engine(Arc::new(stores::open(Path::new(store))?));
    let used = runtime.block_on(async {
        let mut follower = engine.follow(None).await.context("cannot follow the store")?;
        // Nothing happens, so this ends by time alone.
        let _ = time::timeout(SETTLE, follower.next()).await;
        wait_for_go()?;
        let before = cpu_ns();
        if time::timeout(Duration::from_millis(for_ms), follower.next()).await.is_ok() {
            anyhow::bail!("something happened in a store that was to be left alone");
        }
        Ok(cpu_ns() - before)
    })?;
    runtime.block_on(engine.close());
    say(&used)
}

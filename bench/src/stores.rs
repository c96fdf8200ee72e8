//! Stores and engines, opened as the product opens them.

use std::{path::Path, sync::Arc};

use anyhow::{Context, Result, bail};
use runsheet_core::{
    log::{Event, Recorded, Seq, StreamId},
    vocabulary,
};
use runsheet_engine::{
    Caller, Client, Engine, FixedSettings, SessionHints, Settings, SystemClock,
    store::{
        Access, AppendOutcome, Appended, Durability, EventLog, Expected, Order, Select, SqliteOptions, SqliteStore,
        Store,
    },
};
use tokio::runtime::{Builder, Runtime};

use crate::workload;

/// Opens a store with the product's defaults.
pub(crate) fn open(path: &Path) -> Result<SqliteStore> {
    open_with(path, Durability::Full, Access::Create)
}

/// Opens a store that is only filled: what is measured later does not need each of these appends to be synced.
pub(crate) fn open_to_fill(path: &Path) -> Result<SqliteStore> {
    open_with(path, Durability::Normal, Access::Create)
}

/// Opens a store that another process writes.
pub(crate) fn open_to_read(path: &Path) -> Result<SqliteStore> {
    open_with(path, Durability::Full, Access::ReadOnly)
}

fn open_with(path: &Path, durability: Durability, access: Access) -> Result<SqliteStore> {
    let options = SqliteOptions { durability, access, ..SqliteOptions::new(Arc::clone(vocabulary())) };
    SqliteStore::open(path, options).with_context(|| format!("cannot open the store `{}`", path.display()))
}

/// An engine over an open store.
pub(crate) fn engine(store: Arc<dyn Store>) -> Engine {
    let settings = Arc::new(FixedSettings::new(Settings::default()));
    Engine::start(Box::new(move || Ok(Arc::clone(&store))), Arc::clone(vocabulary()), Arc::new(SystemClock), settings)
}

/// A client over stdio whose process is the session.
pub(crate) fn caller(session: &StreamId) -> Caller {
    Caller {
        principal: "uid:bench".into(),
        client: Client { family: "bench".into(), version: None },
        cwd: Some("/home/dev/project".into()),
        hints: SessionHints { process: session.session(), ..SessionHints::default() },
        call_id: None,
        turn_key: None,
        via: "mcp",
    }
}

/// A runtime for one thing at a time.
pub(crate) fn single_runtime() -> Result<Runtime> {
    Builder::new_current_thread().enable_all().build().context("cannot start a runtime")
}

/// A runtime on all cores, as the hosts have.
pub(crate) fn full_runtime() -> Result<Runtime> {
    Builder::new_multi_thread().enable_all().build().context("cannot start a runtime")
}

/// Writes to one session, batch after batch.
pub(crate) struct Writer<'a> {
    log: &'a dyn EventLog,
    stream: StreamId,
    head: Seq,
}

impl<'a> Writer<'a> {
    /// Begins a session.
    pub(crate) async fn begin(log: &'a dyn EventLog) -> Result<Self> {
        let stream = workload::new_session();
        let Appended { last, .. } = appended(log, &stream, Expected::Absent, vec![workload::header()]).await?;
        Ok(Self { log, stream, head: last })
    }

    pub(crate) fn stream(&self) -> &StreamId {
        &self.stream
    }

    pub(crate) async fn append(&mut self, batch: Vec<Event>) -> Result<Appended> {
        let appended = appended(self.log, &self.stream, Expected::Seq(self.head), batch).await?;
        self.head = appended.last;
        Ok(appended)
    }
}

async fn appended(log: &dyn EventLog, stream: &StreamId, expected: Expected, batch: Vec<Event>) -> Result<Appended> {
    match log.append(stream.clone(), expected, batch).await.context("an append failed")? {
        AppendOutcome::Appended(appended) => Ok(appended),
        other => bail!("an append to `{stream}` that nobody else writes to ended as {other:?}"),
    }
}

/// All events of a stream.
pub(crate) async fn read_all(log: &dyn EventLog, stream: &StreamId) -> Result<Vec<Recorded>> {
    let mut events: Vec<Recorded> = Vec::new();
    loop {
        let from = events.last().map_or(0, |event| event.seq + 1);
        let page = log.read(stream.clone(), Select::from(from)).await.context("cannot read a session")?;
        events.extend(page.events);
        if !page.more {
            return Ok(events);
        }
    }
}

/// The last events of a stream, the latest first.
pub(crate) async fn last(log: &dyn EventLog, stream: &StreamId, limit: usize) -> Result<Vec<Recorded>> {
    let select = Select { limit, order: Order::Backward, ..Select::from(0) };
    Ok(log.read(stream.clone(), select).await.context("cannot read a session")?.events)
}

//! How soon `runsheet mcp` answers after it was started, also when the store has a long write-ahead log to recover.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context, Result, ensure};

use super::Group;
use crate::{
    bench::Bench,
    mcp_client::McpClient,
    program,
    report::{Limit, Row, figure},
    roles::{self, Played},
    sample::{Pair, Series, in_turns, ms_since},
    workload,
};

pub(super) const GROUP: Group =
    Group { name: "first-answer", about: "from the start of `runsheet mcp` to its first answer", measure };

const WAL_BYTES: u64 = 16 << 20;
const LIMIT_MS: f64 = 50.0;
const REFERENCE: &str = "`runsheet --version`";

/// The first thing a client says.
#[derive(Clone, Copy)]
enum First {
    Initialize,
    Discover,
}

fn measure(bench: &Bench) -> Result<Vec<Row>> {
    program::runsheet()?;
    let mut rows = Vec::new();
    let crashed = crashed_store(bench)?;
    let wal_mib = wal_of(&crashed).metadata()?.len() as f64 / f64::from(1 << 20);
    for (first, name) in [(First::Initialize, "initialize"), (First::Discover, "server/discover")] {
        let pair = starts(bench, first, None, &mut Series::default())?;
        rows.push(row(&format!("first answer, {name}"), &pair));
        let mut calls = Series::default();
        let pair = starts(bench, first, Some(&crashed), &mut calls)?;
        let row = row(&format!("first answer, {name}, WAL to recover"), &pair)
            .note(format!("a killed writer left {} MiB", figure(wal_mib)));
        rows.push(row);
        if matches!(first, First::Initialize) {
            rows.push(Row::typical("first todo_write since start, WAL to recover", "ms", &calls));
        }
    }
    Ok(rows)
}

fn row(name: &str, pair: &Pair) -> Row {
    Row::typical(name, "ms", &pair.measured).against(REFERENCE, pair.reference.typical()).limit(Limit::AtMost(LIMIT_MS))
}

/// Starts a server over and over; each round has a store of its own, in the state asked for.
fn starts(bench: &Bench, first: First, crashed: Option<&Path>, calls: &mut Series) -> Result<Pair> {
    in_turns(
        bench.count(25, 4),
        || {
            let path = bench.fresh_store("first-answer")?;
            if let Some(crashed) = crashed {
                copy(crashed, &path)?;
                copy(&wal_of(crashed), &wal_of(&path))?;
            }
            let folder = path.with_file_name("");
            let command = program::runsheet_mcp(&path)?;
            let from = Instant::now();
            let mut client = McpClient::start(command, &folder)?;
            match first {
                First::Initialize => client.initialize()?,
                First::Discover => client.discover()?,
            };
            let answered = ms_since(from);
            if matches!(first, First::Initialize) {
                client.call_tool("todo_write", &workload::arguments(1))?;
                calls.push(vec![ms_since(from)]);
            }
            drop(client);
            fs::remove_dir_all(&folder).context("cannot remove the folder of a store")?;
            Ok(vec![answered])
        },
        || {
            let mut command = Command::new(program::runsheet()?);
            command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null());
            let from = Instant::now();
            let status = command.status().context("cannot run `runsheet --version`")?;
            ensure!(status.success(), "`runsheet --version` failed ({status})");
            Ok(vec![ms_since(from)])
        },
    )
}

/// A store whose only writer was killed with a long write-ahead log.
fn crashed_store(bench: &Bench) -> Result<PathBuf> {
    let path = bench.fresh_store("crashed")?;
    let mut writer = Played::start(&[roles::FILL, &path.display().to_string(), &WAL_BYTES.to_string()])?;
    writer.ready()?;
    writer.kill()?;
    let length = wal_of(&path).metadata().context("the killed writer left no write-ahead log")?.len();
    ensure!(length >= WAL_BYTES, "the killed writer left a write-ahead log of {length} bytes only");
    Ok(path)
}

fn wal_of(store: &Path) -> PathBuf {
    store.with_file_name("runsheet.db-wal")
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map(drop).with_context(|| format!("cannot copy `{}`", from.display()))
}

//! What a process costs while nothing happens.

use std::thread;

use anyhow::Result;

use super::Group;
use crate::{
    bench::Bench,
    mcp_client::McpClient,
    program,
    report::{Limit, Row},
    roles::{self, Played},
    sample::Series,
    stores::{self, Writer},
    workload,
};

pub(super) const GROUP: Group =
    Group { name: "idle", about: "processor time of processes that wait for something to happen", measure };

fn measure(bench: &Bench) -> Result<Vec<Row>> {
    let path = bench.fresh_store("idle")?;
    let runtime = stores::single_runtime()?;
    let store = stores::open(&path)?;
    runtime.block_on(Writer::begin(&store))?;
    runtime.block_on(runsheet_engine::store::EventLog::close(&store));
    let lasting = bench.lasting(10_000, 2_000);
    let for_ms = lasting.as_millis().to_string();
    let followers = (0..bench.count(3, 1))
        .map(|_| {
            let mut follower = Played::start(&[roles::IDLE, &path.display().to_string(), &for_ms])?;
            follower.ready()?;
            follower.go()?;
            let used: i64 = follower.answer()?;
            follower.finish()?;
            Ok(vec![used as f64 / lasting.as_nanos() as f64 * 100.0])
        })
        .collect::<Result<Series>>()?;
    let mut rows =
        vec![Row::typical("idle with an open follower", "% of a core", &followers).limit(Limit::AtMost(0.1))];
    rows.push(match server(bench, lasting) {
        Ok(used) => Row::value_of("idle `runsheet mcp`", "% of a core", used).limit(Limit::AtMost(0.1)),
        Err(error) => Row::broken("idle `runsheet mcp`", format!("{error:#}")),
    });
    Ok(rows)
}

/// `runsheet mcp` between two calls.
fn server(bench: &Bench, lasting: std::time::Duration) -> Result<f64> {
    let path = bench.fresh_store("idle-mcp")?;
    let mut client = McpClient::start(program::runsheet_mcp(&path)?, &path.with_file_name(""))?;
    client.initialize()?;
    client.call_tool("todo_write", &workload::arguments(1))?;
    thread::sleep(std::time::Duration::from_millis(500));
    let before = client.cpu_ns()?;
    thread::sleep(lasting);
    Ok((client.cpu_ns()? - before) as f64 / lasting.as_nanos() as f64 * 100.0)
}

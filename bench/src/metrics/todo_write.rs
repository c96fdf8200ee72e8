//! What a durable `todo_write` takes, from the client's side of the pipe.

use std::{path::Path, time::Instant};

use anyhow::{Context, Result};
use runsheet_engine::store::{EventLog, StreamKind};
use serde_json::json;

use super::Group;
use crate::{
    bench::Bench,
    file_log::{APPEND, FileLog},
    mcp_client::McpClient,
    program,
    report::{Limit, Row},
    sample::{in_turns, ms_since},
    stores, workload,
};

pub(super) const GROUP: Group =
    Group { name: "todo-write", about: "a durable todo_write of ten items over stdio, by `runsheet mcp`", measure };

const PER_ROUND: usize = 100;

fn measure(bench: &Bench) -> Result<Vec<Row>> {
    let path = bench.fresh_store("todo-write")?;
    let mut client = McpClient::start(program::runsheet_mcp(&path)?, &path.with_file_name(""))?;
    client.initialize()?;
    for number in 0..bench.count(600, 50) {
        client.call_tool("todo_write", &workload::arguments(number))?;
    }
    let bytes = bytes_of_a_call(&path)?;
    let mut file = FileLog::create(&path.with_file_name("plain.log"))?;
    let mut number = 0;
    let pair = in_turns(
        bench.count(25, 5),
        || {
            (0..PER_ROUND)
                .map(|_| {
                    number += 1;
                    let params = json!({ "name": "todo_write", "arguments": workload::arguments(number) });
                    let request = client.prepare("tools/call", &params);
                    let from = Instant::now();
                    let answer = client.exchange(&request)?;
                    let took = ms_since(from);
                    anyhow::ensure!(!answer.contains(r#""isError":true"#), "a call failed: {answer}");
                    Ok(took)
                })
                .collect()
        },
        || file.timed(PER_ROUND, &bytes),
    )?;
    Ok(vec![
        Row::typical("todo_write over stdio p50", "ms", &pair.measured)
            .against(APPEND, pair.reference.typical())
            .limit(Limit::OverReference(0.25))
            .note(format!("{} bytes of events a call", bytes.len())),
        Row::value_of("todo_write over stdio p99", "ms", pair.measured.quantile(0.99))
            .samples(pair.measured.count())
            .against(APPEND, pair.reference.quantile(0.99)),
    ])
}

/// What the server appends for one call.
fn bytes_of_a_call(path: &Path) -> Result<Vec<u8>> {
    let runtime = stores::single_runtime()?;
    let store = stores::open_to_read(path)?;
    runtime.block_on(async {
        let sessions = store.streams(StreamKind::Sessions, 1).await?.streams;
        let session = &sessions.first().context("the server wrote no session")?.stream;
        let events = stores::last(&store, session, 3).await?;
        store.close().await;
        Ok(events.into_iter().flat_map(|event| workload::line(&event.into_event())).collect())
    })
}

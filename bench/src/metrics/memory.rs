//! What `runsheet mcp` holds in memory.

use anyhow::Result;

use super::Group;
use crate::{
    bench::Bench,
    mcp_client::McpClient,
    program,
    report::{Limit, Row, figure},
    workload,
};

pub(super) const GROUP: Group =
    Group { name: "memory", about: "resident memory of `runsheet mcp`, at its start and after 1,000 calls", measure };

const LIMIT_MB: f64 = 25.0;

fn measure(bench: &Bench) -> Result<Vec<Row>> {
    let path = bench.fresh_store("memory")?;
    let mut client = McpClient::start(program::runsheet_mcp(&path)?, &path.with_file_name(""))?;
    client.initialize()?;
    client.request("tools/list", &serde_json::json!({}))?;
    let start = client.resident_mb()?;
    let calls = bench.count(1_000, 200);
    for number in 0..calls {
        client.call_tool("todo_write", &workload::arguments(number))?;
    }
    let after = client.resident_mb()?;
    Ok(vec![
        Row::value_of("memory at the start", "MB", start).limit(Limit::AtMost(LIMIT_MB)),
        Row::value_of(&format!("memory after {} calls", figure(calls as f64)), "MB", after)
            .against("at the start", start)
            .limit(Limit::AtMost(LIMIT_MB)),
    ])
}

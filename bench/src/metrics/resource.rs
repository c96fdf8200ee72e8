//! Reading the list as a resource, beside the simplest answer of the simplest server.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::Group;
use crate::{
    bench::Bench,
    mcp_client::McpClient,
    program,
    report::{Limit, Row},
    sample::{in_turns, ms_since},
    workload,
};

pub(super) const GROUP: Group =
    Group { name: "resource", about: "resources/read of the list over stdio, and server-everything's echo", measure };

const NAME: &str = "resources/read over stdio p50";
const PER_ROUND: usize = 200;

fn measure(bench: &Bench) -> Result<Vec<Row>> {
    let path = bench.fresh_store("resource")?;
    let folder = bench.fresh_folder("everything")?;
    let everything = match program::everything(&folder) {
        Ok(command) => command,
        Err(why) => return Ok(vec![Row::not_measured(NAME, why)]),
    };
    let mut ours = McpClient::start(program::runsheet_mcp(&path)?, &path.with_file_name(""))?;
    ours.initialize()?;
    ours.call_tool("todo_write", &workload::arguments(4))?;
    let uri = list_uri(&mut ours)?;
    let read = json!({ "uri": uri });
    let content = ours.request("resources/read", &read)?;
    ensure!(content.to_string().contains("retry counter"), "the resource `{uri}` is not the list: {content}");

    let mut theirs = McpClient::start(everything, &folder)?;
    theirs.initialize()?;
    let echo = json!({ "name": "echo", "arguments": { "message": "hello" } });
    let echoed = theirs.request("tools/call", &echo)?;
    ensure!(echoed.to_string().contains("hello"), "server-everything did not echo: {echoed}");

    let warm_up = bench.count(1_000, 100);
    timed(&mut ours, "resources/read", &read, warm_up)?;
    timed(&mut theirs, "tools/call", &echo, warm_up)?;
    let pair = in_turns(
        bench.count(25, 5),
        || timed(&mut ours, "resources/read", &read, PER_ROUND),
        || timed(&mut theirs, "tools/call", &echo, PER_ROUND),
    )?;
    Ok(vec![
        Row::typical(NAME, "ms", &pair.measured)
            .against("echo of server-everything", pair.reference.typical())
            .limit(Limit::TimesReference(2.0)),
        Row::value_of("resources/read over stdio p99", "ms", pair.measured.quantile(0.99))
            .samples(pair.measured.count())
            .against("echo of server-everything", pair.reference.quantile(0.99)),
    ])
}

/// The resource that is the session's list.
fn list_uri(client: &mut McpClient) -> Result<String> {
    let listed = client.request("resources/list", &json!({}))?;
    let resources = listed["resources"].as_array().map(Vec::as_slice).unwrap_or_default();
    let uris = resources.iter().filter_map(|resource| resource["uri"].as_str());
    let uri = uris.into_iter().find(|uri| uri.contains("todo")).map(ToOwned::to_owned);
    uri.with_context(|| format!("the server lists no resource with the todos: {listed}"))
}

fn timed(client: &mut McpClient, method: &str, params: &Value, runs: usize) -> Result<Vec<f64>> {
    (0..runs)
        .map(|_| {
            let request = client.prepare(method, params);
            let from = Instant::now();
            client.exchange(&request)?;
            Ok(ms_since(from))
        })
        .collect()
}

//! A tool call: from the wire to the engine and back.

use std::{error::Error, panic::AssertUnwindSafe};

use futures_util::FutureExt;
use rmcp::{
    ErrorData, RoleServer,
    model::{CallToolResult, ContentBlock},
    service::RequestContext,
};
use runsheet_engine::{
    EngineError, ToolOutcome,
    core::todo::{TodoList, Todos},
};
use serde_json::{Value, json};

use crate::{caller, connection::Connection, ticket::Ticket};

/// Serves a call of a tool with the JSON text that came as its arguments.
///
/// What the model can act on is a result, also where it failed; a protocol error is for calls that reach no tool.
pub(crate) async fn call(
    connection: &Connection,
    cx: &RequestContext<RoleServer>,
    tool: &str,
    arguments: &str,
) -> Result<CallToolResult, ErrorData> {
    let caller = caller::caller(connection, cx);
    let cwd = connection.cwd(&caller.client.family);
    let offer = connection.judged_by(cwd);
    if !offer.has(tool) {
        let tool: String = tool.chars().filter(|c| !c.is_control()).take(64).collect();
        let what = format!("unknown tool `{tool}`: the tools are {}", offer.names());
        return Err(ErrorData::invalid_params(what, None));
    }
    let _running = connection.server.running();
    if let Some(ticket) = cx.extensions.get::<Ticket>() {
        ticket.turn().await;
    }
    connection.server.hub().ready().await;
    let engine = connection.server.engine();
    match engine.call_tool(&caller, &offer.toolset, tool, arguments).await {
        Ok(outcome) => {
            let structured =
                if offer.toolset.settings.structured { structured(connection, &outcome).await } else { None };
            Ok(result(outcome, structured))
        }
        Err(error) => {
            tracing::warn!(%error, source = error.source(), "a tool call failed");
            Ok(failed(&error))
        }
    }
}

/// Runs a handler so that a panic in it is an answer: the client would wait for ever else.
pub(crate) async fn guarded<T>(serving: impl Future<Output = Result<T, ErrorData>>) -> Result<T, ErrorData> {
    AssertUnwindSafe(serving).catch_unwind().await.unwrap_or_else(|_| {
        tracing::error!("a request made its handler panic");
        Err(ErrorData::internal_error("runsheet failed on this request; this is a bug in runsheet", None))
    })
}

fn result(outcome: ToolOutcome, structured: Option<Value>) -> CallToolResult {
    let blocks = outcome.blocks.into_iter().map(ContentBlock::text).collect();
    let mut result = if outcome.is_error { CallToolResult::error(blocks) } else { CallToolResult::success(blocks) };
    result.structured_content = structured;
    result
}

/// The list for programs. A call that was served before tells none: then it is the one that stands.
async fn structured(connection: &Connection, outcome: &ToolOutcome) -> Option<Value> {
    if outcome.is_error {
        return None;
    }
    let todos = match (&outcome.todos, &outcome.session) {
        (Some(todos), _) => todos.clone(),
        (None, Some(session)) => {
            let fold = connection.server.engine().fold(session).await.ok().flatten()?;
            fold.state::<Todos>().standing().cloned().unwrap_or_default()
        }
        (None, None) => TodoList::default(),
    };
    Some(json!({ "todos": todos, "counts": todos.counts() }))
}

/// The result of a call the engine could not serve: what failed and why, and what can be done about it.
fn failed(error: &EngineError) -> CallToolResult {
    let mut blocks = vec![ContentBlock::text(format!("Error: {}", sentence(error)))];
    blocks.extend(error.hint().map(ContentBlock::text));
    CallToolResult::error(blocks)
}

/// An error and what caused it, in one line.
pub(crate) fn sentence(error: &EngineError) -> String {
    let mut sentence = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        sentence.push_str(": ");
        sentence.push_str(&cause.to_string());
        source = cause.source();
    }
    sentence
}

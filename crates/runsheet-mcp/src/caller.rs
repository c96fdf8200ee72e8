//! Who calls, from what a request carries. Clients put different things into `_meta`; what each is worth was observed
//! on the clients themselves.

use http::request::Parts;
use rmcp::{RoleServer, model::JsonObject, service::RequestContext};
use runsheet_engine::{Caller, Client, CodexThread, SessionHints, is_id};
use serde_json::Value;

use crate::{
    connection::{Connection, Edge},
    http::SessionName,
};

/// Claude Code's id of a call: the `tool_use_id` its hooks report.
const CLAUDE_CALL: &str = "claudecode/toolUseId";
/// Codex' id of a call: the `tool_use_id` its hooks report. Not `itemId`, which calls of one code block share.
const CODEX_CALL: &str = "callId";
/// Codex' account of the turn: an object, though it may come as JSON text.
const CODEX_TURN: &str = "x-codex-turn-metadata";

/// Whether a request is of the era without a handshake.
pub(crate) fn modern(cx: &RequestContext<RoleServer>) -> bool {
    cx.protocol_version().is_some_and(|version| !version.has_initialize())
}

/// The client of a request.
pub(crate) fn client(cx: &RequestContext<RoleServer>) -> Client {
    // A stateless request must speak for itself: what the connection says there is the library's own name.
    let info = if modern(cx) { cx.meta.client_info() } else { cx.client_info() };
    if let Some(info) = info.filter(|info| !info.name.is_empty()) {
        return Client::named(&info.name, Some(&info.version));
    }
    let agent = cx.extensions.get::<Parts>().and_then(|parts| parts.headers.get(http::header::USER_AGENT));
    let product = agent.and_then(|agent| agent.to_str().ok()).and_then(|agent| agent.split_whitespace().next());
    match product.map(|product| product.split_once('/').map_or((product, None), |(name, v)| (name, Some(v)))) {
        Some((name, version)) => Client::named(name, version),
        None => Client::named("unknown", None),
    }
}

/// Everything the engine is told of a call's origin.
pub(crate) fn caller(connection: &Connection, cx: &RequestContext<RoleServer>) -> Caller {
    let client = client(cx);
    let meta: &JsonObject = &cx.meta;
    let turn = codex_turn(meta);
    let codex = client.family == "codex" || turn.is_some();
    let mut hints = SessionHints::default();
    if codex && let (Some(session), Some(thread)) = (text(meta, "sessionId"), text(meta, "threadId")) {
        hints.codex = Some(CodexThread { session, thread });
    }
    let (via, cwd) = match &connection.edge {
        Edge::Stdio(process, id) => {
            hints.process = Some(*id);
            // Inherited by whatever runs below Claude Code; it is Claude Code's own session alone.
            hints.environment = process.session.clone().filter(|_| client.family == "claude-code");
            ("mcp", connection.cwd(&client.family).map(str::to_owned))
        }
        Edge::Http => {
            let parts = cx.extensions.get::<Parts>();
            hints.named = parts.and_then(|parts| parts.extensions.get::<SessionName>()).map(|name| name.0.clone());
            hints.transport = parts.filter(|_| !modern(cx)).and_then(|parts| header(parts, "mcp-session-id"));
            ("http", None)
        }
    };
    let call_id = text(meta, CLAUDE_CALL).or_else(|| text(meta, CODEX_CALL).filter(|_| codex));
    let turn_key = turn.as_ref().and_then(|turn| text(turn, "turn_id"));
    Caller { principal: connection.server.options().principal.clone(), client, cwd, hints, call_id, turn_key, via }
}

fn codex_turn(meta: &JsonObject) -> Option<JsonObject> {
    match meta.get(CODEX_TURN)? {
        Value::Object(turn) => Some(turn.clone()),
        Value::String(turn) => serde_json::from_str(turn).ok(),
        _ => None,
    }
}

/// A foreign id, if it is fit for one.
fn text(object: &JsonObject, key: &str) -> Option<String> {
    let id = object.get(key)?.as_str()?;
    is_id(id).then(|| id.to_owned())
}

fn header(parts: &Parts, name: &str) -> Option<String> {
    parts.headers.get(name)?.to_str().ok().filter(|id| is_id(id)).map(str::to_owned)
}

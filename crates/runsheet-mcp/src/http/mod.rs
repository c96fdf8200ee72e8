//! Serving many clients over streamable HTTP.
//!
//! The library's service speaks the protocol; in front of it stands a gate that says who may come in, binds sessions to
//! names and bounds them, and answers what is no message.

mod answer;
mod gate;
mod name;
mod sessions;

use std::{sync::Arc, time::Duration};

use axum::{Router, middleware};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

pub(crate) use name::SessionName;

use crate::{
    connection::{Connection, Edge},
    handler::Handler,
    options::HttpOptions,
    server::McpServer,
};

/// How often silent sessions are looked for.
const SILENT_CHECK: Duration = Duration::from_secs(60);

/// The routes `/mcp` and `/mcp/s/{name}`.
///
/// Once `shutdown` is cancelled, requests are refused with 503, open subscriptions end with their result, those in
/// flight are finished and the rest of the streams are closed; then `options.drained` says that the listener's own
/// graceful shutdown has nothing to wait for but connections that never asked for anything. Turns of sessions that are silent for too long are ended from here, too. To be called within a runtime;
/// who may connect at all is the listener's to decide.
pub fn http_router(server: McpServer, options: HttpOptions, shutdown: CancellationToken) -> Router {
    let mut manager = LocalSessionManager::default();
    manager.session_config.keep_alive = Some(options.session_idle);
    manager.session_config.sse_retry = None;
    let manager = Arc::new(manager);
    let (closing, cut) = (CancellationToken::new(), CancellationToken::new());
    // The gate has looked at host and origin before; the library looks again, and nothing gets past both.
    let config = StreamableHttpServerConfig::default()
        .with_json_response(true)
        .with_sse_retry(None)
        .with_cancellation_token(cut.clone())
        .with_allowed_hosts(options.allowed_hosts.clone())
        .enforce_origin_validation()
        .with_allowed_origins(options.allowed_origins.clone())
        .with_max_request_body_bytes(options.max_body_bytes);
    let (handled, ending) = (server.clone(), closing.clone());
    let handler = move || Ok(Handler(Connection::new(handled.clone(), Edge::Http, ending.child_token())));
    let service = StreamableHttpService::new(handler, Arc::clone(&manager), config);
    let requests = TaskTracker::new();
    let (drain, drained) = (server.options().drain_timeout, options.drained.clone());
    let ended = close(shutdown.clone(), closing.clone(), requests.clone(), cut, drain);
    tokio::spawn(async move {
        ended.await;
        drained.cancel();
    });
    tokio::spawn(shutdown.run_until_cancelled_owned(end_silent_turns(server, options.turn_idle)));
    let gate = Arc::new(gate::Gate::new(options, manager, closing, requests));
    Router::new()
        .route_service("/mcp", service.clone())
        .route_service("/mcp/s/{name}", service)
        .route_layer(middleware::from_fn_with_state(gate, gate::pass))
}

async fn close(
    shutdown: CancellationToken,
    closing: CancellationToken,
    requests: TaskTracker,
    cut: CancellationToken,
    drain: Duration,
) {
    shutdown.cancelled().await;
    closing.cancel();
    requests.close();
    if tokio::time::timeout(drain, requests.wait()).await.is_err() {
        tracing::warn!(requests = requests.len(), "requests are still running at shutdown");
    }
    cut.cancel();
}

/// Nobody says goodbye over HTTP: a session that was silent for long has left.
async fn end_silent_turns(server: McpServer, idle: Duration) {
    let idle_ms = i64::try_from(idle.as_millis()).unwrap_or(i64::MAX);
    let mut check = tokio::time::interval(SILENT_CHECK.min(idle.max(Duration::from_millis(1))));
    check.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        check.tick().await;
        server.engine().leave_silent(idle_ms).await;
    }
}

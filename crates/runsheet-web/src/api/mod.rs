//! The handlers, and the router of all of them.

mod body;
mod events;
mod history;
mod login;
mod query;
mod sessions;
mod status;
mod todos;

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    middleware,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use http::{HeaderValue, StatusCode, Uri, header};
use runsheet_engine::Engine;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::{app::App, assets, error::ApiError, live::Hub, metrics::WebMetrics, options::WebOptions, paths, trust};

/// The host API, its live feed, `/metrics` and the web client. `shutdown` ends the feeds, so that a graceful shutdown
/// of the server need not wait for them.
pub fn router(engine: Engine, options: WebOptions, shutdown: CancellationToken) -> Router {
    let options = Arc::new(options);
    let metrics = Arc::new(WebMetrics::default());
    let hub = Arc::new(Hub::new(engine.clone(), Arc::clone(&options), Arc::clone(&metrics), shutdown));
    let app = App { engine, options, hub, metrics };
    Router::new()
        .route(paths::LOGIN, post(login::login))
        .route(paths::HEALTH, get(status::health))
        .route(paths::OPENAPI, get(status::openapi))
        .route(paths::METRICS, get(status::metrics))
        .route(paths::SESSIONS, get(sessions::list))
        .route(paths::SESSION, get(sessions::show))
        .route(paths::HISTORY, get(history::page))
        .route(paths::TODOS, get(todos::get).put(todos::put))
        .route(paths::SESSION_EVENTS, get(events::of_session))
        .route(paths::EVENTS, get(events::all))
        .method_not_allowed_fallback(not_allowed)
        .fallback(get(fallback).fallback(not_allowed))
        .layer(middleware::from_fn_with_state(app.clone(), trust::guard))
        .with_state(app)
}

async fn not_allowed() -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "this path does not take that method")
}

/// The web client; below `/api`, nothing.
async fn fallback(uri: Uri, headers: http::HeaderMap) -> Response {
    if trust::is_api(uri.path()) {
        return ApiError::new(StatusCode::NOT_FOUND, "no_such_path", "the API has no such path")
            .hint("GET /api/v1/openapi.json lists them")
            .into_response();
    }
    assets::serve(uri.path(), &headers)
}

/// A JSON answer.
pub(crate) fn json(value: &impl Serialize) -> Result<Response, ApiError> {
    let text = serde_json::to_vec(value)
        .map_err(|error| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", error.to_string()))?;
    Ok(raw_json(text))
}

/// A JSON answer that is text already.
pub(crate) fn raw_json(text: impl Into<Body>) -> Response {
    typed("application/json", text)
}

/// An answer of some type.
pub(crate) fn typed(ty: &'static str, text: impl Into<Body>) -> Response {
    let mut response = Response::new(text.into());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(ty));
    response
}

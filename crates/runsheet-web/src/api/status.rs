//! `GET /health`, `/metrics` and the API's own description.

use std::sync::{Arc, LazyLock};

use axum::{extract::State, response::Response};
use runsheet_engine::{
    EngineError,
    store::{Cursor, StoreError},
};
use serde::Serialize;

use super::{json, raw_json, typed};
use crate::{app::App, error::ApiError};

static DOCUMENT: LazyLock<String> = LazyLock::new(crate::openapi::document);

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
    epoch: String,
}

pub(super) async fn health(State(app): State<App>) -> Result<Response, ApiError> {
    let end = end(&app).await?;
    json(&Health { status: "ok", version: VERSION, epoch: end.epoch.simple().to_string() })
}

pub(super) async fn openapi() -> Response {
    raw_json(DOCUMENT.as_str())
}

pub(super) async fn metrics(State(app): State<App>) -> Result<Response, ApiError> {
    let end = end(&app).await?;
    let text = app.metrics.text(app.engine.metrics(), end.position, VERSION);
    Ok(typed("application/openmetrics-text; version=1.0.0; charset=utf-8", text))
}

/// The feed's end.
pub(super) async fn end(app: &App) -> Result<Cursor, ApiError> {
    let failed =
        |source: StoreError| EngineError::Store { operation: "finding the feed's end", source: Arc::new(source) };
    Ok(app.engine.store().await?.end().await.map_err(failed)?)
}

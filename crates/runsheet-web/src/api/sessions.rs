//! `GET /sessions` and `GET /sessions/{id}`.

use axum::{
    extract::{Path, State},
    response::Response,
};
use http::Uri;
use runsheet_engine::ListReport;
use serde::Serialize;

use super::{json, query::Query, status};
use crate::{app::App, error::ApiError};

/// A page of sessions, unless asked otherwise, and at most.
const PAGE: (usize, usize) = (200, 1_000);

#[derive(Serialize)]
struct Sessions {
    cursor: String,
    #[serde(flatten)]
    list: ListReport,
}

pub(super) async fn list(State(app): State<App>, uri: Uri) -> Result<Response, ApiError> {
    let limit = Query::parse(uri.query(), &["limit"])?.limit(PAGE.0, PAGE.1)?;
    // The place comes first: what is written meanwhile is in the list, and comes again.
    let cursor = status::end(&app).await?.to_string();
    json(&Sessions { cursor, list: app.engine.list(limit).await? })
}

pub(super) async fn show(
    State(app): State<App>,
    path: Result<Path<String>, axum::extract::rejection::PathRejection>,
    uri: Uri,
) -> Result<Response, ApiError> {
    Query::parse(uri.query(), &[])?;
    let session = app.session(&named(path)?).await?;
    json(&app.engine.show(&session).await?)
}

/// The session a path names.
pub(super) fn named(path: Result<Path<String>, axum::extract::rejection::PathRejection>) -> Result<String, ApiError> {
    path.map(|Path(name)| name).map_err(|_| ApiError::bad("bad_path", "the session's name is not UTF-8"))
}

//! The live feed, as server-sent events.

use std::{collections::BTreeSet, convert::Infallible};

use axum::{
    body::Body,
    extract::{Path, State, rejection::PathRejection},
    response::Response,
};
use futures_util::stream;
use http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use runsheet_engine::{
    core::{log::StreamId, projection::UNITS},
    store::Cursor,
};
use uuid::Uuid;

use super::{body::clip, query::Query, sessions::named, typed};
use crate::{app::App, error::ApiError, live::Wanted};

/// How many sessions one feed may name.
const MAX_NAMED: usize = 64;

pub(super) async fn all(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    let query = Query::parse(uri.query(), &["sessions", "cursor", "timeline", "keys"])?;
    let mut wanted = Wanted::default();
    for name in query.list("sessions").into_iter().flatten() {
        if name == "all" {
            wanted.all = true;
            continue;
        }
        let session = name.parse::<Uuid>().map_err(|_| {
            ApiError::bad("bad_query", format!("`{}` is no session's id", clip(name)))
                .hint("`sessions` takes ids and `all`, between commas")
        })?;
        wanted.sessions.insert(session);
    }
    if !wanted.all && wanted.sessions.is_empty() {
        return Err(ApiError::bad("bad_query", "`sessions` names nothing")
            .hint("`sessions` takes ids and `all`, between commas"));
    }
    if wanted.sessions.len() > MAX_NAMED {
        return Err(ApiError::bad("bad_query", format!("`sessions` names more than {MAX_NAMED}")));
    }
    wanted.timeline = match query.text("timeline") {
        None | Some("0") => false,
        Some("1") => true,
        Some(other) => {
            return Err(ApiError::bad("bad_query", format!("`timeline` is `{}`, not 0 or 1", clip(other))));
        }
    };
    wanted.keys = query.list("keys").map(|keys| keys.map(key).collect::<Result<BTreeSet<_>, _>>()).transpose()?;
    for session in &wanted.sessions {
        exists(&app, *session).await?;
    }
    open(&app, wanted, &query, &headers).await
}

pub(super) async fn of_session(
    State(app): State<App>,
    path: Result<Path<String>, PathRejection>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let query = Query::parse(uri.query(), &["cursor"])?;
    let session = app.session(&named(path)?).await?;
    let wanted = Wanted { sessions: session.session().into_iter().collect(), ..Wanted::default() };
    open(&app, wanted, &query, &headers).await
}

async fn open(app: &App, wanted: Wanted, query: &Query<'_>, headers: &HeaderMap) -> Result<Response, ApiError> {
    // A browser that comes back asks with the address it first had; where it got to stands in the header.
    let came_back = match headers.get("last-event-id") {
        Some(id) => Some(id.to_str().map_err(|_| ApiError::bad("bad_cursor", "`Last-Event-ID` is no cursor"))?),
        None => None,
    };
    let cursor = came_back.filter(|id| !id.is_empty()).or_else(|| query.text("cursor"));
    let cursor = cursor.map(str::parse::<Cursor>).transpose().map_err(|error| {
        ApiError::bad("bad_cursor", error.to_string()).hint("cursors come from this API and are brought back unchanged")
    })?;
    let reader = app.hub.open(wanted, cursor).await?;
    let frames = stream::unfold(reader, |mut reader| async move {
        let bytes = reader.next().await?;
        Some((Ok::<_, Infallible>(bytes), reader))
    });
    let mut response = typed("text/event-stream; charset=utf-8", Body::from_stream(frames));
    response.headers_mut().insert(header::HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    Ok(response)
}

fn key(key: &str) -> Result<String, ApiError> {
    let known = UNITS.iter().any(|unit| unit.visible && unit.key == key);
    if known {
        Ok(key.into())
    } else {
        Err(ApiError::bad("bad_query", format!("there is no projection `{}`", clip(key))))
    }
}

async fn exists(app: &App, session: Uuid) -> Result<(), ApiError> {
    let stream = StreamId::Session(session);
    let head = app.engine.store().await?.head(stream).await;
    let failed = |source| runsheet_engine::EngineError::Store {
        operation: "looking for the session",
        source: std::sync::Arc::new(source),
    };
    if head.map_err(failed)?.is_some() {
        return Ok(());
    }
    Err(ApiError::new(StatusCode::NOT_FOUND, "no_session", format!("no session is called `{session}`"))
        .hint("GET /api/v1/sessions lists them"))
}

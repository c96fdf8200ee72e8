//! `GET /sessions/{id}/history`: pages of a session's events, from its end backwards.

use axum::{
    extract::{Path, State, rejection::PathRejection},
    response::Response,
};
use http::Uri;
use runsheet_engine::{
    core::{
        log::{Recorded, Seq, StreamId},
        projection::Snapshot,
    },
    store::{Order, Select},
};
use serde::Serialize;

use super::{body::clip, json, query::Query, sessions::named, status};
use crate::{app::App, error::ApiError};

/// Events in a page, unless asked otherwise, and at most.
const PAGE: (usize, usize) = (100, 500);
/// The most bytes of data in a page, but for its last event.
const MAX_BYTES: usize = 4 * 1024 * 1024;
/// How often the end is looked for while others write.
const TRIES: usize = 4;

#[derive(Serialize)]
struct History {
    events: Vec<Recorded>,
    more: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    projections: Option<Snapshot>,
}

pub(super) async fn page(
    State(app): State<App>,
    path: Result<Path<String>, PathRejection>,
    uri: Uri,
) -> Result<Response, ApiError> {
    let query = Query::parse(uri.query(), &["before", "limit", "types"])?;
    let before = query.get::<Seq>("before", "a seq")?;
    let limit = query.limit(PAGE.0, PAGE.1)?;
    let types = query.list("types").map(|types| types.map(|ty| known(&app, ty)).collect()).transpose()?;
    let session = app.session(&named(path)?).await?;
    if before == Some(0) {
        return json(&History { events: Vec::new(), more: false, cursor: None, projections: None });
    }
    let (mut cursor, mut projections) = (None, None);
    let to = match before {
        Some(before) => before - 1,
        None => {
            let (at, snapshot) = tail(&app, &session).await?;
            let to = snapshot.as_of_seq.unwrap_or_default();
            (cursor, projections) = (Some(at), Some(snapshot));
            to
        }
    };
    let page = app.engine.events(&session, Select { from: 0, to, types, order: Order::Backward, limit }).await?;
    let mut bytes = 0;
    let fits = page.events.iter().take_while(|event| {
        let first = bytes == 0;
        bytes += event.data.get().len() + 200;
        first || bytes <= MAX_BYTES
    });
    let fits = fits.count();
    let more = page.more || fits < page.events.len();
    let mut events = page.events;
    events.truncate(fits);
    events.reverse();
    json(&History { events, more, cursor, projections })
}

/// The projections, and the place in the feed of their cut. Where others write all the time, the place is a little
/// earlier: then events come again, and are known by their seqs.
async fn tail(app: &App, session: &StreamId) -> Result<(String, Snapshot), ApiError> {
    let missing = || ApiError::new(http::StatusCode::NOT_FOUND, "no_session", "there is no such session");
    let mut at = status::end(app).await?;
    for _ in 0..TRIES {
        let snapshot = app.engine.snapshot(session).await?.ok_or_else(missing)?;
        let now = status::end(app).await?;
        if now == at {
            return Ok((at.to_string(), snapshot));
        }
        at = now;
    }
    let snapshot = app.engine.snapshot(session).await?.ok_or_else(missing)?;
    Ok((at.to_string(), snapshot))
}

/// A type of the vocabulary.
fn known(app: &App, ty: &str) -> Result<&'static str, ApiError> {
    let spec = app.engine.vocabulary().get(ty).map(|spec| spec.name);
    spec.ok_or_else(|| ApiError::bad("bad_query", format!("there is no event type `{}`", clip(ty))))
}

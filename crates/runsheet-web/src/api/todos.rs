//! `GET` and `PUT /sessions/{id}/todos`: the list, and a person's edit of it.

use axum::{
    body::Body,
    extract::{Path, State, rejection::PathRejection},
    response::Response,
};
use http::{HeaderMap, StatusCode, Uri};
use runsheet_engine::{
    Edited,
    core::{
        projection::Projection,
        todo::{Status, TodoItem, TodoList, Todos},
    },
};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    body::{self, clip},
    query::Query,
    raw_json,
    sessions::named,
};
use crate::{app::App, error::ApiError};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit<'a> {
    revision: u64,
    #[serde(borrow)]
    todos: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Item {
    content: String,
    status: Status,
    id: Option<String>,
    active_form: Option<String>,
    priority: Option<String>,
    /// What a list as it was read may hold. The engine keeps it only where the list has it.
    raw_status: Option<String>,
}

pub(super) async fn get(
    State(app): State<App>,
    path: Result<Path<String>, PathRejection>,
    uri: Uri,
) -> Result<Response, ApiError> {
    Query::parse(uri.query(), &[])?;
    let session = app.session(&named(path)?).await?;
    let fold = app.engine.fold(&session).await?;
    let view = fold
        .and_then(|fold| fold.view(Todos::KEY))
        .ok_or_else(|| ApiError::new(StatusCode::NOT_FOUND, "no_todo_tool", "the session's agent has no todo tool"))?;
    Ok(raw_json(String::from(Box::<str>::from(view))))
}

pub(super) async fn put(
    State(app): State<App>,
    path: Result<Path<String>, PathRejection>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    Query::parse(uri.query(), &[])?;
    let session = app.session(&named(path)?).await?;
    let text = body::read(&app.options, &headers, body).await?;
    let Edit { revision, todos } = body::object(&text)?;
    let todos = todos.into_iter().enumerate().map(|(index, raw)| item(index, raw)).collect::<Result<_, _>>()?;
    match app.engine.edit_todos(&session, revision, TodoList(todos)).await? {
        Edited::Written(view) => Ok(raw_json(String::from(Box::<str>::from(view)))),
        Edited::Conflict(view) => {
            let text = format!("the list is no longer at revision {revision}");
            Err(ApiError::new(StatusCode::CONFLICT, "conflict", text)
                .hint("make the change again on the current list")
                .current(view))
        }
    }
}

fn item(index: usize, raw: &RawValue) -> Result<TodoItem, ApiError> {
    let wrong = |what: &str| {
        let text = format!("todos[{index}]: {}", clip(what));
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_todos", text)
    };
    if !raw.get().starts_with('{') {
        return Err(wrong("an item is an object"));
    }
    let Item { content, status, id, active_form, priority, raw_status } =
        serde_json::from_str(raw.get()).map_err(|error| {
            let text = error.to_string();
            wrong(text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what))
        })?;
    Ok(TodoItem { content, status, id, active_form, priority, raw_status })
}

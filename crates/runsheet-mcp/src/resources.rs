//! What can be read: the engine's reports, as resources.

use std::{fmt, str::FromStr};

use percent_encoding::percent_decode_str;
use rmcp::{
    ErrorData,
    model::{
        ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource, ResourceContents,
        ResourceTemplate,
    },
};
use runsheet_engine::{
    EngineError,
    core::{
        log::{Seq, StreamId},
        todo::{Counts, TodoList, Todos},
    },
};
use serde::Serialize;
use uuid::Uuid;

use crate::{call::sentence, connection::Connection, hub::Update};

const JSON: &str = "application/json";
const SESSIONS: &str = "runsheet://sessions";
const SESSION: &str = "runsheet://session/";
/// Sessions on a page of the listing.
const PAGE: usize = 100;
/// Sessions that are listed at all, those written last first.
const MAX_LISTED: usize = 1_000;

/// A resource's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Uri {
    /// `runsheet://sessions`
    Sessions,
    /// `runsheet://session/{id}`
    Session(Id),
    /// `runsheet://session/{id}/todos`
    Todos(Id),
}

/// How an address names a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Id {
    /// By its uuid.
    Uuid(Uuid),
    /// By whatever else [`runsheet_engine::Engine::find`] takes.
    Name(String),
}

/// A text that is no address of ours.
#[derive(Debug)]
pub(crate) struct NoUri;

impl FromStr for Uri {
    type Err = NoUri;

    fn from_str(text: &str) -> Result<Self, NoUri> {
        if text == SESSIONS {
            return Ok(Self::Sessions);
        }
        let path = text.strip_prefix(SESSION).filter(|path| !path.is_empty() && path.len() <= 1_024).ok_or(NoUri)?;
        let (id, todos) = path.strip_suffix("/todos").map_or((path, false), |id| (id, true));
        if id.is_empty() || id.contains(['/', '?', '#']) {
            return Err(NoUri);
        }
        let id = percent_decode_str(id).decode_utf8().map_err(|_| NoUri)?;
        let id = id.parse().map_or_else(|_| Id::Name(id.into_owned()), Id::Uuid);
        Ok(if todos { Self::Todos(id) } else { Self::Session(id) })
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (id, todos) = match self {
            Self::Sessions => return f.write_str(SESSIONS),
            Self::Session(id) => (id, ""),
            Self::Todos(id) => (id, "/todos"),
        };
        match id {
            Id::Uuid(uuid) => write!(f, "{SESSION}{uuid}{todos}"),
            Id::Name(name) => write!(f, "{SESSION}{name}{todos}"),
        }
    }
}

impl Uri {
    /// Whether its content may be another after an update. Names are not followed: see [`Uri::can_be_followed`].
    pub(crate) fn concerned(&self, update: Update) -> bool {
        match (update, self) {
            (Update::Everything, _) | (Update::Session { .. }, Self::Sessions) => true,
            (Update::Session { session, .. }, Self::Session(Id::Uuid(uuid))) => session == *uuid,
            (Update::Session { session, todos }, Self::Todos(Id::Uuid(uuid))) => todos && session == *uuid,
            (Update::Session { .. }, _) => false,
        }
    }

    /// Whether it can be subscribed to: a name may come to mean another session, a uuid does not.
    pub(crate) const fn can_be_followed(&self) -> bool {
        matches!(self, Self::Sessions | Self::Session(Id::Uuid(_)) | Self::Todos(Id::Uuid(_)))
    }
}

/// A session's list, for programs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TodosReport<'a> {
    session: Uuid,
    todos: Option<&'a TodoList>,
    carried: Option<&'a TodoList>,
    counts: Counts,
    total: usize,
    as_of_seq: Option<Seq>,
}

/// One page of the listing.
pub(crate) async fn list(connection: &Connection, cursor: Option<&str>) -> Result<ListResourcesResult, ErrorData> {
    let from: usize = match cursor {
        None => 0,
        Some(cursor) => cursor
            .parse()
            .ok()
            .filter(|from| *from <= MAX_LISTED)
            .ok_or_else(|| ErrorData::invalid_params("the cursor is not one this server gave", None))?,
    };
    let to = (from + PAGE).min(MAX_LISTED);
    let report = connection.server.engine().list(to + 1).await.map_err(|error| failed(&error))?;
    let more = report.sessions.len() > to && to < MAX_LISTED;
    let mut resources = Vec::with_capacity(PAGE + 1);
    if from == 0 {
        let sessions = Resource::new(SESSIONS, "sessions").with_title("Sessions").with_mime_type(JSON);
        resources.push(sessions.with_description("The sessions, those written last first."));
    }
    for entry in report.sessions.into_iter().take(to).skip(from) {
        let title = entry.title.or(entry.cwd).unwrap_or_else(|| entry.session.to_string());
        let uri = Uri::Todos(Id::Uuid(entry.session)).to_string();
        let resource = Resource::new(uri, format!("{}/todos", entry.session)).with_title(title);
        resources.push(resource.with_description(format!("Todo list of {}", entry.agent.name)).with_mime_type(JSON));
    }
    let mut result = ListResourcesResult::with_all_items(resources);
    result.next_cursor = more.then(|| to.to_string());
    Ok(result)
}

/// The shapes of the addresses.
pub(crate) fn templates() -> ListResourceTemplatesResult {
    let template = |uri: &str, name: &str, title: &str, about: &str| {
        ResourceTemplate::new(uri, name).with_title(title).with_description(about).with_mime_type(JSON)
    };
    ListResourceTemplatesResult::with_all_items(vec![
        template(
            "runsheet://session/{id}/todos",
            "session-todos",
            "Todo list",
            "The list a session's agent keeps, with its counts. `id` is a session's uuid, or what its client calls it.",
        ),
        template(
            "runsheet://session/{id}",
            "session",
            "Session",
            "A session in full: agent, state, lists, plan and alerts.",
        ),
    ])
}

/// The content of a resource.
pub(crate) async fn read(connection: &Connection, text: &str) -> Result<ReadResourceResult, ErrorData> {
    let uri: Uri = text.parse().map_err(|NoUri| not_found(text))?;
    let engine = connection.server.engine();
    let gone = |error: EngineError| match error {
        EngineError::NoSession(_) => not_found(text),
        error => failed(&error),
    };
    let body = match &uri {
        Uri::Sessions => to_json(&engine.list(MAX_LISTED).await.map_err(gone)?),
        Uri::Session(id) => to_json(&engine.show(&stream(connection, id).await.map_err(gone)?).await.map_err(gone)?),
        Uri::Todos(id) => {
            let stream = stream(connection, id).await.map_err(gone)?;
            let fold = engine.fold(&stream).await.map_err(gone)?.ok_or_else(|| not_found(text))?;
            let session = stream.session().ok_or_else(|| not_found(text))?;
            let list = fold.state::<Todos>();
            let (todos, carried) = (list.standing(), list.carried());
            let counts = todos.or(carried).map(TodoList::counts).unwrap_or_default();
            to_json(&TodosReport { session, todos, carried, counts, total: counts.total(), as_of_seq: fold.seq() })
        }
    }?;
    Ok(ReadResourceResult::new(vec![ResourceContents::text(body, text).with_mime_type(JSON)]))
}

async fn stream(connection: &Connection, id: &Id) -> Result<StreamId, EngineError> {
    match id {
        Id::Uuid(uuid) => Ok(StreamId::Session(*uuid)),
        Id::Name(name) => connection.server.engine().find(&connection.server.options().principal, name).await,
    }
}

pub(crate) fn not_found(uri: &str) -> ErrorData {
    let uri: String = uri.chars().filter(|c| !c.is_control()).take(200).collect();
    ErrorData::resource_not_found(format!("there is no resource `{uri}`; resources/list names those there are"), None)
}

fn failed(error: &EngineError) -> ErrorData {
    let hint = error.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
    ErrorData::internal_error(format!("{}{hint}", sentence(error)), None)
}

fn to_json(report: &impl Serialize) -> Result<String, ErrorData> {
    serde_json::to_string(report)
        .map_err(|error| ErrorData::internal_error(format!("writing the report failed: {error}"), None))
}

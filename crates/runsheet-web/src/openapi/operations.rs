//! Paths and what they take and give.

use serde_json::{Map, Value, json};

use crate::paths;

/// All paths.
pub(super) fn paths() -> Value {
    let mut found = Map::new();
    let mut path = |path: &str, operations: Value| found.insert(path.to_owned(), operations);
    path(paths::LOGIN, json!({"post": login()}));
    path(paths::HEALTH, json!({"get": get("health", "Whether the host works", &[], reference("Health"), &[])}));
    path(paths::OPENAPI, json!({"get": get("openapi", "This document", &[], json!({"type": "object"}), &[])}));
    path(
        paths::METRICS,
        json!({"get": {
            "operationId": "metrics",
            "summary": "What the process did, as OpenMetrics text",
            "responses": responses(200, "Metrics", text("application/openmetrics-text"), &[]),
        }}),
    );
    let limit = |default: u32, max: u32| {
        query(
            "limit",
            "At most this many",
            json!({"type": "integer", "minimum": 1, "maximum": max, "default": default}),
        )
    };
    let list =
        get("sessions", "The sessions, those written last first", &[limit(200, 1_000)], reference("Sessions"), &[]);
    path(paths::SESSIONS, json!({"get": list}));
    path(
        paths::SESSION,
        json!({"get": get("session", "A session in full", &[id()], reference("Session"), &[404, 422])}),
    );
    let parameters = [
        id(),
        query(
            "before",
            "Only events before this seq; without it, the tail page",
            json!({"type": "integer", "minimum": 0}),
        ),
        limit(100, 500),
        query("types", "Only events of these types, between commas", json!({"type": "string"})),
    ];
    let about = "A page of a session's events, from its end backwards";
    path(paths::HISTORY, json!({"get": get("history", about, &parameters, reference("History"), &[404, 422])}));
    let todos = get("todos", "The list as it stands", &[id()], reference("Todos"), &[404, 422]);
    path(paths::TODOS, json!({"get": todos, "put": edit()}));
    let cursor = query("cursor", "Go on after this place; `Last-Event-ID` wins", json!({"type": "string"}));
    let about = "The live feed of one session";
    path(paths::SESSION_EVENTS, json!({"get": feed("sessionFeed", about, &[id(), cursor.clone()])}));
    let parameters = [
        query("sessions", "Ids and `all`, between commas", json!({"type": "string"})),
        cursor,
        query("keys", "Only these projections of sessions that are not named", json!({"type": "string"})),
        query("timeline", "1: events of all sessions too", json!({"enum": ["0", "1"]})),
    ];
    path(paths::EVENTS, json!({"get": feed("feed", "The live feed", &parameters)}));
    Value::Object(found)
}

fn login() -> Value {
    json!({
        "operationId": "login",
        "summary": "A one-time code for a cookie",
        "security": [],
        "requestBody": body(&json!({
            "type": "object",
            "required": ["code"],
            "properties": {"code": {"type": "string"}},
            "additionalProperties": false,
        })),
        "responses": {
            "204": {"description": "Logged in", "headers": {"Set-Cookie": {"schema": {"type": "string"}}}},
            "401": failure("The code is none, or was used before"),
            "default": failure("Refused"),
        },
    })
}

fn edit() -> Value {
    let mut responses =
        responses(200, "The list now", content("application/json", &reference("Todos")), &[400, 404, 413, 415, 422]);
    responses["405"] = failure("The session is read from elsewhere");
    responses["409"] = json!({
        "description": "The list is no longer at that revision",
        "content": content("application/json", &reference("Conflict")),
    });
    json!({
        "operationId": "editTodos",
        "summary": "A person's list over the one at a revision",
        "parameters": [id()],
        "requestBody": body(&reference("Edit")),
        "responses": responses,
    })
}

fn get(id: &str, summary: &str, parameters: &[Value], schema: Value, fails: &[u16]) -> Value {
    let mut operation = json!({
        "operationId": id,
        "summary": summary,
        "responses": responses(200, "It", content("application/json", &schema), fails),
    });
    if !parameters.is_empty() {
        operation["parameters"] = Value::Array(parameters.to_vec());
    }
    operation
}

fn feed(id: &str, summary: &str, parameters: &[Value]) -> Value {
    let mut responses = responses(200, "Frames, until the host closes", text("text/event-stream"), &[400, 404, 503]);
    responses["200"]["content"]["text/event-stream"]["schema"]["description"] = json!(
        "`projection` {session, key, value, seq}: keep the one with the higher seq. `event` {session, event}: skip a \
         seq you have. `reset` {cursor}: forget and fetch again. `id:` is a cursor; `Last-Event-ID` resumes after it."
    );
    json!({"operationId": id, "summary": summary, "parameters": parameters, "responses": responses})
}

fn id() -> Value {
    json!({
        "name": "id",
        "in": "path",
        "required": true,
        "description": "The session: its uuid, at least four characters of its beginning, or the client's own name for it",
        "schema": {"type": "string"},
    })
}

fn query(name: &str, about: &str, schema: Value) -> Value {
    json!({"name": name, "in": "query", "description": about, "schema": schema})
}

fn body(schema: &Value) -> Value {
    json!({"required": true, "content": content("application/json", schema)})
}

fn content(ty: &str, schema: &Value) -> Value {
    json!({ty: {"schema": schema}})
}

fn text(ty: &str) -> Value {
    content(ty, &json!({"type": "string"}))
}

fn responses(status: u16, about: &str, content: Value, fails: &[u16]) -> Value {
    let mut all = Map::new();
    all.insert(status.to_string(), json!({"description": about, "content": content}));
    for status in fails {
        let about = match status {
            400 => "The request is wrong",
            404 => "There is no such session, or it has no such thing",
            413 => "The body is too big",
            415 => "The body is not application/json",
            422 => "The list is wrong, or the session was written by a later version",
            _ => "Not now",
        };
        all.insert(status.to_string(), failure(about));
    }
    all.insert("default".into(), failure("Refused or failed"));
    Value::Object(all)
}

fn failure(about: &str) -> Value {
    json!({"description": about, "content": content("application/json", &reference("Error"))})
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

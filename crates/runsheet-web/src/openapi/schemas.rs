//! The shapes of what is sent.

use serde_json::{Value, json};

/// All schemas, by name.
pub(super) fn all() -> Value {
    json!({
        "Error": object(&["error"], json!({"error": told()})),
        "Conflict": object(&["error", "current"], json!({"error": told(), "current": of("Todos")})),
        "Health": object(&["status", "version", "epoch"], json!({
            "status": {"const": "ok"}, "version": text(), "epoch": text(),
        })),
        "Agent": object(&["name", "version"], json!({"name": text(), "version": nullable("string")})),
        "State": {"enum": ["working", "waiting", "stalled", "paused", "done", "idle", "unknown"]},
        "Status": {"enum": ["pending", "in_progress", "completed", "cancelled"]},
        "Scope": {"type": "string", "description": "`main`, or `agent:<id>`"},
        "Counts": object(&["pending", "inProgress", "completed", "cancelled"], json!({
            "pending": number(), "inProgress": number(), "completed": number(), "cancelled": number(),
        })),
        "Item": item(),
        "List": {"type": "array", "items": of("Item")},
        "Edit": object(&["revision", "todos"], json!({"revision": number(), "todos": of("List")})),
        "Sessions": object(&["cursor", "sessions"], json!({
            "cursor": text(), "sessions": {"type": "array", "items": of("SessionEntry")},
        })),
        "SessionEntry": object(
            &["session", "agent", "cwd", "title", "state", "counts", "running", "updated"],
            json!({
                "session": uuid(), "agent": of("Agent"), "cwd": nullable("string"), "title": nullable("string"),
                "state": of("State"), "counts": of("Counts"), "running": nullable("string"), "updated": time(),
            }),
        ),
        "Session": session(),
        "Event": event(),
        "History": object(&["events", "more"], json!({
            "events": {"type": "array", "items": of("Event"), "description": "Oldest first"},
            "more": {"type": "boolean"},
            "cursor": {"type": "string", "description": "Only in the tail page: where the live feed goes on"},
            "projections": object(&["asOfSeq", "values"], json!({
                "asOfSeq": {"type": ["integer", "null"]}, "values": of("Projections"),
            })),
        })),
        "Projections": projections(),
        "Todos": todos(),
        "Activity": activity(),
    })
}

fn told() -> Value {
    object(&["code", "message"], json!({"code": text(), "message": text(), "hint": text()}))
}

fn item() -> Value {
    object(
        &["content", "status"],
        json!({
            "content": text(), "status": of("Status"), "id": text(), "activeForm": text(), "priority": text(),
            "rawStatus": {"type": "string", "description": "The status as another agent spelt it; ignored in an edit"},
        }),
    )
}

fn session() -> Value {
    let list = || json!({"oneOf": [of("List"), {"type": "null"}]});
    object(
        &[
            "session", "agent", "cwd", "title", "state", "turn", "todos", "carried", "counts", "total", "plan",
            "alerts", "lists", "asOfSeq",
        ],
        json!({
            "session": uuid(), "agent": of("Agent"), "cwd": nullable("string"), "title": nullable("string"),
            "state": of("State"), "turn": number(), "todos": list(), "carried": list(), "counts": of("Counts"),
            "total": number(),
            "plan": {"oneOf": [object(&["state", "text"], json!({"state": text(), "text": text()})), {"type": "null"}]},
            "alerts": {"type": "array", "items": object(&["alert", "kind", "text"], json!({
                "alert": text(), "kind": text(), "text": text(),
            }))},
            "lists": {"type": "array", "items": object(&["scope", "kind", "items"], json!({
                "scope": of("Scope"), "kind": {"const": "todo"}, "items": of("List"),
            }))},
            "asOfSeq": {"type": ["integer", "null"]},
        }),
    )
}

fn event() -> Value {
    object(
        &["seq", "id", "time", "type", "v", "by", "data"],
        json!({
            "seq": number(), "id": uuid(), "time": time(), "type": text(), "v": number(), "by": text(),
            "data": {"description": "As it was written"}, "ignorable": {"type": "boolean"},
        }),
    )
}

fn projections() -> Value {
    let catalogue = object(
        &["agent", "cwd", "title", "state", "counts", "running", "updated", "created", "openTurn", "ended"],
        json!({
            "agent": of("Agent"), "cwd": nullable("string"), "title": nullable("string"), "state": of("State"),
            "counts": of("Counts"), "running": nullable("string"), "updated": time(), "created": time(),
            "openTurn": nullable("integer"), "ended": nullable("string"),
            "source": {"type": ["object", "null"]}, "parent": {"type": ["object", "null"]},
        }),
    );
    let mut schema = object(
        &[],
        json!({
            "todos": of("Todos"), "title": nullable("string"), "stats": {"type": "object"}, "catalogue": catalogue,
            "activity": of("Activity"),
        }),
    );
    schema["description"] = json!("A key is absent when the session has no such capability");
    schema
}

fn todos() -> Value {
    let list = || json!({"oneOf": [of("List"), {"type": "null"}]});
    let texts = || json!({"type": "array", "items": text()});
    object(
        &["standing", "carried", "counts", "revision", "agents"],
        json!({
            "standing": list(), "carried": list(), "counts": of("Counts"), "revision": number(),
            "untold": of("List"), "seq": number(), "time": time(), "turn": number(),
            "author": {"enum": ["model", "human", "carry", "restore", "import"]},
            "times": {"type": "array", "items": object(&[], json!({"started": time(), "ended": time()}))},
            "changes": object(&["added", "removed", "removedOpen", "completed", "reopened", "reworded"], json!({
                "added": texts(), "removed": texts(), "removedOpen": number(), "completed": texts(), "reopened": texts(),
                "reworded": texts(),
            })),
            "agents": {"type": "array", "items": object(&["scope", "seq", "time", "counts", "running"], json!({
                "scope": of("Scope"), "seq": number(), "time": time(), "counts": of("Counts"),
                "running": nullable("string"),
            }))},
        }),
    )
}

fn activity() -> Value {
    object(
        &["calls", "children", "dropped"],
        json!({
            "calls": {"type": "array", "items": object(&["callId", "name", "scope", "since"], json!({
                "callId": text(), "name": text(), "scope": of("Scope"), "since": time(), "progress": text(),
                "progressAt": time(),
            }))},
            "children": {"type": "array", "items": object(&["agentId", "since", "lastSign"], json!({
                "agentId": text(), "agentType": text(), "session": uuid(), "callId": text(), "since": time(),
                "lastSign": time(), "ended": time(), "isError": {"type": "boolean"},
            }))},
            "lastSign": time(),
            "dropped": number(),
        }),
    )
}

fn object(required: &[&str], properties: Value) -> Value {
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn of(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn text() -> Value {
    json!({"type": "string"})
}

fn nullable(ty: &str) -> Value {
    json!({"type": [ty, "null"]})
}

fn number() -> Value {
    json!({"type": "integer", "minimum": 0})
}

fn uuid() -> Value {
    json!({"type": "string", "format": "uuid"})
}

fn time() -> Value {
    json!({"type": "string", "format": "date-time"})
}

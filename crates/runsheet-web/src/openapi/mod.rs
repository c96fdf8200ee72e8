//! The API's description, the one place it is made. `docs/openapi.json` is its output; a test compares them.

#![allow(clippy::needless_pass_by_value, reason = "values are built where they are passed")]

mod operations;
mod schemas;

use serde_json::{Value, json};

/// The OpenAPI document, as text.
#[must_use]
pub fn document() -> String {
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Runsheet",
            "version": "v1",
            "description": "The task lists of coding agents, as they stand and as they change. Errors are \
                {\"error\": {\"code\", \"message\", \"hint\"?}}.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "http://127.0.0.1:4477"}],
        "security": [{"cookie": []}, {"token": []}, {}],
        "paths": operations::paths(),
        "components": {
            "schemas": schemas::all(),
            "securitySchemes": {
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "runsheet-4477",
                    "description": "What a browser gets for a one-time code. The name ends in the port.",
                },
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "For programs that are not of the user who runs the host.",
                },
            },
        },
    });
    let mut text = serde_json::to_string_pretty(&sorted(document)).unwrap_or_default();
    text.push('\n');
    text
}

/// Objects in the order of their keys, whatever order maps keep in this build.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            entries.sort_by(|(a, _), (b, _)| a.cmp(b));
            Value::Object(entries.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}

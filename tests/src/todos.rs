//! The lists the scripts write.

use serde_json::{Value, json};

/// A list of items as `(content, status)`.
pub fn todos(items: &[(&str, &str)]) -> Value {
    items.iter().map(|(content, status)| json!({ "content": content, "status": status })).collect()
}

/// Three steps, the first running.
pub fn first() -> Value {
    todos(&[("Read the code", "in_progress"), ("Write the fix", "pending"), ("Run the tests", "pending")])
}

/// The same steps, the second running.
pub fn second() -> Value {
    todos(&[("Read the code", "completed"), ("Write the fix", "in_progress"), ("Run the tests", "pending")])
}

/// The same steps, all completed.
pub fn third() -> Value {
    todos(&[("Read the code", "completed"), ("Write the fix", "completed"), ("Run the tests", "completed")])
}

/// A sub-agent's own list.
pub fn childs() -> Value {
    todos(&[("Look around", "completed"), ("Report back", "in_progress")])
}

/// A list's counts in the shape of `show --json`.
pub fn counts(list: &Value) -> Value {
    let of = |status: &str| list.as_array().into_iter().flatten().filter(|item| item["status"] == status).count();
    json!({
        "pending": of("pending"), "inProgress": of("in_progress"),
        "completed": of("completed"), "cancelled": of("cancelled"),
    })
}

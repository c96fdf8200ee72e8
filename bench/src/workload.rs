//! The events that are written: what agents really write.

use std::time::{SystemTime, UNIX_EPOCH};

use runsheet_core::{
    log::{
        Agent, ContentBlock, Event, EventData, EventId, FORMAT, Ownership, Scope, SessionCreated, Source, StreamId,
        Time, ToolCall, ToolFacts, ToolResult,
    },
    todo::{Author, ListLifetime, Policy, Status, TodoItem, TodoList, TodoWrite},
    vocabulary,
};
use serde_json::{Value, json};
use uuid::Uuid;

/// The plan of a change of middling size: ten items, as agents word them.
const PLAN: [&str; 10] = [
    "Read the failing test and the code it exercises",
    "Find where the retry counter is reset",
    "Write a test that fails for the second reconnect",
    "Move the counter into the connection state",
    "Reset it only after the handshake succeeded",
    "Log the attempt number with every reconnect",
    "Run the unit tests of the transport crate",
    "Run the integration tests against a flapping server",
    "Describe the changed behaviour in the changelog",
    "Check formatting and lints before committing",
];

/// A session that is not there yet.
pub(crate) fn new_session() -> StreamId {
    StreamId::Session(Uuid::now_v7())
}

fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time::from_ms(i64::try_from(since.as_millis()).unwrap_or_default())
}

/// An event of this moment with an id of its own.
pub(crate) fn event<T: EventData>(data: &T) -> Event {
    vocabulary().event(EventId::new(Uuid::now_v7()), now(), data)
}

/// The first event of a session.
pub(crate) fn header() -> Event {
    let agent = Agent { name: "bench".into(), version: None, dialect: Some("dsh".into()) };
    let source = Source { kind: "mcp".into(), native: None };
    let cwd = Some("/home/dev/project".into());
    event(&SessionCreated { format: FORMAT, cwd, agent, parent: None, source, lifecycle: Ownership::Observed })
}

fn status(index: usize, done: usize) -> Status {
    match index.cmp(&done) {
        std::cmp::Ordering::Less => Status::Completed,
        std::cmp::Ordering::Equal => Status::InProgress,
        std::cmp::Ordering::Greater => Status::Pending,
    }
}

/// The list after some of its ten items are done; it begins anew after the last.
fn list(done: usize) -> TodoList {
    let done = done % (PLAN.len() + 1);
    TodoList(PLAN.iter().enumerate().map(|(at, content)| TodoItem::new(*content, status(at, done))).collect())
}

/// The `todo/write` of a call: ten items, about one KiB.
pub(crate) fn write(number: usize) -> Event {
    event(&TodoWrite {
        scope: Scope::Main,
        todos: list(number),
        author: Author::Model,
        call_id: Some(call_id(number)),
        dialect: "dsh".into(),
        lifetime: ListLifetime::Turn,
        policy: Policy { allow_parallel_in_progress: true },
        explanation: None,
        late: false,
    })
}

/// What one call over MCP appends: the call, the list, the result.
pub(crate) fn call(number: usize) -> Vec<Event> {
    let arguments = arguments(number).to_string();
    vec![
        tool_call(number, "todo_write", arguments),
        write(number),
        tool_result(number, &format!("Todo list updated: {} items.", PLAN.len()), None),
    ]
}

/// The arguments of `todo_write`.
pub(crate) fn arguments(number: usize) -> Value {
    let items = list(number).0;
    let todos: Vec<_> =
        items.iter().map(|item| json!({ "content": item.content, "status": item.status.name() })).collect();
    json!({ "todos": todos })
}

/// What a hook reports of one tool call of an agent: a short command and what came of it.
pub(crate) fn observed(number: usize) -> [Event; 2] {
    let command = format!("cargo test -p transport reconnect::case_{}", number % 97);
    let facts = json!({ "command": command, "exitCode": i32::from(number.is_multiple_of(7)) });
    [
        tool_call(number, "Bash", json!({ "command": command }).to_string()),
        tool_result(number, "test result: ok", facts.as_object().cloned()),
    ]
}

/// The id of a call.
pub(crate) fn call_id(number: usize) -> String {
    format!("toolu_{number:020}")
}

fn tool_call(number: usize, name: &str, arguments: String) -> Event {
    event(&ToolCall { call_id: call_id(number), name: name.into(), arguments, scope: Scope::Main, late: false })
}

fn tool_result(number: usize, text: &str, facts: Option<ToolFacts>) -> Event {
    event(&ToolResult {
        call_id: call_id(number),
        content: vec![ContentBlock::text(text)],
        is_error: false,
        facts,
        scope: Scope::Main,
        late: false,
        unpaired: false,
    })
}

/// The bytes of an event as the log's own lines hold it: what a plain file would be given.
pub(crate) fn line(event: &Event) -> Vec<u8> {
    let mut line = serde_json::to_vec(&event.clone().at(1)).unwrap_or_default();
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use runsheet_core::log::Bounds;

    use super::{call, header, line, observed, vocabulary, write};

    #[test]
    fn the_events_are_ones_a_store_takes() {
        let events = call(3).into_iter().chain(observed(7));
        for (event, seq) in [header()].into_iter().chain(events).zip(0..) {
            vocabulary().check(seq, &event, &Bounds::default()).expect("the shape is right");
        }
    }

    #[test]
    fn a_list_of_ten_is_about_a_kibibyte() {
        let bytes = line(&write(4)).len();
        assert!((900..1_300).contains(&bytes), "{bytes} bytes");
    }
}

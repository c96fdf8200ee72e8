//! The todo tool of DeepSeek Harness: one tool, one whole list a call, twelve failures.
//!
//! The texts are exact, so that what a model learnt there holds here. Ours on top: the bounds, which name their setting,
//! and that foreign text in an answer is cut where it is long.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::value::RawValue;

use super::clip::clip;
use super::shape::{Object, Property, Shape, quoted};
use super::trim::trim;
use super::walk::{Fault, Value, not_an_object, walk};
use super::{Dialect, Parallel, Parsed, Refusal, Resolved, Rules, ToolSpec, json};
use crate::todo::{ListLifetime, Status, TodoItem, TodoList};

const TOOL: &str = "todo_write";

const STATUSES: [Status; 3] = [Status::Pending, Status::InProgress, Status::Completed];

/// Bytes of a duplicate content that are repeated.
const MAX_QUOTED_BYTES: usize = 1_024;

static ARGUMENTS: Shape = Shape::Object(Object { properties: &[TODOS], open: true });

const TODOS: Property = Property {
    name: "todos",
    description: "The complete list. It replaces the previous one.",
    required: true,
    shape: Shape::List(&ITEM),
};

static ITEM: Shape = Shape::Object(Object { properties: &[CONTENT, STATUS], open: false });

const CONTENT: Property = Property {
    name: "content",
    description: "What to do: one short imperative line, different from every other.",
    required: true,
    shape: Shape::Text,
};

const STATUS: Property = Property {
    name: "status",
    description: "",
    required: true,
    shape: Shape::OneOf(&[STATUSES[0].name(), STATUSES[1].name(), STATUSES[2].name()]),
};

const ABOUT: &str = "\
Keep a structured list of the work at hand, for you to plan by and for people to follow. Every call sends the whole list \
and replaces the previous one; a single todo cannot be edited.

- Use it for work of several steps: before you start, write one todo for each concrete step. Skip it for a single trivial \
step.";

const SEVERAL: &str = "\
- Set every todo you are working on to in_progress before you begin it: several at once when work genuinely runs in \
parallel, else one. While work remains, at least one is in_progress.";

const ONE: &str = "\
- Set a todo to in_progress before you begin it. Keep AT MOST ONE todo in_progress; while work remains, exactly one is.";

const DONE: &str = "\
- Set a todo to completed the moment it is fully done and never earlier, each at its time and not in batches. Have none \
in_progress only once everything is completed.

pending: not begun. in_progress: being worked on now. completed: fully done.";

/// The dialect `dsh`.
#[derive(Clone, Copy, Debug)]
pub struct Dsh;

impl Dialect for Dsh {
    fn name(&self) -> &'static str {
        "dsh"
    }

    fn lifetime(&self) -> ListLifetime {
        ListLifetime::Turn
    }

    fn parallel(&self, setting: Option<bool>) -> Parallel {
        let allowed = setting.unwrap_or(true);
        Parallel { allowed, enforced: !allowed }
    }

    fn tools(&self, rules: &Rules) -> Vec<ToolSpec> {
        let clause = if rules.parallel.allowed { SEVERAL } else { ONE };
        vec![ToolSpec {
            name: TOOL,
            title: "Update todo list",
            description: format!("{ABOUT}\n{clause}\n{DONE}"),
            schema: ARGUMENTS.schema(),
            read_only: false,
        }]
    }

    fn parse(&self, tool: &str, arguments: &str, rules: &Rules) -> Result<Parsed, Refusal> {
        if tool != TOOL {
            let text = format!("Error: unknown tool {}", quoted(&clip(tool, MAX_QUOTED_BYTES)));
            return Err(Refusal { text, code: Refusal::UNKNOWN_TOOL });
        }
        let todos = decode(read(arguments, rules)?, rules)?;
        Ok(Parsed::Replace { todos, explanation: None })
    }

    fn resolve(&self, parsed: &Parsed, _current: Option<&TodoList>, _rules: &Rules) -> Result<Resolved, Refusal> {
        let Parsed::Replace { todos, explanation } = parsed;
        let counts = todos.counts();
        let text = format!(
            "Updated todo list: {} pending, {} in progress, {} completed.",
            counts.pending, counts.in_progress, counts.completed
        );
        Ok(Resolved { todos: todos.clone(), explanation: explanation.clone(), text })
    }

    fn no_owner(&self, _tool: &str) -> Refusal {
        Refusal { text: "Error: todo_write requires an owning agent session".to_owned(), code: Refusal::NO_OWNER }
    }
}

/// The shape of the arguments, and how deep and how many.
fn read<'a>(arguments: &'a str, rules: &Rules) -> Result<Value<'a>, Refusal> {
    let Ok(raw) = serde_json::from_str::<&RawValue>(arguments) else {
        return Err(invalid_arguments(&not_an_object()));
    };
    let (depth, max_depth) = (json::depth(raw), rules.bounds.max_depth);
    if depth > max_depth {
        let what = format!("invalid arguments: {depth} levels of nesting, at most {max_depth} (todo.max_depth)");
        return Err(too_big(&what));
    }
    walk(&ARGUMENTS, raw, rules.bounds.max_items).map_err(|fault| match fault {
        Fault::Violations(violations) => invalid_arguments(&violations),
        Fault::TooMany { count } => {
            let max = rules.bounds.max_items;
            too_big(&format!("invalid todos: {count} items, at most {max} (todo.max_items)"))
        }
    })
}

/// The rules a shape cannot say, each item in turn and then the list.
fn decode(arguments: Value<'_>, rules: &Rules) -> Result<TodoList, Refusal> {
    // The walk gives no other value than one of the shape.
    let Some(items) = items(arguments) else { return Err(invalid_arguments(&not_an_object())) };
    let mut todos = Vec::with_capacity(items.len());
    let mut contents = HashSet::with_capacity(items.len());
    let mut bytes = 0_usize;
    for (i, (content, status)) in items.iter().enumerate() {
        let content = trim(content);
        if content.is_empty() {
            return Err(invalid_todos("invalid todo: `content` must be a non-empty string"));
        }
        let (len, max) = (content.len(), rules.bounds.max_item_bytes);
        if len > max {
            let what = format!("invalid todo: todos[{i}].content is {len} bytes, at most {max} (todo.max_item_bytes)");
            return Err(too_big(&what));
        }
        if !contents.insert(content) {
            let content = quoted(&clip(content, MAX_QUOTED_BYTES));
            return Err(invalid_todos(&format!("invalid todos: duplicate content {content}")));
        }
        bytes += len;
        todos.push(TodoItem::new(content, *status));
    }
    let max = rules.bounds.max_list_bytes;
    if bytes > max {
        return Err(too_big(&format!("invalid todos: {bytes} bytes of content, at most {max} (todo.max_list_bytes)")));
    }
    let todos = TodoList(todos);
    let running = todos.counts().in_progress;
    if rules.parallel.enforced && !rules.parallel.allowed && running > 1 {
        let what = format!("invalid todos: at most one task may be in_progress (got {running})");
        return Err(invalid_todos(&what));
    }
    Ok(todos)
}

fn items(arguments: Value<'_>) -> Option<Vec<(Cow<'_, str>, Status)>> {
    let [todos] = arguments.into_properties()?;
    todos.into_list()?.into_iter().map(item).collect()
}

fn item(item: Value<'_>) -> Option<(Cow<'_, str>, Status)> {
    let [content, status] = item.into_properties()?;
    Some((content.into_text()?, *STATUSES.get(status.into_choice()?)?))
}

fn invalid_arguments(what: &str) -> Refusal {
    Refusal { text: format!("Error: invalid arguments: {what}"), code: Refusal::INVALID_ARGS }
}

fn invalid_todos(what: &str) -> Refusal {
    Refusal { text: format!("Error: {what}"), code: Refusal::INVALID_TODOS }
}

fn too_big(what: &str) -> Refusal {
    Refusal { text: format!("Error: {what}"), code: Refusal::TOO_BIG }
}

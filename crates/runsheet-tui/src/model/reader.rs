//! Events in full: what no line of the timeline has room for.

use runsheet_core::{
    log::{AssistantMessage, Block, ContentBlock, EventData, Recorded, ToolCall, ToolResult, UserMessage, read},
    plan::PlanProposed,
    todo::TodoWrite,
};
use runsheet_engine::{escape, words};

/// The longest text shown, in bytes.
const MAX_BYTES: usize = 256 * 1024;

/// A text to be read.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// Its lines, escaped; a heading says so.
    pub lines: Vec<(bool, String)>,
    /// The first line shown, of the lines as they are wrapped.
    pub top: usize,
}

impl Reader {
    /// Events in full.
    #[must_use]
    pub fn of(events: &[Recorded]) -> Self {
        let mut lines = Vec::new();
        let mut room = MAX_BYTES;
        // Of a call that wrote a list, the list is what people want to see.
        let (lists, others): (Vec<_>, Vec<_>) = events.iter().partition(|event| &*event.ty == TodoWrite::TYPE);
        for event in lists.into_iter().chain(others) {
            if !lines.is_empty() {
                lines.push((false, String::new()));
            }
            let (heading, text) = text(event);
            lines.push((true, escape::line(&format!("{heading} · event {} · {}", event.seq, event.time)).into_owned()));
            let kept = &text[..text.floor_char_boundary(room)];
            room -= kept.len();
            lines.extend(kept.split('\n').map(|line| (false, escape::line(&line.replace('\t', "    ")).into_owned())));
            if kept.len() < text.len() {
                lines.push((true, "… `runsheet log <session> --json` has the rest".into()));
            }
        }
        Self { lines, top: 0 }
    }

    /// An item of a list in full.
    #[must_use]
    pub fn item(item: &runsheet_core::todo::TodoItem) -> Self {
        let mut lines = vec![(true, format!("{} {}", words::glyph(item.status), item.status.name().replace('_', " ")))];
        let facts = [("", Some(&item.content)), ("while it runs: ", item.active_form.as_ref())];
        let facts = facts.into_iter().chain([("id: ", item.id.as_ref()), ("priority: ", item.priority.as_ref())]);
        for (what, text) in facts.chain([("written as: ", item.raw_status.as_ref())]) {
            let Some(text) = text else { continue };
            lines.extend(format!("{what}{text}").split('\n').map(|line| (false, escape::line(line).into_owned())));
        }
        Self { lines, top: 0 }
    }
}

fn text(event: &Recorded) -> (String, String) {
    if let Some(UserMessage { content }) = read(event) {
        return ("you".into(), texts(&content));
    }
    if let Some(AssistantMessage { content, .. }) = read(event) {
        let blocks = content.iter().map(|block| match block {
            Block::Text { text } | Block::Reasoning { text, .. } => text.clone(),
            Block::ToolCall { name, arguments, .. } => format!("{name} {arguments}"),
        });
        return ("agent".into(), blocks.collect::<Vec<_>>().join("\n"));
    }
    if let Some(ToolCall { name, arguments, .. }) = read(event) {
        return (format!("call of {name}"), pretty(&arguments));
    }
    if let Some(ToolResult { content, is_error, facts, .. }) = read(event) {
        let facts = facts.map(|facts| format!("\n{}", serde_json::Value::from(facts))).unwrap_or_default();
        let what = if is_error { "failed" } else { "result" };
        return (what.into(), format!("{}{facts}", texts(&content)));
    }
    if let Some(write) = read::<TodoWrite>(event) {
        let item = |item| format!("{} {}", words::glyph(item_status(item)), words::label(item));
        let items: Vec<_> = write.todos.iter().map(item).collect();
        let said = write.explanation.map(|said| format!("{said}\n")).unwrap_or_default();
        let items = if items.is_empty() { "(an empty list)".into() } else { items.join("\n") };
        return (
            format!("list of {} {}", write.scope, words::progress(&write.todos.counts())),
            format!("{said}{items}"),
        );
    }
    if let Some(PlanProposed { text }) = read(event) {
        return ("proposed plan".into(), text);
    }
    (event.ty.to_string(), pretty(event.data.get()))
}

const fn item_status(item: &runsheet_core::todo::TodoItem) -> runsheet_core::todo::Status {
    item.status
}

fn texts(content: &[ContentBlock]) -> String {
    content.iter().map(|ContentBlock::Text { text }| text.as_str()).collect::<Vec<_>>().join("\n")
}

/// JSON with its structure shown; anything else as it is.
fn pretty(text: &str) -> String {
    let value: Option<serde_json::Value> = serde_json::from_str(text).ok();
    value.and_then(|value| serde_json::to_string_pretty(&value).ok()).unwrap_or_else(|| text.to_owned())
}

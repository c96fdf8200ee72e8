//! Logs written as text, one event a line, so that a case is read at a glance.
//!
//! ```text
//! owned | observed                         the header
//! turn 1 [key] [implicit]   bound 1 key   end 1 [reason]   step 1.1   step-end 1.1
//! user TEXT   says [TEXT]   asks ID…   note TEXT   call ID [scope]   result ID [scope] [error]
//! compact 1-4 TEXT   compact-failed   back 3   title TEXT   usage IN CACHED OUT
//! list [scope] [human] [session] [late] : items; an item is `id=content` or `content`, then ~ running, + done, - given up
//! ```

use runsheet_core::{
    log::{
        Agent, AssistantMessage, Block, CompactionEnd, ContentBlock, EndReason, Event, EventData, EventId, FORMAT,
        Lifecycle, LifecycleFault, NoteModel, Ownership, Recorded, RolledBack, Scope, SeqRange, SessionCreated,
        SessionTitle, Source, StepEnd, StepStart, StreamId, Time, ToolCall, ToolResult, TurnBound, TurnEnd, TurnStart,
        Turns, Usage, UserMessage,
    },
    todo::{Author, ListLifetime, Policy, Status, TodoItem, TodoList, TodoWrite},
    vocabulary,
};
use uuid::Uuid;

pub(crate) fn session() -> Uuid {
    Uuid::from_u128(0x5e55)
}

pub(crate) fn stream() -> StreamId {
    StreamId::Session(session())
}

pub(crate) fn id(n: u64) -> EventId {
    EventId::new(Uuid::from_u128(0x1d_0000 + u128::from(n)))
}

pub(crate) fn header(lifecycle: Ownership) -> SessionCreated {
    SessionCreated {
        format: FORMAT,
        cwd: Some("/home/dev/app".into()),
        agent: Agent { name: "codex".into(), version: Some("0.171.0".into()), dialect: Some("dsh".into()) },
        parent: None,
        source: Source { kind: "mcp".into(), native: None },
        lifecycle,
    }
}

/// The event at a place; events are a second apart.
pub(crate) fn at<T: EventData>(seq: u64, data: &T) -> Recorded {
    event(seq, data).at(seq)
}

pub(crate) fn event<T: EventData>(seq: u64, data: &T) -> Event {
    vocabulary().event(id(seq), Time::from_ms(1_796_068_800_000 + i64::try_from(seq).unwrap() * 1000), data)
}

/// A log from its text.
pub(crate) fn log(text: &str) -> Vec<Recorded> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.zip(0..).map(|(line, seq)| read(seq, line)).collect()
}

pub(crate) fn turns(events: &[Recorded]) -> Turns {
    let mut turns = Turns::default();
    for event in events {
        turns.apply(event);
    }
    turns
}

/// The first event of an owned log that may not stand where it does.
pub(crate) fn lifecycle(events: &[Recorded]) -> Result<(), LifecycleFault> {
    let mut lifecycle = Lifecycle::default();
    events.iter().try_for_each(|event| lifecycle.next(vocabulary(), event))
}

fn read(seq: u64, line: &str) -> Recorded {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let words: Vec<&str> = rest.split_whitespace().collect();
    let number = |at: usize| words[at].parse::<u64>().unwrap();
    let pair = |split: char| {
        let (first, second) = words[0].split_once(split).unwrap();
        (first.parse::<u64>().unwrap(), second.parse::<u64>().unwrap())
    };
    let scope = || words.iter().find_map(|word| word.parse::<Scope>().ok()).unwrap_or_default();
    let text = || vec![ContentBlock::text(rest)];
    let assistant = |content| AssistantMessage { content, model: None, usage: None, interrupted: false };
    match verb {
        "owned" => at(seq, &header(Ownership::Owned)),
        "observed" => at(seq, &header(Ownership::Observed)),
        "turn" => {
            let key = words.get(1).filter(|word| **word != "implicit").map(|key| (*key).to_owned());
            at(seq, &TurnStart { turn: number(0), key, implicit: words.contains(&"implicit") })
        }
        "bound" => at(seq, &TurnBound { turn: number(0), key: words[1].into() }),
        "end" => {
            let reason = words
                .get(1)
                .map_or(EndReason::Completed, |word| serde_json::from_value(serde_json::Value::from(*word)).unwrap());
            at(seq, &TurnEnd { turn: number(0), reason })
        }
        "step" => at(seq, &StepStart { turn: pair('.').0, step: pair('.').1 }),
        "step-end" => at(seq, &StepEnd { turn: pair('.').0, step: pair('.').1 }),
        "user" => at(seq, &UserMessage { content: text() }),
        "says" if rest.is_empty() => at(seq, &assistant(Vec::new())),
        "says" => at(seq, &assistant(vec![Block::Text { text: rest.into() }])),
        "asks" => {
            let call =
                |id: &&str| Block::ToolCall { call_id: (*id).into(), name: "bash".into(), arguments: "{}".into() };
            at(seq, &assistant(words.iter().map(call).collect()))
        }
        "usage" => {
            let usage = Usage { input_tokens: number(0), cached_tokens: number(1), output_tokens: number(2) };
            at(seq, &AssistantMessage { usage: Some(usage), ..assistant(Vec::new()) })
        }
        "note" => at(seq, &NoteModel { discipline: "reminder".into(), text: rest.into(), told_revision: None }),
        "call" => at(
            seq,
            &ToolCall {
                call_id: words[0].into(),
                name: "bash".into(),
                arguments: "{}".into(),
                scope: scope(),
                late: false,
            },
        ),
        "result" => at(
            seq,
            &ToolResult {
                call_id: words[0].into(),
                content: vec![ContentBlock::text("ok")],
                is_error: words.contains(&"error"),
                facts: None,
                scope: scope(),
                late: false,
                unpaired: false,
            },
        ),
        "compact" => {
            let (first, last) = pair('-');
            let summary = Some(words[1..].join(" "));
            let replaced = Some(SeqRange { first, last });
            at(seq, &CompactionEnd { summary, replaced, ..CompactionEnd::default() })
        }
        "compact-failed" => at(seq, &CompactionEnd { error: Some("no answer".into()), ..CompactionEnd::default() }),
        "back" => at(seq, &RolledBack { to_seq: number(0) }),
        "title" => at(seq, &SessionTitle { title: rest.into() }),
        "list" => {
            let (options, items) = rest.split_once(':').unwrap();
            let has = |option: &str| options.split_whitespace().any(|word| word == option);
            let scope = options.split_whitespace().find(|word| word.starts_with("agent")).unwrap_or("main");
            at(
                seq,
                &TodoWrite {
                    scope: if scope == "main" { Scope::Main } else { Scope::Agent(scope.into()) },
                    todos: items_of(items),
                    author: if has("human") { Author::Human } else { Author::Model },
                    call_id: None,
                    dialect: "dsh".into(),
                    lifetime: if has("session") { ListLifetime::Session } else { ListLifetime::Turn },
                    policy: Policy { allow_parallel_in_progress: true },
                    explanation: None,
                    late: has("late"),
                },
            )
        }
        other => panic!("no such event: {other}"),
    }
}

/// Items from their text: `1=read the code+, write the fix~, ship it`.
pub(crate) fn items_of(text: &str) -> TodoList {
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    TodoList(
        items
            .map(|item| {
                let (status, item) = match item.as_bytes().last() {
                    Some(b'~') => (Status::InProgress, &item[..item.len() - 1]),
                    Some(b'+') => (Status::Completed, &item[..item.len() - 1]),
                    Some(b'-') => (Status::Cancelled, &item[..item.len() - 1]),
                    _ => (Status::Pending, item),
                };
                match item.split_once('=') {
                    Some((id, content)) => TodoItem { id: Some(id.into()), ..TodoItem::new(content, status) },
                    None => TodoItem::new(item, status),
                }
            })
            .collect(),
    )
}

/// A list as that text.
pub(crate) fn text_of(list: &TodoList) -> String {
    let item = |item: &TodoItem| {
        let mark = match item.status {
            Status::Pending => "",
            Status::InProgress => "~",
            Status::Completed => "+",
            Status::Cancelled => "-",
        };
        format!("{}{mark}", item.content)
    };
    format!("[{}]", list.iter().map(item).collect::<Vec<_>>().join(", "))
}

//! One entry of a timeline: what an event, or a few that belong together, say to a person.

use runsheet_core::{
    log::{
        AssistantMessage, Block, CompactionEnd, CompactionStart, ContentBlock, EndReason, NoteModel, Recorded, Scope,
        Seq, SessionCreated, SessionTitle, Time, ToolCall, ToolResult, TurnEnd, TurnStart, UserMessage, read,
    },
    plan::{PermissionAsked, PlanDecided, PlanProposed},
    progress::{AlertCleared, AlertRaised, SubagentEnded, SubagentStarted},
    todo::{Author, Changes, Counts, TodoWrite},
};

/// The longest text an entry keeps, in characters: the rest is read from the log when it is opened.
const MAX_CHARS: usize = 600;

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its first event.
    pub seq: Seq,
    /// Its further events, in order.
    pub more: Vec<Seq>,
    /// When its first event was written.
    pub time: Time,
    /// Whose it is.
    pub scope: Scope,
    /// What it says.
    pub kind: Kind,
    /// The client's id of the call it is about.
    pub call: Option<String>,
}

/// What an entry says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A turn began.
    Turn(u64),
    /// A turn ended.
    Ended(u64, EndReason),
    /// A person spoke.
    Person(String),
    /// The agent spoke.
    Agent(String),
    /// A tool was called, and what came of it.
    Call {
        /// The tool.
        tool: String,
        /// The first line of its arguments.
        arguments: String,
        /// What came of it, once something did.
        outcome: Option<Outcome>,
    },
    /// A result whose call is not in this part of the history.
    Result(Outcome),
    /// A list was written.
    Wrote(Wrote),
    /// Anything else: a word for it, and what it says.
    Other(&'static str, String),
    /// A type this program does not know: its name, and its data.
    Unknown(String, String),
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it failed.
    pub failed: bool,
    /// Its exit code, where the runtime saw one.
    pub exit: Option<i64>,
    /// How long it took, where its call is known.
    pub took_ms: Option<i64>,
    /// The first line of its text.
    pub text: String,
}

/// A list, as one write left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrote {
    /// Who wrote it.
    pub author: Author,
    /// How many items stand where.
    pub counts: Counts,
    /// The first item that runs.
    pub running: Option<String>,
    /// What it changed; `None` where the list before is not known.
    pub changed: Option<Changed>,
}

/// How many items a write changed in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// Done now.
    pub done: usize,
    /// New.
    pub added: usize,
    /// Open again.
    pub reopened: usize,
    /// Said in other words.
    pub reworded: usize,
    /// Gone.
    pub removed: usize,
}

impl From<&Changes> for Changed {
    fn from(changes: &Changes) -> Self {
        Self {
            done: changes.completed.len(),
            added: changes.added.len(),
            reopened: changes.reopened.len(),
            reworded: changes.reworded.len(),
            removed: changes.removed.len(),
        }
    }
}

impl Entry {
    /// The entry an event begins; `None` for one that says nothing to a person by itself.
    #[must_use]
    pub fn of(event: &Recorded, changed: Option<Changed>) -> Option<Self> {
        let (mut scope, mut call) = (Scope::Main, None);
        let kind = if let Some(start) = read::<TurnStart>(event) {
            Kind::Turn(start.turn)
        } else if let Some(end) = read::<TurnEnd>(event) {
            Kind::Ended(end.turn, end.reason)
        } else if let Some(message) = read::<UserMessage>(event) {
            Kind::Person(cut(&texts(&message.content)))
        } else if let Some(message) = read::<AssistantMessage>(event) {
            Kind::Agent(cut(&spoken(&message)?))
        } else if let Some(called) = read::<ToolCall>(event) {
            scope = called.scope;
            call = Some(called.call_id);
            Kind::Call { tool: cut(&called.name), arguments: first_line(&called.arguments), outcome: None }
        } else if let Some(result) = read::<ToolResult>(event) {
            scope = result.scope.clone();
            call = Some(result.call_id.clone());
            Kind::Result(Outcome::of(&result, None))
        } else if let Some(write) = read::<TodoWrite>(event) {
            scope = write.scope;
            call = write.call_id;
            Kind::Wrote(Wrote {
                author: write.author,
                counts: write.todos.counts(),
                running: write.todos.running().map(|item| cut(item.label())),
                changed,
            })
        } else {
            other(event)?
        };
        Some(Self { seq: event.seq, more: Vec::new(), time: event.time, scope, kind, call })
    }

    /// Takes in a later entry that belongs to this one: the list a call wrote, or what came of it. Says whether it does.
    pub fn join(&mut self, later: &Self) -> bool {
        if self.call.is_none() || self.call != later.call {
            return false;
        }
        match (&mut self.kind, &later.kind) {
            (kind @ Kind::Call { outcome: None, .. }, wrote @ Kind::Wrote(_)) => *kind = wrote.clone(),
            (Kind::Call { outcome: outcome @ None, .. }, Kind::Result(result)) => {
                let took = later.time.as_ms().saturating_sub(self.time.as_ms());
                *outcome = Some(Outcome { took_ms: Some(took.max(0)), ..result.clone() });
            }
            // The list says what came of the call.
            (Kind::Wrote(_), Kind::Result(result)) if !result.failed => {}
            _ => return false,
        }
        self.more.extend(later.seqs());
        true
    }

    /// All its events.
    pub fn seqs(&self) -> impl Iterator<Item = Seq> + '_ {
        std::iter::once(self.seq).chain(self.more.iter().copied())
    }
}

impl Outcome {
    fn of(result: &ToolResult, took_ms: Option<i64>) -> Self {
        let exit = result.facts.as_ref().and_then(|facts| facts.get("exitCode")).and_then(serde_json::Value::as_i64);
        Self { failed: result.is_error, exit, took_ms, text: first_line(&texts(&result.content)) }
    }
}

/// Events that need no fields of their own in an entry.
fn other(event: &Recorded) -> Option<Kind> {
    let said = |word, text: &str| Some(Kind::Other(word, cut(text)));
    if let Some(header) = read::<SessionCreated>(event) {
        let how = match header.parent {
            Some(parent) => format!("forked from {} at event {}", parent.session, parent.seq),
            None => format!("{}, over {}", header.agent.name, header.source.kind),
        };
        return said("session", &how);
    }
    if let Some(title) = read::<SessionTitle>(event) {
        return said("title", &title.title);
    }
    if let Some(note) = read::<NoteModel>(event) {
        return said("note", &note.text);
    }
    if let Some(proposed) = read::<PlanProposed>(event) {
        return said("plan", &format!("proposed: {}", proposed.text));
    }
    if let Some(decided) = read::<PlanDecided>(event) {
        let decision = serde_json::to_value(decided.decision).ok();
        let decision = decision.as_ref().and_then(serde_json::Value::as_str).unwrap_or("decided");
        return said("plan", &format!("{decision} by {} {}", decided.by, decided.feedback.unwrap_or_default()));
    }
    if let Some(asked) = read::<PermissionAsked>(event) {
        return said("asks", &asked.question);
    }
    if let Some(raised) = read::<AlertRaised>(event) {
        return said("alert", &raised.text);
    }
    if read::<AlertCleared>(event).is_some() {
        return said("alert", "cleared");
    }
    if let Some(started) = read::<SubagentStarted>(event) {
        let kind = started.agent_type.map(|kind| format!(" ({kind})")).unwrap_or_default();
        return said("agent", &format!("{}{kind} started", started.agent_id));
    }
    if let Some(ended) = read::<SubagentEnded>(event) {
        return said("agent", &format!("{} {}", ended.agent_id, if ended.is_error { "failed" } else { "ended" }));
    }
    if read::<CompactionStart>(event).is_some() {
        return said("compact", "the model's past is being summed up");
    }
    if let Some(end) = read::<CompactionEnd>(event) {
        return said("compact", end.error.as_deref().or(end.summary.as_deref()).unwrap_or("done"));
    }
    // Steps and keys of turns say nothing to a person.
    if matches!(&*event.ty, "step/start" | "step/end" | "turn/bound" | "request/header" | "tool/progress") {
        return None;
    }
    Some(Kind::Unknown(cut(&event.ty), first_line(event.data.get())))
}

/// The text of an answer; an answer that only calls tools has none.
fn spoken(message: &AssistantMessage) -> Option<String> {
    let text = |block: &Block| match block {
        Block::Text { text } if !text.trim().is_empty() => Some(text.trim().to_owned()),
        _ => None,
    };
    let texts: Vec<_> = message.content.iter().filter_map(text).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

fn texts(content: &[ContentBlock]) -> String {
    let texts: Vec<_> = content.iter().map(|ContentBlock::Text { text }| text.trim()).collect();
    texts.join("\n")
}

fn first_line(text: &str) -> String {
    cut(text.trim_start().lines().next().unwrap_or_default())
}

/// As much of a text as an entry keeps.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

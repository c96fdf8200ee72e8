//! Transcripts: what a store is asked, and what it answers, as text.
//!
//! A line at the margin is a command, and the indented lines below it are the answer. A case is a transcript; it passes
//! when asking a fresh store the same commands gives the same text.
//!
//! ```text
//! append a absent h x        append events `h` and `x` to the session `a`, which must not exist
//!   appended 0-1 @2
//! read a
//!   0:h 1:x, head 1
//! ```
//!
//! Streams and events have short names; names beginning with `tasks/` are task lists. An event's name says what it is:
//! `h` (and `h1`, …) is a header, `h<a@3` one that forks session `a` at 3, `t…` a `turn/start`, `m…` a mark, and any
//! other a note. After it may stand a variation: `x=other` has the id of `x` and other data, `x!old` is in version 1,
//! and `!unknown`, `!skippable`, `!newer`, `!wrong` are what they say.

use std::{borrow::Cow, collections::HashMap, fmt::Write, sync::Arc};

use runsheet_core::log::{
    Agent, Event, EventId, IdKind, Ownership, Parent, Recorded, Scope, Seq, SessionCreated, Source, StreamId, Time,
    TurnStart, Vocabulary,
};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::vocabulary::{Header, Mark, Note};
use crate::{
    AppendOutcome, CacheRow, CallAlias, Cursor, Decision, Expected, Order, Page, Select, Store, StoreError, StreamKind,
    Tail,
};

/// A store that is asked in short words.
pub struct Script {
    store: Arc<dyn Store>,
    vocabulary: Arc<Vocabulary>,
    names: HashMap<EventId, String>,
    streams: HashMap<StreamId, String>,
    clock: i64,
}

/// The id of the event of a name.
#[must_use]
pub fn id(name: &str) -> EventId {
    EventId::observed(Uuid::nil(), IdKind::Write, name)
}

/// The stream of a name.
///
/// # Panics
/// When the name of a task list is none.
#[must_use]
pub fn stream(name: &str) -> StreamId {
    match name.strip_prefix("tasks/") {
        Some(list) => StreamId::Tasks(list.into()),
        None => StreamId::observed("testkit", "testkit", name),
    }
}

fn raw(value: &serde_json::Value) -> Arc<RawValue> {
    serde_json::value::to_raw_value(value).expect("a value serializes").into()
}

impl Script {
    /// Over an empty store that checks against [`vocabulary`](super::vocabulary()).
    #[must_use]
    pub fn new(store: Arc<dyn Store>, vocabulary: Arc<Vocabulary>) -> Self {
        Self { store, vocabulary, names: HashMap::new(), streams: HashMap::new(), clock: 0 }
    }

    /// Asks every command of a transcript and gives the transcript as it came out.
    pub async fn replay(&mut self, transcript: &str) -> String {
        let mut out = String::new();
        for line in transcript.lines().map(str::trim_end) {
            if line.is_empty() || line.starts_with(' ') {
                continue;
            }
            let answer = self.ask(line).await;
            let _ = write!(out, "{line}\n  {answer}\n");
        }
        out
    }

    /// Asks one command.
    ///
    /// # Panics
    /// When it is none.
    pub async fn ask(&mut self, command: &str) -> String {
        let words: Vec<&str> = command.split_whitespace().collect();
        let answer = match words.as_slice() {
            ["append", to, expected, events @ ..] => self.append(to, expected, events).await,
            ["transact", to, after, rest @ ..] => self.transact(to, after, rest).await,
            ["read", from, options @ ..] => self.read(from, options).await,
            ["head", of] => self.head(of).await,
            ["feed", after, limit] => self.feed(after, limit).await,
            ["streams", kind] => self.list(kind).await,
            ["cache", of, key, at, event, state] => self.cache(of, key, at, event, state).await,
            ["cached", of, key] => self.cached(of, key).await,
            ["alias", principal, call, session, scope, hour] => {
                self.put_alias(principal, call, session, scope, hour).await
            }
            ["aliased", principal, call] => self.aliased(principal, call).await,
            ["check"] => self.store.check_medium().await.map(|faults| format!("{faults:?}")),
            _ => panic!("no command: {command}"),
        };
        answer.unwrap_or_else(|error| self.error(&error))
    }

    fn stream(&mut self, name: &str) -> StreamId {
        let stream = stream(name);
        self.streams.insert(stream.clone(), name.into());
        stream
    }

    fn name(&self, id: EventId) -> String {
        self.names.get(&id).cloned().unwrap_or_else(|| id.to_string())
    }

    fn event(&mut self, spec: &str) -> Event {
        let name = spec.split(['=', '!', '<']).next().unwrap_or(spec);
        let id = id(name);
        self.names.insert(id, name.into());
        self.clock += 1;
        let time = Time::from_ms(self.clock);
        let note = |text: &str| Note { text: text.into(), volume: 3 };
        let vocabulary = &self.vocabulary;
        let mut event = match name.as_bytes().first() {
            Some(b'h') => return self.header(spec, id, time),
            Some(b'm') => vocabulary.event(id, time, &Mark {}),
            Some(b't') => vocabulary.event(id, time, &TurnStart { turn: 1, key: Some(name.into()), implicit: false }),
            _ => vocabulary.event(id, time, &note(name)),
        };
        if let Some((_, text)) = spec.split_once('=') {
            event.data = raw(&serde_json::json!({"text": text, "volume": 3}));
        }
        match spec.split_once('!').map(|(_, variation)| variation) {
            None => {}
            Some("old") => (event.v, event.data) = (1, raw(&serde_json::json!({"says": name}))),
            Some("unknown") => event.ty = Cow::Borrowed("other/thing"),
            Some("skippable") => (event.ty, event.ignorable) = (Cow::Borrowed("other/thing"), true),
            Some("newer") => event.v = 9,
            Some("wrong") => event.data = raw(&serde_json::json!({"text": "wrong", "volume": 3})),
            Some("deep") => event.data = raw(&deep(80)),
            Some("big") => event.data = raw(&serde_json::json!({"text": "x".repeat(2 << 20), "volume": 3})),
            Some("reformatted") => {
                let spaced = format!("{{ \"volume\": 3, \"text\": \"{name}\" }}");
                event.data = RawValue::from_string(spaced).expect("it is JSON").into();
            }
            Some(other) => panic!("no variation: {other}"),
        }
        event
    }

    fn header(&self, spec: &str, id: EventId, time: Time) -> Event {
        if spec.ends_with("!list") {
            return self.vocabulary.event(id, time, &Header {});
        }
        let parent = spec.split_once('<').map(|(_, parent)| {
            let (session, seq) = parent.split_once('@').expect("<session@seq");
            let session = stream(session).session().expect("only sessions are forked");
            Parent { session, seq: seq.parse().expect("a seq") }
        });
        let header = SessionCreated {
            format: 1,
            cwd: None,
            agent: Agent { name: "testkit".into(), version: None, dialect: None },
            parent,
            source: Source { kind: "import".into(), native: None },
            lifecycle: Ownership::Observed,
        };
        self.vocabulary.event(id, time, &header)
    }

    fn events(&mut self, specs: &[&str]) -> Vec<Event> {
        specs.iter().map(|spec| self.event(spec)).collect()
    }

    async fn append(&mut self, to: &str, expected: &str, events: &[&str]) -> Result<String, StoreError> {
        let (to, batch) = (self.stream(to), self.events(events));
        let expected = match expected {
            "absent" => Expected::Absent,
            seq => Expected::Seq(seq.parse().expect("absent or a seq")),
        };
        Ok(match self.store.append(to, expected, batch).await? {
            AppendOutcome::Appended(made) => format!("appended {}-{} @{}", made.first, made.last, made.cursor.position),
            AppendOutcome::Duplicate { first } => format!("duplicate of {first}"),
            AppendOutcome::Conflict { head: Some(head) } => format!("conflict, head {head}"),
            AppendOutcome::Conflict { head: None } => "conflict, no stream".into(),
        })
    }

    async fn transact(&mut self, to: &str, after: &str, rest: &[&str]) -> Result<String, StoreError> {
        let to = self.stream(to);
        let unless = rest.iter().find_map(|word| word.strip_prefix("unless:")).map(id);
        let events: Vec<&str> = rest.iter().copied().filter(|word| !word.starts_with("unless:")).collect();
        let batch = self.events(&events);
        let after = (after != "-").then(|| after.parse().expect("- or a seq"));
        let decide = move |tail: &dyn Tail| {
            let batch = if unless.is_some_and(|id| tail.has(id)) { Vec::new() } else { batch.clone() };
            Decision { batch, cache: Vec::new() }
        };
        let made = self.store.transact(to, after, Box::new(decide)).await?;
        let at = made.cursor.map_or_else(|| "nothing".into(), |cursor| format!("@{}", cursor.position));
        Ok(format!("before [{}], appended [{}], {at}", self.list_of(&made.before), self.list_of(&made.appended)))
    }

    fn list_of(&self, events: &[Recorded]) -> String {
        let one = |event: &Recorded| format!("{}:{}", event.seq, self.name(event.id));
        events.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    async fn read(&mut self, from: &str, options: &[&str]) -> Result<String, StoreError> {
        let from = self.stream(from);
        let mut select = Select::from(0);
        let mut raw = false;
        for option in options {
            match option.split_once('=') {
                Some(("from", seq)) => select.from = seq.parse().expect("a seq"),
                Some(("to", seq)) => select.to = seq.parse().expect("a seq"),
                Some(("limit", limit)) => select.limit = limit.parse().expect("a number"),
                Some(("types", types)) => select.types = Some(types.split(',').map(known_type).collect()),
                None if *option == "backward" => select.order = Order::Backward,
                None if *option == "raw" => raw = true,
                _ => panic!("no option: {option}"),
            }
        }
        let Page { events, head, more } = self.store.read(from, select).await?;
        let mut text = if raw {
            let one = |e: &Recorded| format!("{} v{} by {} at {} {}", e.ty, e.v, e.by, e.time.as_ms(), e.data);
            events.iter().map(one).collect::<Vec<_>>().join(" | ")
        } else {
            self.list_of(&events)
        };
        let _ = match head {
            Some(head) => write!(text, ", head {head}"),
            None => write!(text, ", no stream"),
        };
        Ok(if more { text + ", more" } else { text })
    }

    async fn head(&mut self, of: &str) -> Result<String, StoreError> {
        let of = self.stream(of);
        let Some(head) = self.store.head(of).await? else { return Ok("no stream".into()) };
        let types: Vec<_> = head
            .types
            .iter()
            .map(|ty| format!("{} v{}{}", ty.ty, ty.v, if ty.ignorable { " ignorable" } else { "" }))
            .collect();
        Ok(format!("{}:{} at {}, {}", head.seq, self.name(head.id), head.time.as_ms(), types.join(", ")))
    }

    async fn feed(&mut self, after: &str, limit: &str) -> Result<String, StoreError> {
        let epoch = if after == "foreign" { Uuid::nil() } else { self.store.end().await?.epoch };
        let position = after.parse().unwrap_or(0);
        let page = self.store.feed(Cursor { epoch, position }, limit.parse().expect("a number")).await?;
        let entries: Vec<_> = page
            .entries
            .iter()
            .map(|entry| {
                let stream = self.streams.get(&entry.stream).cloned().unwrap_or_else(|| entry.stream.to_string());
                format!("@{} {stream}/{}:{}", entry.position, entry.event.seq, self.name(entry.event.id))
            })
            .collect();
        let more = if page.more { ", more" } else { "" };
        Ok(format!("{}; next @{}{more}", entries.join(", "), page.next.position))
    }

    async fn list(&mut self, kind: &str) -> Result<String, StoreError> {
        let kind = if kind == "tasks" { StreamKind::Tasks } else { StreamKind::Sessions };
        let found = self.store.streams(kind, 100).await?.streams;
        let one = |info: &crate::StreamInfo| {
            let name = self.streams.get(&info.stream).cloned().unwrap_or_default();
            format!("{name} head {} from {} to {}", info.head, info.created.as_ms(), info.updated.as_ms())
        };
        Ok(found.iter().map(one).collect::<Vec<_>>().join(", "))
    }

    async fn cache(&mut self, of: &str, key: &str, at: &str, event: &str, state: &str) -> Result<String, StoreError> {
        let (key, version) = projection(key);
        let seq: Seq = at.parse().expect("a seq");
        let row = CacheRow { key, version, seq, event_id: id(event), state: state.into() };
        let of = self.stream(of);
        self.store.cache(of, vec![row]).await?;
        Ok("kept".into())
    }

    async fn cached(&mut self, of: &str, key: &str) -> Result<String, StoreError> {
        let of = self.stream(of);
        let rows = self.store.cached(of, vec![projection(key)]).await?;
        let one = |row: &CacheRow| format!("{}: {}", row.seq, String::from_utf8_lossy(&row.state));
        Ok(if rows.is_empty() { "nothing".into() } else { rows.iter().map(one).collect::<Vec<_>>().join(", ") })
    }

    async fn put_alias(
        &mut self,
        principal: &str,
        call: &str,
        session: &str,
        scope: &str,
        hour: &str,
    ) -> Result<String, StoreError> {
        let hour: i64 = hour.parse().expect("an hour");
        let scope: Scope = scope.parse().expect("a scope");
        let alias = CallAlias {
            principal: principal.into(),
            call_id: call.into(),
            stream: self.stream(session),
            scope,
            key: Some("key".into()),
            client: "claude".into(),
            native: session.into(),
            cwd: None,
            at: Time::from_ms(hour * 60 * 60 * 1_000),
        };
        self.store.put_alias(alias).await?;
        Ok("kept".into())
    }

    async fn aliased(&mut self, principal: &str, call: &str) -> Result<String, StoreError> {
        let Some(alias) = self.store.alias(principal.into(), call.into()).await? else { return Ok("unknown".into()) };
        let stream = self.streams.get(&alias.stream).cloned().unwrap_or_default();
        Ok(format!("{stream} {} {:?} {} {} {:?}", alias.scope, alias.key, alias.client, alias.native, alias.cwd))
    }

    /// An error with our names instead of uuids.
    fn error(&self, error: &StoreError) -> String {
        let mut text = error.to_string();
        if let Some(source) = std::error::Error::source(error) {
            let _ = write!(text, ": {source}");
        }
        for (id, name) in &self.names {
            text = text.replace(&id.to_string(), name);
        }
        for (stream, name) in &self.streams {
            text = text.replace(&stream.to_string(), name);
        }
        format!("error: {text}")
    }
}

fn known_type(name: &str) -> &'static str {
    match name {
        "note" => "test/note",
        "mark" => "test/mark",
        "turn" => "turn/start",
        "todo" => "todo/write",
        "unseen" => "session/title",
        _ => panic!("no type: {name}"),
    }
}

fn projection(key: &str) -> (&'static str, u32) {
    match key {
        "todos" => ("todos", 1),
        "todos.2" => ("todos", 2),
        "turns" => ("turns", 1),
        _ => panic!("no projection: {key}"),
    }
}

fn deep(levels: usize) -> serde_json::Value {
    (0..levels).fold(serde_json::Value::Null, |inner, _| serde_json::Value::Array(vec![inner]))
}

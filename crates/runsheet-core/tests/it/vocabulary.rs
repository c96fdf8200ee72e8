//! The vocabulary: a sample of every type, what a reader does with types it does not know, upcasting, and the shape.

use std::sync::Arc;

use insta::assert_snapshot;
use runsheet_core::{
    log::{
        Bounds, Event, EventData, Recorded, ShapeFault, TurnStart, TypeSpec, Upcaster, UserMessage, Vocabulary, read,
    },
    vocabulary,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json, value::RawValue};

use crate::logs::{event, header, id, log};

/// A sample of every type, with every optional field at least once.
fn samples() -> Vec<(&'static str, Value)> {
    let uuid = "0197f3a0-0000-7000-8000-000000000001";
    let item = json!({"content": "a", "status": "in_progress", "id": "1", "activeForm": "doing a", "priority": "high", "rawStatus": "doing"});
    let task = json!({"id": 1, "subject": "s", "description": "d", "activeForm": "f", "status": "in_progress", "owner": "o", "blocks": [2], "blockedBy": [3], "metadata": {"k": [1]}, "lease": {"until": "2026-11-30T20:15:00.000Z"}, "attempts": 1});
    vec![
        (
            "session/created",
            json!({"format": 1, "cwd": "/w", "agent": {"name": "codex", "version": "1", "dialect": "dsh"}, "parent": {"session": uuid, "seq": 4}, "source": {"kind": "mcp", "native": "n"}, "lifecycle": "owned"}),
        ),
        ("session/title", json!({"title": "t"})),
        ("session/end-seed", json!({})),
        ("turn/start", json!({"turn": 1, "key": "k", "implicit": true})),
        ("turn/bound", json!({"turn": 1, "key": "k"})),
        ("turn/end", json!({"turn": 1, "reason": "max-tokens"})),
        ("step/start", json!({"turn": 1, "step": 1})),
        ("step/end", json!({"turn": 1, "step": 1})),
        ("user/message", json!({"content": [{"type": "text", "text": "hi"}]})),
        (
            "assistant/message",
            json!({"content": [{"type": "text", "text": "t"}, {"type": "reasoning", "text": "r", "sealed": "s"}, {"type": "tool-call", "callId": "c", "name": "n", "arguments": "{}"}], "model": "m", "usage": {"inputTokens": 1, "cachedTokens": 2, "outputTokens": 3}, "interrupted": true}),
        ),
        ("note/model", json!({"discipline": "edit", "text": "t", "toldRevision": 3})),
        ("request/header", json!({"model": "m", "system": "s", "tools": [{"name": "n"}]})),
        ("tool/call", json!({"callId": "c", "name": "n", "arguments": "{}", "scope": "agent:a", "late": true})),
        ("tool/progress", json!({"callId": "c", "text": "half"})),
        (
            "tool/result",
            json!({"callId": "c", "content": [{"type": "text", "text": "ok"}], "isError": true, "facts": {"exitCode": 3}, "scope": "agent:a", "late": true, "unpaired": true}),
        ),
        ("compaction/start", json!({"trigger": "pressure"})),
        ("compaction/end", json!({"summary": "s", "replaced": {"first": 1, "last": 2}, "carried": "c"})),
        ("history/rolledBack", json!({"toSeq": 3})),
        (
            "todo/write",
            json!({"scope": "main", "todos": [item], "author": "model", "callId": "c", "dialect": "dsh", "lifetime": "turn", "policy": {"allowParallelInProgress": true}, "explanation": "e", "late": true}),
        ),
        ("evidence/waived", json!({"scope": "main", "item": "a", "reason": "seen"})),
        ("mode/set", json!({"mode": "plan"})),
        ("plan/proposed", json!({"text": "p"})),
        ("plan/decided", json!({"decision": "keep-planning", "by": "me", "feedback": "more"})),
        ("permission/asked", json!({"requestId": "r", "callId": "c", "question": "q"})),
        ("permission/decided", json!({"requestId": "r", "allowed": true, "by": "me"})),
        ("subagent/started", json!({"agentId": "a", "agentType": "t", "session": uuid, "callId": "c"})),
        ("subagent/ended", json!({"agentId": "a", "isError": true})),
        ("alert/raised", json!({"alert": "1", "kind": "loop", "text": "t"})),
        ("alert/cleared", json!({"alert": "1"})),
        ("tasks/created", json!({"format": 1, "name": "release"})),
        ("task/write", json!({"task": task, "change": "claimed", "by": "a", "observed": true})),
    ]
}

fn raw(text: &str) -> Arc<RawValue> {
    RawValue::from_string(text.into()).unwrap().into()
}

fn sample(vocabulary: &Vocabulary, name: &str, data: &Value) -> Event {
    let spec = vocabulary.get(name).unwrap();
    // White space that no serializer would write: stored bytes are kept as they came.
    let data = raw(&data.to_string().replacen('{', "{ ", 1));
    Event {
        ty: spec.name.into(),
        v: spec.v,
        ignorable: spec.ignorable,
        data,
        ..event(1, &TurnStart { turn: 1, key: None, implicit: false })
    }
}

#[test]
fn every_type_has_a_sample_and_round_trips() {
    let samples = samples();
    let mut missing: Vec<_> =
        vocabulary().iter().map(|spec| spec.name).filter(|name| samples.iter().all(|(of, _)| of != name)).collect();
    missing.sort_unstable();
    assert!(missing.is_empty(), "add a sample of {missing:?}");
    for (name, data) in &samples {
        let headers = ["session/created", "tasks/created"];
        let seq = u64::from(!headers.contains(name));
        let event = sample(vocabulary(), name, data);
        vocabulary().check(seq, &event, &Bounds::default()).unwrap();
        let recorded = event.at(seq);
        let line = serde_json::to_string(&recorded).unwrap();
        let back: Recorded = serde_json::from_str(&line).unwrap();
        assert_eq!(back.data.get(), recorded.data.get(), "{name}: the data is kept byte for byte");
        assert_eq!(serde_json::to_string(&back).unwrap(), line);
        assert!(back.into_event().same(&recorded));
        // Nothing of the sample is dropped by its type: what it decodes to is what was there.
        assert_eq!(decoded(&recorded), *data, "{name}");
    }
}

/// What the data of an event decodes to, whichever type it is, written again.
fn decoded(event: &Recorded) -> Value {
    use runsheet_core::{log::*, plan::*, progress::*, task::*, todo::*};
    macro_rules! try_each {
        ($($data:ty),*) => { $(if let Some(data) = read::<$data>(event) { return serde_json::to_value(data).unwrap(); })* };
    }
    try_each!(
        SessionCreated,
        SessionTitle,
        EndSeed,
        TurnStart,
        TurnBound,
        TurnEnd,
        StepStart,
        StepEnd,
        UserMessage,
        AssistantMessage,
        NoteModel,
        RequestHeader,
        ToolCall,
        ToolProgress,
        ToolResult,
        CompactionStart,
        CompactionEnd,
        RolledBack,
        TodoWrite,
        EvidenceWaived,
        ModeSet,
        PlanProposed,
        PlanDecided,
        PermissionAsked,
        PermissionDecided,
        SubagentStarted,
        SubagentEnded,
        AlertRaised,
        AlertCleared,
        TasksCreated,
        TaskWrite
    );
    panic!("`{}` decodes to nothing", event.ty)
}

fn check(seq: u64, event: &Event) -> String {
    vocabulary().check(seq, event, &Bounds::default()).map_or_else(|fault| fault.to_string(), |()| "fits".into())
}

fn changed(change: impl FnOnce(&mut Event)) -> Event {
    let mut event = event(1, &TurnStart { turn: 1, key: None, implicit: false });
    change(&mut event);
    event
}

#[test]
fn types_and_versions_this_reader_does_not_know() {
    assert_snapshot!(check(1, &changed(|event| event.ty = "later/type".into())), @"event type `later/type` (written by runsheet/0.1.0) is not known to this version");
    assert_snapshot!(check(1, &changed(|event| { event.ty = "later/type".into(); event.ignorable = true; })), @"fits");
    assert_snapshot!(check(1, &changed(|event| event.v = 2)), @"event type `turn/start` is in version 2 (written by runsheet/0.1.0), this version knows 1");
    assert_snapshot!(check(1, &changed(|event| { event.v = 2; event.ignorable = true; })), @"fits");
    assert_snapshot!(check(1, &changed(|event| event.v = 0)), @"the data of `turn/start` is wrong: version 0 does not exist");
    assert_snapshot!(check(1, &changed(|event| event.ignorable = true)), @"`turn/start` says ignorable: true, the type says false");
    let progress = runsheet_core::log::ToolProgress { call_id: "a".into(), text: "t".into() };
    let mut not_ignorable = event(1, &progress);
    not_ignorable.ignorable = false;
    assert_snapshot!(check(1, &not_ignorable), @"`tool/progress` says ignorable: false, the type says true");
}

#[test]
fn decoding_never_stops_a_fold() {
    let later = changed(|event| event.v = 7).at(1);
    assert_eq!(read::<TurnStart>(&later), None);
    assert_snapshot!(Vocabulary::decode::<TurnStart>(&later).unwrap_err(), @"event 1 (`turn/start` version 7) does not decode: this version knows 1");
    assert_eq!(read::<UserMessage>(&later), None, "another type");
    let broken = changed(|event| event.data = raw("[1]")).at(1);
    assert_eq!(read::<TurnStart>(&broken), None);
}

#[test]
fn data_that_is_wrong() {
    let data = |text: &str| check(1, &changed(|event| event.data = raw(text)));
    assert_snapshot!(data("{}"), @"the data of `turn/start` is wrong: missing field `turn` at line 1 column 2");
    assert_snapshot!(data(r#"{"turn":1,"colour":"red"}"#), @"the data of `turn/start` is wrong: unknown field `colour`, expected one of `turn`, `key`, `implicit` at line 1 column 18");
    assert_snapshot!(data(r#"{"turn":0}"#), @"the data of `turn/start` is wrong: `turn` counts from 1");
    assert_snapshot!(data(r#"{"turn":9007199254740991}"#), @"fits");
    assert_snapshot!(data(r#"{"turn":9007199254740992}"#), @"the data of `turn/start` is wrong: `turn` is more than 9007199254740991");
    assert_snapshot!(data("null"), @"the data of `turn/start` is wrong: invalid type: null, expected struct TurnStart at line 1 column 4");
    let wrong = |name: &str, from: &str, to: &str| {
        let (name, data) = samples().into_iter().find(|(of, _)| *of == name).unwrap();
        let text = data.to_string();
        assert!(text.contains(from), "{text}");
        let mut event = sample(vocabulary(), name, &data);
        event.data = raw(&text.replace(from, to));
        let fault = check(u64::from(!name.ends_with("/created")), &event);
        // The order of keys in a `Value`, and so the column, depends on a feature of serde_json that any crate may set.
        fault.split(" at line").next().unwrap_or_default().to_owned()
    };
    assert_snapshot!(wrong("session/created", "\"format\":1", "\"format\":2"), @"the data of `session/created` is wrong: format 2 is not one of 1 to 1");
    assert_snapshot!(wrong("session/created", "\"seq\":4", "\"seq\":18446744073709551615"), @"the data of `session/created` is wrong: `parent.seq` is more than 9007199254740991");
    assert_snapshot!(wrong("tasks/created", "\"format\":1", "\"format\":0"), @"the data of `tasks/created` is wrong: format 0 is not one of 1 to 1");
    assert_snapshot!(wrong("task/write", "\"subject\":\"s\"", "\"subject\":\" \""), @"the data of `task/write` is wrong: `task.subject` is blank");
    assert_snapshot!(wrong("tool/call", "\"callId\":\"c\"", "\"callId\":\"\""), @"the data of `tool/call` is wrong: `callId` is empty");
    assert_snapshot!(wrong("tool/call", "agent:a", "agent:"), @"the data of `tool/call` is wrong: `agent:` is no scope: expected `main` or `agent:<id>`");
    assert_snapshot!(wrong("compaction/end", "\"first\":1", "\"first\":3"), @"the data of `compaction/end` is wrong: `replaced` ends before it begins");
    assert_snapshot!(wrong("compaction/end", "\"summary\":\"s\"", "\"error\":\"e\""), @"the data of `compaction/end` is wrong: a failed compaction replaces nothing");
    assert_snapshot!(wrong("step/start", "\"step\":1", "\"step\":0"), @"the data of `step/start` is wrong: `step` counts from 1");
}

#[test]
fn headers_stand_first_and_nowhere_else() {
    let header = event(0, &header(runsheet_core::log::Ownership::Owned));
    assert_snapshot!(check(0, &header), @"fits");
    assert_snapshot!(check(1, &header), @"`session/created` at 1: a stream begins with its header and has no other");
    assert_snapshot!(check(0, &changed(|_| {})), @"`turn/start` at 0: a stream begins with its header and has no other");
    assert_snapshot!(check(0, &changed(|event| { event.ty = "later/header".into(); event.ignorable = true; })), @"`later/header` at 0: a stream begins with its header and has no other");
}

#[test]
fn bounds() {
    let bounds = Bounds { max_data_bytes: 60, max_depth: 3, ..Bounds::default() };
    let title = |title: &str| event(1, &runsheet_core::log::SessionTitle { title: title.into() });
    let check = |event: &Event| {
        vocabulary().check(1, event, &bounds).map_or_else(|fault: ShapeFault| fault.to_string(), |()| "fits".into())
    };
    assert_snapshot!(check(&title(&"x".repeat(48))), @"fits");
    assert_snapshot!(check(&title(&"x".repeat(49))), @"the data of `session/title` is too big: bytes 61, at most 60");
    // Brackets and escapes inside text do not count.
    assert_snapshot!(check(&title(r#"[[[[[[ \" {{{{"#)), @"fits");
    let nested = |data: &str| {
        changed(|event| {
            event.ty = "later/type".into();
            event.ignorable = true;
            event.data = raw(data);
        })
    };
    assert_snapshot!(check(&nested(r#"{"a":[{}]}"#)), @"fits");
    assert_snapshot!(check(&nested(r#"{"a":[{"b":[]}]}"#)), @"the data of `later/type` is too big: levels 4, at most 3");
    assert_snapshot!(format!("{:?}", Bounds::default()), @"Bounds { max_data_bytes: 1048576, max_depth: 64, max_batch_events: 10000 }");
}

/// The third version of a type whose first had one name and whose second had a first and a last one.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Person {
    names: Vec<String>,
}

#[expect(clippy::needless_pass_by_value, reason = "the signature of an upcaster")]
fn split(data: Value) -> Result<Value, String> {
    let name = data["name"].as_str().ok_or("`name` is no text")?;
    let (first, last) = name.split_once(' ').ok_or("`name` has no space")?;
    Ok(json!({"first": first, "last": last}))
}

#[expect(clippy::needless_pass_by_value, reason = "the signature of an upcaster")]
fn join(data: Value) -> Result<Value, String> {
    Ok(json!({"names": [data["first"], data["last"]]}))
}

impl EventData for Person {
    const TYPE: &'static str = "test/person";
    const V: u32 = 3;
    const UPCASTERS: &'static [Upcaster] = &[split, join];

    fn check(&self) -> Result<(), String> {
        if self.names.is_empty() { Err("`names` is empty".into()) } else { Ok(()) }
    }
}

#[test]
fn older_versions_are_read_as_the_current_one() {
    let vocabulary = Vocabulary::new("test/2", &[runsheet_core::log::TYPES, &[TypeSpec::of::<Person>()]]);
    let old = |v: u32, data: &str| {
        let mut event =
            vocabulary.event(id(1), runsheet_core::log::Time::default(), &Person { names: vec!["x".into()] });
        (event.v, event.data) = (v, raw(data));
        event
    };
    let ada = Person { names: vec!["Ada".into(), "Lovelace".into()] };
    for (v, data) in [
        (1, r#"{"name":  "Ada Lovelace"}"#),
        (2, r#"{"first":"Ada","last":"Lovelace"}"#),
        (3, r#"{"names":["Ada","Lovelace"]}"#),
    ] {
        let event = old(v, data);
        vocabulary.check(1, &event, &Bounds::default()).unwrap();
        let recorded = event.at(1);
        assert_eq!(read::<Person>(&recorded).as_ref(), Some(&ada));
        assert_eq!((recorded.v, recorded.data.get()), (v, data), "stored bytes are never rewritten");
        let line = serde_json::to_string(&recorded).unwrap();
        assert!(line.contains(data), "nor are exported ones");
    }
    let check = |v, data| vocabulary.check(1, &old(v, data), &Bounds::default()).unwrap_err();
    assert_snapshot!(check(1, r#"{"name":"Ada"}"#), @"the data of `test/person` is wrong: `name` has no space");
    assert_snapshot!(check(3, r#"{"names":[]}"#), @"the data of `test/person` is wrong: `names` is empty");
    assert_snapshot!(check(3, r#"{"name":"Ada Lovelace"}"#), @"the data of `test/person` is wrong: unknown field `name`, expected `names` at line 1 column 7");
    assert_snapshot!(check(4, r#"{}"#), @"event type `test/person` is in version 4 (written by test/2), this version knows 3");
    assert_snapshot!(check(0, r#"{}"#), @"the data of `test/person` is wrong: version 0 does not exist");
}

#[test]
fn names_are_shared() {
    let events = log("owned\nturn 1");
    assert!(matches!(vocabulary().intern(&events[1].ty), std::borrow::Cow::Borrowed("turn/start")));
    assert!(matches!(vocabulary().intern("later/type"), std::borrow::Cow::Owned(_)));
}

//! Reports of other programs as batches of events, with what real clients were seen to send.

use std::collections::HashSet;

use insta::assert_snapshot;
use runsheet_core::{
    log::{EndReason, Event, EventId, Recorded, Scope, Time, Turns, UserMessage, read},
    observe::{self, Place, ServedCall, Stamp},
    todo::{Author, ListLifetime, Policy, TodoWrite},
    vocabulary,
};
use uuid::Uuid;

use crate::logs::{items_of, log, session, stream, text_of};

/// Reports, one each: `prompt KEY`, `stop KEY`, `call ID KEY [SCOPE]`, `refused ID KEY`, `ended`, `left`; `-` is no key.
fn reports(text: &str) -> Vec<Recorded> {
    let mut events = log("observed");
    let (mut turns, mut ids) = (Turns::default(), HashSet::from([events[0].id]));
    turns.apply(&events[0]);
    for (at, line) in text.split(" / ").enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let word = |at: usize| words.get(at).copied().filter(|word| *word != "-");
        let scope = words.iter().find_map(|word| word.parse::<Scope>().ok()).unwrap_or_default();
        let stamp = Stamp {
            time: Time::default(),
            ids: std::array::from_fn(|n| EventId::new(Uuid::from_u128((at * 10 + n) as u128))),
        };
        let stream = stream();
        let place = |key| Place { stream: &stream, session: session(), scope: &scope, key };
        let has = |id| ids.contains(&id);
        let batch: Vec<Event> = match words[0] {
            "prompt" => {
                observe::prompt(vocabulary(), &turns, &place(word(1)), words.get(2).unwrap_or(&"go"), &stamp, has)
            }
            "stop" => observe::stopped(vocabulary(), &turns, &place(word(1)), &stamp, has),
            "ended" => observe::ended(vocabulary(), &turns, session(), (EndReason::Disconnected, false), &stamp),
            "left" => observe::ended(vocabulary(), &turns, session(), (EndReason::Disconnected, true), &stamp),
            verb => {
                let call = ServedCall {
                    call_id: words[1],
                    tool: "todo_write",
                    arguments: "{}",
                    answer: &[],
                    refused: (verb == "refused").then_some("blank_content"),
                };
                let write = (verb == "call").then(|| TodoWrite {
                    scope: scope.clone(),
                    todos: items_of(words[1]),
                    author: Author::Model,
                    call_id: Some(words[1].into()),
                    dialect: "dsh".into(),
                    lifetime: ListLifetime::Turn,
                    policy: Policy { allow_parallel_in_progress: true },
                    explanation: None,
                    late: false,
                });
                observe::served_call(vocabulary(), &turns, &place(word(2)), &call, write, &stamp, has)
            }
        };
        for event in batch {
            let seq = events.len() as u64;
            vocabulary().check(seq, &event, &runsheet_core::log::Bounds::default()).unwrap();
            assert!(ids.insert(event.id), "`{}` of `{line}` has an id that is here already", event.ty);
            let event = event.at(seq);
            turns.apply(&event);
            events.push(event);
        }
    }
    events
}

/// The turns and lists that come of reports, on one line.
fn check(text: &str) -> String {
    let line = |event: &Recorded| {
        let field = |name: &str| {
            let data: serde_json::Value = serde_json::from_str(event.data.get()).unwrap();
            data[name].as_str().map(str::to_owned).or_else(|| data[name].as_u64().map(|n| n.to_string()))
        };
        let data = |names: &[&str]| names.iter().filter_map(|name| field(name)).collect::<Vec<_>>().join(" ");
        let late = if event.data.get().contains("\"late\":true") { " late" } else { "" };
        Some(match &*event.ty {
            "turn/start" => format!("start {}", data(&["turn", "key"])),
            "turn/bound" => format!("bind {}", data(&["turn", "key"])),
            "turn/end" => format!("end {}", data(&["turn", "reason"])),
            "user/message" => format!("prompt {}", crate::surface::show(&runsheet_core::log::derive_messages([event]))),
            "todo/write" => format!("list {}{late}", data(&["scope", "callId"])),
            "tool/result" if event.data.get().contains("isError") => "refused".into(),
            _ => return None,
        })
    };
    let events = reports(text);
    let todos = crate::todos::fold(&events);
    let list = |list: Option<&_>| list.map_or_else(|| "null".into(), text_of);
    format!(
        "{}\nstanding {}, carried {}",
        events.iter().filter_map(line).collect::<Vec<_>>().join(" | "),
        list(todos.standing()),
        list(todos.carried())
    )
}

#[test]
fn one_turn() {
    assert_snapshot!(check("prompt A / call x A / call y A / stop A"), @r"
    start 1 A | prompt 2 user: go | list main x | list main y | end 1 completed
    standing [y], carried null
    ");
    assert_snapshot!(check("prompt A / call x A / stop A / prompt B"), @r"
    start 1 A | prompt 2 user: go | list main x | end 1 completed | start 2 B | prompt 8 user: go
    standing null, carried [x]
    ");
}

#[test]
fn a_client_without_hooks() {
    assert_snapshot!(check("call x - / call y - / left"), @r"
    start 1 | list main x | list main y | end 1 disconnected
    standing [y], carried null
    ");
    assert_snapshot!(check("left / call x - / left / call y -"), @r"
    start 1 | list main x | end 1 disconnected | start 2 | list main y
    standing [y], carried null
    ");
}

#[test]
fn the_prompt_comes_after_its_call() {
    assert_snapshot!(check("call x A / prompt A / stop A"), @r"
    start 1 A | list main x | prompt 5 user: go | end 1 completed
    standing [x], carried null
    ");
    assert_snapshot!(check("call x - / prompt A / stop A"), @r"
    start 1 | list main x | bind 1 A | prompt 6 user: go | end 1 completed
    standing [x], carried null
    ");
}

#[test]
fn the_prompt_was_lost() {
    assert_snapshot!(check("prompt A / call x A / stop A / stop B"), @r"
    start 1 A | prompt 2 user: go | list main x | end 1 completed | start 2 B | end 2 completed
    standing null, carried [x]
    ");
    assert_snapshot!(check("prompt A / call x A / stop B"), @r"
    start 1 A | prompt 2 user: go | list main x | end 1 superseded | start 2 B | end 2 completed
    standing null, carried [x]
    ");
    assert_snapshot!(check("prompt A / call x A / stop B / prompt B"), @r"
    start 1 A | prompt 2 user: go | list main x | end 1 superseded | start 2 B | end 2 completed | prompt 9 user: go
    standing null, carried [x]
    ");
}

#[test]
fn the_stop_was_lost() {
    assert_snapshot!(check("prompt A / call x A / prompt B / call y B"), @r"
    start 1 A | prompt 2 user: go | list main x | end 1 superseded | start 2 B | prompt 8 user: go | list main y
    standing [y], carried null
    ");
    assert_snapshot!(check("prompt - / stop K"), @r"
    start 1 | prompt 2 user: go | end 1 superseded | start 2 K | end 2 completed
    standing null, carried null
    ");
}

#[test]
fn reports_that_come_late() {
    assert_snapshot!(check("prompt A / call x A / prompt B / stop A / call y B"), @r"
    start 1 A | prompt 2 user: go | list main x | end 1 superseded | start 2 B | prompt 8 user: go | list main y
    standing [y], carried null
    ");
    assert_snapshot!(check("prompt A / stop A / call x A"), @r"
    start 1 A | prompt 2 user: go | end 1 completed | list main x late
    standing [x], carried null
    ");
    assert_snapshot!(check("prompt A / stop A / prompt B / call x A"), @r"
    start 1 A | prompt 2 user: go | end 1 completed | start 2 B | prompt 5 user: go | list main x late
    standing [x], carried null
    ");
}

#[test]
fn reports_that_come_twice() {
    assert_snapshot!(check("prompt A / prompt A / call x A / stop A / stop A / prompt A"), @r"
    start 1 A | prompt 2 user: go | list main x | end 1 completed
    standing [x], carried null
    ");
}

/// A person steers while the agent works: another prompt of the same turn.
#[test]
fn a_second_prompt_of_one_turn() {
    assert_snapshot!(check("prompt A go / prompt A faster"), @r"
    start 1 A | prompt 2 user: go | prompt 3 user: faster
    standing null, carried null
    ");
}

/// Claude 2.1.332: the call of a background agent comes after Stop, with the old prompt id (`cl332-bg`).
#[test]
fn a_background_agent_outlives_the_stop() {
    assert_snapshot!(check("prompt A / call x A / stop A / call y A agent:bg / prompt B"), @r"
    start 1 A | prompt 2 user: go | list main x | end 1 completed | list agent:bg y | start 2 B | prompt 11 user: go
    standing null, carried [x]
    ");
    assert_snapshot!(check("prompt A / call x A / stop A / call y A agent:bg"), @r"
    start 1 A | prompt 2 user: go | list main x | end 1 completed | list agent:bg y
    standing [x], carried null
    ");
}

/// Codex: a child raises prompts and stops of its own (`cx-sub`).
#[test]
fn a_sub_agents_prompt_and_stop_are_not_the_sessions() {
    assert_snapshot!(check("prompt A / call x A / prompt K agent:c / call y K agent:c / stop K agent:c / stop A"), @r"
    start 1 A | prompt 2 user: go | list main x | list agent:c y | end 1 completed
    standing [x], carried null
    ");
    assert_snapshot!(check("prompt K agent:c / stop K agent:c"), @"standing null, carried null");
}

/// Claude: SessionEnd carries a prompt id that was never seen; it closes, and opens nothing (`cl332-clear`).
#[test]
fn the_end_of_a_session() {
    assert_snapshot!(check("prompt A / call x A / ended"), @r"
    start 1 A | prompt 2 user: go | list main x | end 1 disconnected
    standing [x], carried null
    ");
    assert_snapshot!(check("ended"), @"standing null, carried null");
    assert_snapshot!(check("prompt A / left"), @r"
    start 1 A | prompt 2 user: go
    standing null, carried null
    ");
    assert_snapshot!(check("call x A / left"), @r"
    start 1 A | list main x | end 1 disconnected
    standing [x], carried null
    ");
}

#[test]
fn a_refused_call_opens_no_turn_and_writes_no_list() {
    assert_snapshot!(check("refused x A / refused y -"), @r"
    refused | refused
    standing null, carried null
    ");
    assert_eq!(reports("refused x A").len(), 3, "header, call, result");
}

#[test]
fn a_stop_without_a_key() {
    assert_snapshot!(check("prompt A / stop -"), @r"
    start 1 A | prompt 2 user: go | end 1 completed
    standing null, carried null
    ");
    assert_snapshot!(check("stop -"), @"standing null, carried null");
}

#[test]
fn a_prompts_text_is_kept() {
    let events = reports("prompt A hello");
    assert_eq!(read::<UserMessage>(&events[2]).unwrap().content, [runsheet_core::log::ContentBlock::text("hello")]);
}

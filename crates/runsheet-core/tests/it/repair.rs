//! Closing what a crash left open, and forking.

use insta::assert_snapshot;
use runsheet_core::{
    log::{Event, ForkError, Recorded, Time, closers, fork},
    vocabulary,
};

use crate::logs::{header, id, lifecycle, log, session, turns};

/// The closers of a log that ends here, as they stand on it.
fn check(text: &str) -> String {
    let mut events = log(&text.replace(" / ", "\n"));
    let closing = close(&events);
    let lines: Vec<String> = closing.iter().map(|event| format!("{} {}", event.ty, event.data)).collect();
    extend(&mut events, closing);
    assert!(lifecycle(&events).is_ok(), "a repaired log is a valid one");
    assert!(close(&events).is_empty(), "repairing twice appends once");
    if lines.is_empty() { "nothing is open".into() } else { lines.join("\n") }
}

pub(crate) fn close(events: &[Recorded]) -> Vec<Event> {
    closers(vocabulary(), session(), &turns(events), events.last().map_or(Time::default(), |event| event.time))
}

pub(crate) fn extend(events: &mut Vec<Recorded>, more: Vec<Event>) {
    let next = events.len() as u64;
    events.extend(more.into_iter().zip(next..).map(|(event, seq)| event.at(seq)));
}

#[test]
fn nothing_open() {
    assert_snapshot!(check("owned"), @"nothing is open");
    assert_snapshot!(check("owned / turn 1 / end 1"), @"nothing is open");
    assert_snapshot!(check("observed / turn 1 / call a"), @"nothing is open");
}

#[test]
fn an_open_turn() {
    assert_snapshot!(check("owned / turn 1 / user go"), @r#"turn/end {"turn":1,"reason":"interrupted"}"#);
}

#[test]
fn an_open_step() {
    assert_snapshot!(check("owned / turn 1 / step 1.1 / asks a / call a / result a"), @r#"
    step/end {"turn":1,"step":1}
    turn/end {"turn":1,"reason":"interrupted"}
    "#);
}

#[test]
fn calls_that_began_and_calls_that_did_not() {
    assert_snapshot!(check("owned / turn 1 / end 1 / turn 2 / step 2.1 / asks a b / call b").replace("\",\"", "\",\n  \""), @r#"
    tool/result {"callId":"a",
      "content":[{"type":"text",
      "text":"Error: the session stopped before this call began. Call again if it is still needed."}],"isError":true,"facts":{"code":"TOOL_NOT_STARTED"}}
    tool/result {"callId":"b",
      "content":[{"type":"text",
      "text":"Error: the session stopped while this call ran; whether it took effect is unknown. Check before calling again, unless the call only reads or can be repeated safely."}],"isError":true,"facts":{"code":"TOOL_OUTCOME_UNKNOWN"}}
    step/end {"turn":2,"step":1}
    turn/end {"turn":2,"reason":"interrupted"}
    "#);
}

#[test]
fn between_the_list_and_the_result() {
    let text = check("owned / turn 1 / step 1.1 / asks a / call a / list : x~");
    assert!(text.contains("TOOL_OUTCOME_UNKNOWN"));
}

#[test]
fn two_calls_of_one_id_are_closed_once() {
    let events = log("owned\nturn 1\nstep 1.1\nasks a a a");
    let ids: Vec<_> = close(&events).iter().map(|event| event.id).collect();
    assert_eq!(ids.len(), 3, "one result, the end of the step, the end of the turn");
    assert_ne!(ids[0], ids[1]);
}

/// The ids follow from what is closed, so that two repairers, or one that died on the way, append the same.
#[test]
fn ids_and_time_follow_from_the_log() {
    let events = log("owned\nturn 1\nstep 1.1\nasks a b\ncall a");
    let (one, two) = (close(&events), close(&events));
    assert!(one.iter().zip(&two).all(|(one, two)| one.same(&two.clone().at(0))));
    assert!(one.iter().all(|event| event.time == events[4].time));
}

fn check_fork(text: &str, at: u64) -> String {
    let events = log(&text.replace(" / ", "\n"));
    let head = events.len() as u64 - 1;
    let upto = usize::try_from(at.min(head)).unwrap();
    let header = header(runsheet_core::log::Ownership::Owned);
    let ids = [id(100), id(101)];
    let forked = fork(vocabulary(), (session(), &header), (at, head), &turns(&events[..=upto]), ids, Time::default());
    forked.map_or_else(
        |error: ForkError| error.to_string(),
        |batch| batch.iter().map(|event| format!("{} {}", event.ty, event.data)).collect::<Vec<_>>().join("\n"),
    )
}

#[test]
fn forks() {
    let text = "owned / user hi / turn 1 / says x / end 1";
    assert_snapshot!(check_fork(text, 4), @r#"
    session/created {"format":1,"cwd":"/home/dev/app","agent":{"name":"codex","version":"0.171.0","dialect":"dsh"},"parent":{"session":"00000000-0000-0000-0000-000000005e55","seq":4},"source":{"kind":"fork"},"lifecycle":"owned"}
    session/end-seed {}
    "#);
    assert_snapshot!(check_fork(text, 0), @r#"
    session/created {"format":1,"cwd":"/home/dev/app","agent":{"name":"codex","version":"0.171.0","dialect":"dsh"},"parent":{"session":"00000000-0000-0000-0000-000000005e55","seq":0},"source":{"kind":"fork"},"lifecycle":"owned"}
    session/end-seed {}
    "#);
    assert_snapshot!(check_fork(text, 3), @"event 3 lies inside turn 1: a fork begins outside a turn");
    assert_snapshot!(check_fork(text, 5), @"event 5 does not exist: the session's last is 4");
}

/// The child goes on with the parent's numbers and its plan.
#[test]
fn a_fork_goes_on() {
    let parent = log("owned\nturn 1\nlist : x~\nend 1");
    let head = header(runsheet_core::log::Ownership::Owned);
    let batch =
        fork(vocabulary(), (session(), &head), (3, 3), &turns(&parent), [id(100), id(101)], Time::default()).unwrap();
    let mut batch = batch.into_iter();
    let mut child = vec![batch.next().unwrap().at(0)];
    child.extend(parent.into_iter().skip(1));
    child.push(batch.next().unwrap().at(4));
    assert!(lifecycle(&child).is_ok());
    assert_eq!(turns(&child).next(), 2);
    let todos = crate::todos::fold(&child);
    assert_eq!(todos.standing().map(crate::logs::text_of).as_deref(), Some("[x~]"));
}

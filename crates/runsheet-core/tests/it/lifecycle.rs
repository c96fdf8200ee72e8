//! What may follow what in an owned session, and that observed ones take anything.

use insta::assert_snapshot;

use crate::logs::{lifecycle, log};

fn check(text: &str) -> String {
    let text = text.replace(" / ", "\n");
    let observed = lifecycle(&log(&format!("observed\n{text}")));
    assert!(observed.is_ok(), "an observed session takes anything: {observed:?}");
    lifecycle(&log(&format!("owned\n{text}"))).map_or_else(|fault| fault.to_string(), |()| "may stand".into())
}

fn table(rows: &[&str]) -> String {
    rows.iter().map(|row| format!("{row}\n    {}", check(row))).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_whole_turn() {
    let turn = "turn 1 / user go / step 1.1 / asks a b / call a / list : x~ / result a / call b / result b / step-end 1.1 / \
                step 1.2 / says done / step-end 1.2 / end 1 / turn 2 / end 2 aborted";
    assert_eq!(check(turn), "may stand");
}

#[test]
fn turns() {
    assert_snapshot!(table(&[
        "turn 2",
        "turn 1 / turn 2",
        "turn 1 / end 2",
        "end 1",
        "turn 1 / end 1 / turn 1",
        "turn 1 / end 1 / end 1",
        "turn 1 / step 1.1 / end 1",
        "turn 1 / bound 1 A",
        "turn 1 A / bound 1 B",
        "turn 1 / bound 2 A",
        "bound 1 A",
    ]), @r"
    turn 2
        `turn/start` at 1 breaks the session's lifecycle: the next turn is 1, not 2
    turn 1 / turn 2
        `turn/start` at 2 breaks the session's lifecycle: turn 1 is still open
    turn 1 / end 2
        `turn/end` at 2 breaks the session's lifecycle: turn 1 is open, not 2
    end 1
        `turn/end` at 1 breaks the session's lifecycle: no turn is open
    turn 1 / end 1 / turn 1
        `turn/start` at 3 breaks the session's lifecycle: the next turn is 2, not 1
    turn 1 / end 1 / end 1
        `turn/end` at 3 breaks the session's lifecycle: no turn is open
    turn 1 / step 1.1 / end 1
        `turn/end` at 3 breaks the session's lifecycle: step 1 is still open
    turn 1 / bound 1 A
        may stand
    turn 1 A / bound 1 B
        `turn/bound` at 2 breaks the session's lifecycle: the turn has its key
    turn 1 / bound 2 A
        `turn/bound` at 2 breaks the session's lifecycle: turn 1 is open, not 2
    bound 1 A
        `turn/bound` at 1 breaks the session's lifecycle: no turn is open
    ");
}

#[test]
fn steps() {
    assert_snapshot!(table(&[
        "step 1.1",
        "turn 1 / step 1.2",
        "turn 1 / step 2.1",
        "turn 1 / step 1.1 / step 1.2",
        "turn 1 / step-end 1.1",
        "turn 1 / step 1.1 / step-end 1.2",
        "turn 1 / step 1.1 / step-end 2.1",
        "turn 1 / step 1.1 / step-end 1.1 / step 1.1",
        "turn 1 / step 1.1 / step-end 1.1 / end 1 / turn 2 / step 2.1",
    ]), @r"
    step 1.1
        `step/start` at 1 breaks the session's lifecycle: no turn is open
    turn 1 / step 1.2
        `step/start` at 2 breaks the session's lifecycle: the next step is 1, not 2
    turn 1 / step 2.1
        `step/start` at 2 breaks the session's lifecycle: turn 1 is open, not 2
    turn 1 / step 1.1 / step 1.2
        `step/start` at 3 breaks the session's lifecycle: step 1 is still open
    turn 1 / step-end 1.1
        `step/end` at 2 breaks the session's lifecycle: no step is open
    turn 1 / step 1.1 / step-end 1.2
        `step/end` at 3 breaks the session's lifecycle: step 1 is open, not 2
    turn 1 / step 1.1 / step-end 2.1
        `step/end` at 3 breaks the session's lifecycle: turn 1 is open, not 2
    turn 1 / step 1.1 / step-end 1.1 / step 1.1
        `step/start` at 4 breaks the session's lifecycle: the next step is 2, not 1
    turn 1 / step 1.1 / step-end 1.1 / end 1 / turn 2 / step 2.1
        may stand
    ");
}

#[test]
fn calls_and_results() {
    assert_snapshot!(table(&[
        "call a",
        "turn 1 / call a",
        "turn 1 / says hello",
        "turn 1 / step 1.1 / call a",
        "turn 1 / step 1.1 / call a / call a",
        "turn 1 / step 1.1 / asks a / call a / call a",
        "turn 1 / step 1.1 / asks a / result a",
        "turn 1 / step 1.1 / asks a / result b",
        "turn 1 / step 1.1 / asks a / result a / result a",
        "turn 1 / step 1.1 / asks a / step-end 1.1 / step 1.2 / result a",
        "turn 1 / result a",
        "result a",
    ]), @r"
    call a
        `tool/call` at 1 breaks the session's lifecycle: no turn is open
    turn 1 / call a
        `tool/call` at 2 breaks the session's lifecycle: no step is open
    turn 1 / says hello
        `assistant/message` at 2 breaks the session's lifecycle: no step is open
    turn 1 / step 1.1 / call a
        may stand
    turn 1 / step 1.1 / call a / call a
        `tool/call` at 4 breaks the session's lifecycle: call `a` was started before
    turn 1 / step 1.1 / asks a / call a / call a
        `tool/call` at 5 breaks the session's lifecycle: call `a` was started before
    turn 1 / step 1.1 / asks a / result a
        may stand
    turn 1 / step 1.1 / asks a / result b
        `tool/result` at 4 breaks the session's lifecycle: it answers no open call of its step (`b`)
    turn 1 / step 1.1 / asks a / result a / result a
        `tool/result` at 5 breaks the session's lifecycle: it answers no open call of its step (`a`)
    turn 1 / step 1.1 / asks a / step-end 1.1 / step 1.2 / result a
        `tool/result` at 6 breaks the session's lifecycle: it answers no open call of its step (`a`)
    turn 1 / result a
        `tool/result` at 2 breaks the session's lifecycle: it answers no open call of its step (`a`)
    result a
        `tool/result` at 1 breaks the session's lifecycle: no turn is open
    ");
}

#[test]
fn lists_titles_notes_and_prompts() {
    assert_snapshot!(table(&[
        "list : x",
        "list human : x",
        "turn 1 / end 1 / list : x",
        "turn 1 / end 1 / list human : x",
        "turn 1 / list : x",
        "title t / user u / note n / compact-failed / back 0",
    ]), @r"
    list : x
        `todo/write` at 1 breaks the session's lifecycle: no turn is open
    list human : x
        may stand
    turn 1 / end 1 / list : x
        `todo/write` at 3 breaks the session's lifecycle: no turn is open
    turn 1 / end 1 / list human : x
        may stand
    turn 1 / list : x
        may stand
    title t / user u / note n / compact-failed / back 0
        may stand
    ");
}

/// An ignorable event in a later version may stand anywhere; it used to panic here.
#[test]
fn a_later_version_that_may_be_skipped() {
    let mut events = log("owned\nturn 1");
    let mut later = crate::logs::at(2, &runsheet_core::log::ToolProgress { call_id: "a".into(), text: "half".into() });
    later.v = 99;
    events.push(later);
    assert!(lifecycle(&events).is_ok());
    events.remove(1);
    assert!(lifecycle(&events).is_ok());
}

//! Where a fact finds its turn: every rule of DESIGN §3, one row each.

use insta::assert_snapshot;
use runsheet_core::log::{EventId, TurnChange, Turns};

use crate::logs::{log, session, stream, turns};

/// What `ensure` answers a fact with a key, in a session that has come this far and knows the keys `seen`.
fn check(text: &str, key: &str, seen: &[&str]) -> String {
    let turns = turns(&log(&format!("observed\n{}", text.replace(" / ", "\n"))));
    let key = (key != "-").then_some(key);
    // The id of a turn is the one its start would have.
    let seen: Vec<EventId> = seen.iter().map(|key| id_of(key)).collect();
    let ensured = turns.ensure(&stream(), key, true, |id| seen.contains(&id));
    let mut answer: Vec<String> = ensured
        .changes
        .iter()
        .map(|change| match change {
            TurnChange::End(end) => format!("end {} {:?}", end.turn, end.reason),
            TurnChange::Start(start) => format!("start {} {}", start.turn, start.key.as_deref().unwrap_or("-")),
            TurnChange::Bound(bound) => format!("bind {} {}", bound.turn, bound.key),
        })
        .collect();
    if ensured.late {
        answer.push("late".into());
    }
    if answer.is_empty() { "join".into() } else { answer.join(", ") }
}

fn id_of(key: &str) -> EventId {
    let ensured = Turns::default().ensure(&stream(), Some(key), false, |_| false);
    ensured.changes[0]
        .event(runsheet_core::vocabulary(), session(), crate::logs::id(0), runsheet_core::log::Time::default())
        .id
}

#[test]
fn ensure() {
    let rows: &[(&str, &str, &[&str])] = &[
        ("", "-", &[]),
        ("", "A", &[]),
        ("turn 1", "-", &[]),
        ("turn 1 A", "-", &[]),
        ("turn 1 A", "A", &["A"]),
        ("turn 1 A", "B", &["A"]),
        ("turn 1 implicit", "A", &[]),
        ("turn 1 implicit / bound 1 A", "A", &["A"]),
        ("turn 1 implicit / bound 1 A", "B", &["A"]),
        ("turn 1 A implicit", "B", &["A"]),
        ("turn 1", "A", &[]),
        ("turn 1 A / end 1 / turn 2 B", "A", &["A", "B"]),
        ("turn 1 A / end 1 / turn 2 implicit", "A", &["A"]),
        ("turn 1 A / end 1", "A", &["A"]),
        ("turn 1 A / end 1", "B", &["A"]),
        ("turn 1 A / end 1", "-", &["A"]),
        ("turn 9007199254740991 A / end 9007199254740991", "-", &["A"]),
        ("turn 7 / end 7 / turn 2 / end 2", "-", &[]),
    ];
    let table: Vec<String> = rows
        .iter()
        .map(|(text, key, seen)| {
            let so_far = if text.is_empty() { "(none)" } else { text };
            format!("{so_far:<47} | {key} | {:<4} | {}", seen.join(" "), check(text, key, seen))
        })
        .collect();
    assert_snapshot!(table.join("\n"), @r"
    (none)                                          | - |      | start 1 -
    (none)                                          | A |      | start 1 A
    turn 1                                          | - |      | join
    turn 1 A                                        | - |      | join
    turn 1 A                                        | A | A    | join
    turn 1 A                                        | B | A    | end 1 Superseded, start 2 B
    turn 1 implicit                                 | A |      | bind 1 A
    turn 1 implicit / bound 1 A                     | A | A    | join
    turn 1 implicit / bound 1 A                     | B | A    | end 1 Superseded, start 2 B
    turn 1 A implicit                               | B | A    | end 1 Superseded, start 2 B
    turn 1                                          | A |      | end 1 Superseded, start 2 A
    turn 1 A / end 1 / turn 2 B                     | A | A B  | late
    turn 1 A / end 1 / turn 2 implicit              | A | A    | late
    turn 1 A / end 1                                | A | A    | late
    turn 1 A / end 1                                | B | A    | start 2 B
    turn 1 A / end 1                                | - | A    | start 2 -
    turn 9007199254740991 A / end 9007199254740991  | - | A    | start 9007199254740991 -
    turn 7 / end 7 / turn 2 / end 2                 | - |      | start 8 -
    ");
}

#[test]
fn one_key_is_one_id_whichever_event_made_it_known() {
    let bound = turns(&log("observed\nturn 1 implicit")).ensure(&stream(), Some("A"), true, |_| false).changes;
    let event =
        bound[0].event(runsheet_core::vocabulary(), session(), crate::logs::id(0), runsheet_core::log::Time::default());
    assert_eq!((&*event.ty, event.id), ("turn/bound", id_of("A")));
    assert_ne!(id_of("A"), id_of("B"));
}

#[test]
fn the_state_of_turns_steps_and_calls() {
    let events = log("
        owned
        turn 1 A
        step 1.1
        asks a b b
        call a
        result a
        call c agent:x
        step-end 1.1
        end 1 aborted");
    let states: Vec<String> = (0..events.len())
        .map(|at| {
            let turns = turns(&events[..=at]);
            let open = turns.open.map_or_else(String::new, |open| {
                let step = open.step.map_or_else(String::new, |step| {
                    let calls = step.calls.iter().map(|call| {
                        format!(
                            " {}{}{}",
                            call.call_id,
                            if call.started { "*" } else { "" },
                            match &call.scope {
                                runsheet_core::log::Scope::Main => String::new(),
                                scope => format!("@{scope}"),
                            }
                        )
                    });
                    format!(", step {}:{}", step.step, calls.collect::<String>())
                });
                format!(" | turn {} {}, steps {}{step}", open.turn, open.key.as_deref().unwrap_or("-"), open.last_step)
            });
            format!("{:<17} | last {}{open}", events[at].ty, turns.last)
        })
        .collect();
    assert_snapshot!(states.join("\n"), @r"
    session/created   | last 0
    turn/start        | last 1 | turn 1 A, steps 0
    step/start        | last 1 | turn 1 A, steps 1, step 1:
    assistant/message | last 1 | turn 1 A, steps 1, step 1: a b
    tool/call         | last 1 | turn 1 A, steps 1, step 1: a* b
    tool/result       | last 1 | turn 1 A, steps 1, step 1: b
    tool/call         | last 1 | turn 1 A, steps 1, step 1: b c*@agent:x
    step/end          | last 1 | turn 1 A, steps 1
    turn/end          | last 1
    ");
}

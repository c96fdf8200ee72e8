//! What the model sees of a log.

use insta::assert_snapshot;
use runsheet_core::log::{ContentBlock, Message, Role, Surface, derive_messages};

use crate::logs::log;

fn check(text: &str) -> String {
    let events = log(&format!("owned\n{}", text.replace(" / ", "\n")));
    show(&derive_messages(&events))
}

pub(crate) fn show(messages: &[Message]) -> String {
    let text =
        |content: &[ContentBlock]| content.iter().map(|ContentBlock::Text { text }| text.as_str()).collect::<String>();
    let line = |message: &Message| {
        let said = match &message.role {
            Role::User { content } => format!("user: {}", text(content)),
            Role::Assistant { content } => format!("assistant: {} block(s)", content.len()),
            Role::Tool { call_id, content, is_error } => {
                format!("tool {call_id}{}: {}", if *is_error { " failed" } else { "" }, text(content))
            }
            Role::Note { text } => format!("note: {text}"),
            Role::Summary { text, carried } => format!("summary: {text} {}", carried.as_deref().unwrap_or_default()),
        };
        format!("{} {}", message.seq, said.trim_end())
    };
    messages.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_reaches_the_surface() {
    assert_snapshot!(check("turn 1 / user one / step 1.1 / asks a / call a / list : x~ / result a / note remember / title t / says / usage 1 2 3 / says bye / step-end 1.1 / end 1"), @r"
    2 user: one
    4 assistant: 1 block(s)
    7 tool a: ok
    8 note: remember
    12 assistant: 1 block(s)
    ");
}

#[test]
fn results_of_sub_agents_do_not() {
    assert_snapshot!(check("user one / result a agent:x / result b error"), @r"
    1 user: one
    3 tool b failed: ok
    ");
}

#[test]
fn compaction() {
    assert_snapshot!(check("user 1 / user 2 / user 3 / compact 1-2 short / user 5"), @r"
    4 summary: short
    3 user: 3
    5 user: 5
    ");
}

#[test]
fn a_failed_compaction_replaces_nothing() {
    assert_snapshot!(check("user 1 / compact-failed / user 3"), @r"
    1 user: 1
    3 user: 3
    ");
}

#[test]
fn a_summary_of_a_summary() {
    assert_snapshot!(check("user 1 / user 2 / compact 1-2 short / user 4 / compact 1-4 shorter / user 6"), @r"
    5 summary: shorter
    6 user: 6
    ");
}

/// The first summary has a higher seq than what the second one replaces, and stands before it all the same.
#[test]
fn a_second_summary_beside_the_first() {
    assert_snapshot!(check("user 1 / user 2 / user 3 / user 4 / user 5 / compact 1-2 first / compact 3-4 second"), @r"
    6 summary: first
    7 summary: second
    5 user: 5
    ");
}

#[test]
fn rolled_back() {
    assert_snapshot!(check("user 1 / user 2 / user 3 / back 1 / user 5"), @r"
    1 user: 1
    5 user: 5
    ");
    assert_snapshot!(check("user 1 / back 7"), @"1 user: 1");
    assert_snapshot!(check("user 1 / back 0"), @"");
}

#[test]
fn rolled_back_across_a_compaction() {
    assert_snapshot!(check("user 1 / user 2 / user 3 / compact 1-2 short / user 5 / back 2"), @r"
    1 user: 1
    2 user: 2
    ");
    assert_snapshot!(check("user 1 / user 2 / user 3 / compact 1-2 short / user 5 / back 4"), @r"
    4 summary: short
    3 user: 3
    ");
}

#[test]
fn rolled_back_across_the_second_of_two_compactions() {
    assert_snapshot!(check("user 1 / user 2 / compact 1-2 short / user 4 / compact 1-4 shorter / back 4"), @r"
    3 summary: short
    4 user: 4
    ");
}

/// A host folds from the last compaction on: its range is then not there, and the summary stands in front.
#[test]
fn folded_from_the_compaction_on() {
    let events = log("owned\nuser 1\nuser 2\nuser 3\ncompact 1-2 short\nuser 5");
    assert_snapshot!(show(&derive_messages(&events[3..])), @r"
    4 summary: short
    3 user: 3
    5 user: 5
    ");
}

/// Each summary stands for the one before it: the list stays flat, and nothing recurses along the chain.
#[test]
fn many_compactions_do_not_nest() {
    let compaction = log("compact 0-99999999 again").remove(0);
    let mut surface = Surface::default();
    for seq in 0..3_000 {
        assert!(surface.apply(&runsheet_core::log::Recorded { seq, ..compaction.clone() }));
    }
    assert_eq!(surface.clone().messages().count(), 1);
}

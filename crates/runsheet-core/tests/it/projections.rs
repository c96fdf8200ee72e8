//! Title, stats, catalogue, and all projections at one event.

use insta::assert_snapshot;
use runsheet_core::{
    log::Recorded,
    projection::{Catalogue, CatalogueEntry, Fold, Projection, SessionState, Stats, Title, TitleState, UNITS},
};

use crate::logs::log;

fn state<P: Projection>(events: &[Recorded]) -> P::State {
    folded(events).state::<P>().clone()
}

pub(crate) fn folded(events: &[Recorded]) -> Fold {
    let mut fold = Fold::new(UNITS);
    for event in events {
        fold.apply(event);
    }
    fold
}

fn title(text: &str) -> String {
    let state: TitleState = state::<Title>(&log(&format!("observed\n{}", text.replace(" / ", "\n"))));
    state.title().unwrap_or("-").to_owned()
}

fn catalogue(text: &str) -> CatalogueEntry {
    state::<Catalogue>(&log(&format!("observed\n{}", text.replace(" / ", "\n"))))
}

#[test]
fn titles() {
    assert_snapshot!(title("turn 1"), @"-");
    assert_snapshot!(title("user fix the bug / user and the other"), @"fix the bug");
    assert_snapshot!(title("user fix the bug / title The bug"), @"The bug");
    assert_snapshot!(title("title The bug / user fix the bug"), @"The bug");
    assert_snapshot!(title("title one / title two"), @"two");
    assert_eq!(title(&format!("user {}", "é".repeat(500))).chars().count(), 120);
    let mut lines = log("observed\nuser x");
    lines[1] = crate::logs::at(
        1,
        &runsheet_core::log::UserMessage {
            content: vec![runsheet_core::log::ContentBlock::text("\n  \n\t second line \nthird")],
        },
    );
    assert_eq!(state::<Title>(&lines).title(), Some("second line"));
}

#[test]
fn statistics() {
    let events = log("
        owned
        turn 1
        user go
        step 1.1
        usage 10 4 2
        asks a b
        call a
        list : x
        result a
        call b
        result b error
        usage 18446744073709551615 0 1");
    assert_snapshot!(serde_json::to_string_pretty(&state::<Stats>(&events)).unwrap(), @r#"
    {
      "events": 12,
      "turns": 1,
      "prompts": 1,
      "answers": 3,
      "calls": 2,
      "failedCalls": 1,
      "todoWrites": 1,
      "inputTokens": 18446744073709551615,
      "cachedTokens": 4,
      "outputTokens": 3,
      "first": "2026-11-30T20:00:00.000Z",
      "last": "2026-11-30T20:00:11.000Z"
    }
    "#);
}

#[test]
fn states_of_sessions() {
    let rows = [
        "title t",
        "turn 1",
        "turn 1 / list : x~ / end 1",
        "turn 1 / list : x~ / end 1 / turn 2",
        "turn 1 / list : x+, y- / end 1",
        "turn 1 / list : / end 1",
        "turn 1 / list agent-a : x~ / end 1",
        "turn 1 / list : x~ / end 1 / turn 2 / end 2",
    ];
    let table: Vec<String> = rows
        .iter()
        .map(|row| {
            let entry = catalogue(row);
            format!("{row:<44} | {} | {}", entry.state(false).word(), entry.running.as_deref().unwrap_or("-"))
        })
        .collect();
    assert_snapshot!(table.join("\n"), @r"
    title t                                      | idle | -
    turn 1                                       | working | -
    turn 1 / list : x~ / end 1                   | paused | x
    turn 1 / list : x~ / end 1 / turn 2          | working | -
    turn 1 / list : x+, y- / end 1               | done | -
    turn 1 / list : / end 1                      | idle | -
    turn 1 / list agent-a : x~ / end 1           | idle | -
    turn 1 / list : x~ / end 1 / turn 2 / end 2  | paused | -
    ");
}

#[test]
fn an_entry_of_the_catalogue() {
    let entry = catalogue("turn 1 / user fix it / list : x~ / end 1 disconnected");
    assert_snapshot!(serde_json::to_string_pretty(&entry).unwrap(), @r#"
    {
      "agent": {
        "name": "codex",
        "version": "0.171.0",
        "dialect": "dsh"
      },
      "cwd": "/home/dev/app",
      "parent": null,
      "source": {
        "kind": "mcp"
      },
      "title": {
        "title": "fix it",
        "given": false
      },
      "created": "2026-11-30T20:00:00.000Z",
      "updated": "2026-11-30T20:00:04.000Z",
      "openTurn": null,
      "implicit": false,
      "ended": "disconnected",
      "counts": {
        "pending": 0,
        "inProgress": 1,
        "completed": 0,
        "cancelled": 0
      },
      "running": "x",
      "lifetime": "turn"
    }
    "#);
}

#[test]
fn every_state_has_a_glyph_and_a_word_of_its_own() {
    use SessionState::{Done, Idle, Paused, Stalled, Unknown, Waiting, Working};
    let all = [Working, Waiting, Stalled, Paused, Done, Idle, Unknown];
    let mut seen: Vec<_> = all.iter().map(|state| (state.glyph(), state.word())).collect();
    assert_snapshot!(format!("{seen:?}"), @r#"[('●', "working"), ('◆', "waiting"), ('▲', "stalled"), ('‖', "paused"), ('✓', "done"), ('·', "idle"), ('?', "unknown")]"#);
    seen.sort_unstable_by_key(|(glyph, _)| *glyph);
    seen.dedup_by_key(|(glyph, _)| *glyph);
    assert_eq!(seen.len(), all.len());
    for state in all {
        assert_eq!(serde_json::to_value(state).unwrap(), state.word());
    }
}

#[test]
fn a_snapshot_is_one_cut() {
    let fold = folded(&log("observed\nturn 1\nlist : x~"));
    let snapshot = fold.snapshot();
    assert_eq!(snapshot.as_of_seq, Some(2));
    assert_eq!(
        snapshot.values.keys().copied().collect::<Vec<_>>(),
        ["activity", "catalogue", "stats", "title", "todos"]
    );
    assert!(fold.view("turns").is_none(), "host-only");
    assert!(fold.view("nothing").is_none());
    assert_eq!(Fold::new(UNITS).snapshot().as_of_seq, None);
}

#[test]
fn what_changed() {
    let mut fold = Fold::new(UNITS);
    let changed: Vec<String> =
        log("observed\nturn 1\nlist : x~\nuser hi\nuser again\nend 1\nturn 2\nturn 3\ntitle t\ntitle t")
            .iter()
            .map(|event| format!("{:<16} {}", event.ty, fold.apply(event).join(" ")))
            .collect();
    assert_snapshot!(changed.join("\n"), @r"
    session/created  turns todos stats catalogue
    turn/start       turns stats catalogue activity
    todo/write       todos stats catalogue
    user/message     title stats catalogue activity
    user/message     stats catalogue activity
    turn/end         turns stats catalogue activity
    turn/start       turns todos stats catalogue activity
    turn/start       turns stats catalogue activity
    session/title    title stats catalogue
    session/title    stats catalogue
    ");
}

/// A gap made it panic.
#[test]
fn only_the_next_event_is_folded() {
    let events = log("observed\nturn 1\nlist : x\nend 1");
    let mut fold = folded(&events[..2]);
    let known = serde_json::to_string(&fold.snapshot()).unwrap();
    for other in [0, 1, 3] {
        assert!(fold.apply(&events[other]).is_empty());
        assert_eq!(serde_json::to_string(&fold.snapshot()).unwrap(), known);
        assert_eq!(fold.at(), Some((1, events[1].id)));
    }
    assert!(!fold.apply(&events[2]).is_empty());
    assert!(!fold.apply(&events[3]).is_empty());
}

#[test]
fn a_cached_state_that_does_not_parse_is_no_state() {
    let fold = folded(&log("observed\nlist : x"));
    let saved: Vec<_> = fold.save().collect();
    let load =
        |broken: &str| {
            let state = |key: &str| saved.iter().find(|(of, ..)| *of == key).map(|(.., state)| &state[..]);
            Fold::load(UNITS, fold.at().unwrap(), |key| {
                if key == broken { Some(b"{\"old\":1}" as &[u8]) } else { state(key) }
            })
        };
    assert!(load("").is_some());
    assert!(load("todos").is_none());
    let missing = Fold::load(UNITS, fold.at().unwrap(), |_| None);
    assert!(missing.is_none());
}

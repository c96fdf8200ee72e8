//! The list as it stands, and how it got there.

use insta::assert_snapshot;
use runsheet_core::{
    log::{Recorded, Time},
    projection::Projection,
    todo::{Status, TodoItem, TodoList, Todos, TodosState},
};

use crate::logs::{items_of, log, text_of};

pub(crate) fn fold(events: &[Recorded]) -> TodosState {
    let mut state = TodosState::default();
    for event in events.iter().filter(|event| Todos::TYPES.contains(&&*event.ty)) {
        Todos::apply(&mut state, event);
    }
    state
}

fn observed(text: &str) -> Vec<Recorded> {
    log(&format!("observed\n{}", text.replace(" / ", "\n")))
}

/// Standing, carried, and the turn the list counts in.
fn check(text: &str) -> String {
    let state = fold(&observed(text));
    let list = |list: Option<&TodoList>| list.map_or_else(|| "null".into(), text_of);
    let turn = state.main.as_ref().map_or_else(|| "-".into(), |main| main.turn.to_string());
    format!("standing {}, carried {}, turn {turn}", list(state.standing()), list(state.carried()))
}

/// What the last write changed.
fn changes(before: &str, after: &str) -> String {
    let state = fold(&observed(&format!("list : {before} / list : {after}")));
    serde_json::to_string(&state.main.unwrap().changes).unwrap()
}

/// When each item ran, in seconds from the header on.
fn times(text: &str) -> String {
    let events = observed(text);
    let start = events[0].time.as_ms();
    let main = fold(&events).main.unwrap();
    let second =
        |time: Option<Time>| time.map_or_else(|| "-".into(), |time| ((time.as_ms() - start) / 1000).to_string());
    let item = |(item, times): (&TodoItem, &runsheet_core::todo::ItemTimes)| {
        format!("{} {}..{}", item.content, second(times.started), second(times.ended))
    };
    main.todos.iter().zip(&main.times).map(item).collect::<Vec<_>>().join(", ")
}

fn view(events: &[Recorded]) -> String {
    Todos::view(&fold(events)).map_or_else(|| "absent".into(), |view| serde_json::to_string_pretty(&view).unwrap())
}

#[test]
fn absent_null_and_empty_are_three_answers() {
    let mut header = crate::logs::header(runsheet_core::log::Ownership::Observed);
    header.agent.dialect = None;
    let without = [crate::logs::at(0, &header)];
    assert_snapshot!(view(&without), @"absent");
    assert_snapshot!(view(&log("observed")), @r#"
    {
      "standing": null,
      "carried": null,
      "counts": {
        "pending": 0,
        "inProgress": 0,
        "completed": 0,
        "cancelled": 0
      },
      "revision": 0,
      "agents": []
    }
    "#);
    assert_snapshot!(check("turn 1 / list :"), @"standing [], carried null, turn 1");
    let mut shown_by_a_write = without.to_vec();
    shown_by_a_write.push(log("observed\nlist : x").remove(1));
    assert!(Todos::view(&fold(&shown_by_a_write)).is_some(), "a write shows that there is a tool");
}

#[test]
fn lifetime_of_a_turn() {
    assert_snapshot!(check("turn 1 / list : x~"), @"standing [x~], carried null, turn 1");
    assert_snapshot!(check("turn 1 / list : x~ / end 1"), @"standing [x~], carried null, turn 1");
    assert_snapshot!(check("turn 1 / list : x~ / end 1 / turn 2"), @"standing null, carried [x~], turn 1");
    assert_snapshot!(check("turn 1 / list : x~ / end 1 / turn 2 / list : y"), @"standing [y], carried null, turn 2");
    assert_snapshot!(check("turn 1 / list : x~ / end 1 / turn 2 / end 2 / turn 3"), @"standing null, carried [x~], turn 1");
    assert_snapshot!(check("turn 1 / list : x~ / end 1 / turn 2 / list :"), @"standing [], carried null, turn 2");
    assert_snapshot!(check("turn 1 implicit / list : x~ / bound 1 A"), @"standing [x~], carried null, turn 1");
}

#[test]
fn lifetime_of_a_session() {
    assert_snapshot!(check("turn 1 / list session : x~ / end 1 / turn 2"), @"standing [x~], carried null, turn 1");
    assert_snapshot!(check("turn 1 / list session : x+, y- / end 1"), @"standing [x+, y-], carried null, turn 1");
    assert_snapshot!(check("turn 1 / list session : x+, y- / end 1 / turn 2"), @"standing null, carried [x+, y-], turn 1");
    assert_snapshot!(check("turn 1 / list session : / turn 2"), @"standing null, carried [], turn 1");
}

#[test]
fn between_turns() {
    assert_snapshot!(check("list human : x"), @"standing [x], carried null, turn 0");
    assert_snapshot!(check("turn 1 / list : x / end 1 / list human : x+"), @"standing [x+], carried null, turn 1");
    assert_snapshot!(check("turn 1 / list : x / end 1 / list human : x+ / turn 2"), @"standing null, carried [x+], turn 1");
}

#[test]
fn late_lists() {
    assert_snapshot!(check("turn 1 A / end 1 / list late : x"), @"standing [x], carried null, turn 1");
    assert_snapshot!(check("turn 1 A / end 1 / turn 2 B / list late : x"), @"standing [x], carried null, turn 2");
    assert_snapshot!(check("turn 1 A / end 1 / turn 2 B / list late : x / end 2 / turn 3"), @"standing null, carried [x], turn 2");
}

#[test]
fn lists_of_sub_agents_stand_beside() {
    let state =
        fold(&observed("turn 1 / list : x~ / list agent-a : p~, q / list agent-b : r+ / list agent-a : p+, q~"));
    assert_eq!(text_of(state.standing().unwrap()), "[x~]");
    assert_eq!(state.revision, 1);
    let lists: Vec<String> = state
        .agents
        .iter()
        .map(|list| format!("{} at {}: {:?} {:?}", list.scope, list.seq, list.counts, list.running.as_deref()))
        .collect();
    assert_snapshot!(lists.join("\n"), @r#"
    agent:agent-a at 5: Counts { pending: 0, in_progress: 1, completed: 1, cancelled: 0 } Some("q")
    agent:agent-b at 4: Counts { pending: 0, in_progress: 0, completed: 1, cancelled: 0 } None
    "#);
}

#[test]
fn the_newest_64_of_them() {
    let mut text = String::from("observed");
    for agent in 0..70 {
        text.push_str(&format!("\nlist agent{agent} : x"));
    }
    let state = fold(&log(&text));
    assert_eq!((state.agents.len(), state.agents[0].seq, state.agents[63].seq), (64, 70, 7));
    assert_eq!(state.main, None);
}

#[test]
fn what_a_write_changed() {
    assert_snapshot!(changes("a, b~", "a~, b+"), @r#"{"added":[],"removed":[],"removedOpen":0,"completed":["b"],"reopened":[],"reworded":[]}"#);
    assert_snapshot!(changes("a, b~, c+", "c+, d"), @r#"{"added":["d"],"removed":["a","b"],"removedOpen":2,"completed":[],"reopened":[],"reworded":[]}"#);
    assert_snapshot!(changes("a+, b-", "a, b~"), @r#"{"added":[],"removed":[],"removedOpen":0,"completed":[],"reopened":["a","b"],"reworded":[]}"#);
    assert_snapshot!(changes("a+", "a-"), @r#"{"added":[],"removed":[],"removedOpen":0,"completed":[],"reopened":[],"reworded":[]}"#);
    assert_snapshot!(changes("1=a, 2=b", "1=a bit, 2=b+"), @r#"{"added":[],"removed":[],"removedOpen":0,"completed":["b"],"reopened":[],"reworded":["a bit"]}"#);
    assert_snapshot!(changes("", "a+, b"), @r#"{"added":["a","b"],"removed":[],"removedOpen":0,"completed":["a"],"reopened":[],"reworded":[]}"#);
    assert_snapshot!(changes("a, b", ""), @r#"{"added":[],"removed":["a","b"],"removedOpen":2,"completed":[],"reopened":[],"reworded":[]}"#);
}

#[test]
fn duplicates_in_foreign_lists() {
    assert_snapshot!(changes("a+, a, b", "a+, a+, b"), @r#"{"added":[],"removed":[],"removedOpen":0,"completed":["a"],"reopened":[],"reworded":[]}"#);
    assert_snapshot!(changes("a, a, a", "a, a"), @r#"{"added":[],"removed":["a"],"removedOpen":1,"completed":[],"reopened":[],"reworded":[]}"#);
    assert_snapshot!(changes("a, a", "a, a, a"), @r#"{"added":["a"],"removed":[],"removedOpen":0,"completed":[],"reopened":[],"reworded":[]}"#);
    assert_snapshot!(times("list : a~, a / list : a+, a~"), @"a 1..2, a 2..-");
}

#[test]
fn times_of_items() {
    assert_snapshot!(times("list : a~, b"), @"a 1..-, b -..-");
    assert_snapshot!(times("list : a~, b / list : a~, b"), @"a 1..-, b -..-");
    assert_snapshot!(times("list : a~, b / list : a+, b~ / list : a+, b+"), @"a 1..2, b 2..3");
    assert_snapshot!(times("list : a / list : a+"), @"a -..2");
    assert_snapshot!(times("list : a~ / list : a+ / list : a~"), @"a 3..-");
    assert_snapshot!(times("list : a~ / list : a"), @"a 1..-");
    assert_snapshot!(times("list : b, a~ / list : a-, b"), @"a 1..2, b -..-");
    assert_snapshot!(times("turn 1 / list : a~ / end 1 / turn 2 / list : a+, b+"), @"a 2..5, b -..5");
}

#[test]
fn the_view() {
    assert_snapshot!(view(&observed("turn 1 / list : x~, y / end 1 / turn 2 / list agent-a : z")), @r#"
    {
      "standing": null,
      "carried": [
        {
          "content": "x",
          "status": "in_progress"
        },
        {
          "content": "y",
          "status": "pending"
        }
      ],
      "counts": {
        "pending": 1,
        "inProgress": 1,
        "completed": 0,
        "cancelled": 0
      },
      "revision": 1,
      "seq": 2,
      "time": "2026-11-30T20:00:02.000Z",
      "author": "model",
      "turn": 1,
      "times": [
        {
          "started": "2026-11-30T20:00:02.000Z"
        },
        {}
      ],
      "changes": {
        "added": [
          "x",
          "y"
        ],
        "removed": [],
        "removedOpen": 0,
        "completed": [],
        "reopened": [],
        "reworded": []
      },
      "agents": [
        {
          "scope": "agent:agent-a",
          "seq": 5,
          "time": "2026-11-30T20:00:05.000Z",
          "counts": {
            "pending": 1,
            "inProgress": 0,
            "completed": 0,
            "cancelled": 0
          },
          "running": null
        }
      ]
    }
    "#);
}

/// "a", "a" and "a\0" + "2" were two items of one key.
#[test]
fn keys() {
    let key = |contents: &[&str]| {
        TodoList(contents.iter().map(|content| TodoItem::new(*content, Status::Pending)).collect()).keys()
    };
    assert_snapshot!(format!("{:?}", key(&["a", "b", "a", "a"])), @r#"["a", "b", "a\02", "a\03"]"#);
    assert_snapshot!(format!("{:?}", key(&["a", "a", "a\u{0}2", "a\u{0}2"])), @r#"["a", "a\02", "a\02\01", "a\02\02"]"#);
    assert_snapshot!(format!("{:?}", items_of("1=a, 2=a, 1=b, 2").keys()), @r#"["1", "2", "1\02", "2\02"]"#);
}

#[test]
fn labels_and_counts() {
    let mut item = TodoItem::new("Run the tests", Status::InProgress);
    assert_eq!(item.label(), "Run the tests");
    item.active_form = Some("Running the tests".into());
    assert_eq!(item.label(), "Running the tests");
    item.active_form = Some(" ".into());
    assert_eq!(item.label(), "Run the tests");
    item.active_form = Some("Running the tests".into());
    item.status = Status::Completed;
    assert_eq!(item.label(), "Run the tests");
    assert_snapshot!(format!("{:?} running {:?}", items_of("a, b~, c~, d+, e-").counts(), items_of("a, b~, c~").running().map(TodoItem::label)), @r#"Counts { pending: 1, in_progress: 2, completed: 1, cancelled: 1 } running Some("b")"#);
}

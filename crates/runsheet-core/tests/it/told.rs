//! What the model is told of a person's edit.

use runsheet_core::todo::{Status, TodoItem, TodoList, notice, told};
use serde::Deserialize;

/// The cases the web client is held to as well.
const CASES: &str = include_str!("told.json");

#[derive(Deserialize)]
struct Case {
    name: String,
    known: Vec<(String, Status)>,
    now: Vec<(String, Status)>,
    told: Vec<String>,
}

fn list(items: Vec<(String, Status)>) -> TodoList {
    TodoList(items.into_iter().map(|(content, status)| TodoItem::new(content, status)).collect())
}

#[test]
fn a_line_for_each_change() {
    let cases: Vec<Case> = serde_json::from_str(CASES).unwrap();
    for case in cases {
        assert_eq!(told(&list(case.known), &list(case.now)), case.told, "{}", case.name);
    }
}

#[test]
fn an_id_tells_a_rewording_wherever_it_went() {
    let item = |id: &str, content: &str| TodoItem { id: Some(id.into()), ..TodoItem::new(content, Status::Pending) };
    let (known, now) = (vec![item("1", "One"), item("2", "Two")], vec![item("2", "Two, better"), item("1", "One")]);
    let lines = told(&TodoList(known), &TodoList(now));
    assert_eq!(lines, [r#"changed: "Two" → "Two, better""#, "the order changed"]);
}

#[test]
fn the_notice_has_the_lines_and_the_list() {
    let known = list(vec![("One".into(), Status::InProgress)]);
    let now = list(vec![("One".into(), Status::Completed), ("Two".into(), Status::Pending)]);
    insta::assert_snapshot!(notice(&known, &now), @r#"
    What the person changed:
    - set to completed: "One"
    - added: "Two"
    The list now:
    [{"content":"One","status":"completed"},{"content":"Two","status":"pending"}]
    Send your list again with these changes in it. That call will be accepted.
    "#);
}

//! What `dsh` offers the model: its description under each policy, its schema, and the page about both.

use insta::assert_snapshot;
use runsheet_core::dialect::{ListBounds, ToolSpec};

use crate::dialect_dsh::{dsh, rules};

const PAGE: &str = include_str!("../../../../docs/tools/dsh.md");

const SEVERAL: &str = "several at once when work genuinely runs in parallel";
const ONE: &str = "Keep AT MOST ONE todo";

fn offer(parallel: Option<bool>) -> ToolSpec {
    let [tool]: [ToolSpec; 1] = dsh().tools(&rules(parallel)).try_into().unwrap();
    tool
}

#[test]
fn one_tool_that_writes() {
    let tool = offer(None);
    assert_eq!((tool.name, tool.title, tool.read_only), ("todo_write", "Update todo list", false));
}

#[test]
fn the_policy_moves_the_clause_and_nothing_else() {
    let (unset, several, one) = (offer(None), offer(Some(true)), offer(Some(false)));
    assert_eq!(unset.description, several.description);
    assert!(several.description.contains(SEVERAL) && !several.description.contains(ONE));
    assert!(one.description.contains(ONE) && !one.description.contains(SEVERAL));
    assert_eq!(several.schema.get(), one.schema.get());
    let differing = several.description.lines().zip(one.description.lines()).filter(|(a, b)| a != b).count();
    assert_eq!(differing, 1);
}

#[test]
fn the_policy_moves_clause_and_acceptance_together() {
    let two = r#"{"todos":[{"content":"a","status":"in_progress"},{"content":"b","status":"in_progress"}]}"#;
    for setting in [None, Some(true), Some(false)] {
        let says_several = offer(setting).description.contains(SEVERAL);
        let takes_several = dsh().parse("todo_write", two, &rules(setting)).is_ok();
        assert_eq!(says_several, takes_several, "{setting:?}");
    }
}

#[test]
fn the_schema_is_plain_and_its_bytes_stand() {
    let tool = offer(None);
    assert_snapshot!(tool.schema.get(), @r#"{"type":"object","properties":{"todos":{"type":"array","description":"The complete list. It replaces the previous one.","items":{"type":"object","properties":{"content":{"type":"string","description":"What to do: one short imperative line, different from every other."},"status":{"type":"string","enum":["pending","in_progress","completed"]}},"required":["content","status"],"additionalProperties":false}}},"required":["todos"]}"#);
    for absent in ["$ref", "minItems", "maxItems", "maxLength", "anyOf", "format"] {
        assert!(!tool.schema.get().contains(absent), "{absent}");
    }
    let schema: serde_json::Value = serde_json::from_str(tool.schema.get()).unwrap();
    assert!(schema.get("additionalProperties").is_none());
    assert_eq!(offer(Some(true)).schema.get(), tool.schema.get());
}

/// A fenced block of the page.
fn block(text: &str, language: &str) -> String {
    format!("```{language}\n{text}\n```\n")
}

#[test]
fn the_page_shows_what_the_model_sees() {
    let (several, one) = (offer(Some(true)), offer(Some(false)));
    let clause = one.description.lines().find(|line| line.contains(ONE)).unwrap();
    for shown in [block(&several.description, "text"), block(clause, "text"), block(several.schema.get(), "json")] {
        assert!(PAGE.contains(&shown), "docs/tools/dsh.md must hold, word for word:\n{shown}");
    }
    let sizes = [
        ("description, several allowed", several.description.len()),
        ("description, one at most", one.description.len()),
        ("schema", one.schema.get().len()),
    ];
    for (what, bytes) in sizes {
        let row = format!("| {what} | {bytes} |");
        assert!(PAGE.contains(&row), "docs/tools/dsh.md must hold \"{row}\"; count its tokens again too");
    }
}

/// The answers in the page's tables are the dialect's.
#[test]
fn the_page_shows_what_the_model_is_answered() {
    let bounds = ListBounds::default();
    let item = |content: &str| format!(r#"{{"content":"{content}","status":"in_progress"}}"#);
    let todos = |items: &[String]| format!(r#"{{"todos":[{}]}}"#, items.join(","));
    let long: Vec<String> = (0..5).map(|i| item(&format!("{i}{}", "x".repeat(13_999)))).collect();
    let calls = [
        "[]".to_owned(),
        "{}".to_owned(),
        r#"{"todos":1}"#.to_owned(),
        r#"{"todos":[1]}"#.to_owned(),
        r#"{"todos":[{"status":"pending"}]}"#.to_owned(),
        r#"{"todos":[{"content":1,"status":"pending"}]}"#.to_owned(),
        r#"{"todos":[{"content":"a","status":"done"}]}"#.to_owned(),
        r#"{"todos":[{"content":"a","status":"pending","id":1}]}"#.to_owned(),
        todos(&[item(" ")]),
        todos(&[item("Run the tests"), item("Run the tests")]),
        todos(&[item("a"), item("b")]),
        todos(&vec![item("a"); bounds.max_items + 1]),
        todos(&[item("a"), item("b"), item("c"), item(&"x".repeat(20_000))]),
        todos(&long),
        format!("{{\"x\":{}{}}}", "[".repeat(bounds.max_depth), "]".repeat(bounds.max_depth)),
    ];
    let refusals = calls.iter().map(|call| dsh().parse("todo_write", call, &rules(Some(false))).unwrap_err());
    for refusal in refusals.chain([dsh().no_owner("todo_write")]) {
        let answer = refusal.text.strip_prefix("Error: ").unwrap();
        assert!(PAGE.contains(&format!("`{answer}`")), "docs/tools/dsh.md must hold: {answer}");
    }
}

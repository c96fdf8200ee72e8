//! Arguments written to hurt, and arguments nobody thought of.

use std::collections::HashSet;

use proptest::prelude::*;
use runsheet_core::dialect::{ListBounds, Refusal, Rules};
use serde_json::{Value, json};

use crate::dialect_dsh::{dsh, list_of, rules, write};

/// No answer grows with what it answers: 20 violations, each with a cut key.
const MAX_ANSWER: usize = 8 * 1024;

fn refused(arguments: &str) -> Refusal {
    let refusal = write(arguments, &rules(None)).unwrap_err();
    assert!(refusal.text.len() <= MAX_ANSWER, "{} bytes", refusal.text.len());
    refusal
}

#[test]
fn nesting_takes_no_stack() {
    let deep = 2_500_000;
    // A stack this small does not survive a recursion of a few hundred levels, let alone millions.
    let small = std::thread::Builder::new().stack_size(256 * 1024);
    let run = small.spawn(move || {
        assert_eq!(refused(&"[".repeat(deep)).code, Refusal::INVALID_ARGS);
        let nested = format!("{{\"x\":{}{},\"todos\":[]}}", "[".repeat(deep), "]".repeat(deep));
        assert_eq!(
            refused(&nested).text,
            "Error: invalid arguments: 2500001 levels of nesting, at most 16 (todo.max_depth)"
        );
        let bounds = ListBounds { max_depth: usize::MAX, ..ListBounds::default() };
        let unbounded = Rules { bounds, ..rules(None) };
        assert!(write(&nested, &unbounded).unwrap().0.is_empty());
    });
    run.unwrap().join().unwrap();
}

#[test]
fn brackets_in_strings_are_no_nesting() {
    let contents = ["[[[[[[[[[[[[[[[[[[[[", "\"{{{{{{{{{{{{{{{{{{{{\\", "\\\"[[[[[[[[[[[[[[[[[["];
    assert_eq!(write(&list_of(&contents), &rules(None)).unwrap().0.len(), 3);
}

#[test]
fn megabytes_get_a_short_answer() {
    let many = |what: &str, n: usize| vec![what; n].join(",");
    let texts = [
        format!(r#"{{"todos":[{}]}}"#, many("1", 2_000_000)),
        format!(r#"{{"todos":[{}]}}"#, many("1", 1_000)),
        format!(r#"{{"todos":[{{{}}}]}}"#, many(r#""k":1"#, 700_000)),
        format!(r#"{{{}}}"#, many(r#""todos":1"#, 500_000)),
        format!(r#"{{"todos":[{{"{}":1}}]}}"#, "k".repeat(5_000_000)),
        format!(r#"{{"todos":[{{"content":"{}","status":"pending"}}]}}"#, "k".repeat(5_000_000)),
        format!(r#"{{"todos":[{{"content":"a","status":"{}"}}]}}"#, "k".repeat(5_000_000)),
        format!(r#"{{"todos":{}}}"#, "9".repeat(5_000_000)),
        list_of(&vec!["写".repeat(5_000); 300]),
        "x".repeat(5_000_000),
    ];
    for text in texts {
        refused(&text);
    }
    let keys: Vec<String> = (0..25_000).map(|i| format!(r#""{i}-{}":1"#, "é".repeat(100))).collect();
    let refusal = refused(&format!(r#"{{"todos":[{{{}}}]}}"#, keys.join(",")));
    assert!(refusal.text.ends_with("; and 24982 more"), "{}", refusal.text);
}

#[test]
fn white_space_around_a_content_does_not_count() {
    let padded = format!("{}a{}", " ".repeat(1_000_000), "\u{feff}".repeat(100_000));
    assert_eq!(write(&list_of(&[padded]), &rules(None)).unwrap().0.0[0].content, "a");
}

#[test]
fn a_list_over_its_bytes_is_refused() {
    let contents: Vec<String> = (0..5).map(|i| format!("{i}{}", "x".repeat(16_000))).collect();
    assert_eq!(
        refused(&list_of(&contents)).text,
        "Error: invalid todos: 80005 bytes of content, at most 65536 (todo.max_list_bytes)"
    );
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::hash_map(key(), inner, 0..6).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![Just("todos".to_owned()), Just("content".to_owned()), Just("status".to_owned()), any::<String>()]
}

fn content() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-c \u{feff}\u{85}\u{3000}\n]{0,4}",
        1 => any::<String>(),
    ]
}

/// Lists that are mostly right, so that the rules behind the shape are reached.
fn near_list() -> impl Strategy<Value = Value> {
    let status = prop_oneof![
        8 => prop::sample::select(vec!["pending", "in_progress", "completed"]).prop_map(Value::from),
        1 => Just(json!("doing")),
    ];
    let item = (content(), status).prop_map(|(content, status)| json!({"content": content, "status": status}));
    prop::collection::vec(prop_oneof![30 => item, 1 => any_json()], 0..5).prop_map(|todos| json!({ "todos": todos }))
}

/// What holds of every answer.
fn holds(arguments: &str, parallel: Option<bool>) -> Result<(), TestCaseError> {
    let rules = rules(parallel);
    match write(arguments, &rules) {
        Ok((list, text)) => {
            let distinct: HashSet<&str> = list.iter().map(|item| item.content.as_str()).collect();
            prop_assert_eq!(distinct.len(), list.len());
            for item in &list {
                let edges = [item.content.chars().next(), item.content.chars().next_back()];
                for edge in edges {
                    let edge = edge.expect("not blank");
                    prop_assert!(edge == '\u{85}' || !edge.is_whitespace() && edge != '\u{feff}', "{:?}", item.content);
                }
            }
            let counts = list.counts();
            let expected = format!(
                "Updated todo list: {} pending, {} in progress, {} completed.",
                counts.pending, counts.in_progress, counts.completed
            );
            prop_assert_eq!(text, expected);
            prop_assert!(rules.parallel.allowed || counts.in_progress <= 1);
            // What was accepted is accepted again, unchanged.
            let again = serde_json::to_string(&json!({ "todos": list })).unwrap();
            prop_assert_eq!(write(&again, &rules).map(|(list, _)| list), Ok(list));
        }
        Err(refusal) => {
            prop_assert!(refusal.text.starts_with("Error: "));
            prop_assert!(refusal.text.len() <= MAX_ANSWER);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_answered(arguments in any::<String>(), tool in any::<String>()) {
        holds(&arguments, None)?;
        prop_assert!(dsh().parse(&tool, &arguments, &rules(None)).is_err());
    }

    #[test]
    fn any_bytes_are_answered(arguments in prop::collection::vec(any::<u8>(), 0..200)) {
        holds(&String::from_utf8_lossy(&arguments), None)?;
    }

    #[test]
    fn any_json_is_answered(arguments in any_json()) {
        holds(&arguments.to_string(), Some(false))?;
    }

    #[test]
    fn near_lists_are_answered(arguments in near_list(), parallel in any::<Option<bool>>()) {
        holds(&arguments.to_string(), parallel)?;
    }

    #[test]
    fn a_cut_list_is_answered(arguments in near_list(), cut in any::<prop::sample::Index>()) {
        let text = arguments.to_string();
        let end = text.floor_char_boundary(cut.index(text.len()));
        let refusal = write(&text[..end], &rules(None)).unwrap_err();
        prop_assert_eq!(refusal.text, "Error: invalid arguments: \"arguments\" must be an object");
    }
}

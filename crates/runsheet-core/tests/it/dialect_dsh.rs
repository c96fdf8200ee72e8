//! What `dsh` answers: every failure, every edge of its texts, its policy, our bounds.

use insta::assert_snapshot;
use runsheet_core::dialect::{self, Dialect, ListBounds, Parsed, Refusal, Rules, dialect};
use runsheet_core::todo::{ListLifetime, Status, TodoItem, TodoList};

pub(crate) fn dsh() -> &'static dyn Dialect {
    dialect("dsh").unwrap()
}

pub(crate) fn rules(parallel: Option<bool>) -> Rules {
    Rules { parallel: dsh().parallel(parallel), bounds: ListBounds::default() }
}

pub(crate) fn write(arguments: &str, rules: &Rules) -> Result<(TodoList, String), Refusal> {
    let parsed = dsh().parse("todo_write", arguments, rules)?;
    let resolved = dsh().resolve(&parsed, None, rules)?;
    Ok((resolved.todos, resolved.text))
}

fn answer(arguments: &str, rules: &Rules) -> String {
    write(arguments, rules).map_or_else(|refusal| format!("{}: {}", refusal.code, refusal.text), |(_, text)| text)
}

/// The answer to a call as the model sees it, a refusal with its code in front; several in parallel allowed.
fn check(arguments: &str) -> String {
    answer(arguments, &rules(None))
}

/// The same with only these items, all pending.
fn check_contents(contents: &[&str]) -> String {
    check(&list_of(contents))
}

fn check_bounds(arguments: &str, bounds: ListBounds) -> String {
    answer(arguments, &Rules { bounds, ..rules(None) })
}

pub(crate) fn list_of<T: AsRef<str>>(contents: &[T]) -> String {
    let todos: Vec<_> =
        contents.iter().map(|content| serde_json::json!({"content": content.as_ref(), "status": "pending"})).collect();
    serde_json::json!({ "todos": todos }).to_string()
}

fn accepted(arguments: &str) -> TodoList {
    write(arguments, &rules(None)).unwrap().0
}

const TWO_RUNNING: &str = r#"{"todos":[{"content":"a","status":"in_progress"},{"content":"b","status":"in_progress"},{"content":"c","status":"pending"}]}"#;
const ONE_RUNNING: &str = r#"{"todos":[{"content":"a","status":"completed"},{"content":"b","status":"in_progress"},{"content":"c","status":"pending"}]}"#;

#[test]
fn success_counts() {
    assert_snapshot!(check(ONE_RUNNING), @"Updated todo list: 1 pending, 1 in progress, 1 completed.");
    assert_snapshot!(check(TWO_RUNNING), @"Updated todo list: 1 pending, 2 in progress, 0 completed.");
    assert_snapshot!(check(r#"{"todos":[]}"#), @"Updated todo list: 0 pending, 0 in progress, 0 completed.");
    assert_snapshot!(check(r#"{"todos":[{"content":"a","status":"completed"}]}"#), @"Updated todo list: 0 pending, 0 in progress, 1 completed.");
    let many: Vec<String> = (0..300).map(|i| format!("step {i}")).collect();
    assert_snapshot!(check(&list_of(&many)), @"Updated todo list: 300 pending, 0 in progress, 0 completed.");
}

#[test]
fn failure_01_arguments_are_no_object() {
    let expected = r#"INVALID_ARGS: Error: invalid arguments: "arguments" must be an object"#;
    let wrong = [
        "",
        " ",
        "null",
        "nul",
        "todos: none",
        "5",
        "\"{}\"",
        "true",
        "[]",
        "[{}]",
        "{",
        "{}}",
        "{} {}",
        "{'todos':[]}",
        "{\"todos\":[],}",
        "\u{feff}{\"todos\":[]}",
        "{\"todos\":[{\"content\":\"a\nb\",\"status\":\"pending\"}]}",
        "NaN",
    ];
    for arguments in wrong {
        assert_eq!(check(arguments), expected, "{arguments:?}");
    }
}

#[test]
fn failure_02_todos_missing() {
    assert_snapshot!(check("{}"), @r#"INVALID_ARGS: Error: invalid arguments: missing required property "todos""#);
    assert_snapshot!(check(r#"{"Todos":[],"items":[]}"#), @r#"INVALID_ARGS: Error: invalid arguments: missing required property "todos""#);
}

#[test]
fn failure_03_todos_no_array() {
    assert_snapshot!(check(r#"{"todos":"nope"}"#), @r#"INVALID_ARGS: Error: invalid arguments: "todos" must be an array"#);
    assert_snapshot!(check(r#"{"todos":null}"#), @r#"INVALID_ARGS: Error: invalid arguments: "todos" must be an array"#);
    assert_snapshot!(check(r#"{"todos":{"0":{}}}"#), @r#"INVALID_ARGS: Error: invalid arguments: "todos" must be an array"#);
    assert_snapshot!(check(r#"{"todos":-0}"#), @r#"INVALID_ARGS: Error: invalid arguments: "todos" must be an array"#);
    // Too big for any number type of ours; JavaScript reads Infinity.
    assert_snapshot!(check(r#"{"todos":1e999}"#), @r#"INVALID_ARGS: Error: invalid arguments: "todos" must be an array"#);
}

#[test]
fn failure_04_item_no_object() {
    assert_snapshot!(check(r#"{"todos":[null]}"#), @r#"INVALID_ARGS: Error: invalid arguments: "todos[0]" must be an object"#);
    assert_snapshot!(
        check(r#"{"todos":[{"content":"a","status":"pending"},5,[],"x"]}"#),
        @r#"INVALID_ARGS: Error: invalid arguments: "todos[1]" must be an object; "todos[2]" must be an object; "todos[3]" must be an object"#
    );
}

#[test]
fn failure_05_missing_in_an_item() {
    assert_snapshot!(check(r#"{"todos":[{"status":"pending"}]}"#), @r#"INVALID_ARGS: Error: invalid arguments: missing required property "todos[0].content""#);
    assert_snapshot!(check(r#"{"todos":[{"content":"a"}]}"#), @r#"INVALID_ARGS: Error: invalid arguments: missing required property "todos[0].status""#);
    assert_snapshot!(check(r#"{"todos":[{}]}"#), @r#"INVALID_ARGS: Error: invalid arguments: missing required property "todos[0].content"; missing required property "todos[0].status""#);
}

#[test]
fn failure_06_content_no_string() {
    for content in ["5", "null", "[]", "{}", "true", "[97]"] {
        assert_eq!(
            check(&format!(r#"{{"todos":[{{"content":{content},"status":"pending"}}]}}"#)),
            r#"INVALID_ARGS: Error: invalid arguments: "todos[0].content" must be a string"#
        );
    }
}

#[test]
fn failure_07_bad_status() {
    assert_snapshot!(check(r#"{"todos":[{"content":"a","status":"doing"}]}"#), @r#"INVALID_ARGS: Error: invalid arguments: "todos[0].status" must be one of ["pending","in_progress","completed"]"#);
    assert_snapshot!(check(r#"{"todos":[{"content":"a","status":"cancelled"}]}"#), @r#"INVALID_ARGS: Error: invalid arguments: "todos[0].status" must be one of ["pending","in_progress","completed"]"#);
    assert_snapshot!(check(r#"{"todos":[{"content":"a","status":" pending"}]}"#), @r#"INVALID_ARGS: Error: invalid arguments: "todos[0].status" must be one of ["pending","in_progress","completed"]"#);
    // Its type is looked at before its value.
    assert_snapshot!(check(r#"{"todos":[{"content":"a","status":5}]}"#), @r#"INVALID_ARGS: Error: invalid arguments: "todos[0].status" must be a string"#);
    assert_snapshot!(check(r#"{"todos":[{"content":"a","status":null}]}"#), @r#"INVALID_ARGS: Error: invalid arguments: "todos[0].status" must be a string"#);
}

#[test]
fn failure_08_extra_item_key() {
    assert_snapshot!(check(r#"{"todos":[{"id":"1","content":"a","status":"pending"}]}"#), @r#"INVALID_ARGS: Error: invalid arguments: "todos[0].id" is not a declared property (additionalProperties: false)"#);
    assert_snapshot!(check(r#"{"todos":[{"content":"a","status":"pending","children":[]}]}"#), @r#"INVALID_ARGS: Error: invalid arguments: "todos[0].children" is not a declared property (additionalProperties: false)"#);
    // Keys in the order written, array indices first, each once, none escaped.
    assert_snapshot!(
        check(r#"{"todos":[{"z":1,"content":"a","a":1,"2":1,"status":"pending","1":1,"z":2,"写":1,"q\"":1,"01":1}]}"#),
        @r#"INVALID_ARGS: Error: invalid arguments: "todos[0].1" is not a declared property (additionalProperties: false); "todos[0].2" is not a declared property (additionalProperties: false); "todos[0].z" is not a declared property (additionalProperties: false); "todos[0].a" is not a declared property (additionalProperties: false); "todos[0].写" is not a declared property (additionalProperties: false); "todos[0].q"" is not a declared property (additionalProperties: false); "todos[0].01" is not a declared property (additionalProperties: false)"#
    );
}

#[test]
fn violations_join_in_walk_order() {
    assert_snapshot!(
        check(r#"{"todos":[{"id":1,"status":"doing"},{"content":"a","status":"pending"},7,{"priority":1,"content":5}]}"#),
        @r#"INVALID_ARGS: Error: invalid arguments: missing required property "todos[0].content"; "todos[0].status" must be one of ["pending","in_progress","completed"]; "todos[0].id" is not a declared property (additionalProperties: false); "todos[2]" must be an object; missing required property "todos[3].status"; "todos[3].content" must be a string; "todos[3].priority" is not a declared property (additionalProperties: false)"#
    );
}

#[test]
fn failure_09_blank_content() {
    let expected = "INVALID_TODOS: Error: invalid todo: `content` must be a non-empty string";
    for content in
        ["", " ", "\n\t\r", "\u{feff}\u{3000}\u{a0} ", "\u{2028}\u{2029}\u{1680}\u{2003}\u{202f}\u{205f}\u{b}\u{c}"]
    {
        assert_eq!(check_contents(&["a", content]), expected, "{content:?}");
    }
    // Blank to Rust, not to JavaScript; and the other way about it is in the list above.
    assert_eq!(accepted(&list_of(&["\u{85}"])), TodoList(vec![TodoItem::new("\u{85}", Status::Pending)]));
    assert_snapshot!(check_contents(&["\u{200b}"]), @"Updated todo list: 1 pending, 0 in progress, 0 completed.");
}

#[test]
fn failure_10_duplicate_content() {
    assert_snapshot!(check_contents(&["a", "b", " a\u{feff}"]), @r#"INVALID_TODOS: Error: invalid todos: duplicate content "a""#);
    assert_snapshot!(check_contents(&["写修复", "写修复"]), @r#"INVALID_TODOS: Error: invalid todos: duplicate content "写修复""#);
    assert_snapshot!(check_contents(&["q\"z", "q\"z"]), @r#"INVALID_TODOS: Error: invalid todos: duplicate content "q\"z""#);
    assert_snapshot!(check_contents(&["a\nb\u{1}", "a\nb\u{1}"]), @r#"INVALID_TODOS: Error: invalid todos: duplicate content "a\nb\u0001""#);
    assert_snapshot!(
        check(r#"{"todos":[{"content":"a","status":"completed"},{"content":"a","status":"pending"}]}"#),
        @r#"INVALID_TODOS: Error: invalid todos: duplicate content "a""#
    );
}

#[test]
fn failures_of_items_come_in_list_order() {
    assert_snapshot!(check_contents(&["a", "a", " "]), @r#"INVALID_TODOS: Error: invalid todos: duplicate content "a""#);
    assert_snapshot!(check_contents(&["a", " ", "a"]), @"INVALID_TODOS: Error: invalid todo: `content` must be a non-empty string");
    // A wrong shape anywhere comes before a wrong value.
    assert_snapshot!(
        check(r#"{"todos":[{"content":" ","status":"pending"},{"content":"a","status":"x"}]}"#),
        @r#"INVALID_ARGS: Error: invalid arguments: "todos[1].status" must be one of ["pending","in_progress","completed"]"#
    );
}

#[test]
fn failure_11_follows_the_policy() {
    assert_snapshot!(answer(TWO_RUNNING, &rules(Some(false))), @"INVALID_TODOS: Error: invalid todos: at most one task may be in_progress (got 2)");
    assert_snapshot!(answer(ONE_RUNNING, &rules(Some(false))), @"Updated todo list: 1 pending, 1 in progress, 1 completed.");
    assert_snapshot!(answer(TWO_RUNNING, &rules(Some(true))), @"Updated todo list: 1 pending, 2 in progress, 0 completed.");
    assert_snapshot!(answer(TWO_RUNNING, &rules(None)), @"Updated todo list: 1 pending, 2 in progress, 0 completed.");
    // After the items themselves.
    let duplicate = r#"{"todos":[{"content":"a","status":"in_progress"},{"content":"a","status":"in_progress"}]}"#;
    assert_snapshot!(answer(duplicate, &rules(Some(false))), @r#"INVALID_TODOS: Error: invalid todos: duplicate content "a""#);
}

#[test]
fn failure_12_no_owner() {
    let refusal = dsh().no_owner("todo_write");
    assert_eq!(refusal.code, Refusal::NO_OWNER);
    assert_snapshot!(refusal.text, @"Error: todo_write requires an owning agent session");
}

#[test]
fn unknown_tool() {
    let refusal = dsh().parse("todo_read", "{}", &rules(None)).unwrap_err();
    assert_eq!(refusal.code, Refusal::UNKNOWN_TOOL);
    assert_snapshot!(refusal.text, @r#"Error: unknown tool "todo_read""#);
}

#[test]
fn content_is_kept_trimmed_and_else_as_written() {
    let list = accepted(&list_of(&[
        "  padded\u{feff}",
        "two\nlines \"quoted\"",
        "A",
        "a",
        "\u{e9}",
        "e\u{301}",
        "写修复",
        "\u{1b}[31mred\u{0}",
    ]));
    let contents: Vec<&str> = list.iter().map(|item| item.content.as_str()).collect();
    assert_eq!(
        contents,
        ["padded", "two\nlines \"quoted\"", "A", "a", "\u{e9}", "e\u{301}", "写修复", "\u{1b}[31mred\u{0}"]
    );
}

#[test]
fn a_list_replaces_the_one_before() {
    let old = accepted(&list_of(&["old"]));
    let parsed = dsh().parse("todo_write", &list_of(&["new"]), &rules(None)).unwrap();
    let resolved = dsh().resolve(&parsed, Some(&old), &rules(None)).unwrap();
    assert_eq!(Parsed::Replace { todos: resolved.todos, explanation: resolved.explanation }, parsed);
}

#[test]
fn unknown_root_keys_are_ignored() {
    assert_snapshot!(
        check(r#"{"explanation":["x",{"y":1e999}],"todos":[{"content":"a","status":"pending"}],"":null}"#),
        @"Updated todo list: 1 pending, 0 in progress, 0 completed."
    );
}

#[test]
fn of_a_key_that_comes_twice_the_last_counts() {
    let list = accepted(
        r#"{"todos":7,"todos":[{"content":"x","status":"pending","content":"a","status":5,"st\u0061tus":"completed"}]}"#,
    );
    assert_eq!(list, TodoList(vec![TodoItem::new("a", Status::Completed)]));
    assert_snapshot!(check(r#"{"todos":[],"todos":7}"#), @r#"INVALID_ARGS: Error: invalid arguments: "todos" must be an array"#);
}

#[test]
fn a_lone_surrogate_becomes_a_replacement_character() {
    let list = accepted(r#"{"\udc00":1,"todos":[{"content":"a\ud83db\ud83d\ude00\udc00\ud800","status":"pending"}]}"#);
    assert_eq!(list.0[0].content, "a\u{fffd}b😀\u{fffd}\u{fffd}");
}

#[test]
fn bounds_name_their_setting() {
    let of = |max_items, max_item_bytes, max_list_bytes, max_depth| ListBounds {
        max_items,
        max_item_bytes,
        max_list_bytes,
        max_depth,
    };
    let abc = list_of(&["aaaa", "  bbbb  ", "cccc"]);
    assert_snapshot!(check_bounds(&abc, of(3, 4, 12, 3)), @"Updated todo list: 3 pending, 0 in progress, 0 completed.");
    assert_snapshot!(check_bounds(&abc, of(2, 4, 12, 3)), @"TOO_BIG: Error: invalid todos: 3 items, at most 2 (todo.max_items)");
    assert_snapshot!(check_bounds(&abc, of(3, 3, 12, 3)), @"TOO_BIG: Error: invalid todo: todos[0].content is 4 bytes, at most 3 (todo.max_item_bytes)");
    assert_snapshot!(check_bounds(&abc, of(3, 4, 11, 3)), @"TOO_BIG: Error: invalid todos: 12 bytes of content, at most 11 (todo.max_list_bytes)");
    assert_snapshot!(check_bounds(&abc, of(3, 4, 12, 2)), @"TOO_BIG: Error: invalid arguments: 3 levels of nesting, at most 2 (todo.max_depth)");
    let default = ListBounds::default();
    let items: Vec<String> = (0..=default.max_items).map(|i| i.to_string()).collect();
    assert_snapshot!(check(&list_of(&items)), @"TOO_BIG: Error: invalid todos: 1001 items, at most 1000 (todo.max_items)");
    assert_snapshot!(check(&list_of(&items[1..])), @"Updated todo list: 1000 pending, 0 in progress, 0 completed.");
    assert_snapshot!(check_contents(&["a", "b", "c", &"x".repeat(16_385)]), @"TOO_BIG: Error: invalid todo: todos[3].content is 16385 bytes, at most 16384 (todo.max_item_bytes)");
}

#[test]
fn long_foreign_text_is_cut() {
    let whole = "é".repeat(512);
    assert_eq!(
        check_contents(&[&whole, &whole]),
        format!("INVALID_TODOS: Error: invalid todos: duplicate content \"{whole}\"")
    );
    let long = format!("{whole}写");
    assert_eq!(
        check_contents(&[&long, &long]),
        format!("INVALID_TODOS: Error: invalid todos: duplicate content \"{whole}…\"")
    );
    let key = "k".repeat(200);
    assert_eq!(
        check(&format!(r#"{{"todos":[{{"content":"a","status":"pending","{key}":1}}]}}"#)),
        format!(
            r#"INVALID_ARGS: Error: invalid arguments: "todos[0].{}…" is not a declared property (additionalProperties: false)"#,
            &key[..128]
        )
    );
}

#[test]
fn many_violations_are_counted() {
    let many = check(&format!(r#"{{"todos":[{}]}}"#, ["1"; 25].join(",")));
    assert!(many.ends_with(r#"; "todos[19]" must be an object; and 5 more"#), "{many}");
    let keys: Vec<String> = (0..25).map(|i| format!(r#""k{i}":1"#)).collect();
    let many = check(&format!(r#"{{"todos":[{{{}}},1]}}"#, keys.join(",")));
    // Two are missing, 18 of the 25 keys fit, and the second item comes after them.
    assert!(
        many.ends_with(r#""todos[0].k17" is not a declared property (additionalProperties: false); and 8 more"#),
        "{many}"
    );
}

#[test]
fn it_is_the_default() {
    assert_eq!(dialect(dialect::DEFAULT).unwrap().name(), "dsh");
    assert_eq!(dialect::dialects()[0].name(), dialect::DEFAULT);
    assert!(dialect("").is_none());
    assert_eq!(dsh().lifetime(), ListLifetime::Turn);
}

//! The layers, and what is wrong with them.

use crate::harness::{Place, check, todos, wrote};

/// What stands in each layer.
#[derive(Default)]
struct Layers<'a> {
    user: &'a str,
    project: &'a str,
    env: &'a [(&'a str, &'a str)],
    flags: &'a [&'a str],
}

/// What the layers come to, without the keys that nothing sets.
fn resolved(layers: &Layers<'_>) -> String {
    let place = Place::new();
    for (path, text) in [(".config/runsheet/config.toml", layers.user), ("project/.runsheet.toml", layers.project)] {
        if !text.is_empty() {
            place.write(path, text);
        }
    }
    let args: Vec<&str> = [layers.flags, &["config", "show", "--origins"]].concat();
    let mut command = place.command(&args);
    let output = command.envs(layers.env.iter().copied()).output().unwrap();
    let shown = place.plain(&output);
    let set = shown.lines().filter(|line| !line.ends_with("  default"));
    // Blanks that only align are one.
    set.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

#[test]
fn later_layers_win() {
    let user = "[todo]\nmax_items = 1\nmax_depth = 10\nmax_item_bytes = 11\nmax_list_bytes = 12\n";
    let project = "[todo]\nmax_items = 2\nmax_item_bytes = 22\nallow_parallel_in_progress = false\n";
    let env =
        &[("RUNSHEET_TODO_MAX_ITEMS", "3"), ("RUNSHEET_STORE_PATH", "/from/env"), ("RUNSHEET_MCP_STRUCTURED", "")];
    let flags = &["--store", "/from/flag"];
    check!(resolved(&Layers { user, project, env, flags }), @r#"
    todo.allow_parallel_in_progress false [home]/project/.runsheet.toml
    todo.max_items 3 RUNSHEET_TODO_MAX_ITEMS
    todo.max_item_bytes 22 [home]/project/.runsheet.toml
    todo.max_list_bytes 12 [home]/.config/runsheet/config.toml
    todo.max_depth 10 [home]/.config/runsheet/config.toml
    store.path "/from/flag" --store
    exit 0
    "#);
    check!(resolved(&Layers { user, project, ..Layers::default() }), @r"
    todo.allow_parallel_in_progress false [home]/project/.runsheet.toml
    todo.max_items 2 [home]/project/.runsheet.toml
    todo.max_item_bytes 22 [home]/project/.runsheet.toml
    todo.max_list_bytes 12 [home]/.config/runsheet/config.toml
    todo.max_depth 10 [home]/.config/runsheet/config.toml
    exit 0
    ");
    check!(resolved(&Layers::default()), @"exit 0");
}

#[test]
fn a_project_widens_no_trust() {
    let project = "[store]\npath = \"/elsewhere\"\ndurability = \"normal\"\n[serve]\nbind = \"0.0.0.0\"\nport = 1\n\
                   [mcp]\nanonymous = \"share\"\nstructured = true\nmax_sessions = 9\nmax_body_bytes = 9999\n";
    check!(resolved(&Layers { project, ..Layers::default() }), @r"
    mcp.structured true [home]/project/.runsheet.toml
    WARN `mcp.anonymous` is ignored in [home]/project/.runsheet.toml: a project's file cannot set it, your own configuration can
    WARN `mcp.max_body_bytes` is ignored in [home]/project/.runsheet.toml: a project's file cannot set it, your own configuration can
    WARN `mcp.max_sessions` is ignored in [home]/project/.runsheet.toml: a project's file cannot set it, your own configuration can
    WARN `serve.bind` is ignored in [home]/project/.runsheet.toml: a project's file cannot set it, your own configuration can
    WARN `serve.port` is ignored in [home]/project/.runsheet.toml: a project's file cannot set it, your own configuration can
    WARN `store.durability` is ignored in [home]/project/.runsheet.toml: a project's file cannot set it, your own configuration can
    WARN `store.path` is ignored in [home]/project/.runsheet.toml: a project's file cannot set it, your own configuration can
    exit 0
    ");
}

#[test]
fn what_is_wrong_is_named() {
    let user = |user| resolved(&Layers { user, ..Layers::default() });
    let env = |name, value| resolved(&Layers { env: &[(name, value)], ..Layers::default() });
    check!(user("[todo]\nmax_itms = 3\n"), @r"
    error: [home]/.config/runsheet/config.toml: there is no key `todo.max_itms`
    hint: did you mean `todo.max_items`?
    exit 2
    ");
    check!(user("[todos]\n"), @r"
    error: [home]/.config/runsheet/config.toml: there is no key `todos`
    hint: its keys are in the sections todo, mcp, store and serve
    exit 2
    ");
    check!(user("todo = 3\n"), @r"
    error: [home]/.config/runsheet/config.toml: `todo` is a section, not a key
    hint: write its keys below a line `[todo]`
    exit 2
    ");
    check!(user("max_depth = 3\n"), @r"
    error: [home]/.config/runsheet/config.toml: there is no key `max_depth`
    hint: did you mean `todo.max_depth`?
    exit 2
    ");
    check!(user("[todo\n"), @r"
    error: [home]/.config/runsheet/config.toml: line 1 is not TOML: unclosed table, expected `]`
    hint: correct the line and try again
    exit 2
    ");
    check!(user("[todo]\nmax_items = 0\n"), @r"
    error: [home]/.config/runsheet/config.toml: `todo.max_items` takes a whole number from 1 to 100000, not the number 0
    hint: without it, the default holds: 1000
    exit 2
    ");
    check!(user("[todo]\nmax_items = -1\n"), @r"
    error: [home]/.config/runsheet/config.toml: `todo.max_items` takes a whole number from 1 to 100000, not the number -1
    hint: without it, the default holds: 1000
    exit 2
    ");
    check!(user("[todo]\ndialect = \"klingon\"\n"), @r#"
    error: [home]/.config/runsheet/config.toml: `todo.dialect` takes "dsh", not the text "klingon"
    hint: without it, the default holds: "dsh"
    exit 2
    "#);
    check!(user("[serve]\nbind = \"everywhere\"\n"), @r#"
    error: [home]/.config/runsheet/config.toml: `serve.bind` takes an IP address, not the text "everywhere"
    hint: without it, the default holds: "127.0.0.1"
    exit 2
    "#);
    check!(env("RUNSHEET_TODO_ALLOW_PARALLEL_IN_PROGRESS", "maybe"), @r#"
    error: RUNSHEET_TODO_ALLOW_PARALLEL_IN_PROGRESS: `todo.allow_parallel_in_progress` takes true or false, not "maybe"
    hint: without it, the default holds: the dialect's own rule
    exit 2
    "#);
    check!(env("RUNSHEET_TODO_MAX_ITMS", "3"), @r"
    WARN the variable RUNSHEET_TODO_MAX_ITMS sets nothing; did you mean RUNSHEET_TODO_MAX_ITEMS?
    exit 0
    ");
    check!(resolved(&Layers { flags: &["--config", "nowhere.toml"], ..Layers::default() }), @r"
    error: nowhere.toml: cannot be read: there is no such file
    hint: check the file, or name another with --config
    exit 2
    ");
    check!(resolved(&Layers { flags: &["--store", ""], ..Layers::default() }), @r#"
    error: --store: `store.path` takes a path, not ""
    hint: without it, the default holds: `$XDG_DATA_HOME/runsheet/runsheet.db` (`~/.local/share/runsheet/runsheet.db`)
    exit 2
    "#);
}

#[test]
fn a_project_s_file_that_does_not_load_is_left_out() {
    let project = |project| resolved(&Layers { project, ..Layers::default() });
    check!(project("[todo]\nmax_items = 3\nallow_parallel_in_progress = \"yes\"\n"), @r#"
    WARN [home]/project/.runsheet.toml: `todo.allow_parallel_in_progress` takes true or false, not the text "yes"; nothing of this project's file counts (without it, the default holds: the dialect's own rule)
    exit 0
    "#);
    check!(project("[weather]\nx = \"\\u001b[31m\"\n"), @r"
    WARN [home]/project/.runsheet.toml: there is no key `weather.x`; nothing of this project's file counts (its keys are in the sections todo, mcp, store and serve)
    exit 0
    ");
    check!(project("[todo\n"), @r"
    WARN [home]/project/.runsheet.toml: line 1 is not TOML: unclosed table, expected `]`; nothing of this project's file counts (correct the line and try again)
    exit 0
    ");
    let place = Place::new();
    place.write("project/.runsheet.toml", "[weather]\n");
    wrote(&place, &place.path("project"), "opencode", &todos(&[("a", "pending")]));
    assert_eq!(place.json(&["ls", "--json"])["sessions"][0]["counts"]["pending"], 1);
}

#[test]
fn without_a_home_the_configuration_is_shown() {
    let place = Place::new();
    let mut command = place.command(&["config", "show"]);
    let shown = place.plain(&command.env_remove("HOME").output().unwrap());
    assert!(shown.contains("store.path") && shown.ends_with("exit 0\n"), "{shown}");
    let mut command = place.command(&["ls"]);
    check!(place.plain(&command.env_remove("HOME").output().unwrap()), @r"
    error: `store.path` is not set, and there is no home folder to take its default from
    hint: set HOME, or give a path with --store
    exit 2
    ");
}

#[test]
fn a_variable_that_is_no_key_s_sets_nothing() {
    let env = |name| resolved(&Layers { env: &[(name, "3")], ..Layers::default() });
    check!(env("RUNSHEET_TODO_MAXITEMS"), @r"
    WARN the variable RUNSHEET_TODO_MAXITEMS sets nothing; did you mean RUNSHEET_TODO_MAX_ITEMS?
    exit 0
    ");
    check!(env("RUNSHEET_WEATHER"), @"exit 0");
}

#[test]
fn a_project_is_found_upwards_and_not_at_home() {
    let place = Place::new();
    place.write(".runsheet.toml", "[todo]\nmax_items = 1\n");
    place.write("project/.runsheet.toml", "[todo]\nmax_items = 2\n");
    place.write("project/a/b/keep", "");
    place.write("other/keep", "");
    let items = |folder: &str| {
        let mut command = place.command(&["config", "show", "--json"]);
        let output = command.current_dir(place.path(folder)).output().unwrap();
        let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        shown["keys"]["todo.max_items"]["value"].as_u64().unwrap()
    };
    assert_eq!([items("project/a/b"), items("project"), items("other"), items("")], [2, 2, 1_000, 1_000]);
}

#[test]
fn a_relative_path_begins_at_its_file() {
    let place = Place::new();
    place.write(".config/runsheet/config.toml", "[store]\npath = \"my.db\"\n");
    let path = |place: &Place| place.json(&["config", "show", "--json"])["keys"]["store.path"]["value"].clone();
    assert_eq!(path(&place), place.path(".config/runsheet/my.db").to_str().unwrap());
    place.write(".config/runsheet/config.toml", "[store]\npath = \"~/my.db\"\n");
    assert_eq!(path(&place), place.path("my.db").to_str().unwrap());
}

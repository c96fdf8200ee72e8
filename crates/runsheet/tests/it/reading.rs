//! What was written, read in every way.

use std::{
    io::Read,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::harness::{Agent, Place, check, todos, wrote};

fn written() -> Place {
    let place = Place::new();
    let list =
        todos(&[("读代码", "completed"), ("Write the fix\u{1b}]0;x\u{7}", "in_progress"), ("\u{202e}z", "pending")]);
    wrote(&place, &place.path("project"), "codex-mcp-client", &list);
    wrote(&place, &place.path(""), "opencode", &todos(&[("a", "completed")]));
    place
}

#[test]
fn for_people() {
    let place = written();
    let session = place.json(&["ls", "--json"])["sessions"][1]["session"].as_str().unwrap().to_owned();
    check!(place.shown(&["ls"]), @r"
    ✓  done           1/1                             opencode 1.2.3  ~          [id] [age]
    ‖  ended, 2 open  1/3  Write the fix\x1b]0;x\x07  codex 1.2.3     ~/project  [id] [age]
    exit 0
    ");
    check!(place.shown(&["ls", "-n", "1"]), @r"
    ✓  done  1/1  opencode 1.2.3  ~  [id] [age]
    exit 0
    ");
    check!(place.shown(&["show", &session]), @r"
    Session  [id]
    ‖ ended, 2 open  codex 1.2.3  ~/project  turn 1

    To-dos 1/3
      ✓ 读代码
      ● Write the fix\x1b]0;x\x07
      ○ \u{202e}z
    exit 0
    ");
    check!(place.shown(&["log", &session]), @r#"
        0 [age]  session/created   {"format":1,"cwd":"[home]/project","agent":{"name":"codex","version":"1.2.3","dialect":"dsh"},"source":{"kind":"mcp"},"lifecycle":"observed"}
        1 [age]  turn/start        turn 1
        2 [age]  tool/call         todo_write
        3 [age]  todo/write        1/3 · Write the fix\x1b]0;x\x07
        4 [age]  tool/result       Updated todo list: 1 pending, 1 in progress, 1 completed.
        5 [age]  turn/end          turn 1 disconnected
    exit 0
    "#);
    check!(place.shown(&["store", "verify"]), @r"
    2 streams, 12 events: all is well
    exit 0
    ");
    check!(place.shown(&[]), @r#"
    Nothing is running.

    Before
      ✓  done           1/1                             opencode 1.2.3  ~          [id] [age]
      ‖  ended, 2 open  1/3  Write the fix\x1b]0;x\x07  codex 1.2.3     ~/project  [id] [age]
      `runsheet show <id>` shows a list, `runsheet ls` all sessions

    Connect an agent
      Codex             codex mcp add runsheet -- [exe] mcp
      Claude Code       claude mcp add --scope user runsheet -- [exe] mcp
      Gemini CLI        gemini mcp add --scope user --trust runsheet [exe] mcp
      opencode          opencode mcp add runsheet -- [exe] mcp
      DeepSeek Harness  dsh --patch runsheet.patch.yml, a file that says:
          - insert:
              - id: mcp-runsheet
                name: '@deepseek-ai/dsh-mcp-client'
                config: {serverName: runsheet, transport: stdio, command: "[exe]", args: [mcp]}

    Then `runsheet log --follow` prints what happens as it happens; `runsheet --help` has the rest.
    exit 0
    "#);
}

#[test]
fn for_programs() {
    let place = written();
    let sessions = place.json(&["ls", "--json"]);
    let entry = serde_json::to_string_pretty(&sessions["sessions"][1]).unwrap();
    check!(entry.replace(place.path("").to_str().unwrap(), "[home]/"), @r#"
    {
      "session": "[id]",
      "agent": {
        "name": "codex",
        "version": "1.2.3"
      },
      "cwd": "[home]/project",
      "title": null,
      "state": "paused",
      "counts": {
        "pending": 1,
        "inProgress": 1,
        "completed": 1,
        "cancelled": 0
      },
      "running": "Write the fix\u001b]0;x\u0007",
      "updated": "[time]"
    }
    "#);
    let session = sessions["sessions"][1]["session"].as_str().unwrap();
    let shown = place.json(&["show", session, "--json"]);
    let keys: Vec<&str> = shown.as_object().unwrap().keys().map(String::as_str).collect();
    check!(keys.join(" "), @"session agent cwd title state turn todos carried counts total plan alerts lists asOfSeq");
    assert_eq!(shown["carried"], Value::Null);
    assert_eq!(shown["todos"][1], json!({"content": "Write the fix\u{1b}]0;x\u{7}", "status": "in_progress"}));
    let log = String::from_utf8(place.run(&["log", session, "--json"]).stdout).unwrap();
    assert_eq!(log.lines().count(), 6);
    assert!(
        log.lines().all(|line| serde_json::from_str::<Value>(line).unwrap()["stream"] == format!("session/{session}"))
    );
}

#[test]
fn out_and_in_again() {
    let place = written();
    let exported = place.run(&["export"]).stdout;
    assert_eq!(String::from_utf8_lossy(&exported).lines().count(), 12);
    assert_eq!(place.run(&["export", "-o", "-"]).stdout, exported);
    assert!(!place.path("project/-").exists());
    let log = place.run(&["log", "--json"]).stdout;
    assert_eq!(sorted(&log), sorted(&exported), "log --json has the lines of an export");
    let copy = ["--store", "copy.db"];
    check!(place.plain(&place.run_with(&[&copy[..], &["import", "-"]].concat(), &exported)), @r"
    Imported 12 events of 2 streams; none was here before.
    exit 0
    ");
    check!(place.plain(&place.run_with(&[&copy[..], &["import", "-", "--json"]].concat(), &exported)), @r#"
    {"streams":2,"appended":0,"known":12}
    exit 0
    "#);
    assert_eq!(place.run(&[&copy[..], &["export"]].concat()).stdout, exported, "lossless");
    let session = place.json(&["ls", "--json"])["sessions"][0]["session"].as_str().unwrap().to_owned();
    check!(place.shown(&["export", &session[..4], "-o", "one.jsonl"]).replace(&session[..4], "[begin]"), @r"
    error: `[begin]` means 2 sessions
    hint: give more of the id; `runsheet ls` lists the sessions
    exit 3
    ");
    check!(place.shown(&["export", &session, "-o", "one.jsonl"]), @"exit 0");
    check!(place.shown(&["--store", "other.db", "import", "one.jsonl"]), @r"
    Imported 6 events of 1 stream; none was here before.
    exit 0
    ");
}

fn sorted(lines: &[u8]) -> Vec<String> {
    let mut lines: Vec<String> = String::from_utf8_lossy(lines).lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn what_came_late_is_marked() {
    let place = Place::new();
    let mut agent = Agent::connect(&mut place.command(&["mcp"]), "codex-mcp-client");
    for (id, turn) in [("1", "t1"), ("2", "t2"), ("3", "t1")] {
        let meta = json!({"callId": id, "sessionId": "s", "threadId": "s", "x-codex-turn-metadata": {"turn_id": turn}});
        agent.call(&todos(&[(id, "pending")]), &meta);
    }
    assert!(agent.end().success());
    let log = String::from_utf8(place.run(&["log", "s"]).stdout).unwrap();
    let late: Vec<&str> = log.lines().filter(|line| line.contains("late · ")).map(str::trim_start).collect();
    check!(late.join("\n"), @r"
    10 [age]  tool/call         late · todo_write
    11 [age]  todo/write        late · 0/1
    12 [age]  tool/result       late · Updated todo list: 1 pending, 0 in progress, 0 completed.
    ");
}

#[test]
fn reading_needs_no_lock_file() {
    let place = written();
    let mut lock = place.store().into_os_string();
    lock.push(".lock");
    std::fs::remove_file(lock).unwrap();
    let output = place.run(&["log"]);
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn following_ends_with_the_file() {
    let place = written();
    let mut command = place.command(&["log", "--follow"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    std::fs::rename(place.store(), place.path("away.db")).unwrap();
    check!(place.plain(&child.wait_with_output().unwrap()), @r"
    error: following the feed failed
    cause: `[home]/.local/share/runsheet/runsheet.db` is not the file any more that was opened: it was deleted, moved or replaced
    hint: put it back where it was, or start this program again; what was acknowledged is in the file that was opened
    exit 4
    ");
}

#[test]
fn a_name_comes_before_the_beginning_of_an_id() {
    let place = Place::new();
    wrote(&place, &place.path("project"), "opencode", &todos(&[("by id", "pending")]));
    let id = place.json(&["ls", "--json"])["sessions"][0]["session"].as_str().unwrap()[..8].to_owned();
    let mut agent = Agent::connect(&mut place.command(&["mcp"]), "codex-mcp-client");
    let meta = json!({"callId": "1", "sessionId": id, "threadId": id});
    agent.call(&todos(&[("by name", "pending")]), &meta);
    assert!(agent.end().success());
    assert_eq!(place.items(&id, "main"), ["by name"]);
}

#[test]
fn who_stops_reading_is_no_failure() {
    let place = written();
    for args in [&["ls"][..], &["log"], &["export"], &["--help"], &["completions", "bash"], &["config", "show"]] {
        let mut command = place.command(args);
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command.stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &[][..]), "{args:?}");
    }
}

#[test]
fn following() {
    let place = Place::new();
    let follow = |command: &mut Command| {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let output = child.stdout.take().unwrap();
        (child, std::io::BufReader::new(output))
    };
    let read = |output: &mut dyn std::io::BufRead| {
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        serde_json::from_str::<Value>(&line).unwrap()["event"]["type"].as_str().unwrap().to_owned()
    };
    // It waits for the store, too.
    let (mut all, mut output) = follow(&mut place.command(&["log", "--follow", "--json"]));
    let mut agent = Agent::connect(&mut place.command(&["mcp"]), "codex-mcp-client");
    agent.call(&todos(&[("a", "pending")]), &json!({}));
    let types: Vec<String> = (0..5).map(|_| read(&mut output)).collect();
    assert_eq!(types.join(" "), "session/created turn/start tool/call todo/write tool/result");
    let session = place.json(&["ls", "--json"])["sessions"][0]["session"].as_str().unwrap().to_owned();
    let (mut one, mut of_one) = follow(&mut place.command(&["log", &session, "--follow", "--json"]));
    let types: Vec<String> = (0..5).map(|_| read(&mut of_one)).collect();
    assert_eq!(types[0], "session/created");
    agent.call(&todos(&[("b", "pending")]), &json!({}));
    for output in [&mut output as &mut dyn std::io::BufRead, &mut of_one] {
        assert_eq!([read(output), read(output), read(output)].join(" "), "tool/call todo/write tool/result");
    }
    agent.end();
    for (child, output) in [(&mut all, &mut output), (&mut one, &mut of_one)] {
        child.kill().unwrap();
        child.wait().unwrap();
        output.read_to_end(&mut Vec::new()).unwrap();
    }
}

#[test]
fn pages_and_scripts_are_made() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(String::from_utf8(place.run(&["completions", shell]).stdout).unwrap().contains("runsheet"));
    }
    assert!(String::from_utf8(place.run(&["man"]).stdout).unwrap().contains(".TH runsheet 1"));
    assert!(place.run(&["man", "--dir", "pages"]).status.success());
    for page in ["runsheet.1", "runsheet-ls.1", "runsheet-store-verify.1"] {
        assert!(place.path("project/pages").join(page).is_file(), "{page}");
    }
}

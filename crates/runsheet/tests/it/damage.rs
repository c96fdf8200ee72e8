//! A store with a flipped byte: what is damaged is named, and everything else can be read and saved.

use std::{collections::BTreeSet, fs};

use serde_json::json;

use crate::harness::{Agent, Place, check, todos, wrote};

/// A store with two sessions, of which the first wrote these words; gives its id.
fn written(place: &Place) -> String {
    let mut agent = Agent::connect(&mut place.command(&["mcp"]), "codex-mcp-client");
    for word in ["Before it", "What stands on the disk", "After it"] {
        agent.call(&todos(&[(word, "in_progress")]), &json!({}));
    }
    assert!(agent.end().success());
    wrote(place, &place.path("project"), "opencode", &todos(&[("Sound", "in_progress")]));
    let sessions = place.json(&["ls", "--json"]);
    sessions["sessions"][1]["session"].as_str().unwrap().to_owned()
}

/// Where some words stand in the file, also where nobody reads them any more.
fn places(bytes: &[u8], words: &str) -> Vec<usize> {
    (0..bytes.len() - words.len()).filter(|at| bytes[*at..].starts_with(words.as_bytes())).collect()
}

#[test]
fn an_event() {
    let place = Place::new();
    let session = written(&place);
    let mut bytes = fs::read(place.store()).unwrap();
    let found = places(&bytes, r#""todos":[{"content":"What stands on the disk"#);
    assert!(!found.is_empty(), "closing brings the WAL into the file");
    found.into_iter().for_each(|at| bytes[at + 22] = b'T');
    fs::write(place.store(), bytes).unwrap();
    check!(place.shown(&["store", "verify"]), @r"
    ▲ `session/[id]`, event 6: its checksum is wrong
    2 streams, 6 events: 1 thing is wrong
    exit 5
    ");
    check!(place.shown(&["log", &session]).lines().skip(4).collect::<Vec<_>>().join("\n"), @r"
        4 [age]  tool/result       Updated todo list: 0 pending, 1 in progress, 0 completed.
        5 [age]  tool/call         todo_write
    error: reading the session failed
    cause: the store is damaged: `session/[id]`, event 6: its checksum is wrong
    hint: run `runsheet store verify` to see what is affected, and `runsheet export` to save the rest
    exit 5
    ");
    // The others are shown all the same.
    let listed = place.json(&["ls", "--json"]);
    let states: Vec<_> = listed["sessions"].as_array().unwrap().iter().map(|entry| &entry["state"]).collect();
    assert_eq!(states, ["paused", "unknown"]);
    let log = place.shown(&["log"]);
    assert!(log.contains("Before it") && log.contains("After it") && log.contains("Sound"), "{log}");
    check!(log[log.find("error: ").unwrap()..], @r"
    error: the store is damaged: some events are not shown
    cause: `session/[id]`, event 6: its checksum is wrong
    hint: all others are shown; `runsheet store verify` says what is damaged
    exit 5
    ");
    check!(place.shown(&["export", "-o", "rest.jsonl"]), @r"
    error: the store is damaged: 1 stream is not exported whole
    cause: session/[id]: its first 6 events were written: `session/[id]`, event 6: its checksum is wrong
    hint: all others were, and what was written can be imported; `runsheet store verify` says what is damaged
    exit 5
    ");
    check!(place.shown(&["--store", "copy.db", "import", "rest.jsonl"]), @r"
    Imported 12 events of 2 streams; none was here before.
    exit 0
    ");
    check!(place.shown(&["show", &session]), @r"
    error: reading the session failed
    cause: the store is damaged: `session/[id]`, event 6: its checksum is wrong
    hint: run `runsheet store verify` to see what is affected, and `runsheet export` to save the rest
    exit 5
    ");
}

/// Wherever a byte of a stream's name is flipped, in its row or in the index: it is said once, and the rest is there.
#[test]
fn the_name_of_a_stream() {
    let place = Place::new();
    let session = written(&place);
    let sound = fs::read(place.store()).unwrap();
    let found = places(&sound, &format!("session/{session}"));
    assert!(found.len() >= 2, "in its row and in the index");
    let mut told = BTreeSet::new();
    // The kind, the slash, a digit that becomes none, one that is no text, and one that makes another id.
    let digit = if session.as_bytes()[35].is_ascii_digit() { 0x01 } else { session.as_bytes()[35] ^ b'0' };
    for (at, flip) in [(0, 0x10), (7, 0x40), (9, 0x40), (9, 0x80), (43, digit)] {
        for found in &found {
            let mut bytes = sound.clone();
            bytes[found + at] ^= flip;
            fs::write(place.store(), &bytes).unwrap();
            let verified = place.shown(&["store", "verify"]);
            let listed = place.json(&["ls", "--json"]);
            let states: Vec<_> = listed["sessions"].as_array().unwrap().iter().map(|one| &one["state"]).collect();
            let exported = place.run(&["export"]);
            let (lines, said) = (String::from_utf8_lossy(&exported.stdout).lines().count(), place.plain(&exported));
            let logged = place.shown(&["log"]);
            assert!(logged.contains("Sound") && place.shown(&[]).contains("opencode 1.2.3"), "{logged}");
            assert!(verified.matches('▲').count() <= 1, "{verified}");
            let first = verified.lines().next().unwrap();
            let said = said.lines().filter(|line| !line.starts_with('{')).collect::<Vec<_>>().join("\n");
            let line = format!("{at}: {first}\n{lines} events, {states:?}, damaged {}\n{said}\n", listed["damaged"]);
            let name = String::from_utf8_lossy(&bytes[*found..found + 44]).into_owned();
            told.insert(line.replace(&name, "[flipped]"));
        }
    }
    check!(told.into_iter().collect::<String>(), @r#"
    0: ▲ stream number 1: its name is damaged, `[flipped]` names no stream
    6 events, [String("paused")], damaged ["stream number 1: its name is damaged, `[flipped]` names no stream"]
    error: the store is damaged: 1 stream is not exported whole
    cause: stream number 1: its name is damaged, `[flipped]` names no stream
    hint: all others were, and what was written can be imported; `runsheet store verify` says what is damaged
    exit 5
    0: ▲ the index of names does not find 1 of 2 streams
    18 events, [String("paused"), String("paused")], damaged null
    exit 0
    43: ▲ `[flipped]`, event 0: its checksum is wrong
    6 events, [String("paused"), String("unknown")], damaged null
    error: the store is damaged: 1 stream is not exported whole
    cause: [flipped]: nothing of it was written: `[flipped]`, event 0: its checksum is wrong
    hint: all others were, and what was written can be imported; `runsheet store verify` says what is damaged
    exit 5
    43: ▲ the index of names does not find 1 of 2 streams
    18 events, [String("paused"), String("paused")], damaged null
    exit 0
    7: ▲ stream number 1: its name is damaged, `[flipped]` names no stream
    6 events, [String("paused")], damaged ["stream number 1: its name is damaged, `[flipped]` names no stream"]
    error: the store is damaged: 1 stream is not exported whole
    cause: stream number 1: its name is damaged, `[flipped]` names no stream
    hint: all others were, and what was written can be imported; `runsheet store verify` says what is damaged
    exit 5
    7: ▲ the index of names does not find 2 of 2 streams
    18 events, [String("paused"), String("paused")], damaged null
    exit 0
    9: ▲ stream number 1: its name is damaged, `[flipped]` names no stream
    6 events, [String("paused")], damaged ["stream number 1: its name is damaged, `[flipped]` names no stream"]
    error: the store is damaged: 1 stream is not exported whole
    cause: stream number 1: its name is damaged, `[flipped]` names no stream
    hint: all others were, and what was written can be imported; `runsheet store verify` says what is damaged
    exit 5
    9: ▲ the index of names does not find 2 of 2 streams
    18 events, [String("paused"), String("paused")], damaged null
    exit 0
    "#);
}

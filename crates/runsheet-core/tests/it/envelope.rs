//! The envelope of an event: its JSON, its time, its id, and when two events are the same.

use insta::assert_snapshot;
use runsheet_core::log::{Event, EventId, IdKind, Recorded, StreamId, Time};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::logs::{event, header, log, session};

#[test]
fn json() {
    let events = log("observed\nlist : x~");
    let lines: Vec<String> = events.iter().map(|event| serde_json::to_string(event).unwrap()).collect();
    assert_snapshot!(lines.join("\n"), @r#"
    {"seq":0,"id":"00000000-0000-0000-0000-0000001d0000","time":"2026-11-30T20:00:00.000Z","type":"session/created","v":1,"by":"runsheet/0.1.0","data":{"format":1,"cwd":"/home/dev/app","agent":{"name":"codex","version":"0.171.0","dialect":"dsh"},"source":{"kind":"mcp"},"lifecycle":"observed"}}
    {"seq":1,"id":"00000000-0000-0000-0000-0000001d0001","time":"2026-11-30T20:00:01.000Z","type":"todo/write","v":1,"by":"runsheet/0.1.0","data":{"scope":"main","todos":[{"content":"x","status":"in_progress"}],"author":"model","dialect":"dsh","lifetime":"turn","policy":{"allowParallelInProgress":true}}}
    "#);
    let mut skipped = events[1].clone();
    skipped.ignorable = true;
    assert!(serde_json::to_string(&skipped).unwrap().ends_with(r#","ignorable":true}"#));
}

fn parse(text: &str) -> String {
    serde_json::from_str::<Recorded>(text)
        .map_or_else(|error| error.to_string(), |event| serde_json::to_string(&event).unwrap())
}

#[test]
fn json_that_is_no_event() {
    let good = r#"{"seq":3,"id":"00000000-0000-0000-0000-0000001d0000","time":"2026-11-30T20:00:00.000Z","type":"x/y","v":1,"by":"t","data":{ "kept" : [1, 2]}}"#;
    assert_eq!(parse(good), good, "data is kept byte for byte");
    assert_snapshot!(parse(&good.replace("\"seq\":3", "\"seq\":-1")), @"invalid value: integer `-1`, expected u64 at line 1 column 9");
    assert_snapshot!(parse(&good.replace("\"seq\":3", "\"seq\":18446744073709551616")), @"invalid type: floating point `1.8446744073709552e+19`, expected u64 at line 1 column 27");
    assert_snapshot!(parse(&good.replace("\"v\":1", "\"v\":1,\"more\":1")), @"unknown field `more`, expected one of `seq`, `id`, `time`, `type`, `v`, `by`, `data`, `ignorable` at line 1 column 112");
    assert_snapshot!(parse(&good.replace("00.000Z", "00.0001Z")), @"`2026-11-30T20:00:00.0001Z` is not an RFC 3339 time of millisecond precision, like 2026-11-30T20:15:00.000Z at line 1 column 87");
    assert_snapshot!(parse(&good.replace(",\"by\":\"t\"", "")), @"missing field `by` at line 1 column 132");
    assert_snapshot!(parse(&good.replace("1d0000\"", "\"")), @"UUID parsing failed: invalid group length in group 4: expected 12, found 6 at line 1 column 46");
}

#[test]
fn times() {
    let show = |text: &str| text.parse::<Time>().map_or_else(|error| error.to_string(), |time| time.to_string());
    assert_snapshot!(show("2026-11-30T20:15:00Z"), @"2026-11-30T20:15:00.000Z");
    assert_snapshot!(show("2026-11-30T21:15:00.120+01:00"), @"2026-11-30T20:15:00.120Z");
    assert_snapshot!(show("2026-11-30T20:15:00.1234Z"), @"`2026-11-30T20:15:00.1234Z` is not an RFC 3339 time of millisecond precision, like 2026-11-30T20:15:00.000Z");
    assert_snapshot!(show("yesterday"), @"`yesterday` is not an RFC 3339 time of millisecond precision, like 2026-11-30T20:15:00.000Z");
    assert_snapshot!(show("1969-12-31T23:59:59.999Z"), @"1969-12-31T23:59:59.999Z");
    assert_eq!("1969-12-31T23:59:59.999Z".parse::<Time>().unwrap().as_ms(), -1);
}

/// A time out of range could not be written, and writing it panicked.
#[test]
fn every_time_can_be_written() {
    for ms in [i64::MIN, -377_705_023_201_001, i64::MAX, 253_402_207_201_000, 0, -1] {
        let time = Time::from_ms(ms);
        let text = serde_json::to_string(&time).unwrap();
        assert_eq!(serde_json::from_str::<Time>(&text).unwrap(), time, "{text}");
    }
    // jiff reads times a little later than the last one it writes from milliseconds.
    assert!(jiff::Timestamp::MAX.to_string()[..23].parse::<Time>().is_err());
    assert!("9999-12-30T22:00:00.999Z".parse::<Time>().is_err());
}

#[test]
fn ids_of_observed_facts() {
    let id = |kind, native| EventId::observed(session(), kind, native);
    let all = [
        id(IdKind::Turn, "a"),
        id(IdKind::Prompt, "a"),
        id(IdKind::Call, "a"),
        id(IdKind::Write, "a"),
        id(IdKind::Result, "a"),
        id(IdKind::Closer, "a"),
    ];
    for (at, one) in all.iter().enumerate() {
        assert_eq!(one.uuid().get_version_num(), 8);
        assert!(!all[at + 1..].contains(one));
    }
    assert_ne!(EventId::observed(Uuid::nil(), IdKind::Call, "a"), id(IdKind::Call, "a"));
    // Pinned: a stored id is derived again by every later version.
    assert_snapshot!(id(IdKind::Call, "call_1"), @"f1d4e8f6-f9cd-8687-ac29-2f891360fe2b");
    assert_snapshot!(StreamId::observed("uid:0", "codex", "01"), @"session/7cb25427-47f8-8a4c-b42b-003266faaf21");
    assert_ne!(StreamId::observed("uid:0", "codex", "01"), StreamId::observed("uid:0", "codex0", "1"));
}

#[test]
fn names_of_streams() {
    let show = |text: &str| text.parse::<StreamId>().map_or_else(|error| error.to_string(), |id| id.to_string());
    assert_snapshot!(show("session/00000000-0000-0000-0000-000000005e55"), @"session/00000000-0000-0000-0000-000000005e55");
    assert_snapshot!(show("tasks/release-1.2_b"), @"tasks/release-1.2_b");
    for bad in ["", "session/", "session/x", "tasks/", "tasks/.hidden", "tasks/a/b", "tasks/é", "other/x"] {
        assert!(bad.parse::<StreamId>().is_err(), "{bad}");
    }
    assert!(format!("tasks/{}", "x".repeat(64)).parse::<StreamId>().is_ok());
    assert!(format!("tasks/{}", "x".repeat(65)).parse::<StreamId>().is_err());
}

#[test]
fn the_same_event() {
    let one = event(0, &header(runsheet_core::log::Ownership::Observed));
    let with = |change: &dyn Fn(&mut Event)| {
        let mut other = one.clone();
        change(&mut other);
        one.same(&other.at(5))
    };
    let raw = |text: &str| -> std::sync::Arc<RawValue> { RawValue::from_string(text.into()).unwrap().into() };
    assert!(with(&|_| {}));
    assert!(with(&|event| event.time = Time::from_ms(0)), "time does not count");
    assert!(with(&|event| event.by = "runsheet/9".into()), "nor the writer");
    assert!(with(&|event| event.data = raw(&event.data.get().replace(':', " : "))), "nor white space");
    assert!(!with(&|event| event.id = EventId::new(Uuid::nil())));
    assert!(!with(&|event| event.ty = "x/y".into()));
    assert!(!with(&|event| event.v = 2));
    assert!(!with(&|event| event.data = raw("{}")));
}

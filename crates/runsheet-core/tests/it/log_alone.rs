//! `core::log` stands alone: included by its path, it compiles without the todo tool or any other domain, and works.

#[path = "../../src/log/mod.rs"]
#[allow(dead_code, unreachable_pub, unused_imports, reason = "the module is a crate's own, not this test's")]
mod log;

use std::borrow::Cow;

use log::{
    Bounds, EventData, EventId, Lifecycle, Placement, Recorded, ShapeFault, StreamId, Time, TurnEnd, TurnStart, Turns,
    TypeSpec, Vocabulary, derive_messages,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A domain the log has never heard of.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Noted {
    text: String,
}

impl EventData for Noted {
    const TYPE: &'static str = "note/taken";
    const PLACEMENT: Placement = Placement::InTurn;

    fn check(&self) -> Result<(), String> {
        if self.text.is_empty() { Err("`text` is empty".into()) } else { Ok(()) }
    }
}

#[test]
fn a_domain_registers_its_types() {
    let vocabulary = Vocabulary::new("test/1", &[log::TYPES, &[TypeSpec::of::<Noted>()]]);
    let stream = StreamId::observed("uid:0", "any", "1");
    let id = |n: u128| EventId::new(Uuid::from_u128(n));
    let header = serde_json::json!({
        "format": log::FORMAT, "agent": {"name": "any"}, "source": {"kind": "run"}, "lifecycle": "owned",
    });
    let header: log::SessionCreated = serde_json::from_value(header).unwrap();
    let start = Turns::default().ensure(&stream, Some("A"), false, |_| false);
    let events: Vec<Recorded> = [
        vocabulary.event(id(0), Time::default(), &header),
        start.changes[0].event(&vocabulary, stream.session().unwrap(), id(1), Time::default()),
        vocabulary.event(id(2), Time::default(), &Noted { text: "hello".into() }),
        vocabulary.event(id(3), Time::default(), &TurnEnd { turn: 1, reason: log::EndReason::Completed }),
    ]
    .into_iter()
    .zip(0..)
    .map(|(event, seq)| event.at(seq))
    .collect();
    let mut lifecycle = Lifecycle::default();
    for event in &events {
        vocabulary.check(event.seq, &event.clone().into_event(), &Bounds::default()).unwrap();
        lifecycle.next(&vocabulary, event).unwrap();
    }
    let mut outside = events[2].clone();
    outside.seq = 4;
    assert!(lifecycle.next(&vocabulary, &outside).is_err(), "its type stands in turns");
    assert_eq!(log::read::<Noted>(&events[2]), Some(Noted { text: "hello".into() }));
    assert_eq!(log::read::<TurnStart>(&events[2]), None);
    assert!(derive_messages(&events).is_empty());
    let empty = vocabulary.event(id(5), Time::default(), &Noted { text: String::new() });
    let fault = vocabulary.check(5, &empty, &Bounds::default());
    assert_eq!(fault, Err(ShapeFault::Data { ty: "note/taken".into(), fault: "`text` is empty".into() }));
    assert!(matches!(vocabulary.intern("note/taken"), Cow::Borrowed(_)));
    // The log itself knows nothing of lists.
    assert!(vocabulary.get("todo/write").is_none());
}

#[test]
#[should_panic(expected = "two domains declare `note/taken`")]
fn a_name_is_declared_once() {
    let table = [TypeSpec::of::<Noted>()];
    let _ = Vocabulary::new("test/1", &[&table, &table]);
}

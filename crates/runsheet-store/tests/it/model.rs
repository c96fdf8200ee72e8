//! Random histories: the store in the file answers like the one in memory.

use std::sync::Arc;

use proptest::prelude::*;
use runsheet_store::{
    MemoryStore, Store,
    testkit::{script::Script, vocabulary},
};

use crate::support::fresh;

fn cases() -> u32 {
    if std::env::var_os("RUNSHEET_SOAK").is_some() { 1_000 } else { 40 }
}

/// Few names, so that the same ones meet often.
fn command() -> impl Strategy<Value = String> {
    let session = prop_oneof![Just("a"), Just("b"), Just("c")];
    let event = prop_oneof![
        6 => (0..12_u8).prop_map(|n| format!("x{n}")),
        1 => (0..12_u8).prop_map(|n| format!("x{n}=other")),
        2 => (0..4_u8).prop_map(|n| format!("t{n}")),
        1 => (0..4_u8).prop_map(|n| format!("m{n}")),
        1 => (0..4_u8).prop_map(|n| format!("y{n}!old")),
        1 => Just("z!wrong".to_owned()),
    ];
    let events = prop::collection::vec(event, 0..4).prop_map(|events| events.join(" "));
    let parent = prop_oneof![Just("a"), Just("b"), Just("c")];
    let seq = 0..10_u64;
    prop_oneof![
        2 => (session.clone(), events.clone()).prop_map(|(to, events)| format!("append {to} absent h{to} {events}")),
        2 => (session.clone(), parent, seq.clone(), events.clone())
            .prop_map(|(to, of, at, events)| format!("append {to} absent h{to}<{of}@{at} {events}")),
        6 => (session.clone(), seq.clone(), events.clone())
            .prop_map(|(to, at, events)| format!("append {to} {at} {events}")),
        4 => (session.clone(), seq.clone(), events.clone())
            .prop_map(|(to, at, events)| format!("transact {to} {at} {events}")),
        1 => (session.clone(), events).prop_map(|(to, events)| format!("transact {to} - {events} unless:x1")),
        3 => (session.clone(), seq.clone(), seq.clone(), 0..5_usize)
            .prop_map(|(of, from, to, limit)| format!("read {of} from={from} to={to} limit={limit}")),
        2 => (session.clone(), prop_oneof![Just("turn"), Just("turn,mark"), Just("note")], 1..3_usize)
            .prop_map(|(of, types, limit)| format!("read {of} types={types} backward limit={limit}")),
        1 => (session.clone(), seq.clone(), 0..12_u8)
            .prop_map(|(of, at, n)| format!("cache {of} todos {at} x{n} state{n}")),
        1 => session.clone().prop_map(|of| format!("cached {of} todos")),
        1 => session.prop_map(|of| format!("head {of}")),
        1 => (seq, 1..5_usize).prop_map(|(after, limit)| format!("feed {after} {limit}")),
        1 => Just("streams sessions".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_stores_tell_the_same_story(commands in prop::collection::vec(command(), 1..60)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let transcript = commands.join("\n") + "\nread a\nread b\nread c\nfeed 0 100\ncheck\n";
            let memory: Arc<dyn Store> = Arc::new(MemoryStore::new(vocabulary()));
            let (_folder, file) = fresh();
            let told = Script::new(memory, vocabulary()).replay(&transcript).await;
            let found = Script::new(file.clone(), vocabulary()).replay(&transcript).await;
            runsheet_store::EventLog::close(&*file).await;
            prop_assert_eq!(told, found);
            Ok(())
        })?;
    }
}

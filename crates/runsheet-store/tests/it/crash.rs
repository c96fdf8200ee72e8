//! Processes that are killed while they write.

use std::{collections::HashMap, process::Child, thread, time::Duration};

use runsheet_store::{
    EventLog,
    testkit::{Note, script},
};

use crate::{
    child::{command, run, says},
    support::{Dice, all, feed_length, list, make_list, open},
};

const WRITERS: usize = 3;

fn soak() -> bool {
    std::env::var_os("RUNSHEET_SOAK").is_some()
}

/// After each round: the file is sound, every acknowledged event is there exactly once, and in each stream the events of
/// a writer are a prefix of what it sent there, in its order.
#[tokio::test]
async fn killed_at_any_moment_nothing_acknowledged_is_lost() {
    let (rounds, seed) = (if soak() { 200 } else { 20 }, 0x5EED);
    println!("seed {seed:#x}, {rounds} rounds");
    let mut dice = Dice::new(seed);
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    let store = open(&db);
    for name in ["0", "1", "2"] {
        make_list(&store, name).await;
    }
    store.close().await;
    drop(store);
    let mut acknowledged: Vec<String> = Vec::new();
    for round in 0..rounds {
        let mut writers: Vec<Child> = (0..WRITERS)
            .map(|writer| command("write", &[db.to_str().unwrap(), &format!("{round}.{writer}")]).spawn().unwrap())
            .collect();
        let listeners: Vec<_> = writers
            .iter_mut()
            .map(|writer| {
                let said = says(writer);
                thread::spawn(move || said.collect::<Vec<_>>())
            })
            .collect();
        thread::sleep(Duration::from_millis(60 + dice.below(200)));
        for _ in 0..WRITERS {
            let at = usize::try_from(dice.below(writers.len() as u64)).unwrap();
            let mut victim = writers.swap_remove(at);
            victim.kill().unwrap();
            victim.wait().unwrap();
            thread::sleep(Duration::from_millis(dice.below(20)));
        }
        for listener in listeners {
            acknowledged.extend(listener.join().unwrap());
        }
        check(&db, round, &acknowledged).await;
    }
    println!("{} events acknowledged", acknowledged.len());
    assert!(acknowledged.len() > rounds, "the writers hardly wrote: {}", acknowledged.len());
}

async fn check(db: &std::path::Path, round: usize, acknowledged: &[String]) {
    let store = open(db);
    assert_eq!(store.check_medium().await.unwrap(), Vec::<String>::new(), "round {round}");
    let mut found: HashMap<(String, &str), Vec<usize>> = HashMap::new();
    let mut counted = HashMap::new();
    for name in ["0", "1", "2"] {
        for event in all(&store, list(name)).await.unwrap() {
            let Ok(Some(note)) = runsheet_core::log::Vocabulary::decode::<Note>(&event) else { continue };
            assert_eq!(event.id, script::id(&note.text), "round {round}");
            let (writer, n) = note.text.split_once(' ').unwrap();
            found.entry((writer.to_owned(), name)).or_default().push(n.parse().unwrap());
            *counted.entry(format!("{} {name}", note.text)).or_insert(0) += 1;
        }
    }
    for one in acknowledged {
        assert_eq!(counted.get(one), Some(&1), "round {round}: `{one}` was acknowledged");
    }
    for ((writer, name), there) in found {
        let sent = sent_to(name, there.len());
        assert_eq!(there, sent, "round {round}: what {writer} sent to {name}");
    }
    store.close().await;
}

/// The first so many events a writer sends to a list: see `child::write`.
fn sent_to(name: &str, count: usize) -> Vec<usize> {
    let mut sent = Vec::new();
    let mut next = 0;
    while sent.len() < count {
        let size = 1 + next % 3;
        if ((next / 5) % 3).to_string() == name {
            sent.extend(next..next + size);
        }
        next += size;
    }
    sent.truncate(count);
    sent
}

/// Many processes on one stream: no gap, no duplicate, each in its own order.
#[tokio::test]
async fn processes_share_one_stream() {
    let each = if soak() { 1_250 } else { 60 };
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("store.db");
    let store = open(&db);
    make_list(&store, "0").await;
    let mut bell = store.doorbell();
    bell.mark_unchanged();
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let (db, writer, each) = (db.to_str().unwrap().to_owned(), writer.to_string(), each.to_string());
            thread::spawn(move || run(&mut command("count", &[&db, &writer, &each])))
        })
        .collect();
    for writer in writers {
        assert_eq!(writer.join().unwrap(), ["done"]);
    }
    let total = 8 * each + 1;
    bell.wait_for(|position| *position == total as u64).await.expect("it rings across processes");
    let events = all(&store, list("0")).await.unwrap();
    assert_eq!((events.len(), feed_length(&store).await), (total, total));
    let mut next = [0; 8];
    for (seq, event) in events.iter().enumerate() {
        assert_eq!(event.seq, seq as u64);
        if let Ok(Some(note)) = runsheet_core::log::Vocabulary::decode::<Note>(event) {
            let (writer, n) = note.text.split_once(' ').unwrap();
            let expected = &mut next[writer.parse::<usize>().unwrap()];
            assert_eq!(n.parse::<usize>().unwrap(), *expected);
            *expected += 1;
        }
    }
    assert_eq!(store.check_medium().await.unwrap(), Vec::<String>::new());
    store.close().await;
}

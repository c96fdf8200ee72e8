//! The live feed: what is told, how it is taken up again, and what becomes of slow readers.

use runsheet_engine::store::{MemoryStore, Store};
use serde_json::json;

use crate::host::{Host, code, events};

#[tokio::test]
async fn a_write_is_told_to_whoever_named_the_session() {
    let host = Host::new();
    let session = host.write("a", &[("read", "pending")]).await;
    let (_, page) = host.get(&format!("/api/v1/sessions/{session}/history")).await;
    let cursor = page["cursor"].as_str().unwrap();
    let mut feed = host.feed(&format!("sessions={session}&cursor={cursor}"), None).await;
    host.write("a", &[("read", "in_progress")]).await;
    let mut told = feed.until(7).await;
    // The title did not change, but is told with the rest where the follower meets the session for the first time.
    told.retain(|told| told != "title 7");
    told.sort_unstable();
    let expected = ["activity 7", "catalogue 7", "event 5", "event 6", "event 7", "stats 7", "todos 7"];
    assert_eq!(told, expected);
    feed.settle().await;
    assert!(feed.place.ends_with(".8"), "{}", feed.place);
}

#[tokio::test]
async fn all_sessions_are_told_as_values_and_the_named_ones_as_events() {
    let host = Host::new();
    let named = host.write("a", &[("read", "pending")]).await;
    let mut feed = host.feed(&format!("sessions=all,{named}&keys=catalogue"), None).await;
    // The present values of the named one come first.
    let mut present: Vec<_> = Vec::new();
    for _ in 0..5 {
        present.push(feed.next().await.unwrap().short());
    }
    present.sort_unstable();
    assert_eq!(present, ["activity 4", "catalogue 4", "stats 4", "title 4", "todos 4"]);
    feed.settle().await;
    let other = host.write("b", &[("look", "in_progress")]).await;
    let frame = feed.next().await.unwrap();
    assert_eq!((frame.short(), &frame.data["session"]), ("catalogue 4".into(), &json!(other)));
    assert_eq!((&frame.data["value"]["state"], &frame.data["value"]["running"]), (&json!("working"), &json!("look")));
    host.write("a", &[("read", "in_progress")]).await;
    let told = feed.until(7).await;
    assert_eq!(events(&told), [5, 6, 7]);
}

#[tokio::test]
async fn a_feed_is_taken_up_exactly_wherever_it_broke() {
    // The first time the reader was away meanwhile, the second time it was there.
    for there in [false, true] {
        for broken_after in 0..10 {
            let host = Host::new();
            let session = host.write("a", &[("0", "pending")]).await;
            let query = format!("sessions={session}");
            let mut place = host.get("/api/v1/sessions").await.1["cursor"].as_str().unwrap().to_owned();
            let mut feed = host.feed(&query, Some(&place)).await;
            if there {
                feed.settle().await;
            }
            host.write("a", &[("1", "pending")]).await;
            host.write("a", &[("2", "pending")]).await;
            if !there {
                feed = host.feed(&query, Some(&place)).await;
            }
            let mut told = Vec::new();
            for _ in 0..broken_after {
                told.push(feed.next().await.unwrap().short());
            }
            if !feed.place.is_empty() {
                place = feed.place.clone();
            }
            drop(feed);
            if events(&told).last() != Some(&10) {
                told.extend(host.feed(&query, Some(&place)).await.until(10).await);
            }
            assert_eq!(events(&told), [5, 6, 7, 8, 9, 10], "{there} {broken_after}");
            assert!(told.contains(&"todos 10".to_owned()), "{there} {broken_after} {told:?}");
        }
    }
}

#[tokio::test]
async fn values_missed_while_away_come_before_the_events() {
    let host = Host::new();
    let session = host.write("a", &[("read", "pending")]).await;
    let quiet = host.write("b", &[("look", "pending")]).await;
    let cursor = host.get("/api/v1/sessions").await.1["cursor"].as_str().unwrap().to_owned();
    host.feed("sessions=all", None).await;
    host.write("a", &[("read", "completed")]).await;
    let mut feed = host.feed(&format!("sessions=all,{quiet}&timeline=1&cursor={cursor}"), None).await;
    let told = feed.until(7).await;
    let first = told.iter().position(|told| told.starts_with("event")).unwrap();
    assert!(told[first..].iter().all(|told| told.starts_with("event")), "{told:?}");
    assert_eq!(events(&told), [5, 6, 7]);
    assert!(told.contains(&"todos 7".to_owned()) && first == 5, "{told:?}");
    let _ = session;
}

#[tokio::test]
async fn another_stores_place_starts_over() {
    let (host, elsewhere) = (Host::new(), Host::new());
    host.write("a", &[("read", "pending")]).await;
    let cursor = elsewhere.get("/api/v1/sessions").await.1["cursor"].as_str().unwrap().to_owned();
    let mut feed = host.feed(&format!("sessions=all&cursor={cursor}"), None).await;
    let frame = feed.next().await.unwrap();
    let here = host.get("/api/v1/sessions").await.1["cursor"].clone();
    assert_eq!((&*frame.event, &frame.data["cursor"]), ("reset", &here));
    host.write("a", &[("read", "in_progress")]).await;
    assert!(feed.next().await.unwrap().short().ends_with(" 7"));
}

#[tokio::test]
async fn a_place_too_far_back_or_ahead_starts_over() {
    let host = Host::with(|options| options.max_behind = 3);
    host.write("a", &[("read", "pending")]).await;
    let cursor = host.get("/api/v1/sessions").await.1["cursor"].as_str().unwrap().to_owned();
    let epoch = cursor.split_once('.').unwrap().0;
    for position in ["1", "6", "18446744073709551615"] {
        let mut feed = host.feed(&format!("sessions=all&cursor={epoch}.{position}"), None).await;
        assert_eq!(feed.next().await.unwrap().short(), "reset", "{position}");
    }
    let mut feed = host.feed(&format!("sessions=all&timeline=1&cursor={epoch}.2"), None).await;
    assert_eq!(events(&feed.until(4).await), [2, 3, 4]);
}

#[tokio::test]
async fn a_reader_that_does_not_keep_up_starts_over_and_is_right_again() {
    let host = Host::with(|options| options.max_queue_events = 4);
    let session = host.write("a", &[("0", "pending")]).await;
    let query = format!("sessions={session}");
    let mut slow = host.feed(&query, None).await;
    let mut quick = host.feed(&query, None).await;
    for feed in [&mut slow, &mut quick] {
        for _ in 0..5 {
            feed.next().await.unwrap();
        }
        feed.settle().await;
    }
    for write in 1..=3_u64 {
        host.write("a", &[(&write.to_string(), "pending")]).await;
        assert_eq!(events(&quick.until(4 + 3 * write).await).len(), 3);
    }
    let frame = slow.next().await.unwrap();
    assert_eq!(frame.short(), "reset");
    let place = frame.data["cursor"].as_str().unwrap();
    assert!(place.ends_with(".14") && slow.place == place, "{place}");
    // It fetches what it forgot, and goes on from there.
    let (_, page) = host.get(&format!("/api/v1/sessions/{session}/history")).await;
    assert_eq!(page["projections"]["values"]["todos"]["standing"][0]["content"], json!("3"));
    host.write("a", &[("4", "pending")]).await;
    assert_eq!(events(&slow.until(16).await), [14, 15, 16]);
}

#[tokio::test]
async fn a_slow_reader_of_values_gets_the_latest() {
    let host = Host::new();
    let session = host.write("a", &[("0", "pending")]).await;
    let mut slow = host.feed("sessions=all&keys=todos", None).await;
    let mut quick = host.feed(&format!("sessions={session}"), None).await;
    // Until it is polled once, a feed has not begun; its mailbox is there since it was opened.
    for write in 1..=5_u64 {
        host.write("a", &[(&write.to_string(), "pending")]).await;
        quick.until(4 + 3 * write).await;
    }
    let frame = slow.next().await.unwrap();
    assert_eq!((frame.short(), &frame.data["value"]["standing"][0]["content"]), ("todos 19".into(), &json!("5")));
}

#[tokio::test]
async fn no_frame_is_above_what_is_durable() {
    let host = Host::new();
    let mut feed = host.feed("sessions=all&timeline=1", None).await;
    for write in 0..20_u64 {
        let session = host.write("a", &[(&write.to_string(), "pending")]).await;
        let stream = runsheet_engine::core::log::StreamId::Session(session);
        let last = 4 + 3 * write;
        loop {
            let frame = feed.next().await.unwrap();
            let head = host.store.head(stream.clone()).await.unwrap().unwrap().seq;
            let seq = frame.data["seq"].as_u64().or(frame.data["event"]["seq"].as_u64()).unwrap();
            assert!(seq <= head, "{frame:?}");
            if frame.event == "event" && seq == last {
                break;
            }
        }
    }
}

#[tokio::test]
async fn another_processes_writes_are_told_and_survive_a_new_host() {
    let store: std::sync::Arc<dyn Store> =
        std::sync::Arc::new(MemoryStore::new(runsheet_engine::core::vocabulary().clone()));
    let (host, other) = (Host::over(store.clone(), |_| ()), Host::over(store.clone(), |_| ()));
    let session = other.write("a", &[("0", "pending")]).await;
    let mut feed = host.feed("sessions=all&timeline=1", None).await;
    other.write("a", &[("1", "pending")]).await;
    feed.until(7).await;
    // The host goes; the browser comes back to another one, with the place it had.
    let place = feed.place.clone();
    host.shutdown.cancel();
    while feed.next().await.is_some() {}
    other.write("a", &[("2", "pending")]).await;
    let host = Host::over(store, |_| ());
    let mut feed = host.feed("sessions=all&timeline=1", Some(&place)).await;
    assert_eq!(events(&feed.until(10).await), [8, 9, 10]);
    let _ = session;
}

#[tokio::test]
async fn readers_are_bounded_and_make_room_when_they_leave() {
    let host = Host::with(|options| options.max_readers = 1);
    host.write("a", &[("read", "pending")]).await;
    let feed = host.feed("sessions=all", None).await;
    let (status, body) = host.get("/api/v1/events?sessions=all").await;
    assert_eq!((status, code(&body)), (503, "too_many_readers".into()));
    drop(feed);
    host.feed("sessions=all", None).await;
}

#[tokio::test]
async fn a_silent_feed_says_that_it_is_alive_and_where_it_is() {
    let host = Host::with(|options| options.keep_alive = std::time::Duration::from_millis(5));
    let named = host.write("a", &[("read", "pending")]).await;
    let mut feed = host.feed(&format!("sessions={named}"), None).await;
    for _ in 0..5 {
        feed.next().await.unwrap();
    }
    feed.settle().await;
    // What others do moves the place, though there is nothing to tell.
    host.write("b", &[("look", "pending")]).await;
    while !feed.place.ends_with(".10") {
        feed.alive().await;
    }
}

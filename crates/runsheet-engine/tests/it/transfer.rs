use std::io::{BufReader, Cursor};

use runsheet_engine::{EngineError, ImportReport, core::log::StreamId};

use crate::host::{Host, codex, list, plain};

async fn exported(host: &Host, streams: Option<Vec<StreamId>>) -> Vec<u8> {
    let mut out = Vec::new();
    host.engine.export(streams, &mut out).await.unwrap();
    out
}

async fn import(host: &Host, file: &[u8]) -> Result<ImportReport, EngineError> {
    host.engine.import(&mut BufReader::new(Cursor::new(file.to_vec()))).await
}

async fn filled() -> Host {
    let host = Host::new();
    for n in 0..5 {
        host.call(&codex("s", "s", &format!("t{}", n / 2), &n.to_string()), &list(&[&format!(">item {n}")])).await;
    }
    host.call(&plain(1), &list(&["日本語 \u{1b}[31m", "x\"quoted\""])).await;
    host
}

#[tokio::test]
async fn what_was_exported_is_imported_to_the_byte() {
    let host = filled().await;
    let file = exported(&host, None).await;
    let copy = Host::new();
    let report = import(&copy, &file).await.unwrap();
    assert_eq!((report.streams, report.known), (2, 0));
    assert_eq!(String::from_utf8(exported(&copy, None).await).unwrap(), String::from_utf8(file.clone()).unwrap());
    let again = import(&copy, &file).await.unwrap();
    assert_eq!((again.appended, again.known), (0, report.appended));
}

#[tokio::test]
async fn an_import_goes_on_where_the_last_one_stopped() {
    let host = filled().await;
    let file = exported(&host, None).await;
    let copy = Host::new();
    let half: Vec<u8> = file.split_inclusive(|b| *b == b'\n').take(7).flatten().copied().collect();
    import(&copy, &half).await.unwrap();
    import(&copy, &file).await.unwrap();
    assert_eq!(exported(&copy, None).await, file);
}

#[tokio::test]
async fn a_fork_is_exported_after_its_parent() {
    let host = filled().await;
    let parent = host.engine.find("uid:1000", "s").await.unwrap();
    host.engine.leave_silent(0).await;
    let child = host.engine.fork(&parent, None).await.unwrap();
    let file = exported(&host, Some(vec![child.clone()])).await;
    let copy = Host::new();
    assert_eq!(import(&copy, &file).await.unwrap().streams, 2);
    assert_eq!(copy.log(&child).await, host.log(&child).await);
    assert_eq!(copy.engine.show(&child).await.unwrap().lists.len(), 1);
}

#[tokio::test]
async fn a_session_is_not_forked_inside_a_turn() {
    let host = filled().await;
    let parent = host.engine.find("uid:1000", "s").await.unwrap();
    assert!(matches!(host.engine.fork(&parent, None).await, Err(EngineError::Fork { .. })));
    assert!(matches!(host.engine.fork(&parent, Some(999)).await, Err(EngineError::Fork { .. })));
}

/// Each of these files is refused and changes nothing.
#[tokio::test]
async fn bad_files_change_nothing() {
    let file = String::from_utf8(exported(&filled().await, None).await).unwrap();
    let lines: Vec<&str> = file.lines().collect();
    let swapped = [lines[1], lines[0]].join("\n");
    let gap = [&lines[..2], &lines[3..]].concat().join("\n");
    let unknown = file.replace("todo/write", "todo/wrote");
    let torn = &file[..file.len() - 20];
    let newer = file.replacen("\"v\":1", "\"v\":99", 1);
    let deep = file.replacen("\"turn\":1", &format!("\"turn\":{}1{}", "[".repeat(100), "]".repeat(100)), 1);
    let cases = [swapped.as_str(), &gap, &unknown, torn, &newer, &deep, "null", "{}", "[1,2]", "\u{0}\n"];
    for (case, file) in cases.into_iter().enumerate() {
        let copy = Host::new();
        let refused = import(&copy, file.as_bytes()).await;
        assert!(
            matches!(
                refused,
                Err(EngineError::Line { .. } | EngineError::Lifecycle { .. } | EngineError::Misplaced { .. })
            ),
            "{case}: {refused:?}"
        );
        assert!(copy.engine.list(10).await.unwrap().sessions.is_empty(), "{case}");
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_file_is_told_by_its_line() {
    let file = String::from_utf8(exported(&filled().await, None).await).unwrap();
    let lines: Vec<&str> = file.lines().collect();
    let id = |line: &str| line.split("\"id\":\"").nth(1).unwrap()[..36].to_owned();
    let gap = [&lines[..2], &lines[3..]].concat().join("\n");
    let twice = file.replacen(&id(lines[2]), &id(lines[1]), 1);
    let mut said = String::new();
    for file in [gap, twice] {
        let error = import(&Host::new(), file.as_bytes()).await.unwrap_err();
        let stream = lines[0].split('"').nth(3).unwrap();
        said += &format!("{error}\n").replace(stream, "[stream]").replace(&id(lines[1]), "[id]");
    }
    insta::assert_snapshot!(said, @r"
    line 3 cannot stand there: `[stream]` goes on with event 2, not 3
    line 3 cannot stand there: `[stream]` has an event with id [id] before
    ");
}

#[tokio::test]
async fn an_import_may_begin_with_the_mark_of_the_byte_order() {
    let file = exported(&filled().await, None).await;
    let copy = Host::new();
    import(&copy, &[b"\xef\xbb\xbf", &file[..]].concat()).await.unwrap();
    assert_eq!(exported(&copy, None).await, file);
}

#[tokio::test]
async fn an_import_that_differs_is_refused() {
    let host = filled().await;
    let file = String::from_utf8(exported(&host, None).await).unwrap();
    let copy = Host::new();
    import(&copy, file.as_bytes()).await.unwrap();
    let other = file.replace("item 4", "item X");
    assert!(matches!(import(&copy, other.as_bytes()).await, Err(EngineError::Differs { .. })));
    assert_eq!(exported(&copy, None).await, file.into_bytes());
}

#[tokio::test]
async fn verify_finds_nothing_in_a_sound_store() {
    let host = filled().await;
    let verified = host.engine.verify().await.unwrap();
    assert_eq!(verified.findings.len(), 0, "{:?}", verified.findings);
    assert_eq!(verified.streams, 2);
}

use insta::{assert_json_snapshot, assert_snapshot};
use runsheet_engine::EngineError;

use crate::host::{Host, codex, list, plain};

#[tokio::test]
async fn show_has_the_documented_shape() {
    let host = Host::new();
    host.call(&codex("s", "s", "t1", "1"), &list(&[">read", "write"])).await;
    let stream = host.call(&codex("s", "s", "t1", "2"), &list(&["xread", ">write"])).await.session.unwrap();
    let mut show = host.engine.show(&stream).await.unwrap();
    show.session = uuid::Uuid::nil();
    assert_json_snapshot!(show, @r#"
    {
      "session": "00000000-0000-0000-0000-000000000000",
      "agent": {
        "name": "codex",
        "version": "1.0"
      },
      "cwd": "/home/dev/shop",
      "title": null,
      "state": "working",
      "turn": 1,
      "todos": [
        {
          "content": "read",
          "status": "completed"
        },
        {
          "content": "write",
          "status": "in_progress"
        }
      ],
      "carried": null,
      "counts": {
        "pending": 0,
        "inProgress": 1,
        "completed": 1,
        "cancelled": 0
      },
      "total": 2,
      "plan": null,
      "alerts": [],
      "lists": [
        {
          "scope": "main",
          "kind": "todo",
          "items": [
            {
              "content": "read",
              "status": "completed"
            },
            {
              "content": "write",
              "status": "in_progress"
            }
          ]
        }
      ],
      "asOfSeq": 7
    }
    "#);
}

#[tokio::test]
async fn sessions_are_listed_newest_first() {
    let host = Host::new();
    for n in 1..=3 {
        host.call(&plain(n), &list(&[&format!(">item {n}")])).await;
    }
    host.call(&plain(1), &list(&["xitem 1"])).await;
    let sessions = host.engine.list(10).await.unwrap().sessions;
    let lines = sessions.iter().map(|entry| format!("{} {:?}", entry.session.as_u128(), entry.running));
    assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
    1 None
    3 Some("item 3")
    2 Some("item 2")
    "#);
}

#[tokio::test]
async fn a_session_is_found_by_the_beginning_of_its_id() {
    let host = Host::new();
    let one = 0x1234_0000_0000_0000_0000_0000_0000_0001;
    let two = 0x1234_0000_0000_0000_0000_0000_0000_0002;
    host.call(&plain(one), &list(&["a"])).await;
    assert_eq!(host.engine.find("uid:1000", "1234").await.unwrap().session().unwrap().as_u128(), one);
    host.call(&plain(two), &list(&["a"])).await;
    let ambiguous = host.engine.find("uid:1000", "1234").await;
    assert!(matches!(ambiguous, Err(EngineError::Ambiguous { count: 2, .. })));
    assert!(matches!(host.engine.find("uid:1000", "123").await, Err(EngineError::NoSession(_))));
    assert!(matches!(host.engine.find("uid:1000", "nothing").await, Err(EngineError::NoSession(_))));
}

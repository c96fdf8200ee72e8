use runsheet_core::log::*;
use runsheet_store::*;
use std::sync::Arc;
use uuid::Uuid;

fn header() -> SessionCreated {
    SessionCreated {
        format: 1,
        cwd: None,
        agent: Agent { name: "t".into(), version: None, dialect: None },
        parent: None,
        source: Source { kind: "mcp".into(), native: None },
        lifecycle: Ownership::Observed,
    }
}

#[tokio::test]
async fn smoke() {
    let dir = tempfile::tempdir().unwrap();
    let v = runsheet_core::vocabulary();
    let store = SqliteStore::open(dir.path().join("a/b.db"), SqliteOptions::new(Arc::clone(v))).unwrap();
    let s = StreamId::Session(Uuid::now_v7());
    let mut bell = store.doorbell();
    let id = || EventId::new(Uuid::now_v7());
    let b = vec![
        v.event(id(), Time::from_ms(5), &header()),
        v.event(id(), Time::from_ms(6), &SessionTitle { title: "x".into() }),
    ];
    let out = store.append(s.clone(), Expected::Absent, b.clone()).await.unwrap();
    println!("{out:?}");
    bell.changed().await.unwrap();
    println!("{:?}", store.append(s.clone(), Expected::Absent, b).await.unwrap());
    println!("{:?}", store.read(s.clone(), Select::from(0)).await.unwrap());
    println!("{:?}", store.head(s.clone()).await.unwrap());
    println!("{:?}", store.check_medium().await.unwrap());
    let end = store.end().await.unwrap();
    println!("{:?}", store.feed(Cursor { position: 0, ..end }, 10).await.unwrap());
    store.close().await;
    assert!(matches!(store.end().await, Err(StoreError::Closed)));
    for e in std::fs::read_dir(dir.path().join("a")).unwrap() {
        println!("{:?}", e.unwrap().path());
    }
}

//! A host for tests: the router over an engine with a clock that counts, and requests of every kind.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use axum::{Router, body::Body, response::Response};
use http::{Request, request::Builder};
use http_body_util::BodyExt;
use runsheet_engine::{
    Caller, Client, Clock, Engine, FixedSettings, SessionHints, Settings, ToolOutcome, core,
    core::log::{Event, EventId, StreamId, Time},
    store::{Expected, MemoryStore, Store},
};
use runsheet_web::{Logins, Peer, WebOptions, router};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use uuid::Uuid;

pub(crate) const HOST: &str = "127.0.0.1:4477";
pub(crate) const ORIGIN: &str = "http://127.0.0.1:4477";
/// How long a test waits for what must come. Nothing is said about how soon it comes.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
struct TestClock(AtomicI64);

impl Clock for TestClock {
    fn now(&self) -> Time {
        Time::from_ms(1_796_040_000_000 + 1_000 * self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn id(&self) -> EventId {
        EventId::new(Uuid::now_v7())
    }
}

pub(crate) struct Host {
    pub(crate) engine: Engine,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) logins: Logins,
    pub(crate) shutdown: CancellationToken,
    router: Router,
}

impl Host {
    pub(crate) fn new() -> Self {
        Self::with(|_| ())
    }

    pub(crate) fn with(change: impl FnOnce(&mut WebOptions)) -> Self {
        Self::over(Arc::new(MemoryStore::new(core::vocabulary().clone())), change)
    }

    pub(crate) fn over(store: Arc<dyn Store>, change: impl FnOnce(&mut WebOptions)) -> Self {
        let open = Arc::clone(&store);
        let engine = Engine::start(
            Box::new(move || Ok(Arc::clone(&open))),
            core::vocabulary().clone(),
            Arc::new(TestClock::default()),
            Arc::new(FixedSettings::new(Settings::default())),
        );
        let logins = Logins::new([7; 32]);
        let mut options = WebOptions::loopback(4477, "uid:1000", logins.clone());
        change(&mut options);
        let shutdown = CancellationToken::new();
        let router = router(engine.clone(), options, shutdown.clone());
        Self { engine, store, logins, shutdown, router }
    }

    /// Writes a list as a model over MCP would, and is accepted.
    pub(crate) async fn write(&self, name: &str, items: &[(&str, &str)]) -> Uuid {
        let outcome = self.call(name, items).await;
        assert!(!outcome.is_error, "{outcome:?}");
        outcome.session.unwrap().session().unwrap()
    }

    /// Sends a list as a model over MCP would.
    pub(crate) async fn call(&self, name: &str, items: &[(&str, &str)]) -> ToolOutcome {
        let todos: Vec<_> =
            items.iter().map(|(content, status)| json!({"content": content, "status": status})).collect();
        let caller = Caller {
            principal: "uid:1000".into(),
            client: Client { family: "codex".into(), version: Some("1.0".into()) },
            cwd: Some("/home/dev/shop".into()),
            hints: SessionHints { named: Some(name.into()), ..SessionHints::default() },
            call_id: None,
            turn_key: None,
            via: "mcp",
        };
        let tools = self.engine.toolset(None);
        let arguments = json!({"todos": todos}).to_string();
        self.engine.call_tool(&caller, &tools, "todo_write", &arguments).await.unwrap()
    }

    /// Appends events as another program would.
    pub(crate) async fn append(&self, session: Uuid, expected: Expected, batch: Vec<Event>) {
        self.store.append(StreamId::Session(session), expected, batch).await.unwrap();
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Response {
        self.router.clone().oneshot(request).await.unwrap()
    }

    /// A request of a program of our own user: its status and JSON.
    pub(crate) async fn ask(&self, builder: Builder, body: &str) -> (u16, Value) {
        let response = self.send(builder.body(Body::from(body.to_owned())).unwrap()).await;
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        self.ask(ours("GET", path), "").await
    }

    /// The code of the error that a path gives.
    pub(crate) async fn fails(&self, path: &str) -> (u16, String) {
        let (status, body) = self.get(path).await;
        (status, code(&body))
    }

    pub(crate) async fn put(&self, session: Uuid, body: &str) -> (u16, Value) {
        let path = format!("/api/v1/sessions/{session}/todos");
        self.ask(ours("PUT", &path).header("content-type", "application/json"), body).await
    }

    /// Begins to read a feed.
    pub(crate) async fn feed(&self, query: &str, last: Option<&str>) -> Feed {
        let mut builder = ours("GET", &format!("/api/v1/events?{query}"));
        if let Some(last) = last {
            builder = builder.header("last-event-id", last);
        }
        let response = self.send(builder.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status().as_u16(), 200);
        Feed { body: response.into_body(), text: String::new(), place: String::new() }
    }
}

/// The code of an error.
pub(crate) fn code(body: &Value) -> String {
    body["error"]["code"].as_str().unwrap_or_default().to_owned()
}

/// A request of a program of our own user.
pub(crate) fn ours(method: &str, path: &str) -> Builder {
    Request::builder().method(method).uri(path).header("host", HOST).extension(Peer::Ours)
}

/// A request of a page of ours in a browser.
pub(crate) fn page(method: &str, path: &str) -> Builder {
    ours(method, path).header("origin", ORIGIN).header("sec-fetch-site", "same-origin")
}

/// A reader of the feed, as a browser is one.
pub(crate) struct Feed {
    body: Body,
    text: String,
    /// What `lastEventId` would be.
    pub(crate) place: String,
}

/// A frame that a browser dispatches.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) event: String,
    pub(crate) data: Value,
}

impl Frame {
    /// In short: `projection todos 4`, `event 2`, `reset`.
    pub(crate) fn short(&self) -> String {
        match &*self.event {
            "projection" => format!("{} {}", self.data["key"].as_str().unwrap(), self.data["seq"]),
            "event" => format!("event {}", self.data["event"]["seq"]),
            other => other.to_owned(),
        }
    }
}

impl Feed {
    /// The next frame; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Frame> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                if let Some(frame) = self.block(&block) {
                    return Some(frame);
                }
                continue;
            }
            let chunk = tokio::time::timeout(PATIENCE, self.body.frame()).await.unwrap()?;
            self.text.push_str(std::str::from_utf8(chunk.unwrap().data_ref().unwrap()).unwrap());
        }
    }

    fn block(&mut self, block: &str) -> Option<Frame> {
        let (mut event, mut data) = (String::new(), None);
        for line in block.lines() {
            let (field, value) = line.split_once(": ").unwrap_or((line, ""));
            match field {
                "id" => self.place = value.to_owned(),
                "event" => event = value.to_owned(),
                "data" => data = Some(serde_json::from_str(value).unwrap()),
                "" | "retry" => {}
                other => panic!("a field `{other}`"),
            }
        }
        Some(Frame { event, data: data? })
    }

    /// Reads on until the last event of a session is there; gives what came, in short, with the events in order.
    pub(crate) async fn until(&mut self, seq: u64) -> Vec<String> {
        let mut told = Vec::new();
        loop {
            let frame = self.next().await.unwrap();
            told.push(frame.short());
            if frame.event == "event" && frame.data["event"]["seq"] == seq {
                return told;
            }
        }
    }

    /// Reads on until the place moves without anything to tell.
    pub(crate) async fn settle(&mut self) {
        loop {
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                assert_eq!(self.block(&block), None);
                if block.starts_with("id: ") {
                    return;
                }
            }
            let chunk = tokio::time::timeout(PATIENCE, self.body.frame()).await.unwrap().unwrap();
            self.text.push_str(std::str::from_utf8(chunk.unwrap().data_ref().unwrap()).unwrap());
        }
    }
}

/// The seqs of the events among frames.
pub(crate) fn events(told: &[String]) -> Vec<u64> {
    told.iter().filter_map(|told| told.strip_prefix("event ")?.parse().ok()).collect()
}

impl Feed {
    /// Reads one more piece, which tells nothing.
    pub(crate) async fn alive(&mut self) {
        let chunk = tokio::time::timeout(PATIENCE, self.body.frame()).await.unwrap().unwrap().unwrap();
        let text = std::str::from_utf8(chunk.data_ref().unwrap()).unwrap().to_owned();
        assert_eq!(self.block(text.trim_end()), None, "{text}");
    }
}

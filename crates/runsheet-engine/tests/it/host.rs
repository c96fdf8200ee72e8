//! A host for tests: an engine with a clock that counts, and callers of every kind.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use runsheet_engine::{
    Caller, Client, Clock, CodexThread, Engine, FixedSettings, SessionHints, Settings, ToolOutcome, core,
    core::log::{EventId, Recorded, StreamId, Time},
    store::{MemoryStore, Select, Store},
};
use uuid::Uuid;

/// Starts on 30 November 2026 and goes on by a second a look; ids count.
#[derive(Debug, Default)]
pub(crate) struct TestClock(AtomicI64);

impl Clock for TestClock {
    fn now(&self) -> Time {
        Time::from_ms(1_796_040_000_000 + 1_000 * self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn id(&self) -> EventId {
        EventId::new(Uuid::now_v7())
    }
}

/// An engine of its own over a store that others may share.
pub(crate) struct Host {
    pub(crate) engine: Engine,
    pub(crate) store: Arc<dyn Store>,
}

impl Host {
    pub(crate) fn new() -> Self {
        Self::with(Settings::default())
    }

    pub(crate) fn with(settings: Settings) -> Self {
        Self::over(Arc::new(MemoryStore::new(core::vocabulary().clone())), settings)
    }

    /// Another process on the same store, as far as the engine can tell.
    pub(crate) fn over(store: Arc<dyn Store>, settings: Settings) -> Self {
        let open = Arc::clone(&store);
        let engine = Engine::start(
            Box::new(move || Ok(Arc::clone(&open))),
            core::vocabulary().clone(),
            Arc::new(TestClock::default()),
            Arc::new(FixedSettings::new(settings)),
        );
        Self { engine, store }
    }

    pub(crate) async fn call(&self, caller: &Caller, arguments: &str) -> ToolOutcome {
        let tools = self.engine.toolset(caller.cwd.as_deref());
        self.engine.call_tool(caller, &tools, "todo_write", arguments).await.unwrap()
    }

    pub(crate) async fn events(&self, stream: &StreamId) -> Vec<Recorded> {
        self.engine.events(stream, Select::from(0)).await.unwrap().events
    }

    /// The types of a session's events, with what tells them apart.
    pub(crate) async fn log(&self, stream: &StreamId) -> String {
        let line = |event: &Recorded| {
            let data: serde_json::Value = serde_json::from_str(event.data.get()).unwrap();
            let told = ["turn", "key", "reason", "implicit", "scope", "late", "isError", "author"];
            let told = told.iter().filter_map(|key| Some(format!(" {key}={}", data.get(key)?)));
            format!("{} {}{}\n", event.seq, event.ty, told.collect::<String>())
        };
        self.events(stream).await.iter().map(line).collect()
    }
}

/// A list as a model writes it: `>` runs, `x` is done, else it is pending.
pub(crate) fn list(items: &[&str]) -> String {
    let item = |item: &&str| {
        let (status, content) = if let Some(rest) = item.strip_prefix('>') {
            ("in_progress", rest)
        } else if let Some(rest) = item.strip_prefix('x') {
            ("completed", rest)
        } else {
            ("pending", *item)
        };
        serde_json::json!({"content": content, "status": status})
    };
    serde_json::json!({"todos": items.iter().map(item).collect::<Vec<_>>()}).to_string()
}

fn caller(family: &str, hints: SessionHints) -> Caller {
    Caller {
        principal: "uid:1000".into(),
        client: Client { family: family.into(), version: Some("1.0".into()) },
        cwd: Some("/home/dev/shop".into()),
        hints,
        call_id: None,
        turn_key: None,
        via: "mcp",
    }
}

/// Codex, as each of its calls tells.
pub(crate) fn codex(session: &str, thread: &str, turn: &str, call: &str) -> Caller {
    let codex = Some(CodexThread { session: session.into(), thread: thread.into() });
    Caller {
        call_id: Some(call.into()),
        turn_key: Some(turn.into()),
        ..caller("codex", SessionHints { codex, process: Some(Uuid::from_u128(7)), ..SessionHints::default() })
    }
}

/// Claude Code over stdio: the call's id, and what its process was started with.
pub(crate) fn claude(environment: &str, call: &str) -> Caller {
    let environment = Some(environment.into());
    let hints = SessionHints { environment, process: Some(Uuid::from_u128(8)), ..SessionHints::default() };
    Caller { call_id: Some(call.into()), ..caller("claude-code", hints) }
}

/// A client that tells nothing but that it started this process.
pub(crate) fn plain(process: u128) -> Caller {
    caller("opencode", SessionHints { process: Some(Uuid::from_u128(process)), ..SessionHints::default() })
}

/// A client over HTTP with a name in the URL.
pub(crate) fn named(family: &str, name: &str) -> Caller {
    let hints = SessionHints { named: Some(name.into()), ..SessionHints::default() };
    Caller { cwd: None, via: "http", ..caller(family, hints) }
}

/// A client over stateless HTTP that names nothing.
pub(crate) fn nobody() -> Caller {
    Caller { cwd: None, via: "http", ..caller("claude-code", SessionHints::default()) }
}

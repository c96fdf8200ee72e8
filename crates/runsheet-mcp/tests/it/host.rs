//! A server for tests, over a store in memory, with settings that can change.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicI64, Ordering},
};

use runsheet_engine::{
    Clock, Engine, Opener, Settings, SettingsSource,
    core::log::{EventId, StreamId, Time},
    store::{MemoryStore, Select, Store},
};
use runsheet_mcp::{McpOptions, McpServer};
use tokio::sync::watch;
use uuid::Uuid;

/// Starts on 30 November 2026 and goes on by a second a look; ids count.
#[derive(Debug, Default)]
struct TestClock(AtomicI64, AtomicI64);

impl Clock for TestClock {
    fn now(&self) -> Time {
        Time::from_ms(1_796_040_000_000 + 1_000 * self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn id(&self) -> EventId {
        EventId::new(Uuid::from_u128(self.1.fetch_add(1, Ordering::Relaxed).unsigned_abs().into()))
    }
}

/// Settings a test changes.
pub(crate) struct Config(Mutex<Arc<Settings>>, watch::Sender<u64>);

impl Config {
    pub(crate) fn change(&self, change: impl FnOnce(&mut Settings)) {
        let mut settings = self.0.lock().unwrap();
        let mut new = Settings::clone(&settings);
        change(&mut new);
        *settings = Arc::new(new);
        self.1.send_modify(|version| *version += 1);
    }
}

impl SettingsSource for Config {
    fn settings(&self, _: Option<&str>) -> Arc<Settings> {
        Arc::clone(&self.0.lock().unwrap())
    }

    fn changed(&self) -> watch::Receiver<u64> {
        self.1.subscribe()
    }
}

pub(crate) struct Host {
    pub(crate) engine: Engine,
    pub(crate) server: McpServer,
    pub(crate) config: Arc<Config>,
}

pub(crate) fn options() -> McpOptions {
    McpOptions::new("uid:1000")
}

impl Host {
    pub(crate) fn new() -> Self {
        Self::with(Settings::default(), options())
    }

    pub(crate) fn with(settings: Settings, options: McpOptions) -> Self {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new(runsheet_engine::core::vocabulary().clone()));
        Self::opening(Box::new(move || Ok(Arc::clone(&store))), settings, options)
    }

    pub(crate) fn opening(open: Opener, settings: Settings, options: McpOptions) -> Self {
        let config = Arc::new(Config(Mutex::new(Arc::new(settings)), watch::Sender::new(0)));
        let source: Arc<dyn SettingsSource> = config.clone();
        let vocabulary = runsheet_engine::core::vocabulary().clone();
        let engine = Engine::start(open, vocabulary, Arc::new(TestClock::default()), source);
        let server = McpServer::new(engine.clone(), options);
        Self { engine, server, config }
    }

    /// Every session, each with whose it is and the contents of its list: `codex /home/dev/shop main: a, b`.
    pub(crate) async fn sessions(&self) -> String {
        let mut lines = Vec::new();
        for entry in self.engine.list(100).await.unwrap().sessions {
            let stream = StreamId::Session(entry.session);
            let events = self.engine.events(&stream, Select::from(0)).await.unwrap().events;
            let data: serde_json::Value = serde_json::from_str(events[0].data.get()).unwrap();
            let source = &data["source"];
            let native = source["native"].as_str().unwrap_or("-");
            let show = self.engine.show(&stream).await.unwrap();
            for list in show.lists {
                let items: Vec<_> = list.items.iter().map(|item| item.content.as_str()).collect();
                let version = entry.agent.version.as_deref().unwrap_or("-");
                let cwd = entry.cwd.as_deref().unwrap_or("-");
                let (agent, kind) = (&entry.agent.name, source["kind"].as_str().unwrap());
                lines.push(format!("{agent} {version} {cwd} {kind} {native} {}: {}", list.scope, items.join(", ")));
            }
        }
        lines.sort();
        lines.join("\n")
    }
}

/// The arguments of a call that writes pending items.
pub(crate) fn todos(contents: &[&str]) -> serde_json::Value {
    let item = |content: &&str| serde_json::json!({"content": content, "status": "pending"});
    serde_json::json!({"todos": contents.iter().map(item).collect::<Vec<_>>()})
}

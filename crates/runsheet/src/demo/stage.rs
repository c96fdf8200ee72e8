//! The stage: each line of the script becomes what a client would have made of it.

use std::{collections::HashMap, time::Duration};

use runsheet_core::{
    log::{
        AssistantMessage, Block, ContentBlock, Event, EventId, Scope, ToolCall, ToolFacts, ToolResult, Turns,
        Vocabulary,
    },
    observe::{self, Place, Stamp},
    progress::{SubagentEnded, SubagentStarted},
    projection::TurnsUnit,
    todo::Status,
};
use runsheet_engine::{Caller, Client, CodexThread, Engine, EngineError, Owner, SessionHints};
use runsheet_store::Expected;
use serde_json::json;
use tokio::time::sleep;
use uuid::Uuid;

use super::script::{Act, Cast, SCRIPT};
use crate::principal::principal;

/// How fast the script is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// So that a person can follow.
    Watched,
    /// Without a pause.
    AtOnce,
}

/// Plays the whole script.
pub(crate) async fn play(engine: Engine, pace: Pace) -> Result<(), EngineError> {
    let mut stage = Stage { engine, pace, run: Uuid::now_v7(), calls: 0, turns: HashMap::new() };
    for (after_ms, cast, act) in SCRIPT {
        stage.wait(*after_ms).await;
        stage.act(*cast, act).await?;
    }
    Ok(())
}

struct Stage {
    engine: Engine,
    pace: Pace,
    /// Tells the sessions of this play from those of one before.
    run: Uuid,
    calls: u64,
    turns: HashMap<Cast, u64>,
}

impl Stage {
    async fn wait(&self, ms: u64) {
        if self.pace == Pace::Watched {
            sleep(Duration::from_millis(ms)).await;
        }
    }

    async fn act(&mut self, cast: Cast, act: &Act) -> Result<(), EngineError> {
        match act {
            Act::Asks(text) => {
                *self.turns.entry(cast).or_default() += 1;
                self.tell(cast, |scene| scene.asks(text)).await
            }
            Act::Says(text) => {
                let content = vec![Block::Text { text: (*text).into() }];
                let message = AssistantMessage { content, model: None, usage: None, interrupted: false };
                self.tell(cast, |scene| vec![scene.event(&message)]).await
            }
            Act::Runs(command, ms, exit) => self.runs(cast, command, *ms, *exit).await,
            Act::Plans(list) => self.plans(cast, None, list).await,
            Act::Sends(agent) => {
                let started =
                    SubagentStarted { agent_id: (*agent).into(), agent_type: None, session: None, call_id: None };
                self.tell(cast, |scene| vec![scene.event(&started)]).await
            }
            Act::SubPlans(agent, list) => self.plans(cast, Some(agent), list).await,
            Act::Returns(agent) => {
                let ended = SubagentEnded { agent_id: (*agent).into(), is_error: false };
                self.tell(cast, |scene| vec![scene.event(&ended)]).await
            }
            Act::Ends => self.tell(cast, |scene| scene.ends()).await,
        }
    }

    /// A list, through the one way for writes: just as the MCP server would hand it on.
    async fn plans(&mut self, cast: Cast, agent: Option<&str>, list: &[(&str, Status)]) -> Result<(), EngineError> {
        self.calls += 1;
        let caller = Caller { call_id: Some(format!("call-{}", self.calls)), ..self.caller(cast, agent) };
        let items = list.iter().map(|(content, status)| json!({"content": content, "status": status.name()}));
        let arguments = json!({"todos": items.collect::<Vec<_>>()}).to_string();
        let tools = self.engine.toolset(None);
        self.engine.call_tool(&caller, &tools, "todo_write", &arguments).await.map(drop)
    }

    async fn runs(&mut self, cast: Cast, command: &str, ms: u64, exit: i64) -> Result<(), EngineError> {
        self.calls += 1;
        let call_id = format!("call-{}", self.calls);
        let called = ToolCall {
            call_id: call_id.clone(),
            name: "bash".into(),
            arguments: command.into(),
            scope: Scope::Main,
            late: false,
        };
        self.tell(cast, |scene| vec![scene.event(&called)]).await?;
        self.wait(ms).await;
        let text = if exit == 0 { "test result: ok. 41 passed" } else { "test login::expired ... FAILED" };
        let result = ToolResult {
            call_id,
            content: vec![ContentBlock::text(text)],
            is_error: exit != 0,
            facts: Some(ToolFacts::from_iter([("exitCode".to_owned(), exit.into())])),
            scope: Scope::Main,
            late: false,
            unpaired: false,
        };
        self.tell(cast, |scene| vec![scene.event(&result)]).await
    }

    fn caller(&self, cast: Cast, agent: Option<&str>) -> Caller {
        let native = format!("demo-{cast:?}-{}", self.run.simple()).to_lowercase();
        let (family, folder) = match cast {
            Cast::Login => ("codex", "/demo/shop-api"),
            Cast::Changelog => ("claude-code", "/demo/shop-api"),
            Cast::Intro => ("opencode", "/demo/handbook"),
        };
        let hints = match cast {
            Cast::Login => SessionHints {
                codex: Some(CodexThread { thread: agent.map_or(native.clone(), Into::into), session: native }),
                ..SessionHints::default()
            },
            Cast::Changelog | Cast::Intro => SessionHints { environment: Some(native), ..SessionHints::default() },
        };
        Caller {
            principal: principal(),
            client: Client::named(family, None),
            cwd: Some(folder.into()),
            hints,
            call_id: None,
            turn_key: agent.is_none().then(|| format!("turn-{}", self.turns.get(&cast).copied().unwrap_or(0))),
            via: "mcp",
        }
    }

    /// Appends what a client's hooks would have told.
    async fn tell(&self, cast: Cast, make: impl FnOnce(&Scene<'_>) -> Vec<Event>) -> Result<(), EngineError> {
        let (engine, caller) = (&self.engine, self.caller(cast, None));
        let Some(owner) = Owner::of(&caller, None, false) else { return Ok(()) };
        let Some(session) = owner.stream.session() else { return Ok(()) };
        let fold = engine.fold(&owner.stream).await?;
        let scene = Scene {
            vocabulary: engine.vocabulary(),
            turns: fold.as_ref().map(|fold| fold.state::<TurnsUnit>().clone()).unwrap_or_default(),
            place: Place { stream: &owner.stream, session, scope: &Scope::Main, key: owner.key.as_deref() },
            stamp: engine.clock().stamp(),
            id: engine.clock().id(),
        };
        let mut batch = make(&scene);
        let seq = fold.as_ref().and_then(|fold| fold.seq());
        if seq.is_none() {
            let header = owner.header(&caller.client, caller.via, engine.toolset(None).dialect.name());
            batch.insert(0, engine.vocabulary().event(engine.clock().id(), scene.stamp.time, &header));
        }
        let expected = seq.map_or(Expected::Absent, Expected::Seq);
        let appended = engine.store().await?.append(owner.stream.clone(), expected, batch).await;
        let failed = |source| EngineError::Store { operation: "playing the demo", source: std::sync::Arc::new(source) };
        appended.map(drop).map_err(failed)
    }
}

/// A session at the moment of a line.
struct Scene<'a> {
    vocabulary: &'a Vocabulary,
    turns: Turns,
    place: Place<'a>,
    stamp: Stamp,
    id: EventId,
}

impl Scene<'_> {
    fn asks(&self, text: &str) -> Vec<Event> {
        observe::prompt(self.vocabulary, &self.turns, &self.place, text, &self.stamp, |_| false)
    }

    fn ends(&self) -> Vec<Event> {
        observe::stopped(self.vocabulary, &self.turns, &self.place, &self.stamp, |_| false)
    }

    fn event<T: runsheet_core::log::EventData>(&self, data: &T) -> Event {
        self.vocabulary.event(self.id, self.stamp.time, data)
    }
}

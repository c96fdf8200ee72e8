//! `runsheet statusline`.

use std::{
    io::{self, IsTerminal, Read, Write},
    process::{self, ExitCode},
    thread,
    time::Duration,
};

use runsheet_core::{
    log::StreamId,
    projection::{Fold, SessionState},
    todo::Todos,
};
use runsheet_engine::{Engine, EngineError, ListEntry, escape, words};
use serde::Deserialize;

use super::brief;
use crate::{
    fault::Fault,
    principal::principal,
    resolve, runtime,
    store_open::{self, Use},
};

/// The client draws its bar without us after this.
const HARD_END: Duration = Duration::from_secs(1);
/// The longest input that is read.
const MAX_BYTES: u64 = 1 << 20;
/// The client whose status line this is.
const CLIENT: &str = "claude-code";
/// How many sessions are looked at to find the one of a folder.
const LOOKED_AT: usize = 32;
/// The most columns, where the client does not say how many there are.
const COLUMNS: usize = 80;

/// What Claude Code tells its status line, as far as we read it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Input {
    session_id: Option<String>,
    cwd: Option<String>,
    workspace: Workspace,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Workspace {
    project_dir: Option<String>,
}

/// Prints one line about the session that asks: nothing where there is nothing to say.
pub(crate) fn run(context: &resolve::Context) -> Result<ExitCode, Fault> {
    thread::spawn(|| {
        thread::sleep(HARD_END);
        process::exit(0);
    });
    let store = &context.config().store;
    if io::stdin().is_terminal() || !store_open::is_there(store) {
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = Vec::new();
    io::stdin().lock().take(MAX_BYTES).read_to_end(&mut text)?;
    let input: Input = serde_json::from_slice(&text).map_err(Fault::usage)?;
    let engine = brief(context.config(), Use::Read);
    if let Some(line) = runtime::block_on(line(&engine, &input))?? {
        let mut out = io::stdout().lock();
        writeln!(out, "{line}")?;
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How much of the session's list is done and what runs. Of several that run, the others are counted.
async fn line(engine: &Engine, input: &Input) -> Result<Option<String>, EngineError> {
    let Some(stream) = session(engine, input).await? else { return Ok(None) };
    let Some(fold) = engine.fold(&stream).await? else { return Ok(None) };
    let todos = Fold::state::<Todos>(&fold).standing().filter(|todos| !todos.is_empty());
    Ok(todos.map(|todos| {
        let (glance, others) = words::glance(todos);
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(COLUMNS);
        let room = columns.saturating_sub(others.len());
        format!("{}{others}", escape::clip(&escape::line(&glance), room))
    }))
}

/// The session that asks: by the client's id of it, as `show` finds it. After `/clear` the client goes by a new id, and
/// without its hook the list is still written under the old one: then it is the session of the same client and folder,
/// if exactly one is being served.
async fn session(engine: &Engine, input: &Input) -> Result<Option<StreamId>, EngineError> {
    if let Some(id) = &input.session_id {
        match engine.find(&principal(), id).await {
            Ok(stream) => return Ok(Some(stream)),
            Err(EngineError::NoSession(_) | EngineError::Ambiguous { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let folders = [&input.workspace.project_dir, &input.cwd];
    let here = |entry: &ListEntry| {
        let cwd = entry.cwd.as_ref();
        entry.agent.name == CLIENT
            && entry.state == SessionState::Working
            && cwd.is_some_and(|cwd| folders.iter().any(|folder| folder.as_ref() == Some(cwd)))
    };
    let listed = engine.list(LOOKED_AT).await?;
    let mut here = listed.sessions.iter().filter(|entry| here(entry)).map(|entry| StreamId::Session(entry.session));
    Ok(here.next().filter(|_| here.next().is_none()))
}

//! `runsheet log`.

use std::{
    io::{self, Write},
    process::ExitCode,
    time::Duration,
};

use runsheet_core::{
    log::{Recorded, Seq, StreamId, Time, ToolCall, ToolResult, TurnEnd, TurnStart, read},
    todo::TodoWrite,
};
use runsheet_engine::{Clock, Engine, EngineError, Line, SystemClock, age, words};
use runsheet_store::{Cursor, Select, StoreError};
use serde::Serialize;

use super::{brief, reading};
use crate::{
    escape,
    fault::Fault,
    output,
    principal::principal,
    resolve, runtime,
    store_open::{self, Use},
    term::{Look, Term},
};

/// How many events are taken from the store at once.
const PAGE: usize = 500;
/// How often a store that is not there yet is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Prints events.
pub(crate) fn run(
    context: &resolve::Context,
    session: Option<&str>,
    follow: bool,
    json: bool,
) -> Result<ExitCode, Fault> {
    let config = context.config();
    let mut printer = Printer { json, term: Term::stdout(), streams: session.is_none(), damaged: Vec::new() };
    let was_there = store_open::is_there(&config.store);
    let engine = match session {
        Some(session) => reading(config).map_err(|fault| super::show::named(fault, session))?,
        None if follow => {
            while !store_open::is_there(&config.store) {
                std::thread::sleep(LOOK_EVERY);
            }
            brief(config, Use::Read)
        }
        None if !store_open::is_there(&config.store) => return Ok(ExitCode::SUCCESS),
        None => brief(config, Use::Read),
    };
    runtime::block_on(async {
        match session {
            Some(session) => of_one(&engine, session, follow, &mut printer).await,
            // A store that came while we waited began after "now": all of it is new.
            None if follow => {
                let after = if was_there { None } else { Some(beginning(&engine).await?) };
                go_on(&engine, after, |_, _| true, &mut printer).await
            }
            None => of_all(&engine, &mut printer).await,
        }
    })??;
    if printer.damaged.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let hint = "all others are shown; `runsheet store verify` says what is damaged";
    Err(Fault::damaged("the store is damaged: some events are not shown", printer.damaged).hint(hint))
}

/// Prints all there is.
pub(super) async fn all(engine: &Engine) -> Result<(), Fault> {
    of_all(engine, &mut Printer { json: false, term: Term::stdout(), streams: true, damaged: Vec::new() }).await
}

async fn of_one(engine: &Engine, session: &str, follow: bool, printer: &mut Printer) -> Result<(), Fault> {
    let stream = engine.find(&principal(), session).await?;
    // Taken before the events are read, so that none falls between.
    let cursor = if follow { Some(end(engine).await?) } else { None };
    let mut next: Seq = 0;
    let mut limit = PAGE;
    loop {
        let page = match engine.events(&stream, Select { limit, ..Select::from(next) }).await {
            Ok(page) => page,
            // Somewhere on this page: what stands before it is shown.
            Err(error) if limit > 1 && Fault::from(error.clone()).is_damage() => {
                limit = 1;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        printer.print(page.events.iter().map(|event| (&stream, event)))?;
        next = page.events.last().map_or(next, |event| event.seq + 1);
        if !page.more {
            break;
        }
    }
    match cursor {
        None => Ok(()),
        Some(cursor) => go_on(engine, Some(cursor), |of, seq| *of == stream && seq >= next, printer).await,
    }
}

async fn of_all(engine: &Engine, printer: &mut Printer) -> Result<(), Fault> {
    let store = engine.store().await?;
    let mut after = beginning(engine).await?;
    loop {
        let page = store.feed(after, PAGE).await.map_err(failed)?;
        printer.print(page.entries.iter().map(|entry| (&entry.stream, &entry.event)))?;
        printer.damaged.extend(page.damaged);
        after = page.next;
        if !page.more {
            return Ok(());
        }
    }
}

fn failed(source: StoreError) -> EngineError {
    EngineError::Store { operation: "reading the events", source: std::sync::Arc::new(source) }
}

async fn beginning(engine: &Engine) -> Result<Cursor, Fault> {
    // Asked of the store itself: who does not follow needs no doorbell.
    Ok(Cursor { position: 0, ..engine.store().await?.end().await.map_err(failed)? })
}

async fn end(engine: &Engine) -> Result<Cursor, Fault> {
    Ok(engine.follow(None).await?.cursor())
}

async fn go_on(
    engine: &Engine,
    after: Option<Cursor>,
    wanted: impl Fn(&StreamId, Seq) -> bool,
    printer: &mut Printer,
) -> Result<(), Fault> {
    let mut follower = engine.follow(after).await?;
    loop {
        let changes = follower.next().await?;
        if changes.reset {
            tracing::warn!("the store was replaced: events may be missing here");
        }
        for what in &changes.damaged {
            tracing::warn!("an event is not shown: {what}");
        }
        let events = changes.events.iter().filter(|entry| wanted(&entry.stream, entry.event.seq));
        printer.print(events.map(|entry| (&entry.stream, &entry.event)))?;
    }
}

/// An event and its stream, as an export has them.
#[derive(Serialize)]
struct JsonLine<'a> {
    stream: &'a StreamId,
    event: &'a Recorded,
}

// The shape is that of an export's line, without copying the event.
const _: fn(Line) = |Line { stream: _, event: _ }| {};

/// Prints events for people or for programs.
struct Printer {
    json: bool,
    term: Term,
    /// Whether events of several streams come.
    streams: bool,
    /// What could not be printed.
    damaged: Vec<String>,
}

impl Printer {
    fn print<'a>(&mut self, events: impl Iterator<Item = (&'a StreamId, &'a Recorded)>) -> io::Result<()> {
        let mut out = output::stdout();
        let now = SystemClock.now();
        for (stream, event) in events {
            if self.json {
                output::json(&mut out, &JsonLine { stream, event })?;
            } else {
                self.line(&mut out, now, stream, event)?;
            }
        }
        out.flush()
    }

    fn line(&self, out: &mut dyn Write, now: Time, stream: &StreamId, event: &Recorded) -> io::Result<()> {
        let stream = match stream {
            // As much as tells apart sessions that began within the same minute.
            StreamId::Session(id) => id.to_string()[..13].to_owned(),
            StreamId::Tasks(list) => format!("tasks/{list}"),
        };
        let stream = if self.streams { format!("{stream}  ") } else { String::new() };
        let before = format!("{stream}{:>5}  {:>4}  ", event.seq, age(now, event.time));
        let ty = escape::line(&event.ty);
        let text = format!("{ty:<16}  {}", escape::line(&summary(event)));
        let room = self.term.columns.map_or(usize::MAX, |columns| columns.saturating_sub(before.len()).max(20));
        let text = escape::clip(text.trim_end(), room);
        let look = if &*event.ty == "todo/write" { Look::Bold } else { Look::Plain };
        writeln!(out, "{}{}", self.term.paint(Look::Dim, &before), self.term.paint(look, &text))
    }
}

/// An event in a few words; its data where there are none.
fn summary(event: &Recorded) -> String {
    let late = |late: bool| if late { "late · " } else { "" };
    if let Some(write) = read::<TodoWrite>(event) {
        let running = write.todos.running().map(|item| format!(" · {}", item.label())).unwrap_or_default();
        let whose =
            if write.scope == runsheet_core::log::Scope::Main { String::new() } else { format!("{} ", write.scope) };
        let progress = words::progress(&write.todos.counts());
        let progress = if progress.is_empty() { "an empty list".into() } else { progress };
        return format!("{}{whose}{progress}{running}", late(write.late));
    }
    if let Some(call) = read::<ToolCall>(event) {
        return format!("{}{}", late(call.late), call.name);
    }
    if let Some(result) = read::<ToolResult>(event) {
        let text = result.content.first().map(|runsheet_core::log::ContentBlock::Text { text }| text.as_str());
        return format!(
            "{}{}{}",
            late(result.late),
            if result.is_error { "failed: " } else { "" },
            text.unwrap_or_default()
        );
    }
    if let Some(start) = read::<TurnStart>(event) {
        return format!("turn {}", start.turn);
    }
    if let Some(end) = read::<TurnEnd>(event) {
        let reason = serde_json::to_value(end.reason).ok();
        return format!("turn {} {}", end.turn, reason.as_ref().and_then(|reason| reason.as_str()).unwrap_or_default());
    }
    event.data.get().to_owned()
}

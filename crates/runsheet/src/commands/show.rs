//! `runsheet show`.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use runsheet_core::todo::{Status, TodoList};
use runsheet_engine::{ShowReport, words};

use super::reading;
use crate::{
    escape,
    fault::Fault,
    output,
    principal::principal,
    resolve, runtime, session_line,
    term::{Look, Term},
};

/// Shows a session.
pub(crate) fn run(context: &resolve::Context, session: &str, json: bool) -> Result<ExitCode, Fault> {
    let engine = reading(context.config()).map_err(|fault| named(fault, session))?;
    let report = runtime::block_on(async {
        let stream = engine.find(&principal(), session).await?;
        engine.show(&stream).await
    })??;
    let mut out = output::stdout();
    if json {
        output::json(&mut out, &report)?;
    } else {
        write(&mut out, &Term::stdout(), &report)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Without a store there is no session either; that is what was asked for.
pub(crate) fn named(_: Fault, session: &str) -> Fault {
    let session: String = session.chars().take(100).collect();
    Fault::not_found(format!("no session is called `{session}`: there is no store yet"))
        .hint("an agent's first list makes it; `runsheet` shows how to connect one")
}

fn write(out: &mut dyn Write, term: &Term, report: &ShowReport) -> io::Result<()> {
    let (state, counts) = (report.state, &report.counts);
    let title = report.title.as_deref().unwrap_or("Session");
    writeln!(out, "{}  {}", term.paint(Look::Bold, &escape::line(title)), report.session)?;
    let state = format!("{} {}", state.glyph(), words::state(state, counts));
    write!(out, "{}", term.paint(session_line::look(report.state), &state))?;
    let agent = words::agent(&report.agent.name, report.agent.version.as_deref());
    for fact in [agent, report.cwd.as_deref().map(session_line::folder).unwrap_or_default()] {
        if !fact.is_empty() {
            write!(out, "  {}", escape::line(&fact))?;
        }
    }
    if report.turn > 0 {
        write!(out, "  turn {}", report.turn)?;
    }
    writeln!(out)?;
    for alert in &report.alerts {
        let alert = serde_json::to_string(alert)?;
        writeln!(out, "{}", term.paint(Look::Yellow, &escape::line(&format!("▲ {alert}"))))?;
    }
    match (&report.todos, &report.carried) {
        (Some(todos), _) => list(out, term, "To-dos", todos)?,
        (None, Some(todos)) => list(out, term, "To-dos of an earlier turn", todos)?,
        (None, None) => writeln!(out, "\nNo list stands.")?,
    }
    for other in report.lists.iter().filter(|list| list.scope != "main") {
        list(out, term, &format!("To-dos of {}", other.scope), &TodoList(other.items.clone()))?;
    }
    if let Some(plan) = &report.plan {
        writeln!(out, "\n{}", term.paint(Look::Bold, &escape::line(&format!("Plan ({})", plan.state))))?;
        writeln!(out, "{}", escape::block(&plan.text))?;
    }
    Ok(())
}

fn list(out: &mut dyn Write, term: &Term, heading: &str, todos: &TodoList) -> io::Result<()> {
    let heading = format!("{heading} {}", words::progress(&todos.counts()));
    writeln!(out, "\n{}", term.paint(Look::Bold, escape::line(&heading).trim_end()))?;
    if todos.is_empty() {
        writeln!(out, "  (an empty list)")?;
    }
    for item in todos {
        let text = format!("{} {}", words::glyph(item.status), escape::line(words::label(item)));
        writeln!(out, "  {}", term.paint(look(item.status), &text))?;
    }
    Ok(())
}

/// An item's look. It never says more than the glyph does.
const fn look(status: Status) -> Look {
    match status {
        Status::Pending => Look::Plain,
        Status::InProgress => Look::Blue,
        Status::Completed | Status::Cancelled => Look::Dim,
    }
}

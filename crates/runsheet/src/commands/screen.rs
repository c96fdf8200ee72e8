//! Plain `runsheet`: what is running now, and how to connect an agent.

use std::{
    env, fs,
    io::{self, Write},
    os::unix::fs::MetadataExt,
    path::Path,
    process::ExitCode,
};

use runsheet_core::projection::SessionState;
use runsheet_engine::{Clock, ListEntry, SystemClock};

use crate::{
    config::StoreConfig,
    escape,
    fault::Fault,
    output, resolve, session_line,
    table::{Cell, Table},
    term::{Look, Term},
};

/// How many sessions that do not run are shown.
const RECENT: usize = 5;
/// How many sessions are looked at.
const LOOKED_AT: usize = 200;

/// Shows the first screen.
pub(crate) fn run(context: &resolve::Context) -> Result<ExitCode, Fault> {
    let store = &context.config().store;
    let report = super::ls::sessions(context.config(), LOOKED_AT)?;
    let runs = |entry: &ListEntry| {
        matches!(entry.state, SessionState::Working | SessionState::Waiting | SessionState::Stalled)
    };
    let (running, rest): (Vec<_>, Vec<_>) = report.sessions.into_iter().partition(runs);
    let (mut out, term) = (output::stdout(), Term::stdout());
    let now = SystemClock.now();
    if running.is_empty() {
        writeln!(out, "{}", term.paint(Look::Bold, "Nothing is running."))?;
    } else {
        writeln!(out, "{}", term.paint(Look::Bold, "Running now"))?;
        session_line::write(&mut out, &term, now, &running, "  ")?;
    }
    if !rest.is_empty() {
        writeln!(out, "\n{}", term.paint(Look::Bold, "Before"))?;
        session_line::write(&mut out, &term, now, &rest[..rest.len().min(RECENT)], "  ")?;
        writeln!(out, "  {}", term.paint(Look::Dim, "`runsheet show <id>` shows a list, `runsheet ls` all sessions"))?;
    }
    writeln!(out, "\n{}", term.paint(Look::Bold, "Connect an agent"))?;
    connect(&mut out, &term, &program(store))?;
    writeln!(out, "\nThen `runsheet log --follow` prints what happens as it happens; `runsheet --help` has the rest.")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// How agents are connected, as lines without looks.
pub(super) fn connect_lines(store: &StoreConfig) -> Vec<String> {
    let mut text = Vec::new();
    // Writing into memory does not fail.
    _ = connect(&mut text, &Term::plain(), &program(store));
    String::from_utf8_lossy(&text).lines().map(|line| line.strip_prefix("  ").unwrap_or(line).to_owned()).collect()
}

/// One line a client: exactly what works.
fn connect(out: &mut dyn Write, term: &Term, program: &[String]) -> io::Result<()> {
    let command: Vec<String> = program.iter().map(|word| quoted(word)).collect();
    let command = command.join(" ");
    let mut table = Table::default();
    for (client, line) in [
        ("Codex", format!("codex mcp add runsheet -- {command} mcp")),
        ("Claude Code", format!("claude mcp add --scope user runsheet -- {command} mcp")),
        ("Gemini CLI", format!("gemini mcp add --scope user --trust runsheet {command} mcp")),
        ("opencode", format!("opencode mcp add runsheet -- {command} mcp")),
        ("DeepSeek Harness", "dsh --patch runsheet.patch.yml, a file that says:".into()),
    ] {
        table.row(vec![Cell::looking(client, Look::Dim), Cell::new(&line)]);
    }
    table.write(out, term, "  ")?;
    let json = |word: &str| serde_json::Value::from(word).to_string();
    let mut args: Vec<String> = program[1..].iter().map(|word| json(word)).collect();
    args.push("mcp".into());
    let (command, args) = (json(&program[0]), args.join(", "));
    for line in [
        "- insert:",
        "    - id: mcp-runsheet",
        "      name: '@deepseek-ai/dsh-mcp-client'",
        &format!("      config: {{serverName: runsheet, transport: stdio, command: {command}, args: [{args}]}}"),
    ] {
        writeln!(out, "      {}", escape::line(line))?;
    }
    Ok(())
}

/// The words that start this program: by its name where that finds it, and with the store if a flag named one.
fn program(store: &StoreConfig) -> Vec<String> {
    let mut words = vec![match env::current_exe() {
        Ok(path) if !on_path(&path) => path.to_string_lossy().into_owned(),
        _ => "runsheet".into(),
    }];
    if store.by_flag {
        let path = std::path::absolute(&store.path).unwrap_or_else(|_| store.path.clone());
        words.extend(["--store".into(), path.to_string_lossy().into_owned()]);
    }
    words
}

/// Whether `runsheet` means this file.
fn on_path(exe: &Path) -> bool {
    let id = |path: &Path| fs::metadata(path).ok().map(|meta| (meta.dev(), meta.ino()));
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).filter_map(|folder| id(&folder.join("runsheet"))).next();
    found.is_some() && found == id(exe)
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%=,~".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

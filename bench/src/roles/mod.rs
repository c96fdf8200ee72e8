//! The other processes of a metric: this program again, in a role.
//!
//! A role prepares itself, says that it is ready, waits for a line, does its part and answers with one line of JSON.

mod append;
mod fill;
mod hook;
mod idle;
mod load;
mod played;
mod share;

use std::io::{self, Write};

use anyhow::{Context, Result, bail};
use serde::Serialize;

pub(crate) use append::Spans;
pub(crate) use load::Load;
pub(crate) use played::Played;
pub(crate) use share::{Share, call_of};

/// The roles, each with its arguments as [`Played::start`] takes them.
pub(crate) const APPEND: &str = "append";
pub(crate) const FILL: &str = "fill";
pub(crate) const HOOK: &str = "hook";
pub(crate) const IDLE: &str = "idle";
pub(crate) const LOAD: &str = "load";
pub(crate) const NOTHING: &str = "nothing";
pub(crate) const SHARE: &str = "share";

/// Plays a role to its end.
pub(crate) fn play(words: &[String]) -> Result<()> {
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    match words[..] {
        [NOTHING] => Ok(()),
        [APPEND, store, appends, pause_us] => append::play(store, number(appends)?, number(pause_us)?),
        [FILL, store, wal_bytes] => fill::play(store, number(wal_bytes)?),
        [HOOK, store] => hook::play(store),
        [IDLE, store, for_ms] => idle::play(store, number(for_ms)?),
        [LOAD, store, sessions, per_append, for_ms] => {
            load::play(store, number(sessions)?, number(per_append)?, number(for_ms)?)
        }
        [SHARE, store, stream, writer, events] => share::play(store, stream, number(writer)?, number(events)?),
        _ => bail!("no role is called `{}`", words.join(" ")),
    }
}

fn number<T: std::str::FromStr<Err = std::num::ParseIntError>>(word: &str) -> Result<T> {
    word.parse().with_context(|| format!("`{word}` is no number of a role"))
}

/// Says a line to the process that started this one.
fn say<T: Serialize>(value: &T) -> Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    out.write_all(b"\n")?;
    out.flush().context("cannot answer the process that started this one")
}

/// Says that this process is ready, and waits for the word to begin.
fn wait_for_go() -> Result<()> {
    say(&"ready")?;
    let mut line = String::new();
    if io::stdin().read_line(&mut line).context("cannot wait for the word to begin")? == 0 {
        bail!("the process that started this one is gone");
    }
    Ok(())
}

//! `runsheet watch`.

use std::{
    io::{self, IsTerminal},
    process::ExitCode,
};

use anyhow::Context as _;
use runsheet_engine::Engine;
use runsheet_tui::{Look, Setup};

use super::{brief, screen, show};
use crate::{
    config::{Config, StoreConfig},
    fault::Fault,
    principal::principal,
    resolve, runtime,
    store_open::{self, Use},
    term,
};

/// Shows the sessions, or one of them, live.
pub(crate) fn run(context: &resolve::Context, session: Option<&str>, mouse: bool) -> Result<ExitCode, Fault> {
    if !on_terminal() {
        let fault = Fault::usage("`runsheet watch` needs a terminal that shows more than lines");
        return Err(fault.hint("`runsheet log --follow` prints what happens, to a file or a program too"));
    }
    let config = context.config().clone();
    let there = store_open::is_there(&config.store);
    if let Some(session) = session.filter(|_| !there) {
        return Err(show::named(store_open::missing(&config.store.path), session));
    }
    runtime::block_on(async {
        let engine = there.then(|| brief(&config, Use::Read));
        let mut only = None;
        // What cannot be read is told before the screen is taken over.
        if let Some(engine) = &engine {
            engine.store().await?;
            if let Some(session) = session {
                only = engine.find(&principal(), session).await?.session();
            }
        }
        let setup = setup(&config.store, only);
        show_it(move || engine.clone().or_else(|| once_there(&config)), setup, mouse).await
    })??;
    Ok(ExitCode::SUCCESS)
}

/// Whether there is a terminal to draw on.
pub(super) fn on_terminal() -> bool {
    io::stdout().is_terminal()
        && io::stdin().is_terminal()
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// How the terminal UI begins.
pub(super) fn setup(store: &StoreConfig, only: Option<uuid::Uuid>) -> Setup {
    Setup {
        only,
        connect: screen::connect_lines(store),
        look: Look { colour: term::wants_colour(), ascii: !term::shows_unicode() },
        home: std::env::home_dir().filter(|home| home.is_absolute()),
    }
}

/// Shows what an engine reads until the person or a signal ends it.
pub(super) async fn show_it(
    open: impl FnMut() -> Option<Engine> + Send + 'static,
    setup: Setup,
    mouse: bool,
) -> Result<(), Fault> {
    let mut stop = runtime::Stop::new().context("signals cannot be taken")?;
    let shown = runsheet_tui::watch(open, setup, mouse, stop.asked()).await;
    shown.context("the terminal cannot be used").map_err(Fault::from)
}

fn once_there(config: &Config) -> Option<Engine> {
    store_open::is_there(&config.store).then(|| brief(config, Use::Read))
}

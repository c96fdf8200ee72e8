//! `runsheet demo`.

use std::{io::Write, process::ExitCode};

use anyhow::Context as _;
use tempfile::TempDir;

use super::{brief, log, screen, watch};
use crate::{
    config::Config,
    demo::{self, Pace},
    fault::Fault,
    output, resolve, runtime,
    store_open::Use,
};

/// Plays a few sessions through the engine, and shows them: in the terminal UI, else as a log.
pub(crate) fn run(context: &resolve::Context, mouse: bool) -> Result<ExitCode, Fault> {
    let mut config: Config = context.config().clone();
    // Only a store that was named for it keeps what is played.
    let kept = config.store.by_flag;
    let folder = if kept { None } else { Some(TempDir::new().context("there is no room for the demo's store")?) };
    if let Some(folder) = &folder {
        config.store.path = folder.path().join("demo.db");
    }
    let engine = brief(&config, Use::Write);
    let on_terminal = watch::on_terminal();
    runtime::block_on(async {
        engine.store().await?;
        let shown = if on_terminal {
            let mut setup = watch::setup(&config.store, None);
            // Agents are connected to the person's own store, not to this one.
            setup.connect = screen::connect_lines(&context.config().store);
            let playing = tokio::spawn(demo::play(engine.clone(), Pace::Watched));
            let shown = engine.clone();
            let shown = watch::show_it(move || Some(shown.clone()), setup, mouse).await;
            playing.abort();
            // A play that was left early is no failure; one that failed is.
            let played = playing.await.ok().transpose();
            shown.and(played.map(drop).map_err(Fault::from))
        } else {
            demo::play(engine.clone(), Pace::AtOnce).await?;
            log::all(&engine).await
        };
        engine.close().await;
        shown
    })??;
    drop(folder);
    let mut out = output::stdout();
    let left = match kept {
        true => format!("That was the demo. It stays in {}.", config.store.path.display()),
        false => "That was the demo. Nothing is left of it.".into(),
    };
    writeln!(out, "\n{left} Connect an agent, and watch its own list:\n")?;
    for line in screen::connect_lines(&context.config().store) {
        writeln!(out, "  {line}")?;
    }
    writeln!(out, "\nThen `runsheet watch` shows it as it happens.")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

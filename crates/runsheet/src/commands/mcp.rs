//! `runsheet mcp`.

use std::process::ExitCode;

use anyhow::Context as _;
use runsheet_mcp::{McpServer, StdioProcess, open_stdio, serve_stdio};
use tokio_util::sync::CancellationToken;

use super::long;
use crate::{fault::Fault, resolve, runtime};

/// Serves one agent over stdio.
pub(crate) fn run(context: resolve::Context) -> Result<ExitCode, Fault> {
    let (engine, options) = long(context);
    runtime::block_on(async {
        let mut stop = runtime::Stop::new().context("signals cannot be taken")?;
        let server = McpServer::new(engine.clone(), options);
        let shutdown = CancellationToken::new();
        let asked = shutdown.clone();
        tokio::spawn(async move {
            stop.asked().await;
            asked.cancel();
        });
        let (input, output) = open_stdio();
        let served = serve_stdio(server.clone(), input, output, StdioProcess::current(), shutdown).await;
        // However it ended: what was accepted is finished, and the turn is closed.
        server.finished().await;
        engine.close().await;
        served.context("serving the agent failed")
    })??;
    Ok(ExitCode::SUCCESS)
}

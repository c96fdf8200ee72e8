//! `runsheet serve`.

use std::{
    io::{self, Write},
    net::SocketAddr,
    process::ExitCode,
    time::Duration,
};

use anyhow::Context as _;
use axum::{
    extract::{ConnectInfo, Request},
    http::{StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    serve::IncomingStream,
};
use runsheet_mcp::{HttpOptions, McpServer, http_router};
use runsheet_web::WebOptions;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::long;
use crate::{
    browser,
    fault::Fault,
    peer::{self, Peer},
    principal, resolve, runtime,
};

/// How long connections may take to end once we were asked to.
const GRACE: Duration = Duration::from_secs(10);
/// How long they may take once every request has its answer: for what is on its way to who reads it.
const DELIVERY: Duration = Duration::from_secs(1);

/// Serves agents, browsers and programs over HTTP; opens a browser when asked to.
pub(crate) fn run(context: resolve::Context, open: bool) -> Result<ExitCode, Fault> {
    let config = context.config();
    let address = SocketAddr::new(config.serve.bind, config.serve.port);
    let (max_sessions, max_body_bytes) = (config.max_sessions, config.max_body_bytes);
    if !address.ip().is_loopback() {
        let what = format!("{} can be reached from other machines, and this version has no tokens yet", address.ip());
        return Err(Fault::usage(what).hint("listen at a loopback address: --bind 127.0.0.1"));
    }
    let runtime = runtime::many().context("threads cannot be started")?;
    let outcome = runtime.block_on(async {
        let listener = TcpListener::bind(address).await;
        let listener = listener.with_context(|| format!("cannot listen at {address}")).map_err(|error| {
            Fault::from(error).hint("another program may listen there (another `runsheet serve`?); try --port")
        })?;
        let address = listener.local_addr().context("the address cannot be told")?;
        let mut stop = runtime::Stop::new().context("signals cannot be taken")?;
        let logins = browser::logins(&context.config().store.path).context("there is no randomness")?;
        let (engine, mcp) = long(context);
        let server = McpServer::new(engine.clone(), mcp);
        let mut http = HttpOptions::loopback(address.port());
        http.allowed_hosts.push(address.to_string());
        http.allowed_origins.push(format!("http://{address}"));
        http.max_sessions = max_sessions;
        http.max_body_bytes = max_body_bytes;
        let mut web = WebOptions::loopback(address.port(), principal::principal(), logins.clone());
        web.allowed_hosts.clone_from(&http.allowed_hosts);
        web.allowed_origins.clone_from(&http.allowed_origins);
        let (shutdown, drained) = (CancellationToken::new(), http.drained.clone());
        let router = http_router(server.clone(), http, shutdown.clone())
            .merge(runsheet_web::router(engine.clone(), web, shutdown.clone()))
            .layer(middleware::from_fn(only_ours));
        // Who waits for this line may connect.
        _ = writeln!(io::stderr(), "listening on http://{address}/mcp");
        tokio::spawn(browser::links(logins, address, open, shutdown.clone()));
        let asked = shutdown.clone();
        let serving = axum::serve(listener, router.into_make_service_with_connect_info::<Peer>())
            .with_graceful_shutdown(async move { asked.cancelled().await });
        let serving = tokio::spawn(serving.into_future());
        stop.asked().await;
        shutdown.cancel();
        let delivered = async {
            drained.cancelled().await;
            tokio::time::sleep(DELIVERY).await;
        };
        tokio::select! {
            _ = serving => {}
            // What is open never asked for anything.
            () = delivered => tracing::debug!("idle connections are cut off"),
            () = tokio::time::sleep(GRACE) => tracing::warn!("connections were still open and are cut off"),
        }
        server.finished().await;
        engine.close().await;
        Ok::<_, Fault>(())
    });
    runtime.shutdown_background();
    outcome.map(|()| ExitCode::SUCCESS)
}

impl axum::extract::connect_info::Connected<IncomingStream<'_, TcpListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, TcpListener>) -> Self {
        match stream.io().local_addr() {
            Ok(local) => peer::of(*stream.remote_addr(), local),
            Err(_) => Self::Unknown,
        }
    }
}

/// Lets in who is the user that started us, and tells anybody else why not.
async fn only_ours(mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<Peer>>().map_or(Peer::Unknown, |info| info.0);
    let whose = match peer {
        Peer::User(uid) if uid == principal::uid() => {
            request.extensions_mut().insert(runsheet_web::Peer::Ours);
            return next.run(request).await;
        }
        Peer::User(uid) => format!("this connection is user {uid}'s"),
        // This connection is one of too many; what closes it makes room.
        Peer::Exhausted => {
            tracing::warn!("a connection was refused: too many open files; raise the limit (`ulimit -n`)");
            let text = "Too many open files in `runsheet serve`: close some connections and try again, or raise its \
                        limit (`ulimit -n`).\n";
            return (StatusCode::SERVICE_UNAVAILABLE, [(header::CONNECTION, "close")], text).into_response();
        }
        Peer::Unknown => "whose this connection is cannot be told".into(),
    };
    tracing::warn!("a connection was refused: {whose}");
    let text = format!("Only programs of the user who started `runsheet serve` are let in; {whose}.\n");
    (StatusCode::FORBIDDEN, text).into_response()
}

//! Serving one client over a pair of byte streams.

mod lines;
mod open;
mod transport;

use std::sync::{Arc, atomic::Ordering};

use rmcp::{ServiceExt, service::ServerInitializeError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

pub use open::{StdioReader, StdioWriter, open_stdio};

use crate::{
    connection::{Connection, Edge},
    error::McpError,
    handler::Handler,
    options::StdioProcess,
    server::McpServer,
};

/// Serves one client until it closes its end or `shutdown` is cancelled.
///
/// Requests in flight are finished and answered before this returns; further ones are not read. Nothing but protocol is
/// written. The engine stays open: whoever opened it closes it next.
///
/// # Errors
/// When the first message can neither be served nor refused, or the library fails.
pub async fn serve_stdio<R, W>(
    server: McpServer,
    input: R,
    output: W,
    process: StdioProcess,
    shutdown: CancellationToken,
) -> Result<(), McpError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let edge = Edge::Stdio(process, server.engine().clock().id().uuid());
    let connection = Connection::new(server.clone(), edge, CancellationToken::new());
    let transport =
        transport::LineTransport::new(input, output, server.options(), connection.closing.clone(), shutdown);
    let served = transport.served();
    // The transport's end ends the service: a token of the library's own would cut off what is in flight.
    let service = match Handler(Arc::clone(&connection)).serve(transport).await {
        Ok(service) => service,
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(McpError::Start(Box::new(error))),
    };
    served.store(true, Ordering::Release);
    service.waiting().await.map_err(McpError::Serve)?;
    Ok(())
}

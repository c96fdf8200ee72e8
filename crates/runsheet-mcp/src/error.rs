//! What can end a connection other than its client.

/// A failed operation of the server. What goes wrong within a connection is told to its client instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum McpError {
    /// The first message of a connection could not be answered, or agreed upon.
    #[error("starting the MCP connection failed")]
    Start(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The task that serves the connection failed.
    #[error("serving the MCP connection failed")]
    Serve(#[source] tokio::task::JoinError),
}

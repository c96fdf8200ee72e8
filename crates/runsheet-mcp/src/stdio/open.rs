//! The process's own input and output, without a thread hop where they allow it.

use std::{
    fs::File,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::{
            fs::{FileTypeExt, MetadataExt},
            net::UnixStream as StdStream,
        },
    },
};

use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::UnixStream,
};

/// The process's input.
pub type StdioReader = Box<dyn AsyncRead + Send + Unpin>;
/// The process's output.
pub type StdioWriter = Box<dyn AsyncWrite + Send + Unpin>;

/// Opens standard input and output for [`serve_stdio`](crate::serve_stdio).
///
/// Pipes and sockets, which is what clients give, are read and written without blocking; anything else goes through
/// tokio's blocking threads, where a pending read keeps the runtime from being dropped: end it with
/// `Runtime::shutdown_background`. To be called within a runtime.
#[must_use]
pub fn open_stdio() -> (StdioReader, StdioWriter) {
    let (input, output) = (std::io::stdin(), std::io::stdout());
    if let (Some(input), Some(output)) = (socket(input.as_fd()), socket(output.as_fd())) {
        return (Box::new(input), Box::new(output));
    }
    let (input, output) = rmcp::transport::stdio_pipes();
    (Box::new(input), Box::new(output))
}

/// A descriptor that is a socket of its own. Not blocking is a property of what is behind the descriptor: one that
/// standard error shares is left as it is, or logs would be lost.
fn socket(fd: BorrowedFd<'_>) -> Option<UnixStream> {
    let own = fd.try_clone_to_owned().ok()?;
    let file = File::from(own);
    let about = file.metadata().ok()?;
    let errors = File::from(std::io::stderr().as_fd().try_clone_to_owned().ok()?).metadata().ok()?;
    if !about.file_type().is_socket() || (about.dev(), about.ino()) == (errors.dev(), errors.ino()) {
        return None;
    }
    let stream = StdStream::from(OwnedFd::from(file));
    stream.set_nonblocking(true).ok()?;
    UnixStream::from_std(stream).ok()
}

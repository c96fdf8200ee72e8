//! The runtime of commands, and the signals that end them.

use std::io;

use tokio::{
    runtime::{Builder, Runtime},
    signal::unix::{Signal, SignalKind, signal},
};

/// One thread: for everything that serves one client or none.
pub(crate) fn single() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Several threads: for everything that serves many clients.
pub(crate) fn many() -> io::Result<Runtime> {
    Builder::new_multi_thread().enable_all().build()
}

/// Runs a command to its end. Reads of stdin that still wait do not keep it.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> io::Result<T> {
    let runtime = single()?;
    let outcome = runtime.block_on(future);
    runtime.shutdown_background();
    Ok(outcome)
}

/// SIGINT, SIGTERM and SIGHUP (the terminal was closed): all ask for the same.
pub(crate) struct Stop {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

impl Stop {
    /// Takes the signals from now on.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for one.
    pub(crate) async fn asked(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
        }
    }
}

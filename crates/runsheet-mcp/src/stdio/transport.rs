//! Lines as the library's transport.
//!
//! The library's own one leaves requests it cannot read unanswered, ends with a notification too early and waits for
//! open subscriptions at the end of the input. This one answers every request, takes up as much as is served at once,
//! and ends the input only when all that was read is answered.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rmcp::{
    ErrorData, RoleServer,
    model::{ClientRequest, GetExtensions, JsonRpcMessage, RequestId},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    sync::{Mutex, OwnedSemaphorePermit, Semaphore, watch},
    time::Instant,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::lines::{Line, Lines};
use crate::{options::McpOptions, ticket::Queue, wire};

/// Messages that wait to be written before reading stops.
const MAX_UNWRITTEN: usize = 256;

/// A connection of lines.
pub(super) struct LineTransport<R, W> {
    lines: Lines<R>,
    output: Arc<Mutex<W>>,
    unwritten: watch::Sender<usize>,
    /// The output failed: nobody is there to be answered.
    broken: CancellationToken,
    queue: Queue,
    permits: Arc<Semaphore>,
    /// Requests that are being served, and refusals that are being written.
    serving: TaskTracker,
    /// Whether the library has chosen an era; before that it takes nothing but requests.
    served: Arc<AtomicBool>,
    closing: CancellationToken,
    shutdown: CancellationToken,
    max_line_bytes: usize,
    drain_timeout: Duration,
    /// Set when nothing is read any more.
    deadline: Option<Instant>,
}

impl<R: AsyncRead + Send + Unpin + 'static, W: AsyncWrite + Send + Unpin + 'static> LineTransport<R, W> {
    pub(super) fn new(
        input: R,
        output: W,
        options: &McpOptions,
        closing: CancellationToken,
        shutdown: CancellationToken,
    ) -> Self {
        Self {
            lines: Lines::new(input, options.max_line_bytes),
            output: Arc::new(Mutex::new(output)),
            unwritten: watch::Sender::new(0),
            broken: CancellationToken::new(),
            queue: Queue::new(),
            permits: Arc::new(Semaphore::new(options.max_requests)),
            serving: TaskTracker::new(),
            served: Arc::default(),
            closing,
            shutdown,
            max_line_bytes: options.max_line_bytes,
            drain_timeout: options.drain_timeout,
            deadline: None,
        }
    }

    /// To be set once the library serves the connection.
    pub(super) fn served(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.served)
    }

    /// Waits for the next line until the connection ends, with a permit to serve it.
    async fn line(&mut self) -> Option<(Line, OwnedSemaphorePermit)> {
        let mut unwritten = self.unwritten.subscribe();
        let reading = async {
            let _ = unwritten.wait_for(|unwritten| *unwritten < MAX_UNWRITTEN).await;
            let permit = Arc::clone(&self.permits).acquire_owned().await.ok()?;
            match self.lines.next().await {
                Ok(line) => Some((line?, permit)),
                Err(error) => {
                    tracing::warn!(%error, "reading the input failed");
                    None
                }
            }
        };
        tokio::select! {
            biased;
            () = self.shutdown.cancelled() => None,
            () = self.broken.cancelled() => None,
            line = reading => line,
        }
    }

    fn refuse(&mut self, id: Option<RequestId>, error: ErrorData) {
        let answer = TxJsonRpcMessage::<RoleServer>::error(error, id);
        let answering = self.send(answer);
        let token = self.serving.token();
        tokio::spawn(async move {
            let _token = token;
            // A failure to write ends the connection.
            let _ = answering.await;
        });
    }

    /// Prepares a message for the library; `None` when it is not for it.
    fn admit(
        &mut self,
        mut message: RxJsonRpcMessage<RoleServer>,
        permit: OwnedSemaphorePermit,
    ) -> Option<RxJsonRpcMessage<RoleServer>> {
        let JsonRpcMessage::Request(request) = &mut message else {
            // Clients cancel requests that were answered before there is an era.
            return self.served.load(Ordering::Acquire).then_some(message);
        };
        let orders = match &request.request {
            ClientRequest::CallToolRequest(_) => true,
            ClientRequest::CustomRequest(custom) => custom.method == "tools/call",
            _ => false,
        };
        // A subscription stays open and is bounded on its own.
        let permit = Some(permit).filter(|_| !matches!(request.request, ClientRequest::SubscriptionsListenRequest(_)));
        match self.queue.ticket(&request.id, orders, self.serving.token(), permit) {
            Some(ticket) => {
                request.request.extensions_mut().insert(ticket);
                Some(message)
            }
            None => {
                let id = request.id.clone();
                self.refuse(Some(id), ErrorData::invalid_request("a request with this id is being served", None));
                None
            }
        }
    }
}

impl<R, W> Transport<RoleServer> for LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let line = serde_json::to_vec(&message).map(|mut line| {
            line.push(b'\n');
            line
        });
        let (output, broken) = (Arc::clone(&self.output), self.broken.clone());
        let unwritten = Unwritten::new(&self.unwritten);
        async move {
            let _unwritten = unwritten;
            let line = line?;
            let mut output = output.lock().await;
            let writing = async {
                output.write_all(&line).await?;
                output.flush().await
            };
            writing.await.inspect_err(|_| broken.cancel())
        }
    }

    // Polled in a `select!`: whatever is read is kept in `self` until it is given out whole.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(deadline) = self.deadline {
                drain(&self.closing, &self.serving, deadline).await;
                return None;
            }
            let Some((line, permit)) = self.line().await else {
                self.deadline = Some(Instant::now() + self.drain_timeout);
                continue;
            };
            let line = match line {
                Line::Whole(line) => line,
                Line::TooLong(id) => {
                    let what = format!("the message is longer than {} bytes", self.max_line_bytes);
                    self.refuse(id, ErrorData::invalid_request(what, None));
                    continue;
                }
            };
            if line.trim_ascii().is_empty() {
                continue;
            }
            match wire::read(&line) {
                Ok((message, _)) => {
                    if let Some(message) = self.admit(message, permit) {
                        return Some(message);
                    }
                }
                Err(refused) => self.refuse(refused.id, refused.error),
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        let closing = async { self.output.lock().await.shutdown().await };
        // A peer that reads nothing any more must not keep the process.
        tokio::time::timeout(Duration::from_secs(1), closing).await.unwrap_or(Ok(()))
    }
}

/// Ends what is open and waits for what is in flight.
async fn drain(closing: &CancellationToken, serving: &TaskTracker, deadline: Instant) {
    closing.cancel();
    serving.close();
    if tokio::time::timeout_at(deadline, serving.wait()).await.is_err() {
        tracing::warn!(requests = serving.len(), "requests are still running at the end of the connection");
    }
}

/// A message that waits to be written.
struct Unwritten(watch::Sender<usize>);

impl Unwritten {
    fn new(count: &watch::Sender<usize>) -> Self {
        count.send_modify(|count| *count += 1);
        Self(count.clone())
    }
}

impl Drop for Unwritten {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

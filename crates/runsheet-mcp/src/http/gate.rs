//! What a request passes before the protocol's service sees it.

use std::{collections::HashMap, sync::Arc};

use axum::{
    body::{Body, Bytes},
    extract::{Path, Request, State},
    middleware::Next,
    response::Response,
};
use http::{HeaderMap, HeaderName, Method, StatusCode, Uri, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use rmcp::{
    ErrorData,
    model::{ClientRequest, ErrorCode, JsonRpcMessage, RequestId},
    transport::streamable_http_server::session::local::LocalSessionManager,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{answer::refusal, name::SessionName, sessions::Sessions};
use crate::{options::HttpOptions, wire};

const SESSION_ID: &str = "mcp-session-id";
/// What a browser says of where a request comes from.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// The code of refusals that say something of the server, not of the message.
const SERVER_ERROR: ErrorCode = ErrorCode(-32_000);

/// Everything a request is held against.
pub(super) struct Gate {
    options: HttpOptions,
    sessions: Arc<Sessions>,
    closing: CancellationToken,
    /// Requests whose answer is not delivered yet.
    requests: TaskTracker,
}

impl Gate {
    pub(super) fn new(
        options: HttpOptions,
        manager: Arc<LocalSessionManager>,
        closing: CancellationToken,
        requests: TaskTracker,
    ) -> Self {
        Self { sessions: Sessions::new(manager, options.max_sessions), options, closing, requests }
    }

    /// A page a browser was lured to must not reach this server, whatever name it resolves.
    fn admits(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), &'static str> {
        let all = |name| headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
        let among = |allowed: &[String], value: &str| allowed.iter().any(|one| one.eq_ignore_ascii_case(value));
        let mut hosts = all(header::HOST);
        if !hosts.next().is_some_and(|host| among(&self.options.allowed_hosts, &host)) {
            return Err("the Host header names another server");
        }
        // Of two, somebody on the way may have looked at the other one.
        if hosts.next().is_some() {
            return Err("there is more than one Host header");
        }
        if uri.authority().is_some_and(|host| !among(&self.options.allowed_hosts, host.as_str())) {
            return Err("the request's URI names another server");
        }
        if all(header::ORIGIN).any(|origin| !among(&self.options.allowed_origins, &origin)) {
            return Err("requests from this Origin are not allowed");
        }
        // A browser leaves the Origin out of what it thinks changes nothing, and then says this much.
        let from_here = |site: &str| matches!(site, "same-origin" | "none");
        if !headers.contains_key(header::ORIGIN) && all(FETCH_SITE).any(|site| !from_here(&site)) {
            return Err("requests from other sites are not allowed");
        }
        Ok(())
    }

    /// The whole body. One whose sender still owes it when the server shuts down is not waited for: nothing of it was
    /// served, so nothing is lost.
    async fn body(&self, headers: &HeaderMap, body: Body) -> Result<Bytes, Response> {
        let limit = self.options.max_body_bytes;
        let too_large = || {
            let what = format!("the body is larger than {limit} bytes");
            refusal(StatusCode::PAYLOAD_TOO_LARGE, None, ErrorData::new(SERVER_ERROR, what, None))
        };
        let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
        // A number that does not fit is larger than any limit; one that is none was refused before us.
        if announced.is_some_and(|length| length.parse().map_or(true, |length: usize| length > limit)) {
            return Err(too_large());
        }
        let closed = async {
            self.closing.cancelled().await;
            tokio::time::sleep(self.options.closing_grace).await;
        };
        let whole = tokio::time::timeout(self.options.body_timeout, Limited::new(body, limit).collect());
        let whole = tokio::select! {
            biased;
            whole = whole => whole,
            () = closed => return Err(shutting_down()),
        };
        match whole {
            Ok(Ok(body)) => Ok(body.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
            Ok(Err(error)) => Err(bad_request(None, format!("the body could not be read: {error}"))),
            Err(_) => {
                let what = "the body did not arrive in time";
                Err(refusal(StatusCode::REQUEST_TIMEOUT, None, ErrorData::new(SERVER_ERROR, what, None)))
            }
        }
    }
}

fn shutting_down() -> Response {
    let closing = ErrorData::new(SERVER_ERROR, "runsheet is shutting down; try again in a moment", None);
    refusal(StatusCode::SERVICE_UNAVAILABLE, None, closing)
}

fn bad_request(id: Option<RequestId>, what: String) -> Response {
    refusal(StatusCode::BAD_REQUEST, id, ErrorData::invalid_request(what, None))
}

/// The middleware.
pub(super) async fn pass(
    State(gate): State<Arc<Gate>>,
    Path(path): Path<HashMap<String, String>>,
    request: Request,
    next: Next,
) -> Response {
    through(&gate, &path, request, next).await.unwrap_or_else(|refused| refused)
}

async fn through(
    gate: &Gate,
    path: &HashMap<String, String>,
    request: Request,
    next: Next,
) -> Result<Response, Response> {
    gate.admits(request.uri(), request.headers())
        .map_err(|what| refusal(StatusCode::FORBIDDEN, None, ErrorData::new(SERVER_ERROR, what, None)))?;
    if gate.closing.is_cancelled() {
        return Err(shutting_down());
    }
    // A stream of notifications ends with the server; only answers are waited for.
    let answering = (request.method() == Method::POST).then(|| gate.requests.token());
    let (mut parts, body) = request.into_parts();
    let name = SessionName::of(path, &parts.headers).map_err(|what| bad_request(None, what))?;
    let (mut body, mut id, mut initializes) = (body, None, false);
    if parts.method == Method::POST {
        let bytes = gate.body(&parts.headers, body).await?;
        let (message, repaired) =
            wire::read(&bytes).map_err(|refused| refusal(StatusCode::BAD_REQUEST, refused.id, refused.error))?;
        if let JsonRpcMessage::Request(request) = message {
            initializes = matches!(request.request, ClientRequest::InitializeRequest(_));
            id = Some(request.id);
        }
        body = repaired.map_or_else(|| Body::from(bytes), Body::from);
    }
    let session = parts.headers.get(SESSION_ID).and_then(|id| id.to_str().ok()).map(str::to_owned);
    let (name, mut entered) = match &session {
        Some(session) => gate
            .sessions
            .enter(session, name)
            .map_err(|_| bad_request(id.clone(), "this Mcp-Session-Id belongs to a session of another name".into()))?,
        None => (name, None),
    };
    let reserved = match initializes && session.is_none() {
        true => Some(gate.sessions.reserve().await.ok_or_else(|| {
            let what = format!("all {} sessions are in use; try again later", gate.options.max_sessions);
            refusal(StatusCode::SERVICE_UNAVAILABLE, id.clone(), ErrorData::new(SERVER_ERROR, what, None))
        })?),
        false => None,
    };
    if let Some(name) = &name {
        parts.extensions.insert(name.clone());
    }
    let ends = parts.method == Method::DELETE;
    let response = next.run(Request::from_parts(parts, body)).await;
    if ends
        && response.status().is_success()
        && let Some(session) = &session
    {
        gate.sessions.forget(session);
    }
    let made = response.headers().get(SESSION_ID).and_then(|id| id.to_str().ok());
    if let (Some(reserved), Some(made)) = (reserved, made) {
        entered = reserved.made(made, name);
    }
    let held = (answering, entered);
    Ok(response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            // What the request holds is let go when its answer is delivered or dropped.
            let _held = &held;
            frame
        }))
    }))
}

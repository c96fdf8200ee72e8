//! A client over HTTP: requests go straight to the router.

use axum::{
    Router,
    body::{Body, Bytes},
};
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt;
use runsheet_mcp::{HttpOptions, http_router};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::{
    host::{Host, todos},
    peer::{modern_meta, texts},
};

pub(crate) const HOST: &str = "127.0.0.1:4477";

/// A server that listens nowhere.
pub(crate) struct Web {
    router: Router,
    pub(crate) shutdown: CancellationToken,
}

/// What came back, with its body still to be read.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) session: Option<String>,
    body: Body,
    read: String,
}

impl Answer {
    async fn frame(&mut self) -> Option<Bytes> {
        self.body.frame().await?.unwrap().into_data().ok()
    }

    /// The whole body.
    pub(crate) async fn text(mut self) -> String {
        while let Some(bytes) = self.frame().await {
            self.read += std::str::from_utf8(&bytes).unwrap();
        }
        self.read
    }

    /// The next message of a stream, or the one message there is; `None` at the end.
    pub(crate) async fn message(&mut self) -> Option<Value> {
        loop {
            if let Some(end) = self.read.find("\n\n") {
                let event: String = self.read.drain(..end + 2).collect();
                let data: String = event.lines().filter_map(|line| line.strip_prefix("data:")).collect();
                if let Ok(message) = serde_json::from_str(&data) {
                    return Some(message);
                }
            } else if let Some(bytes) = self.frame().await {
                self.read += std::str::from_utf8(&bytes).unwrap();
            } else {
                return serde_json::from_str(&std::mem::take(&mut self.read)).ok();
            }
        }
    }
}

impl Web {
    pub(crate) fn new(host: &Host) -> Self {
        Self::with(host, HttpOptions::loopback(4477))
    }

    pub(crate) fn with(host: &Host, options: HttpOptions) -> Self {
        let shutdown = CancellationToken::new();
        Self { router: http_router(host.server.clone(), options, shutdown.clone()), shutdown }
    }

    /// Sends a request with our usual headers, unless others are given; an empty one is left out.
    pub(crate) async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let usual =
            [("host", HOST), ("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in usual.iter().filter(|(name, _)| !headers.iter().any(|(given, _)| given == name)) {
            request = request.header(*name, *value);
        }
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            request = request.header(*name, *value);
        }
        let response = self.router.clone().oneshot(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap();
        let session = response.headers().get("mcp-session-id").map(|id| id.to_str().unwrap().to_owned());
        Answer { status: response.status(), session, body: response.into_body(), read: String::new() }
    }

    /// Sends a message.
    pub(crate) async fn post(&self, path: &str, headers: &[(&str, &str)], message: &Value) -> Answer {
        self.send(Method::POST, path, headers, &message.to_string()).await
    }

    /// Shakes hands and gives the session's id.
    pub(crate) async fn handshake(&self, path: &str, name: &str) -> Result<String, StatusCode> {
        let client = json!({"name": name, "version": "1"});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let mut answer = self.post(path, &[], &message).await;
        let Some(session) = answer.session.take() else { return Err(answer.status) };
        assert!(answer.message().await.unwrap()["result"].is_object());
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.post(path, &[("mcp-session-id", &session)], &ready).await;
        Ok(session)
    }

    /// Writes a list in a session.
    pub(crate) async fn legacy_write(&self, path: &str, session: &str, contents: &[&str]) -> String {
        let params = json!({"name": "todo_write", "arguments": todos(contents)});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let mut answer = self.post(path, &[("mcp-session-id", session)], &message).await;
        match answer.message().await {
            Some(message) => texts(&message),
            None => answer.status.to_string(),
        }
    }

    /// Sends a request of the era without a handshake.
    pub(crate) async fn modern(&self, path: &str, method: &str, mut params: Value, headers: &[(&str, &str)]) -> Answer {
        let mut meta = modern_meta("claude-code", "2.1.332");
        if let Some(given) = params.get("_meta").and_then(Value::as_object) {
            meta.as_object_mut().unwrap().extend(given.clone());
        }
        meta.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        params["_meta"] = meta;
        let name = params.get("name").or(params.get("uri")).and_then(Value::as_str).unwrap_or_default().to_owned();
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let mut all = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", method), ("mcp-name", &name)];
        all.extend(headers);
        self.post(path, &all, &message).await
    }

    /// Writes a list in the era without a handshake.
    pub(crate) async fn modern_write(
        &self,
        path: &str,
        contents: &[&str],
        meta: Value,
        headers: &[(&str, &str)],
    ) -> String {
        let params = json!({"name": "todo_write", "arguments": todos(contents), "_meta": meta});
        let mut answer = self.modern(path, "tools/call", params, headers).await;
        texts(&answer.message().await.unwrap())
    }
}

//! What went wrong, as clients are told.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header};
use runsheet_engine::{EditError, EngineError, store::StoreError};
use serde::Serialize;
use serde_json::value::RawValue;

/// An answer that is an error.
#[derive(Debug)]
pub(crate) struct ApiError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    status: StatusCode,
    body: Document,
    allow: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct Document {
    error: Told,
    #[serde(skip_serializing_if = "Option::is_none")]
    current: Option<Box<RawValue>>,
}

#[derive(Debug, Serialize)]
struct Told {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let error = Told { code, message: message.into(), hint: None };
        Self(Box::new(Inner { status, body: Document { error, current: None }, allow: None }))
    }

    /// A request that is wrong in itself.
    pub(crate) fn bad(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// A request that is refused for where it comes from.
    pub(crate) fn forbidden(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, message)
    }

    /// With what a person can do about it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.body.error.hint = Some(hint.into());
        self
    }

    /// With the methods that are allowed instead.
    pub(crate) fn allow(mut self, methods: &'static str) -> Self {
        self.0.allow = Some(methods);
        self
    }

    /// With how things are now.
    pub(crate) fn current(mut self, current: Box<RawValue>) -> Self {
        self.0.body.current = Some(current);
        self
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let Inner { status, body, allow } = *self.0;
        let json = serde_json::to_vec(&body).unwrap_or_default();
        let mut response = Response::new(Body::from(json));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(allow) = allow {
            headers.insert(header::ALLOW, HeaderValue::from_static(allow));
        }
        if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// The error and what caused it, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(": ");
        text.push_str(&error.to_string());
        source = error.source();
    }
    text
}

impl From<EngineError> for ApiError {
    fn from(error: EngineError) -> Self {
        let (status, code) = match &error {
            EngineError::NoSession(_) => (StatusCode::NOT_FOUND, "no_session"),
            EngineError::Ambiguous { .. } => (StatusCode::BAD_REQUEST, "ambiguous"),
            EngineError::Foreign { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "newer_version"),
            EngineError::Store { source, .. } => match &**source {
                StoreError::Busy { .. } | StoreError::SessionBusy { .. } => {
                    (StatusCode::SERVICE_UNAVAILABLE, "store_busy")
                }
                StoreError::Closed => (StatusCode::SERVICE_UNAVAILABLE, "store_closed"),
                StoreError::Full { .. } => (StatusCode::INSUFFICIENT_STORAGE, "store_full"),
                StoreError::ReadOnly { .. } => (StatusCode::INTERNAL_SERVER_ERROR, "store_read_only"),
                StoreError::Damaged { .. } => (StatusCode::INTERNAL_SERVER_ERROR, "store_damaged"),
                _ => (StatusCode::INTERNAL_SERVER_ERROR, "store_failed"),
            },
            _ => (StatusCode::INTERNAL_SERVER_ERROR, "failed"),
        };
        if status.is_server_error() {
            tracing::warn!(error = chain(&error), "a request failed");
        }
        let told = Self::new(status, code, chain(&error));
        match error.hint() {
            Some(hint) => told.hint(hint),
            None => told,
        }
    }
}

impl From<EditError> for ApiError {
    fn from(error: EditError) -> Self {
        let text = error.to_string();
        match error {
            EditError::Engine(error) => error.into(),
            EditError::NoTool(_) => Self::new(StatusCode::NOT_FOUND, "no_todo_tool", text),
            EditError::ReadOnly { .. } => {
                Self::new(StatusCode::METHOD_NOT_ALLOWED, "read_only_session", text).allow("GET, HEAD")
            }
            _ => Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_todos", text),
        }
    }
}

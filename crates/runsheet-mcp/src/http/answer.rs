//! Answers that reach no handler.

use axum::{body::Body, response::Response};
use http::{HeaderValue, StatusCode, header};
use rmcp::{ErrorData, RoleServer, model::RequestId, service::TxJsonRpcMessage};

/// A JSON-RPC error as a response of its own.
pub(super) fn refusal(status: StatusCode, id: Option<RequestId>, error: ErrorData) -> Response {
    let message = TxJsonRpcMessage::<RoleServer>::error(error, id);
    // An error holds nothing that cannot be written as JSON.
    let mut response = Response::new(Body::from(serde_json::to_vec(&message).unwrap_or_default()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

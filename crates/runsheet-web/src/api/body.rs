//! Bodies, bounded in size and time.

use axum::body::{Body, to_bytes};
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use serde::Deserialize;

use crate::{error::ApiError, options::WebOptions};

/// A whole body.
pub(super) async fn read(options: &WebOptions, headers: &HeaderMap, body: Body) -> Result<Bytes, ApiError> {
    let max = options.max_body_bytes;
    let too_big = || ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_big", format!("the body is over {max} bytes"));
    let told = headers.get(header::CONTENT_LENGTH).and_then(|told| told.to_str().ok()?.parse::<usize>().ok());
    if told.is_some_and(|told| told > max) {
        return Err(too_big());
    }
    match tokio::time::timeout(options.body_timeout, to_bytes(body, max)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        // The one other cause is a connection that broke, and then nobody reads the answer.
        Ok(Err(_)) => Err(too_big()),
        Err(_) => Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "body_timeout", "the body did not arrive in time")),
    }
}

/// A JSON object of a known shape.
pub(super) fn object<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, ApiError> {
    // A struct may be read from an array too, which nobody means.
    if text.trim_ascii_start().first().is_some_and(|first| *first != b'{') {
        return Err(ApiError::bad("bad_body", "the body must be a JSON object"));
    }
    serde_json::from_slice(text).map_err(|error| {
        let code = if error.is_data() { "bad_body" } else { "bad_json" };
        ApiError::bad(code, clip(&error.to_string()))
    })
}

/// Foreign text in an answer is bounded.
pub(super) fn clip(text: &str) -> String {
    let end = text.floor_char_boundary(300);
    if end == text.len() { text.to_owned() } else { format!("{}…", &text[..end]) }
}

//! `POST /login`: a one-time code for a cookie.

use axum::{body::Body, extract::State, response::Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Deserialize;

use super::body;
use crate::{app::App, error::ApiError, trust};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Login {
    code: String,
}

pub(super) async fn login(State(app): State<App>, headers: HeaderMap, body: Body) -> Result<Response, ApiError> {
    let text = body::read(&app.options, &headers, body).await?;
    let Login { code } = body::object(&text)?;
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let failed = || ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", "no cookie can be made");
    let now = app.engine.clock().now().as_ms();
    let Some(cookie) = app.options.logins.redeem(&code, trust::port(host), now).map_err(|_| failed())? else {
        let text = "this code is none, or was used before";
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, "bad_code", text)
            .hint("open the latest link that `runsheet serve` printed; each works once"));
    };
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().insert(header::SET_COOKIE, HeaderValue::try_from(cookie).map_err(|_| failed())?);
    Ok(response)
}

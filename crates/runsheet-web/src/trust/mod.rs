//! Who may call what (DESIGN §12), decided in one place before any handler runs.
//!
//! | request | passes |
//! |---|---|
//! | names another host than ours, or none | never: DNS rebinding |
//! | has an `Origin` that is not ours | never: another site's script |
//! | is another site's, or another port's, as `Sec-Fetch-Site` tells | only when it opens one of our pages in a tab |
//! | writes something else than `application/json` | never: a form |
//! | for a page or its files | yes: they hold no data |
//! | to log in | with a code, unless it is another user's of this machine |
//! | has our token | yes |
//! | is another user's of this machine | no, not even with a cookie: browsers send one to every port of a host |
//! | has our cookie | yes |
//! | is of our own user, and of no browser | yes |

mod cookie;
mod login;

use std::sync::atomic::Ordering::Relaxed;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

use crate::{app::App, error::ApiError, options::WebOptions, paths};

pub use login::Logins;

/// Whose connection a request came over, as the listener found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// A process of our own user on this machine.
    Ours,
    /// A process of another user of this machine.
    OtherUser,
    /// Anybody else, or nobody knows.
    Remote,
}

/// What pages may do: nothing but what this host gives them. `frame-ancestors` keeps other pages from framing ours.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                              connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; \
                              frame-ancestors 'none'";

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const DESTINATION: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// Refuses what may not pass, and puts the policy's headers on every answer.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let api = is_api(request.uri().path());
    let began = std::time::Instant::now();
    let refusal = checked(&app.options, &request, app.engine.clock().now().as_ms());
    let mut response = match refusal {
        Ok(()) => next.run(request).await,
        Err(refusal) => {
            app.metrics.refused.fetch_add(1, Relaxed);
            refusal.into_response()
        }
    };
    app.metrics.answered(response.status().as_u16());
    // A feed's answer begins at once and never ends: its time says nothing.
    app.metrics.request.observe(began.elapsed());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    for (name, value) in
        [("cross-origin-resource-policy", "same-origin"), ("cross-origin-opener-policy", "same-origin")]
    {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// Whether a path is the API's, rather than the web client's.
pub(crate) fn is_api(path: &str) -> bool {
    path.starts_with(paths::API) || path == "/api" || path == paths::METRICS
}

fn checked(options: &WebOptions, request: &Request, now_ms: i64) -> Result<(), ApiError> {
    let (headers, path) = (request.headers(), request.uri().path());
    let host = host(options, request)?;
    origin(options, headers)?;
    site(request)?;
    if !is_api(path) {
        return Ok(());
    }
    let writes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if writes && !is_json(headers) {
        let text = "the body must be application/json";
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", text)
            .hint("send the header `Content-Type: application/json`"));
    }
    let peer = request.extensions().get::<Peer>().copied().unwrap_or(Peer::Remote);
    let token = options.token.as_deref().is_some_and(|token| bears(headers, token));
    if peer == Peer::OtherUser && !token {
        return Err(ApiError::forbidden("other_user", "this host serves the user who runs it"));
    }
    let browser = headers.contains_key(header::ORIGIN) || headers.contains_key(SITE);
    let known = || options.logins.knows(headers, port(host), now_ms);
    if path == paths::LOGIN || token || (peer == Peer::Ours && !browser) || known() {
        return Ok(());
    }
    let text = "this browser is not logged in";
    Err(ApiError::new(StatusCode::UNAUTHORIZED, "login_required", text)
        .hint("open the link that `runsheet serve` printed; it works once"))
}

/// The one host named, if it is ours, to the letter.
fn host<'a>(options: &WebOptions, request: &'a Request) -> Result<&'a str, ApiError> {
    let mut named = request.headers().get_all(header::HOST).iter();
    let wrong = |text| Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, "wrong_host", text));
    let (Some(host), None) = (named.next().and_then(|host| host.to_str().ok()), named.next()) else {
        return wrong("the request must name one host");
    };
    let target = request.uri().authority().map_or(host, |authority| authority.as_str());
    if target != host || !options.allowed_hosts.iter().any(|ours| ours == host) {
        return wrong("the request is for another host");
    }
    Ok(host)
}

/// The port of an authority.
pub(crate) fn port(host: &str) -> &str {
    host.rsplit_once(':').map_or("80", |(_, port)| if port.ends_with(']') { "80" } else { port })
}

fn origin(options: &WebOptions, headers: &HeaderMap) -> Result<(), ApiError> {
    let ours = |origin: &HeaderValue| options.allowed_origins.iter().any(|ours| ours.as_bytes() == origin.as_bytes());
    if headers.get_all(header::ORIGIN).iter().all(ours) {
        return Ok(());
    }
    Err(ApiError::forbidden("wrong_origin", "another site's page may not call this host"))
}

fn site(request: &Request) -> Result<(), ApiError> {
    let headers = request.headers();
    let is = |name: &HeaderName, value: &str| headers.get(name).is_some_and(|is| is.as_bytes() == value.as_bytes());
    let own = headers.get_all(SITE).iter().all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"));
    // A link in another page, or the browser's start page, may open ours in a tab: it sends no cookie, and framing is
    // refused by the policy.
    let opens = *request.method() == Method::GET
        && is(&MODE, "navigate")
        && is(&DESTINATION, "document")
        && !is_api(request.uri().path());
    if own || opens {
        return Ok(());
    }
    Err(ApiError::forbidden("cross_site", "another site's page may not call this host"))
}

fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(Ok(ty)), None) = (types.next().map(HeaderValue::to_str), types.next()) else { return false };
    ty.split(';').next().is_some_and(|ty| ty.trim().eq_ignore_ascii_case("application/json"))
}

fn bears(headers: &HeaderMap, token: &str) -> bool {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
    given.is_some_and(|given| cookie::same(given, token.as_bytes()))
}

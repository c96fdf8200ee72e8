//! The web client's files, which the build put into the program.

use axum::{body::Body, response::Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};

/// One file.
struct Asset {
    path: &'static str,
    mime: &'static str,
    tag: &'static str,
    /// Its name changes with its content.
    immutable: bool,
    bytes: &'static [u8],
    gzip: Option<&'static [u8]>,
}

/// In the order of their paths.
static ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Below this, a path that is no file is an error; elsewhere it is a page.
const FILES: &str = "/assets/";
const PAGE: &str = "/index.html";

/// For a browser, where the program was built without Node.
const ABSENT: &str = "\
<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<title>Runsheet: no web client</title>
<h1>This Runsheet was built without its web client</h1>
<p>Building the client needs Node 20.19 or later. Install Node, then build Runsheet again.</p>
<p>All else works: agents write over MCP, <code>runsheet ls</code>, <code>runsheet show</code> and
<code>runsheet log --follow</code> show the same in a terminal, and programs read <code>/api/v1</code>.</p>
</html>
";

/// The file of a path; for any other path the client's one page, which reads the address itself.
pub(crate) fn serve(path: &str, headers: &HeaderMap) -> Response {
    let of = |path: &str| ASSETS.iter().find(|asset| asset.path == path);
    match of(path).or_else(|| if path.starts_with(FILES) { None } else { of(PAGE) }) {
        Some(asset) => answer(asset, headers),
        None if ASSETS.is_empty() => absent(),
        None => plain("There is no such file.\n"),
    }
}

fn absent() -> Response {
    let mut response = plain(ABSENT);
    set(&mut response, header::CONTENT_TYPE, "text/html; charset=utf-8");
    response
}

fn plain(text: &'static str) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = StatusCode::NOT_FOUND;
    set(&mut response, header::CONTENT_TYPE, "text/plain; charset=utf-8");
    response
}

fn answer(asset: &'static Asset, headers: &HeaderMap) -> Response {
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|tags| tags.to_str().ok());
    let known = known.flat_map(|tags| tags.split(',')).any(|tag| tag.trim().trim_start_matches("W/") == asset.tag);
    let gzip = asset.gzip.filter(|_| takes_gzip(headers));
    let mut response = Response::new(match gzip {
        _ if known => Body::empty(),
        Some(gzip) => Body::from(gzip),
        None => Body::from(asset.bytes),
    });
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        set(&mut response, header::CONTENT_TYPE, asset.mime);
        if gzip.is_some() {
            set(&mut response, header::CONTENT_ENCODING, "gzip");
        }
    }
    set(&mut response, header::ETAG, asset.tag);
    set(&mut response, header::VARY, "accept-encoding");
    let caching = if asset.immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
    set(&mut response, header::CACHE_CONTROL, caching);
    response
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    let taken = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|taken| taken.to_str().ok());
    taken.flat_map(|taken| taken.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        name.trim() == "gzip" && !matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
    })
}

fn set(response: &mut Response, name: header::HeaderName, value: &'static str) {
    response.headers_mut().insert(name, HeaderValue::from_static(value));
}

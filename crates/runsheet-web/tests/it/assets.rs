//! The web client's files.

use axum::{body::Body, response::Response};
use http_body_util::BodyExt;

use crate::host::{Host, ours};

async fn text(response: Response) -> String {
    String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

async fn open(host: &Host, path: &str, headers: &[(&str, &str)]) -> Response {
    let builder = headers.iter().fold(ours("GET", path), |builder, (name, value)| builder.header(*name, *value));
    host.send(builder.body(Body::empty()).unwrap()).await
}

/// Whether the client was built into this test: not without the feature, nor before there is one.
async fn built(host: &Host) -> bool {
    open(host, "/", &[]).await.status().as_u16() == 200
}

#[tokio::test]
async fn every_address_is_the_one_page() {
    let host = Host::new();
    if !built(&host).await {
        let response = open(&host, "/", &[]).await;
        assert!(text(response).await.contains("built without its web client"));
        return;
    }
    let page = text(open(&host, "/", &[]).await).await;
    for path in ["/s/0199", "/s/0199/w/3", "/anything", "/index.html"] {
        let response = open(&host, path, &[]).await;
        assert_eq!(response.headers()["cache-control"], "no-cache");
        assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
        assert_eq!(text(response).await, page, "{path}");
    }
    assert!(
        !page.contains("<script>") && !page.contains("style="),
        "the policy forbids what stands in the page itself"
    );
    assert!(!page.contains("http://") && !page.contains("https://"), "{page}");
}

#[tokio::test]
async fn files_are_kept_forever_and_come_compressed() {
    let host = Host::new();
    if !built(&host).await {
        return;
    }
    let page = text(open(&host, "/", &[]).await).await;
    let scripts: Vec<_> = page.split('"').filter(|part| part.starts_with("/assets/")).collect();
    assert!(!scripts.is_empty(), "{page}");
    for path in scripts {
        let plain = open(&host, path, &[]).await;
        assert_eq!(plain.headers()["cache-control"], "public, max-age=31536000, immutable", "{path}");
        assert!(plain.headers().get("content-encoding").is_none());
        let tag = plain.headers()["etag"].to_str().unwrap().to_owned();
        let known = open(&host, path, &[("if-none-match", &tag)]).await;
        assert_eq!(known.status().as_u16(), 304);
        let size = plain.into_body().collect().await.unwrap().to_bytes().len();
        let packed = open(&host, path, &[("accept-encoding", "br, gzip")]).await;
        if packed.headers().get("content-encoding").is_some() {
            assert!(packed.into_body().collect().await.unwrap().to_bytes().len() < size, "{path}");
        }
        let refused = open(&host, path, &[("accept-encoding", "gzip;q=0")]).await;
        assert!(refused.headers().get("content-encoding").is_none());
    }
}

#[tokio::test]
async fn a_file_that_is_not_there_is_no_page() {
    let host = Host::new();
    for path in ["/assets/nothing.js", "/assets/../index.html", "/assets/%2e%2e/index.html"] {
        let response = open(&host, path, &[]).await;
        assert_eq!(response.status().as_u16(), 404, "{path}");
        assert_eq!(response.headers()["content-type"], "text/plain; charset=utf-8");
    }
    let response = host.send(ours("POST", "/").body(Body::empty()).unwrap()).await;
    assert_eq!(response.status().as_u16(), 405);
}

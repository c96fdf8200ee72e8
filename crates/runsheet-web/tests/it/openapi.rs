//! The API's description is the one kept in the docs, and tells of what there is.

use crate::host::{Host, ours};

#[test]
fn the_kept_document_is_the_one_made() {
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
    let made = runsheet_web::openapi();
    if std::env::var_os("RUNSHEET_UPDATE").is_some() {
        std::fs::write(kept, &made).unwrap();
    }
    let kept = std::fs::read_to_string(kept).unwrap_or_default();
    assert!(kept == made, "docs/openapi.json is not what the code makes: run the test with RUNSHEET_UPDATE=1");
}

#[tokio::test]
async fn every_operation_is_there_and_every_reference_leads_somewhere() {
    let host = Host::new();
    let session = host.write("a", &[("read", "pending")]).await;
    let text = runsheet_web::openapi();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            let path = path.replace("{id}", &session.to_string());
            let path =
                if path.ends_with("/events") && !path.contains("sessions/") { path + "?sessions=all" } else { path };
            let builder = ours(&method.to_uppercase(), &path).header("content-type", "application/json");
            let response = host.send(builder.body(axum::body::Body::from("{}")).unwrap()).await;
            let status = response.status().as_u16();
            // An empty body is wrong for writes; that is all there may be against the request.
            assert!(matches!(status, 200 | 400), "{method} {path}: {status}");
        }
    }
    for reference in text.split("\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(document["components"]["schemas"].get(name).is_some(), "{name}");
    }
}

#[tokio::test]
async fn it_is_served() {
    let host = Host::new();
    let (status, body) = host.get("/api/v1/openapi.json").await;
    assert_eq!((status, body["info"]["title"].as_str()), (200, Some("Runsheet")));
}

//! Tests of `GET /`: the name, the version and the links of the server, as JSON and as HTML.

use reqwest::Method;
use serde_json::json;
use support::{database::TestDatabase, service::TestService};

#[actix_web::test]
async fn the_index_needs_no_credential_and_names_the_server_and_its_links() {
    let service = TestService::start().await;
    let anonymous = service.client_with_credential("", "");
    let index = anonymous.get("/").await.ok();
    assert_eq!((&index["name"], &index["version"]), (&json!("Parlance"), &json!(env!("CARGO_PKG_VERSION"))));
    for link in ["documentation", "openapi", "health"] {
        assert_eq!(anonymous.get(index[link].as_str().unwrap()).await.status, 200, "{link}");
    }
}

#[actix_web::test]
async fn a_browser_gets_a_page_with_working_links() {
    let service = TestService::start().await;
    let anonymous = service.client_with_credential("", "");
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let page = anonymous.send(&Method::GET, "/", |request| request.header("accept", browser)).await;
    assert!(page.header("content-type").starts_with("text/html") && page.header("vary") == "accept");
    assert!(page.header("content-security-policy").contains("default-src 'self'"));
    let links: Vec<_> = page.text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(links.len(), 3);
    for link in links {
        assert_eq!(anonymous.get(&format!("/{link}")).await.status, 200, "{link}");
    }
}

#[actix_web::test]
async fn links_start_with_the_configured_public_url() {
    let public = [("PARLANCE_PUBLIC_URL", "https://talk.example/api/")];
    let service = TestService::start_with(TestDatabase::sqlite(), &public).await;
    let index = service.client_with_credential("", "").get("/").await.ok();
    assert_eq!(index["openapi"], "https://talk.example/api/openapi.json");
}

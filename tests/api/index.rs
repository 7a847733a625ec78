//! `GET /`: what the server is, for programs and for browsers.

use reqwest::Method;
use serde_json::json;
use support::{database::TestDatabase, service::TestService};

#[actix_web::test]
async fn anyone_is_told_what_the_server_is_and_where_to_read_on() {
    let service = TestService::start().await;
    let nobody = service.client_of("", "");
    let index = nobody.get("/").await.ok();
    assert_eq!((&index["name"], &index["version"]), (&json!("Parlance"), &json!(env!("CARGO_PKG_VERSION"))));
    for link in ["documentation", "openapi", "health"] {
        assert_eq!(nobody.get(index[link].as_str().unwrap()).await.status, 200, "{link}");
    }
}

#[actix_web::test]
async fn a_browser_gets_a_page_whose_links_lead_somewhere() {
    let service = TestService::start().await;
    let nobody = service.client_of("", "");
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let page = nobody.send(&Method::GET, "/", |request| request.header("accept", browser)).await;
    assert!(page.header("content-type").starts_with("text/html") && page.header("vary") == "accept");
    assert!(page.header("content-security-policy").contains("default-src 'self'"));
    let links: Vec<_> = page.text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(links.len(), 3);
    for link in links {
        assert_eq!(nobody.get(&format!("/{link}")).await.status, 200, "{link}");
    }
}

#[actix_web::test]
async fn links_begin_with_the_public_address_where_the_settings_tell_it() {
    let public = [("PARLANCE_PUBLIC_URL", "https://talk.example/api/")];
    let service = TestService::over(TestDatabase::sqlite(), &public).await;
    let index = service.client_of("", "").get("/").await.ok();
    assert_eq!(index["openapi"], "https://talk.example/api/openapi.json");
}

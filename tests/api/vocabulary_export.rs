//! The vocabulary in the form of each speech engine.

use parlance_domain::{access::Permission, vocabulary::export::Engine};
use reqwest::Method;
use serde_json::json;
use support::service::TestService;

use crate::vocabularies::{PATH, SECOND_PATH, create};

#[actix_web::test]
async fn every_engine_has_its_form_under_both_paths() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create(&client, "IEEE", &["I triple E"]).await;
    for path in [PATH, SECOND_PATH] {
        for engine in Engine::ALL {
            let answer = client.get(&format!("{path}/export?engine={}", engine.as_str())).await;
            assert_eq!(answer.status, 200, "{engine:?}");
            assert!(answer.text.contains("IEEE"), "{engine:?}: {}", answer.text);
        }
    }
    let table = client.get(&format!("{PATH}/export?engine=amazon-transcribe")).await;
    assert_eq!(table.header("content-type"), "text/tab-separated-values; charset=utf-8");
    assert_eq!(table.text, "Phrase\tSoundsLike\tIPA\tDisplayAs\nI.E.E.E.\t\t\tIEEE\nI-triple-E\t\t\tIEEE\n");
}

#[actix_web::test]
async fn more_entries_than_a_page_holds_are_exported_whole() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for number in 0..101 {
        create(&client, &format!("phrase {number}"), &[]).await;
    }
    let export = client.get(&format!("{PATH}/export?engine=azure")).await.ok();
    assert_eq!(export["phraseList"]["phrases"].as_array().unwrap().len(), 101);
}

#[actix_web::test]
async fn a_report_says_what_is_left_out_and_why() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = create(&client, "IEEE", &["I triple E"]).await;
    let report = client.get(&format!("{PATH}/export?engine=azure&report=json")).await.ok();
    let dropped = json!({
        "id": id, "pointer": "/soundsLike/0", "rule": "no_alternatives", "message": "the engine takes no alternatives",
    });
    assert_eq!((&report["entries"], &report["kept"]), (&json!(1), &json!(1)));
    assert_eq!(report["dropped"], json!([dropped]));
    assert_eq!((&report["limits"][0]["rule"], &report["limits"][0]["most"]), (&json!("max_phrases"), &json!(500)));
}

#[actix_web::test]
async fn an_export_that_the_caller_has_is_not_sent_again_until_it_changes() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let path = format!("{PATH}/export?engine=whisper");
    let tag = client.get(&path).await.header("etag").to_owned();
    let again = async |known: &str| {
        let known = known.to_owned();
        client.send(&Method::GET, &path, |request| request.header("if-none-match", known)).await
    };
    for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
        let answer = again(&known).await;
        assert_eq!((answer.status, answer.text.as_str(), answer.header("etag")), (304, "", tag.as_str()), "{known}");
    }
    create(&client, "IEEE", &[]).await;
    let changed = again(&tag).await;
    assert_eq!((changed.status, changed.text.as_str()), (200, "Glossary: IEEE."));
    assert_ne!(changed.header("etag"), tag);
}

#[actix_web::test]
async fn an_export_needs_its_engine_and_its_permission() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for (query, refusal) in [
        ("", "query:engine required"),
        ("?engine=", "query:engine enum"),
        ("?engine=Google", "query:engine enum"),
        ("?engine=google&engine=google", "query:engine unique"),
        ("?engine=google&report=xml", "query:report enum"),
    ] {
        let answer = client.get(&format!("{PATH}/export{query}")).await;
        assert_eq!(answer.refusal(), (400, vec![refusal.to_owned()]), "{query}");
    }
    let writer = service.client_with("acme", &[Permission::WriteConfiguration]).await;
    assert_eq!(writer.get(&format!("{PATH}/export?engine=google")).await.status, 403);
}

#[actix_web::test]
async fn a_tenant_exports_nothing_of_anothers() {
    let service = TestService::start().await;
    let (acme, globex) = (service.client("acme").await, service.client("globex").await);
    create(&acme, "IEEE", &[]).await;
    let export = globex.get(&format!("{PATH}/export?engine=azure")).await.ok();
    assert_eq!(export, json!({"phraseList": {"phrases": []}}));
}

//! Tests of vocabulary exports in the format of each speech engine.

use parlance_domain::{access::Permission, vocabulary::export::SpeechEngine};
use reqwest::Method;
use serde_json::json;
use support::service::TestService;

use crate::vocabularies::{PATH, SECOND_PATH, create};

#[actix_web::test]
async fn every_engine_has_an_export_under_both_paths() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create(&client, "IEEE", &["I triple E"]).await;
    for path in [PATH, SECOND_PATH] {
        for engine in SpeechEngine::ALL {
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
async fn an_export_contains_more_entries_than_a_page() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for number in 0..101 {
        create(&client, &format!("phrase {number}"), &[]).await;
    }
    let export = client.get(&format!("{PATH}/export?engine=azure")).await.ok();
    assert_eq!(export["phraseList"]["phrases"].as_array().unwrap().len(), 101);
}

#[actix_web::test]
async fn a_report_lists_the_dropped_texts_and_their_reasons() {
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
async fn an_export_with_a_matching_etag_is_not_sent_again_until_it_changes() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let path = format!("{PATH}/export?engine=whisper");
    let etag = client.get(&path).await.header("etag").to_owned();
    let again = async |etags: &str| {
        let etags = etags.to_owned();
        client.send(&Method::GET, &path, |request| request.header("if-none-match", etags)).await
    };
    for etags in [etag.clone(), format!("W/{etag}"), format!("\"other\", {etag}"), "*".to_owned()] {
        let answer = again(&etags).await;
        assert_eq!((answer.status, answer.text.as_str(), answer.header("etag")), (304, "", etag.as_str()), "{etags}");
    }
    create(&client, "IEEE", &[]).await;
    let changed = again(&etag).await;
    assert_eq!((changed.status, changed.text.as_str()), (200, "Glossary: IEEE."));
    assert_ne!(changed.header("etag"), etag);
}

#[actix_web::test]
async fn an_export_requires_an_engine_and_a_permission() {
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
        assert_eq!(answer.error_details(), (400, vec![refusal.to_owned()]), "{query}");
    }
    let writer = service.client_with_permissions("acme", &[Permission::WriteConfiguration]).await;
    assert_eq!(writer.get(&format!("{PATH}/export?engine=google")).await.status, 403);
}

#[actix_web::test]
async fn a_tenant_exports_no_entries_of_another_tenant() {
    let service = TestService::start().await;
    let (acme, globex) = (service.client("acme").await, service.client("globex").await);
    create(&acme, "IEEE", &[]).await;
    let export = globex.get(&format!("{PATH}/export?engine=azure")).await.ok();
    assert_eq!(export, json!({"phraseList": {"phrases": []}}));
}

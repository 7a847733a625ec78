//! Tests of responses while a dependency is unavailable or a row is corrupt.

use serde_json::json;
use support::{client::conversation_body, database::TestDatabase, service::TestService};

#[actix_web::test]
async fn a_service_with_its_database_is_ready() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    assert_eq!(
        client.get("/health/ready").await.ok(),
        json!({"status": "ready", "parts": {
            "change_log": "up", "database": "up", "database_content": "up", "database_files": "up", "feeds": "up"
        }})
    );
    assert_eq!(client.get("/health/live").await.ok(), json!({"status": "live"}));
}

#[actix_web::test]
async fn a_lost_database_is_503_everywhere_except_in_liveness() {
    let Some(database) = TestDatabase::postgres() else { return };
    let mut service = TestService::start_with(database, &[]).await;
    let client = service.client("acme").await;
    client.upsert("call-1").await;
    service.drop_database();
    let write = client.post("/conversation/v1/conversations", &conversation_body("call-1")).await;
    assert_eq!((write.status, write.header("retry-after")), (503, "1"));
    assert_eq!(client.get("/conversation/v1/conversations?externalId=call-1").await.status, 503);
    let unready = client.get("/health/ready").await;
    assert_eq!(unready.error_details(), (503, vec!["part:database in_reach".into()]));
    assert_eq!(client.get("/health/live").await.status, 200);
}

#[actix_web::test]
async fn a_lost_feed_store_is_reported_and_the_service_stays_ready() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    std::fs::remove_dir(service.feeds_directory()).unwrap();
    std::fs::write(service.feeds_directory(), "no directory").unwrap();
    let ready = client.get("/health/ready").await.ok();
    assert_eq!(
        ready,
        json!({"status": "ready", "parts": {
            "change_log": "up", "database": "up", "database_content": "up", "database_files": "up", "feeds": "down"
        }})
    );
}

#[actix_web::test]
async fn a_corrupt_row_is_500_and_the_error_reveals_nothing_of_it() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let id = client.upsert("call-1").await;
    let corrupt = "UPDATE conversations SET metadata = 'hush'";
    service.open_database().await.execute_unprepared(corrupt).await.unwrap();
    let answer = client.get(&format!("/conversation/v1/conversations/{id}")).await;
    assert_eq!((answer.status, answer.json()["error"]["details"].is_null()), (500, true));
    assert!(!answer.text.contains("hush") && !answer.text.contains("metadata"));
}

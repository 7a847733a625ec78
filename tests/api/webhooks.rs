//! Tests of webhooks: their operations, and the events that receivers get.

use parlance_domain::access::Permission;
use reqwest::Method;
use serde_json::{Value, json};
use support::{
    client::{ApiResponse, Client},
    database::TestDatabase,
    service::TestService,
};
use tempfile::TempDir;

pub(crate) const PATH: &str = "/configuration/v1/webhooks";
const MISSING_ID: &str = "01JZX900000000000000000000";

/// A service of webhooks, by default of those that may reach the loopback network, and the folder of its key.
pub(crate) struct WebhookService {
    pub(crate) service: TestService,
    _folder: TempDir,
}

impl WebhookService {
    pub(crate) async fn start() -> Self {
        Self::start_allowing("127.0.0.0/8").await
    }

    /// A service whose webhooks may reach these networks besides public addresses.
    async fn start_allowing(networks: &str) -> Self {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let key = folder.path().join("master.key");
        std::fs::write(&key, [7; 32]).unwrap();
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
        let settings = [("PARLANCE_MASTER_KEY_FILE", key.to_str().unwrap()), ("PARLANCE_WEBHOOK_ALLOW", networks)];
        let service = TestService::start_with(TestDatabase::sqlite(), &settings).await;
        Self { service, _folder: folder }
    }

    pub(crate) async fn client(&self) -> Client {
        self.service.client("acme").await
    }
}

pub(crate) async fn create(client: &Client, body: &Value) -> Value {
    let answer = client.post(PATH, body).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()
}

pub(crate) async fn patch(client: &Client, path: &str, body: &Value) -> ApiResponse {
    client.send(&Method::PATCH, path, |request| request.json(body)).await
}

#[actix_web::test]
async fn a_webhook_is_created_found_changed_and_deleted() {
    let service = WebhookService::start().await;
    let client = service.client().await;
    let mut created = create(
        &client,
        &json!({"url": "https://hooks.example.com/in", "types": ["message.created"], "description": "billing"}),
    )
    .await;
    assert!(created.as_object_mut().unwrap().remove("secret").unwrap().as_str().unwrap().starts_with("whsec_"));
    assert_eq!((&created["active"], &created["types"]), (&json!(true), &json!(["message.created"])));
    let path = format!("{PATH}/{}", created["id"].as_str().unwrap());
    assert_eq!(client.get(&path).await.ok(), created);
    let list = json!({"webhooks": [created], "nextCursor": null, "prevCursor": null});
    assert_eq!(client.get(PATH).await.ok(), list);
    let changed = patch(&client, &path, &json!({"active": false, "types": ["feed.day_revised"]})).await.ok();
    assert_eq!((&changed["active"], &changed["types"]), (&json!(false), &json!(["feed.day_revised"])));
    assert_eq!(changed["description"], "billing");
    assert_eq!(client.delete(&path).await.status, 204);
    let missing = (404, vec!["path:webhookId exists".to_owned()]);
    assert_eq!(client.get(&path).await.error_details(), missing);
    assert_eq!(client.delete(&path).await.error_details(), missing);
}

#[actix_web::test]
async fn webhooks_are_listed_in_pages_in_both_directions() {
    let service = WebhookService::start().await;
    let client = service.client().await;
    for number in 0..3 {
        create(&client, &json!({"url": format!("https://h{number}.example.com/")})).await;
    }
    let first = client.get(&format!("{PATH}?limit=2")).await.ok();
    assert_eq!(first["webhooks"].as_array().unwrap().len(), 2);
    assert_eq!(first["prevCursor"], Value::Null);
    let next = first["nextCursor"].as_str().unwrap();
    let second = client.get(&format!("{PATH}?limit=2&cursor={next}")).await.ok();
    assert_eq!((second["webhooks"].as_array().unwrap().len(), &second["nextCursor"]), (1, &Value::Null));
    let previous = second["prevCursor"].as_str().unwrap();
    assert_eq!(client.get(&format!("{PATH}?limit=2&cursor={previous}")).await.ok()["webhooks"], first["webhooks"]);
}

#[actix_web::test]
async fn invalid_webhooks_are_refused() {
    let service = WebhookService::start().await;
    let client = service.client().await;
    for (invalid, status, detail) in [
        (json!({}), 400, "/url required"),
        (json!({"url": "ftp://h/"}), 400, "/url url"),
        (json!({"url": "https://user:hush@h/"}), 400, "/url url"),
        (json!({"url": "https://2130706433/"}), 400, "/url url"),
        (json!({"url": format!("https://h/{}", "a".repeat(2_048))}), 422, "/url max_characters"),
        (json!({"url": "https://10.0.0.1/"}), 422, "/url address_allowed"),
        (json!({"url": "https://[::1]/"}), 422, "/url address_allowed"),
        (json!({"url": "http://8.8.8.8/"}), 422, "/url address_allowed"),
        (json!({"url": "https://h/", "types": ["message.*"]}), 400, "/types/0 enum"),
        (json!({"url": "https://h/", "types": []}), 422, "/types min_items"),
        (json!({"url": "https://h/", "description": "a".repeat(257)}), 422, "/description max_characters"),
    ] {
        let answer = client.post(PATH, &invalid).await;
        assert_eq!(answer.error_details(), (status, vec![detail.to_owned()]), "{invalid}");
        assert!(!answer.text.contains("hush"));
    }
    assert_eq!(client.get(PATH).await.ok()["webhooks"], json!([]));
}

#[actix_web::test]
async fn a_host_of_the_machine_or_its_network_is_refused_at_once_in_every_form() {
    let service = WebhookService::start_allowing("").await;
    let client = service.client().await;
    let public = create(&client, &json!({"url": "https://hooks.example.com/"})).await;
    let path = format!("{PATH}/{}", public["id"].as_str().unwrap());
    let not_allowed = (422, vec!["/url address_allowed".to_owned()]);
    let unreadable = (400, vec!["/url url".to_owned()]);
    for (host, expected) in [
        ("localhost", &not_allowed),
        ("LocalHost:8443", &not_allowed),
        ("hooks.localhost", &not_allowed),
        ("localhost.", &unreadable),
        ("127.0.0.1", &not_allowed),
        ("10.0.0.1", &not_allowed),
        ("169.254.169.254", &not_allowed),
        ("[::1]", &not_allowed),
        ("[fd00::1]", &not_allowed),
        ("[::ffff:127.0.0.1]", &not_allowed),
        ("[::ffff:7f00:1]", &not_allowed),
        ("2130706433", &unreadable),
        ("0x7f000001", &unreadable),
        ("0177.0.0.1", &unreadable),
        ("127.1", &unreadable),
        ("127.0.0.1.", &unreadable),
    ] {
        let body = json!({"url": format!("https://{host}/")});
        assert_eq!(&client.post(PATH, &body).await.error_details(), expected, "{host}");
        assert_eq!(&patch(&client, &path, &body).await.error_details(), expected, "{host}");
    }
    assert_eq!(client.get(PATH).await.ok()["webhooks"], json!([client.get(&path).await.ok()]));
    assert_eq!(client.get(&path).await.ok()["url"], "https://hooks.example.com/");
}

#[actix_web::test]
async fn localhost_is_accepted_where_the_operator_allows_it() {
    let service = WebhookService::start().await;
    let client = service.client().await;
    create(&client, &json!({"url": "http://localhost:8443/"})).await;
}

#[actix_web::test]
async fn a_tenant_has_at_most_twenty_webhooks() {
    let service = WebhookService::start().await;
    let client = service.client().await;
    for _ in 0..20 {
        create(&client, &json!({"url": "https://hooks.example.com/"})).await;
    }
    let full = client.post(PATH, &json!({"url": "https://hooks.example.com/"})).await;
    assert_eq!(full.error_details(), (422, vec![" max_entries".to_owned()]));
}

#[actix_web::test]
async fn a_webhook_receives_only_what_its_credential_may_read() {
    let service = WebhookService::start().await;
    let (write, read) = (Permission::WriteWebhooks, Permission::ReadConversations);
    let url = "https://hooks.example.com/";
    let nothing = service.service.client_with_permissions("acme", &[write]).await;
    assert_eq!(nothing.post(PATH, &json!({"url": url})).await.status, 403);
    let reader = service.service.client_with_permissions("acme", &[write, read]).await;
    let created = create(&reader, &json!({"url": url})).await;
    assert!(!created["types"].as_array().unwrap().contains(&json!("vocabulary.created")));
    let vocabulary = json!({"url": url, "types": ["vocabulary.created"]});
    assert_eq!(reader.post(PATH, &vocabulary).await.error_details(), (403, vec![" permission".to_owned()]));
    let all = service.client().await;
    let path = format!("{PATH}/{}", create(&all, &vocabulary).await["id"].as_str().unwrap());
    assert_eq!(patch(&reader, &path, &json!({"description": "mine"})).await.status, 403);
}

#[actix_web::test]
async fn another_tenant_reaches_no_webhook() {
    let service = WebhookService::start().await;
    let (client, other) = (service.client().await, service.service.client("globex").await);
    let id = create(&client, &json!({"url": "https://hooks.example.com/"})).await["id"].clone();
    let path = format!("{PATH}/{}", id.as_str().unwrap());
    assert_eq!(other.get(&path).await.status, 404);
    assert_eq!(other.delete(&path).await.status, 404);
    assert_eq!(patch(&other, &path, &json!({"active": false})).await.status, 404);
    for operation in ["rotate-secret", "test", &format!("deliveries/{MISSING_ID}/redeliver")] {
        assert_eq!(other.post(&format!("{path}/{operation}"), &json!({})).await.status, 404, "{operation}");
    }
    assert_eq!(other.post(&format!("{path}/replay"), &json!({"after": "latest"})).await.status, 404);
    assert_eq!(other.get(&format!("{path}/deliveries")).await.status, 404);
    assert_eq!(client.get(&path).await.ok()["active"], true);
}

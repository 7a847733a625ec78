//! Tests of spec §4.7 and §4.8: the vocabulary under both of its paths.

use parlance_domain::access::Permission;
use reqwest::Method;
use serde_json::{Value, json};
use support::{
    client::{ApiResponse, Client},
    database::TestDatabase,
    service::TestService,
};

pub(crate) const PATH: &str = "/configuration/v1/custom-vocabularies";
pub(crate) const SECOND_PATH: &str = "/configuration/v1/auto-transcribe/custom-vocabularies";
const MISSING_ID: &str = "01JZX900000000000000000000";

pub(crate) fn entry(phrase: &str, sounds_like: &[&str]) -> Value {
    json!({"phrase": phrase, "soundsLike": sounds_like})
}

/// Creates an entry and returns its id.
pub(crate) async fn create(client: &Client, phrase: &str, sounds_like: &[&str]) -> String {
    created(&client.post(PATH, &entry(phrase, sounds_like)).await)["id"].as_str().unwrap().to_owned()
}

fn created(answer: &ApiResponse) -> Value {
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()
}

async fn create_entries(client: &Client, count: usize) {
    for number in 1..=count {
        create(client, &format!("phrase {number}"), &[]).await;
    }
}

async fn page(client: &Client, query: &str) -> Value {
    client.get(&format!("{PATH}{query}")).await.ok()
}

fn phrases(page: &Value) -> Vec<&str> {
    let entries = page["custom-vocabularies"].as_array().unwrap();
    entries.iter().map(|entry| entry["phrase"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn an_entry_is_created_found_listed_and_deleted() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let new = created(&client.post(PATH, &entry("  IEEE\n", &["I triple E", " eye triple e "])).await);
    let id = new["id"].as_str().unwrap();
    let expected = json!({"id": id, "phrase": "IEEE", "soundsLike": ["I triple E", "eye triple e"]});
    assert_eq!(new, expected);
    let one = format!("{PATH}/{id}");
    assert_eq!(client.get(&one).await.ok(), expected);
    let list = json!({"custom-vocabularies": [expected], "nextCursor": null, "prevCursor": null});
    assert_eq!(client.get(PATH).await.ok(), list);
    let deleted = client.delete(&one).await;
    assert_eq!((deleted.status, deleted.text.as_str()), (204, ""));
    let missing = (404, vec!["path:customVocabularyId exists".to_owned()]);
    assert_eq!(client.get(&one).await.error_details(), missing);
    assert_eq!(client.delete(&one).await.error_details(), missing);
    create(&client, "IEEE", &[]).await;
}

#[actix_web::test]
async fn both_paths_share_one_vocabulary() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for (here, there) in [(PATH, SECOND_PATH), (SECOND_PATH, PATH)] {
        let new = created(&client.post(here, &entry("IEEE", &["I triple E"])).await);
        let one = format!("{there}/{}", new["id"].as_str().unwrap());
        assert_eq!(client.get(&one).await.ok(), new);
        assert_eq!(client.get(there).await.ok()["custom-vocabularies"], json!([new]));
        assert_eq!(client.post(there, &entry("IEEE", &[])).await.status, 409);
        assert_eq!(client.delete(&one).await.status, 204);
        assert_eq!(client.get(here).await.ok()["custom-vocabularies"], json!([]));
    }
}

#[actix_web::test]
async fn values_at_their_limits_are_accepted() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create(&client, "x", &[]).await;
    create(&client, &"é".repeat(100), &[]).await;
    create(
        &client,
        &format!(" {} ", "🦀".repeat(100)),
        &["x", &"🦀".repeat(40), "a", "a", &format!(" {} ", "é".repeat(40))],
    )
    .await;
}

#[actix_web::test]
async fn values_over_their_limits_are_rejected_with_the_broken_rule() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    let long = "é".repeat(41);
    for (body, refusal) in [
        (entry("", &[]), vec!["/phrase min_characters"]),
        (entry(" \n ", &[]), vec!["/phrase min_characters"]),
        (entry(&"é".repeat(101), &[]), vec!["/phrase max_characters"]),
        (entry("a\u{0}b", &[]), vec!["/phrase no_control_characters"]),
        (entry("IEEE", &["1", "2", "3", "4", "5", "6"]), vec!["/soundsLike max_items"]),
        (entry("IEEE", &["1", "2", "3", &long]), vec!["/soundsLike/3 max_characters"]),
        (
            entry("IEEE", &["a\tb", "", "c"]),
            vec!["/soundsLike/0 no_control_characters", "/soundsLike/1 min_characters"],
        ),
        (
            entry("", &["", &long]),
            vec!["/phrase min_characters", "/soundsLike/0 min_characters", "/soundsLike/1 max_characters"],
        ),
    ] {
        let expected = (422, refusal.into_iter().map(str::to_owned).collect());
        assert_eq!(client.post(PATH, &body).await.error_details(), expected, "{body}");
    }
    assert_eq!(phrases(&page(&client, "").await), Vec::<&str>::new());
}

#[actix_web::test]
async fn a_malformed_entry_is_400_and_the_error_repeats_nothing_of_it() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for (body, refusal) in [
        (json!({}), vec!["/phrase required", "/soundsLike required"]),
        (json!({"phrase": "hush"}), vec!["/soundsLike required"]),
        (json!({"phrase": null, "soundsLike": null}), vec!["/phrase type", "/soundsLike type"]),
        (json!({"phrase": 7, "soundsLike": []}), vec!["/phrase type"]),
        (json!({"phrase": "hush", "soundsLike": "hush"}), vec!["/soundsLike type"]),
        (json!({"phrase": "hush", "soundsLike": ["hush", null]}), vec!["/soundsLike/1 type"]),
        (json!({"phrase": "hush", "soundsLike": [], "hush": 1}), vec![" unknown_member"]),
        (json!({"id": "HUSH", "phrase": "hush", "soundsLike": []}), vec![" unknown_member"]),
        (json!([entry("hush", &[])]), vec![" type"]),
    ] {
        let answer = client.post(PATH, &body).await;
        assert_eq!(answer.error_details(), (400, refusal.into_iter().map(str::to_owned).collect()), "{body}");
        assert!(!answer.text.to_lowercase().contains("hush"), "{}", answer.text);
    }
}

#[actix_web::test]
async fn a_duplicate_phrase_is_a_conflict_unless_its_case_differs() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create(&client, "Contoso", &[]).await;
    let again = client.post(PATH, &entry(" Contoso ", &["con toso"])).await;
    assert_eq!(again.error_details(), (409, vec!["/phrase unique".into()]));
    create(&client, "contoso", &[]).await;
}

#[actix_web::test]
async fn the_201st_entry_is_rejected_until_an_entry_is_deleted() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create_entries(&client, 199).await;
    let last = create(&client, "the last", &[]).await;
    let refused = client.post(PATH, &entry("one more", &[])).await;
    assert_eq!(refused.error_details(), (422, vec![" max_entries".into()]));
    assert!(refused.json()["error"]["details"][0]["message"].as_str().unwrap().contains("200"));
    assert_eq!(client.delete(&format!("{PATH}/{last}")).await.status, 204);
    create(&client, "one more", &[]).await;
}

async fn race_creations(database: TestDatabase) {
    let service = TestService::start_with(database, &[]).await;
    let client = service.client("acme").await;
    create_entries(&client, 190).await;
    let tasks = (0..40).map(|number| {
        let client = client.clone();
        actix_web::rt::spawn(async move { client.post(PATH, &entry(&format!("racer {number}"), &[])).await.status })
    });
    let tasks: Vec<_> = tasks.collect();
    let mut statuses = Vec::new();
    for task in tasks {
        statuses.push(task.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [vec![201; 10], vec![422; 30]].concat());
}

#[actix_web::test]
async fn of_forty_concurrent_entries_only_the_ten_that_fit_are_created_on_sqlite() {
    race_creations(TestDatabase::sqlite()).await;
}

#[actix_web::test]
async fn of_forty_concurrent_entries_only_the_ten_that_fit_are_created_on_postgres() {
    let Some(database) = TestDatabase::postgres() else { return };
    race_creations(database).await;
}

#[actix_web::test]
async fn pages_of_20_are_read_forward_and_backward_oldest_first() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create_entries(&client, 45).await;
    let mut forward = vec![page(&client, "").await];
    while let Some(next) = forward.last().unwrap()["nextCursor"].as_str() {
        forward.push(page(&client, &format!("?cursor={next}")).await);
    }
    let all: Vec<_> = (1..=45).map(|number| format!("phrase {number}")).collect();
    assert_eq!(forward.iter().map(|page| phrases(page).len()).collect::<Vec<_>>(), [20, 20, 5]);
    assert_eq!(forward.iter().flat_map(phrases).collect::<Vec<_>>(), all);
    let mut backward = vec![forward.last().unwrap().clone()];
    while let Some(previous) = backward.last().unwrap()["prevCursor"].as_str() {
        backward.push(page(&client, &format!("?cursor={previous}")).await);
    }
    backward.reverse();
    assert_eq!(backward, forward);
}

#[actix_web::test]
async fn the_page_size_is_the_requested_limit_or_the_configured_default() {
    let three = [("PARLANCE_VOCABULARY_PAGE_SIZE", "3")];
    let service = TestService::start_with(TestDatabase::sqlite(), &three).await;
    let client = service.client("acme").await;
    create_entries(&client, 5).await;
    for (query, entries) in [("", 3), ("?limit=1", 1), ("?limit=4", 4), ("?limit=100", 5)] {
        assert_eq!(phrases(&page(&client, query).await).len(), entries, "{query}");
    }
    for query in ["limit=0", "limit=101", "limit=-1", "limit=", "limit=1.0", "limit=1&limit=2"] {
        let refusal = client.get(&format!("{PATH}?{query}")).await.error_details();
        assert!(refusal.0 == 400 && refusal.1[0].starts_with("query:limit "), "{query}: {refusal:?}");
    }
    for query in ["cursor=", "cursor=X1", "cursor=F", "cursor=Fa", "cursor=F1.2", "cursor=F%001"] {
        assert_eq!(
            client.get(&format!("{PATH}?{query}")).await.error_details(),
            (400, vec!["query:cursor cursor".into()])
        );
    }
}

#[actix_web::test]
async fn a_missing_id_is_404_and_a_malformed_id_is_400() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for path in [PATH, SECOND_PATH] {
        for (id, status) in [(MISSING_ID, 404), ("A", 404), ("abc", 400), ("A-B", 400), ("A%00", 400)] {
            assert_eq!(client.get(&format!("{path}/{id}")).await.status, status, "{id}");
            assert_eq!(client.delete(&format!("{path}/{id}")).await.status, status, "{id}");
        }
    }
}

#[actix_web::test]
async fn every_operation_needs_its_permission_and_no_other() {
    let service = TestService::start().await;
    let (read, write) = (Permission::ReadConfiguration, Permission::WriteConfiguration);
    for path in [PATH, SECOND_PATH] {
        let (one, validate) = (format!("{path}/{MISSING_ID}"), format!("{path}/validate"));
        for (method, path, needed, status) in [
            (Method::GET, path, read, 200),
            (Method::POST, path, write, 201),
            (Method::POST, &validate, read, 200),
            (Method::GET, &one, read, 404),
            (Method::DELETE, &one, write, 404),
        ] {
            let others: Vec<_> = Permission::ALL.into_iter().filter(|permission| *permission != needed).collect();
            for (permissions, status) in [(vec![needed], status), (others, 403)] {
                let client = service.client_with_permissions("acme", &permissions).await;
                let body = entry(path, &[]);
                let posts = method == Method::POST;
                let sent = client.send(&method, path, |request| if posts { request.json(&body) } else { request });
                assert_eq!(sent.await.status, status, "{method} {path} with {permissions:?}");
            }
        }
    }
}

#[actix_web::test]
async fn a_tenant_has_no_access_to_the_vocabulary_of_another_tenant() {
    let service = TestService::start().await;
    let (acme, globex) = (service.client("acme").await, service.client("globex").await);
    let id = create(&acme, "IEEE", &["I triple E"]).await;
    let one = format!("{PATH}/{id}");
    let missing = (404, vec!["path:customVocabularyId exists".to_owned()]);
    assert_eq!(globex.get(&one).await.error_details(), missing);
    assert_eq!(globex.delete(&one).await.error_details(), missing);
    assert_eq!(phrases(&page(&globex, "").await), Vec::<&str>::new());
    assert_eq!(page(&globex, "?cursor=FZZ").await["prevCursor"], Value::Null);
    create(&globex, "IEEE", &[]).await;
    assert_eq!(phrases(&page(&acme, "").await), ["IEEE"]);
}

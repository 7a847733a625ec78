//! Spec §4.7 and §4.8: the vocabulary under both of its paths.

use parlance_domain::access::Permission;
use reqwest::Method;
use serde_json::{Value, json};
use support::{
    client::{Answer, Client},
    database::TestDatabase,
    service::TestService,
};

pub(crate) const PATH: &str = "/configuration/v1/custom-vocabularies";
pub(crate) const SECOND_PATH: &str = "/configuration/v1/auto-transcribe/custom-vocabularies";
const NOTHING: &str = "01JZX900000000000000000000";

pub(crate) fn entry(phrase: &str, sounds_like: &[&str]) -> Value {
    json!({"phrase": phrase, "soundsLike": sounds_like})
}

/// Creates an entry and gives its id.
pub(crate) async fn create(client: &Client, phrase: &str, sounds_like: &[&str]) -> String {
    created(&client.post(PATH, &entry(phrase, sounds_like)).await)["id"].as_str().unwrap().to_owned()
}

fn created(answer: &Answer) -> Value {
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()
}

async fn fill(client: &Client, count: usize) {
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
    assert_eq!(client.get(&one).await.refusal(), missing);
    assert_eq!(client.delete(&one).await.refusal(), missing);
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
async fn every_limit_admits_what_is_at_it() {
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
async fn every_limit_refuses_what_is_over_it_and_names_it() {
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
        assert_eq!(client.post(PATH, &body).await.refusal(), expected, "{body}");
    }
    assert_eq!(phrases(&page(&client, "").await), Vec::<&str>::new());
}

#[actix_web::test]
async fn what_is_no_entry_is_400_and_nothing_of_it_is_repeated() {
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
        assert_eq!(answer.refusal(), (400, refusal.into_iter().map(str::to_owned).collect()), "{body}");
        assert!(!answer.text.to_lowercase().contains("hush"), "{}", answer.text);
    }
}

#[actix_web::test]
async fn the_same_phrase_again_is_a_conflict_and_one_in_other_letters_is_not() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    create(&client, "Contoso", &[]).await;
    let again = client.post(PATH, &entry(" Contoso ", &["con toso"])).await;
    assert_eq!(again.refusal(), (409, vec!["/phrase unique".into()]));
    create(&client, "contoso", &[]).await;
}

#[actix_web::test]
async fn the_201st_entry_is_refused_until_one_goes() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    fill(&client, 199).await;
    let last = create(&client, "the last", &[]).await;
    let refused = client.post(PATH, &entry("one more", &[])).await;
    assert_eq!(refused.refusal(), (422, vec![" max_entries".into()]));
    assert!(refused.json()["error"]["details"][0]["message"].as_str().unwrap().contains("200"));
    assert_eq!(client.delete(&format!("{PATH}/{last}")).await.status, 204);
    create(&client, "one more", &[]).await;
}

async fn race(home: TestDatabase) {
    let service = TestService::over(home, &[]).await;
    let client = service.client("acme").await;
    fill(&client, 190).await;
    let racers = (0..40).map(|number| {
        let client = client.clone();
        actix_web::rt::spawn(async move { client.post(PATH, &entry(&format!("racer {number}"), &[])).await.status })
    });
    let racers: Vec<_> = racers.collect();
    let mut statuses = Vec::new();
    for racer in racers {
        statuses.push(racer.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [vec![201; 10], vec![422; 30]].concat());
}

#[actix_web::test]
async fn forty_at_once_for_the_last_ten_places_leave_thirty_outside_on_sqlite() {
    race(TestDatabase::sqlite()).await;
}

#[actix_web::test]
async fn forty_at_once_for_the_last_ten_places_leave_thirty_outside_on_postgres() {
    let Some(home) = TestDatabase::postgres() else { return };
    race(home).await;
}

#[actix_web::test]
async fn pages_of_20_are_walked_forth_and_back_oldest_first() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    fill(&client, 45).await;
    let mut forth = vec![page(&client, "").await];
    while let Some(next) = forth.last().unwrap()["nextCursor"].as_str() {
        forth.push(page(&client, &format!("?cursor={next}")).await);
    }
    let all: Vec<_> = (1..=45).map(|number| format!("phrase {number}")).collect();
    assert_eq!(forth.iter().map(|page| phrases(page).len()).collect::<Vec<_>>(), [20, 20, 5]);
    assert_eq!(forth.iter().flat_map(phrases).collect::<Vec<_>>(), all);
    let mut back = vec![forth.last().unwrap().clone()];
    while let Some(previous) = back.last().unwrap()["prevCursor"].as_str() {
        back.push(page(&client, &format!("?cursor={previous}")).await);
    }
    back.reverse();
    assert_eq!(back, forth);
}

#[actix_web::test]
async fn a_page_has_as_many_entries_as_the_caller_says_or_the_server_is_configured_for() {
    let three = [("PARLANCE_VOCABULARY_PAGE_SIZE", "3")];
    let service = TestService::over(TestDatabase::sqlite(), &three).await;
    let client = service.client("acme").await;
    fill(&client, 5).await;
    for (query, entries) in [("", 3), ("?limit=1", 1), ("?limit=4", 4), ("?limit=100", 5)] {
        assert_eq!(phrases(&page(&client, query).await).len(), entries, "{query}");
    }
    for query in ["limit=0", "limit=101", "limit=-1", "limit=", "limit=1.0", "limit=1&limit=2"] {
        let refusal = client.get(&format!("{PATH}?{query}")).await.refusal();
        assert!(refusal.0 == 400 && refusal.1[0].starts_with("query:limit "), "{query}: {refusal:?}");
    }
    for query in ["cursor=", "cursor=X1", "cursor=F", "cursor=Fa", "cursor=F1.2", "cursor=F%001"] {
        assert_eq!(client.get(&format!("{PATH}?{query}")).await.refusal(), (400, vec!["query:cursor cursor".into()]));
    }
}

#[actix_web::test]
async fn an_id_that_is_not_there_is_404_and_one_of_another_form_400() {
    let service = TestService::start().await;
    let client = service.client("acme").await;
    for path in [PATH, SECOND_PATH] {
        for (id, status) in [(NOTHING, 404), ("A", 404), ("abc", 400), ("A-B", 400), ("A%00", 400)] {
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
        let (one, validate) = (format!("{path}/{NOTHING}"), format!("{path}/validate"));
        for (method, path, needed, status) in [
            (Method::GET, path, read, 200),
            (Method::POST, path, write, 201),
            (Method::POST, &validate, read, 200),
            (Method::GET, &one, read, 404),
            (Method::DELETE, &one, write, 404),
        ] {
            let others: Vec<_> = Permission::ALL.into_iter().filter(|permission| *permission != needed).collect();
            for (permissions, status) in [(vec![needed], status), (others, 403)] {
                let client = service.client_with("acme", &permissions).await;
                let body = entry(path, &[]);
                let posts = method == Method::POST;
                let sent = client.send(&method, path, |request| if posts { request.json(&body) } else { request });
                assert_eq!(sent.await.status, status, "{method} {path} with {permissions:?}");
            }
        }
    }
}

#[actix_web::test]
async fn a_tenant_has_no_part_in_anothers_vocabulary() {
    let service = TestService::start().await;
    let (acme, globex) = (service.client("acme").await, service.client("globex").await);
    let id = create(&acme, "IEEE", &["I triple E"]).await;
    let one = format!("{PATH}/{id}");
    let missing = (404, vec!["path:customVocabularyId exists".to_owned()]);
    assert_eq!(globex.get(&one).await.refusal(), missing);
    assert_eq!(globex.delete(&one).await.refusal(), missing);
    assert_eq!(phrases(&page(&globex, "").await), Vec::<&str>::new());
    assert_eq!(page(&globex, "?cursor=FZZ").await["prevCursor"], Value::Null);
    create(&globex, "IEEE", &[]).await;
    assert_eq!(phrases(&page(&acme, "").await), ["IEEE"]);
}

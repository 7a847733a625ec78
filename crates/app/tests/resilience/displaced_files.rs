//! The embedded database's file is moved, replaced or removed under a server: 503, told by `/health/ready` and the log.

use std::fs;

use serde_json::Value;

use crate::replica::{CONVERSATIONS, Caller, Place, conversation, message};

const DISPLACED: &str = "was moved, replaced or removed while the server had it open";

/// A message in which the engine looks back, since it may be the rest of a number.
fn rest_of_a_number() -> Value {
    message("1111 and 42")
}

async fn is_out(caller: &Caller, path: &str) {
    for (path, body) in
        [(path, rest_of_a_number()), (path, message("good morning")), (CONVERSATIONS, conversation("b"))]
    {
        assert_eq!(caller.post(path, &body).await.0, 503, "{body}");
    }
    let (status, body) = caller.get("/health/ready").await;
    let details: Vec<_> =
        body["error"]["details"].as_array().unwrap().iter().map(|detail| &detail["pointer"]).collect();
    assert_eq!((status, details), (503, vec![&Value::from("part:database_files")]));
}

#[actix_web::test]
async fn a_database_that_is_replaced_under_a_server_is_503_and_told() {
    let (place, other) = (Place::new(), Place::new());
    let credential = place.credential("acme");
    other.print(&["migrate"]);
    let server = place.serve();
    let caller = server.caller(&credential);
    let path = caller.open("a").await;
    fs::rename(other.path().join("parlance.db"), place.path().join("parlance.db")).unwrap();
    is_out(&caller, &path).await;
    assert!(server.log().contains(DISPLACED), "{}", server.log());
}

#[actix_web::test]
async fn a_database_that_is_moved_away_and_back_is_served_again_with_all_that_was_acknowledged() {
    let place = Place::new();
    let credential = place.credential("acme");
    let server = place.serve();
    let caller = server.caller(&credential);
    let path = caller.open("a").await;
    assert_eq!(caller.post(&path, &message("before")).await.0, 200);
    let (file, elsewhere) = (place.path().join("parlance.db"), place.path().join("elsewhere.db"));
    fs::rename(&file, &elsewhere).unwrap();
    is_out(&caller, &path).await;
    fs::rename(&elsewhere, &file).unwrap();
    assert_eq!(caller.get("/health/ready").await.0, 200);
    assert_eq!(caller.post(&path, &message("after")).await.0, 200);
    drop(server);
    let (_, list) = place.serve().caller(&credential).get(&path).await;
    let texts: Vec<_> = list["items"].as_array().unwrap().iter().map(|item| item["text"].as_str().unwrap()).collect();
    assert!(texts.contains(&"before") && texts.contains(&"after"), "{texts:?}");
}

//! Tests of the receipts of privacy requests, which have a number.

use crate::{
    erasure::start,
    privacy_requests::{body, create, path_of, run},
};

#[actix_web::test]
async fn a_receipt_is_given_by_its_number_and_the_newest_without_one() {
    let (_service, client, _key) = start().await;
    create(&client, "call-1", "ada").await;
    let path = path_of(&run(&client, &body("erasure", "ada")).await, "receipt");
    let newest = client.get(&path).await;
    let first = client.get(&format!("{path}?issue=1")).await;
    assert_eq!((first.status, &first.text), (200, &newest.text));
    let missing = client.get(&format!("{path}?issue=2")).await;
    assert_eq!(missing.error_details(), (404, vec!["query:issue exists".to_owned()]));
}

#[actix_web::test]
async fn an_invalid_number_of_a_receipt_is_refused() {
    let (_service, client, _key) = start().await;
    let path = path_of(&run(&client, &body("erasure", "ada")).await, "receipt");
    for (number, rule) in [("0", "range"), ("101", "range"), ("-1", "range"), ("one", "range"), ("1&issue=1", "unique")]
    {
        let refused = client.get(&format!("{path}?issue={number}")).await;
        assert_eq!(refused.error_details(), (400, vec![format!("query:issue {rule}")]), "{number}");
    }
}

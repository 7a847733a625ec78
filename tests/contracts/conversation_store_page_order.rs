//! Contract of conversation stores: the order and the completeness of pages, and the limit of reads.

use std::sync::Arc;

use parlance_domain::conversation::{ConversationCriteria, ConversationQuery, UpsertOutcome};
use support::{
    fixtures::{acme, external_id, from_micros, upsert_for},
    stores::TestStores,
};
use tokio::task::JoinSet;

use crate::conversation_store_pages::{
    HOUR, by_agent, by_customer, create, described, found, limited, none, numbers, page, period, update, with_metadata,
};

contract![
    pages_are_newest_first_and_complete,
    conversations_with_one_timestamp_are_paged_by_identifier,
    a_page_that_reads_its_maximum_is_short_and_continues,
    a_page_reads_on_until_its_maximum_if_few_rows_match,
    an_upsert_between_two_pages_neither_hides_nor_repeats_a_conversation,
    pages_are_complete_under_concurrent_upserts,
    an_index_with_few_entries_is_read_for_a_page_with_many_criteria,
];

/// All pages of a query, each as the numbers of its conversations.
async fn all_pages(stores: &TestStores, mut query: ConversationQuery) -> Vec<Vec<u128>> {
    let mut pages = Vec::new();
    loop {
        let next = page(stores, &acme(), &query).await;
        pages.push(numbers(&next.conversations));
        if next.next.is_none() {
            return pages;
        }
        query.after = next.next;
    }
}

/// The conversations of one customer, of which every fifth is in the queue `b`.
async fn fill_queues(stores: &TestStores) {
    for number in 1..=50 {
        let queue = if number % 5 == 0 { "b" } else { "a" };
        create(stores, &described(number, "ada", "grace", queue, i64::try_from(number).unwrap()), 5).await;
    }
}

async fn pages_are_newest_first_and_complete(stores: TestStores) {
    for number in 1..=7 {
        // The order of creation is not the order of the timestamps.
        let started = i64::try_from(number * 3 % 7).unwrap();
        create(&stores, &described(number, "ada", "grace", "a", started), 5).await;
    }
    let expected = [2, 4, 6, 1, 3, 5, 7];
    for criteria in [by_customer("ada"), by_agent("grace"), with_metadata(&[("queue", "a")])]
        .into_iter()
        .chain([ConversationCriteria { started: period(Some(0), None), ..none() }])
        .chain([ConversationCriteria { updated: period(Some(0), None), ..none() }])
    {
        for limit in [1, 2, 3, 7, 8] {
            let pages = all_pages(&stores, limited(criteria.clone(), limit)).await;
            assert_eq!(pages.concat(), expected, "{criteria:?}, {limit}");
            assert_eq!(pages.len(), 7_usize.div_ceil(usize::try_from(limit).unwrap()), "{criteria:?}, {limit}");
        }
    }
}

async fn conversations_with_one_timestamp_are_paged_by_identifier(stores: TestStores) {
    for number in [3, 1, 4, 2] {
        create(&stores, &described(number, "ada", "grace", "a", 1_000), 5).await;
    }
    for criteria in [by_customer("ada"), ConversationCriteria { started: period(Some(1_000), Some(1_001)), ..none() }] {
        assert_eq!(all_pages(&stores, limited(criteria, 3)).await, [vec![4, 3, 2], vec![1]]);
    }
}

async fn a_page_that_reads_its_maximum_is_short_and_continues(stores: TestStores) {
    fill_queues(&stores).await;
    for criteria in [
        ConversationCriteria { customer: Some(external_id("ada")), ..with_metadata(&[("queue", "b")]) },
        ConversationCriteria { started: period(Some(0), None), ..with_metadata(&[("queue", "b")]) },
        ConversationCriteria { updated: period(Some(5), Some(6)), ..with_metadata(&[("queue", "b")]) },
        ConversationCriteria { updated: period(Some(5), Some(6)), ..none() },
    ] {
        let whole = found(&stores, criteria.clone()).await;
        let pages = all_pages(&stores, ConversationQuery { max_reads: 20, ..limited(criteria.clone(), 20) }).await;
        let concatenated = pages.concat();
        assert!(concatenated.starts_with(&whole), "{criteria:?}: {concatenated:?}");
        assert!(pages.iter().all(|page| page.len() <= 20), "{criteria:?}");
    }
}

async fn a_page_reads_on_until_its_maximum_if_few_rows_match(stores: TestStores) {
    fill_queues(&stores).await;
    // No index leads to these conversations, so some pages may be empty.
    let criteria = ConversationCriteria { updated: period(Some(6), None), ..by_customer("ada") };
    let query = ConversationQuery { max_reads: 10, ..ConversationQuery::new(criteria) };
    assert!(all_pages(&stores, query).await.concat().is_empty());
}

async fn an_upsert_between_two_pages_neither_hides_nor_repeats_a_conversation(stores: TestStores) {
    for number in 1..=6 {
        create(&stores, &described(number, "ada", "grace", "a", i64::try_from(number).unwrap()), 5).await;
    }
    let mut query = limited(by_customer("ada"), 2);
    let first = page(&stores, &acme(), &query).await;
    assert_eq!(numbers(&first.conversations), [6, 5]);
    query.after = first.next;
    // An upsert names another timestamp, which changes nothing; a new conversation is older, and another one newer.
    update(&stores, &described(3, "ada", "grace", "b", 99), from_micros(50)).await;
    update(&stores, &described(6, "ada", "grace", "b", 0), from_micros(50)).await;
    create(&stores, &described(7, "ada", "grace", "a", 2), 51).await;
    create(&stores, &described(8, "ada", "grace", "a", 100), 51).await;
    assert_eq!(all_pages(&stores, query).await.concat(), [4, 3, 7, 2, 1]);
}

async fn pages_are_complete_under_concurrent_upserts(stores: TestStores) {
    let count: u128 = 40;
    for number in 1..=count {
        create(&stores, &described(number, "ada", "grace", "a", i64::try_from(number).unwrap()), 5).await;
    }
    let mut writers = JoinSet::new();
    for number in 1..=count {
        let store = Arc::clone(&stores.conversations);
        writers.spawn(async move {
            for round in 0..5 {
                let queue = if round % 2 == 0 { "b" } else { "c" };
                let upsert = upsert_for(&described(number, "ada", "grace", queue, i64::from(round)));
                let at = from_micros(i64::from(round) * HOUR);
                assert!(matches!(store.upsert(&acme(), &upsert, at, None).await.unwrap(), UpsertOutcome::Stored(_)));
            }
        });
    }
    let expected: Vec<_> = (1..=count).rev().collect();
    while !writers.is_empty() {
        for criteria in [by_customer("ada"), by_agent("grace"), with_metadata(&[("channel", "phone")])] {
            assert_eq!(all_pages(&stores, limited(criteria, 7)).await.concat(), expected);
        }
        let _ = writers.try_join_next().map(Result::unwrap);
    }
}

async fn an_index_with_few_entries_is_read_for_a_page_with_many_criteria(stores: TestStores) {
    for number in 1..=60 {
        let customer = if number % 20 == 0 { "rare" } else { "frequent" };
        create(&stores, &described(number, customer, "grace", "a", i64::try_from(number).unwrap()), 5).await;
    }
    // At most two entries of each index are probed, and at most 20 rows are read.
    let metadata = with_metadata(&[("channel", "phone"), ("queue", "a")]);
    let criteria = ConversationCriteria {
        customer: Some(external_id("rare")),
        agent: Some(external_id("grace")),
        updated: period(Some(0), None),
        ..metadata
    };
    let pages = all_pages(&stores, ConversationQuery { max_reads: 40, ..ConversationQuery::new(criteria) }).await;
    assert_eq!(pages.concat(), [60, 40, 20]);
    assert_eq!(pages.len(), 1);
}

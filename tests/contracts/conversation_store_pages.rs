//! Contract of conversation stores: pages of conversations by criteria.

use parlance_domain::{
    access::TenantId,
    conversation::{
        Change, Conversation, ConversationCriteria, ConversationPage, ConversationPageLimit, ConversationQuery,
        MetadataCriteria, Period, Upsert, UpsertOutcome,
    },
    time::{MICROS_PER_HOUR, Timestamp},
};
use support::{
    fixtures::{
        AWKWARD_TEXTS, acme, conversation, external_id, from_micros, globex, metadata, participant, upsert_for,
    },
    stores::TestStores,
};

contract![
    each_criterion_finds_the_conversations_that_meet_it,
    criteria_are_joined_by_and,
    criteria_follow_the_last_upsert,
    a_period_of_updates_spans_hours,
    values_of_metadata_are_compared_byte_for_byte,
    the_largest_metadata_value_is_found,
    a_tenant_does_not_find_conversations_of_another_tenant,
];

pub(crate) const HOUR: i64 = MICROS_PER_HOUR;

pub(crate) fn none() -> ConversationCriteria {
    ConversationCriteria::default()
}

pub(crate) fn with_metadata(pairs: &[(&str, &str)]) -> ConversationCriteria {
    let pairs = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    ConversationCriteria { metadata: MetadataCriteria::parse(pairs.collect()).unwrap(), ..none() }
}

pub(crate) fn period(since: Option<i64>, until: Option<i64>) -> Period {
    Period::new(since.map(from_micros), until.map(from_micros)).unwrap()
}

pub(crate) fn by_customer(customer: &str) -> ConversationCriteria {
    ConversationCriteria { customer: Some(external_id(customer)), ..none() }
}

pub(crate) fn by_agent(agent: &str) -> ConversationCriteria {
    ConversationCriteria { agent: Some(external_id(agent)), ..none() }
}

pub(crate) fn limited(criteria: ConversationCriteria, limit: u64) -> ConversationQuery {
    ConversationQuery { limit: ConversationPageLimit::new(limit).unwrap(), ..ConversationQuery::new(criteria) }
}

/// A conversation with these values that started at `started` microseconds.
pub(crate) fn described(number: u128, customer: &str, agent: &str, queue: &str, started: i64) -> Conversation {
    Conversation {
        agent: Some(participant(agent, "Grace")),
        customer: participant(customer, "Ada"),
        metadata: Some(metadata(&[("channel", "phone"), ("queue", queue)])),
        started_at: from_micros(started),
        ..conversation(number, &format!("call-{number}"))
    }
}

pub(crate) async fn page(stores: &TestStores, tenant: &TenantId, query: &ConversationQuery) -> ConversationPage {
    stores.conversations.page(tenant, query).await.unwrap()
}

/// The numbers of the external identifiers.
pub(crate) fn numbers(conversations: &[Conversation]) -> Vec<u128> {
    let number = |found: &Conversation| found.external_id.as_str().trim_start_matches("call-").parse().unwrap();
    conversations.iter().map(number).collect()
}

pub(crate) async fn found(stores: &TestStores, criteria: ConversationCriteria) -> Vec<u128> {
    numbers(&page(stores, &acme(), &ConversationQuery::new(criteria)).await.conversations)
}

pub(crate) async fn create(stores: &TestStores, new: &Conversation, at: i64) {
    stores.create_conversation(&acme(), new, from_micros(at)).await;
}

pub(crate) async fn update(stores: &TestStores, changed: &Conversation, at: Timestamp) {
    let outcome = stores.conversations.upsert(&acme(), &upsert_for(changed), at, None).await.unwrap();
    assert!(matches!(outcome, UpsertOutcome::Stored(_)));
}

/// Four conversations that differ in every field.
async fn fill(stores: &TestStores) {
    create(stores, &described(1, "ada", "grace", "a", 1_000), 10 * HOUR).await;
    create(stores, &described(2, "bob", "grace", "b", 2_000), 11 * HOUR).await;
    create(stores, &described(3, "ada", "heidi", "b", 3_000), 12 * HOUR).await;
    let bare = Conversation { agent: None, metadata: None, ..described(4, "bob", "x", "x", 4_000) };
    create(stores, &bare, 13 * HOUR).await;
}

async fn each_criterion_finds_the_conversations_that_meet_it(stores: TestStores) {
    fill(&stores).await;
    let started = |since, until| ConversationCriteria { started: period(since, until), ..none() };
    let updated = |since, until| ConversationCriteria { updated: period(since, until), ..none() };
    for (criteria, expected) in [
        (ConversationCriteria { external_id: Some(external_id("call-2")), ..none() }, vec![2]),
        (ConversationCriteria { external_id: Some(external_id("call-9")), ..none() }, vec![]),
        (by_customer("ada"), vec![3, 1]),
        (by_customer("grace"), vec![]),
        (by_agent("grace"), vec![2, 1]),
        (with_metadata(&[("queue", "b")]), vec![3, 2]),
        (with_metadata(&[("b", "queue")]), vec![]),
        (with_metadata(&[("channel", "phone")]), vec![3, 2, 1]),
        (started(Some(2_000), None), vec![4, 3, 2]),
        (started(None, Some(3_000)), vec![2, 1]),
        (started(Some(2_000), Some(3_000)), vec![2]),
        (updated(Some(12 * HOUR), None), vec![4, 3]),
        (updated(None, Some(11 * HOUR)), vec![1]),
        (updated(Some(10 * HOUR + 1), Some(12 * HOUR)), vec![2]),
    ] {
        assert_eq!(found(&stores, criteria.clone()).await, expected, "{criteria:?}");
    }
}

async fn criteria_are_joined_by_and(stores: TestStores) {
    fill(&stores).await;
    let queue_b = || with_metadata(&[("queue", "b")]);
    let updated = period(Some(12 * HOUR), None);
    for (criteria, expected) in [
        (ConversationCriteria { customer: Some(external_id("ada")), ..queue_b() }, vec![3]),
        (ConversationCriteria { agent: Some(external_id("grace")), ..by_customer("ada") }, vec![1]),
        (ConversationCriteria { agent: Some(external_id("grace")), ..by_customer("carol") }, vec![]),
        (ConversationCriteria { external_id: Some(external_id("call-2")), ..by_customer("ada") }, vec![]),
        (ConversationCriteria { external_id: Some(external_id("call-1")), ..by_customer("ada") }, vec![1]),
        (ConversationCriteria { updated, ..by_customer("ada") }, vec![3]),
        (ConversationCriteria { updated, ..by_agent("grace") }, vec![]),
        (ConversationCriteria { started: period(Some(1_001), None), ..by_customer("ada") }, vec![3]),
        (with_metadata(&[("queue", "b"), ("channel", "phone")]), vec![3, 2]),
        (with_metadata(&[("queue", "b"), ("channel", "chat")]), vec![]),
        (ConversationCriteria { updated, started: period(Some(4_000), None), ..none() }, vec![4]),
    ] {
        assert_eq!(found(&stores, criteria.clone()).await, expected, "{criteria:?}");
    }
}

async fn criteria_follow_the_last_upsert(stores: TestStores) {
    let first = described(1, "ada", "grace", "a", 1_000);
    create(&stores, &first, 10 * HOUR).await;
    let changed = Conversation {
        customer: participant("bob", "Bob"),
        agent: Some(participant("heidi", "Heidi")),
        metadata: Some(metadata(&[("channel", "phone"), ("queue", "b"), ("new", "x")])),
        started_at: from_micros(9_000),
        ..first
    };
    update(&stores, &changed, from_micros(20 * HOUR)).await;
    let updated = |hour| ConversationCriteria { updated: period(Some(hour * HOUR), Some(hour * HOUR + 1)), ..none() };
    for criteria in [by_customer("ada"), by_agent("grace"), with_metadata(&[("queue", "a")]), updated(10)] {
        assert_eq!(found(&stores, criteria.clone()).await, [0_u128; 0], "{criteria:?}");
    }
    let kept = ConversationCriteria { started: period(Some(1_000), Some(1_001)), ..none() };
    let pairs = [[("queue", "b")], [("channel", "phone")], [("new", "x")]].map(|pair| with_metadata(&pair));
    for criteria in [by_customer("bob"), by_agent("heidi"), updated(20), kept].into_iter().chain(pairs) {
        assert_eq!(found(&stores, criteria.clone()).await, [1], "{criteria:?}");
    }
    let cleared = Upsert { metadata: Change::Clear, ..upsert_for(&changed) };
    let outcome = stores.conversations.upsert(&acme(), &cleared, from_micros(20 * HOUR), None).await.unwrap();
    assert!(matches!(outcome, UpsertOutcome::Stored(_)));
    assert_eq!(found(&stores, with_metadata(&[("queue", "b")])).await, [0_u128; 0]);
}

async fn a_period_of_updates_spans_hours(stores: TestStores) {
    for number in 1..=4 {
        create(&stores, &described(number, "ada", "grace", "a", 10 - i64::try_from(number).unwrap()), 10 * HOUR).await;
    }
    // In the hour of the creation, in another hour, and in two other hours.
    for (number, hours) in [(2, vec![(10, 9)]), (3, vec![(12, 0)]), (4, vec![(12, 0), (14, 5), (12, 7)])] {
        for (hour, micros) in hours {
            let again = described(number, "ada", "grace", "a", 1);
            update(&stores, &again, from_micros(hour * HOUR + micros)).await;
        }
    }
    let updated = |since, until| ConversationCriteria { updated: period(since, until), ..none() };
    for (criteria, expected) in [
        (updated(Some(10 * HOUR), Some(10 * HOUR + 1)), vec![1]),
        (updated(Some(10 * HOUR + 1), Some(11 * HOUR)), vec![2]),
        (updated(Some(12 * HOUR), Some(12 * HOUR + 1)), vec![3]),
        (updated(Some(12 * HOUR), Some(12 * HOUR + 8)), vec![3, 4]),
        (updated(Some(13 * HOUR), None), vec![]),
        (updated(None, None), vec![1, 2, 3, 4]),
        (updated(Some(9 * HOUR), None), vec![1, 2, 3, 4]),
    ] {
        assert_eq!(found(&stores, criteria.clone()).await, expected, "{criteria:?}");
    }
}

async fn values_of_metadata_are_compared_byte_for_byte(stores: TestStores) {
    for (number, text) in (1..).zip(AWKWARD_TEXTS) {
        let pairs = metadata(&[("text", text), (&format!("k{text}").replace('\0', ""), "v")]);
        let new = Conversation { metadata: Some(pairs), ..described(number, "ada", "grace", "a", 1) };
        create(&stores, &new, 5).await;
    }
    for (number, text) in (1..).zip(AWKWARD_TEXTS) {
        assert_eq!(found(&stores, with_metadata(&[("text", text)])).await, [number], "{text}");
        assert_eq!(found(&stores, with_metadata(&[(&format!("k{text}"), "v")])).await, [number], "{text}");
    }
    assert_eq!(found(&stores, with_metadata(&[("text", "null")])).await, [0_u128; 0]);
}

async fn the_largest_metadata_value_is_found(stores: TestStores) {
    let (value, other) = ("🦀".repeat(1_024), format!("{}x", "🦀".repeat(1_023)));
    let new = Conversation { metadata: Some(metadata(&[("a", &value)])), ..described(1, "ada", "grace", "a", 1) };
    create(&stores, &new, 5).await;
    assert_eq!(found(&stores, with_metadata(&[("a", &value)])).await, [1]);
    assert_eq!(found(&stores, with_metadata(&[("a", &other)])).await, [0_u128; 0]);
}

async fn a_tenant_does_not_find_conversations_of_another_tenant(stores: TestStores) {
    fill(&stores).await;
    let other = described(9, "ada", "grace", "b", 2_500);
    stores.create_conversation(&globex(), &other, from_micros(11 * HOUR)).await;
    for criteria in [
        by_customer("ada"),
        by_agent("grace"),
        with_metadata(&[("queue", "b")]),
        ConversationCriteria { started: period(Some(0), None), ..none() },
        ConversationCriteria { updated: period(Some(0), None), ..none() },
    ] {
        assert!(!found(&stores, criteria.clone()).await.contains(&9), "{criteria:?}");
        let globex_page = page(&stores, &globex(), &ConversationQuery::new(criteria)).await;
        assert_eq!(numbers(&globex_page.conversations), [9]);
    }
    // A position of one tenant is only a position to another: it shows nothing.
    let after = page(&stores, &acme(), &limited(by_customer("ada"), 1)).await.next;
    let query = ConversationQuery { after, ..ConversationQuery::new(by_customer("ada")) };
    assert_eq!(numbers(&page(&stores, &globex(), &query).await.conversations), [9]);
}

//! Contract of conversation stores.

use std::{collections::BTreeMap, sync::Arc};

use parlance_domain::{
    access::TenantId,
    conversation::{Change, Conversation, Metadata, Participant, Upsert, UpsertOutcome},
    id::ConversationId,
    text::DisplayName,
};
use support::{
    fixtures::{
        self, AWKWARD_TEXTS, acme, ada, bare_conversation, conversation, external_id, from_micros, globex, grace,
    },
    stores::TestStores,
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    a_created_conversation_is_found_by_either_identifier,
    a_conversation_that_was_never_created_is_not_found,
    an_upsert_of_an_existing_conversation_returns_its_id_and_creates_no_other,
    an_identical_upsert_changes_nothing,
    one_of_concurrent_upserts_creates_and_all_return_its_id,
    an_update_keeps_the_fields_that_it_does_not_name,
    an_update_keeps_the_start_time,
    an_update_clears_optional_fields,
    an_update_replaces_whole_fields,
    an_update_sets_fields_that_were_empty,
    a_later_update_wins,
    concurrent_updates_of_different_fields_are_both_stored,
    concurrent_updates_of_different_conversations_are_all_stored,
    an_update_changes_only_its_conversation,
    empty_metadata_is_not_none,
    the_largest_metadata_is_read_back,
    texts_are_read_back_byte_for_byte,
    external_ids_are_compared_byte_for_byte,
    the_first_and_the_last_timestamp_are_read_back,
    a_tenant_does_not_find_another_tenants_conversations,
    tenants_may_have_the_same_identifiers,
    an_update_under_a_shared_identifier_affects_one_tenant_only,
];

async fn upsert(stores: &TestStores, tenant: &TenantId, upsert: &Upsert) -> ConversationId {
    let outcome = stores.conversations.upsert(tenant, upsert, from_micros(6), None).await.unwrap();
    let UpsertOutcome::Stored(id) = outcome else { panic!("an upsert without an idempotency key is always stored") };
    id
}

async fn create(stores: &TestStores, new: Conversation) -> Conversation {
    stores.create_conversation(&acme(), &new, from_micros(5)).await;
    new
}

async fn find(stores: &TestStores, tenant: &TenantId, id: &ConversationId) -> Option<Conversation> {
    stores.conversations.find(tenant, id).await.unwrap()
}

async fn find_by_external_id(stores: &TestStores, tenant: &TenantId, key: &str) -> Option<Conversation> {
    stores.conversations.find_by_external_id(tenant, &external_id(key)).await.unwrap()
}

/// An upsert that sets the customer, and changes no other field of an existing conversation.
fn bare_upsert(customer: Participant, name: &str) -> Upsert {
    fixtures::upsert_for(&Conversation { customer, ..bare_conversation(99, name) })
}

/// An upsert that sets the customer and clears every optional field.
fn clearing_upsert(customer: Participant, name: &str) -> Upsert {
    Upsert { agent: Change::Clear, metadata: Change::Clear, ..bare_upsert(customer, name) }
}

async fn a_created_conversation_is_found_by_either_identifier(stores: TestStores) {
    for new in [conversation(1, "call-1"), bare_conversation(2, "call-2")] {
        let new = create(&stores, new).await;
        assert_eq!(find(&stores, &acme(), &new.id).await.as_ref(), Some(&new));
        assert_eq!(find_by_external_id(&stores, &acme(), new.external_id.as_str()).await.as_ref(), Some(&new));
    }
}

async fn a_conversation_that_was_never_created_is_not_found(stores: TestStores) {
    create(&stores, conversation(1, "call-1")).await;
    assert_eq!(find(&stores, &acme(), &ConversationId::from_bits(2)).await, None);
    assert_eq!(find_by_external_id(&stores, &acme(), "call-2").await, None);
}

async fn an_upsert_of_an_existing_conversation_returns_its_id_and_creates_no_other(stores: TestStores) {
    let first = create(&stores, conversation(1, "call-1")).await;
    let second = bare_upsert(ada(), "call-1");
    assert_eq!(upsert(&stores, &acme(), &second).await, first.id);
    assert_eq!(find(&stores, &acme(), &second.new_id).await, None);
}

async fn an_identical_upsert_changes_nothing(stores: TestStores) {
    let new = create(&stores, conversation(1, "call-1")).await;
    assert_eq!(upsert(&stores, &acme(), &fixtures::upsert_for(&new)).await, new.id);
    assert_eq!(find(&stores, &acme(), &new.id).await, Some(new));
}

/// Runs the upserts concurrently. Returns each with the identifier that it received.
async fn race(stores: &TestStores, upserts: Vec<Upsert>) -> Vec<(Upsert, ConversationId)> {
    let barrier = Arc::new(Barrier::new(upserts.len()));
    let mut racers = JoinSet::new();
    for request in upserts {
        let (stores, barrier) = (stores.clone(), Arc::clone(&barrier));
        racers.spawn(async move {
            barrier.wait().await;
            let id = upsert(&stores, &acme(), &request).await;
            (request, id)
        });
    }
    racers.join_all().await
}

async fn one_of_concurrent_upserts_creates_and_all_return_its_id(stores: TestStores) {
    let outcomes = race(&stores, (1..=40).map(|n| fixtures::upsert_for(&conversation(n, "call-1"))).collect()).await;
    let created_id = find_by_external_id(&stores, &acme(), "call-1").await.unwrap().id;
    for (upsert, returned) in &outcomes {
        assert_eq!(*returned, created_id);
        assert_eq!(find(&stores, &acme(), &upsert.new_id).await.is_some(), upsert.new_id == created_id);
    }
}

async fn an_update_keeps_the_fields_that_it_does_not_name(stores: TestStores) {
    let before = create(&stores, conversation(1, "call-1")).await;
    let customer = fixtures::participant("customer-8", "Barbara");
    upsert(&stores, &acme(), &bare_upsert(customer.clone(), "call-1")).await;
    let after = Conversation { customer, ..before };
    assert_eq!(find(&stores, &acme(), &after.id).await.as_ref(), Some(&after));
    assert_eq!(find_by_external_id(&stores, &acme(), "call-1").await, Some(after));
}

async fn an_update_keeps_the_start_time(stores: TestStores) {
    let before = create(&stores, conversation(1, "call-1")).await;
    upsert(&stores, &acme(), &Upsert { started_at: from_micros(77), ..fixtures::upsert_for(&before) }).await;
    assert_eq!(find(&stores, &acme(), &before.id).await, Some(before));
}

async fn an_update_clears_optional_fields(stores: TestStores) {
    let before = create(&stores, conversation(1, "call-1")).await;
    upsert(&stores, &acme(), &clearing_upsert(ada(), "call-1")).await;
    let after = Conversation { agent: None, metadata: None, ..before };
    assert_eq!(find(&stores, &acme(), &after.id).await, Some(after));
}

async fn an_update_replaces_whole_fields(stores: TestStores) {
    let before = create(&stores, conversation(1, "call-1")).await;
    let nameless = Participant { external_id: external_id("agent-4"), name: None };
    let (customer, pairs) = (Participant { name: None, ..ada() }, fixtures::metadata(&[("queue", "7")]));
    let (agent, metadata) = (Change::Set(nameless.clone()), Change::Set(pairs.clone()));
    let change = Upsert { agent, metadata, ..bare_upsert(customer.clone(), "call-1") };
    upsert(&stores, &acme(), &change).await;
    let after = Conversation { agent: Some(nameless), customer, metadata: Some(pairs), ..before };
    assert_eq!(find(&stores, &acme(), &after.id).await, Some(after));
}

async fn an_update_sets_fields_that_were_empty(stores: TestStores) {
    let before = create(&stores, bare_conversation(1, "call-1")).await;
    let pairs = fixtures::metadata(&[("queue", "7")]);
    let change =
        Upsert { agent: Change::Set(grace()), metadata: Change::Set(pairs.clone()), ..bare_upsert(ada(), "call-1") };
    upsert(&stores, &acme(), &change).await;
    let after = Conversation { agent: Some(grace()), customer: ada(), metadata: Some(pairs), ..before };
    assert_eq!(find(&stores, &acme(), &after.id).await, Some(after));
}

async fn a_later_update_wins(stores: TestStores) {
    let before = create(&stores, conversation(1, "call-1")).await;
    for customer in [fixtures::participant("customer-8", "Barbara"), fixtures::participant("customer-9", "Karen")] {
        upsert(&stores, &acme(), &bare_upsert(customer.clone(), "call-1")).await;
        assert_eq!(find(&stores, &acme(), &before.id).await.map(|found| found.customer), Some(customer));
    }
}

async fn concurrent_updates_of_different_fields_are_both_stored(stores: TestStores) {
    let before = create(&stores, bare_conversation(1, "call-1")).await;
    let pairs = fixtures::metadata(&[("queue", "7")]);
    let agent = Upsert { agent: Change::Set(grace()), ..bare_upsert(ada(), "call-1") };
    let queue = Upsert { metadata: Change::Set(pairs.clone()), ..bare_upsert(ada(), "call-1") };
    race(&stores, vec![agent, queue]).await;
    let after = Conversation { agent: Some(grace()), customer: ada(), metadata: Some(pairs), ..before };
    assert_eq!(find(&stores, &acme(), &after.id).await, Some(after));
}

async fn concurrent_updates_of_different_conversations_are_all_stored(stores: TestStores) {
    let mut conversations = BTreeMap::new();
    for number in 1..=40 {
        let new = create(&stores, conversation(number, &format!("call-{number}"))).await;
        conversations.insert(new.id.clone(), new);
    }
    let change = |(number, expected): (usize, &mut Conversation)| {
        let no_change = bare_upsert(ada(), expected.external_id.as_str());
        let upsert = match number % 4 {
            0 => no_change,
            1 => Upsert { agent: Change::Clear, ..no_change },
            2 => Upsert { metadata: Change::Set(fixtures::metadata(&[("queue", "7")])), ..no_change },
            _ => clearing_upsert(ada(), expected.external_id.as_str()),
        };
        upsert.apply_to(expected);
        upsert
    };
    let changes = conversations.values_mut().enumerate().map(change).collect();
    race(&stores, changes).await;
    for (id, expected) in conversations {
        assert_eq!(find(&stores, &acme(), &id).await, Some(expected));
    }
}

async fn an_update_changes_only_its_conversation(stores: TestStores) {
    create(&stores, conversation(1, "call-1")).await;
    let other = create(&stores, conversation(2, "call-2")).await;
    upsert(&stores, &acme(), &clearing_upsert(fixtures::participant("customer-8", "Barbara"), "call-1")).await;
    assert_eq!(find(&stores, &acme(), &other.id).await, Some(other));
}

async fn empty_metadata_is_not_none(stores: TestStores) {
    let empty = Conversation { metadata: Some(Metadata::default()), ..conversation(1, "call-1") };
    let empty = create(&stores, empty).await;
    assert_eq!(find(&stores, &acme(), &empty.id).await, Some(empty));

    let full = create(&stores, conversation(2, "call-2")).await;
    upsert(&stores, &acme(), &Upsert { metadata: Change::Set(Metadata::default()), ..fixtures::upsert_for(&full) })
        .await;
    let found = find(&stores, &acme(), &full.id).await.unwrap();
    assert_eq!(found.metadata, Some(Metadata::default()));
}

async fn the_largest_metadata_is_read_back(stores: TestStores) {
    let pairs: BTreeMap<_, _> =
        (0..50).map(|number| (format!("{number:02}{}", "🗝".repeat(126)), "\u{1}\"".repeat(512))).collect();
    let largest = Conversation { metadata: Some(Metadata::parse(pairs).unwrap()), ..conversation(1, "call-1") };
    let largest = create(&stores, largest).await;
    assert_eq!(find(&stores, &acme(), &largest.id).await, Some(largest));
}

async fn texts_are_read_back_byte_for_byte(stores: TestStores) {
    let longest = "🦀".repeat(256);
    for (number, text) in AWKWARD_TEXTS.into_iter().chain([longest.as_str()]).enumerate() {
        let new = Conversation {
            agent: Some(fixtures::participant(text, text)),
            customer: fixtures::participant(text, text),
            metadata: Some(fixtures::metadata(&[(&text.chars().take(128).collect::<String>(), text)])),
            ..conversation(number as u128, text)
        };
        let new = create(&stores, new).await;
        assert_eq!(find(&stores, &acme(), &new.id).await.as_ref(), Some(&new));
        assert_eq!(find_by_external_id(&stores, &acme(), text).await, Some(new));
    }
    let nameless = Conversation {
        customer: Participant { name: Some(DisplayName::parse("").unwrap()), ..ada() },
        ..conversation(99, "an empty name")
    };
    let nameless = create(&stores, nameless).await;
    assert_eq!(find(&stores, &acme(), &nameless.id).await, Some(nameless));
}

async fn external_ids_are_compared_byte_for_byte(stores: TestStores) {
    let alike = ["call", "Call", "call ", " call", "c\u{e2}ll", "ca\u{302}ll", "c%", "c_ll", "c\u{430}ll", "0", "00"];
    for (number, key) in alike.into_iter().enumerate() {
        assert_eq!(find_by_external_id(&stores, &acme(), key).await, None, "{key:?} matches another external id");
        create(&stores, conversation(number as u128, key)).await;
    }
    for (number, key) in alike.into_iter().enumerate() {
        let found = find_by_external_id(&stores, &acme(), key).await.map(|found| found.id);
        assert_eq!(found, Some(ConversationId::from_bits(number as u128)), "{key:?}");
    }
}

async fn the_first_and_the_last_timestamp_are_read_back(stores: TestStores) {
    let timestamps = [-62_167_219_200_000_000, -1, 0, 1, 1_767_225_600_000_001, 253_402_300_799_999_999];
    for (number, micros) in timestamps.into_iter().enumerate() {
        let new =
            Conversation { started_at: from_micros(micros), ..conversation(number as u128, &format!("call-{number}")) };
        let new = create(&stores, new).await;
        assert_eq!(find(&stores, &acme(), &new.id).await, Some(new));
    }
}

async fn a_tenant_does_not_find_another_tenants_conversations(stores: TestStores) {
    let conversation_of_acme = create(&stores, conversation(1, "call-1")).await;
    assert_eq!(find(&stores, &globex(), &conversation_of_acme.id).await, None);
    assert_eq!(find_by_external_id(&stores, &globex(), "call-1").await, None);
}

async fn tenants_may_have_the_same_identifiers(stores: TestStores) {
    let own = create(&stores, conversation(1, "call-1")).await;
    let others = bare_conversation(1, "call-1");
    stores.create_conversation(&globex(), &others, from_micros(5)).await;
    assert_eq!(find(&stores, &acme(), &own.id).await.as_ref(), Some(&own));
    assert_eq!(find_by_external_id(&stores, &acme(), "call-1").await, Some(own));
    assert_eq!(find(&stores, &globex(), &others.id).await.as_ref(), Some(&others));
    assert_eq!(find_by_external_id(&stores, &globex(), "call-1").await, Some(others));
}

async fn an_update_under_a_shared_identifier_affects_one_tenant_only(stores: TestStores) {
    let own = create(&stores, conversation(1, "call-1")).await;
    stores.create_conversation(&globex(), &bare_conversation(1, "call-1"), from_micros(5)).await;
    upsert(&stores, &globex(), &clearing_upsert(fixtures::participant("customer-8", "Barbara"), "call-1")).await;
    assert_eq!(find(&stores, &acme(), &own.id).await, Some(own));
}

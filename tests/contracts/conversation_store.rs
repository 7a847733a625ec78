//! What every store of conversations does.

use std::{collections::BTreeMap, sync::Arc};

use parlance_domain::{
    access::TenantId,
    conversation::{Change, Conversation, Metadata, Participant, Upsert, Upserted},
    id::ConversationId,
    text::DisplayName,
};
use support::{
    fixtures::{
        AWKWARD_TEXTS, acme, ada, at, bare_conversation, conversation, creation, external_id, globex, grace, metadata,
        person,
    },
    stores::Stores,
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    a_created_conversation_is_found_by_either_identifier,
    what_was_never_created_is_not_found,
    an_upsert_of_what_is_there_answers_its_id_and_uses_no_other,
    an_upsert_repeated_as_it_was_changes_nothing,
    of_concurrent_upserts_one_creates_and_all_answer_its_id,
    an_update_keeps_what_it_does_not_name,
    an_update_keeps_when_the_conversation_began,
    an_update_clears_what_it_clears,
    an_update_replaces_wholly_what_it_sets,
    an_update_gives_what_was_not_there,
    a_later_update_wins,
    concurrent_updates_of_different_parts_both_last,
    concurrent_upserts_that_change_different_parts_of_different_conversations_all_land,
    an_update_changes_its_conversation_only,
    empty_metadata_is_not_none,
    as_much_metadata_as_there_may_be_comes_back,
    texts_come_back_byte_for_byte,
    external_ids_are_told_apart_byte_for_byte,
    the_first_and_the_last_moment_come_back,
    a_tenant_finds_none_of_anothers_conversations,
    tenants_may_have_the_same_identifiers,
    an_update_under_a_shared_identifier_stays_in_its_tenant,
];

async fn upsert(stores: &Stores, tenant: &TenantId, upsert: &Upsert) -> ConversationId {
    let outcome = stores.conversations.upsert(tenant, upsert, at(6), None).await.unwrap();
    let Upserted::Stored(id) = outcome else { panic!("there is no key that could have been used") };
    id
}

async fn created(stores: &Stores, new: Conversation) -> Conversation {
    stores.create(&acme(), &new, at(5)).await;
    new
}

async fn find(stores: &Stores, tenant: &TenantId, id: &ConversationId) -> Option<Conversation> {
    stores.conversations.find(tenant, id).await.unwrap()
}

async fn named(stores: &Stores, tenant: &TenantId, key: &str) -> Option<Conversation> {
    stores.conversations.find_by_external_id(tenant, &external_id(key)).await.unwrap()
}

/// What makes this the customer of a conversation, and changes nothing else of one that is there.
fn nothing_but(customer: Participant, name: &str) -> Upsert {
    creation(&Conversation { customer, ..bare_conversation(99, name) })
}

/// The same, with nothing left of what need not be there.
fn clearing(customer: Participant, name: &str) -> Upsert {
    Upsert { agent: Change::Clear, metadata: Change::Clear, ..nothing_but(customer, name) }
}

async fn a_created_conversation_is_found_by_either_identifier(stores: Stores) {
    for new in [conversation(1, "call-1"), bare_conversation(2, "call-2")] {
        let new = created(&stores, new).await;
        assert_eq!(find(&stores, &acme(), &new.id).await.as_ref(), Some(&new));
        assert_eq!(named(&stores, &acme(), new.external_id.as_str()).await.as_ref(), Some(&new));
    }
}

async fn what_was_never_created_is_not_found(stores: Stores) {
    created(&stores, conversation(1, "call-1")).await;
    assert_eq!(find(&stores, &acme(), &ConversationId::from_bits(2)).await, None);
    assert_eq!(named(&stores, &acme(), "call-2").await, None);
}

async fn an_upsert_of_what_is_there_answers_its_id_and_uses_no_other(stores: Stores) {
    let first = created(&stores, conversation(1, "call-1")).await;
    let second = nothing_but(ada(), "call-1");
    assert_eq!(upsert(&stores, &acme(), &second).await, first.id);
    assert_eq!(find(&stores, &acme(), &second.fresh_id).await, None);
}

async fn an_upsert_repeated_as_it_was_changes_nothing(stores: Stores) {
    let new = created(&stores, conversation(1, "call-1")).await;
    assert_eq!(upsert(&stores, &acme(), &creation(&new)).await, new.id);
    assert_eq!(find(&stores, &acme(), &new.id).await, Some(new));
}

/// Stores all of these at once, and answers each with the id that it was told.
async fn race(stores: &Stores, upserts: Vec<Upsert>) -> Vec<(Upsert, ConversationId)> {
    let start = Arc::new(Barrier::new(upserts.len()));
    let mut racers = JoinSet::new();
    for one in upserts {
        let (stores, start) = (stores.clone(), Arc::clone(&start));
        racers.spawn(async move {
            start.wait().await;
            let id = upsert(&stores, &acme(), &one).await;
            (one, id)
        });
    }
    racers.join_all().await
}

async fn of_concurrent_upserts_one_creates_and_all_answer_its_id(stores: Stores) {
    let upserts = (1..=40).map(|number| creation(&conversation(number, "call-1"))).collect();
    let outcomes = race(&stores, upserts).await;
    let created = named(&stores, &acme(), "call-1").await.unwrap().id;
    for (upsert, told) in &outcomes {
        assert_eq!(*told, created);
        assert_eq!(find(&stores, &acme(), &upsert.fresh_id).await.is_some(), upsert.fresh_id == created);
    }
}

async fn an_update_keeps_what_it_does_not_name(stores: Stores) {
    let before = created(&stores, conversation(1, "call-1")).await;
    let customer = person("customer-8", "Barbara");
    upsert(&stores, &acme(), &nothing_but(customer.clone(), "call-1")).await;
    let after = Conversation { customer, ..before };
    assert_eq!(find(&stores, &acme(), &after.id).await.as_ref(), Some(&after));
    assert_eq!(named(&stores, &acme(), "call-1").await, Some(after));
}

async fn an_update_keeps_when_the_conversation_began(stores: Stores) {
    let before = created(&stores, conversation(1, "call-1")).await;
    upsert(&stores, &acme(), &Upsert { started_at: at(77), ..creation(&before) }).await;
    assert_eq!(find(&stores, &acme(), &before.id).await, Some(before));
}

async fn an_update_clears_what_it_clears(stores: Stores) {
    let before = created(&stores, conversation(1, "call-1")).await;
    upsert(&stores, &acme(), &clearing(ada(), "call-1")).await;
    let after = Conversation { agent: None, metadata: None, ..before };
    assert_eq!(find(&stores, &acme(), &after.id).await, Some(after));
}

async fn an_update_replaces_wholly_what_it_sets(stores: Stores) {
    let before = created(&stores, conversation(1, "call-1")).await;
    let nameless = Participant { external_id: external_id("agent-4"), name: None };
    let (customer, pairs) = (Participant { name: None, ..ada() }, metadata(&[("queue", "7")]));
    let (agent, metadata) = (Change::Set(nameless.clone()), Change::Set(pairs.clone()));
    let change = Upsert { agent, metadata, ..nothing_but(customer.clone(), "call-1") };
    upsert(&stores, &acme(), &change).await;
    let after = Conversation { agent: Some(nameless), customer, metadata: Some(pairs), ..before };
    assert_eq!(find(&stores, &acme(), &after.id).await, Some(after));
}

async fn an_update_gives_what_was_not_there(stores: Stores) {
    let before = created(&stores, bare_conversation(1, "call-1")).await;
    let pairs = metadata(&[("queue", "7")]);
    let change =
        Upsert { agent: Change::Set(grace()), metadata: Change::Set(pairs.clone()), ..nothing_but(ada(), "call-1") };
    upsert(&stores, &acme(), &change).await;
    let after = Conversation { agent: Some(grace()), customer: ada(), metadata: Some(pairs), ..before };
    assert_eq!(find(&stores, &acme(), &after.id).await, Some(after));
}

async fn a_later_update_wins(stores: Stores) {
    let before = created(&stores, conversation(1, "call-1")).await;
    for customer in [person("customer-8", "Barbara"), person("customer-9", "Karen")] {
        upsert(&stores, &acme(), &nothing_but(customer.clone(), "call-1")).await;
        assert_eq!(find(&stores, &acme(), &before.id).await.map(|found| found.customer), Some(customer));
    }
}

async fn concurrent_updates_of_different_parts_both_last(stores: Stores) {
    let before = created(&stores, bare_conversation(1, "call-1")).await;
    let pairs = metadata(&[("queue", "7")]);
    let agent = Upsert { agent: Change::Set(grace()), ..nothing_but(ada(), "call-1") };
    let queue = Upsert { metadata: Change::Set(pairs.clone()), ..nothing_but(ada(), "call-1") };
    race(&stores, vec![agent, queue]).await;
    let after = Conversation { agent: Some(grace()), customer: ada(), metadata: Some(pairs), ..before };
    assert_eq!(find(&stores, &acme(), &after.id).await, Some(after));
}

async fn concurrent_upserts_that_change_different_parts_of_different_conversations_all_land(stores: Stores) {
    let mut after = BTreeMap::new();
    for number in 1..=40 {
        let new = created(&stores, conversation(number, &format!("call-{number}"))).await;
        after.insert(new.id.clone(), new);
    }
    let change = |(number, known): (usize, &mut Conversation)| {
        let nothing = nothing_but(ada(), known.external_id.as_str());
        let upsert = match number % 4 {
            0 => nothing,
            1 => Upsert { agent: Change::Clear, ..nothing },
            2 => Upsert { metadata: Change::Set(metadata(&[("queue", "7")])), ..nothing },
            _ => clearing(ada(), known.external_id.as_str()),
        };
        upsert.change(known);
        upsert
    };
    let changes = after.values_mut().enumerate().map(change).collect();
    race(&stores, changes).await;
    for (id, after) in after {
        assert_eq!(find(&stores, &acme(), &id).await, Some(after));
    }
}

async fn an_update_changes_its_conversation_only(stores: Stores) {
    created(&stores, conversation(1, "call-1")).await;
    let other = created(&stores, conversation(2, "call-2")).await;
    upsert(&stores, &acme(), &clearing(person("customer-8", "Barbara"), "call-1")).await;
    assert_eq!(find(&stores, &acme(), &other.id).await, Some(other));
}

async fn empty_metadata_is_not_none(stores: Stores) {
    let empty = Conversation { metadata: Some(Metadata::default()), ..conversation(1, "call-1") };
    let empty = created(&stores, empty).await;
    assert_eq!(find(&stores, &acme(), &empty.id).await, Some(empty));

    let full = created(&stores, conversation(2, "call-2")).await;
    upsert(&stores, &acme(), &Upsert { metadata: Change::Set(Metadata::default()), ..creation(&full) }).await;
    let found = find(&stores, &acme(), &full.id).await.unwrap();
    assert_eq!(found.metadata, Some(Metadata::default()));
}

async fn as_much_metadata_as_there_may_be_comes_back(stores: Stores) {
    let pairs: BTreeMap<_, _> =
        (0..50).map(|number| (format!("{number:02}{}", "🗝".repeat(126)), "\u{1}\"".repeat(512))).collect();
    let most = Conversation { metadata: Some(Metadata::parse(pairs).unwrap()), ..conversation(1, "call-1") };
    let most = created(&stores, most).await;
    assert_eq!(find(&stores, &acme(), &most.id).await, Some(most));
}

async fn texts_come_back_byte_for_byte(stores: Stores) {
    let longest = "🦀".repeat(256);
    for (number, text) in AWKWARD_TEXTS.into_iter().chain([longest.as_str()]).enumerate() {
        let new = Conversation {
            agent: Some(person(text, text)),
            customer: person(text, text),
            metadata: Some(metadata(&[(&text.chars().take(128).collect::<String>(), text)])),
            ..conversation(number as u128, text)
        };
        let new = created(&stores, new).await;
        assert_eq!(find(&stores, &acme(), &new.id).await.as_ref(), Some(&new));
        assert_eq!(named(&stores, &acme(), text).await, Some(new));
    }
    let nameless = Conversation {
        customer: Participant { name: Some(DisplayName::parse("").unwrap()), ..ada() },
        ..conversation(99, "an empty name")
    };
    let nameless = created(&stores, nameless).await;
    assert_eq!(find(&stores, &acme(), &nameless.id).await, Some(nameless));
}

async fn external_ids_are_told_apart_byte_for_byte(stores: Stores) {
    let alike = ["call", "Call", "call ", " call", "c\u{e2}ll", "ca\u{302}ll", "c%", "c_ll", "c\u{430}ll", "0", "00"];
    for (number, key) in alike.into_iter().enumerate() {
        assert_eq!(named(&stores, &acme(), key).await, None, "{key:?} is taken for another");
        created(&stores, conversation(number as u128, key)).await;
    }
    for (number, key) in alike.into_iter().enumerate() {
        let found = named(&stores, &acme(), key).await.map(|found| found.id);
        assert_eq!(found, Some(ConversationId::from_bits(number as u128)), "{key:?}");
    }
}

async fn the_first_and_the_last_moment_come_back(stores: Stores) {
    let moments = [-62_167_219_200_000_000, -1, 0, 1, 1_767_225_600_000_001, 253_402_300_799_999_999];
    for (number, micros) in moments.into_iter().enumerate() {
        let new = Conversation { started_at: at(micros), ..conversation(number as u128, &format!("call-{number}")) };
        let new = created(&stores, new).await;
        assert_eq!(find(&stores, &acme(), &new.id).await, Some(new));
    }
}

async fn a_tenant_finds_none_of_anothers_conversations(stores: Stores) {
    let own = created(&stores, conversation(1, "call-1")).await;
    assert_eq!(find(&stores, &globex(), &own.id).await, None);
    assert_eq!(named(&stores, &globex(), "call-1").await, None);
}

async fn tenants_may_have_the_same_identifiers(stores: Stores) {
    let own = created(&stores, conversation(1, "call-1")).await;
    let others = bare_conversation(1, "call-1");
    stores.create(&globex(), &others, at(5)).await;
    assert_eq!(find(&stores, &acme(), &own.id).await.as_ref(), Some(&own));
    assert_eq!(named(&stores, &acme(), "call-1").await, Some(own));
    assert_eq!(find(&stores, &globex(), &others.id).await.as_ref(), Some(&others));
    assert_eq!(named(&stores, &globex(), "call-1").await, Some(others));
}

async fn an_update_under_a_shared_identifier_stays_in_its_tenant(stores: Stores) {
    let own = created(&stores, conversation(1, "call-1")).await;
    stores.create(&globex(), &bare_conversation(1, "call-1"), at(5)).await;
    upsert(&stores, &globex(), &clearing(person("customer-8", "Barbara"), "call-1")).await;
    assert_eq!(find(&stores, &acme(), &own.id).await, Some(own));
}

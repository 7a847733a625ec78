//! What every store of conversations does.

use std::{collections::BTreeMap, sync::Arc};

use parlance_domain::{
    access::TenantId,
    conversation::{Change, Changes, Commit, Conversation, ConversationWrite, Metadata, Participant},
    id::ConversationId,
    text::DisplayName,
};
use support::{
    fixtures::{
        AWKWARD_TEXTS, acme, ada, at, bare_conversation, conversation, external_id, globex, grace, metadata, person,
    },
    stores::Stores,
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    a_created_conversation_is_found_by_either_identifier,
    what_was_never_created_is_not_found,
    a_lost_creation_is_superseded,
    a_creation_repeated_as_it_was_is_superseded,
    of_concurrent_creations_exactly_one_is_committed,
    concurrent_creations_of_different_conversations_all_land,
    an_update_keeps_what_it_does_not_name,
    an_update_clears_what_it_clears,
    an_update_replaces_wholly_what_it_sets,
    an_update_gives_what_was_not_there,
    a_later_update_wins,
    concurrent_updates_of_different_parts_both_last,
    an_update_changes_its_conversation_only,
    an_update_of_what_is_not_there_is_superseded,
    empty_metadata_is_not_none,
    as_much_metadata_as_there_may_be_comes_back,
    texts_come_back_byte_for_byte,
    external_ids_are_told_apart_byte_for_byte,
    the_first_and_the_last_moment_come_back,
    a_tenant_finds_none_of_anothers_conversations,
    tenants_may_have_the_same_identifiers,
    a_tenant_updates_none_of_anothers_conversations,
    an_update_under_a_shared_identifier_stays_in_its_tenant,
];

async fn create(stores: &Stores, tenant: &TenantId, new: &Conversation) -> Commit {
    stores.conversations.commit(tenant, &ConversationWrite::Create(new.clone()), at(5), None).await.unwrap()
}

async fn created(stores: &Stores, new: Conversation) -> Conversation {
    assert_eq!(create(stores, &acme(), &new).await, Commit::Committed);
    new
}

async fn update(stores: &Stores, tenant: &TenantId, id: &ConversationId, changes: Changes) -> Commit {
    let write = ConversationWrite::Update { id: id.clone(), changes };
    stores.conversations.commit(tenant, &write, at(6), None).await.unwrap()
}

async fn find(stores: &Stores, tenant: &TenantId, id: &ConversationId) -> Option<Conversation> {
    stores.conversations.find(tenant, id).await.unwrap()
}

async fn named(stores: &Stores, tenant: &TenantId, key: &str) -> Option<Conversation> {
    stores.conversations.find_by_external_id(tenant, &external_id(key)).await.unwrap()
}

fn nothing_but(customer: Participant) -> Changes {
    Changes { agent: Change::Keep, customer, metadata: Change::Keep }
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

async fn a_lost_creation_is_superseded(stores: Stores) {
    let first = created(&stores, conversation(1, "call-1")).await;
    let second = bare_conversation(2, "call-1");
    assert_eq!(create(&stores, &acme(), &second).await, Commit::Superseded);
    assert_eq!(named(&stores, &acme(), "call-1").await, Some(first));
    assert_eq!(find(&stores, &acme(), &second.id).await, None);
}

async fn a_creation_repeated_as_it_was_is_superseded(stores: Stores) {
    let new = created(&stores, conversation(1, "call-1")).await;
    assert_eq!(create(&stores, &acme(), &new).await, Commit::Superseded);
}

/// Commits all of these at once, and answers each with what became of it.
async fn race(stores: &Stores, writes: Vec<ConversationWrite>) -> Vec<(ConversationWrite, Commit)> {
    let start = Arc::new(Barrier::new(writes.len()));
    let mut racers = JoinSet::new();
    for write in writes {
        let (store, start) = (Arc::clone(&stores.conversations), Arc::clone(&start));
        racers.spawn(async move {
            start.wait().await;
            let outcome = store.commit(&acme(), &write, at(5), None).await.unwrap();
            (write, outcome)
        });
    }
    racers.join_all().await
}

async fn of_concurrent_creations_exactly_one_is_committed(stores: Stores) {
    let writes = (1..=40).map(|number| ConversationWrite::Create(conversation(number, "call-1"))).collect();
    let outcomes = race(&stores, writes).await;
    let winners: Vec<_> = outcomes.iter().filter(|(_, outcome)| *outcome == Commit::Committed).collect();
    let [(winner, _)] = winners[..] else { panic!("{} creations were committed", winners.len()) };
    for (write, _) in &outcomes {
        assert_eq!(find(&stores, &acme(), write.id()).await.is_some(), write == winner);
    }
    assert_eq!(named(&stores, &acme(), "call-1").await.map(|found| found.id), Some(winner.id().clone()));
}

async fn concurrent_creations_of_different_conversations_all_land(stores: Stores) {
    let writes = (1..=40).map(|number| ConversationWrite::Create(conversation(number, &format!("call-{number}"))));
    for (write, outcome) in race(&stores, writes.collect()).await {
        assert_eq!(outcome, Commit::Committed);
        assert!(find(&stores, &acme(), write.id()).await.is_some());
    }
}

async fn an_update_keeps_what_it_does_not_name(stores: Stores) {
    let before = created(&stores, conversation(1, "call-1")).await;
    let customer = person("customer-8", "Barbara");
    assert_eq!(update(&stores, &acme(), &before.id, nothing_but(customer.clone())).await, Commit::Committed);
    let after = Conversation { customer, ..before };
    assert_eq!(find(&stores, &acme(), &after.id).await.as_ref(), Some(&after));
    assert_eq!(named(&stores, &acme(), "call-1").await, Some(after));
}

async fn an_update_clears_what_it_clears(stores: Stores) {
    let before = created(&stores, conversation(1, "call-1")).await;
    let changes = Changes { agent: Change::Clear, customer: ada(), metadata: Change::Clear };
    assert_eq!(update(&stores, &acme(), &before.id, changes).await, Commit::Committed);
    let after = Conversation { agent: None, metadata: None, ..before };
    assert_eq!(find(&stores, &acme(), &after.id).await, Some(after));
}

async fn an_update_replaces_wholly_what_it_sets(stores: Stores) {
    let before = created(&stores, conversation(1, "call-1")).await;
    let nameless = Participant { external_id: external_id("agent-4"), name: None };
    let (customer, pairs) = (Participant { name: None, ..ada() }, metadata(&[("queue", "7")]));
    let changes = Changes {
        agent: Change::Set(nameless.clone()),
        customer: customer.clone(),
        metadata: Change::Set(pairs.clone()),
    };
    assert_eq!(update(&stores, &acme(), &before.id, changes).await, Commit::Committed);
    let after = Conversation { agent: Some(nameless), customer, metadata: Some(pairs), ..before };
    assert_eq!(find(&stores, &acme(), &after.id).await, Some(after));
}

async fn an_update_gives_what_was_not_there(stores: Stores) {
    let before = created(&stores, bare_conversation(1, "call-1")).await;
    let pairs = metadata(&[("queue", "7")]);
    let changes = Changes { agent: Change::Set(grace()), customer: ada(), metadata: Change::Set(pairs.clone()) };
    assert_eq!(update(&stores, &acme(), &before.id, changes).await, Commit::Committed);
    let after = Conversation { agent: Some(grace()), customer: ada(), metadata: Some(pairs), ..before };
    assert_eq!(find(&stores, &acme(), &after.id).await, Some(after));
}

async fn a_later_update_wins(stores: Stores) {
    let before = created(&stores, conversation(1, "call-1")).await;
    for customer in [person("customer-8", "Barbara"), person("customer-9", "Karen")] {
        assert_eq!(update(&stores, &acme(), &before.id, nothing_but(customer.clone())).await, Commit::Committed);
        assert_eq!(find(&stores, &acme(), &before.id).await.map(|found| found.customer), Some(customer));
    }
}

async fn concurrent_updates_of_different_parts_both_last(stores: Stores) {
    let before = created(&stores, bare_conversation(1, "call-1")).await;
    let pairs = metadata(&[("queue", "7")]);
    let agent = Changes { agent: Change::Set(grace()), ..nothing_but(ada()) };
    let queue = Changes { metadata: Change::Set(pairs.clone()), ..nothing_but(ada()) };
    let writes = [agent, queue].map(|changes| ConversationWrite::Update { id: before.id.clone(), changes });
    for (_, outcome) in race(&stores, writes.into()).await {
        assert_eq!(outcome, Commit::Committed);
    }
    let after = Conversation { agent: Some(grace()), customer: ada(), metadata: Some(pairs), ..before };
    assert_eq!(find(&stores, &acme(), &after.id).await, Some(after));
}

async fn an_update_changes_its_conversation_only(stores: Stores) {
    let updated = created(&stores, conversation(1, "call-1")).await;
    let other = created(&stores, conversation(2, "call-2")).await;
    let changes = Changes { agent: Change::Clear, customer: person("customer-8", "Barbara"), metadata: Change::Clear };
    assert_eq!(update(&stores, &acme(), &updated.id, changes).await, Commit::Committed);
    assert_eq!(find(&stores, &acme(), &other.id).await, Some(other));
}

async fn an_update_of_what_is_not_there_is_superseded(stores: Stores) {
    let missing = ConversationId::from_bits(1);
    assert_eq!(update(&stores, &acme(), &missing, nothing_but(ada())).await, Commit::Superseded);
    assert_eq!(find(&stores, &acme(), &missing).await, None);
}

async fn empty_metadata_is_not_none(stores: Stores) {
    let empty = Conversation { metadata: Some(Metadata::default()), ..conversation(1, "call-1") };
    let empty = created(&stores, empty).await;
    assert_eq!(find(&stores, &acme(), &empty.id).await, Some(empty));

    let full = created(&stores, conversation(2, "call-2")).await;
    let changes = Changes { metadata: Change::Set(Metadata::default()), ..nothing_but(ada()) };
    assert_eq!(update(&stores, &acme(), &full.id, changes).await, Commit::Committed);
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
    assert_eq!(create(&stores, &globex(), &others).await, Commit::Committed);
    assert_eq!(find(&stores, &acme(), &own.id).await.as_ref(), Some(&own));
    assert_eq!(named(&stores, &acme(), "call-1").await, Some(own));
    assert_eq!(find(&stores, &globex(), &others.id).await.as_ref(), Some(&others));
    assert_eq!(named(&stores, &globex(), "call-1").await, Some(others));
}

async fn a_tenant_updates_none_of_anothers_conversations(stores: Stores) {
    let own = created(&stores, conversation(1, "call-1")).await;
    let intruder = nothing_but(person("customer-8", "Barbara"));
    assert_eq!(update(&stores, &globex(), &own.id, intruder).await, Commit::Superseded);
    assert_eq!(find(&stores, &acme(), &own.id).await, Some(own));
}

async fn an_update_under_a_shared_identifier_stays_in_its_tenant(stores: Stores) {
    let own = created(&stores, conversation(1, "call-1")).await;
    assert_eq!(create(&stores, &globex(), &bare_conversation(1, "call-1")).await, Commit::Committed);
    let changes = Changes { agent: Change::Clear, customer: person("customer-8", "Barbara"), metadata: Change::Clear };
    assert_eq!(update(&stores, &globex(), &own.id, changes).await, Commit::Committed);
    assert_eq!(find(&stores, &acme(), &own.id).await, Some(own));
}

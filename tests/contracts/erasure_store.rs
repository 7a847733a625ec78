//! Contract of stores that erase conversations.

use std::sync::Arc;

use parlance_domain::{
    access::TenantId,
    audit::AuditEntry,
    conversation::{Conversation, ConversationCriteria, ConversationQuery, Upsert, UpsertOutcome},
    event::{Change, LogRead},
    id::ConversationId,
    message::{AppendOutcome, PageLimit},
    privacy::{Erasure, ErasureCount, ErasureOutcome, ErasurePageLimit, IdentifierDigest},
    text::ExternalId,
};
use support::{
    fixtures::{acme, conversation, from_micros, globex, message, upsert_for},
    stores::TestStores,
};
use tokio::task::JoinSet;

contract![
    an_erased_conversation_is_found_no_more,
    the_messages_of_an_erased_conversation_are_gone,
    other_conversations_keep_their_messages,
    an_erased_conversation_takes_no_message,
    the_identifier_of_an_erased_conversation_is_refused,
    an_identifier_without_a_digest_is_not_compared,
    a_missing_conversation_is_not_erased,
    another_tenants_conversation_is_not_erased,
    an_erasure_is_recorded_with_an_event_and_an_audit_entry,
    an_erasure_that_finds_nothing_leaves_no_audit_entry,
    erasures_are_listed_in_order_after_a_number,
    erasures_of_another_tenant_are_not_listed,
    no_upsert_brings_an_erased_conversation_back,
    no_message_outlives_a_racing_erasure,
];

fn digest(text: &str) -> IdentifierDigest {
    let mut bytes = [0; 32];
    bytes.iter_mut().zip(text.bytes()).for_each(|(to, from)| *to = from);
    IdentifierDigest(bytes)
}

pub(crate) fn erasure(conversation: &Conversation) -> Erasure {
    let digest = digest(conversation.external_id.as_str());
    Erasure { conversation: conversation.id.clone(), digest, at: from_micros(50), request: None }
}

pub(crate) fn upsert(conversation: &Conversation) -> Upsert {
    let digest = Some(digest(conversation.external_id.as_str()));
    Upsert { digest, ..upsert_for(conversation) }
}

pub(crate) async fn erase(stores: &TestStores, tenant: &TenantId, conversation: &Conversation) -> ErasureOutcome {
    let erasure = erasure(conversation);
    let entry = AuditEntry::conversation_erased(&erasure, None);
    stores.erasures.erase(tenant, &erasure, entry).await.unwrap()
}

/// Creates a conversation with this number and as many messages.
pub(crate) async fn create(stores: &TestStores, number: u128) -> Conversation {
    let created = conversation(number, &format!("call-{number}"));
    let outcome = stores.conversations.upsert(&acme(), &upsert(&created), from_micros(1), None).await.unwrap();
    assert_eq!(outcome, UpsertOutcome::Stored(created.id.clone()));
    for id in 0..number {
        let message = message(number * 100 + id, &created.id, from_micros(i64::try_from(id).unwrap()));
        assert_eq!(stores.messages.append(&acme(), &message).await.unwrap(), AppendOutcome::Appended);
    }
    created
}

pub(crate) async fn count_messages(stores: &TestStores, id: &ConversationId) -> usize {
    stores.messages.page(&acme(), id, None, PageLimit::new(100).unwrap()).await.unwrap().messages.len()
}

async fn an_erased_conversation_is_found_no_more(stores: TestStores) {
    let created = create(&stores, 1).await;
    assert_eq!(erase(&stores, &acme(), &created).await, ErasureOutcome::Erased(ErasureCount { messages: 1 }));
    assert_eq!(stores.conversations.find(&acme(), &created.id).await.unwrap(), None);
    assert_eq!(stores.conversations.find_by_external_id(&acme(), &created.external_id).await.unwrap(), None);
    let customer = Some(created.customer.external_id.clone());
    for criteria in [
        ConversationCriteria { customer, ..ConversationCriteria::default() },
        ConversationCriteria { external_id: Some(created.external_id.clone()), ..ConversationCriteria::default() },
    ] {
        let page = stores.conversations.page(&acme(), &ConversationQuery::new(criteria)).await.unwrap();
        assert_eq!(page.conversations, []);
    }
    assert!(stores.erasures.is_erased(&acme(), &created.id).await.unwrap());
}

async fn the_messages_of_an_erased_conversation_are_gone(stores: TestStores) {
    let created = create(&stores, 3).await;
    assert_eq!(erase(&stores, &acme(), &created).await, ErasureOutcome::Erased(ErasureCount { messages: 3 }));
    assert_eq!(count_messages(&stores, &created.id).await, 0);
}

async fn other_conversations_keep_their_messages(stores: TestStores) {
    let (kept, erased) = (create(&stores, 2).await, create(&stores, 3).await);
    assert_eq!(erase(&stores, &acme(), &erased).await, ErasureOutcome::Erased(ErasureCount { messages: 3 }));
    assert_eq!(stores.conversations.find(&acme(), &kept.id).await.unwrap(), Some(kept.clone()));
    assert_eq!(count_messages(&stores, &kept.id).await, 2);
    assert!(!stores.erasures.is_erased(&acme(), &kept.id).await.unwrap());
}

async fn an_erased_conversation_takes_no_message(stores: TestStores) {
    let created = create(&stores, 1).await;
    assert!(matches!(erase(&stores, &acme(), &created).await, ErasureOutcome::Erased(_)));
    let late = message(999, &created.id, from_micros(9));
    assert_eq!(stores.messages.append(&acme(), &late).await.unwrap(), AppendOutcome::NoConversation);
}

async fn the_identifier_of_an_erased_conversation_is_refused(stores: TestStores) {
    let created = create(&stores, 1).await;
    assert!(matches!(erase(&stores, &acme(), &created).await, ErasureOutcome::Erased(_)));
    let again = Upsert { new_id: ConversationId::from_bits(77), ..upsert(&created) };
    let at = from_micros(60);
    assert_eq!(stores.conversations.upsert(&acme(), &again, at, None).await.unwrap(), UpsertOutcome::Erased);
    assert_eq!(stores.conversations.find_by_external_id(&acme(), &created.external_id).await.unwrap(), None);
    assert!(matches!(stores.conversations.upsert(&globex(), &again, at, None).await, Ok(UpsertOutcome::Stored(_))));
}

async fn an_identifier_without_a_digest_is_not_compared(stores: TestStores) {
    let created = create(&stores, 1).await;
    assert!(matches!(erase(&stores, &acme(), &created).await, ErasureOutcome::Erased(_)));
    let other = Upsert { external_id: ExternalId::parse("call-2").unwrap(), ..upsert_for(&conversation(2, "call-2")) };
    let outcome = stores.conversations.upsert(&acme(), &other, from_micros(60), None).await.unwrap();
    assert_eq!(outcome, UpsertOutcome::Stored(other.new_id));
}

async fn a_missing_conversation_is_not_erased(stores: TestStores) {
    let missing = conversation(1, "call-1");
    assert_eq!(erase(&stores, &acme(), &missing).await, ErasureOutcome::NoConversation);
    assert!(!stores.erasures.is_erased(&acme(), &missing.id).await.unwrap());
}

async fn another_tenants_conversation_is_not_erased(stores: TestStores) {
    let created = create(&stores, 1).await;
    assert_eq!(erase(&stores, &globex(), &created).await, ErasureOutcome::NoConversation);
    assert_eq!(count_messages(&stores, &created.id).await, 1);
}

async fn an_erasure_is_recorded_with_an_event_and_an_audit_entry(stores: TestStores) {
    let created = create(&stores, 1).await;
    assert!(matches!(erase(&stores, &acme(), &created).await, ErasureOutcome::Erased(_)));
    let start = stores.log.oldest(&acme()).await.unwrap();
    let LogRead::Page(page) = stores.log.read(&acme(), start, 10).await.unwrap() else { panic!("a page") };
    assert_eq!(page.entries.last().unwrap().change, Change::ConversationErased(created.id.clone()));
    let records = stores.audit.records(&acme(), 0, 10).await.unwrap();
    assert_eq!(records.last().unwrap().entry.subject, created.id.as_str());
}

async fn an_erasure_that_finds_nothing_leaves_no_audit_entry(stores: TestStores) {
    assert_eq!(erase(&stores, &acme(), &conversation(1, "call-1")).await, ErasureOutcome::NoConversation);
    assert_eq!(stores.audit.records(&acme(), 0, 10).await.unwrap(), []);
}

async fn erasures_are_listed_in_order_after_a_number(stores: TestStores) {
    let mut erased = Vec::new();
    for number in [3, 1, 2] {
        let created = create(&stores, number).await;
        assert!(matches!(erase(&stores, &acme(), &created).await, ErasureOutcome::Erased(_)));
        erased.push(created.id);
    }
    let two = ErasurePageLimit::new(2).unwrap();
    let first = stores.erasures.list(&acme(), 0, two).await.unwrap();
    let rest = stores.erasures.list(&acme(), first[1].sequence, two).await.unwrap();
    assert!(first.iter().chain(&rest).all(|erased| erased.erased_at == from_micros(50)));
    let listed: Vec<_> = first.into_iter().chain(rest).map(|erased| erased.conversation).collect();
    assert_eq!(listed, erased);
}

async fn erasures_of_another_tenant_are_not_listed(stores: TestStores) {
    let created = create(&stores, 1).await;
    assert!(matches!(erase(&stores, &acme(), &created).await, ErasureOutcome::Erased(_)));
    assert_eq!(stores.erasures.list(&globex(), 0, ErasurePageLimit::default()).await.unwrap(), []);
    assert!(!stores.erasures.is_erased(&globex(), &created.id).await.unwrap());
}

async fn no_upsert_brings_an_erased_conversation_back(stores: TestStores) {
    let stores = Arc::new(stores);
    for number in 1..=8 {
        let created = create(&stores, number).await;
        let mut upserts = JoinSet::new();
        for writer in 0..4 {
            let (stores, created) = (Arc::clone(&stores), created.clone());
            upserts.spawn(async move {
                for turn in 0..10 {
                    let new_id = ConversationId::from_bits(number * 10_000 + writer * 100 + turn);
                    let again = Upsert { new_id, ..upsert(&created) };
                    let _ = stores.conversations.upsert(&acme(), &again, from_micros(60), None).await.unwrap();
                }
            });
        }
        assert!(matches!(erase(&stores, &acme(), &created).await, ErasureOutcome::Erased(_)));
        while upserts.join_next().await.is_some() {}
        assert_eq!(stores.conversations.find_by_external_id(&acme(), &created.external_id).await.unwrap(), None);
    }
}

async fn no_message_outlives_a_racing_erasure(stores: TestStores) {
    let stores = Arc::new(stores);
    for number in 1..=8 {
        let created = create(&stores, number).await;
        let mut appends = JoinSet::new();
        for writer in 1..=4 {
            let (stores, id) = (Arc::clone(&stores), created.id.clone());
            appends.spawn(async move {
                for turn in 0..10 {
                    let message = message(number * 10_000 + writer * 100 + turn, &id, from_micros(9));
                    let outcome = stores.messages.append(&acme(), &message).await.unwrap();
                    assert!(matches!(outcome, AppendOutcome::Appended | AppendOutcome::NoConversation));
                }
            });
        }
        assert!(matches!(erase(&stores, &acme(), &created).await, ErasureOutcome::Erased(_)));
        while let Some(appended) = appends.join_next().await {
            appended.unwrap();
        }
        assert_eq!(count_messages(&stores, &created.id).await, 0);
    }
}

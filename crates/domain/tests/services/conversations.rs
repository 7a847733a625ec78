//! Tests of the conversation use cases.

use std::sync::Arc;

use mockall::predicate::eq;
use parlance_domain::{
    conversation::{
        Change, ConversationCriteria, ConversationCursor, ConversationPage, Conversations, FindConversationError,
        ListConversations, ListConversationsError, MockConversationStore, Participant, UpsertError, UpsertOutcome,
        UpsertRefusal, UpsertRequest,
    },
    id::ConversationId,
    idempotency::KeyRefusal,
    privacy::{IdentifierDigest, MockIdentifierDigester},
    redaction::Flags,
};
use pollster::block_on;

use super::{at, caller, clock, conversation, external_id, ids, message_redaction::fields_with_flags, tenant};

fn conversations(store: MockConversationStore) -> Conversations {
    Conversations::new(Arc::new(store), fields_with_flags(Flags::none()), ids(), clock(100))
}

fn request(id: Option<ConversationId>) -> UpsertRequest {
    UpsertRequest {
        id,
        external_id: external_id("call-1"),
        agent: Change::Keep,
        customer: Participant { external_id: external_id("customer-2"), name: None },
        metadata: Change::Keep,
        started_at: at(0),
    }
}

#[test]
fn a_request_without_an_id_is_written_with_a_fresh_id_and_without_a_read() {
    let mut store = MockConversationStore::new();
    store
        .expect_upsert()
        .withf(|owner, upsert, now, _| {
            let fresh =
                (&upsert.new_id, &upsert.external_id) == (&ConversationId::from_bits(7), &external_id("call-1"));
            fresh && *owner == tenant() && *now == at(100)
        })
        .return_once(|_, upsert, _, _| Ok(UpsertOutcome::Stored(upsert.new_id.clone())));
    let id = block_on(conversations(store).upsert(&caller(), request(None), None));
    assert_eq!(id.unwrap(), ConversationId::from_bits(7));
}

#[test]
fn an_upsert_returns_the_id_of_the_stored_conversation() {
    let mut store = MockConversationStore::new();
    store.expect_upsert().return_once(|_, _, _, _| Ok(UpsertOutcome::Stored(ConversationId::from_bits(3))));
    let id = block_on(conversations(store).upsert(&caller(), request(None), None));
    assert_eq!(id.unwrap(), ConversationId::from_bits(3));
}

#[test]
fn an_id_that_belongs_to_the_external_id_is_written() {
    let mut store = MockConversationStore::new();
    let stored = Some(conversation(3, "call-1"));
    store.expect_find_by_external_id().with(eq(tenant()), eq(external_id("call-1"))).return_once(|_, _| Ok(stored));
    store.expect_upsert().times(1).return_once(|_, _, _, _| Ok(UpsertOutcome::Stored(ConversationId::from_bits(3))));
    let request = request(Some(ConversationId::from_bits(3)));
    let id = block_on(conversations(store).upsert(&caller(), request, None));
    assert_eq!(id.unwrap(), ConversationId::from_bits(3));
}

#[test]
fn an_idempotency_key_that_was_used_meanwhile_is_a_conflict() {
    let mut store = MockConversationStore::new();
    store.expect_upsert().return_once(|_, _, _, _| Ok(UpsertOutcome::KeyTaken));
    let outcome = block_on(conversations(store).upsert(&caller(), request(None), None));
    assert!(matches!(outcome, Err(UpsertError::Key(KeyRefusal::Taken))));
}

#[test]
fn an_unknown_id_is_missing_and_nothing_is_written() {
    let mut store = MockConversationStore::new();
    store.expect_find_by_external_id().return_once(|_, _| Ok(None));
    store.expect_find().return_once(|_, _| Ok(None));
    store.expect_upsert().never();
    let request = request(Some(ConversationId::from_bits(9)));
    let outcome = block_on(conversations(store).upsert(&caller(), request, None));
    assert!(matches!(outcome, Err(UpsertError::Refused(UpsertRefusal::UnknownId))));
}

#[test]
fn an_id_that_does_not_belong_to_the_external_id_is_a_conflict() {
    let mut store = MockConversationStore::new();
    store.expect_find_by_external_id().return_once(|_, _| Ok(Some(conversation(3, "call-1"))));
    store.expect_upsert().never();
    let request = request(Some(ConversationId::from_bits(9)));
    let outcome = block_on(conversations(store).upsert(&caller(), request, None));
    assert!(matches!(outcome, Err(UpsertError::Refused(UpsertRefusal::IdMismatch))));
}

#[test]
fn an_unknown_conversation_is_missing() {
    let mut store = MockConversationStore::new();
    store.expect_find().return_once(|_, _| Ok(None));
    let reader = caller();
    let outcome = block_on(conversations(store).find(&reader, &ConversationId::from_bits(1)));
    assert!(matches!(outcome, Err(FindConversationError::NotFound)));
}

#[test]
fn a_search_without_a_result_is_not_an_error() {
    let mut store = MockConversationStore::new();
    store.expect_find_by_external_id().return_once(|_, _| Ok(None));
    let reader = caller();
    assert_eq!(block_on(conversations(store).search(&reader, &external_id("call-1"))).unwrap(), None);
}

#[test]
fn a_cursor_of_other_criteria_is_refused_before_the_store_is_read() {
    let mut store = MockConversationStore::new();
    let last = conversation(3, "call-1").position();
    let page = ConversationPage { conversations: vec![conversation(3, "call-1")], next: Some(last.clone()) };
    store.expect_page().return_once(|_, _| Ok(page));
    let service = conversations(store);
    let by_customer = |customer| ListConversations {
        criteria: ConversationCriteria { customer: Some(external_id(customer)), ..ConversationCriteria::default() },
        ..ListConversations::default()
    };
    let first = block_on(service.list(&caller(), by_customer("customer-2"))).unwrap();
    let cursor = first.next.unwrap();
    assert_eq!(cursor.after, last);
    let foreign = [
        ListConversations { cursor: Some(cursor.clone()), ..by_customer("customer-3") },
        ListConversations {
            cursor: Some(ConversationCursor { criteria_digest: cursor.criteria_digest ^ 1, ..cursor }),
            ..by_customer("customer-2")
        },
    ];
    for request in foreign {
        let outcome = block_on(service.list(&caller(), request));
        assert!(matches!(outcome, Err(ListConversationsError::ForeignCursor)));
    }
}

#[test]
fn an_erased_conversation_refuses_its_upsert() {
    let mut digester = MockIdentifierDigester::new();
    digester.expect_conversation_digest().return_once(|_, _| Ok(IdentifierDigest([5; 32])));
    let mut store = MockConversationStore::new();
    store
        .expect_upsert()
        .withf(|_, upsert, _, _| upsert.digest == Some(IdentifierDigest([5; 32])))
        .return_once(|_, _, _, _| Ok(UpsertOutcome::Erased));
    let conversations = conversations(store).with_digester(Arc::new(digester));
    let refused = block_on(conversations.upsert(&caller(), request(None), None));
    assert!(matches!(refused, Err(UpsertError::Erased)));
}

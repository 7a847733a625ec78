//! Tests of the use cases of erasure.

use std::sync::Arc;

use mockall::predicate::eq;
use parlance_domain::{
    conversation::MockConversationStore,
    error::{StoreError, StoreErrorKind},
    id::ConversationId,
    privacy::{
        EraseError, ErasedConversation, ErasureCount, ErasureOutcome, ErasurePageLimit, Erasures, IdentifierDigest,
        MockErasureStore, MockIdentifierDigester,
    },
};
use pollster::block_on;

use super::{at, caller, clock, conversation, tenant};

const DIGEST: IdentifierDigest = IdentifierDigest([5; 32]);

fn erasures(store: MockErasureStore, conversations: MockConversationStore) -> Erasures {
    let mut digester = MockIdentifierDigester::new();
    digester.expect_conversation_digest().returning(|_, _| Ok(DIGEST));
    Erasures::new(Arc::new(store), Arc::new(conversations), Arc::new(digester), clock(9))
}

fn with_conversation() -> MockConversationStore {
    let mut conversations = MockConversationStore::new();
    conversations.expect_find().returning(|_, _| Ok(Some(conversation(1, "call-1"))));
    conversations
}

fn erase(erasures: &Erasures) -> Result<(), EraseError> {
    block_on(erasures.erase_conversation(&caller(), &conversation(1, "call-1").id))
}

#[test]
fn an_erasure_keeps_the_digest_of_the_external_identifier() {
    let mut store = MockErasureStore::new();
    store
        .expect_erase()
        .withf(|owner, erasure, entry| {
            let id = conversation(1, "call-1").id;
            *owner == tenant()
                && (&erasure.conversation, erasure.digest, erasure.at) == (&id, DIGEST, at(9))
                && entry.subject == id.as_str()
        })
        .return_once(|_, _, _| Ok(ErasureOutcome::Erased(ErasureCount { messages: 2 })));
    assert!(erase(&erasures(store, with_conversation())).is_ok());
}

#[test]
fn a_conversation_that_does_not_exist_is_not_erased() {
    let mut conversations = MockConversationStore::new();
    conversations.expect_find().return_once(|_, _| Ok(None));
    assert!(matches!(erase(&erasures(MockErasureStore::new(), conversations)), Err(EraseError::NotFound)));
}

#[test]
fn a_conversation_that_another_request_erases_meanwhile_is_not_found() {
    let mut store = MockErasureStore::new();
    store.expect_erase().return_once(|_, _, _| Ok(ErasureOutcome::NoConversation));
    assert!(matches!(erase(&erasures(store, with_conversation())), Err(EraseError::NotFound)));
}

#[test]
fn a_held_conversation_is_not_erased() {
    let mut store = MockErasureStore::new();
    store.expect_erase().return_once(|_, _, _| Ok(ErasureOutcome::Held));
    assert!(matches!(erase(&erasures(store, with_conversation())), Err(EraseError::Held)));
}

#[test]
fn nothing_is_erased_without_a_digest() {
    let mut digester = MockIdentifierDigester::new();
    let missing = || StoreError::new(StoreErrorKind::Unavailable, "no key");
    digester.expect_conversation_digest().return_once(move |_, _| Err(missing()));
    let store = Arc::new(MockErasureStore::new());
    let erasures = Erasures::new(store, Arc::new(with_conversation()), Arc::new(digester), clock(9));
    assert!(matches!(erase(&erasures), Err(EraseError::Store(_))));
}

#[test]
fn the_next_page_begins_after_the_last_record() {
    let erased = |sequence| ErasedConversation {
        sequence,
        conversation: ConversationId::from_bits(sequence.into()),
        erased_at: at(1),
    };
    let mut store = MockErasureStore::new();
    let limit = ErasurePageLimit::default();
    store.expect_list().with(eq(tenant()), eq(3), eq(limit)).return_once(move |_, _, _| Ok(vec![erased(5), erased(8)]));
    store.expect_list().with(eq(tenant()), eq(8), eq(limit)).return_once(|_, _, _| Ok(Vec::new()));
    let erasures = erasures(store, MockConversationStore::new());
    let next = |after| block_on(erasures.list(&caller(), after, limit)).unwrap().next;
    assert_eq!((next(3), next(8)), (8, 8));
}

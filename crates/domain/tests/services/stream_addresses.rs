//! Tests of the use cases of streaming addresses.

use std::sync::Arc;

use mockall::predicate::eq;
use parlance_domain::{
    access::{
        ApiId, ApiSecret, AuthorizedCaller, Caller, MockSecretDigester, MockSecretSource, Permission, Permissions,
        ReadConversations, SecretDigest,
    },
    conversation::{Conversations, MockConversationStore},
    event::{
        EventType, EventTypes, IssueAddressError, MockStreamAddressStore, SpendAddressError, StreamAddresses, StreamId,
        StreamTarget,
    },
    id::ConversationId,
    limits::STREAM_ADDRESS_SECONDS,
    redaction::Flags,
};
use pollster::block_on;

use super::{
    at, clock, conversation, external_id, ids, message_redaction::fields_with_flags, tenant, verified_credential,
};

fn addresses(store: MockStreamAddressStore, conversations: MockConversationStore) -> StreamAddresses {
    let (mut secrets, mut digester) = (MockSecretSource::new(), MockSecretDigester::new());
    secrets.expect_next().returning(|| Ok(ApiSecret::new("key")));
    digester.expect_digest().withf(|secret| secret.reveal() == "key").returning(|_| SecretDigest::new([7; 32]));
    let conversations =
        Conversations::new(Arc::new(conversations), fields_with_flags(Flags::none()), ids(), clock(100));
    StreamAddresses::new((Arc::new(store), conversations), (Arc::new(secrets), Arc::new(digester)), ids(), clock(100))
}

fn caller() -> AuthorizedCaller<ReadConversations> {
    let permissions: Permissions = [Permission::ReadConversations].into_iter().collect();
    Caller::with_credential(verified_credential(3), permissions).authorize().unwrap()
}

#[test]
fn an_address_is_stored_with_the_digest_of_its_key_and_the_credential_of_its_caller() {
    let mut store = MockStreamAddressStore::new();
    store
        .expect_insert()
        .withf(|owner, address, now| {
            let credential = &address.credential;
            let is_accepted = credential.digest.matches(&verified_credential(3).digest);
            let is_of_caller = *owner == tenant() && credential.id == ApiId::new(tenant(), 3) && is_accepted;
            let lasts = address.expires_at == at(100 + STREAM_ADDRESS_SECONDS);
            is_of_caller && lasts && address.digest.matches(&SecretDigest::new([7; 32])) && *now == at(100)
        })
        .times(1)
        .returning(|_, _, _| Ok(()));
    let addresses = addresses(store, MockConversationStore::new());
    let issued = block_on(addresses.issue(&caller(), None, StreamTarget::default())).unwrap();
    assert_eq!((issued.secret.reveal(), issued.expires_at), ("key", at(100 + STREAM_ADDRESS_SECONDS)));
}

#[test]
fn a_stream_of_a_conversation_gives_its_messages_or_the_named_types_and_always_its_erasure() {
    let named: EventTypes = [EventType::ConversationUpdated].into_iter().collect();
    let target = |conversation: Option<u128>, types| {
        let conversation = conversation.map(ConversationId::from_bits);
        StreamTarget { conversation, types, ..StreamTarget::default() }.stream_types()
    };
    assert_eq!(target(Some(3), None), Some(EventTypes::of_messages()));
    let with_erasure = [EventType::ConversationUpdated, EventType::ConversationErased].into_iter().collect();
    assert_eq!(target(Some(3), Some(named)), Some(with_erasure));
    assert_eq!((target(None, None), target(None, Some(named))), (None, Some(named)));
}

#[test]
fn an_external_identifier_becomes_the_id_of_its_conversation() {
    let (mut store, mut conversations) = (MockStreamAddressStore::new(), MockConversationStore::new());
    conversations
        .expect_find_by_external_id()
        .with(eq(tenant()), eq(external_id("call-1")))
        .return_once(|_, _| Ok(Some(conversation(3, "call-1"))));
    store
        .expect_insert()
        .withf(|_, address, _| address.target.conversation == Some(ConversationId::from_bits(3)))
        .times(1)
        .returning(|_, _, _| Ok(()));
    let addresses = addresses(store, conversations);
    assert!(block_on(addresses.issue(&caller(), Some(&external_id("call-1")), StreamTarget::default())).is_ok());
}

#[test]
fn nothing_is_stored_for_a_type_without_its_permission_or_a_missing_conversation() {
    let mut conversations = MockConversationStore::new();
    conversations.expect_find_by_external_id().returning(|_, _| Ok(None));
    conversations.expect_find().returning(|_, _| Ok(None));
    let addresses = addresses(MockStreamAddressStore::new(), conversations);
    let types = Some([EventType::VocabularyCreated].into_iter().collect());
    let denied = block_on(addresses.issue(&caller(), None, StreamTarget { types, ..StreamTarget::default() }));
    assert!(matches!(denied, Err(IssueAddressError::Denied(_))));
    let unknown = block_on(addresses.issue(&caller(), Some(&external_id("call-1")), StreamTarget::default()));
    assert!(matches!(unknown, Err(IssueAddressError::UnknownExternalId)));
    let conversation = Some(ConversationId::from_bits(3));
    let unknown = block_on(addresses.issue(&caller(), None, StreamTarget { conversation, ..StreamTarget::default() }));
    assert!(matches!(unknown, Err(IssueAddressError::UnknownConversation)));
}

#[test]
fn a_caller_without_a_credential_issues_no_address() {
    let permissions: Permissions = [Permission::ReadConversations].into_iter().collect();
    let caller = Caller::new(tenant(), permissions).authorize().unwrap();
    let addresses = addresses(MockStreamAddressStore::new(), MockConversationStore::new());
    let refused = block_on(addresses.issue(&caller, None, StreamTarget::default()));
    assert!(matches!(refused, Err(IssueAddressError::NoCredential)));
}

#[test]
fn an_address_that_the_store_does_not_have_opens_nothing() {
    let mut store = MockStreamAddressStore::new();
    store
        .expect_take()
        .withf(|owner, presented, now| {
            let is_digest = presented.digest.matches(&SecretDigest::new([7; 32]));
            *owner == tenant() && presented.id == StreamId::from_bits(9) && is_digest && *now == at(100)
        })
        .returning(|_, _, _| Ok(None));
    let addresses = addresses(store, MockConversationStore::new());
    let spent = block_on(addresses.spend(&tenant(), StreamId::from_bits(9), &ApiSecret::new("key")));
    assert!(matches!(spent, Err(SpendAddressError::NotFound)));
}

//! Tests of the message and transcript use cases.

use std::sync::Arc;

use parlance_domain::{
    conversation::{Conversations, MockConversationStore},
    id::{ConversationId, MessageId},
    message::{
        AppendError, AppendOutcome, Message, MessagePage, Messages, MockMessageStore, NewMessage, PageLimit,
        ReadMessagesError, Redactions, Role, Sender, TranscriptSelector, Transcripts,
    },
    redaction::{EntitySet, Flags},
    text::MessageText,
};
use pollster::block_on;

use super::{
    at, caller, clock, conversation, external_id, ids,
    message_redaction::{fields_with_flags, redaction_with_flags},
};

fn messages(messages: MockMessageStore, conversations: MockConversationStore) -> Messages {
    Messages::new(Arc::new(messages), Arc::new(conversations), redaction_with_flags(Flags::none()), ids(), clock(100))
}

fn new_message() -> NewMessage {
    NewMessage {
        sender: Sender { role: Role::Customer, external_id: external_id("customer-1") },
        text: MessageText::parse("hello").unwrap(),
        sent_at: at(50),
    }
}

fn message(bits: u128) -> Message {
    let NewMessage { sender, text, sent_at } = new_message();
    let conversation = ConversationId::from_bits(1);
    Message {
        id: MessageId::from_bits(bits),
        conversation,
        sender,
        text,
        masked_with: EntitySet::defaults(),
        redactions: Redactions::NONE,
        sent_at,
        created_at: at(100),
    }
}

fn page(ids: &[u128], more: bool) -> MessagePage {
    MessagePage { messages: ids.iter().copied().map(message).collect(), has_more: more }
}

#[test]
fn a_message_gets_a_fresh_id_and_the_services_time() {
    let mut store = MockMessageStore::new();
    store
        .expect_append()
        .withf(|tenant, message| tenant.as_str() == "acme" && *message == self::message(7))
        .return_once(|_, _| Ok(AppendOutcome::Appended));
    let messages = messages(store, MockConversationStore::new());
    let writer = caller();
    let id = block_on(messages.append(&writer, ConversationId::from_bits(1), new_message(), None));
    assert_eq!(id.unwrap(), MessageId::from_bits(7));
}

#[test]
fn a_message_for_an_unknown_conversation_is_refused_as_missing() {
    let mut store = MockMessageStore::new();
    store.expect_append().return_once(|_, _| Ok(AppendOutcome::NoConversation));
    let messages = messages(store, MockConversationStore::new());
    let writer = caller();
    let outcome = block_on(messages.append(&writer, ConversationId::from_bits(1), new_message(), None));
    assert!(matches!(outcome, Err(AppendError::NoConversation)));
}

#[test]
fn a_page_with_messages_does_not_read_the_conversation() {
    let mut store = MockMessageStore::new();
    store.expect_page().return_once(|_, _, _, _| Ok(page(&[1], false)));
    let mut conversations = MockConversationStore::new();
    conversations.expect_find().never();
    let reader = caller();
    let messages = messages(store, conversations);
    let found = block_on(messages.page(&reader, &ConversationId::from_bits(1), None, PageLimit::MAX));
    assert_eq!(found.unwrap().messages.len(), 1);
}

#[test]
fn an_empty_page_of_an_unknown_conversation_is_missing() {
    let mut store = MockMessageStore::new();
    store.expect_page().return_once(|_, _, _, _| Ok(page(&[], false)));
    let mut conversations = MockConversationStore::new();
    conversations.expect_find().return_once(|_, _| Ok(None));
    let reader = caller();
    let messages = messages(store, conversations);
    let outcome = block_on(messages.page(&reader, &ConversationId::from_bits(1), None, PageLimit::MAX));
    assert!(matches!(outcome, Err(ReadMessagesError::NoConversation)));
}

#[test]
fn a_transcript_is_read_page_by_page_to_its_end() {
    let mut store = MockMessageStore::new();
    store.expect_page().withf(|_, _, after, _| after.is_none()).return_once(|_, _, _, _| Ok(page(&[1, 2], true)));
    store
        .expect_page()
        .withf(|_, _, after, _| after.is_some_and(|after| after.id == MessageId::from_bits(2)))
        .return_once(|_, _, _, _| Ok(page(&[3], false)));
    let messages = messages(store, MockConversationStore::new());
    let reader = caller();
    let mut transcript = block_on(messages.transcript(&reader, ConversationId::from_bits(1))).unwrap();
    let first = block_on(transcript.next_page()).unwrap();
    let second = block_on(transcript.next_page()).unwrap();
    let third = block_on(transcript.next_page()).unwrap();
    assert_eq!((first.0.len(), first.1), (2, true));
    assert_eq!((second.0.len(), second.1), (1, false));
    assert_eq!((third.0.len(), third.1), (0, false));
}

#[test]
fn a_transcript_by_an_unknown_external_id_is_missing() {
    let mut store = MockConversationStore::new();
    store.expect_find_by_external_id().return_once(|_, _| Ok(None));
    let conversations = Conversations::new(Arc::new(store), fields_with_flags(Flags::none()), ids(), clock(0));
    let transcripts = Transcripts::new(conversations, messages(MockMessageStore::new(), MockConversationStore::new()));
    let reader = caller();
    let outcome = block_on(transcripts.full(&reader, TranscriptSelector::ExternalId(external_id("call-1"))));
    assert!(matches!(outcome, Err(ReadMessagesError::NoConversation)));
}

#[test]
fn a_transcript_by_external_id_is_that_of_its_conversation() {
    let mut store = MockConversationStore::new();
    store.expect_find_by_external_id().return_once(|_, _| Ok(Some(conversation(4, "call-1"))));
    let conversations = Conversations::new(Arc::new(store), fields_with_flags(Flags::none()), ids(), clock(0));
    let mut message_store = MockMessageStore::new();
    message_store
        .expect_page()
        .withf(|_, id, _, _| *id == ConversationId::from_bits(4))
        .return_once(|_, _, _, _| Ok(page(&[1], false)));
    let transcripts = Transcripts::new(conversations, messages(message_store, MockConversationStore::new()));
    let reader = caller();
    let found = block_on(transcripts.full(&reader, TranscriptSelector::ExternalId(external_id("call-1"))));
    assert!(found.is_ok());
}

//! Tests of the redaction of names and metadata values, and of the policy for identifiers.

use std::{collections::BTreeMap, sync::Arc};

use mockall::predicate::eq;
use parlance_domain::{
    conversation::{
        Change, Conversation, Conversations, FieldRedaction, MaskedFields, Metadata, MockConversationStore,
        Participant, Upsert, UpsertError, UpsertOutcome, UpsertRequest,
    },
    id::ConversationId,
    message::{AppendError, AppendOutcome, MessageBatch, Messages, MockMessageStore, NewMessage, Role, Sender},
    redaction::{Activity, Entity, Flags, IdentifierField, IdentifierPolicy, MockMaskingMeter, SensitiveIdentifiers},
    text::{DisplayName, MessageText},
};
use pollster::block_on;

use super::{
    at, caller, clock, conversation, external_id, ids,
    message_redaction::{fields_with_flags, redaction_with_flags},
};

const CARD: &str = "4111111111111111";

fn metadata(pairs: &[(&str, &str)]) -> Metadata {
    let pairs = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    Metadata::parse(pairs.collect::<BTreeMap<_, _>>()).unwrap()
}

fn person(id: &str, name: &str) -> Participant {
    Participant { external_id: external_id(id), name: Some(DisplayName::parse(name).unwrap()) }
}

/// A request with a card number in both names, and with a card number and a verification code in metadata.
fn request() -> UpsertRequest {
    UpsertRequest {
        id: None,
        external_id: external_id("call-1"),
        agent: Change::Set(person("agent-1", "Ann 4111 1111 1111 1111")),
        customer: person("customer-1", "Zoe 4111 1111 1111 1111"),
        metadata: Change::Set(metadata(&[("cvv", "123"), ("note", "card 4111 1111 1111 1111"), ("queue", "123")])),
        started_at: at(0),
    }
}

/// What an upsert of this request stores.
fn stored(fields: FieldRedaction, request: UpsertRequest) -> Conversation {
    let (mut store, written) = (MockConversationStore::new(), Arc::new(std::sync::Mutex::new(None::<Upsert>)));
    let seen = Arc::clone(&written);
    store.expect_upsert().return_once(move |_, upsert, _, _| {
        *seen.lock().unwrap() = Some(upsert.clone());
        Ok(UpsertOutcome::Stored(ConversationId::from_bits(3)))
    });
    let conversations = Conversations::new(Arc::new(store), fields, ids(), clock(100));
    block_on(conversations.upsert(&caller(), request, None)).unwrap();
    let upsert = written.lock().unwrap().take().unwrap();
    upsert.to_conversation()
}

/// The names of the agent and the customer, and the metadata values.
fn texts(conversation: &Conversation) -> Vec<&str> {
    let people = conversation.agent.iter().chain([&conversation.customer]);
    let names = people.filter_map(|one| one.name.as_ref()).map(DisplayName::as_str);
    let values = conversation.metadata.iter().flat_map(|metadata| metadata.pairs().values().map(String::as_str));
    names.chain(values).collect()
}

const MASKED: [&str; 5] =
    ["Ann **** **** **** 1111", "Zoe **** **** **** 1111", "***", "card **** **** **** 1111", "123"];
const PLAIN: [&str; 5] =
    ["Ann 4111 1111 1111 1111", "Zoe 4111 1111 1111 1111", "123", "card 4111 1111 1111 1111", "123"];

#[test]
fn names_and_metadata_values_are_masked_before_they_are_stored() {
    assert_eq!(texts(&stored(fields_with_flags(Flags::none()), request())), MASKED);
}

#[test]
fn each_kind_of_field_can_be_left_unmasked() {
    let fields =
        |names, metadata| fields_with_flags(Flags::none()).with_masked_fields(MaskedFields { names, metadata });
    assert_eq!(texts(&stored(fields(true, false), request())), [&MASKED[..2], &PLAIN[2..]].concat());
    assert_eq!(texts(&stored(fields(false, true), request())), [&PLAIN[..2], &MASKED[2..]].concat());
    assert_eq!(texts(&stored(fields(false, false), request())), PLAIN);
}

#[test]
fn an_entity_that_is_switched_off_is_not_masked_in_fields() {
    let mut flags = Flags::none();
    flags.set(Entity::CVV, Activity::Off);
    let conversation = stored(fields_with_flags(flags), request());
    assert_eq!(texts(&conversation)[2..4], ["123", "card **** **** **** 1111"]);
}

#[test]
fn entities_that_tenants_switch_themselves_are_not_masked_in_fields() {
    let mut flags = Flags::none();
    flags.set(Entity::EMAIL, Activity::On);
    let request = UpsertRequest { customer: person("customer-1", "zoe@example.com"), ..request() };
    assert_eq!(texts(&stored(fields_with_flags(flags), request))[1], "zoe@example.com");
}

#[test]
fn a_conversation_that_was_stored_without_masks_is_read_with_masks() {
    let UpsertRequest { agent: Change::Set(agent), customer, metadata: Change::Set(metadata), .. } = request() else {
        panic!("the request sets every field");
    };
    let plain = Conversation { agent: Some(agent), customer, metadata: Some(metadata), ..conversation(3, "call-1") };
    let mut store = MockConversationStore::new();
    let (found, searched) = (Some(plain.clone()), Some(plain));
    store.expect_find().return_once(|_, _| Ok(found));
    store.expect_find_by_external_id().return_once(|_, _| Ok(searched));
    let conversations = Conversations::new(Arc::new(store), fields_with_flags(Flags::none()), ids(), clock(100));
    let found = block_on(conversations.find(&caller(), &ConversationId::from_bits(3))).unwrap();
    let searched = block_on(conversations.search(&caller(), &external_id("call-1"))).unwrap().unwrap();
    assert_eq!((texts(&found), texts(&searched)), (MASKED.to_vec(), MASKED.to_vec()));
}

#[test]
fn a_name_that_is_not_replaced_stays_as_it_is() {
    let unchanged = UpsertRequest { agent: Change::Keep, metadata: Change::Clear, ..request() };
    let mut store = MockConversationStore::new();
    store
        .expect_upsert()
        .withf(|_, upsert, _, _| (&upsert.agent, &upsert.metadata) == (&Change::Keep, &Change::Clear))
        .return_once(|_, _, _, _| Ok(UpsertOutcome::Stored(ConversationId::from_bits(3))));
    let conversations = Conversations::new(Arc::new(store), fields_with_flags(Flags::none()), ids(), clock(100));
    block_on(conversations.upsert(&caller(), unchanged, None)).unwrap();
}

/// A request with a card number in each identifier.
fn sensitive_request() -> UpsertRequest {
    UpsertRequest {
        external_id: external_id(CARD),
        agent: Change::Set(person(CARD, "Ann")),
        customer: person(CARD, "Zoe"),
        metadata: Change::Set(metadata(&[(CARD, "a"), ("queue", "b")])),
        ..request()
    }
}

const FIELDS: [IdentifierField; 4] =
    [IdentifierField::Conversation, IdentifierField::Agent, IdentifierField::Customer, IdentifierField::MetadataKey];

#[test]
fn identifiers_with_card_data_are_stored_unchanged_and_counted() {
    let mut meter = MockMaskingMeter::new();
    for field in FIELDS {
        meter.expect_count_sensitive_identifier().with(eq(field)).times(1).return_const(());
    }
    let conversation = stored(fields_with_flags(Flags::none()).with_meter(Arc::new(meter)), sensitive_request());
    assert_eq!((conversation.external_id.as_str(), conversation.customer.external_id.as_str()), (CARD, CARD));
}

#[test]
fn masked_values_of_fields_are_counted_once_they_are_stored() {
    let mut meter = MockMaskingMeter::new();
    meter.expect_record_masked_field().with(eq(Entity::CREDIT_CARD_NUMBER)).times(3).return_const(());
    meter.expect_record_masked_field().with(eq(Entity::CVV)).times(1).return_const(());
    stored(fields_with_flags(Flags::none()).with_meter(Arc::new(meter)), request());
}

#[test]
fn every_identifier_with_card_data_is_refused_at_once_and_nothing_is_looked_up() {
    let fields = fields_with_flags(Flags::none()).with_identifiers(IdentifierPolicy::Refuse);
    let conversations = Conversations::new(Arc::new(MockConversationStore::new()), fields, ids(), clock(100));
    let request = UpsertRequest { id: Some(ConversationId::from_bits(9)), ..sensitive_request() };
    let Err(UpsertError::Identifiers(sensitive)) = block_on(conversations.upsert(&caller(), request, None)) else {
        panic!("the request must be refused");
    };
    assert_eq!(sensitive, SensitiveIdentifiers { fields: FIELDS.to_vec() });
    assert!(!sensitive.to_string().contains(CARD));
}

fn messages(store: MockMessageStore, policy: IdentifierPolicy, meter: MockMaskingMeter) -> Messages {
    let redaction = redaction_with_flags(Flags::none()).with_identifiers(policy).with_meter(Arc::new(meter));
    Messages::new(Arc::new(store), Arc::new(MockConversationStore::new()), redaction, ids(), clock(100))
}

fn new_message(sender: &str) -> NewMessage {
    let sender = Sender { role: Role::Customer, external_id: external_id(sender) };
    NewMessage { sender, text: MessageText::parse("hello").unwrap(), sent_at: at(1) }
}

#[test]
fn a_sender_with_card_data_is_refused() {
    let messages = messages(MockMessageStore::new(), IdentifierPolicy::Refuse, MockMaskingMeter::new());
    let id = ConversationId::from_bits(1);
    let one = block_on(messages.append(&caller(), id.clone(), new_message(CARD), None));
    assert!(matches!(one, Err(AppendError::Identifiers(found)) if found.fields == [IdentifierField::Sender]));
    let batch = MessageBatch::new(vec![new_message("customer-1"), new_message(CARD)]).unwrap();
    let batch = block_on(messages.append_batch(&caller(), id, batch, None));
    assert!(matches!(batch, Err(AppendError::Identifiers(found)) if found.fields == [IdentifierField::BatchSender(1)]));
}

#[test]
fn a_sender_with_card_data_is_counted_once_the_message_is_stored() {
    let mut meter = MockMaskingMeter::new();
    meter.expect_count_sensitive_identifier().with(eq(IdentifierField::Sender)).times(1).return_const(());
    let mut store = MockMessageStore::new();
    store.expect_append().return_once(|_, _| Ok(AppendOutcome::Appended));
    let messages = messages(store, IdentifierPolicy::Allow, meter);
    block_on(messages.append(&caller(), ConversationId::from_bits(1), new_message(CARD), None)).unwrap();
}

#[test]
fn a_sender_of_a_message_that_is_not_stored_is_not_counted() {
    let mut meter = MockMaskingMeter::new();
    meter.expect_count_sensitive_identifier().never();
    let mut store = MockMessageStore::new();
    store.expect_append().return_once(|_, _| Ok(AppendOutcome::NoConversation));
    let messages = messages(store, IdentifierPolicy::Allow, meter);
    let outcome = block_on(messages.append(&caller(), ConversationId::from_bits(1), new_message(CARD), None));
    assert!(matches!(outcome, Err(AppendError::NoConversation)));
}

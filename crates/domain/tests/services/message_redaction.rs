//! Tests of message redaction when messages are recorded and read.

use std::sync::Arc;

use mockall::Sequence;
use parlance_domain::{
    conversation::{FieldRedaction, MockConversationStore},
    error::{StoreError, StoreErrorKind},
    id::{ConversationId, MessageId},
    message::{
        AppendError, AppendOutcome, Message, MessageBatch, MessagePage, MessageRedaction, Messages, MockMessageStore,
        NewMessage, PageLimit, ReadMessagesError, Redactions, Role, Sender,
    },
    redaction::{ActiveEntityCache, Activity, Entity, EntitySet, Flags, MockRedactionStore, TextRedaction},
    text::MessageText,
};
use pollster::block_on;

use super::{ManualClock, at, caller, clock, external_id, ids};

/// A redaction in which these flags decide which entities are active.
pub(crate) fn redaction_with_flags(flags: Flags) -> MessageRedaction {
    let mut store = MockRedactionStore::new();
    store.expect_flags().returning(move |_| Ok(flags));
    MessageRedaction::new(
        TextRedaction::rules_only(),
        ActiveEntityCache::new(Arc::new(store), Arc::new(ManualClock::default())),
    )
}

/// The redaction of fields in which these flags decide which entities are active.
pub(crate) fn fields_with_flags(flags: Flags) -> FieldRedaction {
    let mut store = MockRedactionStore::new();
    store.expect_flags().returning(move |_| Ok(flags));
    FieldRedaction::new(ActiveEntityCache::new(Arc::new(store), Arc::new(ManualClock::default())))
}

fn messages(store: MockMessageStore, flags: Flags) -> Messages {
    Messages::new(
        Arc::new(store),
        Arc::new(MockConversationStore::new()),
        redaction_with_flags(flags),
        ids(),
        clock(100),
    )
}

fn flags_with(entity: Entity, activity: Activity) -> Flags {
    let mut flags = Flags::none();
    flags.set(entity, activity);
    flags
}

fn sender(role: Role) -> Sender {
    Sender { role, external_id: external_id(role.as_str()) }
}

pub(crate) fn stored_message(bits: u128, role: Role, text: &str) -> Message {
    Message {
        id: MessageId::from_bits(bits),
        conversation: ConversationId::from_bits(1),
        sender: sender(role),
        text: MessageText::parse(text).unwrap(),
        masked_with: EntitySet::defaults(),
        redactions: Redactions::NONE,
        sent_at: at(i64::try_from(bits).unwrap()),
        created_at: at(100),
    }
}

fn new_message(text: &str, second: i64) -> NewMessage {
    let text = MessageText::parse(text).unwrap();
    NewMessage { sender: sender(Role::Customer), text, sent_at: at(second) }
}

fn record(messages: &Messages, text: &str) -> Result<MessageId, AppendError> {
    let writer = caller();
    block_on(messages.append(&writer, ConversationId::from_bits(1), new_message(text, 50), None))
}

/// The texts of a page of these messages.
fn list(store: MockMessageStore, flags: Flags, after: Option<&Message>, limit: u64) -> Vec<String> {
    let reader = caller();
    let (after, limit) = (after.map(Message::position), PageLimit::new(limit).unwrap());
    let page = block_on(messages(store, flags).page(&reader, &ConversationId::from_bits(1), after, limit)).unwrap();
    page.messages.into_iter().map(|message| message.text.into_string()).collect()
}

fn page_store(messages: Vec<Message>) -> MockMessageStore {
    let mut store = MockMessageStore::new();
    store.expect_page().return_once(|_, _, _, _| Ok(MessagePage { messages, has_more: false }));
    store
}

#[test]
fn a_text_is_masked_before_it_is_stored_with_the_active_entities() {
    let mut store = MockMessageStore::new();
    store.expect_newest().returning(|_, _, _| Ok(Vec::new()));
    store
        .expect_append_batch()
        .withf(|_, batch| {
            let message = &batch.messages[0];
            message.text.as_str() == "my ssn is ***-**-9999" && message.masked_with == EntitySet::defaults()
        })
        .return_once(|_, _| Ok(AppendOutcome::Appended));
    assert!(record(&messages(store, Flags::none()), "my ssn is 219-09-9999").is_ok());
}

#[test]
fn context_is_not_read_if_it_cannot_change_the_result() {
    let mut store = MockMessageStore::new();
    store.expect_newest().never();
    store.expect_append().return_once(|_, _| Ok(AppendOutcome::Appended));
    assert!(record(&messages(store, Flags::none()), "good morning, thank you for waiting").is_ok());
}

#[test]
fn a_question_of_the_other_speaker_determines_the_entity_of_the_answer() {
    let mut store = MockMessageStore::new();
    let question = stored_message(1, Role::Agent, "what is your pin?");
    store.expect_newest().withf(|_, _, before| before.is_none()).return_once(|_, _, _| Ok(vec![question]));
    store
        .expect_append_batch()
        .withf(|_, batch| {
            batch.messages[0].text.as_str() == "it is ****"
                && batch.expected_tail.as_ref().is_some_and(|tail| tail.len() == 1)
        })
        .return_once(|_, _| Ok(AppendOutcome::Appended));
    assert!(record(&messages(store, Flags::none()), "it is 4821").is_ok());
}

#[test]
fn the_last_fragment_of_a_number_masks_the_earlier_fragments() {
    let fragments = vec![
        stored_message(1, Role::Customer, "4111 1111"),
        stored_message(2, Role::Agent, "go on"),
        stored_message(3, Role::Customer, "1111"),
    ];
    let mut store = MockMessageStore::new();
    store.expect_newest().return_once(|_, _, _| Ok(fragments));
    store.expect_append().never();
    store
        .expect_append_batch()
        .withf(|_, batch| {
            let masks: Vec<_> =
                batch.mask_updates.iter().map(|mask| (mask.expected.as_str(), mask.masked.as_str())).collect();
            batch.messages[0].text.as_str() == "1111" && masks == [("4111 1111", "**** ****"), ("1111", "****")]
        })
        .return_once(|_, _| Ok(AppendOutcome::Appended));
    assert!(record(&messages(store, Flags::none()), "1111").is_ok());
}

#[test]
fn a_fragment_that_arrives_late_is_masked_as_if_it_had_arrived_in_order() {
    let fragments = vec![stored_message(1, Role::Customer, "4111 1111"), stored_message(60, Role::Customer, "1111")];
    let mut store = MockMessageStore::new();
    store.expect_newest().return_once(|_, _, _| Ok(fragments));
    store
        .expect_append_batch()
        .withf(|_, batch| {
            let masks: Vec<_> =
                batch.mask_updates.iter().map(|mask| (mask.expected.as_str(), mask.masked.as_str())).collect();
            batch.messages[0].text.as_str() == "****" && masks == [("4111 1111", "**** ****")]
        })
        .return_once(|_, _| Ok(AppendOutcome::Appended));
    assert!(record(&messages(store, Flags::none()), "1111").is_ok());
}

#[test]
fn a_late_message_does_not_mask_newly_active_entities_in_a_later_message() {
    let mut later_message = stored_message(60, Role::Customer, "step 154 write to ada@example.org");
    later_message.masked_with = EntitySet::defaults();
    let mut store = MockMessageStore::new();
    store.expect_newest().returning(move |_, _, _| Ok(vec![later_message.clone()]));
    store
        .expect_append_batch()
        .withf(|_, batch| batch.mask_updates.is_empty())
        .return_once(|_, _| Ok(AppendOutcome::Appended));
    store.expect_append().never();
    assert!(record(&messages(store, flags_with(Entity::EMAIL, Activity::On)), "1111").is_ok());
}

#[test]
fn a_superseded_message_is_masked_again() {
    let mut store = MockMessageStore::new();
    let mut order = Sequence::new();
    let fragments = || vec![stored_message(1, Role::Customer, "4111 1111 1111")];
    store.expect_newest().times(1).in_sequence(&mut order).return_once(move |_, _, _| Ok(fragments()));
    store
        .expect_append_batch()
        .times(1)
        .in_sequence(&mut order)
        .return_once(|_, _| Ok(AppendOutcome::PreconditionFailed));
    store.expect_newest().times(1).in_sequence(&mut order).return_once(|_, _, _| Ok(Vec::new()));
    store.expect_append_batch().times(1).in_sequence(&mut order).return_once(|_, _| Ok(AppendOutcome::Appended));
    assert!(record(&messages(store, Flags::none()), "1111").is_ok());
}

#[test]
fn nothing_is_stored_or_returned_if_the_active_entities_are_unknown() {
    let mut redaction_store = MockRedactionStore::new();
    redaction_store.expect_flags().returning(|_| Err(StoreError::new(StoreErrorKind::Unavailable, "down")));
    let redaction = MessageRedaction::new(
        TextRedaction::rules_only(),
        ActiveEntityCache::new(Arc::new(redaction_store), Arc::new(ManualClock::default())),
    );
    let store = page_store(vec![stored_message(1, Role::Customer, "hello")]);
    let messages = Messages::new(Arc::new(store), Arc::new(MockConversationStore::new()), redaction, ids(), clock(100));
    assert!(matches!(record(&messages, "hello"), Err(AppendError::Store(_))));
    let reader = caller();
    let page = block_on(messages.page(&reader, &ConversationId::from_bits(1), None, PageLimit::MAX));
    assert!(matches!(page, Err(ReadMessagesError::Store(_))));
}

#[test]
fn newly_active_entities_are_masked_when_messages_are_read() {
    let texts = || vec![stored_message(1, Role::Customer, "write to olga@example.com, ssn ***-**-9999")];
    assert_eq!(list(page_store(texts()), Flags::none(), None, 10), ["write to olga@example.com, ssn ***-**-9999"]);
    let switched = flags_with(Entity::EMAIL, Activity::On);
    assert_eq!(list(page_store(texts()), switched, None, 10), ["write to ****@example.com, ssn ***-**-9999"]);
}

#[test]
fn text_that_was_masked_when_stored_stays_masked() {
    let switched = flags_with(Entity::SSN, Activity::Off);
    let texts = vec![stored_message(1, Role::Customer, "my ssn is ***-**-9999")];
    assert_eq!(list(page_store(texts), switched, None, 10), ["my ssn is ***-**-9999"]);
}

/// Messages that were stored while no entity was active.
fn unmasked(texts: &[(Role, &str)]) -> Vec<Message> {
    let unmasked = |(number, (role, text)): (u128, &(Role, &str))| Message {
        masked_with: EntitySet::empty(),
        ..stored_message(number, *role, text)
    };
    (1..).zip(texts).map(unmasked).collect()
}

const SPLIT: [(Role, &str); 3] = [(Role::Customer, "4111 1111 1111"), (Role::Agent, "yes?"), (Role::Customer, "1111")];

#[test]
fn a_number_split_over_messages_of_a_page_is_masked_in_all_fragments() {
    let list = list(page_store(unmasked(&SPLIT)), Flags::none(), None, 10);
    assert_eq!(list, ["**** **** ****", "yes?", "1111"]);
}

#[test]
fn the_context_around_a_page_affects_its_masks() {
    let all = unmasked(&SPLIT);
    let (first, rest) = (vec![all[0].clone()], all[1..].to_vec());
    let mut store = MockMessageStore::new();
    let mut order = Sequence::new();
    store
        .expect_page()
        .times(1)
        .in_sequence(&mut order)
        .return_once(|_, _, _, _| Ok(MessagePage { messages: first, has_more: true }));
    store
        .expect_page()
        .times(1)
        .in_sequence(&mut order)
        .return_once(|_, _, _, _| Ok(MessagePage { messages: rest, has_more: false }));
    assert_eq!(list(store, Flags::none(), None, 1), ["**** **** ****"]);

    let (question, answer) = (unmasked(&[(Role::Agent, "what is your pin?")]), unmasked(&[(Role::Customer, "4821")]));
    let after = question[0].clone();
    let mut store = page_store(answer);
    store.expect_newest().withf(|_, _, before| before.is_some()).return_once(|_, _, _| Ok(question));
    assert_eq!(list(store, Flags::none(), Some(&after), 1), ["****"]);
}

#[test]
fn a_transcript_masks_a_number_split_over_two_pages() {
    let all = unmasked(&SPLIT);
    let (first, rest) = (all[..1].to_vec(), all[1..].to_vec());
    let mut store = MockMessageStore::new();
    store
        .expect_page()
        .withf(|_, _, after, _| after.is_none())
        .return_once(|_, _, _, _| Ok(MessagePage { messages: first, has_more: true }));
    store
        .expect_page()
        .withf(|_, _, after, _| after.is_some())
        .return_once(|_, _, _, _| Ok(MessagePage { messages: rest, has_more: false }));
    let reader = caller();
    let messages = messages(store, Flags::none());
    let mut transcript = block_on(messages.transcript(&reader, ConversationId::from_bits(1))).unwrap();
    let mut texts = Vec::new();
    for _ in 0..2 {
        texts.extend(block_on(transcript.next_page()).unwrap().0.into_iter().map(|message| message.text.into_string()));
    }
    assert_eq!(texts, ["**** **** ****", "yes?", "1111"]);
}

fn batch(texts: &[(&str, i64)]) -> MessageBatch {
    MessageBatch::new(texts.iter().map(|(text, second)| new_message(text, *second)).collect()).unwrap()
}

fn record_all(messages: &Messages, texts: &[(&str, i64)]) -> Result<Vec<MessageId>, AppendError> {
    let writer = caller();
    block_on(messages.append_batch(&writer, ConversationId::from_bits(1), batch(texts), None))
}

#[test]
fn messages_of_a_batch_are_masked_in_each_others_context_in_chronological_order() {
    let mut store = MockMessageStore::new();
    store.expect_newest().return_once(|_, _, _| Ok(vec![stored_message(1, Role::Customer, "4111")]));
    store
        .expect_append_batch()
        .withf(|_, batch| {
            let texts: Vec<_> = batch.messages.iter().map(|message| message.text.as_str()).collect();
            let masks: Vec<_> =
                batch.mask_updates.iter().map(|mask| (mask.expected.as_str(), mask.masked.as_str())).collect();
            texts == ["****", "****", "1111"] && masks == [("4111", "****")]
        })
        .return_once(|_, _| Ok(AppendOutcome::Appended));
    assert!(record_all(&messages(store, Flags::none()), &[("1111", 30), ("1111", 10), ("1111", 20)]).is_ok());
}

#[test]
fn a_batch_that_needs_no_context_reads_none() {
    let mut store = MockMessageStore::new();
    store.expect_newest().never();
    store
        .expect_append_batch()
        .withf(|_, batch| batch.expected_tail.is_none())
        .return_once(|_, _| Ok(AppendOutcome::Appended));
    assert!(record_all(&messages(store, Flags::none()), &[("good morning", 1), ("how are you", 2)]).is_ok());
}

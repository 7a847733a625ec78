use std::sync::Arc;

use mockall::Sequence;
use parlance_domain::{
    access::Permission,
    conversation::{
        Append, Masking, Message, MessageBatch, MessagePage, Messages, MockConversationStore, MockMessageStore,
        NewMessage, PageLimit, Role, Sender,
    },
    error::{Error, StoreError, StoreErrorKind},
    id::{ConversationId, MessageId},
    redaction::{ActiveSets, Activity, Entity, EntitySet, Flags, MockRedactionStore, TextRedaction},
    text::MessageText,
};
use pollster::block_on;

use super::{HandSetClock, at, caller, clock, external_id, ids};

/// Masks with what these flags make active.
pub(crate) fn masking(flags: Flags) -> Masking {
    let mut store = MockRedactionStore::new();
    store.expect_flags().returning(move |_| Ok(flags));
    Masking::new(TextRedaction::by_rules(), ActiveSets::new(Arc::new(store), Arc::new(HandSetClock::default())))
}

fn messages(store: MockMessageStore, flags: Flags) -> Messages {
    Messages::new(Arc::new(store), Arc::new(MockConversationStore::new()), masking(flags), ids(), clock(100))
}

fn said(entity: Entity, activity: Activity) -> Flags {
    let mut flags = Flags::none();
    flags.set(entity, activity);
    flags
}

fn sender(role: Role) -> Sender {
    Sender { role, external_id: external_id(role.as_str()) }
}

pub(crate) fn stored(bits: u128, role: Role, text: &str) -> Message {
    Message {
        id: MessageId::from_bits(bits),
        conversation: ConversationId::from_bits(1),
        sender: sender(role),
        text: MessageText::parse(text).unwrap(),
        masked_with: EntitySet::defaults(),
        sent_at: at(i64::try_from(bits).unwrap()),
        created_at: at(100),
    }
}

fn new_message(text: &str, second: i64) -> NewMessage {
    let text = MessageText::parse(text).unwrap();
    NewMessage { sender: sender(Role::Customer), text, sent_at: at(second) }
}

fn record(messages: &Messages, text: &str) -> Result<MessageId, Error> {
    let writer = caller(&[Permission::WriteConversations]);
    block_on(messages.record(&writer, ConversationId::from_bits(1), new_message(text, 50)))
}

/// The texts that a page shows of these messages.
fn shown(store: MockMessageStore, flags: Flags, after: Option<&Message>, limit: u64) -> Vec<String> {
    let reader = caller(&[Permission::ReadConversations]);
    let (after, limit) = (after.map(Message::position), PageLimit::new(limit).unwrap());
    let page = block_on(messages(store, flags).page(&reader, &ConversationId::from_bits(1), after, limit)).unwrap();
    page.messages.into_iter().map(|message| message.text.into_string()).collect()
}

fn holding(messages: Vec<Message>) -> MockMessageStore {
    let mut store = MockMessageStore::new();
    store.expect_page().return_once(|_, _, _, _| Ok(MessagePage { messages, more: false }));
    store
}

#[test]
fn a_text_is_masked_before_it_reaches_the_store_which_keeps_with_what() {
    let mut store = MockMessageStore::new();
    store.expect_newest().returning(|_, _, _| Ok(Vec::new()));
    store
        .expect_append_all()
        .withf(|_, addition| {
            let message = &addition.messages[0];
            message.text.as_str() == "my ssn is ***-**-9999" && message.masked_with == EntitySet::defaults()
        })
        .return_once(|_, _| Ok(Append::Appended));
    assert!(record(&messages(store, Flags::none()), "my ssn is 219-09-9999").is_ok());
}

#[test]
fn context_is_not_read_where_it_could_change_nothing() {
    let mut store = MockMessageStore::new();
    store.expect_newest().never();
    store.expect_append().return_once(|_, _| Ok(Append::Appended));
    assert!(record(&messages(store, Flags::none()), "good morning, thank you for waiting").is_ok());
}

#[test]
fn a_question_of_the_other_side_decides_what_an_answer_is() {
    let mut store = MockMessageStore::new();
    let question = stored(1, Role::Agent, "what is your pin?");
    store.expect_newest().withf(|_, _, before| before.is_none()).return_once(|_, _, _| Ok(vec![question]));
    store
        .expect_append_all()
        .withf(|_, addition| {
            addition.messages[0].text.as_str() == "it is ****"
                && addition.seen.as_ref().is_some_and(|seen| seen.len() == 1)
        })
        .return_once(|_, _| Ok(Append::Appended));
    assert!(record(&messages(store, Flags::none()), "it is 4821").is_ok());
}

#[test]
fn the_last_piece_of_a_number_masks_the_pieces_before_it() {
    let pieces = vec![
        stored(1, Role::Customer, "4111 1111"),
        stored(2, Role::Agent, "go on"),
        stored(3, Role::Customer, "1111"),
    ];
    let mut store = MockMessageStore::new();
    store.expect_newest().return_once(|_, _, _| Ok(pieces));
    store.expect_append().never();
    store
        .expect_append_all()
        .withf(|_, addition| {
            let becomes: Vec<_> = addition.masks.iter().map(|one| (one.was.as_str(), one.becomes.as_str())).collect();
            addition.messages[0].text.as_str() == "1111" && becomes == [("4111 1111", "**** ****"), ("1111", "****")]
        })
        .return_once(|_, _| Ok(Append::Appended));
    assert!(record(&messages(store, Flags::none()), "1111").is_ok());
}

#[test]
fn a_piece_that_arrives_after_a_later_one_masks_and_is_masked_as_if_it_had_not() {
    let pieces = vec![stored(1, Role::Customer, "4111 1111"), stored(60, Role::Customer, "1111")];
    let mut store = MockMessageStore::new();
    store.expect_newest().return_once(|_, _, _| Ok(pieces));
    store
        .expect_append_all()
        .withf(|_, addition| {
            let becomes: Vec<_> = addition.masks.iter().map(|one| (one.was.as_str(), one.becomes.as_str())).collect();
            addition.messages[0].text.as_str() == "****" && becomes == [("4111 1111", "**** ****")]
        })
        .return_once(|_, _| Ok(Append::Appended));
    assert!(record(&messages(store, Flags::none()), "1111").is_ok());
}

#[test]
fn a_late_message_does_not_mask_in_a_later_one_what_was_not_active_when_that_was_stored() {
    let mut stands_after = stored(60, Role::Customer, "step 154 write to ada@example.org");
    stands_after.masked_with = EntitySet::defaults();
    let mut store = MockMessageStore::new();
    store.expect_newest().returning(move |_, _, _| Ok(vec![stands_after.clone()]));
    store.expect_append_all().withf(|_, addition| addition.masks.is_empty()).return_once(|_, _| Ok(Append::Appended));
    store.expect_append().never();
    assert!(record(&messages(store, said(Entity::EMAIL, Activity::On)), "1111").is_ok());
}

#[test]
fn a_message_that_was_superseded_is_masked_anew() {
    let mut store = MockMessageStore::new();
    let mut order = Sequence::new();
    let pieces = || vec![stored(1, Role::Customer, "4111 1111 1111")];
    store.expect_newest().times(1).in_sequence(&mut order).return_once(move |_, _, _| Ok(pieces()));
    store.expect_append_all().times(1).in_sequence(&mut order).return_once(|_, _| Ok(Append::Superseded));
    store.expect_newest().times(1).in_sequence(&mut order).return_once(|_, _, _| Ok(Vec::new()));
    store.expect_append_all().times(1).in_sequence(&mut order).return_once(|_, _| Ok(Append::Appended));
    assert!(record(&messages(store, Flags::none()), "1111").is_ok());
}

#[test]
fn nothing_is_stored_or_shown_where_it_is_not_known_what_is_active() {
    let mut switches = MockRedactionStore::new();
    switches.expect_flags().returning(|_| Err(StoreError::new(StoreErrorKind::Unavailable, "down")));
    let masking =
        Masking::new(TextRedaction::by_rules(), ActiveSets::new(Arc::new(switches), Arc::new(HandSetClock::default())));
    let store = holding(vec![stored(1, Role::Customer, "hello")]);
    let messages = Messages::new(Arc::new(store), Arc::new(MockConversationStore::new()), masking, ids(), clock(100));
    assert!(matches!(record(&messages, "hello"), Err(Error::Store(_))));
    let reader = caller(&[Permission::ReadConversations]);
    let page = block_on(messages.page(&reader, &ConversationId::from_bits(1), None, PageLimit::MAX));
    assert!(matches!(page, Err(Error::Store(_))));
}

#[test]
fn what_is_active_now_and_was_not_then_is_masked_on_the_way_out() {
    let texts = || vec![stored(1, Role::Customer, "write to olga@example.com, ssn ***-**-9999")];
    assert_eq!(shown(holding(texts()), Flags::none(), None, 10), ["write to olga@example.com, ssn ***-**-9999"]);
    let switched = said(Entity::EMAIL, Activity::On);
    assert_eq!(shown(holding(texts()), switched, None, 10), ["write to ****@example.com, ssn ***-**-9999"]);
}

#[test]
fn what_was_masked_then_stays_masked() {
    let switched = said(Entity::SSN, Activity::Off);
    let texts = vec![stored(1, Role::Customer, "my ssn is ***-**-9999")];
    assert_eq!(shown(holding(texts), switched, None, 10), ["my ssn is ***-**-9999"]);
}

/// Messages that were stored while nothing was active.
fn unmasked(texts: &[(Role, &str)]) -> Vec<Message> {
    let bare = |(number, (role, text)): (u128, &(Role, &str))| Message {
        masked_with: EntitySet::empty(),
        ..stored(number, *role, text)
    };
    (1..).zip(texts).map(bare).collect()
}

const SPREAD: [(Role, &str); 3] = [(Role::Customer, "4111 1111 1111"), (Role::Agent, "yes?"), (Role::Customer, "1111")];

#[test]
fn a_number_that_is_spread_over_a_page_is_masked_in_all_its_pieces() {
    let shown = shown(holding(unmasked(&SPREAD)), Flags::none(), None, 10);
    assert_eq!(shown, ["**** **** ****", "yes?", "1111"]);
}

#[test]
fn what_stands_around_a_page_decides_with_it() {
    let all = unmasked(&SPREAD);
    let (first, rest) = (vec![all[0].clone()], all[1..].to_vec());
    let mut store = MockMessageStore::new();
    let mut order = Sequence::new();
    store
        .expect_page()
        .times(1)
        .in_sequence(&mut order)
        .return_once(|_, _, _, _| Ok(MessagePage { messages: first, more: true }));
    store
        .expect_page()
        .times(1)
        .in_sequence(&mut order)
        .return_once(|_, _, _, _| Ok(MessagePage { messages: rest, more: false }));
    assert_eq!(shown(store, Flags::none(), None, 1), ["**** **** ****"]);

    let (question, answer) = (unmasked(&[(Role::Agent, "what is your pin?")]), unmasked(&[(Role::Customer, "4821")]));
    let after = question[0].clone();
    let mut store = holding(answer);
    store.expect_newest().withf(|_, _, before| before.is_some()).return_once(|_, _, _| Ok(question));
    assert_eq!(shown(store, Flags::none(), Some(&after), 1), ["****"]);
}

#[test]
fn a_transcript_masks_a_number_that_is_spread_over_two_pages() {
    let all = unmasked(&SPREAD);
    let (first, rest) = (all[..1].to_vec(), all[1..].to_vec());
    let mut store = MockMessageStore::new();
    store
        .expect_page()
        .withf(|_, _, after, _| after.is_none())
        .return_once(|_, _, _, _| Ok(MessagePage { messages: first, more: true }));
    store
        .expect_page()
        .withf(|_, _, after, _| after.is_some())
        .return_once(|_, _, _, _| Ok(MessagePage { messages: rest, more: false }));
    let reader = caller(&[Permission::ReadConversations]);
    let messages = messages(store, Flags::none());
    let mut transcript = block_on(messages.all(&reader, ConversationId::from_bits(1))).unwrap();
    let mut texts = Vec::new();
    for _ in 0..2 {
        texts.extend(block_on(transcript.next()).unwrap().0.into_iter().map(|message| message.text.into_string()));
    }
    assert_eq!(texts, ["**** **** ****", "yes?", "1111"]);
}

fn batch(texts: &[(&str, i64)]) -> MessageBatch {
    MessageBatch::new(texts.iter().map(|(text, second)| new_message(text, *second)).collect()).unwrap()
}

fn record_all(messages: &Messages, texts: &[(&str, i64)]) -> Result<Vec<MessageId>, Error> {
    let writer = caller(&[Permission::WriteConversations]);
    block_on(messages.record_all(&writer, ConversationId::from_bits(1), batch(texts), None))
}

#[test]
fn messages_of_a_batch_are_masked_in_each_others_light_in_chronological_order() {
    let mut store = MockMessageStore::new();
    store.expect_newest().return_once(|_, _, _| Ok(vec![stored(1, Role::Customer, "4111")]));
    store
        .expect_append_all()
        .withf(|_, addition| {
            let texts: Vec<_> = addition.messages.iter().map(|message| message.text.as_str()).collect();
            let masks: Vec<_> = addition.masks.iter().map(|one| (one.was.as_str(), one.becomes.as_str())).collect();
            texts == ["****", "****", "1111"] && masks == [("4111", "****")]
        })
        .return_once(|_, _| Ok(Append::Appended));
    assert!(record_all(&messages(store, Flags::none()), &[("1111", 30), ("1111", 10), ("1111", 20)]).is_ok());
}

#[test]
fn a_batch_in_which_context_could_change_nothing_reads_none() {
    let mut store = MockMessageStore::new();
    store.expect_newest().never();
    store.expect_append_all().withf(|_, addition| addition.seen.is_none()).return_once(|_, _| Ok(Append::Appended));
    assert!(record_all(&messages(store, Flags::none()), &[("good morning", 1), ("how are you", 2)]).is_ok());
}

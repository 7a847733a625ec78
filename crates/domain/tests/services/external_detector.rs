//! Tests of messages with an external detector: what is stored while it is away, and what is masked again when read.

use std::sync::{Arc, Mutex};

use parlance_domain::{
    conversation::MockConversationStore,
    error::{StoreError, StoreErrorKind},
    id::ConversationId,
    message::{
        AppendError, AppendOutcome, ExportRedaction, Message, MessageBatch, MessagePage, MessageRedaction, Messages,
        MockMessageStore, Neighbours, NewMessage, PageLimit, ReadMessagesError, Role, Sender,
    },
    redaction::{
        ActiveEntityCache, Activity, DetectorOutage, Entity, EntitySet, ExternalSpan, Flags, MockExternalDetector,
        MockRedactionStore, TextRedaction,
    },
    text::MessageText,
};
use pollster::block_on;

use super::{ManualClock, at, caller, clock, external_id, ids, message_redaction::stored_message, tenant};

/// A name that only the detector finds.
const NAME: &str = "teapot";

/// A detector that finds [`NAME`], or fails.
fn detector(is_away: bool, calls: &Arc<Mutex<Vec<Vec<String>>>>) -> MockExternalDetector {
    let (mut detector, calls) = (MockExternalDetector::new(), Arc::clone(calls));
    detector.expect_entities().return_const([Entity::PERSON_NAME].into_iter().collect::<EntitySet>());
    detector.expect_detect().returning(move |texts, entities| {
        assert_eq!(entities, [Entity::PERSON_NAME].into_iter().collect());
        calls.lock().unwrap().push(texts.clone());
        if is_away {
            return Err(StoreError::new(StoreErrorKind::Unavailable, "down"));
        }
        let name = |text: &str| {
            text.find(NAME).map(|start| ExternalSpan { start, end: start + NAME.len(), entity: Entity::PERSON_NAME })
        };
        Ok(texts.iter().map(|text| name(text).into_iter().collect()).collect())
    });
    detector
}

struct Fixture {
    redaction: MessageRedaction,
    calls: Arc<Mutex<Vec<Vec<String>>>>,
}

impl Fixture {
    /// A redaction with the names of persons active, with a detector that is away or not.
    fn new(is_away: bool, outage: DetectorOutage) -> Self {
        let mut flags = Flags::none();
        flags.set(Entity::PERSON_NAME, Activity::On);
        let (mut store, calls) = (MockRedactionStore::new(), Arc::default());
        store.expect_flags().returning(move |_| Ok(flags));
        let redaction = TextRedaction::with_external(Arc::new(detector(is_away, &calls)), outage);
        let active = ActiveEntityCache::new(Arc::new(store), Arc::new(ManualClock::default()));
        Self { redaction: MessageRedaction::new(redaction, active), calls }
    }

    fn messages(&self, store: MockMessageStore) -> Messages {
        let conversations = Arc::new(MockConversationStore::new());
        Messages::new(Arc::new(store), conversations, self.redaction.clone(), ids(), clock(100))
    }

    /// The texts that the detector got, one list for each call.
    fn calls(&self) -> Vec<Vec<String>> {
        self.calls.lock().unwrap().clone()
    }

    fn append(&self, store: MockMessageStore, text: &str) -> Result<(), AppendError> {
        let messages = self.messages(store);
        block_on(messages.append(&caller(), ConversationId::from_bits(1), new_message(text, 50), None)).map(|_| ())
    }

    fn page(&self, stored: Vec<Message>) -> Result<Vec<String>, ReadMessagesError> {
        let mut store = MockMessageStore::new();
        store.expect_page().return_once(|_, _, _, _| Ok(MessagePage { messages: stored, has_more: false }));
        let (messages, limit) = (self.messages(store), PageLimit::new(10).unwrap());
        let page = block_on(messages.page(&caller(), &ConversationId::from_bits(1), None, limit))?;
        Ok(page.messages.into_iter().map(|message| message.text.into_string()).collect())
    }
}

fn new_message(text: &str, second: i64) -> NewMessage {
    let sender = Sender { role: Role::Customer, external_id: external_id("customer") };
    NewMessage { sender, text: MessageText::parse(text).unwrap(), sent_at: at(second) }
}

fn active() -> EntitySet {
    EntitySet::defaults().or([Entity::PERSON_NAME].into_iter().collect())
}

/// A store that expects one message with this text, masked with these entities.
fn expects(text: &'static str, masked_with: EntitySet) -> MockMessageStore {
    let mut store = MockMessageStore::new();
    store
        .expect_append()
        .withf(move |_, message| (message.text.as_str(), message.masked_with) == (text, masked_with))
        .return_once(|_, _| Ok(AppendOutcome::Appended));
    store
}

#[test]
fn a_finding_of_the_detector_is_masked_before_a_message_is_stored() {
    let fixture = Fixture::new(false, DetectorOutage::Refuse);
    fixture.append(expects("ask ****** tomorrow", active()), "ask teapot tomorrow").unwrap();
}

#[test]
fn a_message_is_refused_while_a_required_detector_is_away() {
    let fixture = Fixture::new(true, DetectorOutage::Refuse);
    let refused = fixture.append(MockMessageStore::new(), "ask teapot tomorrow");
    assert!(matches!(refused, Err(AppendError::Store(error)) if error.kind() == StoreErrorKind::Unavailable));
}

#[test]
fn a_message_is_stored_without_the_entities_of_a_detector_that_is_away() {
    let fixture = Fixture::new(true, DetectorOutage::MaskLater);
    fixture.append(expects("ask teapot tomorrow", EntitySet::defaults()), "ask teapot tomorrow").unwrap();
}

#[test]
fn a_batch_is_examined_by_one_call_however_often_its_write_is_tried() {
    let fixture = Fixture::new(false, DetectorOutage::Refuse);
    let mut store = MockMessageStore::new();
    store.expect_newest().returning(|_, _, _| Ok(Vec::new()));
    let mut outcomes = vec![AppendOutcome::Appended, AppendOutcome::PreconditionFailed];
    store
        .expect_append_batch()
        .times(2)
        .withf(|_, batch| {
            let texts: Vec<_> = batch.messages.iter().map(|message| message.text.as_str()).collect();
            texts == ["ask ****** tomorrow", "it is 4821"]
        })
        .returning(move |_, _| Ok(outcomes.pop().unwrap()));
    let batch = MessageBatch::new(vec![new_message("it is 4821", 2), new_message("ask teapot tomorrow", 1)]).unwrap();
    let messages = fixture.messages(store);
    block_on(messages.append_batch(&caller(), ConversationId::from_bits(1), batch, None)).unwrap();
    assert_eq!(fixture.calls(), [["ask teapot tomorrow", "it is 4821"]]);
}

#[test]
fn only_messages_without_the_entities_of_the_detector_are_examined_when_read() {
    let fixture = Fixture::new(false, DetectorOutage::MaskLater);
    let with = Message { masked_with: active(), ..stored_message(1, Role::Agent, "hello teapot") };
    let without = stored_message(2, Role::Customer, "ask teapot tomorrow");
    assert_eq!(fixture.page(vec![with, without]).unwrap(), ["hello teapot", "ask ****** tomorrow"]);
    assert_eq!(fixture.calls(), [["ask teapot tomorrow"]]);
}

#[test]
fn a_message_that_the_detector_has_not_examined_is_not_given_out_while_it_is_away() {
    for outage in [DetectorOutage::MaskLater, DetectorOutage::Refuse] {
        let fixture = Fixture::new(true, outage);
        let read = fixture.page(vec![stored_message(1, Role::Customer, "ask teapot tomorrow")]);
        assert!(matches!(read, Err(ReadMessagesError::Store(error)) if error.kind() == StoreErrorKind::Unavailable));
        let examined = Message { masked_with: active(), ..stored_message(1, Role::Customer, "hello") };
        assert_eq!(fixture.page(vec![examined]).unwrap(), ["hello"]);
    }
}

#[test]
fn an_export_examines_its_messages_together() {
    let fixture = Fixture::new(false, DetectorOutage::MaskLater);
    let mut store = MockMessageStore::new();
    store.expect_neighbours().returning(|_, positions| Ok(vec![Neighbours::default(); positions.len()]));
    let export = ExportRedaction::new(Arc::new(store), fixture.redaction.clone());
    let stored = vec![stored_message(1, Role::Agent, "teapot called"), stored_message(2, Role::Customer, "ask teapot")];
    let masked = block_on(export.redact(&tenant(), stored, active())).unwrap();
    let texts: Vec<_> = masked.iter().map(|message| message.text.as_str()).collect();
    assert_eq!(
        (texts, fixture.calls()),
        (vec!["****** called", "ask ******"], vec![vec!["teapot called".to_owned(), "ask teapot".to_owned()]])
    );
}

#[test]
fn an_entity_that_is_not_active_is_not_asked_for() {
    let calls = Arc::default();
    let redaction = TextRedaction::with_external(Arc::new(detector(false, &calls)), DetectorOutage::Refuse);
    let findings = block_on(redaction.examine(&[("ask teapot", EntitySet::defaults())])).unwrap();
    assert_eq!((findings.len(), findings[0].missing(), calls.lock().unwrap().len()), (1, EntitySet::empty(), 0));
}

//! Tests of the dispatcher of webhooks: when it switches a webhook off, and what it sends.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    event::{Change, EventSources, EventType, Events, LogEntry, LogPage, LogPosition, LogRead, MessageReference},
    id::{ConversationId, MessageId},
    lease::LeaseTerm,
    message::{ExportRedaction, MessagePosition, MessageRedaction},
    ports::{
        MockChangeLog, MockClock, MockConversationStore, MockEventEncoder, MockIdSource, MockMessageStore,
        MockMonotonicClock, MockRedactionStore, MockSecretCipher, MockVocabularyStore, MockWebhookSender,
        MockWebhookStore,
    },
    redaction::{ActiveEntityCache, TextRedaction},
    time::{SECONDS_PER_DAY, Timestamp},
    webhook::{
        ActiveWebhook, AttemptFailure, AttemptedDelivery, DeliveryAttempt, DeliverySubject, Dispatcher,
        DispatcherPorts, Jitter, SealedSecret, SwitchOffReason, Webhook, WebhookDelivery, WebhookDeliveryId,
        WebhookDescription, WebhookId, WebhookSecret, WebhookUrl,
    },
};
use pollster::block_on;

const TERM: LeaseTerm = LeaseTerm(3);
const NOW_SECONDS: i64 = 1_000_000;

/// An encrypted secret that does not open.
const UNOPENABLE: &[u8] = &[0];

fn tenant() -> TenantId {
    TenantId::parse("acme").unwrap()
}

fn now() -> Timestamp {
    Timestamp::EPOCH.plus_seconds(NOW_SECONDS)
}

fn webhook() -> Webhook {
    Webhook {
        id: WebhookId::from_bits(1),
        url: WebhookUrl::parse("https://hooks.example.com/").unwrap(),
        types: [EventType::MessageCreated].into_iter().collect(),
        description: WebhookDescription::parse("").unwrap(),
        active: true,
        switched_off: None,
        secret: SealedSecret(vec![1]),
        previous_secret: None,
        credential: None,
        cursor: LogPosition::START,
        created_at: Timestamp::EPOCH,
        revision: 1,
    }
}

fn active(is_credential_revoked: bool) -> ActiveWebhook {
    ActiveWebhook { tenant: tenant(), webhook: webhook(), is_credential_revoked }
}

/// A store that expects that the webhook is switched off for this reason.
fn store_switching_off(reason: SwitchOffReason) -> MockWebhookStore {
    let mut store = MockWebhookStore::new();
    let is_off = move |term: &LeaseTerm, _: &TenantId, webhook: &Webhook, _: &_| {
        *term == TERM && webhook.switched_off == Some(reason) && !webhook.active && webhook.revision == 2
    };
    store.expect_switch_off().withf(is_off).times(1).returning(|_, _, _, _| Ok(true));
    store
}

fn dispatcher(store: MockWebhookStore, log: MockChangeLog, sender: MockWebhookSender) -> Dispatcher {
    let mut clock = MockClock::new();
    clock.expect_now().returning(now);
    let mut monotonic = MockMonotonicClock::new();
    monotonic.expect_elapsed().returning(|| Duration::ZERO);
    let mut encoder = MockEventEncoder::new();
    encoder.expect_encode_test().returning(|_, _| b"{}".to_vec());
    let mut cipher = MockSecretCipher::new();
    cipher.expect_open().returning(|_, _, sealed| match &*sealed.0 {
        UNOPENABLE => Err(StoreError::new(StoreErrorKind::Corrupt, "encrypted with another key")),
        _ => Ok(WebhookSecret::from_bytes(vec![7; 32]).unwrap()),
    });
    let (clock, monotonic): (Arc<MockClock>, Arc<MockMonotonicClock>) = (Arc::new(clock), Arc::new(monotonic));
    let entities = Arc::new(MockRedactionStore::new());
    let cache = ActiveEntityCache::new(Arc::clone(&entities) as _, Arc::clone(&monotonic) as _);
    let messages = Arc::new(MockMessageStore::new());
    let redaction = MessageRedaction::new(TextRedaction::rules_only(), cache.clone());
    let sources = EventSources {
        conversations: Arc::new(MockConversationStore::new()),
        fields: parlance_domain::conversation::FieldRedaction::new(cache),
        messages: Arc::clone(&messages) as _,
        redaction: ExportRedaction::new(messages, redaction),
        vocabularies: Arc::new(MockVocabularyStore::new()),
        entities,
    };
    let events = Events::new(Arc::new(log), sources, Arc::clone(&clock) as _);
    let ports = DispatcherPorts {
        store: Arc::new(store),
        sender: Arc::new(sender),
        encoder: Arc::new(encoder),
        cipher: Arc::new(cipher),
        ids: Arc::new(MockIdSource::new()),
        clock,
        monotonic,
    };
    Dispatcher::new(ports, events)
}

#[test]
fn a_webhook_is_switched_off_with_its_credential() {
    let store = store_switching_off(SwitchOffReason::CredentialRevoked);
    let dispatcher = dispatcher(store, MockChangeLog::new(), MockWebhookSender::new());
    assert!(!block_on(dispatcher.collect(TERM, &active(true))).unwrap());
}

#[test]
fn a_webhook_whose_cursor_is_lost_is_switched_off_and_skips_nothing() {
    for lost in [LogRead::Expired, LogRead::Unknown] {
        let mut store = store_switching_off(SwitchOffReason::CursorLost);
        store.expect_pending().returning(|_, _| Ok(0));
        let mut log = MockChangeLog::new();
        log.expect_read().return_once(|_, _, _| Ok(lost));
        let dispatcher = dispatcher(store, log, MockWebhookSender::new());
        assert!(!block_on(dispatcher.collect(TERM, &active(false))).unwrap());
    }
}

#[test]
fn a_webhook_that_owes_very_much_leaves_its_entries_in_the_log() {
    let mut store = MockWebhookStore::new();
    store.expect_pending().returning(|_, _| Ok(10_000));
    let dispatcher = dispatcher(store, MockChangeLog::new(), MockWebhookSender::new());
    assert!(!block_on(dispatcher.collect(TERM, &active(false))).unwrap());
}

#[test]
fn an_empty_page_moves_no_cursor() {
    let mut store = MockWebhookStore::new();
    store.expect_pending().returning(|_, _| Ok(0));
    let mut log = MockChangeLog::new();
    log.expect_read().return_once(|_, _, _| Ok(LogRead::Page(LogPage::default())));
    let dispatcher = dispatcher(store, log, MockWebhookSender::new());
    assert!(!block_on(dispatcher.collect(TERM, &active(false))).unwrap());
}

#[test]
fn a_delivery_of_a_type_that_was_added_after_the_webhook_was_read_is_not_sent_yet() {
    let delivery = |number, change| {
        let position = LogPosition { sequence: 1, index: 0, tag: 0 };
        let entry = LogEntry { position, occurred_at: Timestamp::EPOCH, change };
        let subject = DeliverySubject::Event(entry);
        WebhookDelivery::new(WebhookDeliveryId::from_bits(number), webhook().id, subject, Timestamp::EPOCH)
    };
    let position = MessagePosition { sent_at: Timestamp::EPOCH, id: MessageId::from_bits(3) };
    let message = MessageReference { conversation: ConversationId::from_bits(2), position };
    let named = delivery(1, Change::MessageCreated(message));
    let added = delivery(2, Change::ConversationErased(ConversationId::from_bits(4)));
    let (mut store, due) = (MockWebhookStore::new(), vec![added, named.clone(), failing_delivery(1)]);
    store.expect_due().return_once(|_, _, _, _| Ok(due));
    let dispatcher = dispatcher(store, MockChangeLog::new(), MockWebhookSender::new());
    assert_eq!(block_on(dispatcher.due(&tenant(), &webhook(), 9)).unwrap(), [named, failing_delivery(1)]);
}

/// A delivery that fails since this many seconds before now.
fn failing_delivery(seconds: i64) -> WebhookDelivery {
    let (id, webhook) = (WebhookDeliveryId::from_bits(5), WebhookId::from_bits(1));
    let delivery = WebhookDelivery::new(id, webhook, DeliverySubject::Test, Timestamp::EPOCH);
    let at = now().plus_seconds(-seconds);
    let attempt = DeliveryAttempt { at, duration: Duration::ZERO, outcome: Err(AttemptFailure::Unreachable) };
    delivery.after_attempt(attempt, Jitter::default())
}

fn ids_of(attempted: &[AttemptedDelivery]) -> BTreeSet<WebhookDeliveryId> {
    attempted.iter().map(|attempted| attempted.delivery.id.clone()).collect()
}

/// Sends a delivery and records the attempt.
fn attempt(dispatcher: &Dispatcher, delivery: WebhookDelivery) -> DeliveryAttempt {
    let ended = block_on(dispatcher.attempt(TERM, tenant(), webhook(), delivery, Jitter::default())).unwrap();
    block_on(dispatcher.record(vec![ended.clone()])).unwrap();
    ended.attempt
}

fn sender(outcome: Result<u16, AttemptFailure>) -> MockWebhookSender {
    let mut sender = MockWebhookSender::new();
    let is_signed = |request: &parlance_domain::webhook::WebhookRequest| {
        request.timestamp == NOW_SECONDS && request.signature.starts_with("v1,") && request.body == b"{}"
    };
    sender.expect_send().withf(is_signed).times(1).returning(move |_| outcome);
    sender
}

#[test]
fn a_delivery_that_fails_for_five_days_switches_its_webhook_off() {
    let mut store = store_switching_off(SwitchOffReason::Failing);
    store.expect_record().times(1).returning(|_, attempted| Ok(ids_of(attempted)));
    let dispatcher = dispatcher(store, MockChangeLog::new(), sender(Err(AttemptFailure::Status(500))));
    assert_eq!(attempt(&dispatcher, failing_delivery(5 * SECONDS_PER_DAY)).outcome, Err(AttemptFailure::Status(500)));
}

#[test]
fn an_attempt_is_recorded_with_the_next_attempt_that_was_stored_when_it_began() {
    let delivery = failing_delivery(1);
    let (mut store, next_attempt) = (MockWebhookStore::new(), delivery.next_attempt());
    let is_expected =
        move |_: &LeaseTerm, attempted: &[AttemptedDelivery]| attempted[0].expected_next_attempt == next_attempt;
    store.expect_record().times(1).withf(is_expected).returning(|_, attempted| Ok(ids_of(attempted)));
    attempt(&dispatcher(store, MockChangeLog::new(), sender(Ok(200))), delivery).outcome.unwrap();
}

#[test]
fn a_previous_secret_that_does_not_open_leaves_the_current_one_to_sign_alone() {
    let previous_secret = Some((SealedSecret(UNOPENABLE.to_vec()), now().plus_seconds(1)));
    let webhook = Webhook { previous_secret, ..webhook() };
    let mut sender = MockWebhookSender::new();
    sender.expect_send().withf(|request| !request.signature.contains(' ')).times(1).returning(|_| Ok(200));
    let dispatcher = dispatcher(MockWebhookStore::new(), MockChangeLog::new(), sender);
    let ended = dispatcher.attempt(TERM, tenant(), webhook, failing_delivery(1), Jitter::default());
    assert_eq!(block_on(ended).unwrap().attempt.outcome, Ok(200));
}

#[test]
fn a_current_secret_that_does_not_open_fails_the_attempt_without_a_request() {
    let webhook = Webhook { secret: SealedSecret(UNOPENABLE.to_vec()), ..webhook() };
    let dispatcher = dispatcher(MockWebhookStore::new(), MockChangeLog::new(), MockWebhookSender::new());
    let ended = dispatcher.attempt(TERM, tenant(), webhook, failing_delivery(1), Jitter::default());
    assert_eq!(block_on(ended).unwrap().attempt.outcome, Err(AttemptFailure::Internal));
}

#[test]
fn a_failure_before_five_days_and_a_late_success_leave_the_webhook_on() {
    for (seconds, outcome) in [(5 * SECONDS_PER_DAY - 1, Err(AttemptFailure::TimedOut)), (6 * SECONDS_PER_DAY, Ok(200))]
    {
        let mut store = MockWebhookStore::new();
        store.expect_record().times(1).returning(|_, attempted| Ok(ids_of(attempted)));
        let dispatcher = dispatcher(store, MockChangeLog::new(), sender(outcome));
        assert_eq!(attempt(&dispatcher, failing_delivery(seconds)).outcome, outcome);
    }
}

#[test]
fn an_attempt_that_a_newer_term_refuses_switches_nothing_off() {
    let mut store = MockWebhookStore::new();
    store.expect_record().times(1).returning(|_, _| Ok(BTreeSet::new()));
    let dispatcher = dispatcher(store, MockChangeLog::new(), sender(Err(AttemptFailure::Tls)));
    attempt(&dispatcher, failing_delivery(9 * SECONDS_PER_DAY)).outcome.unwrap_err();
}

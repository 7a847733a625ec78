//! Contract of imports: what is stored already is not added again, and texts are masked as those of other messages.

use std::sync::{Arc, OnceLock};

use parlance_domain::{
    access::{AuthorizedCaller, Caller, Permissions, WriteConversations},
    conversation::{Change, Conversations, FieldRedaction, UpsertRequest},
    error::StoreErrorKind,
    event::MessageReference,
    import::{ConversationRecord, Import, ImportDay, ImportError, ImportOptions, ImportOutcome, ImportedAs},
    limits::IMPORT_APPEND_MESSAGES,
    message::{Message, MessageBatch, MessageRedaction, Messages, NewMessage, PageLimit, Role, Sender},
    privacy::{PrivacyRequestType, TenantFenceOutcome},
    redaction::{ActiveEntityCache, IdentifierField, IdentifierPolicy, TextRedaction},
    text::MessageText,
    time::Timestamp,
};
use support::{
    fixtures::{CountingIds, FrozenClock, acme, ada, external_id, from_micros, participant},
    stores::TestStores,
};
use tokio::task::JoinSet;

use crate::{privacy_request_store, tenant_erasure_store};

contract![
    a_record_that_was_imported_before_adds_nothing,
    a_part_that_is_missing_is_added,
    equal_messages_of_a_record_are_all_stored,
    an_asterisk_that_a_person_typed_matches_itself_only,
    messages_of_one_time_keep_their_order,
    an_import_masks_as_the_interface_does,
    a_message_of_a_later_record_masks_stored_ones,
    a_conversation_of_many_messages_is_appended_in_steps,
    records_of_one_conversation_that_race_add_each_message_once,
    a_record_updates_the_conversation_unless_it_must_not,
    a_feed_day_by_client_time_is_that_of_each_message,
    a_record_with_a_refused_identifier_stores_nothing,
    a_record_of_an_erased_tenant_fails_by_the_erasure_of_the_tenant,
    a_message_that_was_erased_is_not_imported_again,
];

const NOW: i64 = 1_790_000_000_000_000;

pub(crate) fn caller() -> AuthorizedCaller<WriteConversations> {
    Caller::new(acme(), Permissions::all()).authorize().unwrap()
}

/// The identifiers of all imports.
fn ids() -> Arc<CountingIds> {
    static IDS: OnceLock<Arc<CountingIds>> = OnceLock::new();
    Arc::clone(IDS.get_or_init(Arc::default))
}

pub(crate) fn import_with(stores: &TestStores, policy: IdentifierPolicy) -> Import {
    let (ids, now) = (ids(), from_micros(NOW));
    let active = ActiveEntityCache::new(Arc::clone(&stores.redaction), Arc::new(FrozenClock(now)));
    let fields = FieldRedaction::new(active.clone()).with_identifiers(policy);
    let clock: Arc<FrozenClock> = Arc::new(FrozenClock(now));
    let store = Arc::clone(&stores.conversations);
    let conversations =
        Conversations::new(Arc::clone(&store), fields, Arc::clone(&ids) as Arc<_>, Arc::clone(&clock) as Arc<_>);
    let redaction = MessageRedaction::new(TextRedaction::rules_only(), active).with_identifiers(policy);
    let messages = Messages::new(Arc::clone(&stores.messages), store, redaction, ids, clock);
    let erasures = (Arc::clone(&stores.erasures), Arc::clone(&stores.tenant_erasures));
    Import::new(Arc::clone(&stores.imports), erasures, conversations, messages)
}

pub(crate) fn request(key: &str) -> UpsertRequest {
    UpsertRequest {
        id: None,
        external_id: external_id(key),
        agent: Change::Keep,
        customer: ada(),
        metadata: Change::Keep,
        started_at: from_micros(5),
    }
}

fn new(second: i64, text: &str) -> NewMessage {
    let sender = Sender { role: Role::Customer, external_id: external_id("customer-1") };
    NewMessage { sender, text: MessageText::parse(text).unwrap(), sent_at: from_micros(second * 1_000_000) }
}

pub(crate) fn record(messages: &[(i64, &str)]) -> ConversationRecord {
    let messages = messages.iter().map(|(second, text)| new(*second, text)).collect();
    ConversationRecord { conversation: request("call-1"), updates: true, messages }
}

pub(crate) async fn run(stores: &TestStores, record: &ConversationRecord) -> ImportOutcome {
    let import = import_with(stores, IdentifierPolicy::Allow);
    import.import(&caller(), record, ImportOptions::default()).await.unwrap()
}

/// The outcome of an import that adds and finds this many messages.
pub(crate) fn outcome(conversation: ImportedAs, added: usize, present: usize) -> ImportOutcome {
    ImportOutcome { conversation, added, present }
}

pub(crate) async fn stored(stores: &TestStores, key: &str) -> Vec<Message> {
    let Some(found) = stores.conversations.find_by_external_id(&acme(), &external_id(key)).await.unwrap() else {
        return Vec::new();
    };
    stores.messages.page(&acme(), &found.id, None, PageLimit::MAX).await.unwrap().messages
}

pub(crate) async fn texts(stores: &TestStores) -> Vec<String> {
    stored(stores, "call-1").await.iter().map(|message| message.text.as_str().to_owned()).collect()
}

async fn a_record_that_was_imported_before_adds_nothing(stores: TestStores) {
    let messages = record(&[(2, "my pin is 1234"), (1, "hello"), (1, "the card is 4111 1111 1111 1111")]);
    assert_eq!(run(&stores, &messages).await, outcome(ImportedAs::Created, 3, 0));
    let before = stored(&stores, "call-1").await;
    assert!(before.iter().any(|message| message.text.as_str().contains('*')));
    for _ in 0..2 {
        assert_eq!(run(&stores, &messages).await, outcome(ImportedAs::Unchanged, 0, 3));
    }
    assert_eq!(stored(&stores, "call-1").await, before);
}

async fn a_part_that_is_missing_is_added(stores: TestStores) {
    assert_eq!(run(&stores, &record(&[])).await, outcome(ImportedAs::Created, 0, 0));
    assert_eq!(run(&stores, &record(&[(2, "b")])).await, outcome(ImportedAs::Unchanged, 1, 0));
    assert_eq!(run(&stores, &record(&[(1, "a"), (2, "b"), (3, "c")])).await, outcome(ImportedAs::Unchanged, 2, 1));
    assert_eq!(texts(&stores).await, ["a", "b", "c"]);
}

async fn equal_messages_of_a_record_are_all_stored(stores: TestStores) {
    assert_eq!(run(&stores, &record(&[(1, "ok"), (1, "ok")])).await.added, 2);
    assert_eq!(run(&stores, &record(&[(1, "ok"), (1, "ok"), (1, "ok")])).await.added, 1);
    let other = Sender { role: Role::Agent, external_id: external_id("customer-1") };
    let other = ConversationRecord { messages: vec![NewMessage { sender: other, ..new(1, "ok") }], ..record(&[]) };
    assert_eq!(run(&stores, &other).await.added, 1);
    assert_eq!(texts(&stores).await, ["ok"; 4]);
}

async fn an_asterisk_that_a_person_typed_matches_itself_only(stores: TestStores) {
    let typed = record(&[(1, "2 * 3"), (2, "*"), (3, "*waves* my pin is 1234")]);
    assert_eq!(run(&stores, &typed).await.added, 3);
    let others = record(&[(1, "2 parcels are lost, not 3"), (2, "hello"), (3, "she waves: my pin is 1234")]);
    assert_eq!(run(&stores, &others).await, outcome(ImportedAs::Unchanged, 3, 0));
    for messages in [typed, others] {
        assert_eq!(run(&stores, &messages).await, outcome(ImportedAs::Unchanged, 0, 3));
    }
}

async fn messages_of_one_time_keep_their_order(stores: TestStores) {
    let names = ["f", "a", "e", "b", "d", "c"];
    run(&stores, &record(&names.map(|name| (1, name)))).await;
    assert_eq!(texts(&stores).await, names);
}

const DIALOGUE: [(i64, &str); 8] = [
    (1, "hello, I want to pay"),
    (2, "what is the security code on the back of your card"),
    (3, "123"),
    (4, "and the number: 4111 1111"),
    (5, "1111 1111"),
    (6, "my ssn is 219-09-9999"),
    (7, "is my password hunter2"),
    (8, "thanks"),
];

async fn an_import_masks_as_the_interface_does(stores: TestStores) {
    run(&stores, &record(&DIALOGUE)).await;
    let service = stores.message_service(&ids(), from_micros(NOW));
    let other = ConversationRecord { conversation: request("call-2"), ..record(&[]) };
    run(&stores, &other).await;
    let second = stores.conversations.find_by_external_id(&acme(), &external_id("call-2")).await.unwrap().unwrap();
    let batch = MessageBatch::new(DIALOGUE.map(|(second, text)| new(second, text)).to_vec()).unwrap();
    service.append_batch(&caller(), second.id, batch, None).await.unwrap();
    let masked = |messages: Vec<Message>| {
        let columns = |message: Message| (message.sent_at, message.text, message.masked_with, message.redactions);
        messages.into_iter().map(columns).collect::<Vec<_>>()
    };
    let imported = masked(stored(&stores, "call-1").await);
    assert_eq!(imported, masked(stored(&stores, "call-2").await));
    assert_eq!(imported.iter().filter(|(_, text, ..)| text.as_str().contains('*')).count(), 5, "{imported:?}");
}

async fn a_message_of_a_later_record_masks_stored_ones(stores: TestStores) {
    for message in DIALOGUE {
        assert_eq!(run(&stores, &record(&[message])).await.added, 1);
    }
    let one_by_one = texts(&stores).await;
    assert!(one_by_one[3].contains('*') && one_by_one[4].contains('*'), "{one_by_one:?}");
    assert_eq!(run(&stores, &record(&DIALOGUE)).await, outcome(ImportedAs::Unchanged, 0, 8));
}

async fn a_conversation_of_many_messages_is_appended_in_steps(stores: TestStores) {
    let count = i64::try_from(2 * IMPORT_APPEND_MESSAGES + 10).unwrap();
    let messages: Vec<_> = (0..count).map(|second| new(second, &format!("message {second}, my pin is 1234"))).collect();
    let long = ConversationRecord { messages, ..record(&[]) };
    assert_eq!(run(&stores, &long).await.added, long.messages.len());
    assert_eq!(run(&stores, &long).await, outcome(ImportedAs::Unchanged, 0, long.messages.len()));
    let messages = stored(&stores, "call-1").await;
    assert!(messages.windows(2).all(|pair| pair[0].position() < pair[1].position()));
    assert!(
        messages.len() == long.messages.len() && messages.iter().all(|message| message.text.as_str().contains("****"))
    );
}

async fn records_of_one_conversation_that_race_add_each_message_once(stores: TestStores) {
    let messages: Vec<_> = (0..40).map(|second| new(second, "hello")).collect();
    let mut imports = JoinSet::new();
    for _ in 0..8 {
        let (stores, record) = (stores.clone(), ConversationRecord { messages: messages.clone(), ..record(&[]) });
        imports.spawn(async move { run(&stores, &record).await.added });
    }
    assert_eq!(imports.join_all().await.into_iter().sum::<usize>(), 40);
    assert_eq!(texts(&stores).await.len(), 40);
}

async fn a_record_updates_the_conversation_unless_it_must_not(stores: TestStores) {
    run(&stores, &record(&[])).await;
    let changed = UpsertRequest { agent: Change::Set(participant("agent-2", "Grace")), ..request("call-1") };
    let later = ConversationRecord { conversation: changed, updates: false, messages: Vec::new() };
    assert_eq!(run(&stores, &later).await.conversation, ImportedAs::Unchanged);
    let first = ConversationRecord { updates: true, ..later };
    assert_eq!(run(&stores, &first).await.conversation, ImportedAs::Updated);
    assert_eq!(run(&stores, &first).await.conversation, ImportedAs::Unchanged);
    let found = stores.conversations.find_by_external_id(&acme(), &external_id("call-1")).await.unwrap().unwrap();
    assert_eq!(found.agent, Some(participant("agent-2", "Grace")));
}

async fn a_feed_day_by_client_time_is_that_of_each_message(stores: TestStores) {
    let options = ImportOptions { feed_day: ImportDay::ClientTime, ..ImportOptions::default() };
    let (past, future, before) = (1_700_000_000, NOW / 1_000_000 + 1, -5);
    let messages = record(&[(past, "a"), (future, "b"), (before, "c")]);
    import_with(&stores, IdentifierPolicy::Allow).import(&caller(), &messages, options).await.unwrap();
    let created: Vec<Timestamp> = stored(&stores, "call-1").await.iter().map(|message| message.created_at).collect();
    assert_eq!(created, [from_micros(NOW), from_micros(past * 1_000_000), from_micros(NOW)]);
}

async fn a_record_with_a_refused_identifier_stores_nothing(stores: TestStores) {
    let card = Sender { role: Role::Customer, external_id: external_id("4111-1111-1111-1111") };
    let mut bad = record(&[(1, "a"), (2, "b"), (3, "c")]);
    bad.messages[0].sender = card.clone();
    bad.messages[2].sender = card;
    let import = import_with(&stores, IdentifierPolicy::Refuse);
    let refused = import.import(&caller(), &bad, ImportOptions::default()).await.unwrap_err();
    let ImportError::Identifiers(sensitive) = refused else { panic!("{refused}") };
    assert_eq!(sensitive.fields, [IdentifierField::BatchSender(0), IdentifierField::BatchSender(2)]);
    assert!(stores.conversations.find_by_external_id(&acme(), &external_id("call-1")).await.unwrap().is_none());
}

async fn a_message_that_was_erased_is_not_imported_again(stores: TestStores) {
    let both = record(&[(1, "erased"), (2, "stays")]);
    let _ = run(&stores, &both).await;
    let erased = MessageReference::from(&stored(&stores, "call-1").await[0]);
    let request = privacy_request_store::create(&stores, 1, PrivacyRequestType::Access).await;
    stores.subjects.erase_messages(&acme(), &request.id, &[erased], from_micros(NOW)).await.unwrap();
    let dry_run = ImportOptions { dry_run: true, ..ImportOptions::default() };
    let counted = import_with(&stores, IdentifierPolicy::Allow).import(&caller(), &both, dry_run).await.unwrap();
    let again = run(&stores, &both).await;
    assert_eq!(counted, again);
    assert_eq!((again.added, again.present, texts(&stores).await), (0, 2, vec!["stays".to_owned()]));
    assert_eq!(run(&stores, &record(&[(3, "new")])).await.added, 1);
}

async fn a_record_of_an_erased_tenant_fails_by_the_erasure_of_the_tenant(stores: TestStores) {
    assert_eq!(run(&stores, &record(&[(1, "hello")])).await.added, 1);
    assert_eq!(
        tenant_erasure_store::begin(&stores, &tenant_erasure_store::erasure()).await,
        TenantFenceOutcome::Stored
    );
    let import = import_with(&stores, IdentifierPolicy::Allow);
    let failure = async |key| {
        let record = ConversationRecord { conversation: request(key), ..record(&[(2, "late")]) };
        let refused = import.import(&caller(), &record, ImportOptions::default()).await.unwrap_err();
        if let ImportError::Store(error) = refused { Some(error.kind()) } else { None }
    };
    assert_eq!(failure("call-2").await, Some(StoreErrorKind::TenantErased));
    // The conversation that was stored before is refused too, once it is removed.
    tenant_erasure_store::remove_all(&stores).await;
    assert_eq!(failure("call-1").await, Some(StoreErrorKind::TenantErased));
}

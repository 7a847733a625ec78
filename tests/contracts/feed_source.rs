//! Contract of feed sources. There is no source in memory, because the database itself records the hours of late
//! changes.

use parlance_adapters_sql::SqlFeedSource;
use parlance_domain::{
    access::TenantId,
    feed::{Day, Feed, FeedRecord, FeedSource, Interval, RowCursor},
    id::{MessageId, VocabularyEntryId},
    message::{AppendOutcome, Message},
    redaction::{Activity, CommitOutcome, Entity, Switch, SwitchActor, SwitchId, SwitchRecord},
    time::{MICROS_PER_DAY, MICROS_PER_HOUR, Timestamp},
    vocabulary::{Capacity, InsertOutcome, RemoveOutcome, VocabularyEntry},
};
use support::{
    database::TestDatabase,
    fixtures::{self, AWKWARD_TEXTS, acme, conversation, credential, from_micros, globex, message},
    stores::TestStores,
};

sql_contract![
    messages_are_read_in_the_order_of_their_creation,
    a_day_has_exactly_the_records_that_were_created_on_it,
    an_hour_has_exactly_the_records_that_were_created_in_it,
    a_day_of_many_messages_is_read_whole_and_in_order,
    records_continue_after_a_cursor,
    any_text_in_a_cursor_is_treated_as_data,
    conversations_are_read_with_their_times,
    vocabulary_changes_list_additions_and_removals,
    a_refused_change_of_the_vocabulary_is_not_recorded,
    redaction_changes_are_the_switches,
    the_first_day_is_the_day_of_the_first_record,
    records_are_counted,
    tenants_are_those_with_credentials,
    a_tenant_does_not_see_another_tenants_records,
];

const DAY: i64 = MICROS_PER_DAY;

pub(crate) struct FeedSourceFixture {
    pub(crate) stores: TestStores,
    pub(crate) source: SqlFeedSource,
}

impl FeedSourceFixture {
    pub(crate) async fn new(database: &TestDatabase) -> Self {
        let database = database.open_migrated().await;
        Self { stores: TestStores::in_sql(&database), source: SqlFeedSource::new(database) }
    }

    async fn read_all(
        &self,
        tenant: &TenantId,
        feed: Feed,
        day: impl Into<Interval>,
        after: Option<&RowCursor>,
    ) -> Vec<FeedRecord> {
        let mut stream = self.source.records(tenant, feed, day.into(), after).await.unwrap();
        let mut all = Vec::new();
        loop {
            let next = stream.next().await.unwrap();
            if next.is_empty() {
                return all;
            }
            all.extend(next.into_vec().unwrap());
        }
    }

    /// Creates a conversation of a tenant at the given time.
    pub(crate) async fn create_conversation(&self, tenant: &TenantId, number: u128, created_at: Timestamp) {
        self.stores.create_conversation(tenant, &conversation(number, &format!("call-{number}")), created_at).await;
    }

    /// Appends a message to conversation 1 of acme at the given time.
    pub(crate) async fn append_message(&self, number: u128, created_at: Timestamp) -> Message {
        let message = Message { created_at, ..message(number, &conversation(1, "call-1").id, from_micros(5)) };
        assert_eq!(self.stores.messages.append(&acme(), &message).await.unwrap(), AppendOutcome::Appended);
        message
    }
}

pub(crate) fn first_day() -> Day {
    Day::from_epoch_days(20_000).unwrap()
}

/// The time this many microseconds after the start of the first day.
pub(crate) fn first_day_at(micros: i64) -> Timestamp {
    from_micros(20_000 * DAY + micros)
}

fn message_ids(records: &[FeedRecord]) -> Vec<MessageId> {
    let number = |record: &FeedRecord| match record {
        FeedRecord::Message(message) => message.id.clone(),
        other => panic!("expected a message, not {other:?}"),
    };
    records.iter().map(number).collect()
}

fn ids(numbers: impl IntoIterator<Item = u128>) -> Vec<MessageId> {
    numbers.into_iter().map(MessageId::from_bits).collect()
}

async fn messages_are_read_in_the_order_of_their_creation(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    fixture.create_conversation(&acme(), 1, first_day_at(0)).await;
    for (number, micros) in [(1, 9), (2, 3), (4, 3), (3, 3)] {
        fixture.append_message(number, first_day_at(micros)).await;
    }
    assert_eq!(message_ids(&fixture.read_all(&acme(), Feed::Messages, first_day(), None).await), ids([2, 3, 4, 1]));
}

async fn a_day_has_exactly_the_records_that_were_created_on_it(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    fixture.create_conversation(&acme(), 1, first_day_at(0)).await;
    for (number, micros) in [(1, -1), (2, 0), (3, DAY - 1), (4, DAY)] {
        fixture.append_message(number, first_day_at(micros)).await;
    }
    assert_eq!(message_ids(&fixture.read_all(&acme(), Feed::Messages, first_day(), None).await), ids([2, 3]));
}

async fn an_hour_has_exactly_the_records_that_were_created_in_it(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    fixture.create_conversation(&acme(), 1, first_day_at(0)).await;
    for (number, micros) in
        [(1, MICROS_PER_HOUR - 1), (2, MICROS_PER_HOUR), (3, 2 * MICROS_PER_HOUR - 1), (4, 2 * MICROS_PER_HOUR)]
    {
        fixture.append_message(number, first_day_at(micros)).await;
    }
    let hour = Interval::hours_of(first_day()).nth(1).unwrap();
    assert_eq!(fixture.read_all(&acme(), Feed::Messages, hour, None).await.len(), 2);
    assert_eq!(fixture.source.count(&acme(), Feed::Messages, hour).await.unwrap(), 2);
}

async fn a_day_of_many_messages_is_read_whole_and_in_order(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    fixture.create_conversation(&acme(), 1, first_day_at(0)).await;
    let insert = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
        INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at)
        SELECT 'acme', (SELECT id FROM conversations WHERE tenant_id = 'acme'), i, 'M' || (100000 + i), 1, 'agent-1', 'text', 1728000000000000 + i / 3 FROM n";
    database.open().await.execute_unprepared(insert).await.unwrap();
    let all = fixture.read_all(&acme(), Feed::Messages, first_day(), None).await;
    let cursors: Vec<_> = all.iter().map(FeedRecord::cursor).collect();
    assert_eq!(cursors.len(), 10_000);
    assert!(cursors.windows(2).all(|pair| pair[0] < pair[1]));
}

async fn records_continue_after_a_cursor(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    fixture.create_conversation(&acme(), 1, first_day_at(0)).await;
    let mut cursors = Vec::new();
    for number in 1..=4 {
        cursors.push(FeedRecord::Message(fixture.append_message(number, first_day_at(7)).await).cursor());
    }
    for (cursor, rest) in cursors.iter().zip([vec![2, 3, 4], vec![3, 4], vec![4], vec![]]) {
        assert_eq!(message_ids(&fixture.read_all(&acme(), Feed::Messages, first_day(), Some(cursor)).await), ids(rest));
    }
}

async fn any_text_in_a_cursor_is_treated_as_data(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    fixture.create_conversation(&acme(), 1, first_day_at(0)).await;
    fixture.append_message(1, first_day_at(7)).await;
    for key in AWKWARD_TEXTS.into_iter().chain(["'", "\\'", "\\", "$2", "') OR ('' = '"]) {
        for (micros, expected) in [(6, 1), (8, 0)] {
            let cursor = RowCursor { timestamp: first_day_at(micros), key: key.to_owned() };
            assert_eq!(
                fixture.read_all(&acme(), Feed::Messages, first_day(), Some(&cursor)).await.len(),
                expected,
                "{key}"
            );
        }
    }
}

async fn conversations_are_read_with_their_times(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    fixture.create_conversation(&acme(), 1, first_day_at(5)).await;
    let all = fixture.read_all(&acme(), Feed::Conversations, first_day(), None).await;
    let [FeedRecord::Conversation(record)] = &all[..] else { panic!("expected one conversation, not {all:?}") };
    assert_eq!(record.conversation, conversation(1, "call-1"));
    assert_eq!((record.created_at, record.updated_at), (first_day_at(5), first_day_at(5)));
}

async fn vocabulary_changes_list_additions_and_removals(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    let entry = VocabularyEntry { created_at: first_day_at(5), ..fixtures::vocabulary_entry(1, "IEEE") };
    let admitted = fixture.stores.vocabularies.insert(&acme(), &entry, Capacity::PER_TENANT, None).await.unwrap();
    assert_eq!(admitted, InsertOutcome::Inserted);
    let removed = fixture.stores.vocabularies.remove(&acme(), &entry.id, first_day_at(6)).await.unwrap();
    assert_eq!(removed, RemoveOutcome::Removed);
    let fields = |record: &FeedRecord| match record {
        FeedRecord::VocabularyChange(change) => (change.entry.clone(), change.kind.as_str(), change.changed_at),
        other => panic!("expected a change, not {other:?}"),
    };
    let all: Vec<_> =
        fixture.read_all(&acme(), Feed::VocabularyChanges, first_day(), None).await.iter().map(fields).collect();
    assert_eq!(all, [(entry.clone(), "added", first_day_at(5)), (entry, "removed", first_day_at(6))]);
}

async fn a_refused_change_of_the_vocabulary_is_not_recorded(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    let first_of_phrase = VocabularyEntry { created_at: first_day_at(5), ..fixtures::vocabulary_entry(1, "IEEE") };
    let second = VocabularyEntry { created_at: first_day_at(6), ..fixtures::vocabulary_entry(2, "IEEE") };
    for (entry, outcome) in [(&first_of_phrase, InsertOutcome::Inserted), (&second, InsertOutcome::PhraseTaken)] {
        assert_eq!(
            fixture.stores.vocabularies.insert(&acme(), entry, Capacity::PER_TENANT, None).await.unwrap(),
            outcome
        );
    }
    let absent =
        fixture.stores.vocabularies.remove(&acme(), &VocabularyEntryId::from_bits(9), first_day_at(7)).await.unwrap();
    assert_eq!(absent, RemoveOutcome::NotFound);
    assert_eq!(fixture.read_all(&acme(), Feed::VocabularyChanges, first_day(), None).await.len(), 1);
}

async fn redaction_changes_are_the_switches(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    let record = SwitchRecord {
        id: SwitchId::from_bits(1),
        switched_at: first_day_at(5),
        actor: SwitchActor::Embedder,
        entity: Entity::EMAIL,
        from: Activity::Off,
        to: Activity::On,
    };
    let switch = Switch { expected: None, record: record.clone() };
    assert_eq!(fixture.stores.redaction.set(&acme(), &switch).await.unwrap(), CommitOutcome::Committed);
    let all = fixture.read_all(&acme(), Feed::RedactionChanges, first_day(), None).await;
    assert_eq!(all, [FeedRecord::RedactionChange(Box::new(record))]);
}

async fn the_first_day_is_the_day_of_the_first_record(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    assert_eq!(fixture.source.first_day(&acme()).await.unwrap(), None);
    fixture.create_conversation(&acme(), 1, first_day_at(DAY)).await;
    fixture.append_message(1, first_day_at(5)).await;
    assert_eq!(fixture.source.first_day(&acme()).await.unwrap(), Some(first_day()));
}

async fn records_are_counted(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    fixture.create_conversation(&acme(), 1, first_day_at(0)).await;
    for number in 1..=3 {
        fixture.append_message(number, first_day_at(i64::try_from(number).unwrap())).await;
    }
    let count = async |feed, day| fixture.source.count(&acme(), feed, Interval::from(day)).await.unwrap();
    assert_eq!((count(Feed::Messages, first_day()).await, count(Feed::Conversations, first_day()).await), (3, 1));
    assert_eq!(count(Feed::Messages, first_day().next().unwrap()).await, 0);
}

async fn tenants_are_those_with_credentials(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    for (number, tenant) in [globex(), acme(), acme()].into_iter().enumerate() {
        fixture.stores.credentials.insert(&credential(tenant, number as u128)).await.unwrap();
    }
    assert_eq!(fixture.source.tenants().await.unwrap(), [acme(), globex()]);
}

async fn a_tenant_does_not_see_another_tenants_records(database: &TestDatabase) {
    let fixture = FeedSourceFixture::new(database).await;
    fixture.create_conversation(&globex(), 1, first_day_at(0)).await;
    assert!(fixture.read_all(&acme(), Feed::Conversations, first_day(), None).await.is_empty());
    assert_eq!(fixture.source.first_day(&acme()).await.unwrap(), None);
    assert_eq!(fixture.source.count(&acme(), Feed::Conversations, first_day().into()).await.unwrap(), 0);
    assert!(fixture.source.late_changes(&acme(), Feed::Conversations).await.unwrap().is_empty());
}

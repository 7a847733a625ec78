//! What every source of feeds does. There is none in memory: the days of late changes are the database's own to note.

use parlance_adapters_sql::SqlFeedSource;
use parlance_domain::{
    access::TenantId,
    conversation::{Addition, Append, Change, Message, Upsert, Upserted},
    feed::{Day, Feed, FeedSource, Record, RowPlace},
    id::{MessageId, VocabularyId},
    redaction::{Activity, Commit, Entity, Switch, SwitchId, SwitchRecord, SwitchedBy},
    time::{Clock, Timestamp},
    vocabulary::{Admission, Capacity, Removal},
};
use support::{
    database::TestDatabase,
    fixtures::{AWKWARD_TEXTS, acme, at, conversation, creation, credential, globex, message, vocabulary},
    stores::Stores,
};

sql_contract![
    messages_come_in_the_order_of_their_creation,
    a_day_has_what_was_created_on_it_and_nothing_else,
    a_day_of_many_messages_comes_whole_and_in_order,
    records_go_on_after_a_place,
    a_place_is_nothing_but_a_place_whatever_stands_in_it,
    conversations_come_with_their_times,
    vocabulary_changes_tell_what_was_added_and_what_removed,
    a_change_of_the_vocabulary_that_is_refused_is_no_record,
    redaction_changes_are_the_switches,
    the_first_day_is_that_of_the_first_record,
    what_arrives_on_its_own_day_is_not_late,
    what_arrives_after_its_day_is_late,
    of_what_arrives_at_once_each_day_that_is_over_is_late,
    a_conversation_that_is_updated_after_its_day_is_late,
    records_are_counted,
    tenants_are_those_with_credentials,
    a_tenant_is_given_nothing_of_anothers,
];

const DAY: i64 = 86_400_000_000;

struct Home {
    stores: Stores,
    source: SqlFeedSource,
}

impl Home {
    async fn of(database: &TestDatabase) -> Self {
        let database = database.migrated().await;
        Self { stores: Stores::in_sql(&database), source: SqlFeedSource::new(database) }
    }

    async fn all(&self, tenant: &TenantId, feed: Feed, day: Day, after: Option<&RowPlace>) -> Vec<Record> {
        let mut run = self.source.records(tenant, feed, day, after).await.unwrap();
        let mut all = Vec::new();
        loop {
            let next = run.next().await.unwrap();
            if next.is_empty() {
                return all;
            }
            all.extend(next.into_vec().unwrap());
        }
    }

    /// Gives a tenant a conversation that arrives at this moment.
    async fn converse(&self, tenant: &TenantId, number: u128, arrived: Timestamp) {
        self.stores.create(tenant, &conversation(number, &format!("call-{number}")), arrived).await;
    }

    /// Gives acme a message of its conversation 1 that arrives at this moment.
    async fn say(&self, number: u128, arrived: Timestamp) -> Message {
        let message = Message { created_at: arrived, ..message(number, &conversation(1, "call-1").id, at(5)) };
        assert_eq!(self.stores.messages.append(&acme(), &message).await.unwrap(), Append::Appended);
        message
    }
}

fn first() -> Day {
    Day::from_number(20_000).unwrap()
}

/// So many microseconds after the first day began.
fn on(micros: i64) -> Timestamp {
    at(20_000 * DAY + micros)
}

fn numbers(records: &[Record]) -> Vec<MessageId> {
    let number = |record: &Record| match record {
        Record::Message(message) => message.id.clone(),
        other => panic!("expected a message, not {other:?}"),
    };
    records.iter().map(number).collect()
}

fn ids(numbers: impl IntoIterator<Item = u128>) -> Vec<MessageId> {
    numbers.into_iter().map(MessageId::from_bits).collect()
}

async fn messages_come_in_the_order_of_their_creation(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.converse(&acme(), 1, on(0)).await;
    for (number, micros) in [(1, 9), (2, 3), (4, 3), (3, 3)] {
        home.say(number, on(micros)).await;
    }
    assert_eq!(numbers(&home.all(&acme(), Feed::Messages, first(), None).await), ids([2, 3, 4, 1]));
}

async fn a_day_has_what_was_created_on_it_and_nothing_else(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.converse(&acme(), 1, on(0)).await;
    for (number, micros) in [(1, -1), (2, 0), (3, DAY - 1), (4, DAY)] {
        home.say(number, on(micros)).await;
    }
    assert_eq!(numbers(&home.all(&acme(), Feed::Messages, first(), None).await), ids([2, 3]));
}

async fn a_day_of_many_messages_comes_whole_and_in_order(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.converse(&acme(), 1, on(0)).await;
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
        INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at)
        SELECT 'acme', (SELECT id FROM conversations), i, 'M' || (100000 + i), 1, 'agent-1', 'text', 1728000000000000 + i / 3 FROM n";
    database.open().await.execute_unprepared(many).await.unwrap();
    let all = home.all(&acme(), Feed::Messages, first(), None).await;
    let places: Vec<_> = all.iter().map(Record::place).collect();
    assert_eq!(places.len(), 10_000);
    assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
}

async fn records_go_on_after_a_place(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.converse(&acme(), 1, on(0)).await;
    let mut places = Vec::new();
    for number in 1..=4 {
        places.push(Record::Message(home.say(number, on(7)).await).place());
    }
    for (place, rest) in places.iter().zip([vec![2, 3, 4], vec![3, 4], vec![4], vec![]]) {
        assert_eq!(numbers(&home.all(&acme(), Feed::Messages, first(), Some(place)).await), ids(rest));
    }
}

async fn a_place_is_nothing_but_a_place_whatever_stands_in_it(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.converse(&acme(), 1, on(0)).await;
    home.say(1, on(7)).await;
    for key in AWKWARD_TEXTS.into_iter().chain(["'", "\\'", "\\", "$2", "') OR ('' = '"]) {
        for (micros, found) in [(6, 1), (8, 0)] {
            let place = RowPlace { at: on(micros), key: key.to_owned() };
            assert_eq!(home.all(&acme(), Feed::Messages, first(), Some(&place)).await.len(), found, "{key}");
        }
    }
}

async fn conversations_come_with_their_times(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.converse(&acme(), 1, on(5)).await;
    let all = home.all(&acme(), Feed::Conversations, first(), None).await;
    let [Record::Conversation(dated)] = &all[..] else { panic!("expected one conversation, not {all:?}") };
    assert_eq!(dated.conversation, conversation(1, "call-1"));
    assert_eq!((dated.created_at, dated.updated_at), (on(5), on(5)));
}

async fn vocabulary_changes_tell_what_was_added_and_what_removed(database: &TestDatabase) {
    let home = Home::of(database).await;
    let entry = parlance_domain::vocabulary::Vocabulary { created_at: on(5), ..vocabulary(1, "IEEE") };
    let admitted = home.stores.vocabularies.admit(&acme(), &entry, Capacity::PER_TENANT, None).await.unwrap();
    assert_eq!(admitted, Admission::Admitted);
    let removed = home.stores.vocabularies.remove(&acme(), &entry.id, on(6)).await.unwrap();
    assert_eq!(removed, Removal::Removed);
    let told = |record: &Record| match record {
        Record::VocabularyChange(change) => (change.entry.clone(), change.kind.as_str(), change.at),
        other => panic!("expected a change, not {other:?}"),
    };
    let all: Vec<_> = home.all(&acme(), Feed::VocabularyChanges, first(), None).await.iter().map(told).collect();
    assert_eq!(all, [(entry.clone(), "added", on(5)), (entry, "removed", on(6))]);
}

async fn a_change_of_the_vocabulary_that_is_refused_is_no_record(database: &TestDatabase) {
    let home = Home::of(database).await;
    let first_of_phrase = parlance_domain::vocabulary::Vocabulary { created_at: on(5), ..vocabulary(1, "IEEE") };
    let second = parlance_domain::vocabulary::Vocabulary { created_at: on(6), ..vocabulary(2, "IEEE") };
    for (entry, outcome) in [(&first_of_phrase, Admission::Admitted), (&second, Admission::PhraseTaken)] {
        assert_eq!(home.stores.vocabularies.admit(&acme(), entry, Capacity::PER_TENANT, None).await.unwrap(), outcome);
    }
    let absent = home.stores.vocabularies.remove(&acme(), &VocabularyId::from_bits(9), on(7)).await.unwrap();
    assert_eq!(absent, Removal::Absent);
    assert_eq!(home.all(&acme(), Feed::VocabularyChanges, first(), None).await.len(), 1);
}

async fn redaction_changes_are_the_switches(database: &TestDatabase) {
    let home = Home::of(database).await;
    let record = SwitchRecord {
        id: SwitchId::from_bits(1),
        at: on(5),
        by: SwitchedBy::Embedder,
        entity: Entity::EMAIL,
        from: Activity::Off,
        to: Activity::On,
    };
    let switch = Switch { presumes: None, record: record.clone() };
    assert_eq!(home.stores.redaction.set(&acme(), &switch).await.unwrap(), Commit::Committed);
    let all = home.all(&acme(), Feed::RedactionChanges, first(), None).await;
    assert_eq!(all, [Record::RedactionChange(Box::new(record))]);
}

async fn the_first_day_is_that_of_the_first_record(database: &TestDatabase) {
    let home = Home::of(database).await;
    assert_eq!(home.source.first_day(&acme()).await.unwrap(), None);
    home.converse(&acme(), 1, on(DAY)).await;
    home.say(1, on(5)).await;
    assert_eq!(home.source.first_day(&acme()).await.unwrap(), Some(first()));
}

async fn what_arrives_on_its_own_day_is_not_late(database: &TestDatabase) {
    let home = Home::of(database).await;
    let now = parlance::system::SystemClock.now();
    home.converse(&acme(), 1, now).await;
    home.say(1, now).await;
    for feed in Feed::ALL {
        assert!(home.source.late_changes(&acme(), feed).await.unwrap().is_empty());
    }
}

async fn what_arrives_after_its_day_is_late(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.converse(&acme(), 1, on(0)).await;
    for number in 1..=3 {
        home.say(number, on(0)).await;
    }
    let late = home.source.late_changes(&acme(), Feed::Messages).await.unwrap();
    assert_eq!(late.into_iter().collect::<Vec<_>>(), [(first(), 3)]);
}

async fn of_what_arrives_at_once_each_day_that_is_over_is_late(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.converse(&acme(), 1, on(0)).await;
    let conversation = conversation(1, "call-1").id;
    let arrived = [on(0), parlance::system::SystemClock.now(), on(DAY), on(5)];
    let messages =
        (1..).zip(arrived).map(|(number, created_at)| Message { created_at, ..message(number, &conversation, at(5)) });
    let messages = messages.collect();
    let addition = Addition { conversation, messages, seen: None, masks: Vec::new(), receipt: None };
    assert_eq!(home.stores.messages.append_all(&acme(), &addition).await.unwrap(), Append::Appended);
    let late = home.source.late_changes(&acme(), Feed::Messages).await.unwrap();
    assert_eq!(late.into_keys().collect::<Vec<_>>(), [first(), first().next().unwrap()]);
}

async fn a_conversation_that_is_updated_after_its_day_is_late(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.converse(&acme(), 1, on(0)).await;
    let count = async || home.source.late_changes(&acme(), Feed::Conversations).await.unwrap()[&first()];
    let before = count().await;
    let change = Upsert { agent: Change::Clear, ..creation(&conversation(2, "call-1")) };
    let outcome = home.stores.conversations.upsert(&acme(), &change, on(DAY), None).await.unwrap();
    assert_eq!(outcome, Upserted::Stored(conversation(1, "call-1").id));
    assert_eq!(count().await, before + 1);
}

async fn records_are_counted(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.converse(&acme(), 1, on(0)).await;
    for number in 1..=3 {
        home.say(number, on(i64::try_from(number).unwrap())).await;
    }
    let count = async |feed, day| home.source.count(&acme(), feed, day).await.unwrap();
    assert_eq!((count(Feed::Messages, first()).await, count(Feed::Conversations, first()).await), (3, 1));
    assert_eq!(count(Feed::Messages, first().next().unwrap()).await, 0);
}

async fn tenants_are_those_with_credentials(database: &TestDatabase) {
    let home = Home::of(database).await;
    for (number, tenant) in [globex(), acme(), acme()].into_iter().enumerate() {
        home.stores.credentials.insert(&credential(tenant, number as u128)).await.unwrap();
    }
    assert_eq!(home.source.tenants().await.unwrap(), [acme(), globex()]);
}

async fn a_tenant_is_given_nothing_of_anothers(database: &TestDatabase) {
    let home = Home::of(database).await;
    home.converse(&globex(), 1, on(0)).await;
    assert!(home.all(&acme(), Feed::Conversations, first(), None).await.is_empty());
    assert_eq!(home.source.first_day(&acme()).await.unwrap(), None);
    assert_eq!(home.source.count(&acme(), Feed::Conversations, first()).await.unwrap(), 0);
    assert!(home.source.late_changes(&acme(), Feed::Conversations).await.unwrap().is_empty());
}

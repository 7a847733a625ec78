//! What a SQL database does beyond the ports: its schema comes up to date, what it keeps is durable, and one that is
//! out of reach says so.

use parlance_adapters_sql::{Database, OpenError, SchemaError};
use parlance_domain::{
    conversation::{Addition, Append, PageLimit, Upserted},
    error::{StoreError, StoreErrorKind},
    lease::{Duty, LeaseRequest, ReplicaId},
    readiness::ReadinessProbe,
    retry::{KeyDigest, Operation},
    vocabulary::{Admission, Capacity, PageSize, Removal},
};
use support::{
    database::{TestDatabase, answer},
    fixtures::{
        acme, ada, at, bare_conversation, conversation, creation, credential, digest, globex, message, vocabulary,
    },
    stores::Stores,
};
use tokio::task::JoinSet;

sql_contract![
    a_new_database_has_an_outdated_schema,
    a_migrated_database_has_the_schema,
    a_second_migration_changes_nothing,
    migrations_from_several_processes_take_turns,
    writes_from_several_processes_all_land,
    a_newer_schema_is_refused,
    a_schema_that_fails_midway_is_not_there_at_all,
    what_was_written_is_there_after_opening_again,
    every_call_on_a_closed_database_is_unavailable,
    a_database_is_ready_until_it_is_closed,
    a_row_knows_when_it_was_made_and_changed,
    a_message_without_a_conversation_cannot_be_stored,
    a_vocabulary_has_one_version_more_after_each_change,
];

const LATER_MIGRATION: &str = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_later', 0)";

async fn a_new_database_has_an_outdated_schema(home: &TestDatabase) {
    let database = home.open().await;
    assert!(matches!(database.check_schema().await, Err(SchemaError::Outdated)));
}

async fn a_migrated_database_has_the_schema(home: &TestDatabase) {
    let database = home.migrated().await;
    database.check_schema().await.unwrap();
}

async fn a_second_migration_changes_nothing(home: &TestDatabase) {
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    let kept = create(&stores).await;
    database.migrate().await.unwrap();
    assert!(stores.conversations.find(&acme(), &kept).await.unwrap().is_some());
}

/// Each process has its own connections, so each is played by an opened database.
async fn migrations_from_several_processes_take_turns(home: &TestDatabase) {
    let mut processes = JoinSet::new();
    for _ in 0..8 {
        let url = home.url().to_owned();
        processes.spawn(async move {
            let database = Database::open(&url).await.unwrap();
            database.migrate().await.unwrap();
            database.check_schema().await.unwrap();
        });
    }
    processes.join_all().await;
}

async fn writes_from_several_processes_all_land(home: &TestDatabase) {
    let mut processes = JoinSet::new();
    for process in 0..4 {
        let stores = Stores::in_sql(&home.migrated().await);
        processes.spawn(async move {
            for number in process * 10..(process + 1) * 10 {
                stores.create(&acme(), &conversation(number, &format!("call-{number}")), at(5)).await;
            }
        });
    }
    processes.join_all().await;
    assert_eq!(answer(&home.look().await, "SELECT count(*) AS answer FROM conversations").await, 40);
}

async fn a_newer_schema_is_refused(home: &TestDatabase) {
    let database = home.migrated().await;
    database.execute_unprepared(LATER_MIGRATION).await.unwrap();
    assert!(matches!(database.check_schema().await, Err(SchemaError::Newer)));
    assert!(matches!(database.migrate().await, Err(SchemaError::Newer)));
}

async fn a_schema_that_fails_midway_is_not_there_at_all(home: &TestDatabase) {
    let database = home.open().await;
    database.execute_unprepared("CREATE TABLE messages (in_the_way TEXT)").await.unwrap();
    assert!(matches!(database.migrate().await, Err(SchemaError::Database(_))));
    assert!(matches!(database.check_schema().await, Err(SchemaError::Outdated)));
    assert!(database.execute_unprepared("SELECT 1 FROM conversations").await.is_err());
}

async fn what_was_written_is_there_after_opening_again(home: &TestDatabase) {
    let database = home.migrated().await;
    let kept = create(&Stores::in_sql(&database)).await;
    database.close().await.unwrap();
    let stores = Stores::in_sql(&home.open().await);
    assert!(stores.conversations.find(&acme(), &kept).await.unwrap().is_some());
}

async fn create(stores: &Stores) -> parlance_domain::id::ConversationId {
    let new = conversation(1, "call-1");
    let id = new.id.clone();
    stores.create(&acme(), &new, at(5)).await;
    id
}

async fn every_call_on_a_closed_database_is_unavailable(home: &TestDatabase) {
    let database = home.migrated().await;
    let Stores {
        conversations,
        messages,
        vocabularies,
        deliveries,
        credentials,
        redaction,
        receipts,
        leases,
        audit,
        tenants,
    } = Stores::in_sql(&database);
    database.close().await.unwrap();
    let (tenant, new, credential) = (acme(), conversation(1, "call-1"), credential(acme(), 1));
    let (said, entry) = (message(1, &new.id, at(0)), vocabulary(1, "IEEE"));

    let (conversation, messages_of) = (new.id.clone(), vec![said.clone()]);
    let addition = Addition { conversation, messages: messages_of, seen: None, masks: Vec::new(), receipt: None };

    unavailable("find a conversation", conversations.find(&tenant, &new.id).await);
    unavailable("find by externalId", conversations.find_by_external_id(&tenant, &new.external_id).await);
    unavailable("upsert", conversations.upsert(&tenant, &creation(&new), at(5), None).await);
    unavailable("append", messages.append(&tenant, &said).await);
    unavailable("append all", messages.append_all(&tenant, &addition).await);
    unavailable("newest", messages.newest(&tenant, &new.id, None).await);
    unavailable("page", messages.page(&tenant, &new.id, None, PageLimit::MAX).await);
    unavailable("admit", vocabularies.admit(&tenant, &entry, Capacity::PER_TENANT, None).await);
    unavailable("find an entry", vocabularies.find(&tenant, &entry.id).await);
    unavailable("page of entries", vocabularies.page(&tenant, None, PageSize::MAX).await);
    unavailable("remove", vocabularies.remove(&tenant, &entry.id, at(5)).await);
    unavailable("due", deliveries.due(at(5), 1).await);
    unavailable("progress", deliveries.progress(&tenant).await);
    unavailable("edition", deliveries.edition(&tenant).await);
    unavailable("begin again", deliveries.begin_again(None, at(5)).await);
    unavailable("find a credential", credentials.find(&credential.id).await);
    unavailable("insert", credentials.insert(&credential).await);
    unavailable("list", credentials.list(None).await);
    unavailable("audit tenants", audit.tenants().await);
    unavailable("head", audit.head(&acme()).await);
    unavailable("is_known", tenants.is_known(&acme()).await);
    unavailable("records", audit.records(&acme(), 0, 1).await);
    unavailable("rotate", credentials.rotate(&credential.id, &digest(2), at(9), at(9)).await);
    unavailable("revoke", credentials.revoke(&credential.id, at(9)).await);
    unavailable("flags", redaction.flags(&tenant).await);
    unavailable("log", redaction.log(&tenant).await);
    unavailable("find a receipt", receipts.find(&tenant, Operation::CreateMessage, &KeyDigest([1; 32])).await);
    unavailable("forget receipts", receipts.forget(at(5)).await);
    let (duty, replica) = (Duty::FeedProduction, ReplicaId::from_bits(1));
    let request = LeaseRequest { duty, replica: replica.clone(), now: at(5), until: at(9) };
    unavailable("take a duty", leases.take(&request).await);
    unavailable("give a duty back", leases.give_back(duty, &replica).await);
}

fn unavailable<T>(call: &str, outcome: Result<T, StoreError>) {
    assert_eq!(outcome.err().map(|error| error.kind()), Some(StoreErrorKind::Unavailable), "{call}");
}

async fn a_database_is_ready_until_it_is_closed(home: &TestDatabase) {
    let database = home.open().await;
    database.check().await.unwrap();
    database.clone().close().await.unwrap();
    unavailable("check", database.check().await);
}

async fn a_row_knows_when_it_was_made_and_changed(home: &TestDatabase) {
    let stores = Stores::in_sql(&home.migrated().await);
    let id = create(&stores).await;
    let change = creation(&bare_conversation(2, "call-1"));
    assert_eq!(stores.conversations.upsert(&acme(), &change, at(6), None).await.unwrap(), Upserted::Stored(id));
    let times = "SELECT created_at * 10 + updated_at AS answer FROM conversations";
    assert_eq!(answer(&home.look().await, times).await, 56);
}

async fn a_message_without_a_conversation_cannot_be_stored(home: &TestDatabase) {
    let database = home.migrated().await;
    create(&Stores::in_sql(&database)).await;
    let columns = "tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at";
    let orphan = format!("INSERT INTO messages ({columns}) VALUES ('globex', 'A', 0, 'A', 1, 'a', 'a', 0)");
    assert!(database.execute_unprepared(&orphan).await.is_err());
    assert_eq!(answer(&home.look().await, "SELECT count(*) AS answer FROM messages").await, 0);
}

async fn a_vocabulary_has_one_version_more_after_each_change(home: &TestDatabase) {
    let Stores { vocabularies, .. } = Stores::in_sql(&home.migrated().await);
    let (first, second) = (vocabulary(1, "IEEE"), vocabulary(2, "ACM"));
    let absent = vocabulary(3, "IEEE");
    for tenant in [acme(), globex()] {
        let admitted = vocabularies.admit(&tenant, &first, Capacity::PER_TENANT, None).await;
        assert_eq!(admitted.unwrap(), Admission::Admitted);
    }
    assert_eq!(vocabularies.admit(&acme(), &second, Capacity::PER_TENANT, None).await.unwrap(), Admission::Admitted);
    assert_eq!(vocabularies.admit(&acme(), &absent, Capacity::PER_TENANT, None).await.unwrap(), Admission::PhraseTaken);
    assert_eq!(vocabularies.remove(&acme(), &absent.id, at(8)).await.unwrap(), Removal::Absent);
    assert_eq!(vocabularies.remove(&acme(), &first.id, at(7)).await.unwrap(), Removal::Removed);
    let connection = home.look().await;
    for (tenant, version, changed) in [("acme", 3, 7), ("globex", 1, 4_000)] {
        let of = format!("AS answer FROM configuration_versions WHERE tenant_id = '{tenant}'");
        assert_eq!(answer(&connection, &format!("SELECT vocabulary_version {of}")).await, version, "{tenant}");
        assert_eq!(answer(&connection, &format!("SELECT changed_at {of}")).await, changed, "{tenant}");
    }
}

#[tokio::test]
async fn sqlite_flushes_its_write_ahead_log_at_every_commit() {
    let home = TestDatabase::sqlite();
    let database = home.open().await;
    // The connection that writes is asked itself, for the setting is each connection's own.
    database
        .execute_unprepared("CREATE TABLE asked AS SELECT synchronous AS answer FROM pragma_synchronous")
        .await
        .unwrap();
    let full = 2;
    assert_eq!(answer(&home.look().await, "SELECT answer FROM asked").await, full);
}

#[tokio::test]
async fn sqlite_keeps_a_write_ahead_log() {
    let home = TestDatabase::sqlite();
    let database = home.open().await;
    let ask = "CREATE TABLE asked AS SELECT journal_mode = 'wal' AS answer FROM pragma_journal_mode";
    database.execute_unprepared(ask).await.unwrap();
    assert_eq!(answer(&home.look().await, "SELECT answer FROM asked").await, 1);
}

#[tokio::test]
async fn a_reader_of_sqlite_is_not_held_up_by_an_open_transaction() {
    let home = TestDatabase::sqlite();
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    let kept = create(&stores).await;
    database.execute_unprepared("BEGIN IMMEDIATE; UPDATE conversations SET customer_name = NULL").await.unwrap();
    let found = stores.conversations.find(&acme(), &kept).await.unwrap().unwrap();
    assert_eq!(found.customer, ada());
    database.execute_unprepared("ROLLBACK").await.unwrap();
}

#[tokio::test]
async fn a_lock_that_another_process_holds_on_sqlite_makes_writes_unavailable() {
    let home = TestDatabase::sqlite();
    let stores = Stores::in_sql(&home.migrated().await);
    let other = home.open().await;
    other.execute_unprepared("BEGIN IMMEDIATE").await.unwrap();
    let new = conversation(1, "call-1");
    unavailable("upsert", stores.conversations.upsert(&acme(), &creation(&new), at(5), None).await);
    other.execute_unprepared("ROLLBACK").await.unwrap();
    stores.create(&acme(), &new, at(5)).await;
}

#[tokio::test]
async fn sqlite_in_memory_is_one_database() {
    let database = Database::open("sqlite::memory:").await.unwrap();
    database.migrate().await.unwrap();
    let stores = Stores::in_sql(&database);
    let id = create(&stores).await;
    assert_eq!(stores.messages.append(&acme(), &message(1, &id, at(0))).await.unwrap(), Append::Appended);
    assert_eq!(stores.messages.page(&acme(), &id, None, PageLimit::MAX).await.unwrap().messages.len(), 1);
}

#[tokio::test]
async fn an_address_of_no_supported_database_is_refused() {
    for address in ["", "mysql://localhost/parlance", "parlance.db", "SQLITE://parlance.db"] {
        assert!(matches!(Database::open(address).await, Err(OpenError::UnknownKind)), "{address:?}");
    }
}

#[tokio::test]
async fn a_server_that_does_not_answer_refuses_without_repeating_the_password() {
    let refused = Database::open("postgres://parlance:hush-hush@127.0.0.1:1/parlance").await.unwrap_err();
    assert!(matches!(refused, OpenError::Refused(_)));
    assert!(!format!("{refused} {refused:?}").contains("hush-hush"));
}

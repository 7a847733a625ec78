//! Tests of the SQL databases beyond the ports: migrations, durability, and errors of databases that cannot be reached.

use std::slice;

use parlance_adapters_sql::{Database, DatabaseOpenError, MigrationReport, SchemaError};
use parlance_domain::{
    conversation::UpsertOutcome,
    error::{StoreError, StoreErrorKind},
    event::{LogPosition, StreamTarget},
    idempotency::{KeyDigest, Operation},
    lease::{LeaseName, LeaseRequest, LeaseTerm, ReplicaId},
    message::{AppendBatch, PageLimit},
    readiness::ReadinessProbe,
    vocabulary::{Capacity, InsertOutcome, PageSize, RemoveOutcome, delivery::DeliveryProgress},
};
use support::{
    database::{TestDatabase, query_integer},
    fixtures::{
        acme, bare_conversation, conversation, credential, digest, from_micros, globex, message, upsert_for,
        vocabulary_entry,
    },
    stores::TestStores,
};
use tokio::task::JoinSet;

use crate::{
    message_store::create_conversation,
    stream_address_store::{presented_address, stream_address},
};

sql_contract![
    a_new_database_is_empty_and_one_with_other_tables_is_not,
    a_migration_reports_what_it_changed,
    a_migrated_database_has_the_schema,
    a_second_migration_changes_nothing,
    concurrent_migrations_from_several_processes_succeed,
    writes_from_several_processes_are_all_stored,
    a_newer_schema_that_needs_a_newer_program_is_refused,
    a_migration_that_fails_midway_is_rolled_back,
    writes_survive_reopening_the_database,
    every_call_on_a_closed_database_is_unavailable,
    a_database_is_ready_until_it_is_closed,
    a_row_has_its_creation_time_and_its_update_time,
    a_message_without_a_conversation_cannot_be_stored,
    every_vocabulary_change_increments_the_version,
];

const LATER_MIGRATION: &str = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_later', 0)";

async fn a_new_database_is_empty_and_one_with_other_tables_is_not(test_db: &TestDatabase) {
    let database = test_db.open().await;
    assert!(matches!(database.check_schema().await, Err(SchemaError::Empty)));
    assert!(matches!(database.check_migratable().await, Err(SchemaError::Empty)));
    database.execute_unprepared("CREATE TABLE other (id BIGINT)").await.unwrap();
    assert!(matches!(database.check_schema().await, Err(SchemaError::Missing)));
    assert!(matches!(database.check_migratable().await, Err(SchemaError::Missing)));
}

async fn a_migration_reports_what_it_changed(test_db: &TestDatabase) {
    let database = test_db.open().await;
    let report = database.migrate().await.unwrap();
    assert!(report.is_new && report.migrations.first() == Some(&"m0001_baseline"), "{report:?}");
    assert!(report.functions.contains(&"late_changes_v1"), "{report:?}");
    assert_eq!(database.migrate().await.unwrap(), MigrationReport::default());
}

async fn a_migrated_database_has_the_schema(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    database.check_schema().await.unwrap();
}

async fn a_second_migration_changes_nothing(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    let id = create_conversation(&stores, &acme(), 1).await;
    database.migrate().await.unwrap();
    assert!(stores.conversations.find(&acme(), &id).await.unwrap().is_some());
}

/// Each open database has its own connections, as a separate process would.
async fn concurrent_migrations_from_several_processes_succeed(test_db: &TestDatabase) {
    let mut processes = JoinSet::new();
    for _ in 0..8 {
        let url = test_db.url().to_owned();
        processes.spawn(async move {
            let database = Database::open(&url).await.unwrap();
            database.migrate().await.unwrap();
            database.check_schema().await.unwrap();
        });
    }
    processes.join_all().await;
}

async fn writes_from_several_processes_are_all_stored(test_db: &TestDatabase) {
    let mut processes = JoinSet::new();
    for process in 0..4 {
        let stores = TestStores::in_sql(&test_db.open_migrated().await);
        processes.spawn(async move {
            for number in process * 10..(process + 1) * 10 {
                create_conversation(&stores, &acme(), number).await;
            }
        });
    }
    processes.join_all().await;
    assert_eq!(query_integer(&test_db.connect().await, "SELECT count(*) AS answer FROM conversations").await, 40);
}

async fn a_newer_schema_that_needs_a_newer_program_is_refused(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    database.execute_unprepared(LATER_MIGRATION).await.unwrap();
    database.execute_unprepared("UPDATE schema_compatibility SET required_migration = 'm9999_later'").await.unwrap();
    assert!(matches!(database.check_schema().await, Err(SchemaError::Newer)));
    assert!(matches!(database.migrate().await, Err(SchemaError::Newer)));
}

async fn a_migration_that_fails_midway_is_rolled_back(test_db: &TestDatabase) {
    let database = test_db.open().await;
    database.execute_unprepared("CREATE TABLE messages (in_the_way TEXT)").await.unwrap();
    assert!(matches!(database.migrate().await, Err(SchemaError::Database(_))));
    assert!(matches!(database.check_schema().await, Err(SchemaError::Missing)));
    assert!(database.execute_unprepared("SELECT 1 FROM conversations").await.is_err());
}

async fn writes_survive_reopening_the_database(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let id = create_conversation(&TestStores::in_sql(&database), &acme(), 1).await;
    database.close().await.unwrap();
    let stores = TestStores::in_sql(&test_db.open().await);
    assert!(stores.conversations.find(&acme(), &id).await.unwrap().is_some());
}

async fn every_call_on_a_closed_database_is_unavailable(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    let TestStores {
        conversations,
        messages,
        imports,
        vocabularies,
        deliveries,
        credentials,
        redaction,
        idempotency,
        leases,
        audit,
        log,
        stream_addresses,
        webhooks,
        tenants,
        ..
    } = TestStores::in_sql(&database);
    database.close().await.unwrap();
    let (tenant, new, credential) = (acme(), conversation(1, "call-1"), credential(acme(), 1));
    let (first_message, entry) = (message(1, &new.id, from_micros(0)), vocabulary_entry(1, "IEEE"));

    let (conversation, batch_messages) = (new.id.clone(), vec![first_message.clone()]);
    let batch = AppendBatch {
        conversation,
        messages: batch_messages,
        expected_tail: None,
        mask_updates: Vec::new(),
        idempotency_record: None,
    };

    assert_unavailable("find a conversation", conversations.find(&tenant, &new.id).await);
    let creation = imports.create(&tenant, &upsert_for(&new), from_micros(0), &[]).await;
    assert_unavailable("create an imported conversation", creation);
    assert_unavailable("find by externalId", conversations.find_by_external_id(&tenant, &new.external_id).await);
    assert_unavailable("upsert", conversations.upsert(&tenant, &upsert_for(&new), from_micros(5), None).await);
    assert_unavailable("append", messages.append(&tenant, &first_message).await);
    assert_unavailable("append a batch", messages.append_batch(&tenant, &batch).await);
    assert_unavailable("newest", messages.newest(&tenant, &new.id, None).await);
    assert_unavailable("page", messages.page(&tenant, &new.id, None, PageLimit::MAX).await);
    let position = (new.id.clone(), first_message.position());
    assert_unavailable("find messages", messages.find_all(&tenant, &[position]).await);
    assert_unavailable("find conversations", conversations.find_all(&tenant, slice::from_ref(&new.id)).await);
    assert_unavailable("read the change log", log.read(&tenant, LogPosition::START, 1).await);
    assert_unavailable("newest position", log.newest(&tenant).await);
    assert_unavailable("oldest position", log.oldest(&tenant).await);
    assert_unavailable("has entries", log.has_entries(&[(tenant.clone(), LogPosition::START)]).await);
    assert_unavailable("drop entries", log.drop_before(from_micros(5)).await);
    assert_unavailable("status of the change log", log.status().await);
    let (address, presented) = (stream_address(1, StreamTarget::default()), presented_address(1));
    assert_unavailable("insert an address", stream_addresses.insert(&tenant, &address, from_micros(5)).await);
    assert_unavailable("take an address", stream_addresses.take(&tenant, &presented, from_micros(5)).await);
    assert_unavailable("look for an address", stream_addresses.find(&tenant, &presented, from_micros(5)).await);
    assert_unavailable("insert an entry", vocabularies.insert(&tenant, &entry, Capacity::PER_TENANT, None).await);
    assert_unavailable("find an entry", vocabularies.find(&tenant, &entry.id).await);
    assert_unavailable("page of entries", vocabularies.page(&tenant, None, PageSize::MAX).await);
    assert_unavailable("remove an entry", vocabularies.remove(&tenant, &entry.id, from_micros(5)).await);
    assert_unavailable("due", deliveries.due(from_micros(5), 1).await);
    assert_unavailable("progress", deliveries.progress(&tenant).await);
    assert_unavailable("snapshot", deliveries.snapshot(&tenant).await);
    assert_unavailable("tenants with deliveries", deliveries.tenants().await);
    let progress = DeliveryProgress::default();
    assert_unavailable("compare and set", deliveries.compare_and_set(&tenant, &progress, &progress).await);
    assert_unavailable("find a credential", credentials.find(&credential.id).await);
    assert_unavailable("insert a credential", credentials.insert(&credential).await);
    assert_unavailable("list", credentials.list(None).await);
    assert_unavailable("tenants of the audit log", audit.tenants().await);
    assert_unavailable("head", audit.head(&acme()).await);
    assert_unavailable("tenant exists", tenants.exists(&acme()).await);
    assert_unavailable("records", audit.records(&acme(), 0, 1).await);
    assert_unavailable("rotate", credentials.rotate(&credential.id, &digest(2), from_micros(9), from_micros(9)).await);
    assert_unavailable("revoke", credentials.revoke(&credential.id, from_micros(9)).await);
    assert_unavailable("flags", redaction.flags(&tenant).await);
    assert_unavailable("log", redaction.log(&tenant).await);
    assert_unavailable("find a key", idempotency.find(&tenant, Operation::CreateMessage, &KeyDigest([1; 32])).await);
    assert_unavailable("purge keys", idempotency.purge(from_micros(5)).await);
    let request = LeaseRequest { name: LeaseName::FeedProduction, replica: ReplicaId::from_bits(1), seconds: 9 };
    assert_unavailable("acquire a lease", leases.acquire(&request).await);
    assert_unavailable("active webhooks", webhooks.active().await);
    assert_unavailable("claim webhooks", webhooks.claim(LeaseTerm(1)).await);
    assert_unavailable("release a lease", leases.release(request.name, &request.replica).await);
}

pub(crate) fn assert_unavailable<T>(call: &str, outcome: Result<T, StoreError>) {
    assert_eq!(outcome.err().map(|error| error.kind()), Some(StoreErrorKind::Unavailable), "{call}");
}

async fn a_database_is_ready_until_it_is_closed(test_db: &TestDatabase) {
    let database = test_db.open().await;
    database.check().await.unwrap();
    database.clone().close().await.unwrap();
    assert_unavailable("check", database.check().await);
}

async fn a_row_has_its_creation_time_and_its_update_time(test_db: &TestDatabase) {
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let id = create_conversation(&stores, &acme(), 1).await;
    let change = upsert_for(&bare_conversation(2, "call-1"));
    assert_eq!(
        stores.conversations.upsert(&acme(), &change, from_micros(6), None).await.unwrap(),
        UpsertOutcome::Stored(id)
    );
    let times = "SELECT created_at * 10 + updated_at AS answer FROM conversations";
    assert_eq!(query_integer(&test_db.connect().await, times).await, 56);
}

async fn a_message_without_a_conversation_cannot_be_stored(test_db: &TestDatabase) {
    let database = test_db.open_migrated().await;
    create_conversation(&TestStores::in_sql(&database), &acme(), 1).await;
    let columns = "tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at";
    let orphan = format!("INSERT INTO messages ({columns}) VALUES ('globex', 'A', 0, 'A', 1, 'a', 'a', 0)");
    assert!(database.execute_unprepared(&orphan).await.is_err());
    assert_eq!(query_integer(&test_db.connect().await, "SELECT count(*) AS answer FROM messages").await, 0);
}

async fn every_vocabulary_change_increments_the_version(test_db: &TestDatabase) {
    let TestStores { vocabularies, .. } = TestStores::in_sql(&test_db.open_migrated().await);
    let (first, second) = (vocabulary_entry(1, "IEEE"), vocabulary_entry(2, "ACM"));
    let duplicate = vocabulary_entry(3, "IEEE");
    for tenant in [acme(), globex()] {
        let admitted = vocabularies.insert(&tenant, &first, Capacity::PER_TENANT, None).await;
        assert_eq!(admitted.unwrap(), InsertOutcome::Inserted);
    }
    assert_eq!(
        vocabularies.insert(&acme(), &second, Capacity::PER_TENANT, None).await.unwrap(),
        InsertOutcome::Inserted
    );
    assert_eq!(
        vocabularies.insert(&acme(), &duplicate, Capacity::PER_TENANT, None).await.unwrap(),
        InsertOutcome::PhraseTaken
    );
    assert_eq!(vocabularies.remove(&acme(), &duplicate.id, from_micros(8)).await.unwrap(), RemoveOutcome::NotFound);
    assert_eq!(vocabularies.remove(&acme(), &first.id, from_micros(7)).await.unwrap(), RemoveOutcome::Removed);
    let connection = test_db.connect().await;
    for (tenant, version, changed) in [("acme", 3, 7), ("globex", 1, 4_000)] {
        let filter = format!("AS answer FROM vocabulary_delivery WHERE tenant_id = '{tenant}'");
        assert_eq!(
            query_integer(&connection, &format!("SELECT vocabulary_version {filter}")).await,
            version,
            "{tenant}"
        );
        assert_eq!(query_integer(&connection, &format!("SELECT changed_at {filter}")).await, changed, "{tenant}");
    }
}

#[tokio::test]
async fn the_url_of_an_unsupported_database_is_refused() {
    for address in ["", "mysql://localhost/parlance", "parlance.db", "SQLITE://parlance.db"] {
        assert!(matches!(Database::open(address).await, Err(DatabaseOpenError::InvalidUrl(_))), "{address:?}");
    }
}

#[tokio::test]
async fn the_error_for_an_unreachable_server_does_not_contain_the_password() {
    let refused = Database::open("postgres://parlance:hush-hush@127.0.0.1:1/parlance").await.unwrap_err();
    assert!(matches!(refused, DatabaseOpenError::Refused(_)));
    assert!(!format!("{refused} {refused:?}").contains("hush-hush"));
}

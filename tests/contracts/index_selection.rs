//! Tests of the indexes that PostgreSQL can use to find a row, even if its statistics are outdated.

use parlance_adapters_sql::SqlFeedSource;
use parlance_domain::feed::{Day, FeedSource};
use sea_orm::{ConnectionTrait, Statement};
use support::{
    database::{TestDatabase, query_integer},
    fixtures::acme,
};

/// Lists the indexes of a table that can serve a statement by the tenant alone. Such an index has no condition, and the
/// tenant is its first column.
const INDEXES_BY_TENANT: &str = "SELECT pg_class.relname AS name FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid
    JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
    WHERE indrelid = $1::regclass AND attname = 'tenant_id' AND indpred IS NULL";

#[tokio::test(flavor = "multi_thread")]
async fn conversations_and_messages_have_no_index_by_tenant_but_their_primary_key() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    drop(test_db.open_migrated().await);
    let connection = test_db.connect().await;
    for table in ["conversations", "messages"] {
        let query =
            Statement::from_sql_and_values(connection.get_database_backend(), INDEXES_BY_TENANT, [table.into()]);
        let rows = connection.query_all_raw(query).await.unwrap();
        let names: Vec<String> = rows.iter().map(|row| row.try_get("", "name").unwrap()).collect();
        assert_eq!(names, [format!("{table}_pkey")]);
    }
}

/// 2,000 messages of one conversation.
const FILL: &str = "INSERT INTO conversations
        (tenant_id, id, external_id, customer_external_id, started_at, created_at, updated_at)
        VALUES ('acme', 'C1', 'call-1', 'customer-7', 0, 1, 0);
    INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at)
    SELECT 'acme', 'C1', n, 'M' || n, 1, 'agent-1', 'message', n FROM generate_series(1, 2000) AS n";

/// The entries of indexes and the rows of tables that were read.
const READ_ROWS: &str = "SELECT (SELECT coalesce(sum(idx_tup_read), 0) FROM pg_stat_user_indexes
        WHERE relname IN ('conversations', 'messages'))::bigint
    + (SELECT coalesce(sum(seq_tup_read), 0) FROM pg_stat_user_tables
        WHERE relname IN ('conversations', 'messages'))::bigint AS answer";

async fn read_rows(test_db: &TestDatabase) -> i64 {
    // A session reports its reads when it ends.
    test_db.terminate_connections().await;
    query_integer(&test_db.connect().await, READ_ROWS).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_day_of_a_tenant_is_found_in_one_row_of_each_table() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    drop(test_db.open_migrated().await);
    test_db.connect().await.execute_unprepared(FILL).await.unwrap();
    let before = read_rows(&test_db).await;
    let database = test_db.open().await;
    let first = SqlFeedSource::new(database.clone()).first_day(&acme()).await.unwrap();
    database.close().await.unwrap();
    assert_eq!(first, Some(Day::from_epoch_days(0).unwrap()));
    assert_eq!(read_rows(&test_db).await - before, 2);
}

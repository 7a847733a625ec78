//! Tests of the indexes that PostgreSQL can use to find a row, even if its statistics are outdated.

use sea_orm::{ConnectionTrait, Statement};
use support::database::TestDatabase;

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

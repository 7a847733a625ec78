//! What PostgreSQL may take for a way to find a row, however old its statistics are.

use sea_orm::{ConnectionTrait, Statement};
use support::database::TestDatabase;

/// Indexes of a table that could serve a statement which names a tenant and nothing else they know.
const BY_TENANT: &str = "SELECT pg_class.relname AS name FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid
    JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
    WHERE indrelid = $1::regclass AND attname = 'tenant_id' AND indpred IS NULL";

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_and_a_message_are_found_by_their_keys_and_by_no_other_index_of_the_tenant() {
    let Some(home) = TestDatabase::postgres() else { return };
    drop(home.migrated().await);
    let behind = home.look().await;
    for table in ["conversations", "messages"] {
        let asked = Statement::from_sql_and_values(behind.get_database_backend(), BY_TENANT, [table.into()]);
        let found = behind.query_all_raw(asked).await.unwrap();
        let names: Vec<String> = found.iter().map(|row| row.try_get("", "name").unwrap()).collect();
        assert_eq!(names, [format!("{table}_pkey")]);
    }
}

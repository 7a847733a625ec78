//! Every table with rows of tenants is decided for, and the erasure of a tenant deletes exactly the rows of this tenant.

use std::collections::BTreeSet;

use parlance_adapters_sql::{SUBJECT_DATA, TenantData, TenantTable};
use parlance_domain::{
    access::TenantId,
    privacy::{TenantFenceOutcome, TenantRemovalStep, TenantRows},
};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use support::{
    database::{TestDatabase, query_integer},
    fixtures::{acme, from_micros, globex},
    stores::TestStores,
};

use crate::tenant_erasure_store::{begin, erasure, remove_all};

sql_contract![
    a_table_has_rows_of_tenants_exactly_if_the_list_says_so,
    the_key_of_each_table_is_its_primary_key,
    exactly_the_rows_of_the_erased_tenant_are_deleted,
    a_step_leaves_out_the_tables_that_were_empty_before,
    no_row_of_an_erased_tenant_is_added_to_a_table_with_a_fence,
];

/// A column: its name, its type in lower case, whether a row needs a value for it, and its rank in the primary key, or 0.
struct Column {
    name: String,
    kind: String,
    is_required: bool,
    rank: i64,
}

const SQLITE_COLUMNS: &str = "SELECT name, lower(type) AS kind, CAST(\"notnull\" AND dflt_value IS NULL AS BIGINT)
    AS required, CAST(pk AS BIGINT) AS rank FROM pragma_table_info($1)";

const POSTGRES_COLUMNS: &str = "SELECT a.attname::text AS name, format_type(a.atttypid, NULL) AS kind,
        CASE WHEN a.attnotnull AND NOT a.atthasdef THEN 1 ELSE 0 END::bigint AS required,
        coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0)::bigint AS rank
    FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
    WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped";

async fn columns(connection: &DatabaseConnection, is_postgres: bool, table: &str) -> Vec<Column> {
    let select = if is_postgres { POSTGRES_COLUMNS } else { SQLITE_COLUMNS };
    let query = Statement::from_sql_and_values(connection.get_database_backend(), select, [table.into()]);
    let rows = connection.query_all_raw(query).await.unwrap();
    let read = |row: &sea_orm::QueryResult| Column {
        name: row.try_get("", "name").unwrap(),
        kind: row.try_get("", "kind").unwrap(),
        is_required: row.try_get::<i64>("", "required").unwrap() != 0,
        rank: row.try_get("", "rank").unwrap(),
    };
    rows.iter().map(read).collect()
}

fn tables() -> impl Iterator<Item = (&'static str, TenantTable)> {
    SUBJECT_DATA.into_iter().filter_map(|(name, _, data)| match data {
        TenantData::Deleted(table) => Some((name, table)),
        TenantData::Kept | TenantData::NoTenant => None,
    })
}

async fn a_table_has_rows_of_tenants_exactly_if_the_list_says_so(test_db: &TestDatabase) {
    drop(test_db.open_migrated().await);
    let connection = test_db.connect().await;
    for (table, _, data) in SUBJECT_DATA {
        let columns = columns(&connection, test_db.is_postgres(), table).await;
        let has_tenant = columns.iter().any(|column| column.name == "tenant_id");
        assert_eq!(
            has_tenant,
            data != TenantData::NoTenant,
            "{table}: correct crates/adapters-sql/src/subject_data.rs"
        );
    }
}

async fn the_key_of_each_table_is_its_primary_key(test_db: &TestDatabase) {
    drop(test_db.open_migrated().await);
    let connection = test_db.connect().await;
    for (name, table) in tables() {
        let mut key: Vec<_> = columns(&connection, test_db.is_postgres(), name).await;
        // The slot of a partition follows from the other columns.
        key.retain(|column| column.rank > 0 && column.name != "slot");
        key.sort_by_key(|column| column.rank);
        let key: Vec<_> = key.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(key, [&["tenant_id"], table.key].concat(), "{name}");
    }
}

/// Inserts a row of the tenant with a value for each required column.
async fn insert(
    connection: &DatabaseConnection,
    is_postgres: bool,
    table: &str,
    tenant: &TenantId,
) -> Result<(), sea_orm::DbErr> {
    let mut columns = columns(connection, is_postgres, table).await;
    columns.retain(|column| column.is_required || column.rank > 0);
    let value = |column: &Column| match column.kind.as_str() {
        _ if column.name == "tenant_id" => format!("'{tenant}'"),
        "bytea" => "'\\x01'".to_owned(),
        "blob" => "x'01'".to_owned(),
        "boolean" => "true".to_owned(),
        "text" => "'x'".to_owned(),
        _ => "1".to_owned(),
    };
    let names: Vec<_> = columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
    let values: Vec<_> = columns.iter().map(value).collect();
    let sql =
        format!("INSERT INTO {table} ({}) VALUES ({}) ON CONFLICT DO NOTHING", names.join(", "), values.join(", "));
    connection.execute_unprepared(&sql).await.map(drop)
}

/// The tables, each after those to which it refers.
fn tables_to_fill() -> Vec<&'static str> {
    let names: Vec<_> = tables().map(|(name, _)| name).filter(|name| *name != "messages").collect();
    [&names[..], &["messages"]].concat()
}

async fn tables_with_rows(connection: &DatabaseConnection, tenant: &TenantId) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for (name, _) in tables() {
        let sql = format!("SELECT count(*) AS answer FROM {name} WHERE tenant_id = '{tenant}'");
        if query_integer(connection, &sql).await > 0 {
            found.insert(name);
        }
    }
    found
}

async fn exactly_the_rows_of_the_erased_tenant_are_deleted(test_db: &TestDatabase) {
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let connection = test_db.connect().await;
    for tenant in [acme(), globex()] {
        for table in tables_to_fill() {
            insert(&connection, test_db.is_postgres(), table, &tenant).await.unwrap();
        }
    }
    connection.execute_unprepared("DELETE FROM holds").await.unwrap();
    let filled = tables_with_rows(&connection, &globex()).await;
    assert_eq!(filled.len(), tables().count() - 1, "{filled:?}");
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    remove_all(&stores).await;
    assert_eq!(tables_with_rows(&connection, &acme()).await, BTreeSet::new());
    assert_eq!(tables_with_rows(&connection, &globex()).await, filled);
}

async fn a_step_leaves_out_the_tables_that_were_empty_before(test_db: &TestDatabase) {
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let connection = test_db.connect().await;
    let insert = async |table| insert(&connection, test_db.is_postgres(), table, &acme()).await.unwrap();
    // Neither table has a fence.
    insert("conversation_metadata").await;
    insert("receipts").await;
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    let remove = async |step| stores.tenant_erasures.remove_some(&acme(), step, from_micros(60)).await.unwrap();
    let metadata = remove(TenantRemovalStep::first(TenantRows::Content)).await.unwrap();
    let receipts = remove(metadata.next).await.unwrap();
    assert!(metadata.next.emptied_tables < receipts.next.emptied_tables);
    insert("conversation_metadata").await;
    assert_eq!(remove(receipts.next).await, None);
    assert!(tables_with_rows(&connection, &acme()).await.contains("conversation_metadata"));
    remove_all(&stores).await;
    assert_eq!(tables_with_rows(&connection, &acme()).await, BTreeSet::new());
}

async fn no_row_of_an_erased_tenant_is_added_to_a_table_with_a_fence(test_db: &TestDatabase) {
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let connection = test_db.connect().await;
    assert_eq!(begin(&stores, &erasure()).await, TenantFenceOutcome::Stored);
    let mut unfenced = BTreeSet::new();
    for table in tables_to_fill() {
        insert(&connection, test_db.is_postgres(), table, &globex()).await.unwrap();
        if insert(&connection, test_db.is_postgres(), table, &acme()).await.is_ok() {
            unfenced.insert(table);
        }
    }
    let allowed = [
        "change_log",
        "change_log_dropped",
        "conversation_metadata",
        "conversation_updates",
        "conversations",
        "feed_changes",
        "former_customers",
        "late_changes",
        "messages",
        "receipts",
        "vocabulary_delivery",
    ];
    let unexpected: Vec<_> = unfenced.iter().filter(|table| !allowed.contains(table)).collect();
    assert!(unexpected.is_empty(), "{unexpected:?}");
}

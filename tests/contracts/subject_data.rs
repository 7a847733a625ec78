//! Every table of the schema is on the list of what tables hold of customers.

use std::collections::BTreeSet;

use parlance_adapters_sql::{SUBJECT_DATA, SubjectData};
use sea_orm::{ConnectionTrait, Statement};
use support::database::TestDatabase;

sql_contract![every_table_is_on_the_list_of_what_tables_hold_of_customers];

const SQLITE_TABLES: &str =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";

/// A partition holds what its table holds.
const POSTGRES_TABLES: &str = "SELECT relname::text AS name FROM pg_class
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace";

async fn every_table_is_on_the_list_of_what_tables_hold_of_customers(test_db: &TestDatabase) {
    drop(test_db.open_migrated().await);
    let (connection, select) =
        (test_db.connect().await, if test_db.is_postgres() { POSTGRES_TABLES } else { SQLITE_TABLES });
    let query = Statement::from_string(connection.get_database_backend(), select);
    let rows = connection.query_all_raw(query).await.unwrap();
    let tables: BTreeSet<String> = rows.iter().map(|row| row.try_get("", "name").unwrap()).collect();
    let listed: BTreeSet<String> = SUBJECT_DATA.iter().map(|(table, ..)| (*table).to_owned()).collect();
    let missing: Vec<_> = tables.difference(&listed).collect();
    assert!(
        missing.is_empty(),
        "say in crates/adapters-sql/src/subject_data.rs what these tables hold of a customer, and erase it: {missing:?}"
    );
    let gone: Vec<_> = listed.difference(&tables).collect();
    assert!(
        gone.is_empty(),
        "remove these from crates/adapters-sql/src/subject_data.rs, since no such table is there: {gone:?}"
    );
}

#[test]
fn each_table_is_listed_once_in_the_order_of_names() {
    assert!(SUBJECT_DATA.iter().map(|(table, ..)| table).is_sorted_by(|one, next| one < next));
}

#[test]
fn a_table_that_only_refers_to_customers_is_not_rewritten() {
    let kept = [SubjectData::KeyedDigests, SubjectData::References, SubjectData::Nothing];
    assert!(kept.into_iter().all(|data| !data.needs_compaction()) && SubjectData::Content.needs_compaction());
}

//! Tests of the indexes by which conversations are found on PostgreSQL: which one is read, and how many entries.

use std::collections::BTreeMap;

use parlance_domain::conversation::{ConversationCriteria, ConversationQuery};
use sea_orm::{ConnectionTrait, Statement};
use support::{
    database::TestDatabase,
    fixtures::{acme, external_id},
    stores::TestStores,
};

use crate::conversation_store_pages::{HOUR, by_agent, by_customer, none, period, with_metadata};

/// 30,000 conversations of one tenant, one in ten seconds: 15,000 of each of two agents, and of each value of a pair; 30 of a customer.
const FILL: &str = "INSERT INTO conversations (tenant_id, id, external_id, agent_external_id, customer_external_id,
        metadata, started_at, created_at, updated_at)
    SELECT 'acme', 'C' || lpad(n::text, 8, '0'), 'call-' || n, 'agent-' || n % 2, 'customer-' || n % 1000,
        '{\"queue\":\"' || n % 2 || '\",\"ticket\":\"' || n || '\"}', n * 1000, n * 10000000::bigint, n * 10000000::bigint
    FROM generate_series(1, 30000) AS n";

/// The entries that were read from each index, and the rows that were read without an index.
const READS: &str = "SELECT indexrelname::text AS name, idx_tup_read AS reads FROM pg_stat_user_indexes
    WHERE relname LIKE 'conversation%'
    UNION ALL SELECT 'sequential', seq_tup_read FROM pg_stat_user_tables WHERE relname LIKE 'conversation%'";

async fn reads(test_db: &TestDatabase) -> BTreeMap<String, i64> {
    // A session reports its reads when it ends.
    test_db.terminate_connections().await;
    let connection = test_db.connect().await;
    let select = Statement::from_string(connection.get_database_backend(), READS);
    let rows = connection.query_all_raw(select).await.unwrap();
    let mut sums = BTreeMap::new();
    for row in rows {
        let entries: i64 = row.try_get("", "reads").unwrap();
        *sums.entry(row.try_get("", "name").unwrap()).or_default() += entries;
    }
    sums
}

/// The entries that one page reads from each index, and the number of its conversations.
async fn reads_of_page(test_db: &TestDatabase, query: &ConversationQuery) -> (BTreeMap<String, i64>, usize) {
    let before = reads(test_db).await;
    let database = test_db.open().await;
    let page = TestStores::in_sql(&database).conversations.page(&acme(), query).await.unwrap();
    database.close().await.unwrap();
    let after = reads(test_db).await;
    let difference = |(name, count): (String, i64)| (count - before.get(&name).copied().unwrap_or_default(), name);
    let read = after.into_iter().map(difference).filter(|(count, _)| *count > 0);
    (read.map(|(count, name)| (name, count)).collect(), page.conversations.len())
}

#[tokio::test(flavor = "multi_thread")]
async fn each_criterion_is_read_by_its_index_and_no_page_reads_more_than_10_000_rows() {
    let Some(test_db) = TestDatabase::postgres() else { return };
    drop(test_db.open_migrated().await);
    // A connection without the timeout of the program's statements.
    test_db.connect().await.execute_unprepared(FILL).await.unwrap();
    let queue = || with_metadata(&[("queue", "1")]);
    let hours = |since, until| period(Some(since * HOUR), Some(until * HOUR));
    let cases = [
        (
            ConversationCriteria { external_id: Some(external_id("call-7")), ..none() },
            "conversations_by_external_id",
            1,
        ),
        (by_customer("customer-7"), "conversations_by_customer", 20),
        (by_agent("agent-1"), "conversations_by_agent", 20),
        (queue(), "conversation_metadata_pkey", 20),
        (ConversationCriteria { started: period(Some(500_000), None), ..none() }, "conversations_by_start", 20),
        (ConversationCriteria { updated: hours(0, 1), ..none() }, "conversations_by_creation", 20),
        (ConversationCriteria { updated: hours(0, 100), ..none() }, "conversations_by_start", 20),
        (
            ConversationCriteria { agent: Some(external_id("agent-1")), ..by_customer("customer-7") },
            "conversations_by_customer",
            20,
        ),
        (
            ConversationCriteria { agent: Some(external_id("agent-1")), ..with_metadata(&[("ticket", "7")]) },
            "conversation_metadata_pkey",
            1,
        ),
        // No conversation meets both, and each alone has more rows than a page may read.
        (ConversationCriteria { agent: Some(external_id("agent-0")), ..queue() }, "conversations_by_agent", 0),
    ];
    for analyzed in [false, true] {
        if analyzed {
            test_db.execute("ANALYZE").await;
        }
        for (criteria, index, found) in cases.clone() {
            let (read, count) = reads_of_page(&test_db, &ConversationQuery::new(criteria.clone())).await;
            assert!(read.contains_key(index), "{criteria:?} reads {read:?}");
            assert_eq!(count, found, "{criteria:?}");
            assert_eq!(read.get("sequential"), None, "{criteria:?} reads {read:?}");
            // Besides, each row that the page reads may have one entry in the primary key and in the pairs.
            let by_criterion = |(name, _): &(&String, &i64)| !name.ends_with("_pkey") || *name == index;
            let entries: i64 = read.iter().filter(by_criterion).map(|(_, count)| count).sum();
            assert!(entries <= 10_001, "{criteria:?} reads {read:?}");
        }
    }
}

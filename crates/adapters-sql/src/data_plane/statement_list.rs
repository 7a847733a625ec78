//! The list of the statements that the data plane sends to PostgreSQL. `tests/tenant_plans.sh` reads the list, to find
//! statements that no test has sent.

use std::{fs, path::Path};

use parlance_domain::feed::Feed;

use super::{
    change_log::statement as change_log,
    conversations::{page_statement, statement as conversations},
    feed_reads::statements as feeds,
    idempotency,
    messages::statement as messages,
};

/// The constants of the data plane that are not statements for PostgreSQL. `UPSERT`, `IS_DIGEST_ERASED`, `NEWEST_TEXTS` and
/// `CONVERSATION_EXISTS`, the `INSERT` and `AT_POSITION` of messages, and most of the change log, are statements for SQLite
/// only. `COPY_IN` has no plan. The others are parts, or statements that a job runs for all tenants.
const NOT_LISTED: [(&str, &str); 29] = [
    ("conversations", "UPSERT"),
    ("conversations", "IS_DIGEST_ERASED"),
    ("conversations", "FENCE"),
    ("conversations", "IS_FENCED"),
    ("conversations", "REFUSED_AS_ERASED"),
    ("conversations", "TABLE"),
    ("messages", "INSERT"),
    ("messages", "NEWEST_TEXTS"),
    ("messages", "CONVERSATION_EXISTS"),
    ("messages", "AT_POSITION"),
    ("messages", "TAIL_DIGEST"),
    ("messages", "TABLE"),
    ("messages", "COPY_IN"),
    ("idempotency", "TABLE"),
    ("feed_reads", "TABLE"),
    ("change_log", "TABLE"),
    ("change_log", "ROWS_FROM"),
    ("change_log", "NEWEST"),
    ("change_log", "HAS_ENTRIES"),
    ("change_log", "HEAD"),
    ("change_log", "TENANT_WITH_OLD_ROWS"),
    ("change_log", "OLDEST_ROWS"),
    ("change_log", "RECORD_DROPPED"),
    ("change_log", "DELETE_UP_TO"),
    ("change_log", "RECORD_DROPPED_OF_PARTITION"),
    ("change_log", "SET_LOCK_TIMEOUT"),
    ("change_log", "CHANNEL"),
    ("change_log", "NOTIFY"),
    ("change_log", "COUNT_LISTENERS"),
];

/// The folder, the constant and the text of each statement. A text for all feeds is listed once for each feed.
fn statements() -> Vec<(&'static str, &'static str, String)> {
    let constants = [
        ("conversations", "BY_ID", conversations::BY_ID),
        ("conversations", "BY_EXTERNAL_ID", conversations::BY_EXTERNAL_ID),
        ("conversations", "ALL_BY_ID", conversations::ALL_BY_ID),
        ("conversations", "ALL_BY_EXTERNAL_ID", conversations::ALL_BY_EXTERNAL_ID),
        ("conversations", "UPSERT_ALL", conversations::UPSERT_ALL),
        ("conversations", "INSERT_ALL", conversations::INSERT_ALL),
        ("conversations", "by_external_id", page_statement::POSTGRES.by_external_id),
        ("conversations", "by_customer", page_statement::POSTGRES.by_customer),
        ("conversations", "by_agent", page_statement::POSTGRES.by_agent),
        ("conversations", "by_metadata", page_statement::POSTGRES.by_metadata),
        ("conversations", "by_update", page_statement::POSTGRES.by_update),
        ("conversations", "by_start", page_statement::POSTGRES.by_start),
        ("conversations", "count_by_customer", page_statement::POSTGRES.count_by_customer),
        ("conversations", "count_by_agent", page_statement::POSTGRES.count_by_agent),
        ("conversations", "count_by_metadata", page_statement::POSTGRES.count_by_metadata),
        ("conversations", "updated", page_statement::POSTGRES.updated),
        ("messages", "INSERT_PLAIN", messages::INSERT_PLAIN),
        ("messages", "INSERT_PLAIN_UNMASKED", messages::INSERT_PLAIN_UNMASKED),
        ("messages", "INSERT_ALL", messages::INSERT_ALL),
        ("messages", "INSERT_ALL_UNCHECKED", messages::INSERT_ALL_UNCHECKED),
        ("messages", "AFTER", messages::AFTER),
        ("messages", "BEFORE", messages::BEFORE),
        ("messages", "PAGE_AFTER", messages::PAGE_AFTER),
        ("messages", "AFTER_WITHOUT_LONG_TEXTS", messages::AFTER_WITHOUT_LONG_TEXTS),
        ("messages", "ALL_AFTER", messages::ALL_AFTER),
        ("messages", "ALL_BEFORE", messages::ALL_BEFORE),
        ("messages", "ALL_PAGES_AFTER", messages::ALL_PAGES_AFTER),
        ("messages", "ALL_AFTER_WITHOUT_LONG_TEXTS", messages::ALL_AFTER_WITHOUT_LONG_TEXTS),
        ("messages", "BY_ID", messages::BY_ID),
        ("messages", "ALL_AT_POSITIONS", messages::ALL_AT_POSITIONS),
        ("change_log", "ROWS_BETWEEN", change_log::ROWS_BETWEEN),
        ("change_log", "NEWEST_UP_TO", change_log::NEWEST_UP_TO),
        ("change_log", "LAST_DROPPED", change_log::LAST_DROPPED),
        ("change_log", "ALL_WITH_ENTRIES", change_log::ALL_WITH_ENTRIES),
        ("change_log", "WATERMARK", change_log::WATERMARK),
        ("change_log", "OLDEST_TRANSACTION", change_log::OLDEST_TRANSACTION),
        ("change_log", "RECORD_FEED_DAY", change_log::RECORD_FEED_DAY),
        ("messages", "UPDATE_TEXT", messages::UPDATE_TEXT),
        ("idempotency", "SELECT", idempotency::SELECT),
        ("idempotency", "INSERT", idempotency::INSERT),
        ("idempotency", "DELETE_EXPIRED", idempotency::DELETE_EXPIRED),
        ("feed_reads", "SELECT_TENANTS", feeds::SELECT_TENANTS),
        ("feed_reads", "SELECT_FIRST_TIMESTAMP", feeds::SELECT_FIRST_TIMESTAMP),
        ("feed_reads", "COUNT_LATE_CHANGES", feeds::COUNT_LATE_CHANGES),
    ];
    let constants = constants.into_iter().map(|(folder, name, sql)| (folder, name, sql.to_owned()));
    let of_feed = |feed| {
        [
            ("feed_reads", "COUNT_RECORDS", feeds::for_feed(feeds::COUNT_RECORDS, feed)),
            ("feed_reads", "SELECT_RECORDS", feeds::select_records(feed)),
        ]
    };
    constants.chain(Feed::ALL.into_iter().flat_map(of_feed)).collect()
}

/// The folder and the name of each text constant in a folder of the data plane.
fn constants_in(folder: &'static str) -> Vec<(&'static str, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/data_plane").join(folder);
    let sources = fs::read_dir(path).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let names = |source: String| {
        let declared = source.split("const ").skip(1).filter_map(|rest| rest.split_once(": &str ="));
        declared.map(|(name, _)| (folder, name.to_owned())).collect::<Vec<_>>()
    };
    sources.flat_map(names).collect()
}

#[test]
fn every_statement_of_the_data_plane_is_in_the_list() {
    let listed: Vec<_> = statements().into_iter().map(|(folder, name, _)| (folder, name)).chain(NOT_LISTED).collect();
    let declared =
        ["conversations", "messages", "idempotency", "feed_reads", "change_log"].into_iter().flat_map(constants_in);
    let missing: Vec<_> = declared.filter(|(folder, name)| !listed.contains(&(folder, name.as_str()))).collect();
    assert!(missing.is_empty(), "add these constants to `statements` or to `NOT_LISTED`: {missing:?}");
    if let Some(file) = std::env::var_os("PARLANCE_TEST_STATEMENT_LIST") {
        let lines = statements().into_iter().map(|statement| serde_json::to_string(&statement).unwrap() + "\n");
        fs::write(file, lines.collect::<String>()).unwrap();
    }
}

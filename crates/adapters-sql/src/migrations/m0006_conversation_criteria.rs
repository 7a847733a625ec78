//! Creates the indexes by which conversations are found, and the side tables of two of them. `functions` has the triggers
//! that fill the side tables.
//!
//! On PostgreSQL, an index of a table with rows is built [after](super::online) the transaction of the migrations, because
//! writers would wait for it. For the same reason, the stored rows are added to the side tables later.

use super::dialect::{Sql, SqlMigration};

/// An index, after `CREATE INDEX`. Like the other indexes of conversations on PostgreSQL, none can serve a search by
/// the tenant alone (see the baseline).
macro_rules! index {
    (customer) => {
        "conversations_by_customer ON conversations (customer_external_id{BYTEWISE}, tenant_id, started_at, id)"
    };
    (agent) => {
        "conversations_by_agent ON conversations (agent_external_id{BYTEWISE}, tenant_id, started_at, id)
            WHERE agent_external_id IS NOT NULL"
    };
    (start) => {
        "conversations_by_start ON conversations (tenant_id, started_at, id){IF_STARTED}"
    };
}

macro_rules! create_index {
    ($name:ident) => {
        concat!("CREATE INDEX ", index!($name))
    };
}

/// The name of each index, and its definition on PostgreSQL with placeholders.
pub(super) const INDEXES: [(&str, &str); 3] = [
    ("conversations_by_customer", index!(customer)),
    ("conversations_by_agent", index!(agent)),
    ("conversations_by_start", index!(start)),
];

/// The name of the step that adds the stored rows to the side tables.
pub(super) const SIDE_ROWS: &str = "conversation_side_rows";

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0006_conversation_criteria",
    serves_older_programs: true,
    statements: &[
        // A pair is the digest of a key and a value on PostgreSQL, whose index entries are limited, and their text on SQLite.
        Sql::Any(
            "CREATE TABLE conversation_metadata (
                tenant_id {KEY} NOT NULL,
                pair {PAIR} NOT NULL,
                started_at BIGINT NOT NULL,
                conversation_id {KEY} NOT NULL,
                PRIMARY KEY (tenant_id, pair, started_at, conversation_id)
            ){CLUSTERED}",
        ),
        // Conversations whose last update is in another hour than their creation. The others are found by creation.
        Sql::Any(
            "CREATE TABLE conversation_updates (
                tenant_id {KEY} NOT NULL,
                hour BIGINT NOT NULL,
                conversation_id {KEY} NOT NULL,
                PRIMARY KEY (tenant_id, hour, conversation_id)
            ){CLUSTERED}",
        ),
        // The steps that are not complete, with the last conversation that a step has processed.
        Sql::Any(
            "CREATE TABLE schema_steps (
                name {KEY} NOT NULL PRIMARY KEY,
                last_tenant {KEY} NOT NULL,
                last_id {KEY} NOT NULL
            ){CLUSTERED}",
        ),
        Sql::Postgres(concat!(
            "DO $$ BEGIN IF EXISTS (SELECT FROM conversations) THEN
                INSERT INTO schema_steps VALUES ('conversations_by_customer', '', ''), ('conversations_by_agent', '', ''),
                    ('conversations_by_start', '', ''), ('conversation_side_rows', '', '');
            ELSE ",
            create_index!(customer),
            "; ",
            create_index!(agent),
            "; ",
            create_index!(start),
            "; END IF; END $$"
        )),
        Sql::Sqlite(create_index!(customer)),
        Sql::Sqlite(create_index!(agent)),
        Sql::Sqlite(create_index!(start)),
        Sql::Sqlite(
            "INSERT INTO conversation_metadata SELECT tenant_id, key || char(10) || value, started_at, conversations.id
                FROM conversations, json_each(CASE WHEN json_valid(metadata) THEN metadata ELSE '{}' END)
                WHERE metadata IS NOT NULL AND json_each.type = 'text'",
        ),
        Sql::Sqlite(
            "INSERT INTO conversation_updates SELECT tenant_id, updated_at / 3600000000, id FROM conversations
                WHERE updated_at / 3600000000 <> created_at / 3600000000",
        ),
    ],
};

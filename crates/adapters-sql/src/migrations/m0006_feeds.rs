//! Creates the indexes and tables that feeds are read from: indexes by creation time, the history of vocabularies, and
//! the late changes of past days.
//!
//! A late change adds or rewrites a row of a past day, by the database's clock. Triggers record it in the same
//! transaction, whichever program wrote the row. If a write is not late, its trigger costs one comparison. Each late
//! change is a separate row, so that transactions with late changes of the same day do not wait for each other.
//!
//! Existing vocabulary entries are recorded as added at their creation time. Removals before this migration are
//! unknown.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::dialect;

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0006_feeds"
    }
}

const TABLES: [&str; 5] = [
    "CREATE TABLE vocabulary_changes (
        tenant_id {KEY} NOT NULL,
        changed_at BIGINT NOT NULL,
        id {KEY} NOT NULL,
        vocabulary_id {KEY} NOT NULL,
        kind {SMALL} NOT NULL,
        phrase TEXT NOT NULL,
        sounds_like TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, changed_at, id)
    ){CLUSTERED}",
    "INSERT INTO vocabulary_changes
        SELECT tenant_id, created_at, id || ' added', id, 1, phrase, sounds_like, created_at FROM vocabularies",
    "CREATE TABLE late_changes (
        tenant_id {KEY} NOT NULL,
        feed {KEY} NOT NULL,
        day BIGINT NOT NULL,
        id {KEY} NOT NULL,
        PRIMARY KEY (tenant_id, feed, day, id)
    ){CLUSTERED}",
    "CREATE INDEX messages_by_creation ON messages (tenant_id, created_at, id)",
    "CREATE INDEX conversations_by_creation ON conversations (tenant_id, created_at, id)",
];

const ON_POSTGRES: [&str; 3] = [
    "CREATE FUNCTION note_late_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO late_changes
            VALUES (NEW.tenant_id, TG_ARGV[0], NEW.created_at / 86400000000, gen_random_uuid()::text);
        RETURN NULL;
    END $$",
    "CREATE TRIGGER late_messages AFTER INSERT OR UPDATE OF text ON messages FOR EACH ROW
        WHEN (NEW.created_at / 86400000000 < floor(extract(epoch FROM clock_timestamp()) / 86400))
        EXECUTE FUNCTION note_late_change('messages')",
    "CREATE TRIGGER late_conversations AFTER INSERT OR UPDATE ON conversations FOR EACH ROW
        WHEN (NEW.created_at / 86400000000 < floor(extract(epoch FROM clock_timestamp()) / 86400))
        EXECUTE FUNCTION note_late_change('conversations')",
];

/// For each trigger its name, the write that fires it, and the feed of the late change.
const ON_SQLITE: [(&str, &str, &str); 4] = [
    ("late_new_messages", "INSERT ON messages", "messages"),
    ("late_messages", "UPDATE OF text ON messages", "messages"),
    ("late_new_conversations", "INSERT ON conversations", "conversations"),
    ("late_conversations", "UPDATE ON conversations", "conversations"),
];

fn sqlite_trigger((name, write, feed): (&str, &str, &str)) -> String {
    format!(
        "CREATE TRIGGER {name} AFTER {write} WHEN NEW.created_at / 86400000000 < unixepoch() / 86400
        BEGIN
            INSERT INTO late_changes
                VALUES (NEW.tenant_id, '{feed}', NEW.created_at / 86400000000, hex(randomblob(16)));
        END"
    )
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run(manager, &TABLES).await?;
        let triggers: Vec<_> = if manager.get_database_backend() == DbBackend::Postgres {
            ON_POSTGRES.into_iter().map(ToOwned::to_owned).collect()
        } else {
            ON_SQLITE.into_iter().map(sqlite_trigger).collect()
        };
        for trigger in triggers {
            manager.get_connection().execute_unprepared(&trigger).await?;
        }
        Ok(())
    }
}

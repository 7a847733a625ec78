//! What feeds are made of: orders by creation, the history of vocabularies, and which days were changed late.
//!
//! A day that is over is changed late where a row of it is added or written anew on a later day of the database's clock.
//! Triggers note that, in the same transaction and whatever wrote the row; where nothing is late they cost a comparison.
//! Each change is a row of its own, so that transactions which are late for one day do not wait for each other.
//!
//! Of vocabularies, entries that are there already are taken for added when they were created; what was removed before
//! is not known.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature cannot be met with the lifetime written out")]

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

/// Which writes of which table are noted of which feed.
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

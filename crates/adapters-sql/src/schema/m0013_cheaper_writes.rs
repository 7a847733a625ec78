//! What made writes dear on PostgreSQL beside writing.
//!
//! It prepares the condition of a trigger anew for each statement, which costs as much as half of an insertion; a
//! comparison within the function is prepared once a session. And an aggregate that is told an order sorts, which costs
//! five times as much as to read in that order what it aggregates.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature cannot be met with the lifetime written out")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::{dialect, m0012_adding_messages::ADD_MESSAGES};

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0013_cheaper_writes"
    }
}

const ON_POSTGRES: [&str; 6] = [
    ADD_MESSAGES,
    "CREATE OR REPLACE FUNCTION note_late_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.created_at / 86400000000 < floor(extract(epoch FROM clock_timestamp()) / 86400) THEN
            INSERT INTO late_changes
                VALUES (NEW.tenant_id, TG_ARGV[0], NEW.created_at / 86400000000, gen_random_uuid()::text);
        END IF;
        RETURN NULL;
    END $$",
    "DROP TRIGGER late_messages ON messages",
    "CREATE TRIGGER late_messages AFTER INSERT OR UPDATE OF text ON messages FOR EACH ROW
        EXECUTE FUNCTION note_late_change('messages')",
    "DROP TRIGGER late_conversations ON conversations",
    "CREATE TRIGGER late_conversations AFTER INSERT OR UPDATE ON conversations FOR EACH ROW
        EXECUTE FUNCTION note_late_change('conversations')",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run_on_postgres(manager, &ON_POSTGRES).await
    }
}

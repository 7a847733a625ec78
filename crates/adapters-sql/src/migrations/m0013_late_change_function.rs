//! Makes writes on PostgreSQL cheaper: the late-change triggers compare within their function, and `add_messages` is
//! replaced.
//!
//! PostgreSQL prepares the condition of a trigger for each statement, which costs half as much as an insertion. A
//! comparison within the function is prepared once per session. An aggregate with its own `ORDER BY` sorts its input,
//! which costs five times as much as reading the rows in that order.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::{dialect, m0012_add_messages_function::ADD_MESSAGES};

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

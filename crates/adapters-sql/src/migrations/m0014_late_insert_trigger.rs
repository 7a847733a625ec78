//! Removes work that PostgreSQL did for each written row: creates a late-change trigger per statement for inserted
//! messages, and the function `add_messages_to_known`.
//!
//! The foreign key looks up the conversation of an inserted message in any case, so `add_messages_to_known` does not.
//! One comparison per statement finds out whether inserted messages are late. It does not use the exact numbers of
//! `extract`, whose division costs as much as the rest of the comparison. Updates are still compared row by row,
//! because PostgreSQL has no transition tables for triggers on certain columns.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::{dialect, m0012_add_messages_function::ADD_MESSAGES_TO_KNOWN};

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0014_fewer_looks"
    }
}

const ON_POSTGRES: [&str; 6] = [
    ADD_MESSAGES_TO_KNOWN,
    "CREATE OR REPLACE FUNCTION note_late_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.created_at / 86400000000 < floor(date_part('epoch', clock_timestamp()) / 86400) THEN
            INSERT INTO late_changes
                VALUES (NEW.tenant_id, TG_ARGV[0], NEW.created_at / 86400000000, gen_random_uuid()::text);
        END IF;
        RETURN NULL;
    END $$",
    "CREATE FUNCTION note_late_additions() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        today bigint := floor(date_part('epoch', clock_timestamp()) / 86400);
    BEGIN
        IF EXISTS (SELECT FROM written WHERE created_at < today * 86400000000) THEN
            INSERT INTO late_changes SELECT tenant_id, TG_ARGV[0], day, gen_random_uuid()::text
                FROM (SELECT DISTINCT tenant_id, created_at / 86400000000 AS day FROM written) AS days
                WHERE day < today;
        END IF;
        RETURN NULL;
    END $$",
    "DROP TRIGGER late_messages ON messages",
    "CREATE TRIGGER late_messages AFTER UPDATE OF text ON messages FOR EACH ROW
        EXECUTE FUNCTION note_late_change('messages')",
    "CREATE TRIGGER late_new_messages AFTER INSERT ON messages REFERENCING NEW TABLE AS written FOR EACH STATEMENT
        EXECUTE FUNCTION note_late_additions('messages')",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run_on_postgres(manager, &ON_POSTGRES).await
    }
}

//! What PostgreSQL did for each row that is written, and need not.
//!
//! A conversation that messages are added to is looked up for the foreign key in any case. Whether what is written is late
//! can be asked once for all rows of a statement, and without the exact numbers of `extract`, whose division costs as much
//! as the rest of the comparison; only an update of some columns must be asked about row by row, for PostgreSQL gives the
//! rows of a statement to no trigger for certain columns.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature cannot be met with the lifetime written out")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::{dialect, m0012_adding_messages::ADD_MESSAGES_TO_KNOWN};

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

//! Creates the queue of the ledger of erasures, and the list of its objects. A row of the queue holds no content.
//! `message_id` is empty if the whole conversation was erased, and `digest` is NULL if only a message was.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0014_ledger_of_erasures",
    serves_older_programs: true,
    statements: &[
        Sql::Any(
            "CREATE TABLE ledger_queue (
                tenant_id {KEY} NOT NULL,
                conversation_id {KEY} NOT NULL,
                message_id {KEY} NOT NULL,
                digest {BYTES},
                erased_at BIGINT NOT NULL,
                PRIMARY KEY (tenant_id, conversation_id, message_id)
            ){CLUSTERED}",
        ),
        Sql::Any("CREATE TABLE ledger_objects (object_id {KEY} NOT NULL PRIMARY KEY){CLUSTERED}"),
        // The erasures from before are in no ledger.
        Sql::Any(
            "INSERT INTO ledger_queue (tenant_id, conversation_id, message_id, digest, erased_at)
                SELECT tenant_id, conversation_id, '', digest, erased_at FROM erased_conversations",
        ),
    ],
};

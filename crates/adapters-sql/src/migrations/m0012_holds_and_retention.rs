//! Creates the tables of holds and of retention.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0012_holds_and_retention",
    // No release before this one erases anything.
    serves_older_programs: true,
    statements: &[
        // Exactly one of the two subjects is set. The customer has the collation of the column of conversations with which it
        // is compared.
        Sql::Any(
            "CREATE TABLE holds (
                tenant_id {KEY} NOT NULL,
                id {KEY} NOT NULL,
                customer_external_id TEXT,
                conversation_id {KEY},
                reference TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                PRIMARY KEY (tenant_id, id)
            ){CLUSTERED}",
        ),
        Sql::Any(
            "CREATE INDEX holds_by_customer ON holds (tenant_id, customer_external_id)
                WHERE customer_external_id IS NOT NULL",
        ),
        Sql::Any(
            "CREATE INDEX holds_by_conversation ON holds (tenant_id, conversation_id)
                WHERE conversation_id IS NOT NULL",
        ),
        Sql::Any(
            "CREATE TABLE retention_rules (
                tenant_id {KEY} NOT NULL,
                position BIGINT NOT NULL,
                metadata TEXT NOT NULL,
                days BIGINT NOT NULL,
                PRIMARY KEY (tenant_id, position)
            ){CLUSTERED}",
        ),
        // A change of the rules first writes the tenant's row, so that changes run one after another. A run is due while there
        // is no time of a last run.
        Sql::Any(
            "CREATE TABLE retention_runs (
                tenant_id {KEY} NOT NULL,
                revision BIGINT NOT NULL,
                last_began_at BIGINT,
                PRIMARY KEY (tenant_id)
            ){CLUSTERED}",
        ),
    ],
};

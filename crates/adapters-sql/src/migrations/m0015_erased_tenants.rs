//! Creates the tables of erased tenants. `functions` has the triggers that refuse new rows of these tenants. The rows stay
//! for good.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0015_erased_tenants",
    serves_older_programs: true,
    statements: &[
        // An erasure that was applied from the ledger has no approval.
        Sql::Any(
            "CREATE TABLE tenant_erasures (
                tenant_id {KEY} NOT NULL PRIMARY KEY,
                id {KEY} NOT NULL,
                reference TEXT,
                first_approver TEXT,
                second_approver TEXT,
                requested_at BIGINT NOT NULL,
                completed_at BIGINT
            ){CLUSTERED}",
        ),
        // How many objects were erased in each place.
        Sql::Any(
            "CREATE TABLE tenant_erasure_counts (
                tenant_id {KEY} NOT NULL,
                place {KEY} NOT NULL,
                count BIGINT NOT NULL,
                PRIMARY KEY (tenant_id, place)
            ){CLUSTERED}",
        ),
    ],
};

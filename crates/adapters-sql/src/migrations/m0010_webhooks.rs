//! Creates the tables of webhooks and of their deliveries. A delivery refers to what an event is about as the change log
//! does, and holds no content.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0010_webhooks",
    serves_older_programs: true,
    statements: &[
        // A removed webhook stays until its deliveries are removed, a few at a time.
        Sql::Any(
            "CREATE TABLE webhooks (
                tenant_id {KEY} NOT NULL,
                id {KEY} NOT NULL,
                url TEXT NOT NULL,
                types TEXT NOT NULL,
                description TEXT NOT NULL,
                active BIGINT NOT NULL,
                switched_off TEXT,
                secret {BYTES} NOT NULL,
                previous_secret {BYTES},
                previous_until BIGINT,
                credential {KEY},
                cursor TEXT NOT NULL,
                created_at BIGINT NOT NULL,
                revision BIGINT NOT NULL,
                lease_term BIGINT NOT NULL DEFAULT 0,
                removed_at BIGINT,
                PRIMARY KEY (tenant_id, id)
            ){CLUSTERED}",
        ),
        Sql::Any(
            "CREATE TABLE webhook_deliveries (
                tenant_id {KEY} NOT NULL,
                webhook_id {KEY} NOT NULL,
                id {KEY} NOT NULL,
                kind BIGINT NOT NULL,
                reference TEXT NOT NULL,
                sequence BIGINT NOT NULL,
                event_index BIGINT NOT NULL,
                tag BIGINT NOT NULL,
                occurred_at BIGINT NOT NULL,
                order_key {KEY} NOT NULL,
                created_at BIGINT NOT NULL,
                delivered_at BIGINT,
                next_attempt_at BIGINT NOT NULL,
                failures BIGINT NOT NULL,
                failing_since BIGINT,
                attempts TEXT NOT NULL,
                PRIMARY KEY (tenant_id, webhook_id, id)
            ){CLUSTERED}",
        ),
        Sql::Any(
            "CREATE INDEX webhook_deliveries_by_position
                ON webhook_deliveries (tenant_id, webhook_id, sequence, event_index, id)
                WHERE delivered_at IS NULL",
        ),
        Sql::Any(
            "CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant_id, webhook_id, next_attempt_at)
                WHERE delivered_at IS NULL",
        ),
        Sql::Any(
            "CREATE INDEX webhook_deliveries_delivered ON webhook_deliveries (tenant_id, webhook_id, delivered_at)
                WHERE delivered_at IS NOT NULL",
        ),
    ],
};

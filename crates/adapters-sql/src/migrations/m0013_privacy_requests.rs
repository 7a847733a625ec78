//! Creates the tables of privacy requests. `functions` has the triggers.
//!
//! A request holds the digest of the customer. The identifier itself is stored apart, only while the request is open: it
//! finds what is to be erased, and refuses new conversations of this customer.

use super::dialect::{Sql, SqlMigration};

pub(super) const MIGRATION: SqlMigration = SqlMigration {
    name: "m0013_privacy_requests",
    serves_older_programs: true,
    statements: &[
        Sql::Any(
            "CREATE TABLE privacy_requests (
                tenant_id {KEY} NOT NULL,
                id {KEY} NOT NULL,
                kind TEXT NOT NULL,
                dry_run BIGINT NOT NULL,
                subject {BYTES} NOT NULL,
                reference TEXT NOT NULL,
                status TEXT NOT NULL,
                waiting_for TEXT,
                conversations BIGINT NOT NULL DEFAULT 0,
                messages BIGINT NOT NULL DEFAULT 0,
                messages_elsewhere BIGINT NOT NULL DEFAULT 0,
                feed_periods BIGINT NOT NULL DEFAULT 0,
                requested_at BIGINT NOT NULL,
                ended_at BIGINT,
                PRIMARY KEY (tenant_id, id)
            ){CLUSTERED}",
        ),
        Sql::Any(
            "CREATE INDEX privacy_requests_open ON privacy_requests (requested_at, tenant_id, id)
                WHERE ended_at IS NULL",
        ),
        // The receipts of a tenant in the order of their chain. A request can have several.
        Sql::Any(
            "CREATE TABLE privacy_receipts (
                tenant_id {KEY} NOT NULL,
                sequence BIGINT NOT NULL,
                request_id {KEY} NOT NULL,
                receipt TEXT NOT NULL,
                digest {BYTES} NOT NULL,
                PRIMARY KEY (tenant_id, sequence)
            ){CLUSTERED}",
        ),
        Sql::Any("CREATE INDEX privacy_receipts_by_request ON privacy_receipts (tenant_id, request_id, sequence)"),
        // The customers of open requests. A fence refuses upserts of their conversations.
        Sql::Any(
            "CREATE TABLE privacy_subjects (
                tenant_id {KEY} NOT NULL,
                request_id {KEY} NOT NULL,
                customer_external_id {KEY} NOT NULL,
                is_fence BIGINT NOT NULL,
                PRIMARY KEY (tenant_id, request_id)
            ){CLUSTERED}",
        ),
        Sql::Any(
            "CREATE INDEX privacy_subjects_by_customer ON privacy_subjects (tenant_id, customer_external_id)
                WHERE is_fence = 1",
        ),
        // What the archive of a request contains. A row without a message stands for a whole conversation.
        Sql::Any(
            "CREATE TABLE privacy_archive_items (
                tenant_id {KEY} NOT NULL,
                request_id {KEY} NOT NULL,
                conversation_id {KEY} NOT NULL,
                sent_at BIGINT NOT NULL,
                message_id {KEY} NOT NULL,
                PRIMARY KEY (tenant_id, request_id, conversation_id, sent_at, message_id)
            ){CLUSTERED}",
        ),
        // The customers that a conversation had before its present one.
        Sql::Any(
            "CREATE TABLE former_customers (
                tenant_id {KEY} NOT NULL,
                conversation_id {KEY} NOT NULL,
                customer_external_id {KEY} NOT NULL,
                PRIMARY KEY (tenant_id, conversation_id, customer_external_id)
            ){CLUSTERED}",
        ),
        Sql::Any(
            "CREATE INDEX former_customers_by_customer
                ON former_customers (tenant_id, customer_external_id, conversation_id)",
        ),
        // Messages that were erased without their conversation. A row holds no content.
        Sql::Any(
            "CREATE TABLE erased_messages (
                tenant_id {KEY} NOT NULL,
                conversation_id {KEY} NOT NULL,
                sent_at BIGINT NOT NULL,
                id {KEY} NOT NULL,
                request_id {KEY} NOT NULL,
                erased_at BIGINT NOT NULL,
                PRIMARY KEY (tenant_id, conversation_id, sent_at, id)
            ){CLUSTERED}",
        ),
    ],
};

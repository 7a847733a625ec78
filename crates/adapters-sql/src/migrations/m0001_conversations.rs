//! Creates the tables of credentials, conversations and messages.
//!
//! Every key starts with `tenant_id`, so that the tables can be sharded by tenant. Times are microseconds since 1970
//! UTC, so that both databases order them alike. Messages cluster by conversation and client time: with `WITHOUT ROWID`
//! on SQLite, a transcript is one range read.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::dialect;

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0001_conversations"
    }
}

const TABLES: [&str; 3] = [
    "CREATE TABLE credentials (
        tenant_id {KEY} NOT NULL,
        api_id {KEY} NOT NULL,
        name TEXT NOT NULL,
        permissions TEXT NOT NULL,
        secret_digest {BYTES} NOT NULL,
        previous_digest {BYTES},
        previous_until BIGINT,
        created_at BIGINT NOT NULL,
        revoked_at BIGINT,
        PRIMARY KEY (tenant_id, api_id)
    ){CLUSTERED}",
    "CREATE TABLE conversations (
        tenant_id {KEY} NOT NULL,
        id {KEY} NOT NULL,
        external_id {KEY} NOT NULL,
        agent_external_id TEXT,
        agent_name TEXT,
        customer_external_id TEXT NOT NULL,
        customer_name TEXT,
        metadata TEXT,
        started_at BIGINT NOT NULL,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, id),
        UNIQUE (tenant_id, external_id)
    ){CLUSTERED}",
    "CREATE TABLE messages (
        tenant_id {KEY} NOT NULL,
        conversation_id {KEY} NOT NULL,
        sent_at BIGINT NOT NULL,
        id {KEY} NOT NULL,
        sender_role {SMALL} NOT NULL,
        sender_external_id TEXT NOT NULL,
        text TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, conversation_id, sent_at, id),
        FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id)
    ){CLUSTERED}",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run(manager, &TABLES).await
    }
}

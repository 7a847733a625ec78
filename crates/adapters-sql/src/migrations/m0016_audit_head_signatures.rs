//! Adds to each head of the audit log its signature and the fingerprint of the signing key. Existing heads have no
//! signature until the first server with a key signs them.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::dialect;

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0016_signed_heads"
    }
}

const COLUMNS: [&str; 2] =
    ["ALTER TABLE audit_heads ADD COLUMN signature {BYTES}", "ALTER TABLE audit_heads ADD COLUMN signed_by {BYTES}"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run(manager, &COLUMNS).await
    }
}

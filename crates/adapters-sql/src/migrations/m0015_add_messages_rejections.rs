//! Replaces the functions that insert messages on PostgreSQL. They search for rejected messages only if a message was
//! rejected.

#![expect(elided_lifetimes_in_paths, reason = "the trait's signature elides the lifetime")]

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

use super::{
    dialect,
    m0012_add_messages_function::{ADD_MESSAGES, ADD_MESSAGES_TO_KNOWN},
};

pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &'static str {
        "m0015_leaner_additions"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run_on_postgres(manager, &[ADD_MESSAGES, ADD_MESSAGES_TO_KNOWN]).await
    }
}

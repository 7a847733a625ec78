//! Credentials in SQL.

mod rows;

use async_trait::async_trait;
use parlance_domain::{
    access::{ApiId, Credential, CredentialStore, SecretDigest, TenantId},
    audit::AuditEntry,
    error::StoreError,
    time::Timestamp,
};
pub(crate) use rows::restore;
use rows::row;
use sea_orm::{ColumnTrait, Condition, DbErr, EntityTrait, QueryFilter, QueryOrder, UpdateMany, sea_query::Expr};

use crate::{
    Database,
    control_plane::entities::{
        credential::{Column, Entity},
        tenant_scope::{rows_of, tenant_rows},
    },
};

/// Stores credentials in SQL.
#[derive(Clone, Debug)]
pub struct SqlCredentials(Database);

impl SqlCredentials {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

fn has_api_id(id: &ApiId) -> Condition {
    Condition::all().add(Column::TenantId.eq(id.tenant().as_str())).add(Column::ApiId.eq(id.as_str()))
}

#[async_trait]
impl CredentialStore for SqlCredentials {
    #[tracing::instrument(level = "debug", name = "sql.credentials.find", skip_all)]
    async fn find(&self, id: &ApiId) -> Result<Option<Credential>, StoreError> {
        let found = self.0.read(|db| tenant_rows::<Entity>(id.tenant()).filter(Column::ApiId.eq(id.as_str())).one(db));
        found.await?.as_ref().map(restore).transpose()
    }

    #[tracing::instrument(level = "debug", name = "sql.credentials.insert", skip_all)]
    async fn insert(&self, credential: &Credential) -> Result<(), StoreError> {
        let insert = async {
            let transaction = self.0.begin().await?;
            Entity::insert(row(credential)).exec_without_returning(&transaction).await?;
            self.0
                .audit_recorder()
                .append(&transaction, credential.id.tenant(), AuditEntry::credential_created(credential))
                .await?;
            transaction.commit().await
        };
        self.0.write(insert).await
    }

    #[tracing::instrument(level = "debug", name = "sql.credentials.list", skip_all)]
    async fn list<'a>(&self, tenant: Option<&'a TenantId>) -> Result<Vec<Credential>, StoreError> {
        let query = rows_of::<Entity>(tenant)
            .order_by_asc(Column::TenantId)
            .order_by_asc(Column::CreatedAt)
            .order_by_asc(Column::ApiId);
        self.0.read(|db| query.clone().all(db)).await?.iter().map(restore).collect()
    }

    #[tracing::instrument(level = "debug", name = "sql.credentials.rotate", skip_all)]
    async fn rotate(
        &self,
        id: &ApiId,
        digest: &SecretDigest,
        previous_valid_until: Timestamp,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let update = Entity::update_many()
            .col_expr(Column::PreviousDigest, Expr::col(Column::SecretDigest))
            .col_expr(Column::PreviousUntil, Expr::val(previous_valid_until.as_micros()))
            .col_expr(Column::SecretDigest, Expr::val(digest.as_bytes().to_vec()))
            .filter(has_api_id(id))
            .filter(Column::RevokedAt.is_null());
        self.0
            .write(self.update_and_record(update, id, AuditEntry::credential_rotated(id, previous_valid_until, at)))
            .await
    }

    #[tracing::instrument(level = "debug", name = "sql.credentials.revoke", skip_all)]
    async fn revoke(&self, id: &ApiId, at: Timestamp) -> Result<bool, StoreError> {
        let update = Entity::update_many()
            .col_expr(Column::RevokedAt, Expr::val(at.as_micros()))
            .filter(has_api_id(id))
            .filter(Column::RevokedAt.is_null());
        let revoked = self.0.write(self.update_and_record(update, id, AuditEntry::credential_revoked(id, at))).await?;
        Ok(revoked || self.find(id).await?.is_some())
    }
}

impl SqlCredentials {
    /// Commits an update together with its audit record, and returns whether a row was updated.
    async fn update_and_record(
        &self,
        update: UpdateMany<Entity>,
        id: &ApiId,
        entry: AuditEntry,
    ) -> Result<bool, DbErr> {
        let transaction = self.0.begin().await?;
        if update.exec(&transaction).await?.rows_affected == 0 {
            transaction.rollback().await?;
            return Ok(false);
        }
        self.0.audit_recorder().append(&transaction, id.tenant(), entry).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

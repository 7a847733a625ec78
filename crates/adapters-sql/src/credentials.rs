//! Credentials in SQL.

use async_trait::async_trait;
use parlance_domain::{
    access::{
        ApiId, Credential, CredentialName, CredentialStore, Permission, Permissions, SecretDigest, TenantId,
        UnknownPermission,
    },
    audit::Entry as AuditEntry,
    error::StoreError,
    time::Timestamp,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, DbErr, EntityTrait, QueryFilter, QueryOrder, Select, UpdateMany,
    sea_query::Expr,
};

use crate::{
    Database,
    entity::credential::{ActiveModel, Column, Entity, Model},
    error::corrupt,
};

const TABLE: &str = "credentials";

/// Keeps credentials in SQL.
#[derive(Clone, Debug)]
pub struct SqlCredentials(Database);

impl SqlCredentials {
    /// Keeps them in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

/// The one way to this table: a tenant's rows. An operator may ask for every tenant's.
fn of(tenant: Option<&TenantId>) -> Select<Entity> {
    let scope = tenant.map(|tenant| Column::TenantId.eq(tenant.as_str()));
    Entity::find().filter(Condition::all().add_option(scope))
}

fn is(id: &ApiId) -> Condition {
    Condition::all().add(Column::TenantId.eq(id.tenant().as_str())).add(Column::ApiId.eq(id.as_str()))
}

#[async_trait]
impl CredentialStore for SqlCredentials {
    async fn find(&self, id: &ApiId) -> Result<Option<Credential>, StoreError> {
        let found = self.0.read(|db| of(Some(id.tenant())).filter(Column::ApiId.eq(id.as_str())).one(db));
        found.await?.as_ref().map(restore).transpose()
    }

    async fn insert(&self, credential: &Credential) -> Result<(), StoreError> {
        let landed = async {
            let transaction = self.0.begin().await?;
            Entity::insert(row(credential)).exec_without_returning(&transaction).await?;
            self.0.recording().add(&transaction, credential.id.tenant(), AuditEntry::created(credential)).await?;
            transaction.commit().await
        };
        self.0.change(landed).await
    }

    async fn list<'a>(&self, tenant: Option<&'a TenantId>) -> Result<Vec<Credential>, StoreError> {
        let query =
            of(tenant).order_by_asc(Column::TenantId).order_by_asc(Column::CreatedAt).order_by_asc(Column::ApiId);
        self.0.read(|db| query.clone().all(db)).await?.iter().map(restore).collect()
    }

    async fn rotate(
        &self,
        id: &ApiId,
        digest: &SecretDigest,
        keep_until: Timestamp,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let update = Entity::update_many()
            .col_expr(Column::PreviousDigest, Expr::col(Column::SecretDigest))
            .col_expr(Column::PreviousUntil, Expr::val(keep_until.as_micros()))
            .col_expr(Column::SecretDigest, Expr::val(digest.as_bytes().to_vec()))
            .filter(is(id))
            .filter(Column::RevokedAt.is_null());
        self.0.change(self.update(update, id, AuditEntry::rotated(id, keep_until, at))).await
    }

    async fn revoke(&self, id: &ApiId, at: Timestamp) -> Result<bool, StoreError> {
        let update = Entity::update_many()
            .col_expr(Column::RevokedAt, Expr::val(at.as_micros()))
            .filter(is(id))
            .filter(Column::RevokedAt.is_null());
        let revoked = self.0.change(self.update(update, id, AuditEntry::revoked(id, at))).await?;
        Ok(revoked || self.find(id).await?.is_some())
    }
}

impl SqlCredentials {
    /// Lands an update with its entry in the audit log, and tells whether there was what it updates.
    async fn update(&self, update: UpdateMany<Entity>, id: &ApiId, entry: AuditEntry) -> Result<bool, DbErr> {
        let transaction = self.0.begin().await?;
        if update.exec(&transaction).await?.rows_affected == 0 {
            transaction.rollback().await?;
            return Ok(false);
        }
        self.0.recording().add(&transaction, id.tenant(), entry).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

fn row(credential: &Credential) -> ActiveModel {
    let words: Vec<_> = credential.permissions.iter().map(Permission::as_str).collect();
    let (previous_digest, previous_until) = credential
        .previous
        .as_ref()
        .map_or((None, None), |(digest, until)| (Some(digest.as_bytes().to_vec()), Some(until.as_micros())));
    ActiveModel {
        tenant_id: Set(credential.id.tenant().as_str().to_owned()),
        api_id: Set(credential.id.as_str().to_owned()),
        name: Set(credential.name.as_str().to_owned()),
        permissions: Set(words.join(" ")),
        secret_digest: Set(credential.digest.as_bytes().to_vec()),
        previous_digest: Set(previous_digest),
        previous_until: Set(previous_until),
        created_at: Set(credential.created_at.as_micros()),
        revoked_at: Set(credential.revoked_at.map(Timestamp::as_micros)),
    }
}

pub(crate) fn restore(row: &Model) -> Result<Credential, StoreError> {
    let id = &row.api_id;
    let moment = |micros, column| Timestamp::from_micros(micros).map_err(|broken| corrupt(TABLE, column, id, broken));
    let previous = match (&row.previous_digest, row.previous_until) {
        (Some(digest), Some(until)) => {
            Some((restore_digest(digest, "previous_digest", id)?, moment(until, "previous_until")?))
        }
        (None, None) => None,
        _ => return Err(corrupt(TABLE, "previous_until", id, "is missing, or what it belongs to is")),
    };
    let permissions: Result<Permissions, UnknownPermission> =
        row.permissions.split_whitespace().map(Permission::parse).collect();
    Ok(Credential {
        id: restore_id(row)?,
        name: CredentialName::parse(row.name.as_str()).map_err(|broken| corrupt(TABLE, "name", id, broken))?,
        permissions: permissions.map_err(|broken| corrupt(TABLE, "permissions", id, broken))?,
        digest: restore_digest(&row.secret_digest, "secret_digest", id)?,
        previous,
        created_at: moment(row.created_at, "created_at")?,
        revoked_at: row.revoked_at.map(|micros| moment(micros, "revoked_at")).transpose()?,
    })
}

fn restore_id(row: &Model) -> Result<ApiId, StoreError> {
    let id = ApiId::parse(&row.api_id).map_err(|broken| corrupt(TABLE, "api_id", &row.api_id, broken))?;
    if id.tenant().as_str() == row.tenant_id {
        return Ok(id);
    }
    Err(corrupt(TABLE, "tenant_id", &row.api_id, "is not the tenant that the identifier names"))
}

fn restore_digest(bytes: &[u8], column: &'static str, row: &str) -> Result<SecretDigest, StoreError> {
    let bytes = bytes.try_into().map_err(|_| corrupt(TABLE, column, row, "must have 32 bytes"))?;
    Ok(SecretDigest::new(bytes))
}

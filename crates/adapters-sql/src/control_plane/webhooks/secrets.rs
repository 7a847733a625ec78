//! The encrypted secrets of the webhooks of all tenants, for an operator who checks or replaces the master key.

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    webhook::{SealedSecret, WebhookId},
};
use sea_orm::{DbErr, QueryResult, Value};

use super::reads::rows;
use crate::{
    Database,
    control_plane::statements::{execute, key},
    error::corrupt,
};

/// The encrypted secrets of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredWebhookSecrets {
    /// The tenant.
    pub tenant: TenantId,
    /// The webhook.
    pub webhook: WebhookId,
    /// The secret that signs requests.
    pub secret: SealedSecret,
    /// The secret before the last rotation of the webhook's secret.
    pub previous: Option<SealedSecret>,
}

/// Reads and replaces the encrypted secrets of webhooks.
#[derive(Clone, Debug)]
pub struct SqlWebhookSecrets(Database);

impl SqlWebhookSecrets {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

const ALL: &str =
    "SELECT tenant_id, id, secret, previous_secret FROM webhooks WHERE removed_at IS NULL ORDER BY tenant_id, id";

/// A server that has read the webhook before must not write the replaced secrets back, so its revision grows.
const REPLACE: &str = "UPDATE webhooks SET secret = $3, previous_secret = $4, revision = revision + 1
    WHERE tenant_id = $1 AND id = $2 AND secret = $5 AND removed_at IS NULL";

struct SecretsRow {
    tenant: String,
    id: String,
    secret: Vec<u8>,
    previous: Option<Vec<u8>>,
}

impl SecretsRow {
    fn read(row: &QueryResult) -> Result<Self, DbErr> {
        Ok(Self {
            tenant: row.try_get_by_index(0)?,
            id: row.try_get_by_index(1)?,
            secret: row.try_get_by_index(2)?,
            previous: row.try_get_by_index(3)?,
        })
    }

    fn restore(self) -> Result<StoredWebhookSecrets, StoreError> {
        let row = format!("{}/{}", self.tenant, self.id);
        Ok(StoredWebhookSecrets {
            tenant: TenantId::parse(&self.tenant).map_err(|error| corrupt("webhooks", "tenant_id", &row, error))?,
            webhook: WebhookId::parse(&self.id).map_err(|error| corrupt("webhooks", "id", &row, error))?,
            secret: SealedSecret(self.secret),
            previous: self.previous.map(SealedSecret),
        })
    }
}

impl SqlWebhookSecrets {
    /// The secrets of every webhook that is not removed, also of inactive ones.
    ///
    /// # Errors
    /// If the database fails.
    #[tracing::instrument(level = "debug", name = "sql.webhook_secrets.all", skip_all)]
    pub async fn all(&self) -> Result<Vec<StoredWebhookSecrets>, StoreError> {
        rows(&self.0, ALL, &[], SecretsRow::read).await?.into_iter().map(SecretsRow::restore).collect()
    }

    /// Replaces the secrets of a webhook, if its secret is still the one of `expected`. Returns whether it is.
    ///
    /// # Errors
    /// If the database fails.
    #[tracing::instrument(level = "debug", name = "sql.webhook_secrets.replace", skip_all)]
    pub async fn replace(
        &self,
        expected: &StoredWebhookSecrets,
        secret: SealedSecret,
        previous: Option<SealedSecret>,
    ) -> Result<bool, StoreError> {
        let values: [Value; 3] =
            [secret.0.into(), previous.map(|secret| secret.0).into(), expected.secret.0.clone().into()];
        let values = key(&expected.tenant, &expected.webhook).into_iter().chain(values);
        self.0.write(execute(self.0.writer(), REPLACE, values)).await.map(|changed| changed > 0)
    }
}

//! Streaming addresses in SQL. One statement finds and removes an address, so replicas cannot race.

use async_trait::async_trait;
use parlance_domain::{
    access::{ApiId, SecretDigest, TenantId, VerifiedCredential},
    error::StoreError,
    event::{EventTypes, EventView, PresentedAddress, StreamAddress, StreamAddressStore, StreamTarget},
    hex,
    id::ConversationId,
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement, Value};

use crate::{Database, error::corrupt};

const TABLE: &str = "stream_addresses";

/// Stores streaming addresses in SQL.
#[derive(Clone, Debug)]
pub struct SqlStreamAddresses(Database);

impl SqlStreamAddresses {
    /// A store in this database.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

const REMOVE_EXPIRED: &str = "DELETE FROM stream_addresses WHERE tenant_id = $1 AND expires_at <= $2";

const INSERT: &str = "INSERT INTO stream_addresses (tenant_id, stream_id, secret_digest, api_id, conversation_id,
        resume_after, event_types, event_view, expires_at, credential_digest)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";

/// The release before stores no digest of the credential's secret. Such an address opens nothing here: whether the secret is
/// still accepted cannot be known.
const TAKE: &str = "DELETE FROM stream_addresses
    WHERE tenant_id = $1 AND stream_id = $2 AND secret_digest = $3 AND expires_at > $4 AND credential_digest IS NOT NULL
    RETURNING api_id, credential_digest, conversation_id, resume_after, event_types, event_view, expires_at";

const FIND: &str = "SELECT api_id, credential_digest, conversation_id, resume_after, event_types, event_view, expires_at
    FROM stream_addresses
    WHERE tenant_id = $1 AND stream_id = $2 AND secret_digest = $3 AND expires_at > $4 AND credential_digest IS NOT NULL";

/// The columns of an address besides its id and its digest.
#[derive(FromQueryResult)]
struct AddressRow {
    api_id: String,
    credential_digest: String,
    conversation_id: Option<String>,
    resume_after: Option<String>,
    event_types: Option<String>,
    event_view: String,
    expires_at: i64,
}

impl AddressRow {
    fn restore(self, presented: &PresentedAddress) -> Result<StreamAddress, StoreError> {
        let PresentedAddress { id, digest } = presented;
        let row = id.as_str();
        let conversation = self.conversation_id.map(|id| ConversationId::parse(&id)).transpose();
        let types = self.event_types.map(|types| EventTypes::parse(&types)).transpose();
        let view = EventView::parse(&self.event_view);
        let credential_digest = hex::decode(&self.credential_digest).map(SecretDigest::new);
        let expires_at = Timestamp::from_micros(self.expires_at);
        Ok(StreamAddress {
            id: id.clone(),
            digest: digest.clone(),
            credential: VerifiedCredential {
                id: ApiId::parse(&self.api_id).map_err(|error| corrupt(TABLE, "api_id", row, error))?,
                digest: credential_digest.ok_or_else(|| corrupt(TABLE, "credential_digest", row, "is not a digest"))?,
            },
            target: StreamTarget {
                conversation: conversation.map_err(|error| corrupt(TABLE, "conversation_id", row, error))?,
                resume: self.resume_after,
                types: types.map_err(|error| corrupt(TABLE, "event_types", row, error))?,
                view: view.ok_or_else(|| corrupt(TABLE, "event_view", row, "must be the name of a view"))?,
            },
            expires_at: expires_at.map_err(|error| corrupt(TABLE, "expires_at", row, error))?,
        })
    }
}

/// The values that find an address.
fn key(tenant: &TenantId, presented: &PresentedAddress, now: Timestamp) -> [Value; 4] {
    let PresentedAddress { id, digest } = presented;
    [tenant.as_str().into(), id.as_str().into(), hex::encode(digest.as_bytes()).into(), now.as_micros().into()]
}

fn insert_values(tenant: &TenantId, address: &StreamAddress) -> [Value; 10] {
    let StreamAddress { id, digest, credential, target, expires_at } = address;
    [
        tenant.as_str().into(),
        id.as_str().into(),
        hex::encode(digest.as_bytes()).into(),
        credential.id.as_str().into(),
        target.conversation.as_ref().map(ConversationId::as_str).into(),
        target.resume.as_deref().into(),
        target.types.map(|types| types.to_string()).into(),
        target.view.as_str().into(),
        expires_at.as_micros().into(),
        hex::encode(credential.digest.as_bytes()).into(),
    ]
}

#[async_trait]
impl StreamAddressStore for SqlStreamAddresses {
    #[tracing::instrument(level = "debug", name = "sql.stream_addresses.insert", skip_all, fields(%tenant))]
    async fn insert(&self, tenant: &TenantId, address: &StreamAddress, now: Timestamp) -> Result<(), StoreError> {
        let db = self.0.writer();
        let statement = |sql, values: &[Value]| {
            Statement::from_sql_and_values(db.get_database_backend(), sql, values.iter().cloned())
        };
        let insert = async {
            db.execute_raw(statement(REMOVE_EXPIRED, &[tenant.as_str().into(), now.as_micros().into()])).await?;
            db.execute_raw(statement(INSERT, &insert_values(tenant, address))).await
        };
        self.0.write(insert).await.map(|_| ())
    }

    #[tracing::instrument(level = "debug", name = "sql.stream_addresses.take", skip_all, fields(%tenant))]
    async fn take(
        &self,
        tenant: &TenantId,
        presented: &PresentedAddress,
        now: Timestamp,
    ) -> Result<Option<StreamAddress>, StoreError> {
        let db = self.0.writer();
        let statement = Statement::from_sql_and_values(db.get_database_backend(), TAKE, key(tenant, presented, now));
        let row = self.0.write(AddressRow::find_by_statement(statement).one(db)).await?;
        row.map(|row| row.restore(presented)).transpose()
    }

    #[tracing::instrument(level = "debug", name = "sql.stream_addresses.find", skip_all, fields(%tenant))]
    async fn find(
        &self,
        tenant: &TenantId,
        presented: &PresentedAddress,
        now: Timestamp,
    ) -> Result<Option<StreamAddress>, StoreError> {
        let backend = self.0.reader().get_database_backend();
        let statement = Statement::from_sql_and_values(backend, FIND, key(tenant, presented, now));
        let row = self.0.read(|db| AddressRow::find_by_statement(statement.clone()).one(db)).await?;
        row.map(|row| row.restore(presented)).transpose()
    }
}

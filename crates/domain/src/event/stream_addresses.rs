//! The use cases of streaming addresses.

use std::sync::Arc;

use super::{
    EventReader, IssueAddressError, PresentedAddress, SpendAddressError, StreamAddress, StreamAddressStore, StreamId,
    StreamTarget,
};
use crate::{
    access::{ApiSecret, AuthorizedCaller, ReadConversations, SecretDigester, SecretSource, TenantId},
    conversation::{Conversations, FindConversationError},
    id::IdSource,
    limits::STREAM_ADDRESS_SECONDS,
    text::ExternalId,
    time::{Clock, Timestamp},
};

/// Issues addresses that open a stream of events without a credential, once and for a short time. A browser cannot send
/// the headers of a credential with a stream, and must not know the credential.
#[derive(Clone)]
pub struct StreamAddresses {
    store: Arc<dyn StreamAddressStore>,
    conversations: Conversations,
    secrets: Arc<dyn SecretSource>,
    digester: Arc<dyn SecretDigester>,
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
}

/// A new address with its plain secret, which is available only here.
#[derive(Debug)]
pub struct IssuedAddress {
    /// The tenant.
    pub tenant: TenantId,
    /// The id.
    pub id: StreamId,
    /// The plain secret.
    pub secret: ApiSecret,
    /// The time from which on the address opens nothing.
    pub expires_at: Timestamp,
}

impl StreamAddresses {
    /// Stores addresses in `store`, and finds conversations by `conversations`.
    #[must_use]
    pub fn new(
        (store, conversations): (Arc<dyn StreamAddressStore>, Conversations),
        (secrets, digester): (Arc<dyn SecretSource>, Arc<dyn SecretDigester>),
        ids: Arc<dyn IdSource>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, conversations, secrets, digester, ids, clock }
    }

    /// Issues an address. With `external_id`, it opens the stream of the conversation with this identifier, whatever
    /// conversation the target names.
    ///
    /// # Errors
    /// [`IssueAddressError`].
    pub async fn issue(
        &self,
        caller: &AuthorizedCaller<ReadConversations>,
        external_id: Option<&ExternalId>,
        mut target: StreamTarget,
    ) -> Result<IssuedAddress, IssueAddressError> {
        EventReader::new(caller, target.types)?;
        let credential = caller.verified_credential().cloned().ok_or(IssueAddressError::NoCredential)?;
        if let Some(external_id) = external_id {
            let found = self.conversations.search(caller, external_id).await?;
            target.conversation = Some(found.ok_or(IssueAddressError::UnknownExternalId)?.id);
        } else if let Some(id) = &target.conversation {
            self.conversations.find(caller, id).await.map_err(|error| match error {
                FindConversationError::NotFound => IssueAddressError::UnknownConversation,
                FindConversationError::Store(error) => error.into(),
            })?;
        }
        let now = self.clock.now();
        let (id, secret) = (StreamId::from_bits(self.ids.next(now)), self.secrets.next()?);
        let expires_at = now.plus_seconds(STREAM_ADDRESS_SECONDS);
        let digest = self.digester.digest(&secret);
        let address = StreamAddress { id: id.clone(), digest, credential, target, expires_at };
        self.store.insert(caller.tenant(), &address, now).await?;
        Ok(IssuedAddress { tenant: caller.tenant().clone(), id, secret, expires_at })
    }

    /// Uses an address, which then opens nothing any more.
    ///
    /// # Errors
    /// [`SpendAddressError`].
    pub async fn spend(
        &self,
        tenant: &TenantId,
        id: StreamId,
        secret: &ApiSecret,
    ) -> Result<StreamAddress, SpendAddressError> {
        let presented = PresentedAddress { id, digest: self.digester.digest(secret) };
        self.store.take(tenant, &presented, self.clock.now()).await?.ok_or(SpendAddressError::NotFound)
    }

    /// An address that can be used, which stays as it is.
    ///
    /// # Errors
    /// [`SpendAddressError`].
    pub async fn find(
        &self,
        tenant: &TenantId,
        id: StreamId,
        secret: &ApiSecret,
    ) -> Result<StreamAddress, SpendAddressError> {
        let presented = PresentedAddress { id, digest: self.digester.digest(secret) };
        self.store.find(tenant, &presented, self.clock.now()).await?.ok_or(SpendAddressError::NotFound)
    }
}

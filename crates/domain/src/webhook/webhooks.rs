//! The use cases of webhooks themselves.

use std::sync::Arc;

use zeroize::Zeroizing;

use super::{
    AllowedNetworks, InvalidWebhookUrl, NewWebhook, SecretCipher, Webhook, WebhookChange, WebhookCursor, WebhookError,
    WebhookId, WebhookInsertOutcome, WebhookPage, WebhookSecret, WebhookStore, WebhookUrl,
};
use crate::{
    access::{AuthorizedCaller, Permission, PermissionDenied, ReadWebhooks, SecretSource, TenantId, WriteWebhooks},
    audit::AuditEntry,
    error::{StoreError, StoreErrorKind},
    event::{ChangeLog, EventType, EventTypes, LogPosition, LogRead},
    id::IdSource,
    limits::WEBHOOK_MAX_PER_TENANT,
    time::Clock,
    vocabulary::PageSize,
};

/// How often a change is tried while others change the same webhook. Of six callers that change one without a pause, each
/// fails in 3 of 10 cases with eight attempts.
pub(super) const ATTEMPTS: usize = 64;

/// A webhook with its secret, which is shown once.
#[derive(Debug, Clone)]
pub struct IssuedWebhook {
    /// The webhook.
    pub webhook: Webhook,
    /// The text form of the secret.
    pub secret: Zeroizing<String>,
}

/// Creates, changes, lists and removes the webhooks of a tenant, and their deliveries.
#[derive(Clone)]
pub struct Webhooks {
    pub(super) store: Arc<dyn WebhookStore>,
    pub(super) log: Arc<dyn ChangeLog>,
    pub(super) ids: Arc<dyn IdSource>,
    pub(super) clock: Arc<dyn Clock>,
    cipher: Arc<dyn SecretCipher>,
    secrets: Arc<dyn SecretSource>,
    networks: AllowedNetworks,
}

impl Webhooks {
    /// Reads and writes `store`, and begins at positions of `log`.
    #[must_use]
    pub fn new(
        (store, log): (Arc<dyn WebhookStore>, Arc<dyn ChangeLog>),
        (cipher, secrets): (Arc<dyn SecretCipher>, Arc<dyn SecretSource>),
        (ids, clock): (Arc<dyn IdSource>, Arc<dyn Clock>),
        networks: AllowedNetworks,
    ) -> Self {
        Self { store, log, ids, clock, cipher, secrets, networks }
    }

    /// Creates a webhook that receives the events after its creation.
    ///
    /// # Errors
    /// [`WebhookError::Url`] and [`WebhookError::AddressNotAllowed`] for an address that may not be reached;
    /// [`WebhookError::Denied`] for a type that the caller may not read; [`WebhookError::Full`]; [`WebhookError::Store`].
    pub async fn create(
        &self,
        caller: &AuthorizedCaller<WriteWebhooks>,
        new: NewWebhook,
    ) -> Result<IssuedWebhook, WebhookError> {
        let tenant = caller.tenant();
        self.check_url(&new.url)?;
        let types = readable_types(caller, new.types)?;
        let now = self.clock.now();
        let id = WebhookId::from_bits(self.ids.next(now));
        let secret = WebhookSecret::derive(&self.secrets.next()?);
        let webhook = Webhook {
            url: new.url,
            types,
            description: new.description,
            active: true,
            switched_off: None,
            secret: self.cipher.seal(tenant, &id, &secret)?,
            previous_secret: None,
            credential: caller.credential().cloned(),
            cursor: self.log.newest(tenant).await?,
            created_at: now,
            revision: 1,
            id,
        };
        let entry = AuditEntry::webhook_created(&webhook, now);
        match self.store.insert(tenant, &webhook, WEBHOOK_MAX_PER_TENANT, entry).await? {
            WebhookInsertOutcome::Inserted => Ok(IssuedWebhook { webhook, secret: secret.reveal() }),
            WebhookInsertOutcome::Full => Err(WebhookError::Full),
        }
    }

    /// The page at `cursor`, or the first page, oldest webhooks first.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn list(
        &self,
        caller: &AuthorizedCaller<ReadWebhooks>,
        cursor: Option<&WebhookCursor>,
        size: PageSize,
    ) -> Result<WebhookPage, StoreError> {
        let tenant = caller.tenant();
        Ok(WebhookPage::of(self.store.list(tenant).await?, cursor, size))
    }

    /// The webhook with this id.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`] or [`WebhookError::Store`].
    pub async fn find(&self, caller: &AuthorizedCaller<ReadWebhooks>, id: &WebhookId) -> Result<Webhook, WebhookError> {
        let tenant = caller.tenant();
        self.existing(tenant, id).await
    }

    /// Changes a webhook, which belongs to the credential of the caller from then on. The caller must be allowed to read the
    /// types that the webhook names before the change, too: what is queued is of those.
    ///
    /// # Errors
    /// Those of [`create`](Self::create), and [`WebhookError::NotFound`]; [`WebhookError::CursorExpired`] or
    /// [`WebhookError::CursorUnknown`] if the webhook is switched on and the log has no longer what follows its cursor.
    pub async fn change(
        &self,
        caller: &AuthorizedCaller<WriteWebhooks>,
        id: &WebhookId,
        change: WebhookChange,
    ) -> Result<Webhook, WebhookError> {
        let tenant = caller.tenant();
        if let Some(url) = &change.url {
            self.check_url(url)?;
        }
        for _ in 0..ATTEMPTS {
            let stored = self.readable(caller, id).await?;
            let was_active = stored.active;
            let changed = stored.changed(change.clone(), caller.credential().cloned());
            require_types(caller, changed.types)?;
            if changed.active && !was_active {
                self.check_cursor(tenant, changed.cursor).await?;
            }
            let entry = AuditEntry::webhook_changed(&changed, self.clock.now());
            if self.store.update(tenant, &changed, entry).await? {
                return Ok(changed);
            }
        }
        Err(contended())
    }

    /// Removes a webhook with its deliveries.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`] or [`WebhookError::Store`].
    pub async fn remove(&self, caller: &AuthorizedCaller<WriteWebhooks>, id: &WebhookId) -> Result<(), WebhookError> {
        let tenant = caller.tenant();
        let entry = AuditEntry::webhook_removed(id, caller.credential(), self.clock.now());
        if self.store.remove(tenant, id, entry).await? { Ok(()) } else { Err(WebhookError::NotFound) }
    }

    /// Replaces the secret of a webhook. The secret before also signs for a day.
    ///
    /// # Errors
    /// [`WebhookError::NotFound`], [`WebhookError::Denied`] or [`WebhookError::Store`].
    pub async fn rotate_secret(
        &self,
        caller: &AuthorizedCaller<WriteWebhooks>,
        id: &WebhookId,
    ) -> Result<IssuedWebhook, WebhookError> {
        let tenant = caller.tenant();
        let secret = WebhookSecret::derive(&self.secrets.next()?);
        for _ in 0..ATTEMPTS {
            let (stored, now) = (self.readable(caller, id).await?, self.clock.now());
            let webhook = stored.rotated(self.cipher.seal(tenant, id, &secret)?, now);
            let entry = AuditEntry::webhook_rotated(&webhook, caller.credential(), now);
            if self.store.update(tenant, &webhook, entry).await? {
                return Ok(IssuedWebhook { webhook, secret: secret.reveal() });
            }
        }
        Err(contended())
    }

    pub(super) async fn existing(&self, tenant: &TenantId, id: &WebhookId) -> Result<Webhook, WebhookError> {
        self.store.find(tenant, id).await?.ok_or(WebhookError::NotFound)
    }

    /// The webhook with this id, if the caller may read every type that it names.
    pub(super) async fn readable(
        &self,
        caller: &AuthorizedCaller<WriteWebhooks>,
        id: &WebhookId,
    ) -> Result<Webhook, WebhookError> {
        let webhook = self.existing(caller.tenant(), id).await?;
        require_types(caller, webhook.types)?;
        Ok(webhook)
    }

    /// Checks that the log has everything after a position.
    pub(super) async fn check_cursor(&self, tenant: &TenantId, cursor: LogPosition) -> Result<(), WebhookError> {
        match self.log.read(tenant, cursor, 1).await? {
            LogRead::Page(_) => Ok(()),
            LogRead::Expired => Err(WebhookError::CursorExpired),
            LogRead::Unknown => Err(WebhookError::CursorUnknown),
        }
    }

    /// Checks what is known of an address before it is resolved. Each attempt checks the addresses that it resolves.
    fn check_url(&self, url: &WebhookUrl) -> Result<(), WebhookError> {
        if !self.networks.permits_scheme(url.scheme()) {
            return Err(InvalidWebhookUrl::Scheme.into());
        }
        if self.networks.permits_host(url.scheme(), url.host()) { Ok(()) } else { Err(WebhookError::AddressNotAllowed) }
    }
}

/// The requested types, or every type that the caller may read. A caller that may read no type lacks the permission that
/// most types need.
fn readable_types(
    caller: &AuthorizedCaller<WriteWebhooks>,
    requested: Option<EventTypes>,
) -> Result<EventTypes, WebhookError> {
    let types = requested.unwrap_or_else(|| {
        EventType::ALL.into_iter().filter(|event_type| caller.require(event_type.permission()).is_ok()).collect()
    });
    if types.is_empty() {
        caller.require(Permission::ReadConversations)?;
    }
    require_types(caller, types)?;
    Ok(types)
}

fn require_types(caller: &AuthorizedCaller<WriteWebhooks>, types: EventTypes) -> Result<(), PermissionDenied> {
    types.iter().try_for_each(|event_type| caller.require(event_type.permission()))
}

pub(super) fn contended() -> WebhookError {
    StoreError::new(StoreErrorKind::Unavailable, "the webhook changed during every attempt").into()
}

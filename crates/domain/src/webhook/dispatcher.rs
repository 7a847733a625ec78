//! The dispatcher: turns entries of the change log into deliveries, and sends deliveries.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    ActiveWebhook, AttemptFailure, AttemptedDelivery, Backlog, DeliveryAttempt, DeliverySubject, EndpointKey, Enqueue,
    EventEncoder, Jitter, SecretCipher, SwitchOffReason, Webhook, WebhookDelivery, WebhookDeliveryId, WebhookRequest,
    WebhookSecret, WebhookSender, WebhookStore, sign, signature::unix_seconds,
};
use crate::{
    access::TenantId,
    audit::AuditEntry,
    error::{StoreError, StoreErrorKind},
    event::{Events, LogEntry, LogPage, LogRead},
    id::IdSource,
    lease::LeaseTerm,
    limits::{EVENT_PAGE_MAX, WEBHOOK_DELIVERY_RETENTION_SECONDS, WEBHOOK_MAX_PENDING, WEBHOOK_PURGE_ROWS},
    time::{Clock, MonotonicClock, Timestamp},
};

/// The ports of a dispatcher.
#[derive(Clone)]
pub struct DispatcherPorts {
    /// Stores webhooks and deliveries.
    pub store: Arc<dyn WebhookStore>,
    /// Sends requests.
    pub sender: Arc<dyn WebhookSender>,
    /// Encodes bodies.
    pub encoder: Arc<dyn EventEncoder>,
    /// Decrypts secrets.
    pub cipher: Arc<dyn SecretCipher>,
    /// Generates the identifiers of deliveries.
    pub ids: Arc<dyn IdSource>,
    /// Reads the time.
    pub clock: Arc<dyn Clock>,
    /// Measures the duration of attempts.
    pub monotonic: Arc<dyn MonotonicClock>,
}

/// An attempt that has ended.
#[derive(Debug, Clone)]
pub struct EndedAttempt {
    /// The term in which it began.
    pub term: LeaseTerm,
    /// The tenant of the webhook.
    pub tenant: TenantId,
    /// The webhook, as it was when the attempt began.
    pub webhook: Webhook,
    /// The delivery after the attempt.
    pub delivery: WebhookDelivery,
    /// The next attempt as it was stored when this one began.
    pub expected_next_attempt: Option<Timestamp>,
    /// The attempt.
    pub attempt: DeliveryAttempt,
}

impl EndedAttempt {
    fn attempted(&self) -> AttemptedDelivery {
        let (tenant, delivery) = (self.tenant.clone(), self.delivery.clone());
        AttemptedDelivery { tenant, delivery, expected_next_attempt: self.expected_next_attempt }
    }
}

/// Sends the events of all tenants to their webhooks, on the replica that holds the lease.
#[derive(Clone)]
pub struct Dispatcher {
    ports: DispatcherPorts,
    events: Events,
}

impl Dispatcher {
    /// Reads `events`, whose log gives the entries.
    #[must_use]
    pub fn new(ports: DispatcherPorts, events: Events) -> Self {
        Self { ports, events }
    }

    /// Begins a term: the store refuses writes of earlier ones.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn claim(&self, term: LeaseTerm) -> Result<(), StoreError> {
        self.ports.store.claim(term).await
    }

    /// The active webhooks of all tenants.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn active(&self) -> Result<Vec<ActiveWebhook>, StoreError> {
        self.ports.store.active().await
    }

    /// Those of the webhooks with something to do: a credential was revoked, or the log has entries after the cursor.
    ///
    /// # Errors
    /// If the log fails.
    pub async fn with_entries<'a>(&self, active: &'a [ActiveWebhook]) -> Result<Vec<&'a ActiveWebhook>, StoreError> {
        let positions: Vec<_> = active.iter().map(|it| (it.tenant.clone(), it.webhook.cursor)).collect();
        let has_entries = self.events.log().has_entries(&positions).await?;
        let pairs = active.iter().zip(has_entries);
        Ok(pairs.filter(|(it, has_entries)| *has_entries || it.is_credential_revoked).map(|(it, _)| it).collect())
    }

    /// Adds the next entries after the cursor of a webhook as deliveries, and moves the cursor. A webhook whose credential
    /// was revoked, or whose cursor the log has lost, is switched off instead. One that owes very much is left as it is:
    /// its entries wait in the log.
    ///
    /// Returns whether more entries may follow.
    ///
    /// # Errors
    /// If a store fails.
    pub async fn collect(&self, term: LeaseTerm, active: &ActiveWebhook) -> Result<bool, StoreError> {
        let ActiveWebhook { tenant, webhook, is_credential_revoked } = active;
        if *is_credential_revoked {
            self.switch_off(term, tenant, webhook, SwitchOffReason::CredentialRevoked).await?;
            return Ok(false);
        }
        if self.ports.store.pending(tenant, &webhook.id).await? >= WEBHOOK_MAX_PENDING {
            return Ok(false);
        }
        let LogRead::Page(page) = self.events.log().read(tenant, webhook.cursor, EVENT_PAGE_MAX.into()).await? else {
            self.switch_off(term, tenant, webhook, SwitchOffReason::CursorLost).await?;
            return Ok(false);
        };
        let has_more = page.has_more;
        let Some(enqueue) = self.enqueue_of(webhook, page) else { return Ok(false) };
        Ok(self.ports.store.enqueue(term, tenant, &enqueue).await? && has_more)
    }

    /// The deliveries of a page of the log; `None` for an empty page.
    fn enqueue_of(&self, webhook: &Webhook, page: LogPage) -> Option<Enqueue> {
        let next_cursor = page.entries.last().map(|entry: &LogEntry| entry.position)?;
        let now = self.ports.clock.now();
        let to_delivery = |subject| {
            let id = WebhookDeliveryId::from_bits(self.ports.ids.next(now));
            WebhookDelivery::new(id, webhook.id.clone(), subject, now)
        };
        let subjects = page.entries.into_iter().map(DeliverySubject::Event);
        Some(Enqueue {
            webhook: webhook.id.clone(),
            expected_revision: webhook.revision,
            expected_cursor: webhook.cursor,
            next_cursor,
            deliveries: subjects.filter(|subject| subject.is_named_by(webhook.types)).map(to_delivery).collect(),
        })
    }

    /// The webhooks that may have deliveries to send now.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn due_webhooks(&self) -> Result<BTreeSet<EndpointKey>, StoreError> {
        Ok(self.ports.store.due_webhooks(self.ports.clock.now()).await?.into_iter().collect())
    }

    /// The deliveries to send now to this webhook, at most `limit`. A delivery is left out if its type was added to the stored
    /// webhook after this one was read: the address may have changed with it.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn due(
        &self,
        tenant: &TenantId,
        webhook: &Webhook,
        limit: usize,
    ) -> Result<Vec<WebhookDelivery>, StoreError> {
        let mut due = self.ports.store.due(tenant, &webhook.id, self.ports.clock.now(), limit).await?;
        due.retain(|delivery| delivery.subject.is_named_by(webhook.types));
        Ok(due)
    }

    /// Sends a delivery once. The attempt counts after [`Self::record`].
    ///
    /// # Errors
    /// If a store is unavailable. The delivery is sent again then.
    pub async fn attempt(
        &self,
        term: LeaseTerm,
        tenant: TenantId,
        webhook: Webhook,
        delivery: WebhookDelivery,
        jitter: Jitter,
    ) -> Result<EndedAttempt, StoreError> {
        let at = self.ports.clock.now();
        let begun = self.ports.monotonic.elapsed();
        let outcome = match self.request(&tenant, &webhook, &delivery).await {
            Ok(request) => self.ports.sender.send(&request).await,
            Err(error) if error.kind() == StoreErrorKind::Unavailable => return Err(error),
            // What cannot be read now is recorded, so that it does not hold up the other conversations at every turn.
            Err(_) => Err(AttemptFailure::Internal),
        };
        let duration = self.ports.monotonic.elapsed().saturating_sub(begun);
        let attempt = DeliveryAttempt { at, duration, outcome };
        let expected_next_attempt = delivery.next_attempt();
        let delivery = delivery.after_attempt(attempt, jitter);
        Ok(EndedAttempt { term, tenant, webhook, delivery, expected_next_attempt, attempt })
    }

    /// Records attempts that have ended, those of a term in one transaction. A webhook whose delivery has failed for too long
    /// is switched off. A delivery that a caller queued again during the attempt is sent once more, even if the attempt
    /// succeeded.
    ///
    /// # Errors
    /// If a store fails. The deliveries that are not recorded are sent again.
    pub async fn record(&self, ended: Vec<EndedAttempt>) -> Result<(), StoreError> {
        let mut by_term: BTreeMap<LeaseTerm, Vec<EndedAttempt>> = BTreeMap::new();
        for attempt in ended {
            by_term.entry(attempt.term).or_default().push(attempt);
        }
        for (term, ended) in by_term {
            let attempted: Vec<_> = ended.iter().map(EndedAttempt::attempted).collect();
            let recorded = self.ports.store.record(term, &attempted).await?;
            let now = self.ports.clock.now();
            for EndedAttempt { tenant, webhook, delivery, .. } in &ended {
                if recorded.contains(&delivery.id) && delivery.has_failed_too_long(now) {
                    self.switch_off(term, tenant, webhook, SwitchOffReason::Failing).await?;
                }
            }
        }
        Ok(())
    }

    /// The signed request of a delivery, with the data as it reads now.
    async fn request(
        &self,
        tenant: &TenantId,
        webhook: &Webhook,
        delivery: &WebhookDelivery,
    ) -> Result<WebhookRequest, StoreError> {
        let body = match &delivery.subject {
            DeliverySubject::Test => self.ports.encoder.encode_test(&delivery.id, delivery.created_at),
            DeliverySubject::Event(entry) => {
                let events = self.events.data(tenant, vec![entry.clone()]).await?;
                events.first().map(|event| self.ports.encoder.encode(event)).unwrap_or_default()
            }
        };
        let now = self.ports.clock.now();
        let signature = sign(&self.secrets(tenant, webhook, now)?, &delivery.id, now, &body);
        let (url, id) = (webhook.url.clone(), delivery.id.clone());
        Ok(WebhookRequest { url, id, timestamp: unix_seconds(now), signature, body })
    }

    /// The secrets that sign a request at this time. A secret before a rotation that does not open, because its master key is
    /// lost, is left out: otherwise the new secret could not sign for a day.
    fn secrets(&self, tenant: &TenantId, webhook: &Webhook, now: Timestamp) -> Result<Vec<WebhookSecret>, StoreError> {
        let open = |sealed| self.ports.cipher.open(tenant, &webhook.id, sealed);
        let mut sealed = webhook.secrets_at(now);
        let current = sealed.next().map(open).transpose()?;
        Ok(current.into_iter().chain(sealed.filter_map(|sealed| open(sealed).ok())).collect())
    }

    /// Switches a webhook off, unless somebody changed it meanwhile.
    async fn switch_off(
        &self,
        term: LeaseTerm,
        tenant: &TenantId,
        webhook: &Webhook,
        reason: SwitchOffReason,
    ) -> Result<bool, StoreError> {
        let entry = AuditEntry::webhook_switched_off(&webhook.id, reason, self.ports.clock.now());
        self.ports.store.switch_off(term, tenant, &webhook.clone().off(reason), entry).await
    }

    /// Removes a number of old deliveries that were delivered, and returns whether more may be left.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn drop_old(&self) -> Result<bool, StoreError> {
        let cutoff = self.ports.clock.now().plus_seconds(-WEBHOOK_DELIVERY_RETENTION_SECONDS);
        self.ports.store.drop_delivered(cutoff, WEBHOOK_PURGE_ROWS).await
    }

    /// What is not delivered yet.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn backlog(&self) -> Result<Backlog, StoreError> {
        self.ports.store.backlog().await
    }
}

//! Runs of retention: they erase what no rule keeps, in small steps.

use std::{collections::VecDeque, sync::Arc};

use super::{
    CandidatePosition, Erasure, ErasureOutcome, ErasureStore, IdentifierDigester, RetentionStore, StoredRetention,
};
use crate::{
    access::TenantId,
    audit::AuditEntry,
    error::StoreError,
    id::ConversationId,
    limits::{RETENTION_RUN_PAGE, RETENTION_RUN_SECONDS},
    time::{Clock, Timestamp},
};

/// Runs retention for all tenants.
#[derive(Clone)]
pub struct RetentionRuns {
    store: Arc<dyn RetentionStore>,
    erasures: Arc<dyn ErasureStore>,
    digester: Arc<dyn IdentifierDigester>,
    clock: Arc<dyn Clock>,
}

/// A run of the rules of one tenant. It is forgotten if its process ends; the next run finds what is left.
#[derive(Debug, Clone)]
pub struct RetentionRun {
    tenant: TenantId,
    retention: StoredRetention,
    began: Timestamp,
    after: Option<CandidatePosition>,
    /// The conversations of the last page whose days were over when it was read.
    pending: VecDeque<ConversationId>,
    erased: u64,
}

impl RetentionRun {
    /// The tenant.
    #[must_use]
    pub fn tenant(&self) -> &TenantId {
        &self.tenant
    }

    /// The number of conversations that the run has erased so far.
    #[must_use]
    pub fn erased(&self) -> u64 {
        self.erased
    }
}

/// Whether a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum RetentionStep {
    /// Steps are left.
    Continues,
    /// The run is complete.
    Finished,
    /// The rules were replaced. A run of the new ones is due.
    Outdated,
}

impl RetentionRuns {
    /// Reads rules and conversations from `store`, and erases by `erasures`, which keeps digests of `digester`.
    #[must_use]
    pub fn new(
        store: Arc<dyn RetentionStore>,
        erasures: Arc<dyn ErasureStore>,
        digester: Arc<dyn IdentifierDigester>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, erasures, digester, clock }
    }

    /// The tenants for which a run is due: their rules were replaced, or their last run began a day ago.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn due(&self) -> Result<Vec<TenantId>, StoreError> {
        self.store.due(self.clock.now().plus_seconds(-RETENTION_RUN_SECONDS)).await
    }

    /// Begins a run of a tenant.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn begin(&self, tenant: TenantId) -> Result<RetentionRun, StoreError> {
        let retention = self.store.retention(&tenant).await?;
        let (began, pending) = (self.clock.now(), VecDeque::new());
        Ok(RetentionRun { tenant, retention, began, after: None, pending, erased: 0 })
    }

    /// Takes the next step of a run: reads one page of conversations, or erases one conversation.
    ///
    /// # Errors
    /// If a store fails, or the service has no key for digests of identifiers. The same step can be taken again.
    pub async fn step(&self, run: &mut RetentionRun) -> Result<RetentionStep, StoreError> {
        if let Some(conversation) = run.pending.front().cloned() {
            if self.store.retention(&run.tenant).await?.revision != run.retention.revision {
                return Ok(RetentionStep::Outdated);
            }
            run.erased += u64::from(self.erase_if_over(run, &conversation).await?);
            run.pending.pop_front();
            return Ok(RetentionStep::Continues);
        }
        let rules = &run.retention.rules;
        let page = match rules.latest_creation(run.began) {
            Some(until) => self.store.candidates(&run.tenant, run.after.as_ref(), until, RETENTION_RUN_PAGE).await?,
            None => Vec::new(),
        };
        let Some(last) = page.last() else {
            self.store.record_run(&run.tenant, run.retention.revision, run.began).await?;
            return Ok(RetentionStep::Finished);
        };
        run.after = Some(last.into());
        let over = page.iter().filter(|candidate| !candidate.is_held && rules.are_over(candidate, run.began));
        run.pending = over.map(|candidate| candidate.conversation.clone()).collect();
        Ok(RetentionStep::Continues)
    }

    /// Erases a conversation whose days are still over: a message can have arrived since the page was read.
    async fn erase_if_over(&self, run: &RetentionRun, id: &ConversationId) -> Result<bool, StoreError> {
        let Some(candidate) = self.store.candidate(&run.tenant, id).await? else { return Ok(false) };
        let rules = &run.retention.rules;
        let Some(rule) = rules.rule_for(candidate.metadata.as_ref()).filter(|_| rules.are_over(&candidate, run.began))
        else {
            return Ok(false);
        };
        let digest = self.digester.conversation_digest(&run.tenant, &candidate.external_id)?;
        let erasure = Erasure { conversation: candidate.conversation, digest, at: self.clock.now(), request: None };
        let entry = AuditEntry::conversation_erased_by_retention(&erasure, rule.days);
        match self.erasures.erase(&run.tenant, &erasure, entry).await? {
            ErasureOutcome::Erased(_) => Ok(true),
            ErasureOutcome::NoConversation | ErasureOutcome::Held => Ok(false),
        }
    }
}

//! The use cases of retention rules.

use std::sync::Arc;

use super::{
    CandidatePosition, ContentAuthenticator, RetentionError, RetentionPreview, RetentionRules, RetentionStore,
    retention_preview::{issue, proves},
};
use crate::{
    access::{AuthorizedCaller, OperatePrivacy, TenantId},
    audit::AuditEntry,
    conversation::FieldRedaction,
    error::StoreError,
    feed::Day,
    limits::RETENTION_PREVIEW_PAGE,
    time::Clock,
};

/// Previews, replaces and shows the retention rules of a tenant.
#[derive(Clone)]
pub struct Retention {
    store: Arc<dyn RetentionStore>,
    fields: FieldRedaction,
    authenticator: Arc<dyn ContentAuthenticator>,
    clock: Arc<dyn Clock>,
}

impl Retention {
    /// Stores rules in `store`, and proves previews by `authenticator`. Metadata values of rules are masked by `fields`, as
    /// those of conversations are.
    #[must_use]
    pub fn new(
        store: Arc<dyn RetentionStore>,
        fields: FieldRedaction,
        authenticator: Arc<dyn ContentAuthenticator>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { store, fields, authenticator, clock }
    }

    /// The rules in force.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn rules(&self, caller: &AuthorizedCaller<OperatePrivacy>) -> Result<RetentionRules, StoreError> {
        Ok(self.store.retention(caller.tenant()).await?.rules)
    }

    /// What rules would erase now. The preview reads every conversation that is old enough, so its duration grows with them.
    ///
    /// # Errors
    /// If the store fails, or the service has no key for tokens.
    pub async fn preview(
        &self,
        caller: &AuthorizedCaller<OperatePrivacy>,
        rules: &RetentionRules,
    ) -> Result<RetentionPreview, StoreError> {
        let (tenant, now) = (caller.tenant(), self.clock.now());
        let rules = &self.masked(tenant, rules).await?;
        let (token, expires_at) = issue(&*self.authenticator, tenant, rules, now)?;
        let mut preview =
            RetentionPreview { conversations: 0, messages: 0, oldest_day: None, on_hold: 0, token, expires_at };
        let Some(until) = rules.latest_creation(now) else { return Ok(preview) };
        let (mut after, mut oldest) = (None::<CandidatePosition>, None);
        loop {
            let page = self.store.candidates(tenant, after.as_ref(), until, RETENTION_PREVIEW_PAGE).await?;
            for candidate in page.iter().filter(|candidate| rules.are_over(candidate, now)) {
                if candidate.is_held {
                    preview.on_hold += 1;
                    continue;
                }
                preview.conversations += 1;
                preview.messages += candidate.messages;
                let since = candidate.kept_since();
                oldest = Some(oldest.map_or(since, |oldest| since.min(oldest)));
            }
            let Some(last) = page.last() else { break };
            after = Some(last.into());
        }
        preview.oldest_day = oldest.map(Day::containing);
        Ok(preview)
    }

    /// Replaces the rules, and returns them as they are stored. A run follows within a minute.
    ///
    /// # Errors
    /// [`RetentionError::PreviewRequired`] unless `token` is that of a preview of exactly these rules less than an hour ago;
    /// [`RetentionError::Store`].
    pub async fn replace(
        &self,
        caller: &AuthorizedCaller<OperatePrivacy>,
        rules: &RetentionRules,
        token: Option<&str>,
    ) -> Result<RetentionRules, RetentionError> {
        let (tenant, now) = (caller.tenant(), self.clock.now());
        let rules = self.masked(tenant, rules).await?;
        let is_proved = match token {
            Some(token) => proves(token, &*self.authenticator, tenant, &rules, now)?,
            None => false,
        };
        if !is_proved {
            return Err(RetentionError::PreviewRequired);
        }
        let entry = AuditEntry::retention_changed(tenant, &rules, caller.credential(), now);
        self.store.replace(tenant, &rules, entry).await?;
        Ok(rules)
    }

    /// The rules as they match stored metadata: a value that is not masked would be stored in clear, and match nothing.
    async fn masked(&self, tenant: &TenantId, rules: &RetentionRules) -> Result<RetentionRules, StoreError> {
        let (mut rules, entities) = (rules.clone(), self.fields.entities(tenant).await?);
        for rule in rules.as_mut_slice() {
            self.fields.mask_criteria(&mut rule.metadata, entities)?;
        }
        Ok(rules)
    }
}

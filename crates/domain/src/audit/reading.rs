//! Reading the audit log, and finding out whether it is as it was written.

use std::sync::Arc;

use super::{AuditStore, Break, Fault, Head, Record};
use crate::{access::TenantId, error::Error};

/// Records that are read at once.
const PAGE: u32 = 1_000;

/// The operator's side of the audit log. It takes no [`Caller`](crate::access::Caller): whoever runs it has the database.
#[derive(Clone)]
pub struct Audit(Arc<dyn AuditStore>);

/// What was found of one chain: its head, or the first place where it is not as it was written.
pub type Verdict = Result<Head, Break>;

impl Audit {
    /// Reads this store.
    #[must_use]
    pub fn new(store: Arc<dyn AuditStore>) -> Self {
        Self(store)
    }

    /// Every record of a tenant, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn log(&self, tenant: &TenantId) -> Result<Vec<Record>, Error> {
        let mut log: Vec<Record> = Vec::new();
        loop {
            let after = log.last().map_or(0, |record| record.sequence);
            let page = self.0.records(tenant, after, PAGE).await?;
            if page.is_empty() {
                return Ok(log);
            }
            log.extend(page);
        }
    }

    /// Verifies the chain of every tenant.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn verify_all(&self) -> Result<Vec<(TenantId, Verdict)>, Error> {
        let mut verdicts = Vec::new();
        for (tenant, kept) in self.0.heads().await? {
            let verdict = self.walk(&tenant, kept, None).await?;
            verdicts.push((tenant, verdict));
        }
        Ok(verdicts)
    }

    /// Verifies a tenant's chain, and that it still holds the record of a head that was filed elsewhere.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn verify(&self, tenant: &TenantId, filed: Option<Head>) -> Result<Verdict, Error> {
        let heads = self.0.heads().await?;
        let kept = heads.into_iter().find(|(name, _)| name == tenant).map_or(Head::START, |(_, head)| head);
        self.walk(tenant, kept, filed).await
    }

    async fn walk(&self, tenant: &TenantId, kept: Head, filed: Option<Head>) -> Result<Verdict, Error> {
        let mut head = Head::START;
        // Records that are added meanwhile come after what is verified.
        while head.sequence < kept.sequence {
            let page = self.0.records(tenant, head.sequence, PAGE).await?;
            if page.is_empty() {
                return Ok(Err(Break { sequence: head.sequence + 1, fault: Fault::Missing }));
            }
            for record in page.iter().filter(|record| record.sequence <= kept.sequence) {
                head = match record.follows(tenant, &head) {
                    Ok(next) if filed.is_some_and(|filed| filed.sequence == next.sequence && filed != next) => {
                        return Ok(Err(Break { sequence: next.sequence, fault: Fault::OtherThanFiled }));
                    }
                    Ok(next) => next,
                    Err(broken) => return Ok(Err(broken)),
                };
            }
        }
        let cut_off = filed.filter(|filed| filed.sequence > head.sequence);
        if let Some(Head { sequence, .. }) = cut_off {
            return Ok(Err(Break { sequence, fault: Fault::Missing }));
        }
        Ok(if head == kept { Ok(head) } else { Err(Break { sequence: head.sequence, fault: Fault::OtherHead }) })
    }
}

//! The hold of the sandbox's sample. It protects no stored conversation, so that every example of an erasure works.

use std::sync::Arc;

use parlance_adapters_http::examples;
use parlance_domain::{
    access::{AuthorizedCaller, OperatePrivacy},
    id::IdSource,
    privacy::{HoldCursor, HoldId, HoldSubject, PrivacyReference},
    text::ExternalId,
    vocabulary::PageSize,
};

use crate::wiring::Stores;

const CUSTOMER: &str = "customer-9";

const REFERENCE: &str = "A sample of a hold";

/// Adds the hold with the first identifier of `ids`, unless the tenant of the caller has it.
pub(crate) async fn add(
    stores: &Stores,
    caller: &AuthorizedCaller<OperatePrivacy>,
    ids: Arc<dyn IdSource>,
) -> anyhow::Result<()> {
    let (holds, id) = (stores.holds(ids), HoldId::parse(examples::HOLD_ID)?);
    let first = holds.list(caller, Some(&HoldCursor::From(id.clone())), PageSize::new(1)?).await?;
    if first.entries.iter().any(|hold| hold.id == id) {
        return Ok(());
    }
    let subject = HoldSubject::Customer(ExternalId::parse(CUSTOMER)?);
    holds.place(caller, subject, PrivacyReference::parse(REFERENCE)?).await?;
    Ok(())
}

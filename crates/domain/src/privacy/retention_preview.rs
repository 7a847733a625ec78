//! Previews of retention rules, and the tokens that prove them.

use super::{ContentAuthenticator, RetentionRules};
use crate::{
    access::TenantId,
    error::StoreError,
    feed::Day,
    hex,
    idempotency::{CanonicalForm, Canonicalize},
    limits::RETENTION_PREVIEW_SECONDS,
    time::Timestamp,
};

/// What rules would erase if they were in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetentionPreview {
    /// The number of conversations.
    pub conversations: u64,
    /// The number of their messages.
    pub messages: u64,
    /// The day, in UTC, from which the days of the oldest of them count.
    pub oldest_day: Option<Day>,
    /// The number of conversations that are kept only because of holds.
    pub on_hold: u64,
    /// The token that proves the preview.
    pub token: String,
    /// The time until which the token is valid.
    pub expires_at: Timestamp,
}

/// Issues a token for the preview of rules at `now`, and returns also the time until which it is valid.
pub(super) fn issue(
    authenticator: &dyn ContentAuthenticator,
    tenant: &TenantId,
    rules: &RetentionRules,
    now: Timestamp,
) -> Result<(String, Timestamp), StoreError> {
    let expires_at = now.plus_seconds(RETENTION_PREVIEW_SECONDS);
    let code = authenticator.code(content(tenant, rules, expires_at).as_bytes())?;
    Ok((format!("{}.{}", expires_at.as_micros(), hex::encode(&code)), expires_at))
}

/// Whether a token proves a preview of exactly these rules for this tenant, and is valid at `now`.
pub(super) fn proves(
    token: &str,
    authenticator: &dyn ContentAuthenticator,
    tenant: &TenantId,
    rules: &RetentionRules,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let parts = token.split_once('.').and_then(|(expiry, code)| {
        let expires_at = Timestamp::from_micros(expiry.parse().ok()?).ok()?;
        Some((expires_at, hex::decode(code)?))
    });
    match parts {
        Some((expires_at, code)) if now < expires_at => {
            authenticator.is_code_of(content(tenant, rules, expires_at).as_bytes(), &code)
        }
        Some(_) | None => Ok(false),
    }
}

fn content(tenant: &TenantId, rules: &RetentionRules, expires_at: Timestamp) -> CanonicalForm {
    let mut form = CanonicalForm::default();
    form.text("retention preview");
    form.text(tenant.as_str());
    rules.write_canonical(&mut form);
    form.time(expires_at);
    form
}

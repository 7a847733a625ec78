//! The gate: a presented credential in, a [`Caller`] out.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use super::{
    ApiId, ApiSecret, AuthenticationFailure, AuthenticationMeter, Caller, CredentialStore, FailedAttempts,
    SecretDigest, SecretDigester,
};
use crate::{
    error::Error,
    limits::CREDENTIAL_TRUST_SECONDS,
    time::{Clock, MonotonicClock},
};

/// Authenticates callers. A credential that was verified is trusted for [`CREDENTIAL_TRUST_SECONDS`] without asking
/// the store again, and only together with the very secret that was verified. How long that is, and how long an address is
/// held back, is measured by the monotonic clock: no change of the time of day prolongs either.
///
/// An unknown identifier and a wrong secret take the same way: one look-up, one comparison, one answer. Only verified
/// credentials are remembered, so the memory is bounded by the number of credentials, not by what callers try.
#[derive(Clone)]
pub struct Gate {
    store: Arc<dyn CredentialStore>,
    digester: Arc<dyn SecretDigester>,
    clock: Arc<dyn Clock>,
    monotonic: Arc<dyn MonotonicClock>,
    trusted: Arc<RwLock<HashMap<[u8; 32], Trusted>>>,
    failures: Option<FailedAttempts>,
    meter: Option<Arc<dyn AuthenticationMeter>>,
}

/// A verified credential, kept under the digest of the secret it was verified with: while a credential is being
/// rotated, both its secrets are remembered.
struct Trusted {
    id: ApiId,
    caller: Caller,
    until: Duration,
}

const TRUST: Duration = Duration::from_secs(CREDENTIAL_TRUST_SECONDS.unsigned_abs());

impl Gate {
    /// A gate before this store. The time of day says until when the secret before a rotation is accepted.
    #[must_use]
    pub fn new(
        store: Arc<dyn CredentialStore>,
        digester: Arc<dyn SecretDigester>,
        clock: Arc<dyn Clock>,
        monotonic: Arc<dyn MonotonicClock>,
    ) -> Self {
        Self { store, digester, clock, monotonic, trusted: Arc::default(), failures: None, meter: None }
    }

    /// The same gate, which holds back addresses from which too many authentications fail.
    #[must_use]
    pub fn with_failures(self, failures: FailedAttempts) -> Self {
        Self { failures: Some(failures), ..self }
    }

    /// The same gate, whose failures are counted there by their reason.
    #[must_use]
    pub fn metered_by(self, meter: Arc<dyn AuthenticationMeter>) -> Self {
        Self { meter: Some(meter), ..self }
    }

    /// The caller behind what was presented from an address; nothing where no credential was. An address that is held
    /// back still passes with a credential that is trusted already, for behind one address there may be many clients.
    ///
    /// # Errors
    /// As [`Gate::authenticate`]; [`Error::HeldBack`] where too many authentications from this address failed.
    pub async fn admit(&self, presented: Option<(&ApiId, &ApiSecret)>, from: Option<IpAddr>) -> Result<Caller, Error> {
        let now = self.monotonic.elapsed();
        let Some((failures, from)) = self.failures.as_ref().zip(from) else { return self.verify(presented).await };
        if let Some(retry_after) = failures.held_back(from, now) {
            let trusted = presented.and_then(|(id, secret)| self.recall(id, &self.digester.digest(secret), now));
            return trusted.ok_or_else(|| {
                self.count(AuthenticationFailure::AddressThrottled);
                Error::HeldBack { retry_after }
            });
        }
        let outcome = self.verify(presented).await;
        if matches!(outcome, Err(Error::Unauthenticated)) {
            failures.count(from, now);
        }
        outcome
    }

    async fn verify(&self, presented: Option<(&ApiId, &ApiSecret)>) -> Result<Caller, Error> {
        let Some((id, secret)) = presented else { return Err(self.refuse(AuthenticationFailure::Missing)) };
        self.authenticate(id, secret).await
    }

    /// The caller behind a credential.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] where the identifier is unknown, the secret is wrong, or the credential is revoked;
    /// [`Error::Store`] where the store had to be asked and did not answer.
    pub async fn authenticate(&self, id: &ApiId, secret: &ApiSecret) -> Result<Caller, Error> {
        let digest = self.digester.digest(secret);
        let now = self.monotonic.elapsed();
        if let Some(caller) = self.recall(id, &digest, now) {
            return Ok(caller);
        }
        let found = self.store.find(id).await?;
        let time_of_day = self.clock.now();
        let accepted = match &found {
            Some(credential) => credential.accepts(&digest, time_of_day),
            None => SecretDigest::new([0; 32]).matches(&digest),
        };
        let credential = match found {
            Some(credential) if accepted => credential,
            found => return Err(self.refuse(AuthenticationFailure::of(found.as_ref(), &digest))),
        };
        let caller = Caller::with_credential(credential.id.clone(), credential.permissions);
        let trusted_for = match credential.previous {
            Some((previous, ends)) if previous.matches(&digest) => TRUST.min(time_of_day.until(ends)),
            _ => TRUST,
        };
        let until = now.saturating_add(trusted_for);
        self.remember(&digest, Trusted { id: credential.id, caller: caller.clone(), until }, now);
        Ok(caller)
    }

    fn refuse(&self, reason: AuthenticationFailure) -> Error {
        self.count(reason);
        Error::Unauthenticated
    }

    fn count(&self, reason: AuthenticationFailure) {
        if let Some(meter) = &self.meter {
            meter.failed(reason);
        }
    }

    fn recall(&self, id: &ApiId, digest: &SecretDigest, now: Duration) -> Option<Caller> {
        let trusted = self.trusted.read().unwrap_or_else(PoisonError::into_inner);
        let entry = trusted.get(digest.as_bytes())?;
        (entry.id == *id && now < entry.until).then(|| entry.caller.clone())
    }

    fn remember(&self, digest: &SecretDigest, entry: Trusted, now: Duration) {
        let mut trusted = self.trusted.write().unwrap_or_else(PoisonError::into_inner);
        trusted.retain(|_, entry| now < entry.until);
        trusted.insert(*digest.as_bytes(), entry);
    }
}

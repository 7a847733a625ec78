//! The authenticator: it turns a presented credential into a [`Caller`].

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, RwLock},
    time::Duration,
};

use super::{
    ApiId, ApiSecret, AuthThrottle, AuthenticationError, AuthenticationFailure, AuthenticationMeter, Caller,
    CredentialStore, SecretDigest, SecretDigester, VerifiedCredential,
};
use crate::{
    error::StoreError,
    limits::CREDENTIAL_CACHE_SECONDS,
    sync,
    time::{Clock, MonotonicClock},
};

/// Authenticates callers.
///
/// A verified credential is cached for [`CREDENTIAL_CACHE_SECONDS`], and the entry is valid only for the secret that
/// was verified. The monotonic clock measures the age of entries and the time that an address is throttled, so a change
/// of the wall clock prolongs neither.
///
/// An unknown identifier and a wrong secret cause the same work: one look-up, one comparison, one error. Only verified
/// credentials are cached, so the number of credentials bounds the memory.
#[derive(Clone)]
pub struct Authenticator {
    store: Arc<dyn CredentialStore>,
    digester: Arc<dyn SecretDigester>,
    clock: Arc<dyn Clock>,
    monotonic: Arc<dyn MonotonicClock>,
    cache: Arc<RwLock<HashMap<[u8; 32], CachedCredential>>>,
    throttle: Option<AuthThrottle>,
    meter: Option<Arc<dyn AuthenticationMeter>>,
}

/// A verified credential. The cache key is the digest of the verified secret, so during a rotation both secrets of a
/// credential can be cached.
struct CachedCredential {
    id: ApiId,
    caller: Caller,
    expires_at: Duration,
}

const CACHE_TTL: Duration = Duration::from_secs(CREDENTIAL_CACHE_SECONDS.unsigned_abs());

impl Authenticator {
    /// Authenticates against this store. The wall clock decides when the grace period of a previous secret ends.
    #[must_use]
    pub fn new(
        store: Arc<dyn CredentialStore>,
        digester: Arc<dyn SecretDigester>,
        clock: Arc<dyn Clock>,
        monotonic: Arc<dyn MonotonicClock>,
    ) -> Self {
        Self { store, digester, clock, monotonic, cache: Arc::default(), throttle: None, meter: None }
    }

    /// The same authenticator, which throttles addresses from which too many authentications fail.
    #[must_use]
    pub fn with_throttle(self, throttle: AuthThrottle) -> Self {
        Self { throttle: Some(throttle), ..self }
    }

    /// The same authenticator, which counts failures by reason with this meter.
    #[must_use]
    pub fn with_meter(self, meter: Arc<dyn AuthenticationMeter>) -> Self {
        Self { meter: Some(meter), ..self }
    }

    /// Authenticates a request from an address. `presented` is `None` if the request has no credential.
    ///
    /// A throttled address can still use a cached credential, because one address can have many clients.
    ///
    /// # Errors
    /// As [`authenticate`](Self::authenticate); [`AuthenticationError::Throttled`] if too many
    /// authentications from this address failed.
    pub async fn authenticate_from(
        &self,
        presented: Option<(&ApiId, &ApiSecret)>,
        address: Option<IpAddr>,
    ) -> Result<Caller, AuthenticationError> {
        let now = self.monotonic.elapsed();
        let Some((throttle, address)) = self.throttle.as_ref().zip(address) else {
            return self.verify(presented).await;
        };
        if let Some(retry_after) = throttle.retry_after(address, now) {
            let cached = presented.and_then(|(id, secret)| self.cached_caller(id, &self.digester.digest(secret), now));
            return cached.ok_or_else(|| {
                self.count(AuthenticationFailure::AddressThrottled);
                AuthenticationError::Throttled { retry_after }
            });
        }
        let outcome = self.verify(presented).await;
        if matches!(outcome, Err(AuthenticationError::Unauthenticated)) {
            throttle.record_failure(address, now);
        }
        outcome
    }

    async fn verify(&self, presented: Option<(&ApiId, &ApiSecret)>) -> Result<Caller, AuthenticationError> {
        let Some((id, secret)) = presented else { return Err(self.reject(AuthenticationFailure::Missing)) };
        self.authenticate(id, secret).await
    }

    /// The caller of a credential.
    ///
    /// # Errors
    /// [`AuthenticationError::Unauthenticated`] if the identifier is unknown, the secret is wrong, or the credential is
    /// revoked; [`AuthenticationError::Store`] if the store is needed and fails.
    pub async fn authenticate(&self, id: &ApiId, secret: &ApiSecret) -> Result<Caller, AuthenticationError> {
        let digest = self.digester.digest(secret);
        let now = self.monotonic.elapsed();
        if let Some(caller) = self.cached_caller(id, &digest, now) {
            return Ok(caller);
        }
        let found = self.store.find(id).await?;
        let wall_time = self.clock.now();
        let accepted = match &found {
            Some(credential) => credential.accepts(&digest, wall_time),
            None => SecretDigest::new([0; 32]).matches(&digest),
        };
        let credential = match found {
            Some(credential) if accepted => credential,
            found => return Err(self.reject(AuthenticationFailure::classify(found.as_ref(), &digest))),
        };
        let verified = VerifiedCredential { id: credential.id.clone(), digest: digest.clone() };
        let caller = Caller::with_credential(verified, credential.permissions);
        let cache_for = match credential.previous {
            Some((previous, ends_at)) if previous.matches(&digest) => CACHE_TTL.min(wall_time.until(ends_at)),
            _ => CACHE_TTL,
        };
        let expires_at = now.saturating_add(cache_for);
        self.cache_caller(&digest, CachedCredential { id: credential.id, caller: caller.clone(), expires_at }, now);
        Ok(caller)
    }

    /// The caller of a credential that was verified before; `None` if it was revoked since, or its secret is no longer
    /// accepted. The store is read each time.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn active_caller(&self, verified: &VerifiedCredential) -> Result<Option<Caller>, StoreError> {
        let found = self.store.find(&verified.id).await?;
        let accepted = found.filter(|credential| credential.accepts(&verified.digest, self.clock.now()));
        Ok(accepted.map(|credential| Caller::with_credential(verified.clone(), credential.permissions)))
    }

    fn reject(&self, reason: AuthenticationFailure) -> AuthenticationError {
        self.count(reason);
        AuthenticationError::Unauthenticated
    }

    fn count(&self, reason: AuthenticationFailure) {
        if let Some(meter) = &self.meter {
            meter.record_failure(reason);
        }
    }

    fn cached_caller(&self, id: &ApiId, digest: &SecretDigest, now: Duration) -> Option<Caller> {
        let cache = sync::read(&self.cache);
        let entry = cache.get(digest.as_bytes())?;
        (entry.id == *id && now < entry.expires_at).then(|| entry.caller.clone())
    }

    fn cache_caller(&self, digest: &SecretDigest, entry: CachedCredential, now: Duration) {
        let mut cache = sync::write(&self.cache);
        cache.retain(|_, entry| now < entry.expires_at);
        cache.insert(*digest.as_bytes(), entry);
    }
}

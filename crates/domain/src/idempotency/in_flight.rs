//! The idempotency keys of requests in progress.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard},
};

use super::{KeyDigest, Operation};
use crate::{access::TenantId, sync};

type KeyScope = (TenantId, Operation, KeyDigest);

/// The keys in use in this process. Across processes, the database decides which request was first.
#[derive(Clone, Default)]
pub(super) struct InFlightRequests(Arc<Mutex<HashSet<KeyScope>>>);

/// Marks a key as in use until it is dropped.
pub(super) struct KeyGuard {
    in_flight: InFlightRequests,
    scope: KeyScope,
}

impl InFlightRequests {
    /// Marks a key as in use; `None` if it already is.
    pub(super) fn acquire(&self, scope: KeyScope) -> Option<KeyGuard> {
        let is_free = self.scopes().insert(scope.clone());
        is_free.then(|| KeyGuard { in_flight: self.clone(), scope })
    }

    fn scopes(&self) -> MutexGuard<'_, HashSet<KeyScope>> {
        // Each change is a single operation, so the set stays consistent after a panic.
        sync::lock(&self.0)
    }
}

impl Drop for KeyGuard {
    fn drop(&mut self) {
        self.in_flight.scopes().remove(&self.scope);
    }
}

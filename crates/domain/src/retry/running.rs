//! The requests that are being carried out.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{KeyDigest, Operation};
use crate::access::TenantId;

type Place = (TenantId, Operation, KeyDigest);

/// Which keys are in use right now in this process. Between processes the database decides which request was first.
#[derive(Clone, Default)]
pub(super) struct Running(Arc<Mutex<HashSet<Place>>>);

/// A key in use, until this value is dropped.
pub(super) struct InUse {
    running: Running,
    place: Place,
}

impl Running {
    /// Takes a key; nothing where it is in use.
    pub(super) fn begin(&self, place: Place) -> Option<InUse> {
        let free = self.places().insert(place.clone());
        free.then(|| InUse { running: self.clone(), place })
    }

    fn places(&self) -> MutexGuard<'_, HashSet<Place>> {
        // Each change is one step, so the set is whole whoever panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        self.running.places().remove(&self.place);
    }
}

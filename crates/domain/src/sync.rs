//! Locks that a panic does not make unusable.
//!
//! The standard library poisons a lock if its holder panics. The holders of these locks keep the guarded value valid
//! after each step, so a panic in one request must not fail all later ones.

use std::sync::{LockResult, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Locks a mutex, poisoned or not.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    ignore_poison(mutex.lock())
}

/// Locks for reading, poisoned or not.
pub fn read<T: ?Sized>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    ignore_poison(lock.read())
}

/// Locks for writing, poisoned or not.
pub fn write<T: ?Sized>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    ignore_poison(lock.write())
}

/// The guard that a lock or a condition variable returned, poisoned or not.
pub fn ignore_poison<Guard>(result: LockResult<Guard>) -> Guard {
    result.unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn a_lock_stays_usable_after_its_holder_panicked() {
        let (mutex, rw_lock) = (Mutex::new(1), RwLock::new(2));
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let _guards = (lock(&mutex), write(&rw_lock));
            panic!("the holder fails");
        }));
        assert!(panicked.is_err() && mutex.is_poisoned() && rw_lock.is_poisoned());
        assert_eq!(*lock(&mutex), 1);
        assert_eq!(*read(&rw_lock), 2);
        assert_eq!(*write(&rw_lock), 2);
    }
}

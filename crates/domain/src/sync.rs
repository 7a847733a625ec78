//! Locks that a panic does not make unusable, and a pause for other tasks.
//!
//! The standard library poisons a lock if its holder panics. The holders of these locks keep the guarded value valid
//! after each step, so a panic in one request must not fail all later ones.

use std::{
    future::poll_fn,
    sync::{LockResult, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
    task::{Context, Poll},
};

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

/// Lets the runtime run other tasks, or drop this one.
pub(crate) async fn yield_to_runtime() {
    let mut yielded = false;
    let poll = |context: &mut Context<'_>| {
        if std::mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    };
    poll_fn(poll).await;
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

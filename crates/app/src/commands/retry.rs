//! Repeats the calls of a command while the database is locked or out of reach.

use std::time::Duration;

use parlance_domain::error::{StoreError, StoreErrorKind};
use tokio::time::{Instant, sleep};

/// For how long a call is tried again.
const RETRY_TIME: Duration = Duration::from_secs(30);

/// The wait before the first repeat. Each further wait is twice as long, up to [`MAX_WAIT`].
const FIRST_WAIT: Duration = Duration::from_millis(50);

/// The longest wait before a repeat.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// An error that can be the failure of a store.
pub(crate) trait MaybeStoreError {
    /// The failure of the store, if the error is one.
    fn store_error(&self) -> Option<&StoreError>;
}

/// Makes a call, and repeats it for up to 30 seconds while the store is unavailable. `before_wait` receives each failure
/// that is followed by a repeat.
///
/// # Errors
/// The error of the last call.
pub(crate) async fn retry_while_unavailable<T, E: MaybeStoreError, F: Future<Output = Result<T, E>>>(
    call: impl FnMut() -> F,
    before_wait: impl FnMut(&StoreError),
) -> Result<T, E> {
    retry_for(RETRY_TIME, call, before_wait).await
}

async fn retry_for<T, E: MaybeStoreError, F: Future<Output = Result<T, E>>>(
    time: Duration,
    mut call: impl FnMut() -> F,
    mut before_wait: impl FnMut(&StoreError),
) -> Result<T, E> {
    let (started_at, mut wait) = (Instant::now(), FIRST_WAIT);
    loop {
        let outcome = call().await;
        match outcome.as_ref().err().and_then(E::store_error) {
            Some(error) if error.kind() == StoreErrorKind::Unavailable && started_at.elapsed() < time => {
                before_wait(error);
            }
            _ => return outcome,
        }
        sleep(wait).await;
        wait = (wait * 2).min(MAX_WAIT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl MaybeStoreError for StoreError {
        fn store_error(&self) -> Option<&StoreError> {
            Some(self)
        }
    }

    /// Calls with these outcomes, and returns the outcome with the number of waits.
    async fn call(time: Duration, outcomes: &[Result<(), StoreErrorKind>]) -> (Result<(), StoreErrorKind>, usize) {
        let (mut outcomes, mut waits) = (outcomes.iter(), 0);
        let call = || {
            let outcome = outcomes.next().copied().unwrap();
            async move { outcome.map_err(|kind| StoreError::new(kind, "in a test")) }
        };
        let outcome = retry_for(time, call, |_| waits += 1).await;
        (outcome.map_err(|error| error.kind()), waits)
    }

    const UNAVAILABLE: Result<(), StoreErrorKind> = Err(StoreErrorKind::Unavailable);

    #[tokio::test]
    async fn a_call_is_repeated_until_the_store_is_available() {
        assert_eq!(call(RETRY_TIME, &[UNAVAILABLE, UNAVAILABLE, Ok(())]).await, (Ok(()), 2));
    }

    #[tokio::test]
    async fn a_store_that_stays_unavailable_is_an_error() {
        assert_eq!(call(Duration::ZERO, &[UNAVAILABLE]).await, (UNAVAILABLE, 0));
    }

    #[tokio::test]
    async fn another_error_is_not_repeated() {
        let corrupt = Err(StoreErrorKind::Corrupt);
        assert_eq!(call(RETRY_TIME, &[UNAVAILABLE, corrupt]).await, (corrupt, 1));
    }
}

//! Repeats the calls of a command while the database is locked or out of reach.

use std::time::Duration;

use parlance_domain::error::{StoreError, StoreErrorKind};
use tokio::time::{Instant, sleep};

/// For how long a call is tried again.
const RETRY_TIME: Duration = Duration::from_secs(30);

/// For how long a call that can advance is tried again without progress.
const STALL_TIME: Duration = Duration::from_mins(1);

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
    retry_for(RETRY_TIME, call, || 0, before_wait).await
}

/// Makes a call, and repeats it while the store is unavailable, until a minute has passed without progress. `steps` is a
/// number that grows when a call comes further than the calls before it. `before_wait` receives the first failure after
/// each progress.
///
/// # Errors
/// The error of the last call.
pub(crate) async fn retry_while_advancing<T, E: MaybeStoreError, F: Future<Output = Result<T, E>>>(
    call: impl FnMut() -> F,
    steps: impl Fn() -> u64,
    mut before_wait: impl FnMut(&StoreError),
) -> Result<T, E> {
    let mut reported_at = None;
    let before_first_wait = |error: &StoreError| {
        if reported_at.replace(steps()) != Some(steps()) {
            before_wait(error);
        }
    };
    retry_for(STALL_TIME, call, &steps, before_first_wait).await
}

async fn retry_for<T, E: MaybeStoreError, F: Future<Output = Result<T, E>>>(
    time: Duration,
    mut call: impl FnMut() -> F,
    steps: impl Fn() -> u64,
    mut before_wait: impl FnMut(&StoreError),
) -> Result<T, E> {
    let (mut wait, mut reached, mut failing_since) = (FIRST_WAIT, steps(), None);
    loop {
        let outcome = call().await;
        let steps = steps();
        if steps != reached {
            (wait, reached, failing_since) = (FIRST_WAIT, steps, None);
        }
        match outcome.as_ref().err().and_then(E::store_error) {
            Some(error) if error.kind() == StoreErrorKind::Unavailable && may_wait(&mut failing_since, time) => {
                before_wait(error);
            }
            _ => return outcome,
        }
        sleep(wait).await;
        wait = (wait * 2).min(MAX_WAIT);
    }
}

/// Whether a failure may be followed by a repeat: the first one always, as a long call can fail late.
fn may_wait(failing_since: &mut Option<Instant>, time: Duration) -> bool {
    match failing_since {
        Some(since) => since.elapsed() < time,
        none => {
            *none = Some(Instant::now());
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, future::ready};

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
        let outcome = retry_for(time, call, || 0, |_| waits += 1).await;
        (outcome.map_err(|error| error.kind()), waits)
    }

    /// Makes calls that fail, each of which ends at the next of these steps. Returns the number of calls.
    async fn advance(steps: &[u64]) -> usize {
        let (reached, mut ends, mut calls) = (Cell::new(0), steps.iter(), 0);
        let call = || {
            calls += 1;
            reached.set(ends.next().copied().unwrap_or_else(|| reached.get()));
            ready(Err::<(), _>(StoreError::new(StoreErrorKind::Unavailable, "in a test")))
        };
        retry_for(Duration::ZERO, call, || reached.get(), |_| {}).await.unwrap_err();
        calls
    }

    const UNAVAILABLE: Result<(), StoreErrorKind> = Err(StoreErrorKind::Unavailable);

    #[tokio::test]
    async fn a_call_is_repeated_until_the_store_is_available() {
        assert_eq!(call(RETRY_TIME, &[UNAVAILABLE, UNAVAILABLE, Ok(())]).await, (Ok(()), 2));
    }

    #[tokio::test]
    async fn a_store_that_stays_unavailable_is_an_error() {
        assert_eq!(call(Duration::ZERO, &[UNAVAILABLE, UNAVAILABLE]).await, (UNAVAILABLE, 1));
    }

    #[tokio::test]
    async fn progress_begins_the_time_for_repeats_anew() {
        assert_eq!(advance(&[0, 0]).await, 2);
        assert_eq!(advance(&[1, 2, 2, 3]).await, 3);
    }

    #[tokio::test]
    async fn of_the_failures_without_progress_only_the_first_is_reported() {
        let outcomes = [(1, UNAVAILABLE), (1, UNAVAILABLE), (2, UNAVAILABLE), (2, Ok(()))];
        let (reached, mut outcomes, mut reports) = (Cell::new(0), outcomes.into_iter(), 0);
        let call = || {
            let (steps, outcome) = outcomes.next().unwrap();
            reached.set(steps);
            ready(outcome.map_err(|kind| StoreError::new(kind, "in a test")))
        };
        retry_while_advancing(call, || reached.get(), |_| reports += 1).await.unwrap();
        assert_eq!(reports, 2);
    }

    #[tokio::test]
    async fn another_error_is_not_repeated() {
        let corrupt = Err(StoreErrorKind::Corrupt);
        assert_eq!(call(RETRY_TIME, &[UNAVAILABLE, corrupt]).await, (corrupt, 1));
    }
}

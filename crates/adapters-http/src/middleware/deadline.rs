//! The deadline of a request. Time in which the request waits for its caller does not count.

use std::{cell::Cell, future::Future, rc::Rc, time::Duration};

use actix_web::{HttpMessage, HttpRequest};
use tokio::{
    sync::Notify,
    time::{Instant, sleep_until, timeout},
};

/// The deadline of one request, stored in the extensions of the request. Clones share the deadline.
#[derive(Clone)]
pub(crate) struct Deadline(Rc<DeadlineState>);

struct DeadlineState {
    at: Cell<Instant>,
    /// When the waiting task checks the deadline again.
    wakes_at: Cell<Instant>,
    changed: Notify,
}

/// The deadline expired before the work was complete.
pub(crate) struct DeadlineExceeded;

impl Deadline {
    /// A deadline after this duration from now.
    pub(crate) fn within(time_limit: Duration) -> Self {
        let at = Instant::now() + time_limit;
        Self(Rc::new(DeadlineState { at: Cell::new(at), wakes_at: Cell::new(at), changed: Notify::new() }))
    }

    /// Runs the work until the deadline. [`wait_for_caller`] may move the deadline meanwhile.
    ///
    /// # Errors
    /// [`DeadlineExceeded`] if the deadline expires first.
    pub(crate) async fn run<T>(&self, work: impl Future<Output = T>) -> Result<T, DeadlineExceeded> {
        tokio::select! {
            biased;
            output = work => Ok(output),
            () = self.expired() => Err(DeadlineExceeded),
        }
    }

    async fn expired(&self) {
        let DeadlineState { at, wakes_at, changed } = &*self.0;
        loop {
            tokio::select! {
                () = changed.notified() => {}
                () = sleep_until(wakes_at.get()) => {}
            }
            if Instant::now() >= at.get() {
                return;
            }
            wakes_at.set(at.get());
        }
    }

    fn move_to(&self, at: Instant) {
        self.0.at.set(at);
        // A later deadline needs no wake-up: the task checks again at `wakes_at`.
        if at < self.0.wakes_at.get() {
            self.0.changed.notify_one();
        }
    }
}

/// Waits for input from the caller of a request for at most `max_wait`, and extends the deadline by the duration of
/// the wait.
///
/// # Errors
/// [`DeadlineExceeded`] if the input does not arrive within `max_wait`.
pub(crate) async fn wait_for_caller<T>(
    request: &HttpRequest,
    max_wait: Duration,
    arrival: impl Future<Output = T>,
) -> Result<T, DeadlineExceeded> {
    let deadline = request.extensions().get::<Deadline>().cloned();
    let (began, before) = (Instant::now(), deadline.as_ref().map(|deadline| deadline.0.at.get()));
    let shared_deadline = deadline.as_ref().zip(before);
    if let Some((deadline, before)) = shared_deadline {
        // One second more, so that `timeout` below ends before the deadline.
        deadline.move_to(before + max_wait + Duration::from_secs(1));
    }
    let arrived = timeout(max_wait, arrival).await.map_err(|_| DeadlineExceeded);
    if let Some((deadline, before)) = shared_deadline {
        deadline.move_to(before + began.elapsed());
    }
    arrived
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use actix_web::test::TestRequest;
    use tokio::time::sleep;

    use super::*;

    const SHORT: Duration = Duration::from_millis(20);
    const LONG: Duration = Duration::from_hours(1);

    /// Runs a request whose caller takes longer than the deadline, and which then waits for `after`.
    async fn run_with_slow_caller(after: impl Future<Output = ()>) -> Result<(), DeadlineExceeded> {
        let (request, deadline) = (TestRequest::default().to_http_request(), Deadline::within(SHORT));
        request.extensions_mut().insert(deadline.clone());
        let work = async {
            let arrived = wait_for_caller(&request, LONG, sleep(SHORT * 2)).await;
            after.await;
            arrived
        };
        timeout(LONG / 360, deadline.run(work)).await.unwrap_or_else(|_| panic!("the deadline did not expire"))?
    }

    #[actix_web::test]
    async fn time_spent_waiting_for_the_caller_does_not_count() {
        assert!(run_with_slow_caller(async {}).await.is_ok());
    }

    #[actix_web::test]
    async fn work_after_the_wait_for_the_caller_ends_at_the_deadline() {
        assert!(run_with_slow_caller(pending()).await.is_err());
    }
}

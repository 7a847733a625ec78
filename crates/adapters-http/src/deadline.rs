//! When a request must be answered, whatever it waits for. Only the time in which its body arrives does not count.

use std::{cell::Cell, future::Future, rc::Rc, time::Duration};

use actix_web::{HttpMessage, HttpRequest};
use tokio::{
    sync::Notify,
    time::{Instant, sleep_until, timeout},
};

/// The deadline of one request: travels in the request's extensions. Cloning shares it.
#[derive(Clone)]
pub(crate) struct Deadline(Rc<Moment>);

struct Moment {
    at: Cell<Instant>,
    /// When whoever waits will look again.
    looks_at: Cell<Instant>,
    moved: Notify,
}

/// The deadline passed before the work was done.
pub(crate) struct Missed;

impl Deadline {
    /// That long from now.
    pub(crate) fn within(patience: Duration) -> Self {
        let at = Instant::now() + patience;
        Self(Rc::new(Moment { at: Cell::new(at), looks_at: Cell::new(at), moved: Notify::new() }))
    }

    /// Does the work until the deadline, which may be moved meanwhile.
    ///
    /// # Errors
    /// [`Missed`].
    pub(crate) async fn hold<T>(&self, work: impl Future<Output = T>) -> Result<T, Missed> {
        tokio::select! {
            biased;
            done = work => Ok(done),
            () = self.passes() => Err(Missed),
        }
    }

    async fn passes(&self) {
        let Moment { at, looks_at, moved } = &*self.0;
        loop {
            tokio::select! {
                () = moved.notified() => {}
                () = sleep_until(looks_at.get()) => {}
            }
            if Instant::now() >= at.get() {
                return;
            }
            looks_at.set(at.get());
        }
    }

    fn move_to(&self, at: Instant) {
        self.0.at.set(at);
        // Who waits for an earlier moment looks then whether it has been put off.
        if at < self.0.looks_at.get() {
            self.0.moved.notify_one();
        }
    }
}

/// Waits for what comes from the caller of a request, as long as that may take, and adds the wait to its deadline.
///
/// # Errors
/// [`Missed`] where it takes longer than that.
pub(crate) async fn wait_for_caller<T>(
    request: &HttpRequest,
    patience: Duration,
    arrival: impl Future<Output = T>,
) -> Result<T, Missed> {
    let deadline = request.extensions().get::<Deadline>().cloned();
    let (began, before) = (Instant::now(), deadline.as_ref().map(|deadline| deadline.0.at.get()));
    let moved = deadline.as_ref().zip(before);
    if let Some((deadline, before)) = moved {
        // A little more, so that it is this wait that ends first.
        deadline.move_to(before + patience + Duration::from_secs(1));
    }
    let arrived = timeout(patience, arrival).await.map_err(|_| Missed);
    if let Some((deadline, before)) = moved {
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

    /// What becomes of a request whose caller takes longer than its deadline allows, and which then waits for this.
    async fn held(after: impl Future<Output = ()>) -> Result<(), Missed> {
        let (request, deadline) = (TestRequest::default().to_http_request(), Deadline::within(SHORT));
        request.extensions_mut().insert(deadline.clone());
        let work = async {
            let arrived = wait_for_caller(&request, LONG, sleep(SHORT * 2)).await;
            after.await;
            arrived
        };
        timeout(LONG / 360, deadline.hold(work)).await.unwrap_or_else(|_| panic!("the deadline never comes"))?
    }

    #[actix_web::test]
    async fn the_time_that_the_caller_takes_does_not_count() {
        assert!(held(async {}).await.is_ok());
    }

    #[actix_web::test]
    async fn what_is_waited_for_after_the_caller_is_given_up_in_time() {
        assert!(held(pending()).await.is_err());
    }
}

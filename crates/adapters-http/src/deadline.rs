//! When a request must be answered, whatever it waits for. Only the time in which its body arrives does not count.

use std::{cell::Cell, future::Future, pin::pin, rc::Rc, time::Duration};

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
    moved: Notify,
}

/// The deadline passed before the work was done.
pub(crate) struct Missed;

impl Deadline {
    /// That long from now.
    pub(crate) fn within(patience: Duration) -> Self {
        Self(Rc::new(Moment { at: Cell::new(Instant::now() + patience), moved: Notify::new() }))
    }

    /// Does the work until the deadline, which may be moved meanwhile.
    ///
    /// # Errors
    /// [`Missed`].
    pub(crate) async fn hold<T>(&self, work: impl Future<Output = T>) -> Result<T, Missed> {
        let mut work = pin!(work);
        loop {
            let at = self.0.at.get();
            tokio::select! {
                biased;
                done = &mut work => return Ok(done),
                () = self.0.moved.notified() => {}
                () = sleep_until(at) => return Err(Missed),
            }
        }
    }

    fn move_to(&self, at: Instant) {
        self.0.at.set(at);
        self.0.moved.notify_one();
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

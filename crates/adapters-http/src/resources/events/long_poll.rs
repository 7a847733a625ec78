//! A request that waits for an event.

use std::{cell::Cell, future::pending, time::Duration};

use actix_web::HttpRequest;
use parlance_domain::event::LogPosition;
use tokio::time::Instant;

use crate::{
    DrainFlag,
    connection::ConnectionHandle,
    errors::api_error::ApiError,
    middleware::{
        concurrency_limit::{reacquire_permit, release_permit},
        deadline::wait_for_caller,
    },
    resources::events::{follower::SETTLE_INTERVAL, hub::Subscription},
};

/// The waiting of one request. While it waits, it holds no permit, and its deadline stands still.
pub(crate) struct LongPoll<'request> {
    request: &'request HttpRequest,
    subscription: Subscription,
    ends_at: Instant,
    /// Whether the log was read since the subscription began.
    is_subscribed: Cell<bool>,
}

impl<'request> LongPoll<'request> {
    /// Waits for at most `wait` from now on.
    pub(crate) fn begin(request: &'request HttpRequest, subscription: Subscription, wait: Duration) -> Self {
        Self { request, subscription, ends_at: Instant::now() + wait, is_subscribed: Cell::new(false) }
    }

    /// Waits until the log is to be read again after `position`. Returns `false` when the time is over, or the client has closed
    /// its connection.
    ///
    /// # Errors
    /// 503 if too many requests are in flight afterwards.
    pub(crate) async fn wait(&self, draining: &DrainFlag, position: LogPosition) -> Result<bool, ApiError> {
        // The hub may have passed the position before the subscription began.
        if !self.is_subscribed.replace(true) {
            return Ok(true);
        }
        let rest = self.ends_at.saturating_duration_since(Instant::now());
        if rest.is_zero() {
            return Ok(false);
        }
        // Time alone settles a message that is held back.
        let is_behind = position < self.subscription.head();
        let pause = if is_behind { rest.min(SETTLE_INTERVAL) } else { rest };
        let connection = ConnectionHandle::from_request(self.request);
        let news = async {
            tokio::select! {
                () = self.subscription.news() => {}
                () = draining.wait() => {}
                () = client_done(connection) => {}
            }
        };
        release_permit(self.request);
        let waited = wait_for_caller(self.request, pause, news).await;
        reacquire_permit(self.request)?;
        let is_abandoned = connection.is_some_and(ConnectionHandle::is_client_done);
        Ok(!is_abandoned && (waited.is_ok() || pause < rest))
    }
}

/// Waits until the client closes its connection; forever if a test calls the handler directly.
async fn client_done(connection: Option<&ConnectionHandle>) {
    match connection {
        Some(connection) => connection.client_done().await,
        None => pending().await,
    }
}

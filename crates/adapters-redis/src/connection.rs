//! One connection that all requests share, which is made again when it breaks.

use std::{future::Future, time::Duration};

use parlance_domain::error::{StoreError, StoreErrorKind};
use redis::{
    Client, RedisResult,
    aio::{ConnectionManager, ConnectionManagerConfig},
};

/// Longest time that one call may take, a new connection included: a request waits for it.
const CALL_TIMEOUT: Duration = Duration::from_millis(150);

/// Calls that may wait for the connection at once.
const PIPELINE: usize = 4_096;

/// A Redis, in reach or not. Cloning shares its connection.
#[derive(Clone)]
pub struct Redis(ConnectionManager);

/// The address cannot be that of a Redis. It is not repeated, for it may hold a password.
#[derive(Debug, thiserror::Error)]
#[error("is not the address of a Redis: it must be redis://host:port, or rediss://… over TLS")]
pub struct UnusableAddress;

impl Redis {
    /// The Redis at this address. It is connected to at the first call, so that a start does not need it.
    ///
    /// # Errors
    /// [`UnusableAddress`].
    pub fn at(url: &str) -> Result<Self, UnusableAddress> {
        let client = Client::open(url).map_err(|_| UnusableAddress)?;
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(0)
            .set_connection_timeout(Some(CALL_TIMEOUT))
            .set_response_timeout(Some(CALL_TIMEOUT))
            .set_pipeline_buffer_size(PIPELINE);
        ConnectionManager::new_lazy_with_config(client, config).map(Self).map_err(|_| UnusableAddress)
    }

    /// Makes one call, bounded in time.
    pub(crate) async fn call<T, F>(&self, make: impl FnOnce(ConnectionManager) -> F) -> Result<T, StoreError>
    where
        F: Future<Output = RedisResult<T>>,
    {
        let unavailable = |cause: String| StoreError::new(StoreErrorKind::Unavailable, cause);
        match tokio::time::timeout(CALL_TIMEOUT, make(self.0.clone())).await {
            Ok(answer) => answer.map_err(|error| unavailable(error.to_string())),
            Err(_) => Err(unavailable(format!("Redis did not answer within {} ms", CALL_TIMEOUT.as_millis()))),
        }
    }
}

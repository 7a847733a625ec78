//! One connection that all requests share, which is opened anew after any failure.

use std::{
    future::Future,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use parlance_domain::error::{StoreError, StoreErrorKind};
use redis::{AsyncConnectionConfig, Client, RedisResult, aio::MultiplexedConnection};
use tokio::{sync::Mutex, time::timeout};

/// Longest time that one call may take, a new connection included: a request waits for it.
const CALL_TIMEOUT: Duration = Duration::from_millis(150);

/// Calls that may wait for the connection at once.
const PIPELINE: usize = 4_096;

/// A Redis, in reach or not. Cloning shares its connection.
///
/// The connection is dropped after any failure of a call, and the next call opens a new one: whatever a Redis answers while
/// it starts, loads its data or is full, a later call finds it when it has recovered.
#[derive(Clone)]
pub struct Redis(Arc<Shared>);

struct Shared {
    client: Client,
    config: AsyncConnectionConfig,
    kept: RwLock<Kept>,
    /// Held by the call that opens a connection, so that one is opened for all that wait.
    opening: Mutex<()>,
}

/// The connection in use, if any, and how many were opened.
#[derive(Default)]
struct Kept {
    connection: Option<MultiplexedConnection>,
    opened: u64,
}

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
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CALL_TIMEOUT))
            .set_response_timeout(Some(CALL_TIMEOUT))
            .set_pipeline_buffer_size(PIPELINE);
        Ok(Self(Arc::new(Shared { client, config, kept: RwLock::default(), opening: Mutex::default() })))
    }

    /// Makes one call, bounded in time.
    pub(crate) async fn call<T, F>(&self, make: impl FnOnce(MultiplexedConnection) -> F) -> Result<T, StoreError>
    where
        F: Future<Output = RedisResult<T>>,
    {
        let mut used = None;
        let answer = timeout(CALL_TIMEOUT, async {
            let (connection, number) = self.0.connection().await?;
            used = Some(number);
            make(connection).await
        });
        let cause = match answer.await {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("Redis did not answer within {} ms", CALL_TIMEOUT.as_millis()),
        };
        if let Some(number) = used {
            self.0.drop_connection(number);
        }
        Err(StoreError::new(StoreErrorKind::Unavailable, cause))
    }
}

impl Shared {
    /// The connection in use with its number, or a new one.
    async fn connection(&self) -> RedisResult<(MultiplexedConnection, u64)> {
        if let Some(kept) = self.kept() {
            return Ok(kept);
        }
        let _opening = self.opening.lock().await;
        if let Some(kept) = self.kept() {
            return Ok(kept);
        }
        let connection = self.client.get_multiplexed_async_connection_with_config(&self.config).await?;
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        kept.opened += 1;
        kept.connection = Some(connection.clone());
        Ok((connection, kept.opened))
    }

    fn kept(&self) -> Option<(MultiplexedConnection, u64)> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        kept.connection.clone().map(|connection| (connection, kept.opened))
    }

    /// Drops the connection of this number, unless another call has done so.
    fn drop_connection(&self, number: u64) {
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.opened == number {
            kept.connection = None;
        }
    }
}

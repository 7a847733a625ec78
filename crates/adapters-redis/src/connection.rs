//! The connection to Redis. All requests share it, and a new one replaces it after any failure.

use std::{
    future::Future,
    sync::{Arc, RwLock},
    time::Duration,
};

use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    sync,
};
use redis::{AsyncConnectionConfig, Client, RedisResult, aio::MultiplexedConnection};
use tokio::{sync::Mutex, time::timeout};

use crate::url_check::{InvalidRedisUrl, check_redis_url};

/// The time limit of one call, including opening a connection. Requests wait this long at most for Redis.
const CALL_TIMEOUT: Duration = Duration::from_millis(150);

/// The number of commands that can be queued on the connection. Further calls wait for room.
const PIPELINE_BUFFER_SIZE: usize = 4_096;

/// A client of one Redis server, which may be unreachable. Clones share the connection.
///
/// Any failed call drops the connection, and the next call opens a new one. A server may respond with errors while it
/// starts, loads its data or is full. Calls succeed again once the server has recovered.
#[derive(Clone)]
pub struct Redis(Arc<Inner>);

struct Inner {
    client: Client,
    config: AsyncConnectionConfig,
    slot: RwLock<ConnectionSlot>,
    /// Locked while a connection is opened, so that concurrent calls open only one.
    opening: Mutex<()>,
}

/// The current connection, if there is one.
#[derive(Default)]
struct ConnectionSlot {
    connection: Option<MultiplexedConnection>,
    /// The number of connections opened so far, which identifies the current one.
    generation: u64,
}

/// The status of the connection, for metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConnectionStatus {
    /// Whether there is a connection. A broken connection counts as open until the next call fails.
    pub is_open: bool,
    /// The number of connections that were dropped after a failed call.
    pub lost_connections: u64,
}

impl Redis {
    /// A client of the server at this address. The first call connects, so that the service starts without Redis.
    ///
    /// # Errors
    /// [`InvalidRedisUrl`] if the address is invalid.
    pub fn new(url: &str) -> Result<Self, InvalidRedisUrl> {
        check_redis_url(url)?;
        let client = Client::open(url).map_err(|_| InvalidRedisUrl::Unreadable)?;
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CALL_TIMEOUT))
            .set_response_timeout(Some(CALL_TIMEOUT))
            .set_pipeline_buffer_size(PIPELINE_BUFFER_SIZE);
        Ok(Self(Arc::new(Inner { client, config, slot: RwLock::default(), opening: Mutex::default() })))
    }

    /// The status of the connection, which all calls share.
    #[must_use]
    pub fn connection_status(&self) -> ConnectionStatus {
        let slot = sync::read(&self.0.slot);
        let is_open = slot.connection.is_some();
        ConnectionStatus { is_open, lost_connections: slot.generation - u64::from(is_open) }
    }

    /// Runs `command` on the connection within [`CALL_TIMEOUT`].
    pub(crate) async fn run_command<T, F>(
        &self,
        command: impl FnOnce(MultiplexedConnection) -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = RedisResult<T>>,
    {
        let mut used_generation = None;
        let response = timeout(CALL_TIMEOUT, async {
            let (connection, generation) = self.0.connection().await?;
            used_generation = Some(generation);
            command(connection).await
        });
        let cause = match response.await {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("Redis did not answer within {} ms", CALL_TIMEOUT.as_millis()),
        };
        if let Some(generation) = used_generation {
            self.0.drop_connection(generation);
        }
        Err(StoreError::new(StoreErrorKind::Unavailable, cause))
    }
}

impl Inner {
    /// The current connection with its generation; a new connection if there is none.
    async fn connection(&self) -> RedisResult<(MultiplexedConnection, u64)> {
        if let Some(current) = self.current() {
            return Ok(current);
        }
        let _opening = self.opening.lock().await;
        if let Some(current) = self.current() {
            return Ok(current);
        }
        let connection = self.client.get_multiplexed_async_connection_with_config(&self.config).await?;
        let mut slot = sync::write(&self.slot);
        slot.generation += 1;
        slot.connection = Some(connection.clone());
        Ok((connection, slot.generation))
    }

    fn current(&self) -> Option<(MultiplexedConnection, u64)> {
        let slot = sync::read(&self.slot);
        slot.connection.clone().map(|connection| (connection, slot.generation))
    }

    /// Drops the connection of this generation, unless a newer one has replaced it.
    fn drop_connection(&self, generation: u64) {
        let mut slot = sync::write(&self.slot);
        if slot.generation == generation {
            slot.connection = None;
        }
    }
}

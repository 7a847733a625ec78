//! The readiness probe of Redis.

use async_trait::async_trait;
use parlance_domain::{error::StoreError, readiness::ReadinessProbe};

use crate::Redis;

/// Checks whether Redis responds. The service is ready without Redis.
pub struct RedisProbe(Redis);

impl RedisProbe {
    /// A probe of this Redis.
    #[must_use]
    pub fn new(redis: Redis) -> Self {
        Self(redis)
    }
}

#[async_trait]
impl ReadinessProbe for RedisProbe {
    fn part(&self) -> &'static str {
        "redis"
    }

    fn is_required(&self) -> bool {
        false
    }

    #[tracing::instrument(level = "debug", name = "redis.probe.check", skip_all)]
    async fn check(&self) -> Result<(), StoreError> {
        self.0.run_command(|mut connection| async move { redis::cmd("PING").query_async(&mut connection).await }).await
    }
}

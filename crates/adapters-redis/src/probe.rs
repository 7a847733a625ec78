//! Whether the Redis is in reach.

use async_trait::async_trait;
use parlance_domain::{error::StoreError, readiness::ReadinessProbe};

use crate::Redis;

/// Tells whether the count of requests is shared. The service is ready without.
pub struct RedisProbe(Redis);

impl RedisProbe {
    /// Asks this Redis.
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

    fn is_needed(&self) -> bool {
        false
    }

    async fn check(&self) -> Result<(), StoreError> {
        self.0.call(|mut connection| async move { redis::cmd("PING").query_async(&mut connection).await }).await
    }
}

//! The rate limit that all replicas share, in Redis.
//!
//! [`RedisRateLimiter`] implements the port [`RateLimiter`](parlance_domain::access::RateLimiter). While Redis is
//! unreachable, each replica counts alone. [`RedisProbe`] reports this state to the readiness endpoint.

mod connection;
mod limiter;
mod probe;
mod url_check;

pub use connection::{ConnectionStatus, Redis};
pub use limiter::RedisRateLimiter;
pub use probe::RedisProbe;
pub use url_check::{InvalidRedisUrl, check_redis_url};

//! What replicas share through Redis: the count of each credential's requests.
//!
//! [`RedisRateLimiter`] implements the port [`RateLimiter`](parlance_domain::access::RateLimiter). While the Redis is out
//! of reach each replica counts for itself, which [`RedisProbe`] tells to whoever asks whether the service is ready.

mod connection;
mod limiter;
mod probe;

pub use connection::{Redis, UnusableAddress};
pub use limiter::RedisRateLimiter;
pub use probe::RedisProbe;

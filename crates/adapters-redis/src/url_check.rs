//! The check of the address of a Redis server. The client ignores a parameter that it does not know.

use redis::IntoConnectionInfo;

/// The known parameters of an address.
const PARAMETERS: [&str; 1] = ["protocol"];

/// The address of a Redis server is invalid. The message does not contain it, because it may hold a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRedisUrl {
    /// The scheme, the host, the port, the database or a value of a parameter is wrong.
    #[error(
        "must be the address of a Redis server: redis://host:port, or rediss://… over TLS; the number of a database may \
         follow, such as redis://host:port/1"
    )]
    Unreadable,
    /// The client knows no parameter of this name.
    #[error("has an unknown parameter: the known ones are {}", .known.join(", "))]
    UnknownParameter {
        /// The name as written. It may be a part of a password that is not in percent-encoding.
        name: String,
        /// The names of the known parameters.
        known: Vec<&'static str>,
    },
}

/// Checks the address of a Redis server without a connection.
///
/// # Errors
/// [`InvalidRedisUrl`].
pub fn check_redis_url(url: &str) -> Result<(), InvalidRedisUrl> {
    let is_supported = ["redis://", "rediss://"].iter().any(|scheme| url.starts_with(scheme));
    if !is_supported || url.into_connection_info().is_err() {
        return Err(InvalidRedisUrl::Unreadable);
    }
    let parameters = url.split('#').next().and_then(|url| url.split_once('?')).map_or("", |(_, rest)| rest);
    let names = parameters.split('&').filter(|parameter| !parameter.is_empty());
    let mut names = names.map(|parameter| parameter.split('=').next().unwrap_or_default());
    match names.find(|name| !PARAMETERS.contains(name)) {
        Some(name) => Err(InvalidRedisUrl::UnknownParameter { name: name.to_owned(), known: PARAMETERS.to_vec() }),
        None => Ok(()),
    }
}

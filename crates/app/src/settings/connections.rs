//! The settings of connections.

use std::{num::NonZeroUsize, time::Duration};

use parlance_adapters_http::{ConnectionLimits, OutputLimits};

use super::{reader::Reader, timeouts::Timeouts, values::read_timeout};

/// Limits of connections.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionSettings {
    /// Time for which a client may read an answer too slowly.
    pub write_timeout: Duration,
    /// Minimum number of bytes per second that a client must read of a pending answer.
    pub write_floor: u32,
    /// Maximum number of connections.
    pub connections: usize,
    /// Maximum number of connections of one client address; `None` for no limit.
    pub per_address: Option<usize>,
    /// Maximum number of connections of one credential.
    pub per_credential: usize,
    /// Limits of concurrent streams and large answers.
    pub outputs: OutputLimits,
}

impl ConnectionSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let write_timeout = reader.read("write_timeout_seconds", read_timeout);
        let write_floor = reader.read("min_write_bytes_per_second", read_floor);
        let connections = reader.read("max_connections", read_count);
        let per_address = reader.read("max_connections_per_address", read_optional_count);
        let per_credential = reader.read("max_connections_per_credential", read_count);
        let total = reader.read("max_streams", read_count);
        let per_owner = reader.read("max_streams_per_credential", read_count);
        Some(Self {
            write_timeout: write_timeout?,
            write_floor: write_floor?,
            connections: connections?,
            per_address: per_address?,
            per_credential: per_credential?,
            outputs: OutputLimits { max_total: total?, max_per_owner: per_owner? },
        })
    }

    /// Returns the limits of the connections of a listener. Behind proxies, each connection comes from a proxy, so
    /// there is no limit per address.
    pub(crate) fn limits(&self, timeouts: Timeouts, trusted_proxies: usize) -> ConnectionLimits {
        ConnectionLimits {
            head_timeout: timeouts.header,
            idle_timeout: timeouts.idle,
            body_timeout: timeouts.body,
            write_timeout: self.write_timeout,
            min_write_rate: self.write_floor,
            max_connections: self.connections,
            max_per_address: self.per_address.filter(|_| trusted_proxies == 0),
            max_per_credential: self.per_credential,
        }
    }
}

fn read_floor(text: &str) -> Result<u32, &'static str> {
    let bytes = text.parse().ok().filter(|bytes| *bytes <= 1_048_576);
    bytes.ok_or("must be a whole number of bytes from 0 to 1048576")
}

fn read_count(text: &str) -> Result<usize, &'static str> {
    let count = text.parse().ok().filter(|count| (1..=1_000_000).contains(count));
    count.ok_or("must be a whole number from 1 to 1000000")
}

fn read_optional_count(text: &str) -> Result<Option<usize>, &'static str> {
    let count = text.parse().ok().filter(|count| *count <= 1_000_000);
    let count = count.ok_or("must be a whole number from 1 to 1000000, or 0 for no limit")?;
    Ok(NonZeroUsize::new(count).map(NonZeroUsize::get))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_per_address_is_optional_and_the_total_limit_is_not() {
        assert_eq!((read_optional_count("0"), read_optional_count("7")), (Ok(None), Ok(Some(7))));
        assert!(["0", "-1", "x", "1000001"].iter().all(|text| read_count(text).is_err()));
    }
}

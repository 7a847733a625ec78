//! The settings of connections: what each may cost, and how many there may be.

use std::{num::NonZeroUsize, time::Duration};

use parlance_adapters_http::{ConnectionLimits, OutputLimits};

use super::{Reader, Timeouts, values::read_patience};

/// What connections may cost, and how many there may be.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionSettings {
    /// How long a client may take an answer too slowly.
    pub write_timeout: Duration,
    /// Fewest bytes a second that a client must take of an answer that waits for it.
    pub write_floor: u32,
    /// Most connections in all.
    pub connections: usize,
    /// Most connections of one client address; none: as many as there may be in all.
    pub per_address: Option<usize>,
    /// Most connections of one credential.
    pub per_credential: usize,
    /// Most large answers and streams under way.
    pub outputs: OutputLimits,
}

impl ConnectionSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let write_timeout = reader.read("write_timeout_seconds", read_patience);
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
            outputs: OutputLimits { total: total?, per_owner: per_owner? },
        })
    }

    /// What the connections of a listener may cost. Behind proxies every connection is a proxy's: an address has no cap.
    pub(crate) fn limits(&self, timeouts: Timeouts, trusted_proxies: usize) -> ConnectionLimits {
        ConnectionLimits {
            head: timeouts.header,
            idle: timeouts.idle,
            body: timeouts.body,
            write: self.write_timeout,
            write_floor: self.write_floor,
            connections: self.connections,
            per_address: self.per_address.filter(|_| trusted_proxies == 0),
            per_credential: self.per_credential,
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
    fn an_address_may_have_no_cap_and_all_together_always_have_one() {
        assert_eq!((read_optional_count("0"), read_optional_count("7")), (Ok(None), Ok(Some(7))));
        assert!(["0", "-1", "x", "1000001"].iter().all(|text| read_count(text).is_err()));
    }
}

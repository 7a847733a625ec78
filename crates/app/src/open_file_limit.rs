//! The limit on open files, and the number of connections that it allows.

use parlance_adapters_http::RESERVED_CONNECTIONS;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Open files reserved for everything except connections of callers: databases and their logs, feeds, the log, and
/// connections to the database, to Redis and to object stores.
const RESERVED_FILES: usize = 96;

/// Connections that the server always allows, however low the limit on open files is.
const MIN_CONNECTIONS: usize = 16;

/// Raises the soft limit on open files to the hard limit. Returns the limit in effect, or `None` if there is no limit.
pub(crate) fn raise_limit() -> Option<usize> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // If the limit cannot be raised, the current soft limit applies.
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let limit = if raised.is_ok() { maximum } else { current };
    limit.map(|files| usize::try_from(files).unwrap_or(usize::MAX))
}

/// Returns the number of connections to allow: `requested`, capped by the limit on open files.
pub(crate) fn cap_connections(requested: usize, limit: Option<usize>) -> usize {
    let available = limit.map_or(usize::MAX, |files| files.saturating_sub(RESERVED_FILES + RESERVED_CONNECTIONS));
    requested.min(available.max(MIN_CONNECTIONS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requested_number_of_connections_is_capped_by_the_limit_on_open_files() {
        assert_eq!(cap_connections(4_096, None), 4_096);
        assert_eq!(cap_connections(4_096, Some(1_048_576)), 4_096);
        assert_eq!(cap_connections(4_096, Some(256)), 96);
        assert_eq!(cap_connections(4_096, Some(20)), MIN_CONNECTIONS);
    }
}

//! How many files the process may have open, and so how many connections.

use parlance_adapters_http::RESERVED_CONNECTIONS;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files that are kept for everything that is no connection of a caller: databases, their logs, feeds, the log, and
/// connections to the database, to Redis and to object stores.
const KEPT_FILES: usize = 96;

/// Fewest connections that a server is of any use with.
const LEAST_CONNECTIONS: usize = 16;

/// Raises the soft limit on open files to the hard one. Returns the limit; none where there is none.
pub(crate) fn raise_limit() -> Option<usize> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // Where it may not be raised, what there is must do.
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let limit = if raised.is_ok() { maximum } else { current };
    limit.map(|files| usize::try_from(files).unwrap_or(usize::MAX))
}

/// How many connections there may be: as many as are wished, where the process may have as many files open.
pub(crate) fn connections_for(wished: usize, limit: Option<usize>) -> usize {
    let room = limit.map_or(usize::MAX, |files| files.saturating_sub(KEPT_FILES + RESERVED_CONNECTIONS));
    wished.min(room.max(LEAST_CONNECTIONS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_connections_as_are_wished_where_files_allow_it() {
        assert_eq!(connections_for(4_096, None), 4_096);
        assert_eq!(connections_for(4_096, Some(1_048_576)), 4_096);
        assert_eq!(connections_for(4_096, Some(256)), 96);
        assert_eq!(connections_for(4_096, Some(20)), LEAST_CONNECTIONS);
    }
}

//! How many connections and threads a server has on this machine.

use std::{num::NonZeroUsize, thread::available_parallelism};

use parlance_adapters_http::ConnectionLimits;
use parlance_adapters_sql::Database;

use crate::{open_file_limit, settings::Settings};

/// Returns the limits of connections. The limit on open files caps their number.
pub(crate) fn connection_limits(settings: &Settings) -> ConnectionLimits {
    let limits = settings.connections.limits(settings.timeouts, settings.trusted_proxies);
    let connections = open_file_limit::cap_connections(limits.max_connections, open_file_limit::raise_limit());
    if connections < limits.max_connections {
        tracing::warn!(connections, "max_connections is reduced: the process may not open more files");
    }
    with_connections(limits, connections)
}

/// Returns the limits with this number of connections. One credential may have at most half of them, rounded up.
fn with_connections(limits: ConnectionLimits, connections: usize) -> ConnectionLimits {
    let per_credential = limits.max_per_credential.min(connections.div_ceil(2));
    ConnectionLimits { max_connections: connections, max_per_credential: per_credential, ..limits }
}

/// Returns the number of worker threads for this machine and this database.
pub(crate) fn worker_threads(requested: Option<NonZeroUsize>, database: &Database) -> usize {
    let processors = available_parallelism().unwrap_or(NonZeroUsize::MIN);
    threads_for(requested, processors, database.is_colocated()).get()
}

/// Returns the number of worker threads: `requested`, capped by the number of processors, because each thread has
/// database connections of its own. By default there is one thread per processor, or one per two processors if the
/// database server runs on the same machine: a request costs that server as much processor time as this program
/// (docs/performance.md).
fn threads_for(requested: Option<NonZeroUsize>, processors: NonZeroUsize, is_colocated: bool) -> NonZeroUsize {
    let half = NonZeroUsize::new(processors.get() / 2).unwrap_or(NonZeroUsize::MIN);
    requested.unwrap_or(if is_colocated { half } else { processors }).min(processors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background_tasks::tests::single_connection_limits;

    fn threads(requested: Option<usize>, processors: usize, is_colocated: bool) -> usize {
        let number = |number| NonZeroUsize::new(number).unwrap();
        threads_for(requested.map(number), number(processors), is_colocated).get()
    }

    #[test]
    fn one_credential_has_at_most_half_of_the_connections() {
        let limits = ConnectionLimits { max_per_credential: 1_024, ..single_connection_limits() };
        let per_credential = [4_096, 97, 1].map(|connections| with_connections(limits, connections).max_per_credential);
        assert_eq!(per_credential, [1_024, 49, 1]);
    }

    #[test]
    fn each_processor_has_a_thread_by_default() {
        assert_eq!([1, 2, 5].map(|processors| threads(None, processors, false)), [1, 2, 5]);
    }

    #[test]
    fn every_second_processor_has_a_thread_if_the_database_server_is_on_the_same_machine() {
        assert_eq!([1, 2, 3, 8].map(|processors| threads(None, processors, true)), [1, 1, 1, 4]);
    }

    #[test]
    fn the_requested_number_of_threads_is_capped_by_the_number_of_processors() {
        for is_colocated in [false, true] {
            assert_eq!([1, 3, 4, 9].map(|requested| threads(Some(requested), 4, is_colocated)), [1, 3, 4, 4]);
        }
    }
}

//! PostgreSQL: what its connections are opened with, and how what is frequent goes to it.

mod desk;
mod lanes;
mod losses;
mod servers;

use std::net::IpAddr;

pub(crate) use desk::{Desk, Question};
pub(crate) use lanes::{Desks, Lanes};
pub(crate) use losses::{CHECK_WRITER_AFTER, ConnectionLosses};
use sea_orm::sqlx::{
    self, ConnectOptions,
    error::DatabaseError,
    postgres::{PgConnectOptions, PgSslMode},
};
pub(crate) use servers::{Servers, takes_writes};

use crate::error::CALL_TIMEOUT;

/// The servers at an address, and what every connection to them is opened with: an acknowledged write is on the server's
/// disk and a statement sees all that was committed before it, whatever the server does by default, and no statement
/// outlives its caller.
pub(crate) fn servers(url: &str) -> Result<Servers, sqlx::Error> {
    let timeout = CALL_TIMEOUT.as_millis().to_string();
    let options = [
        ("synchronous_commit", "on"),
        ("default_transaction_isolation", "read committed"),
        ("statement_timeout", timeout.as_str()),
    ];
    Servers::read(url, |host| {
        plain_at_home(host.application_name("parlance").options(options)).disable_statement_logging()
    })
}

/// Between two programs of one machine nothing is enciphered, unless the address asks for it: nobody is in between, each
/// side would spend some 7 % of its time on it, and opening a connection would take a tenth of a second.
fn plain_at_home(options: PgConnectOptions) -> PgConnectOptions {
    // What the driver does where the address says nothing.
    let unsaid = matches!(options.get_ssl_mode(), PgSslMode::Prefer);
    if unsaid && is_at_home(&options) { options.ssl_mode(PgSslMode::Disable) } else { options }
}

/// Whether the server is on this machine, as far as its address tells. The driver takes a host that is a path for a socket.
pub(crate) fn is_at_home(options: &PgConnectOptions) -> bool {
    let host = options.get_host();
    let socket = options.get_socket().is_some() || host.starts_with('/');
    let loopback = || host.trim_matches(['[', ']']).parse().is_ok_and(|address: IpAddr| address.is_loopback());
    socket || host == "localhost" || loopback()
}

/// For connections whose every statement finds its rows by their keys, and in the order of their keys: the planner may
/// not think that it reads all of a table instead, or all of a conversation to put it in order, which it does while a
/// table is nearly empty, and then keeps on doing until statistics are gathered. No value changes how such a statement is
/// best run, so it is planned once a connection and not for each use.
pub(crate) fn by_keys(options: PgConnectOptions) -> PgConnectOptions {
    const OTHER_WAYS: [&str; 5] =
        ["enable_seqscan", "enable_bitmapscan", "enable_sort", "enable_hashjoin", "enable_mergejoin"];
    options.options(OTHER_WAYS.map(|way| (way, "off"))).options([("plan_cache_mode", "force_generic_plan")])
}

/// Whether a connection is of no more use: it is closed, or the server says that it closes it (its manual, appendix A,
/// class 08 and from 57P01 on).
pub(crate) fn is_cut(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(DatabaseError::code);
    matches!(error, sqlx::Error::Io(_) | sqlx::Error::Protocol(_))
        || code.is_some_and(|code| code.starts_with("08") || code.starts_with("57P"))
}

/// How many bytes of a statement's values go to the server at once.
///
/// What is longer leaves by more than one record of TLS, which holds 16,384 bytes, and the driver does not set
/// `TCP_NODELAY` (sqlx 0.9.0, see its issue 4335): the second record then waits until the server has acknowledged the
/// first, which Linux puts off for 40 ms.
const AT_ONCE: usize = 15_000;

/// Rows in their order, in portions whose bytes go to the server at once. A row that is larger goes by itself.
pub(crate) fn portions<Row>(rows: impl IntoIterator<Item = Row>, bytes: impl Fn(&Row) -> usize) -> Vec<Vec<Row>> {
    let mut portions: Vec<Vec<Row>> = Vec::new();
    let mut room = 0;
    for row in rows {
        let bytes = bytes(&row);
        match portions.last_mut() {
            Some(portion) if bytes <= room => {
                room -= bytes;
                portion.push(row);
            }
            _ => {
                room = AT_ONCE.saturating_sub(bytes);
                portions.push(vec![row]);
            }
        }
    }
    portions
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;

    /// Whether connections to this address are left plain.
    fn plain(url: &str) -> bool {
        matches!(servers(url).unwrap().current().unwrap().get_ssl_mode(), PgSslMode::Disable)
    }

    #[test]
    fn a_server_on_this_machine_is_spoken_to_plainly() {
        for host in ["127.0.0.1", "localhost", "[::1]", "127.9.9.9:5433", "%2Frun%2Fpostgresql"] {
            assert!(plain(&format!("postgres://parlance@{host}/parlance")), "{host}");
        }
    }

    #[test]
    fn a_server_on_this_machine_may_be_reached_by_a_socket() {
        let by = |options: PgConnectOptions| is_at_home(&options);
        assert!(by(PgConnectOptions::from_str("postgres:///parlance?host=/run/postgresql").unwrap()));
        assert!(by(PgConnectOptions::new_without_pgpass().host("/run/postgresql")));
        assert!(by(PgConnectOptions::new_without_pgpass().host("db.internal").socket("/run/postgresql")));
        assert!(!by(PgConnectOptions::new_without_pgpass().host("db.internal")));
    }

    #[test]
    fn a_server_elsewhere_is_spoken_to_as_the_driver_does() {
        for host in ["db.internal", "10.0.0.1", "localhost.example"] {
            assert!(!plain(&format!("postgres://parlance@{host}/parlance")), "{host}");
        }
    }

    #[test]
    fn an_address_that_asks_for_encryption_gets_it() {
        for mode in ["require", "verify-ca", "verify-full"] {
            assert!(!plain(&format!("postgres://parlance@127.0.0.1/parlance?sslmode={mode}")), "{mode}");
        }
    }
}

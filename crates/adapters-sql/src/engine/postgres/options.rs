//! The options of connections to PostgreSQL.

use std::net::IpAddr;

use sea_orm::sqlx::{
    self, ConnectOptions,
    postgres::{PgConnectOptions, PgSslMode},
};

use crate::{
    engine::postgres::{connect::Servers, session::SessionSettings},
    error::CALL_TIMEOUT,
};

/// The servers of a URL, with the options and the settings of every connection to them. Whatever the defaults of the
/// server: an acknowledged write is on the server's disk, a statement sees every earlier commit, and no statement
/// outlives its caller.
pub(crate) fn parse_servers(url: &str) -> Result<Servers, sqlx::Error> {
    let session = SessionSettings::new(&[
        ("synchronous_commit", "on".to_owned()),
        ("default_transaction_isolation", "read committed".to_owned()),
        ("statement_timeout", CALL_TIMEOUT.as_millis().to_string()),
    ]);
    // PgBouncer refuses `extra_float_digits`. The server's own default is exact, too.
    let with_options = |host: PgConnectOptions| {
        disable_local_tls(host.application_name("parlance").extra_float_digits(None)).disable_statement_logging()
    };
    Servers::parse(url, session, with_options)
}

/// Connections within one machine are not encrypted unless the URL requires it. No third party is between the
/// two programs. Each would spend about 7 % of its time on encryption, and opening a connection would take a tenth of a
/// second.
fn disable_local_tls(options: PgConnectOptions) -> PgConnectOptions {
    // The driver's default if the URL sets no mode.
    let is_default = matches!(options.get_ssl_mode(), PgSslMode::Prefer);
    if is_default && is_local_server(&options) { options.ssl_mode(PgSslMode::Disable) } else { options }
}

/// Whether the server is on this machine, as far as the URL shows. The driver takes a host that is a path for a socket.
pub(crate) fn is_local_server(options: &PgConnectOptions) -> bool {
    let host = options.get_host();
    let socket = options.get_socket().is_some() || host.starts_with('/');
    let loopback = || host.trim_matches(['[', ']']).parse().is_ok_and(|address: IpAddr| address.is_loopback());
    socket || host == "localhost" || loopback()
}

/// Settings for sessions whose every statement finds rows by key, in key order. While a table is nearly empty, the
/// planner prefers to scan all of it, or to sort all of a conversation, and keeps doing so until statistics are
/// gathered. These settings disable such plans. No value changes the best plan of such a statement, so the statement is
/// planned once per connection and not once per use. A sort that cannot be avoided has a high nominal cost, for which the
/// server would compile the statement first: that takes longer than the statement.
pub(crate) fn with_index_plans(servers: &Servers) -> Servers {
    const OTHER_PLANS: [&str; 5] =
        ["enable_seqscan", "enable_bitmapscan", "enable_sort", "enable_hashjoin", "enable_mergejoin"];
    let fixed = [("plan_cache_mode", "force_generic_plan"), ("jit", "off")];
    let plans = OTHER_PLANS.map(|name| (name, "off")).into_iter().chain(fixed);
    servers.with_settings(&plans.map(|(name, value)| (name, value.to_owned())).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;

    /// Whether connections to this URL are not encrypted.
    fn is_unencrypted(url: &str) -> bool {
        matches!(parse_servers(url).unwrap().current().unwrap().get_ssl_mode(), PgSslMode::Disable)
    }

    #[test]
    fn connections_to_a_local_server_are_not_encrypted() {
        for host in ["127.0.0.1", "localhost", "[::1]", "127.9.9.9:5433", "%2Frun%2Fpostgresql"] {
            assert!(is_unencrypted(&format!("postgres://parlance@{host}/parlance")), "{host}");
        }
    }

    #[test]
    fn a_server_behind_a_local_socket_is_local() {
        let is_local = |options: PgConnectOptions| is_local_server(&options);
        assert!(is_local(PgConnectOptions::from_str("postgres:///parlance?host=/run/postgresql").unwrap()));
        assert!(is_local(PgConnectOptions::new_without_pgpass().host("/run/postgresql")));
        assert!(is_local(PgConnectOptions::new_without_pgpass().host("db.internal").socket("/run/postgresql")));
        assert!(!is_local(PgConnectOptions::new_without_pgpass().host("db.internal")));
    }

    #[test]
    fn connections_to_a_remote_server_keep_the_default_of_the_driver() {
        for host in ["db.internal", "10.0.0.1", "localhost.example"] {
            assert!(!is_unencrypted(&format!("postgres://parlance@{host}/parlance")), "{host}");
        }
    }

    #[test]
    fn a_url_that_requires_encryption_gets_it() {
        for mode in ["require", "verify-ca", "verify-full"] {
            assert!(!is_unencrypted(&format!("postgres://parlance@127.0.0.1/parlance?sslmode={mode}")), "{mode}");
        }
    }
}

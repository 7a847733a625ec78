//! The hosts that a PostgreSQL URL names, in a part of the syntax of libpq: several hosts before the path, and
//! `target_session_attrs`.

use std::str::FromStr;

use sea_orm::sqlx::{self, postgres::PgConnectOptions};

/// The URL parameter that says which servers are accepted.
const TARGET_PARAMETER: &str = "target_session_attrs";

/// What a URL says about its servers.
pub(super) struct Hosts {
    /// The hosts in the order of the URL.
    pub(super) hosts: Vec<PgConnectOptions>,
    /// Whether only a writable server is accepted.
    pub(super) requires_writable: bool,
}

/// Parses the hosts of a URL.
///
/// # Errors
/// If the URL or one of its parameters is invalid.
pub(super) fn parse_hosts(url: &str) -> Result<Hosts, sqlx::Error> {
    let (url, requires_writable) = take_target_parameter(url)?;
    let hosts = single_host_urls(&url).map(|url| PgConnectOptions::from_str(&url)).collect::<Result<_, _>>()?;
    Ok(Hosts { hosts, requires_writable })
}

/// The address of a host, without the user and the password.
pub(crate) fn address(host: &PgConnectOptions) -> String {
    match host.get_socket() {
        Some(socket) => socket.display().to_string(),
        None => format!("{}:{}", host.get_host(), host.get_port()),
    }
}

/// Splits a URL into the URL without [`TARGET_PARAMETER`], and whether that parameter requires a writable server.
fn take_target_parameter(url: &str) -> Result<(String, bool), sqlx::Error> {
    let Some((address, parameters)) = url.split_once('?') else { return Ok((url.to_owned(), false)) };
    let (mut kept, mut requires_writable) = (Vec::new(), false);
    for parameter in parameters.split('&') {
        match parameter.split_once('=') {
            Some((TARGET_PARAMETER, "read-write" | "primary")) => requires_writable = true,
            Some((TARGET_PARAMETER, "any")) => requires_writable = false,
            Some((TARGET_PARAMETER, _)) => {
                return Err(sqlx::Error::Configuration(
                    "target_session_attrs must be any, read-write or primary".into(),
                ));
            }
            _ => kept.push(parameter),
        }
    }
    let parameters = kept.join("&");
    let separator = if parameters.is_empty() { "" } else { "?" };
    Ok((format!("{address}{separator}{parameters}"), requires_writable))
}

/// One URL for each host of a URL.
fn single_host_urls(url: &str) -> impl Iterator<Item = String> {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find(['/', '?']).map_or(url.len(), |at| start + at);
    let hosts = url[start..end].rfind('@').map_or(start, |at| start + at + 1);
    let (before, after) = (&url[..hosts], &url[end..]);
    url[hosts..end].split(',').map(move |host| format!("{before}{host}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(url: &str) -> Vec<(String, u16)> {
        parse_hosts(url).unwrap().hosts.iter().map(|host| (host.get_host().to_owned(), host.get_port())).collect()
    }

    #[test]
    fn a_url_may_name_several_hosts_each_with_its_port() {
        let named = hosts("postgres://parlance:a,b@one.internal:5433,two.internal,[::1]:5434/name?sslmode=require");
        let expected = [("one.internal", 5433), ("two.internal", 5432), ("[::1]", 5434)];
        assert_eq!(named, expected.map(|(host, port)| (host.to_owned(), port)));
    }

    #[test]
    fn a_url_of_one_host_names_that_host() {
        assert_eq!(hosts("postgres://parlance@db.internal/name"), [("db.internal".to_owned(), 5432)]);
        assert_eq!(hosts("postgres:///name?host=db.internal"), [("db.internal".to_owned(), 5432)]);
    }

    #[test]
    fn an_address_has_no_password() {
        let parsed = parse_hosts("postgres://parlance:hush@one,two:5433/name").unwrap();
        assert_eq!(parsed.hosts.iter().map(address).collect::<Vec<_>>(), ["one:5432", "two:5433"]);
    }

    #[test]
    fn a_parameter_requires_a_writable_server() {
        let requires = |parameters| {
            parse_hosts(&format!("postgres://one,two/name{parameters}")).map(|parsed| parsed.requires_writable)
        };
        assert!(!requires("").unwrap());
        assert!(!requires("?target_session_attrs=any").unwrap());
        assert!(requires("?sslmode=require&target_session_attrs=read-write").unwrap());
        assert!(requires("?target_session_attrs=primary&sslmode=require").unwrap());
    }

    #[test]
    fn any_other_choice_of_servers_is_refused() {
        for target in ["standby", "prefer-standby", "read-only", "", "READ-WRITE"] {
            let error = parse_hosts(&format!("postgres://one,two/name?target_session_attrs={target}")).err().unwrap();
            assert!(error.to_string().ends_with("target_session_attrs must be any, read-write or primary"), "{error}");
        }
    }
}

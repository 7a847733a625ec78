//! The check of a database URL. The drivers ignore a parameter that they do not know, so a misspelled one would have no
//! effect.

use std::str::FromStr;

use sea_orm::sqlx::{postgres::PgConnectOptions, sqlite::SqliteConnectOptions};

use crate::engine::postgres;

/// A parameter that accepts only these values. An empty list accepts any value.
type Parameter = (&'static str, &'static [&'static str]);

const POSTGRES_PARAMETERS: &[Parameter] = &[
    ("sslmode", &["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]),
    ("target_session_attrs", &["any", "read-write", "primary"]),
    ("sslrootcert", &[]),
    ("sslcert", &[]),
    ("sslkey", &[]),
    ("application_name", &[]),
    ("dbname", &[]),
    ("host", &[]),
    ("hostaddr", &[]),
    ("options", &[]),
    ("password", &[]),
    ("port", &[]),
    ("statement-cache-capacity", &[]),
    ("user", &[]),
];

/// Other names of parameters, which the driver accepts too.
const POSTGRES_ALIASES: &[(&str, &str)] = &[
    ("ssl-mode", "sslmode"),
    ("ssl-root-cert", "sslrootcert"),
    ("ssl-ca", "sslrootcert"),
    ("ssl-cert", "sslcert"),
    ("ssl-key", "sslkey"),
];

const SQLITE_PARAMETERS: &[Parameter] = &[
    ("mode", &["ro", "rw", "rwc", "memory"]),
    ("cache", &["private", "shared"]),
    ("immutable", &["true", "false", "1", "0"]),
    ("vfs", &[]),
];

/// What is wrong with a database URL. The text contains no part of the URL, which may hold a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseUrlError {
    /// The scheme is not that of a supported database.
    #[error("is not a database URL: it must begin with sqlite:// or postgres://")]
    UnsupportedScheme,
    /// A port is not a number from 1 to 65535.
    #[error("has an invalid port: it must be a number from 1 to 65535")]
    InvalidPort,
    /// The driver cannot read the URL.
    #[error(
        "cannot be read as a URL: write special characters of the user, the password and the path in percent-encoding, \
         such as %40 for @"
    )]
    Unreadable,
    /// The URL of PostgreSQL names no database.
    #[error("names no database: add its name after the host, such as postgres://user@host/parlance")]
    NoDatabase,
    /// The driver knows no parameter of this name.
    #[error("has an unknown parameter: the known ones are {}", .known.join(", "))]
    UnknownParameter {
        /// The name as written. It may be a part of a password that is not in percent-encoding.
        name: String,
        /// The names of the known parameters.
        known: Vec<&'static str>,
    },
    /// A parameter has a value that it does not accept.
    #[error("has an invalid value of {name}: it must be one of {}", .accepted.join(", "))]
    InvalidValue {
        /// The name of the parameter.
        name: &'static str,
        /// The value as written.
        value: String,
        /// The accepted values.
        accepted: &'static [&'static str],
    },
}

/// Checks a database URL without opening anything: that the driver can read it, that its parameters are known, and that
/// a URL of PostgreSQL names a database.
///
/// # Errors
/// [`DatabaseUrlError`].
pub fn check_database_url(url: &str) -> Result<(), DatabaseUrlError> {
    let parameters = url.split_once('?').map_or("", |(_, parameters)| parameters);
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        check_ports(url)?;
        check_parameters(parameters, POSTGRES_PARAMETERS)?;
        let servers = postgres::parse_servers(url).map_err(|_| DatabaseUrlError::Unreadable)?;
        let is_named = |host: &PgConnectOptions| host.get_database().is_some_and(|name| !name.is_empty());
        return if servers.hosts().iter().all(is_named) { Ok(()) } else { Err(DatabaseUrlError::NoDatabase) };
    }
    if !url.starts_with("sqlite:") {
        return Err(DatabaseUrlError::UnsupportedScheme);
    }
    check_parameters(parameters, SQLITE_PARAMETERS)?;
    SqliteConnectOptions::from_str(url).map(|_| ()).map_err(|_| DatabaseUrlError::Unreadable)
}

/// Checks the port of each host.
fn check_ports(url: &str) -> Result<(), DatabaseUrlError> {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = after_scheme.split(['/', '?']).next().unwrap_or_default();
    let hosts = authority.rsplit('@').next().unwrap_or_default();
    let ports = hosts.split(',').filter(|host| !host.ends_with(']')).filter_map(|host| host.rsplit_once(':'));
    let is_port = |port: &str| port.is_empty() || port.parse::<u16>().is_ok_and(|port| port > 0);
    if ports.into_iter().all(|(_, port)| is_port(port)) { Ok(()) } else { Err(DatabaseUrlError::InvalidPort) }
}

fn check_parameters(parameters: &str, known: &[Parameter]) -> Result<(), DatabaseUrlError> {
    for parameter in parameters.split('&').filter(|parameter| !parameter.is_empty()) {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let alias = POSTGRES_ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
        let alias = if alias.starts_with("options[") { "options" } else { alias };
        let Some((name, accepted)) = known.iter().find(|(known, _)| *known == alias) else {
            let known = known.iter().map(|(name, _)| *name).collect();
            return Err(DatabaseUrlError::UnknownParameter { name: name.to_owned(), known });
        };
        if !accepted.is_empty() && !accepted.contains(&value) {
            return Err(DatabaseUrlError::InvalidValue { name, value: value.to_owned(), accepted });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_that_the_driver_reads_is_accepted() {
        for url in [
            "sqlite://parlance.db",
            "sqlite::memory:",
            "sqlite:///var/lib/p.db?mode=rwc&cache=shared",
            "postgres://u:p@host/name",
            "postgresql://u@one:5432,[::1]:5433/name?target_session_attrs=read-write&sslmode=require",
            "postgres:///name?host=/run/postgresql&user=u",
            "postgres://host?dbname=name",
            "postgres://u@%2Frun%2Fpostgresql/name?ssl-mode=disable&options[search_path]=a",
        ] {
            assert_eq!(check_database_url(url), Ok(()), "{url}");
        }
    }

    #[test]
    fn an_unknown_parameter_is_an_error() {
        for (url, wrong) in [
            ("postgres://h/n?sslmod=require", "sslmod"),
            ("postgres://h/n?sslmode=require&target_session_attr=read-write", "target_session_attr"),
            ("sqlite://p.db?mod=ro", "mod"),
            ("sqlite://p.db?sslmode=require", "sslmode"),
        ] {
            let error = check_database_url(url).unwrap_err();
            assert!(matches!(&error, DatabaseUrlError::UnknownParameter { name, .. } if name == wrong), "{error}");
        }
    }

    #[test]
    fn a_value_that_a_parameter_does_not_accept_is_an_error() {
        for url in
            ["postgres://h/n?sslmode=required", "postgres://h/n?target_session_attrs=standby", "sqlite://p?mode=x"]
        {
            assert!(matches!(check_database_url(url), Err(DatabaseUrlError::InvalidValue { .. })), "{url}");
        }
    }

    #[test]
    fn a_port_that_does_not_exist_is_an_error() {
        for port in ["99999", "0", "x", "-1"] {
            let url = format!("postgres://u:p@one,two:{port}/n");
            assert_eq!(check_database_url(&url), Err(DatabaseUrlError::InvalidPort), "{url}");
        }
    }

    #[test]
    fn a_url_of_postgresql_names_a_database() {
        for url in ["postgres://u:p@host", "postgres://host/", "postgres://host/?sslmode=require"] {
            assert_eq!(check_database_url(url), Err(DatabaseUrlError::NoDatabase), "{url}");
        }
    }

    #[test]
    fn no_error_contains_a_part_of_the_url() {
        for url in ["postgres://u:hu?hush=a@h/n", "postgres://u:hu/hush@h/n", "postgres://hush hush/n", "hush"] {
            let error = check_database_url(url).unwrap_err().to_string();
            assert!(!error.contains("hush"), "{error}");
        }
    }
}

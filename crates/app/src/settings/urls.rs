//! The parsers of the URLs of the database and of Redis. No error contains a part of the URL, which may hold a password.

use parlance_adapters_redis::{InvalidRedisUrl, check_redis_url};
use parlance_adapters_sql::{DatabaseUrlError, check_database_url};

use super::values::PrivateUrl;
use crate::suggestion::did_you_mean;

pub(super) fn read_database_url(text: &str) -> Result<PrivateUrl, String> {
    const RULE: &str =
        "must be the address of a database: sqlite://path, sqlite::memory: or postgres://user:password@host/name";
    let is_known = ["sqlite://", "postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
    if !is_known && text != "sqlite::memory:" {
        return Err(RULE.to_owned());
    }
    check_database_url(text).map(|()| PrivateUrl::new(text)).map_err(|error| {
        let suggestion = match &error {
            DatabaseUrlError::UnknownParameter { name, known } => did_you_mean(name, known.iter().copied()),
            DatabaseUrlError::InvalidValue { value, accepted, .. } => did_you_mean(value, accepted.iter().copied()),
            DatabaseUrlError::UnsupportedScheme
            | DatabaseUrlError::InvalidPort
            | DatabaseUrlError::Unreadable
            | DatabaseUrlError::NoDatabase => String::new(),
        };
        format!("{error}{suggestion}")
    })
}

pub(super) fn read_optional_redis_url(text: &str) -> Result<Option<PrivateUrl>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    check_redis_url(text).map(|()| Some(PrivateUrl::new(text))).map_err(|error| {
        let suggestion = match &error {
            InvalidRedisUrl::UnknownParameter { name, known } => did_you_mean(name, known.iter().copied()),
            InvalidRedisUrl::Unreadable => String::new(),
        };
        format!("{error}{suggestion}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_parameter_of_a_database_has_a_suggestion() {
        for (url, end) in [
            ("postgres://h/n?sslmod=require", "; did you mean sslmode?"),
            ("postgres://h/n?target_session_attr=read-write", "; did you mean target_session_attrs?"),
            ("postgres://h/n?sslmode=required", "; did you mean require?"),
            ("sqlite://p.db?cach=shared", "; did you mean cache?"),
        ] {
            let error = read_database_url(url).unwrap_err();
            assert!(error.ends_with(end), "{error}");
        }
        assert!(read_database_url("mysql://h/n").unwrap_err().starts_with("must be the address of a database"));
        assert!(read_database_url("postgres://h:99999/n").unwrap_err().contains("from 1 to 65535"));
        assert!(read_database_url("postgres://u@h").unwrap_err().starts_with("names no database"));
    }

    #[test]
    fn a_url_of_redis_is_optional_and_can_be_read() {
        assert_eq!(read_optional_redis_url(""), Ok(None));
        assert!(read_optional_redis_url("rediss://:hush@cache:6380/2?protocol=resp3").is_ok());
        assert!(read_optional_redis_url("redis://h?protocl=resp3").unwrap_err().ends_with("; did you mean protocol?"));
        for url in ["http://cache", "redis://h/notanumber", "redis://h:99999", "redis://", "redis://h?protocol=9"] {
            assert!(read_optional_redis_url(url).is_err(), "{url}");
        }
    }
}

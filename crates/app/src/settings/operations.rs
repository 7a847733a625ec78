//! Parsers of the settings of operations: addresses, file modes and the scrub.

use std::{net::SocketAddr, time::Duration};

use actix_web::http::Uri;
use parlance_domain::file_mode::FileMode;

use super::values::read_address;

pub(super) fn read_optional_address(text: &str) -> Result<Option<SocketAddr>, &'static str> {
    if text.is_empty() { Ok(None) } else { read_address(text).map(Some) }
}

/// Parses the public URL, and removes a slash at its end.
pub(super) fn read_public_url(text: &str) -> Result<String, &'static str> {
    const RULE: &str = "must be the address at which callers reach the server: https://host or http://host, optionally \
                        with a port and a path, and nothing else";
    let is_bare = |uri: &Uri| {
        let is_http = uri.scheme_str().is_some_and(|scheme| ["http", "https"].contains(&scheme));
        let has_host =
            uri.authority().is_some_and(|authority| !authority.as_str().contains('@') && !authority.host().is_empty());
        is_http && has_host && uri.query().is_none()
    };
    let is_address = text.is_empty() || (!text.contains('#') && text.parse().is_ok_and(|uri| is_bare(&uri)));
    if is_address { Ok(text.trim_end_matches('/').to_owned()) } else { Err(RULE) }
}

/// Parses a list of origins, in the form in which a browser sends them: in lower case, without a path, and without a port
/// that is the default of the scheme.
pub(super) fn read_origins(text: &str) -> Result<Vec<String>, &'static str> {
    const RULE: &str = "must be origins separated by commas: https://host or http://host in lower case, with a port unless \
                        it is the default, and without a path";
    let is_origin = |text: &str| {
        let Ok(uri) = text.parse::<Uri>() else { return false };
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return false };
        let default_port = match scheme {
            "https" => 443,
            "http" => 80,
            _ => return false,
        };
        let is_plain = !authority.host().is_empty() && authority.port_u16() != Some(default_port);
        is_plain && text == format!("{scheme}://{authority}").to_ascii_lowercase() && !text.contains('@')
    };
    let origins: Vec<_> = text.split(',').filter(|_| !text.is_empty()).map(|origin| origin.trim().to_owned()).collect();
    if origins.iter().all(|origin| is_origin(origin)) { Ok(origins) } else { Err(RULE) }
}

pub(super) fn read_bool(text: &str) -> Result<bool, &'static str> {
    text.parse().map_err(|_| "must be true or false")
}

pub(super) fn read_output_mode(text: &str) -> Result<FileMode, &'static str> {
    FileMode::parse(text).map_err(|_| "must be 0600, 0640 or 0660: only the owner and the group may have access")
}

pub(super) fn read_scrub_interval(text: &str) -> Result<Option<Duration>, &'static str> {
    if text == "never" {
        return Ok(None);
    }
    let hours = text.parse().ok().filter(|hours: &u16| (1..=8_760).contains(hours));
    let interval = hours.map(|hours| Some(Duration::from_hours(hours.into())));
    interval.ok_or("must be a whole number of hours from 1 to 8760, or never")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_address_may_be_empty() {
        assert_eq!(read_optional_address(""), Ok(None));
        assert!(read_optional_address("127.0.0.1:9090").unwrap().is_some() && read_optional_address("9090").is_err());
    }

    #[test]
    fn a_public_url_has_a_host_and_nothing_after_its_path() {
        assert_eq!(read_public_url("https://talk.example/api/").as_deref(), Ok("https://talk.example/api"));
        assert_eq!((read_public_url("").as_deref(), read_public_url("http://[::1]:8080").is_ok()), (Ok(""), true));
        for text in [
            "talk.example",
            "ftp://h",
            "https://",
            "https://u@h",
            "https://h/?a",
            "https://h/#a",
            "/api",
            "https://h h",
        ] {
            assert!(read_public_url(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_origin_has_the_form_in_which_a_browser_sends_it() {
        let origins = read_origins("https://desk.example, http://localhost:3000");
        assert_eq!(origins, Ok(vec!["https://desk.example".to_owned(), "http://localhost:3000".to_owned()]));
        assert_eq!(read_origins(""), Ok(Vec::new()));
        for text in [
            "*",
            "null",
            "desk.example",
            "https://desk.example/",
            "https://Desk.example",
            "https://desk.example:443",
            "http://desk.example:80",
            "https://u@desk.example",
            "ftp://desk.example",
            "https://a.example,,https://b.example",
        ] {
            assert!(read_origins(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_scrub_interval_is_a_number_of_hours_or_never() {
        assert_eq!(read_scrub_interval("24"), Ok(Some(Duration::from_hours(24))));
        assert_eq!(read_scrub_interval("never"), Ok(None));
        assert!(["0", "8761", "-1", "", "1h"].iter().all(|text| read_scrub_interval(text).is_err()));
    }
}

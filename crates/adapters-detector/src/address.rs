//! The address of the analyzer.

use std::{fmt, net::IpAddr};

use ureq::http::Uri;

/// The address of a Presidio Analyzer, without a slash at its end. Texts that are not masked yet are sent to it, so it is
/// `https`, or `http` on this machine. `Debug` prints only the scheme.
#[derive(Clone, PartialEq, Eq)]
pub struct DetectorUrl(String);

/// The address is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be https://host, or http:// with a loopback host, optionally with a port and a path, and nothing else")]
pub struct InvalidDetectorUrl;

impl DetectorUrl {
    /// Parses an address.
    ///
    /// # Errors
    /// [`InvalidDetectorUrl`] for another scheme, for `http` to another machine, and for an address with a user, a
    /// query or a fragment.
    pub fn parse(text: &str) -> Result<Self, InvalidDetectorUrl> {
        let uri: Uri = text.parse().map_err(|_| InvalidDetectorUrl)?;
        let host = uri.host().filter(|host| !host.is_empty()).ok_or(InvalidDetectorUrl)?;
        let is_protected = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => is_loopback(host),
            Some(_) | None => false,
        };
        let is_bare = uri.query().is_none() && !text.contains(['@', '#']);
        if is_protected && is_bare { Ok(Self(text.trim_end_matches('/').to_owned())) } else { Err(InvalidDetectorUrl) }
    }

    /// The address of a path of the analyzer.
    pub(crate) fn path(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }
}

impl fmt::Debug for DetectorUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:***", self.0.split(':').next().unwrap_or_default())
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_https_or_on_this_machine() {
        for text in [
            "https://analyzer",
            "https://h:5002/presidio",
            "http://127.0.0.1:5002",
            "http://[::1]:1",
            "http://localhost/",
        ] {
            assert!(DetectorUrl::parse(text).is_ok(), "{text}");
        }
        for text in [
            "",
            "analyzer",
            "http://analyzer:5002",
            "http://10.0.0.1",
            "http://localhost.example",
            "ftp://h",
            "https://",
        ] {
            assert_eq!(DetectorUrl::parse(text), Err(InvalidDetectorUrl), "{text}");
        }
    }

    #[test]
    fn an_address_has_no_user_query_or_fragment() {
        for text in ["https://u:p@h", "https://h/?a=b", "https://h/#a"] {
            assert_eq!(DetectorUrl::parse(text), Err(InvalidDetectorUrl), "{text}");
        }
    }

    #[test]
    fn a_path_follows_that_of_the_address() {
        assert_eq!(DetectorUrl::parse("https://h/presidio/").unwrap().path("/analyze"), "https://h/presidio/analyze");
    }

    #[test]
    fn debug_prints_only_the_scheme() {
        assert_eq!(format!("{:?}", DetectorUrl::parse("https://hush/").unwrap()), "https:***");
    }
}

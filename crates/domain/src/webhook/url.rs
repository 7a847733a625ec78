//! The address of a webhook, checked strictly: what a resolver or a library could read in two ways is refused.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use crate::limits::WEBHOOK_URL_MAX_CHARACTERS;

/// The scheme of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlScheme {
    /// Without TLS; only to networks that the operator allows.
    Http,
    /// With TLS.
    Https,
}

/// The host of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookHost {
    /// A name, in lower case.
    Name(Box<str>),
    /// An IP address.
    Ip(IpAddr),
}

/// An absolute `http` or `https` address without user information and fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookUrl {
    text: Box<str>,
    scheme: UrlScheme,
    host: WebhookHost,
    port: u16,
    /// The index in `text` at which the path with its query begins.
    path_start: usize,
}

/// The rule that an address breaks. The error does not repeat the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidWebhookUrl {
    /// The address is too long.
    #[error("must have at most {WEBHOOK_URL_MAX_CHARACTERS} characters")]
    TooLong,
    /// A character that must be percent-encoded.
    #[error("must consist of printable ASCII characters without spaces, quotation marks and backslashes")]
    Character,
    /// Another scheme.
    #[error("must begin with https://")]
    Scheme,
    /// User information or a fragment.
    #[error("must contain neither user information nor a fragment")]
    UserInfoOrFragment,
    /// The host is no name and no IP address in its usual form.
    #[error("must have a host: a name, an IPv4 address of four decimal numbers, or an IPv6 address in brackets")]
    Host,
    /// The port is no number from 1 to 65535.
    #[error("must have a port from 1 to 65535, or none")]
    Port,
}

impl WebhookUrl {
    /// Parses an address.
    ///
    /// # Errors
    /// [`InvalidWebhookUrl`].
    pub fn parse(text: &str) -> Result<Self, InvalidWebhookUrl> {
        if text.len() > WEBHOOK_URL_MAX_CHARACTERS {
            return Err(InvalidWebhookUrl::TooLong);
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte)) {
            return Err(InvalidWebhookUrl::Character);
        }
        let (scheme, rest) = split_scheme(text).ok_or(InvalidWebhookUrl::Scheme)?;
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, _) = rest.split_at(end);
        if authority.contains('@') || text.contains('#') {
            return Err(InvalidWebhookUrl::UserInfoOrFragment);
        }
        let (host, port) = split_port(authority);
        let port = match port {
            None => {
                if scheme == UrlScheme::Https {
                    443
                } else {
                    80
                }
            }
            Some(digits) => parse_port(digits).ok_or(InvalidWebhookUrl::Port)?,
        };
        let host = parse_host(host).ok_or(InvalidWebhookUrl::Host)?;
        Ok(Self { text: text.into(), scheme, host, port, path_start: text.len() - rest.len() + end })
    }

    /// The address as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The scheme.
    #[must_use]
    pub fn scheme(&self) -> UrlScheme {
        self.scheme
    }

    /// The host.
    #[must_use]
    pub fn host(&self) -> &WebhookHost {
        &self.host
    }

    /// The port, by default that of the scheme.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The path with its query, beginning with `/`.
    #[must_use]
    pub fn path_and_query(&self) -> String {
        let path = self.text.get(self.path_start..).unwrap_or_default();
        if path.starts_with('/') { path.to_owned() } else { format!("/{path}") }
    }

    /// The host and the port as they stand in the address, for the header `Host`.
    #[must_use]
    pub fn authority(&self) -> &str {
        let before_path = self.text.get(..self.path_start).unwrap_or_default();
        before_path.split_once("://").map_or("", |(_, authority)| authority)
    }
}

impl fmt::Display for WebhookHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Ip(address) => address.fmt(f),
        }
    }
}

fn split_scheme(text: &str) -> Option<(UrlScheme, &str)> {
    let (scheme, rest) = text.split_once("://")?;
    match scheme {
        "https" => Some((UrlScheme::Https, rest)),
        "http" => Some((UrlScheme::Http, rest)),
        _ => None,
    }
}

/// Splits the host from the port. A colon within brackets belongs to the host.
fn split_port(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    }
}

fn parse_port(digits: &str) -> Option<u16> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|port| is_number && *port > 0)
}

fn parse_host(host: &str) -> Option<WebhookHost> {
    if let Some(inner) = host.strip_prefix('[') {
        let address: Ipv6Addr = inner.strip_suffix(']')?.parse().ok()?;
        return Some(WebhookHost::Ip(address.into()));
    }
    let name = host.to_ascii_lowercase();
    let last = name.rsplit('.').next().unwrap_or_default();
    // Resolvers read a name whose last label is a number as an IPv4 address, in octal, hexadecimal and short forms too.
    if is_number(last) {
        return host.parse::<Ipv4Addr>().ok().map(|address| WebhookHost::Ip(address.into()));
    }
    let is_valid = name.len() <= 253 && name.split('.').all(is_label);
    is_valid.then(|| WebhookHost::Name(name.into()))
}

fn is_number(label: &str) -> bool {
    let is_decimal = !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_digit());
    let hexadecimal = label.strip_prefix("0x");
    is_decimal || hexadecimal.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_label(label: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=63).contains(&label.len()) && label.bytes().all(is_allowed) && !label.starts_with('-') && !label.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_split_into_its_parts() {
        let url = WebhookUrl::parse("https://Hooks.example.com:8443/in?a=b").unwrap();
        assert_eq!((url.scheme(), url.port()), (UrlScheme::Https, 8443));
        assert_eq!(url.host(), &WebhookHost::Name("hooks.example.com".into()));
        assert_eq!((url.authority(), url.path_and_query().as_str()), ("Hooks.example.com:8443", "/in?a=b"));
        let url = WebhookUrl::parse("http://[2001:db8::1]?a").unwrap();
        assert_eq!((url.port(), url.path_and_query().as_str()), (80, "/?a"));
        assert_eq!(url.host(), &WebhookHost::Ip("2001:db8::1".parse().unwrap()));
        assert_eq!(WebhookUrl::parse("https://h").unwrap().path_and_query(), "/");
    }

    #[test]
    fn hosts_that_resolvers_read_in_another_way_are_refused() {
        for host in [
            "2130706433",
            "127.1",
            "0x7f.0.0.1",
            "0177.0.0.1",
            "127.0.0.01",
            "1.2.3.0x4",
            "0x7f000001",
            "1.2.3.4.5",
            "256.1.1.1",
            "0X7F000001",
            "0x",
            "017700000001",
            "0",
            "127.0.0.1.",
            "localhost.",
            "%6cocalhost",
            "[::ffff:127.1]",
        ] {
            let url = format!("https://{host}/");
            assert_eq!(WebhookUrl::parse(&url), Err(InvalidWebhookUrl::Host), "{host}");
        }
        assert!(WebhookUrl::parse("https://127.0.0.1/").is_ok(), "which addresses are allowed is another rule");
    }

    #[test]
    fn user_information_and_fragments_are_refused() {
        for text in ["https://user@h/", "https://u:p@h/", "https://h@127.0.0.1/", "https://h/#a", "https://h#a"] {
            assert_eq!(WebhookUrl::parse(text), Err(InvalidWebhookUrl::UserInfoOrFragment), "{text}");
        }
    }

    #[test]
    fn other_forms_are_refused() {
        use InvalidWebhookUrl::{Character, Host, Port, Scheme, TooLong};
        for (text, error) in [
            ("", Scheme),
            ("h/", Scheme),
            ("ftp://h/", Scheme),
            ("HTTPS://h/", Scheme),
            ("https:/h", Scheme),
            ("https://", Host),
            ("https:///p", Host),
            ("https://h./", Host),
            ("https://-h/", Host),
            ("https://a..b/", Host),
            ("https://[::1/", Host),
            ("https://[fe80::1%25eth0]/", Host),
            ("https://[1.2.3.4]/", Host),
            ("https://h:0/", Port),
            ("https://h:65536/", Port),
            ("https://h:/", Port),
            ("https://h:+1/", Port),
            ("https://h/ p", Character),
            ("https://h\\@evil/", Character),
            ("https://h\u{e9}/", Character),
            ("https://h/\n", Character),
        ] {
            assert_eq!(WebhookUrl::parse(text), Err(error), "{text}");
        }
        assert_eq!(WebhookUrl::parse(&format!("https://h/{}", "a".repeat(2_048))), Err(TooLong));
    }
}

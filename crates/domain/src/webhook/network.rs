//! Which addresses a webhook may reach: public ones, and networks that the operator allows.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

use super::{UrlScheme, WebhookHost};

/// The addresses of `localhost` (RFC 6761, section 6.3).
const LOCALHOST: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];

/// A network: an address and the length of its prefix (CIDR).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

/// The text is no network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a network such as 10.0.0.0/8 or fd00::/8")]
pub struct InvalidNetwork;

impl FromStr for Network {
    type Err = InvalidNetwork;

    fn from_str(text: &str) -> Result<Self, InvalidNetwork> {
        let (address, prefix) = text.split_once('/').ok_or(InvalidNetwork)?;
        let address: IpAddr = address.parse().map_err(|_| InvalidNetwork)?;
        let is_number = !prefix.is_empty() && prefix.bytes().all(|byte| byte.is_ascii_digit());
        let prefix = prefix.parse().ok().filter(|prefix| is_number && *prefix <= bits_of(address).1);
        Ok(Self { address, prefix: prefix.ok_or(InvalidNetwork)? })
    }
}

/// The bits of an address, as the highest ones of 128, and their number.
fn bits_of(address: IpAddr) -> (u128, u8) {
    match address {
        IpAddr::V4(address) => (u128::from(address.to_bits()) << 96, 32),
        IpAddr::V6(address) => (address.to_bits(), 128),
    }
}

impl Network {
    /// Whether the network contains an address.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let ((own, length), (other, other_length)) = (bits_of(self.address), bits_of(address));
        let ignored = u32::from(128 - self.prefix);
        length == other_length && own.checked_shr(ignored) == other.checked_shr(ignored)
    }
}

/// The networks that webhooks may reach besides public addresses.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AllowedNetworks(pub Vec<Network>);

impl AllowedNetworks {
    /// Whether a request with this scheme may reach an address: any scheme within an allowed network, `https` at a public
    /// address.
    #[must_use]
    pub fn permits(&self, scheme: UrlScheme, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(address)) || (scheme == UrlScheme::Https && is_public(address))
    }

    /// Whether a request with this scheme may reach a host, as far as that is known before a name is resolved. `localhost`
    /// and the names under it mean loopback on every machine.
    #[must_use]
    pub fn permits_host(&self, scheme: UrlScheme, host: &WebhookHost) -> bool {
        match host {
            WebhookHost::Ip(address) => self.permits(scheme, *address),
            WebhookHost::Name(name) => {
                !is_localhost(name) || LOCALHOST.into_iter().any(|address| self.permits(scheme, address))
            }
        }
    }

    /// Whether a request with this scheme may reach any address.
    #[must_use]
    pub fn permits_scheme(&self, scheme: UrlScheme) -> bool {
        scheme == UrlScheme::Https || !self.0.is_empty()
    }
}

/// Whether a name in lower case is `localhost` or is under it.
fn is_localhost(name: &str) -> bool {
    name.rsplit('.').next() == Some("localhost")
}

/// Whether an address belongs to the public internet (IANA registries of special-purpose addresses).
#[must_use]
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => embedded_v4(address).map_or_else(|| is_public_v6(address), is_public_v4),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    // This network, private, loopback, multicast, reserved and broadcast.
    let is_special_block = matches!(a, 0 | 10 | 127 | 224..=255);
    // Shared address space of carriers (CGNAT); link-local, which includes the metadata services of clouds; private.
    let is_special_range =
        matches!((a, b), (100, 64..=127) | (169, 254) | (172, 16..=31) | (192, 168) | (198, 18 | 19));
    // Protocol assignments, documentation, the relay of 6to4, AS112.
    let is_special_network = matches!(
        (a, b, c),
        (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 31, 196)
            | (192, 52, 193)
            | (192, 175, 48)
            | (198, 51, 100)
            | (203, 0, 113)
    );
    !(is_special_block || is_special_range || is_special_network)
}

/// Only global unicast addresses are public, without those for documentation and special purposes.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_global_unicast = first & 0xe000 == 0x2000;
    // Protocol assignments with Teredo and ORCHID, documentation.
    let is_special = (first == 0x2001 && (second < 0x200 || second == 0xdb8)) || (first == 0x3fff && second < 0x1000);
    is_global_unicast && !is_special
}

/// The IPv4 address to which an IPv6 address leads: mapped, compatible, translated, NAT64 or 6to4.
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let from_segments = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match address.segments() {
        // ::/96 has also the unspecified address and loopback, whose IPv4 forms are not public.
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => Some(from_segments(high, low)),
        // A network of one's own for NAT64 (RFC 8215) leads to addresses that are not known here.
        [0x64, 0xff9b, 1, ..] => Some(Ipv4Addr::UNSPECIFIED),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(networks: &[&str], scheme: UrlScheme, address: &str) -> bool {
        let networks = networks.iter().map(|network| network.parse().unwrap()).collect();
        AllowedNetworks(networks).permits(scheme, address.parse().unwrap())
    }

    #[test]
    fn public_addresses_are_permitted_by_https_only() {
        for address in [
            "8.8.8.8",
            "172.32.0.1",
            "100.128.0.1",
            "2606:4700::1",
            "64:ff9b::808:808",
            "2002:808:808::1",
            "::ffff:8.8.8.8",
        ] {
            assert!(permits(&[], UrlScheme::Https, address), "{address}");
            assert!(!permits(&[], UrlScheme::Http, address), "{address}");
        }
    }

    #[test]
    fn special_addresses_are_refused_in_every_form() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "::ffff:0:127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "2002:7f00:1::1",
            "2002:a00:1::",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001:db8::1",
            "2001::1",
            "2001:10::1",
            "3fff::1",
            "100::1",
            "4000::1",
        ] {
            assert!(!permits(&[], UrlScheme::Https, address), "{address}");
        }
    }

    #[test]
    fn an_allowed_network_is_permitted_by_both_schemes() {
        for scheme in [UrlScheme::Http, UrlScheme::Https] {
            assert!(permits(&["10.0.0.0/8"], scheme, "10.255.0.1"));
            assert!(permits(&["10.0.0.0/8"], scheme, "::ffff:10.0.0.1"));
            assert!(!permits(&["10.0.0.0/8"], scheme, "127.0.0.1"));
            assert!(permits(&["fd00::/8"], scheme, "fd00::1"));
            assert!(!permits(&["fd00::/8"], scheme, "fc00::1"));
            assert!(permits(&["127.0.0.1/32"], scheme, "127.0.0.1"));
            assert!(!permits(&["127.0.0.1/32"], scheme, "127.0.0.2"));
            assert!(permits(&["0.0.0.0/0"], scheme, "127.0.0.2"));
        }
    }

    #[test]
    fn localhost_and_the_names_under_it_are_permitted_where_loopback_is() {
        let permits = |networks: &[&str], name: &str| {
            let networks = AllowedNetworks(networks.iter().map(|network| network.parse().unwrap()).collect());
            networks.permits_host(UrlScheme::Https, &WebhookHost::Name(name.into()))
        };
        for name in ["localhost", "hooks.localhost", "a.b.localhost"] {
            assert!(!permits(&[], name), "{name}");
            assert!(!permits(&["10.0.0.0/8", "127.0.0.2/32"], name), "{name}");
            assert!(permits(&["127.0.0.0/8"], name) && permits(&["::1/128"], name), "{name}");
        }
        for name in ["hooks.example.com", "localhost.example.com", "mylocalhost", "my-localhost.example.com"] {
            assert!(permits(&[], name), "only delivery knows where it leads: {name}");
        }
    }

    #[test]
    fn a_text_that_is_no_network_is_refused() {
        for text in ["", "10.0.0.0", "10.0.0.0/33", "10.0.0.0/", "10.0.0/8", "10.0.0.0/+8", "fd00::/129", "host/8"] {
            assert_eq!(text.parse::<Network>(), Err(InvalidNetwork), "{text}");
        }
    }
}

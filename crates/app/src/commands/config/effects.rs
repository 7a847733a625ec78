//! The settings that have no effect, or that contradict each other.

use std::net::{IpAddr, SocketAddr};

use parlance_domain::feed::FileFormat;

use crate::settings::{DeliveryTarget, Settings, Sources};

/// Why the other settings of the detector have no effect.
const NO_DETECTOR: &str = "external_detector_url is not set";

/// An error for each address that an earlier setting already takes.
pub(super) fn conflicting_addresses(settings: &Settings) -> Vec<String> {
    let addresses = [
        ("listen", Some(settings.listen)),
        ("health_listen", settings.health_listen),
        ("metrics_listen", settings.metrics_listen),
    ];
    let addresses: Vec<_> = addresses.into_iter().filter_map(|(name, address)| Some((name, address?))).collect();
    let mut errors = Vec::new();
    for (index, (name, address)) in addresses.iter().enumerate() {
        let earlier = addresses.iter().take(index).find(|(_, other)| overlap(*other, *address));
        errors.extend(earlier.map(|(other, _)| format!("{name}: {other} has the same address: choose another port")));
    }
    errors
}

/// Whether both addresses name the same port of the same interface. Port 0 is another port each time.
fn overlap(one: SocketAddr, other: SocketAddr) -> bool {
    // The socket of an IPv4 address in the form of IPv6 takes the IPv4 address.
    let (one_ip, other_ip) = (one.ip().to_canonical(), other.ip().to_canonical());
    let is_same_interface = one_ip == other_ip || covers(one_ip, other_ip) || covers(other_ip, one_ip);
    one.port() != 0 && one.port() == other.port() && is_same_interface
}

/// Whether a socket on `wide` takes the connections to `narrow` too.
fn covers(wide: IpAddr, narrow: IpAddr) -> bool {
    // The server leaves the option `IPV6_V6ONLY` off, so `[::]` stands for both families.
    wide.is_unspecified() && (wide.is_ipv6() || narrow.is_ipv4())
}

/// A warning for each setting that is set and has no effect, with the reason, and for a public URL that nobody can use.
pub(super) fn settings_without_effect(settings: &Settings, sources: &Sources) -> Vec<String> {
    let rules = connection_rules(settings).into_iter().chain(detector_rules(settings)).chain(other_rules(settings));
    let broken = rules.filter(|rule| rule.applies && sources.sets(rule.setting));
    let mut warnings: Vec<_> = broken.map(|rule| without_effect(sources, rule.setting, rule.reason)).collect();
    warnings.extend(plain_public_url(settings, sources));
    warnings.extend(sources.empty_settings().map(|name| without_effect(sources, name, "its value is empty")));
    warnings
}

/// A reason for which a setting has no effect.
struct Rule {
    setting: &'static str,
    applies: bool,
    reason: &'static str,
}

fn rule(setting: &'static str, applies: bool, reason: &'static str) -> Rule {
    Rule { setting, applies, reason }
}

fn connection_rules(settings: &Settings) -> [Rule; 4] {
    let connections = &settings.connections;
    let outputs = &connections.outputs;
    [
        rule(
            "max_connections_per_address",
            settings.trusted_proxies > 0,
            "trusted_proxies is set: every connection comes from a proxy",
        ),
        rule(
            "max_connections_per_address",
            connections.per_address.is_some_and(|limit| limit >= connections.connections),
            "it is not below max_connections",
        ),
        rule(
            "max_connections_per_credential",
            connections.per_credential > connections.connections / 2,
            "one credential gets at most half of max_connections",
        ),
        rule("max_streams_per_credential", outputs.max_per_owner > outputs.max_total, "it exceeds max_streams"),
    ]
}

fn detector_rules(settings: &Settings) -> impl Iterator<Item = Rule> {
    let has_no_detector = settings.redaction.detector.is_none();
    [
        "external_detector_required",
        "external_detector_entities",
        "external_detector_language",
        "external_detector_min_score",
        "external_detector_timeout_ms",
        "external_detector_max_concurrent",
    ]
    .into_iter()
    .map(move |setting| rule(setting, has_no_detector, NO_DETECTOR))
}

fn other_rules(settings: &Settings) -> [Rule; 5] {
    let has_directory = settings.feeds.url.scheme() == "file"
        || matches!(settings.vocabulary_delivery, Some(DeliveryTarget::Directory(_)));
    let is_sent_by_http = matches!(settings.vocabulary_delivery, Some(DeliveryTarget::Http { .. }));
    [
        rule("vocabulary_delivery_secret", !is_sent_by_http, "vocabulary_delivery_url is not an HTTP address"),
        rule(
            "scrub_interval_hours",
            settings.database_url.scheme() != "sqlite",
            "the scrub is for SQLite, and database_url is PostgreSQL",
        ),
        rule("output_mode", !has_directory, "neither feeds_url nor vocabulary_delivery_url is a directory"),
        rule(
            "feed_compression",
            settings.feeds.formats == [FileFormat::Parquet],
            "it is for text formats, and feed_formats is only parquet",
        ),
        rule("log_level", std::env::var_os("RUST_LOG").is_some(), "the environment variable RUST_LOG replaces it"),
    ]
}

fn plain_public_url(settings: &Settings, sources: &Sources) -> Option<String> {
    let is_plain = settings.tls.is_some() && settings.public_url.starts_with("http://");
    let source = sources.source("public_url");
    is_plain.then(|| {
        format!("public_url (from {source}): begins with http://, and the server accepts only TLS: use https://")
    })
}

fn without_effect(sources: &Sources, name: &str, reason: &str) -> String {
    format!("{name} (from {}): has no effect: {reason}", sources.source(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn do_overlap(one: &str, other: &str) -> bool {
        let (one, other) = (one.parse().unwrap(), other.parse().unwrap());
        assert_eq!(overlap(one, other), overlap(other, one));
        overlap(one, other)
    }

    #[test]
    fn a_port_of_all_interfaces_is_that_of_each_interface() {
        assert!(do_overlap("0.0.0.0:8080", "127.0.0.1:8080"));
        assert!(do_overlap("0.0.0.0:8080", "[::ffff:127.0.0.1]:8080"));
        assert!(do_overlap("[::]:8080", "127.0.0.1:8080"));
        assert!(do_overlap("[::]:8080", "[::1]:8080"));
        assert!(do_overlap("[::]:8080", "0.0.0.0:8080"));
    }

    #[test]
    fn all_ipv4_addresses_and_an_ipv6_address_are_apart() {
        assert!(!do_overlap("0.0.0.0:8080", "[::1]:8080"));
        assert!(!do_overlap("127.0.0.1:8080", "[::1]:8080"));
        assert!(!do_overlap("0.0.0.0:8080", "127.0.0.1:8081"));
        assert!(!do_overlap("0.0.0.0:0", "0.0.0.0:0"));
    }
}

//! Tests of all settings together.

use std::collections::HashMap;

use super::*;

fn read(environment: &[(&str, &str)]) -> Result<Settings, Vec<InvalidSetting>> {
    let environment: HashMap<_, _> =
        environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Settings::read(&Sources::new(&SettingFlags::default(), |name| environment.get(name).cloned(), None).unwrap())
}

fn error_text(name: &str, value: &str) -> String {
    read(&[(name, value)]).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn everything_has_a_default() {
    let settings = read(&[]).unwrap();
    assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(settings.database_url.reveal(), "sqlite://parlance.db");
    assert_eq!((settings.header_prefix.as_str(), settings.max_body_bytes), ("svc", 262_144));
    assert_eq!(settings.vocabulary_page_size, PageSize::default());
    assert_eq!((settings.rate_limit.per_second.get(), settings.rate_limit.burst.get()), (100, 200));
}

#[test]
fn an_invalid_setting_is_named_with_its_source_and_without_its_value() {
    assert_eq!(
        error_text("PARLANCE_LISTEN", "nowhere"),
        "listen (from PARLANCE_LISTEN): must be an IP address and a port, such as 127.0.0.1:8080 or [::]:8080"
    );
    assert!(!error_text("PARLANCE_DATABASE_URL", "mysql://root:secret@db").contains("secret"));
}

#[test]
fn numbers_have_bounds() {
    for (name, value) in [
        ("PARLANCE_RATE_LIMIT_PER_SECOND", "0"),
        ("PARLANCE_RATE_LIMIT_BURST", "-1"),
        ("PARLANCE_MAX_BODY_BYTES", "0"),
        ("PARLANCE_MAX_BODY_BYTES", "67108865"),
        ("PARLANCE_VOCABULARY_PAGE_SIZE", "0"),
        ("PARLANCE_VOCABULARY_PAGE_SIZE", "101"),
        ("PARLANCE_SHUTDOWN_TIMEOUT_SECONDS", "3601"),
        ("PARLANCE_WORKERS", "0"),
        ("PARLANCE_WORKERS", "1025"),
    ] {
        assert!(read(&[(name, value)]).is_err(), "{name}={value}");
    }
}

/// The bounds of a setting whose documented values begin with "A to B".
fn documented_range(bounds: &str) -> Option<(u64, u64)> {
    let (first, rest) = bounds.split_once(" to ")?;
    let last = rest.split(|letter: char| !letter.is_ascii_digit()).next()?;
    Some((first.parse().ok()?, last.parse().ok()?))
}

#[test]
fn the_documented_bounds_of_a_number_are_those_that_it_is_checked_against() {
    let ranges = table::SETTINGS.iter().filter_map(|setting| Some((setting, documented_range(setting.bounds)?)));
    let ranges: Vec<_> = ranges.collect();
    assert!(ranges.len() > 20, "the search finds no documented bounds: has their form changed?");
    for (setting, (first, last)) in ranges {
        let variable = format!("PARLANCE_{}", setting.name.to_ascii_uppercase());
        let rule = |value: &str| {
            let invalid = read(&[(&variable, value)]).err().unwrap_or_default();
            invalid.into_iter().find(|invalid| invalid.name == setting.name).map(|invalid| invalid.rule)
        };
        assert_eq!((rule(&first.to_string()), rule(&last.to_string())), (None, None), "{}", setting.name);
        let below = first.checked_sub(1).map_or_else(|| "-1".to_owned(), |below| below.to_string());
        for refused in [below, (last + 1).to_string()] {
            let rule = rule(&refused).unwrap_or_else(|| panic!("{}={refused} is accepted", setting.name));
            assert!(rule.contains(&format!("to {last}")), "{}: {rule}", setting.name);
        }
    }
}

#[test]
fn every_invalid_setting_is_reported() {
    assert_eq!(read(&[("PARLANCE_LISTEN", "x"), ("PARLANCE_LOG_FORMAT", "y")]).unwrap_err().len(), 2);
}

#[test]
fn tls_needs_both_of_its_files() {
    assert_eq!(
        error_text("PARLANCE_TLS_CERTIFICATE_FILE", "server.pem"),
        "tls_key_file (from the default): is missing: TLS needs a certificate and its key"
    );
    assert!(read(&[]).unwrap().tls.is_none());
}

#[test]
fn a_header_prefix_must_be_usable_in_a_header_name() {
    assert_eq!(read(&[("PARLANCE_HEADER_PREFIX", "Acme-2")]).unwrap().header_prefix, "acme-2");
    assert!(read(&[("PARLANCE_HEADER_PREFIX", "a b")]).is_err());
}

//! Hides the secrets of settings from output.

use super::table::{SETTINGS, Setting};

/// What replaces a secret.
const MASK: &str = "***";

/// The parameters of a URL whose values are shown. Any other value may be a secret.
const SHOWN_PARAMETERS: [&str; 7] =
    ["sslmode", "target_session_attrs", "application_name", "connect_timeout", "dbname", "mode", "cache"];

/// How much of a value may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Disclosure {
    /// The whole value.
    Everything,
    /// A URL without its password and without parameter values that may be secrets.
    Url,
    /// A URL of which also the path may be a secret, as with the address of a webhook.
    Host,
    /// Nothing.
    Nothing,
}

/// Whether the value of a setting may be or contain a secret.
pub(super) fn is_secret(setting: &Setting) -> bool {
    disclosure(setting) != Disclosure::Everything
}

/// Returns the text that may be shown of a value. An invalid value is shown only if its setting never has a secret,
/// because it may have any form.
pub(super) fn mask(setting: &Setting, value: &str, is_valid: bool) -> String {
    match disclosure(setting) {
        Disclosure::Everything => value.to_owned(),
        Disclosure::Url if is_valid => mask_url(value, true),
        Disclosure::Host if is_valid => mask_url(value, false),
        Disclosure::Url | Disclosure::Host | Disclosure::Nothing => MASK.to_owned(),
    }
}

fn disclosure(setting: &Setting) -> Disclosure {
    let has_file = SETTINGS.iter().any(|other| other.name.strip_suffix("_file") == Some(setting.name));
    let is_key = ["KEY", "SECRET", "TOKEN", "PASSWORD", "HEADERS"].contains(&setting.value);
    match (setting.name, setting.value) {
        ("public_url", _) => Disclosure::Everything,
        ("database_url" | "redis_url" | "feeds_url" | "ledger_url", _) => Disclosure::Url,
        (_, "URL") => Disclosure::Host,
        _ if is_key || has_file => Disclosure::Nothing,
        _ => Disclosure::Everything,
    }
}

fn mask_url(url: &str, shows_path: bool) -> String {
    // Without an authority, the form is `sqlite::memory:`.
    let Some((scheme, rest)) = url.split_once("://") else { return mask_unknown(url) };
    // A password may contain any of `/`, `?`, `#` and `@` in its plain form.
    let (user, rest) = rest.rsplit_once('@').map_or((None, rest), |(user, rest)| (Some(user), rest));
    // If so, this `@` may as well stand in the path, a parameter or the fragment, and a part of a secret after it.
    if user.is_some_and(|user| user.contains(['/', '?', '#'])) {
        return format!("{scheme}://{MASK}");
    }
    let (rest, fragment) = rest.split_once('#').map_or((rest, ""), |(rest, _)| (rest, "#***"));
    let (place, parameters) = rest.split_once('?').map_or((rest, None), |(place, rest)| (place, Some(rest)));
    let (hosts, path) = place.find('/').map_or((place, ""), |start| place.split_at(start));
    let is_file = ["sqlite", "file"].contains(&scheme);
    if !is_file && !hosts.split(',').all(has_form_of_host) {
        return format!("{scheme}://{MASK}");
    }
    let user = user.map(|user| mask_user(scheme, user)).unwrap_or_default();
    let is_http = ["http", "https"].contains(&scheme);
    let path = if shows_path || !is_http || path.len() < 2 { path } else { "/***" };
    let parameters = parameters.map(mask_parameters).unwrap_or_default();
    format!("{scheme}://{user}{hosts}{path}{parameters}{fragment}")
}

fn mask_unknown(url: &str) -> String {
    if url == "sqlite::memory:" { url.to_owned() } else { MASK.to_owned() }
}

/// Hides the password. Only the user of a database or a Redis is shown: without a password, or at other addresses, it may
/// be a token.
fn mask_user(scheme: &str, user: &str) -> String {
    let is_user_shown = ["postgres", "postgresql", "redis", "rediss"].contains(&scheme);
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    let name = user.split_once(':').map(|(name, _)| name).filter(|name| is_user_shown && is_name(name));
    name.map_or_else(|| format!("{MASK}@"), |name| format!("{name}:{MASK}@"))
}

/// Whether a text is a host with an optional port, and not the user and the password of a URL without a host.
fn has_form_of_host(text: &str) -> bool {
    let port = text.rsplit_once(':').map_or("", |(_, port)| port);
    text.ends_with(']') || port.bytes().all(|byte| byte.is_ascii_digit())
}

fn mask_parameters(parameters: &str) -> String {
    let masked = parameters.split('&').map(|parameter| match parameter.split_once('=') {
        Some((name, _)) if SHOWN_PARAMETERS.contains(&name) => parameter.to_owned(),
        Some((name, _)) => format!("{name}={MASK}"),
        None => MASK.to_owned(),
    });
    format!("?{}", masked.collect::<Vec<_>>().join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::table::setting;

    #[test]
    fn a_url_keeps_everything_except_its_secrets() {
        for (url, masked) in [
            ("redis://:hush@host:6379/0", "redis://:***@host:6379/0"),
            ("redis://host:6379", "redis://host:6379"),
            ("postgres://parlance:hush@db/p?sslmode=require", "postgres://parlance:***@db/p?sslmode=require"),
            ("postgres://u:hush@one:5432,[::1]:5432/p", "postgres://u:***@one:5432,[::1]:5432/p"),
            ("sqlite:///var/lib/parlance.db?mode=ro", "sqlite:///var/lib/parlance.db?mode=ro"),
            ("s3://bucket/prefix", "s3://bucket/prefix"),
            ("sqlite::memory:", "sqlite::memory:"),
        ] {
            assert_eq!(mask_url(url, true), masked);
        }
    }

    #[test]
    fn a_secret_in_any_part_of_a_url_is_hidden() {
        for url in [
            "postgres://u:hu/sh@db/p",
            "postgres://u:a@hush:b@db/p",
            "postgres://u:a?hush#b@db/p",
            "postgres://u:hush",
            "postgres://db/p?password=hush",
            "postgres://db/p?pass%77ord=hush&sslmode=require",
            "postgres://db/p?hush",
            "postgres://db/p#hush",
            "postgres://db/p?password=hu@sh",
            "postgres://u:hush@db/p?password=hu@sh",
            "postgres://db/p?sslmode=require#hu@sh",
            "redis://hush@host",
            "redis://:hush",
            "s3://hush:hush@bucket/prefix",
            "hush",
        ] {
            let masked = mask_url(url, true);
            assert!(!["hush", "sh@", "@sh"].iter().any(|part| masked.contains(part)), "{masked}");
        }
        assert_eq!(mask_url("https://hooks.example/hush/{tenant}", false), "https://hooks.example/***");
        assert_eq!(mask_url("https://hooks.example/a@b/key", false), "https://***");
    }

    #[test]
    fn every_setting_that_can_come_from_a_file_of_its_own_may_be_a_secret() {
        let files = SETTINGS.iter().filter_map(|file| setting(file.name.strip_suffix("_file")?));
        let secrets: Vec<_> = files.collect();
        assert!(secrets.len() >= 4 && secrets.iter().all(|setting| is_secret(setting)), "{secrets:?}");
    }

    #[test]
    fn nothing_is_shown_of_an_invalid_value_that_may_be_a_secret() {
        let database = setting("database_url").unwrap();
        assert_eq!(mask(database, "mysql://root@host", false), "***");
        assert_eq!(mask(setting("log_level").unwrap(), "inof", false), "inof");
    }
}

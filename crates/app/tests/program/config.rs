//! Tests of `parlance config check` and `parlance config show`.

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt};

use serde_json::Value;

use crate::process::TestEnvironment;

const SECRET: &str = "hush-hush-hush-hush-hush-hush-hush-hush";

/// Runs a command that fails, and returns its exit code and its lines of errors without the name of the program.
fn errors(env: &TestEnvironment, arguments: &[&str]) -> (i32, Vec<String>) {
    let output = env.run(arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    let lines = text.lines().map(|line| line.strip_prefix("parlance: ").unwrap().to_owned()).collect();
    (output.status.code().unwrap(), lines)
}

/// The entries of `config show --json`, by the names of their settings.
fn shown(env: &TestEnvironment, arguments: &[&str]) -> BTreeMap<String, Value> {
    let text = env.run_ok(&[&["config", "show", "--json"], arguments].concat());
    let document: Value = serde_json::from_str(&text).unwrap();
    let settings = document["settings"].as_array().unwrap().clone();
    settings.into_iter().map(|setting| (setting["name"].as_str().unwrap().to_owned(), setting)).collect()
}

#[test]
fn valid_settings_are_one_line_and_nothing_is_created() {
    let env = TestEnvironment::new();
    assert_eq!(env.run_ok(&["config", "check"]), "All settings are valid.\n");
    assert_eq!(fs::read_dir(env.path()).unwrap().count(), 0);
}

#[test]
fn every_invalid_setting_is_one_line_with_its_source() {
    let env = TestEnvironment::new().with_variables([("PARLANCE_LOG_LEVEL", "inof"), ("PARLANCE_WORKERS", "0")]);
    fs::write(env.path().join("p.toml"), "\nlog_format = 'xml'\nlissen = 'x'\nmax_streams = [1]\n").unwrap();
    let arguments = ["config", "check", "--config", "p.toml", "--redis-url-file", "/nonexistent"];
    let (code, mut lines) = errors(&env, &arguments);
    lines.sort();
    assert_eq!(code, 2);
    assert_eq!(
        lines,
        [
            "lissen (from p.toml:3): is not a setting: did you mean listen?",
            "log_format (from p.toml:2): must be text or json",
            "log_level (from PARLANCE_LOG_LEVEL): must be error, warn, info or debug; did you mean info?",
            "max_streams (from p.toml:4): must not be a list: write several values as one text with commas, such as \
             \"jsonl,csv\"",
            "redis_url_file (from --redis-url-file): there is no such file: correct its path",
            "workers (from PARLANCE_WORKERS): must be a whole number of threads from 1 to 1024",
        ]
    );
}

#[test]
fn an_unusable_file_of_a_secret_is_reported_without_the_setting_that_it_leaves_unset() {
    let url = "https://speech.example/{tenant}";
    let env = TestEnvironment::new().with_variables([("PARLANCE_VOCABULARY_DELIVERY_URL", url)]);
    let (code, lines) = errors(&env, &["config", "check", "--vocabulary-delivery-secret-file", "/nonexistent"]);
    assert_eq!((code, lines.len()), (2, 1), "{lines:?}");
    assert!(lines[0].starts_with("vocabulary_delivery_secret_file (from --vocabulary"), "{lines:?}");
}

#[test]
fn the_files_of_tls_and_of_the_master_key_are_read() {
    let env = TestEnvironment::new();
    fs::write(env.path().join("master.key"), [7; 32]).unwrap();
    fs::set_permissions(env.path().join("master.key"), fs::Permissions::from_mode(0o644)).unwrap();
    let tls = ["--tls-certificate-file", "none.pem", "--tls-key-file", "none.pem"];
    let (code, lines) = errors(&env, &[&["config", "check", "--master-key-file", "master.key"], &tls[..]].concat());
    assert_eq!((code, lines.len()), (2, 2), "{lines:?}");
    assert!(lines[0].starts_with("tls_certificate_file: none.pem cannot be used: there is no such file"), "{lines:?}");
    assert!(lines[1].starts_with("master_key_file: master.key has mode 0644"), "{lines:?}");
}

#[test]
fn two_listeners_on_one_address_are_an_error() {
    let arguments = ["config", "check", "--listen", "0.0.0.0:8080", "--metrics-listen", "127.0.0.1:8080"];
    let (code, lines) = errors(&TestEnvironment::new(), &arguments);
    assert_eq!((code, lines), (2, vec!["metrics_listen: listen has the same address: choose another port".to_owned()]));
}

#[test]
fn a_setting_without_effect_is_a_warning() {
    let env = TestEnvironment::new().with_variables([
        ("PARLANCE_TRUSTED_PROXIES", "1"),
        ("PARLANCE_MAX_CONNECTIONS_PER_ADDRESS", "7"),
        ("PARLANCE_LISTENN", "127.0.0.1:1"),
        ("PARLANCE_REDIS_URL", ""),
    ]);
    let text = env.run_ok(&["config", "check"]);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "warning: PARLANCE_LISTENN is not a setting: did you mean PARLANCE_LISTEN?",
            "warning: max_connections_per_address (from PARLANCE_MAX_CONNECTIONS_PER_ADDRESS): has no effect: \
             trusted_proxies is set: every connection comes from a proxy",
            "All settings are valid; warnings: 2",
        ]
    );
}

#[test]
fn a_value_is_shown_with_its_source() {
    let env = TestEnvironment::new().with_variables([("PARLANCE_LOG_FORMAT", "json")]);
    fs::write(env.path().join("p.toml"), "max_streams = 7\n").unwrap();
    fs::write(env.path().join("redis"), "redis://cache:6379\n").unwrap();
    let arguments = ["--config", "p.toml", "--redis-url-file", "redis", "--log-level", "debug"];
    let text = env.run_ok(&[&["config", "show"], &arguments[..]].concat());
    let has = |name: &str, rest: &str| {
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
        assert_eq!(line.split_whitespace().skip(1).collect::<Vec<_>>().join(" "), rest);
    };
    has("log_level", "debug (flag --log-level)");
    has("log_format", "json (environment PARLANCE_LOG_FORMAT)");
    has("max_streams", "7 (file p.toml:1)");
    has("redis_url", "redis://cache:6379 (secret file redis)");
    has("header_prefix", "svc (default)");
    has("metrics_listen", "- (default)");
}

#[test]
fn only_settings_that_a_source_sets_are_changed() {
    let names: Vec<_> = shown(&TestEnvironment::new(), &["--changed", "--workers", "2"]).into_keys().collect();
    assert_eq!(names, ["database_url", "listen", "workers"]);
}

#[test]
fn an_invalid_setting_is_shown_as_invalid() {
    let env = TestEnvironment::new().with_variables([("PARLANCE_LOG_LEVEL", "inof")]);
    fs::write(env.path().join("p.toml"), "lissen = 1\n").unwrap();
    let text = env.run_ok(&["config", "show", "--config", "p.toml"]);
    let log_level = text.lines().find(|line| line.starts_with("log_level")).unwrap();
    assert!(log_level.contains("inof  INVALID: must be error, warn, info or debug; did you mean info?"), "{log_level}");
    assert!(text.contains("INVALID: is not a setting: did you mean listen?  (p.toml:1)"), "{text}");
    let json = shown(&env, &["--config", "p.toml"]);
    assert_eq!(json["log_level"]["invalid"], "must be error, warn, info or debug; did you mean info?");
    assert_eq!(json["log_level"]["source"]["name"], "PARLANCE_LOG_LEVEL");
}

/// Every text that `config` prints for one value of one setting, from each source of values.
fn outputs_for(setting: &str, value: &str) -> Vec<String> {
    let flag = format!("--{}", setting.replace('_', "-"));
    let variable = format!("PARLANCE_{}", setting.to_ascii_uppercase());
    let mut outputs = Vec::new();
    for command in [&["check"][..], &["show"], &["show", "--json"], &["show", "--changed"]] {
        let run = |env: &TestEnvironment, variable: Option<&str>, arguments: &[&str]| {
            let mut process = env.command(&[&["config"], command, arguments].concat());
            process.env_remove("PARLANCE_DATABASE_URL").envs(variable.map(|name| (name, value)));
            let output = process.output().unwrap();
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
        };
        let env = TestEnvironment::new();
        fs::write(env.path().join("p.toml"), format!("{setting} = '{value}'\n")).unwrap();
        fs::write(env.path().join("secret"), value).unwrap();
        outputs.push(run(&env, Some(&variable), &[]));
        outputs.push(run(&env, None, &[&flag, value]));
        outputs.push(run(&env, None, &["--config", "p.toml"]));
        outputs.push(run(&env, None, &[&format!("{flag}-file"), "secret"]));
    }
    outputs
}

#[test]
fn no_secret_of_any_setting_is_printed() {
    let secrets: Vec<_> =
        shown(&TestEnvironment::new(), &[]).into_values().filter(|setting| setting["secret"] == true).collect();
    assert!(secrets.len() >= 6, "{secrets:?}");
    for setting in secrets {
        let name = setting["name"].as_str().unwrap();
        for value in [
            SECRET.to_owned(),
            format!("redis://:{SECRET}@127.0.0.1:1"),
            format!("postgres://u:{SECRET}@127.0.0.1:1/p?password={SECRET}"),
            format!("https://{SECRET}:{SECRET}@127.0.0.1:1/{SECRET}?key={SECRET}"),
            format!("s3://{SECRET}:{SECRET}@bucket/x"),
            format!("sqlite:{SECRET}"),
        ] {
            for output in outputs_for(name, &value) {
                assert!(!output.is_empty() && !output.contains("hush-hush"), "{name}={value}: {output}");
            }
        }
    }
}

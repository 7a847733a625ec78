//! The check of webhooks: whether the master key opens their secrets.

use parlance_adapters_sql::Database;

use super::check_result::{
    CheckResult,
    CheckResult::{Failed, Passed, Warning},
    MAX_PRINTED_NAMES,
};
use crate::{
    keys::{KeyLocation, unopenable_webhooks},
    settings::Settings,
};

pub(super) async fn check_webhooks(database: &Database, settings: &Settings) -> CheckResult {
    // The check of the master key reports a file that cannot be read.
    let key = KeyLocation::from_settings(settings).load().ok().flatten();
    match unopenable_webhooks(database, key.as_ref()).await {
        Ok((closed, count)) if key.is_none() && !closed.is_empty() => Warning(format!(
            "no master key was read, so the secrets of the webhooks do not open: {} of {count}: see the check of master_key_file",
            closed.len()
        )),
        Ok((closed, count)) => judge(&closed, count),
        Err(error) => Failed(format!("{error:#}")),
    }
}

fn judge(closed: &[String], count: usize) -> CheckResult {
    if closed.is_empty() {
        return Passed(format!("the master key opens the secrets of all, webhooks: {count}"));
    }
    let names = closed.iter().take(MAX_PRINTED_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    Warning(format!(
        "the master key does not open the secrets of {} of {count}, which therefore get nothing: {names}: if another master key \
         was replaced, run `parlance audit sign --replace-key --previous-key FILE` with that key; if it is lost, POST \
         /configuration/v1/webhooks/{{webhookId}}/rotate-secret gives a new secret",
        closed.len()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn webhooks_whose_secret_does_not_open_are_named_with_the_two_ways_out() {
        let closed: Vec<_> = (0..12).map(|number| format!("acme/{number}")).collect();
        let Warning(text) = judge(&closed, 20) else { panic!("a warning") };
        assert!(text.starts_with("the master key does not open the secrets of 12 of 20, "), "{text}");
        assert!(
            text.contains(": acme/0, acme/1, ") && text.contains("acme/9: ") && !text.contains("acme/10"),
            "{text}"
        );
        assert!(text.contains("--previous-key FILE") && text.contains("/rotate-secret"), "{text}");
    }

    #[test]
    fn secrets_that_open_pass_with_the_number_of_webhooks() {
        assert!(matches!(judge(&[], 3), Passed(text) if text.ends_with("webhooks: 3")));
    }
}

//! `parlance config check`.

use anyhow::Context;
use parlance_adapters_webhook::Authorities;

use super::effects::{conflicting_addresses, settings_without_effect};
use crate::{
    commands::{ExitError, print},
    keys::KeyLocation,
    ledger_location::open_ledger,
    settings::{Settings, Sources, not_a_setting},
    tls::Certificate,
};

/// Checks all settings and the files that they name. Warns of settings without effect.
pub(super) fn run(sources: &Sources) -> anyhow::Result<()> {
    let settings = Settings::read(sources).map_err(|invalid| ExitError::invalid_settings(&invalid))?;
    let mut errors = conflicting_addresses(&settings);
    errors.extend(unusable_files(&settings));
    errors.extend(open_ledger(&settings).err().map(|error| format!("{error:#}")));
    if !errors.is_empty() {
        return Err(ExitError::invalid_settings(&errors).into());
    }
    let mut warnings = unknown_variables();
    warnings.extend(settings_without_effect(&settings, sources));
    let summary = match warnings.len() {
        0 => "All settings are valid.".to_owned(),
        count => format!("All settings are valid; warnings: {count}"),
    };
    let mut lines: Vec<_> = warnings.iter().map(|warning| format!("warning: {warning}")).collect();
    lines.push(summary);
    print(&format!("{}\n", lines.join("\n")))
}

/// The errors of the files of TLS, of the master key and of the authorities of webhooks. A master key that the first server creates may be missing.
fn unusable_files(settings: &Settings) -> Vec<String> {
    let certificate = settings.tls.as_ref().map_or(Ok(()), |files| Certificate::read(files).map(|_| ()));
    let master_key = KeyLocation::from_settings(settings).load().map(|_| ());
    let authorities = settings.webhooks.ca_file.as_deref().map_or(Ok(()), |file| {
        let read = Authorities::read(file).with_context(|| format!("webhook_ca_file: {}", file.display()));
        read.map(|_| ())
    });
    [certificate, master_key, authorities]
        .into_iter()
        .filter_map(Result::err)
        .map(|error| format!("{error:#}"))
        .collect()
}

/// A warning for each environment variable that begins like a setting and is none.
fn unknown_variables() -> Vec<String> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let unknown = Sources::unknown_variables(names).into_iter();
    unknown.map(|(name, suggestion)| format!("{name} {}", not_a_setting(suggestion.as_deref()))).collect()
}

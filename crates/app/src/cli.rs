//! The command line.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::ExitCode,
};

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::{
    commands::{
        Exit, audit, backup, compliance, credential, doctor, feed, migrate, openapi, print, redact, serve, vocabulary,
    },
    process_limits,
    settings::{
        SettingFlags, Settings, Sources, WrongSetting, reads_settings, settings_help, settings_table, with_flags,
    },
};

/// Stores contact-centre conversations, keeps sensitive data out of texts, and gives back whole transcripts.
#[derive(Debug, Parser)]
#[command(name = "parlance", version, arg_required_else_help = true, after_help = SETTINGS_HINT)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

const SETTINGS_HINT: &str = "\
`parlance help COMMAND` shows the settings that the command reads, `parlance help settings` shows all of them.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server
    Serve(serve::Options),
    /// Bring the database's schema up to date
    Migrate,
    /// Issue, list, rotate and revoke credentials
    #[command(subcommand)]
    Credential(credential::Action),
    /// Switch redaction entities that compliance controls, and print the record of every switch
    #[command(subcommand)]
    Compliance(compliance::Action),
    /// Print the audit log of credentials and redaction, verify that it is as it was written, and file its heads
    #[command(subcommand)]
    Audit(audit::Action),
    /// Copy the embedded database into a new file, also while a server uses it
    Backup(backup::Copy),
    /// Verify a copy, and put it where the embedded database is to be
    Restore(backup::Copy),
    /// Check settings, connections, schema, clock, permissions and disk, and say what to do
    Doctor(doctor::Options),
    /// Have vocabularies delivered to the transcription component again
    #[command(subcommand)]
    Vocabulary(vocabulary::Action),
    /// Write feeds by hand, and list what there is of them
    #[command(subcommand)]
    Feed(feed::Action),
    /// Mask sensitive data in the standard input
    Redact(redact::Options),
    /// Print the description of the HTTP interface (OpenAPI 3.1)
    Openapi,
    /// List every setting with its flag, variable, default and meaning
    Settings(SettingsOptions),
}

#[derive(Debug, Args)]
struct SettingsOptions {
    /// Print the table of docs/configuration.md
    #[arg(long, hide = true)]
    markdown: bool,
}

/// Reads the process's arguments and does what they say. Ends with 0 where all went well, 2 where the arguments or
/// settings are wrong, 3 where there is nothing to verify, and 1 where something else failed; what is wrong is one line on the standard error stream.
#[must_use]
pub fn run() -> ExitCode {
    process_limits::restrict();
    let (line, settings) = read_line();
    let settings = match settings {
        Ok(settings) => settings,
        Err(wrong) => {
            for setting in wrong {
                complain(&setting.to_string());
            }
            return ExitCode::from(2);
        }
    };
    match actix_web::rt::System::new().block_on(obey(line.command, &settings)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&one_line(&error));
            error.downcast_ref::<Exit>().map_or(ExitCode::FAILURE, |exit| ExitCode::from(exit.code))
        }
    }
}

/// The command line with each command's flags.
fn command() -> clap::Command {
    let command = Line::command().mut_subcommand("settings", |settings| settings.override_help(settings_help()));
    with_flags(command)
}

/// The long flags of every command by the command's path, such as `feed export`; that of the program is empty.
#[must_use]
pub fn commands() -> BTreeMap<String, BTreeSet<String>> {
    let mut commands = BTreeMap::new();
    list(&command(), "", &mut commands);
    commands
}

fn list(command: &clap::Command, path: &str, commands: &mut BTreeMap<String, BTreeSet<String>>) {
    let flags = command.get_arguments().filter_map(|flag| flag.get_long().map(str::to_owned));
    commands.insert(path.to_owned(), flags.collect());
    for below in command.get_subcommands() {
        list(below, format!("{path} {}", below.get_name()).trim_start(), commands);
    }
}

/// Reads the arguments, and the settings of their command. Ends the process where the arguments are wrong.
fn read_line() -> (Line, Result<Settings, Vec<WrongSetting>>) {
    let matches = command().get_matches();
    let (path, flags) = SettingFlags::of(&matches);
    let line = Line::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    (line, read_settings(&path, &flags))
}

fn read_settings(path: &str, flags: &SettingFlags) -> Result<Settings, Vec<WrongSetting>> {
    // A command without settings is not stopped by the environment of a server.
    let variable = |name: &str| std::env::var(name).ok().filter(|_| reads_settings(path));
    let config = flags.config.clone().or_else(|| variable("PARLANCE_CONFIG"));
    let sources = Sources::of_command(path, flags, variable, config.as_deref().map(Path::new));
    Settings::read(&sources.map_err(|wrong| vec![wrong])?)
}

async fn obey(command: Command, settings: &Settings) -> anyhow::Result<()> {
    match command {
        Command::Serve(options) => serve::run(&options, settings).await,
        Command::Migrate => migrate::run(settings).await,
        Command::Credential(action) => credential::run(action, settings).await,
        Command::Compliance(action) => compliance::run(action, settings).await,
        Command::Audit(action) => audit::run(action, settings).await,
        Command::Backup(copy) => backup::back_up(&copy, settings).await,
        Command::Restore(copy) => backup::restore(&copy, settings).await,
        Command::Doctor(options) => doctor::run(&options, settings).await,
        Command::Vocabulary(action) => vocabulary::run(action, settings).await,
        Command::Feed(action) => feed::run(action, settings).await,
        Command::Redact(options) => redact::run(&options),
        Command::Openapi => openapi::run(settings),
        Command::Settings(SettingsOptions { markdown }) => {
            print(&if markdown { settings_table() } else { settings_help() })
        }
    }
}

/// An error with its causes in one line. A cause that the text before it repeats is left out.
fn one_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain() {
        let words = cause.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        if line.contains(&words) {
            continue;
        }
        if !line.is_empty() {
            line.push_str(": ");
        }
        line.push_str(&words);
    }
    line
}

fn complain(line: &str) {
    use std::io::Write;
    // Where even the error stream is gone there is no one left to tell.
    let _ = writeln!(std::io::stderr(), "parlance: {line}");
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, anyhow};

    use super::*;

    #[test]
    fn a_cause_stands_once_in_the_line_of_an_error() {
        let error = Err::<(), _>(anyhow!("the disk\nis full")).context("write: the disk is full").context("feeds_url");
        assert_eq!(one_line(&error.unwrap_err()), "feeds_url: write: the disk is full");
    }
}

//! The command line.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::ExitCode,
};

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::{
    build_info,
    commands::{
        ExitError, audit, backup, completions, compliance, config, credential, doctor, feed, health, import, man,
        migrate, openapi, print, privacy, redact, serve, tenant, vocabulary,
    },
    process_limits,
    settings::{
        SettingFlags, Settings, Sources, reads_settings, settings_help, settings_table, with_flags, with_own_flags,
    },
};

/// Stores contact-centre conversations, masks sensitive data in their texts, and returns whole transcripts.
#[derive(Debug, Parser)]
#[command(
    name = "parlance",
    version,
    long_version = build_info::long_version(),
    arg_required_else_help = true,
    after_help = SETTINGS_HINT
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

const SETTINGS_HINT: &str = "\
`parlance help COMMAND` shows the settings that the command reads, `parlance help settings` shows all of them.";

#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    WithSettings(CommandWithSettings),
    /// Check the settings, or print them with their sources
    #[command(subcommand)]
    Config(config::Action),
}

/// The commands that need valid settings.
#[derive(Debug, Subcommand)]
enum CommandWithSettings {
    /// Run the server
    Serve(serve::Options),
    /// Update the database schema
    Migrate,
    /// Issue, list, rotate and revoke credentials
    #[command(subcommand)]
    Credential(credential::Action),
    /// Switch redaction entities that compliance controls, and print the record of every switch
    #[command(subcommand)]
    Compliance(compliance::Action),
    /// Print and verify the audit log of credentials and redaction, sign its heads, and write them to a file or bucket
    #[command(subcommand)]
    Audit(audit::Action),
    /// Erase a whole tenant
    #[command(subcommand)]
    Tenant(tenant::Action),
    /// Verify receipts of erasures, search all stored bytes for values, compact the database, and end invalid requests
    #[command(subcommand)]
    Privacy(privacy::Action),
    /// Copy the embedded database into a new file; a server may be running
    Backup(backup::Options),
    /// Verify a copy and restore it as the embedded database
    Restore(backup::Options),
    /// Check settings, connections, schema, clock, permissions and disk, and print how to correct problems
    Doctor(doctor::Options),
    /// Ask a running server on this machine whether it is ready; exit with 1 if it is not
    Health(health::Options),
    /// Queue vocabularies for redelivery to the transcription component
    #[command(subcommand)]
    Vocabulary(vocabulary::Action),
    /// Export feeds, and list the exported days
    #[command(subcommand)]
    Feed(feed::Action),
    /// Load conversations with their messages from JSON Lines or CSV files; a file that was imported before adds nothing
    Import(import::Options),
    /// Mask sensitive data in the standard input
    Redact(redact::Options),
    /// Print the OpenAPI 3.1 document of the HTTP interface
    Openapi,
    /// Print the completion script of a shell
    Completions(completions::Options),
    /// Print the manual page, or write the pages of all commands into a directory
    Man(man::Options),
    /// List every setting with its flag, variable, default and meaning
    Settings(SettingsOptions),
}

#[derive(Debug, Args)]
struct SettingsOptions {
    /// Print the table of docs/configuration.md
    #[arg(long, hide = true)]
    markdown: bool,
}

/// Parses the arguments of the process and runs the command. The exit code is 0 on success, 2 if the arguments or
/// settings are invalid, 3 if there is nothing to verify, and 1 after any other failure. A failure is one line on the
/// standard error stream, or one line for each invalid setting.
#[must_use]
pub fn run() -> ExitCode {
    process_limits::restrict();
    let (command_line, path, flags) = parse_arguments();
    let result = read_sources(&path, &flags).and_then(|sources| match command_line.command {
        Command::Config(action) => config::run(&action, &sources),
        Command::WithSettings(command) => {
            let settings = Settings::read(&sources).map_err(|invalid| ExitError::invalid_settings(&invalid))?;
            // The sources hold secrets, and dropping them overwrites these.
            drop(sources);
            actix_web::rt::System::new().block_on(execute(command, &settings))
        }
    });
    let Err(error) = result else { return ExitCode::SUCCESS };
    let Some(exit) = error.downcast_ref::<ExitError>() else {
        print_error(&one_line(&error));
        return ExitCode::FAILURE;
    };
    exit.message.lines().for_each(print_error);
    ExitCode::from(exit.code)
}

/// The definition of the command line, with the setting flags of each command.
fn command() -> clap::Command {
    with_flags(command_without_flags())
}

/// The definition of the command line with the flags that the help of each command shows.
fn documented_command() -> clap::Command {
    with_own_flags(command_without_flags())
}

fn command_without_flags() -> clap::Command {
    CommandLine::command().mut_subcommand("settings", |settings| settings.override_help(settings_help()))
}

/// The long flags of each command by the path of the command, such as `feed export`. The path of the program is empty.
#[must_use]
pub fn commands() -> BTreeMap<String, BTreeSet<String>> {
    let mut commands = BTreeMap::new();
    collect_flags(&command(), "", &mut commands);
    commands
}

fn collect_flags(command: &clap::Command, path: &str, commands: &mut BTreeMap<String, BTreeSet<String>>) {
    let flags = command.get_arguments().filter_map(|flag| flag.get_long().map(str::to_owned));
    commands.insert(path.to_owned(), flags.collect());
    for subcommand in command.get_subcommands() {
        collect_flags(subcommand, format!("{path} {}", subcommand.get_name()).trim_start(), commands);
    }
}

/// Parses the arguments, and returns the path of the command and the setting flags too. Exits the process if the arguments
/// are invalid.
fn parse_arguments() -> (CommandLine, String, SettingFlags) {
    let matches = command().get_matches();
    let (path, flags) = SettingFlags::from_matches(&matches);
    let command_line = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    (command_line, path, flags)
}

fn read_sources(path: &str, flags: &SettingFlags) -> anyhow::Result<Sources> {
    // A command without settings ignores the environment variables of a server.
    let variable = |name: &str| std::env::var(name).ok().filter(|_| reads_settings(path));
    let config = flags.config.clone().or_else(|| variable("PARLANCE_CONFIG"));
    let sources = Sources::for_command(path, flags, variable, config.as_deref().map(Path::new));
    sources.map_err(|invalid| ExitError::invalid_settings(&[invalid]).into())
}

async fn execute(command: CommandWithSettings, settings: &Settings) -> anyhow::Result<()> {
    match command {
        CommandWithSettings::Serve(options) => serve::run(&options, settings).await,
        CommandWithSettings::Migrate => migrate::run(settings).await,
        CommandWithSettings::Credential(action) => credential::run(action, settings).await,
        CommandWithSettings::Compliance(action) => compliance::run(action, settings).await,
        CommandWithSettings::Audit(action) => audit::run(action, settings).await,
        CommandWithSettings::Tenant(action) => tenant::run(action, settings).await,
        CommandWithSettings::Privacy(action) => privacy::run(action, settings).await,
        CommandWithSettings::Backup(copy) => backup::back_up(&copy, settings).await,
        CommandWithSettings::Restore(copy) => backup::restore(&copy, settings).await,
        CommandWithSettings::Doctor(options) => doctor::run(&options, settings).await,
        CommandWithSettings::Health(options) => health::run(&options, settings).await,
        CommandWithSettings::Vocabulary(action) => vocabulary::run(action, settings).await,
        CommandWithSettings::Feed(action) => feed::run(action, settings).await,
        CommandWithSettings::Import(options) => import::run(options, settings).await,
        CommandWithSettings::Redact(options) => redact::run(&options, settings).await,
        CommandWithSettings::Openapi => openapi::run(settings),
        CommandWithSettings::Completions(options) => completions::run(&options, documented_command()),
        CommandWithSettings::Man(options) => man::run(&options, documented_command()),
        CommandWithSettings::Settings(SettingsOptions { markdown }) => {
            print(&if markdown { settings_table() } else { settings_help() })
        }
    }
}

/// Formats an error and its causes as one line. A cause that the line already contains is left out.
fn one_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain() {
        let text = cause.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        if line.contains(&text) {
            continue;
        }
        if !line.is_empty() {
            line.push_str(": ");
        }
        line.push_str(&text);
    }
    line
}

fn print_error(line: &str) {
    use std::io::Write;
    // If the error stream is closed, the error cannot be reported.
    let _ = writeln!(std::io::stderr(), "parlance: {line}");
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, anyhow};

    use super::*;

    #[test]
    fn the_line_of_an_error_contains_each_cause_once() {
        let error = Err::<(), _>(anyhow!("the disk\nis full")).context("write: the disk is full").context("feeds_url");
        assert_eq!(one_line(&error.unwrap_err()), "feeds_url: write: the disk is full");
    }
}

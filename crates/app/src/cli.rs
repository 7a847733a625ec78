//! The command line.

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};

use crate::{
    commands::{
        Exit, audit, backup, compliance, credential, doctor, feed, migrate, openapi, redact, serve, vocabulary,
    },
    settings::{SettingFlags, Settings, Sources},
};

/// Stores contact-centre conversations, keeps sensitive data out of texts, and gives back whole transcripts.
#[derive(Debug, Parser)]
#[command(name = "parlance", version, arg_required_else_help = true)]
struct Line {
    #[command(subcommand)]
    command: Command,
    /// A TOML file of settings
    #[arg(long, global = true, value_name = "FILE", env = "PARLANCE_CONFIG")]
    config: Option<PathBuf>,
    #[command(flatten)]
    flags: SettingFlags,
}

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
    Doctor,
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
}

/// Reads the process's arguments and does what they say. Ends with 0 where all went well, 2 where the arguments or
/// settings are wrong, 3 where there is nothing to verify, and 1 where something else failed; what is wrong is one line on the standard error stream.
#[must_use]
pub fn run() -> ExitCode {
    let line = Line::parse();
    let variable = |name: &str| std::env::var(name).ok();
    let settings = Sources::new(&line.flags, variable, line.config.as_deref())
        .map_err(|wrong| vec![wrong])
        .and_then(|sources| Settings::read(&sources));
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
            complain(&format!("{error:#}").replace('\n', " "));
            error.downcast_ref::<Exit>().map_or(ExitCode::FAILURE, |exit| ExitCode::from(exit.code))
        }
    }
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
        Command::Doctor => doctor::run(settings).await,
        Command::Vocabulary(action) => vocabulary::run(action, settings).await,
        Command::Feed(action) => feed::run(action, settings).await,
        Command::Redact(options) => redact::run(&options),
        Command::Openapi => openapi::run(settings),
    }
}

fn complain(line: &str) {
    use std::io::Write;
    // Where even the error stream is gone there is no one left to tell.
    let _ = writeln!(std::io::stderr(), "parlance: {line}");
}

//! The settings as flags of the command line. Each command has the flags of the settings that it reads.

use std::collections::BTreeMap;

use clap::{Arg, ArgMatches, Command, ValueHint, builder::PossibleValuesParser, parser::ValueSource};

use super::{
    choices::choices,
    invalid_setting::InvalidSetting,
    table::{SETTINGS, Setting, setting},
    text,
};

const CONFIG: &str = "config";

/// The placeholder of a value that is the path of a file.
const FILE: &str = "FILE";

/// The settings that the command line sets, and the settings file that it names.
#[derive(Debug, Clone, Default)]
pub struct SettingFlags {
    pub(super) values: BTreeMap<String, String>,
    /// The value of `--config`.
    pub config: Option<String>,
}

impl SettingFlags {
    /// Returns the path of the command, such as `feed export`, and the flags of a command line. A flag after the
    /// command overrides the same flag before it.
    #[must_use]
    pub fn from_matches(matches: &ArgMatches) -> (String, Self) {
        let (mut path, mut flags, mut level) = (String::new(), Self::default(), matches);
        loop {
            flags.add(level);
            let Some((name, subcommand)) = level.subcommand() else { return (path, flags) };
            path = join(&path, name);
            level = subcommand;
        }
    }

    fn add(&mut self, matches: &ArgMatches) {
        for id in matches.ids().map(clap::Id::as_str) {
            let is_set = matches.value_source(id) == Some(ValueSource::CommandLine);
            if (id == CONFIG || setting(id).is_some()) && is_set {
                let Ok(Some(value)) = matches.try_get_one::<String>(id) else { continue };
                if id == CONFIG {
                    self.config = Some(value.clone());
                } else {
                    self.values.insert(id.to_owned(), value.clone());
                }
            }
        }
    }

    /// The errors for flags that the command of this path does not read.
    pub(super) fn unread_flag_errors(&self, path: &str) -> Vec<InvalidSetting> {
        let unread_settings = SETTINGS.iter().filter(|setting| !setting.is_read_by(path));
        let unread_settings = unread_settings.filter(|setting| self.values.contains_key(setting.name));
        unread_settings
            .map(|setting| InvalidSetting {
                name: setting.name.to_owned(),
                source_name: text::flag(setting.name),
                rule: format!("is not read by `parlance {path}`: leave it out"),
            })
            .collect()
    }
}

/// Whether the command of this path reads any setting.
#[must_use]
pub fn reads_settings(path: &str) -> bool {
    SETTINGS.iter().any(|setting| setting.is_read_by(path))
}

/// Adds to each command the flags of the settings that it reads. A command with subcommands also accepts the flags of
/// its subcommands, and only the help of the subcommands shows them.
#[must_use]
pub fn with_flags(command: Command) -> Command {
    add_flags(command, "", &|command, path| {
        let has_subcommands = command.has_subcommands();
        let settings_read = SETTINGS.iter().filter(|setting| setting.is_read_within(path));
        let flags: Vec<_> = settings_read.map(|setting| flag(setting).hide(has_subcommands)).collect();
        if flags.is_empty() { command } else { command.arg(config().hide(has_subcommands)).args(flags) }
    })
}

/// Adds to each command the flags that its help shows, each with the words that it accepts, for completions and manual
/// pages.
#[must_use]
pub fn with_own_flags(command: Command) -> Command {
    let with_choices = |setting: &'static Setting| match choices(setting) {
        Some(choices) => flag(setting).value_parser(PossibleValuesParser::new(choices)).hide_possible_values(true),
        None => flag(setting),
    };
    add_flags(command, "", &|command, path| {
        let settings_read = SETTINGS.iter().filter(|setting| setting.is_read_by(path));
        let flags: Vec<_> = settings_read.map(with_choices).collect();
        if flags.is_empty() || command.has_subcommands() { command } else { command.arg(config()).args(flags) }
    })
}

/// Applies `add` to the command and to all commands below it, each with its path.
fn add_flags(command: Command, path: &str, add: &impl Fn(Command, &str) -> Command) -> Command {
    let command = command.mut_subcommands(|subcommand| {
        let path = join(path, subcommand.get_name());
        add_flags(subcommand, &path, add)
    });
    add(command, path)
}

fn flag(setting: &'static Setting) -> Arg {
    let flag = text::flag(setting.name);
    let arg = Arg::new(setting.name).long(flag.trim_start_matches('-').to_owned()).value_name(setting.value);
    let hint = if setting.value == FILE { ValueHint::FilePath } else { ValueHint::Unknown };
    arg.help(text::help(setting)).help_heading(text::heading(setting.group)).value_hint(hint)
}

fn config() -> Arg {
    let help = "A TOML file of settings, by the names that `parlance help settings` lists\n[env: PARLANCE_CONFIG]";
    Arg::new(CONFIG).long(CONFIG).value_name(FILE).help(help).value_hint(ValueHint::FilePath)
}

fn join(path: &str, name: &str) -> String {
    format!("{path} {name}").trim_start().to_owned()
}

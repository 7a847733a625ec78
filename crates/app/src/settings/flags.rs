//! The settings as flags of the command line: each command takes those that it reads.

use std::collections::BTreeMap;

use clap::{Arg, ArgMatches, Command, parser::ValueSource};

use super::{
    WrongSetting,
    table::{SETTINGS, Setting, setting},
    text,
};

const CONFIG: &str = "config";

/// The settings that were given as flags, and the file of settings that was named.
#[derive(Debug, Clone, Default)]
pub struct SettingFlags {
    pub(super) values: BTreeMap<String, String>,
    /// The path after `--config`.
    pub config: Option<String>,
}

impl SettingFlags {
    /// The flags of a command line, with the path of its command, such as `feed export`. A flag after the command
    /// outweighs the same flag before it.
    #[must_use]
    pub fn of(matches: &ArgMatches) -> (String, Self) {
        let (mut path, mut flags, mut level) = (String::new(), Self::default(), matches);
        loop {
            flags.add(level);
            let Some((name, below)) = level.subcommand() else { return (path, flags) };
            path = join(&path, name);
            level = below;
        }
    }

    fn add(&mut self, matches: &ArgMatches) {
        for id in matches.ids().map(clap::Id::as_str) {
            let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
            if (id == CONFIG || setting(id).is_some()) && is_given {
                let Ok(Some(value)) = matches.try_get_one::<String>(id) else { continue };
                if id == CONFIG {
                    self.config = Some(value.clone());
                } else {
                    self.values.insert(id.to_owned(), value.clone());
                }
            }
        }
    }

    /// The flags that the command of this path does not read.
    pub(super) fn unread(&self, path: &str) -> Vec<WrongSetting> {
        let unread = SETTINGS.iter().filter(|setting| !setting.is_read_by(path));
        let unread = unread.filter(|setting| self.values.contains_key(setting.name));
        unread
            .map(|setting| WrongSetting {
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

/// Gives each command of a command line the flags of the settings that it reads. A command with commands below it takes
/// what those read, and leaves it to their help.
#[must_use]
pub fn with_flags(command: Command) -> Command {
    add_flags(command, "")
}

fn add_flags(command: Command, path: &str) -> Command {
    let command = command.mut_subcommands(|below| {
        let path = join(path, below.get_name());
        add_flags(below, &path)
    });
    let has_commands = command.has_subcommands();
    let read = SETTINGS.iter().filter(|setting| setting.is_read_within(path));
    let flags: Vec<_> = read.map(|setting| flag(setting).hide(has_commands)).collect();
    if flags.is_empty() { command } else { command.arg(config().hide(has_commands)).args(flags) }
}

fn flag(setting: &'static Setting) -> Arg {
    let flag = text::flag(setting.name);
    let arg = Arg::new(setting.name).long(flag.trim_start_matches('-').to_owned()).value_name(setting.value);
    arg.help(text::help(setting)).help_heading(text::heading(setting.group))
}

fn config() -> Arg {
    let help = "A TOML file of settings, by the names that `parlance help settings` lists\n[env: PARLANCE_CONFIG]";
    Arg::new(CONFIG).long(CONFIG).value_name("FILE").help(help)
}

fn join(path: &str, name: &str) -> String {
    format!("{path} {name}").trim_start().to_owned()
}

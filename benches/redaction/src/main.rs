//! Benchmark of the redaction engine: messages, in comparison with other crates for the same task, and hostile texts.
//!
//! ```text
//! cargo run --release -- [FOLDER] [--cut] [--held]
//! ```
//!
//! `FOLDER` contains JSON Lines files with a field `text`. The default is `sample.jsonl`. `--cut` splits texts of more
//! than 240 bytes into utterances of about 60 bytes. `--held` exits with an error if the engine is slower than its
//! minimum speeds, or if the time for a hostile text grows faster than the text.

mod hostile;
mod messages;
mod table;
mod targets;
mod timing;

use messages::Messages;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use targets::BenchTarget;
use timing::{HostileTiming, MessageTiming};

/// Minimum MB/s for `--held` with all entities active.
const MIN_SPEED_ALL: f64 = 50.0;

/// Minimum MB/s for `--held` with the default entities active.
const MIN_SPEED_DEFAULTS: f64 = 120.0;

/// Minimum MB/s for `--held` on each hostile text: a message of a megabyte is redacted within two seconds.
const MIN_SPEED_HOSTILE: f64 = 0.5;

/// Maximum growth for `--held` of the time for a hostile text of [`timing::GROWTH_FACTOR`] times the length.
const MAX_GROWTH: f64 = 6.0;

/// The command line options.
#[derive(Default)]
struct Options {
    folder: Option<PathBuf>,
    cut: bool,
    held: bool,
}

impl Options {
    fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let mut options = Self::default();
        for argument in arguments {
            match argument.as_str() {
                "--cut" => options.cut = true,
                "--held" => options.held = true,
                other if other.starts_with('-') => {
                    return Err(format!("unknown option {other}").into());
                }
                folder => options.folder = Some(folder.into()),
            }
        }
        Ok(options)
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let options = Options::parse(std::env::args().skip(1))?;
    let mut messages = match &options.folder {
        Some(folder) => Messages::from_folder(folder)?,
        None => Messages::sample()?,
    };
    if options.cut {
        messages = messages.split_long();
    }
    let mut out = io::stdout().lock();
    table::write_introduction(&messages, &mut out)?;
    let message_timings = timing::time_messages(&mut targets::all_targets(), messages.all())?;
    table::write_message_table(&message_timings, &mut out)?;
    let hostile_timings =
        timing::time_hostile_texts(&mut BenchTarget::engine_with_all_entities(), hostile::HOSTILE_TEXTS)?;
    table::write_hostile_table(&hostile_timings, &mut out)?;

    let failures = below_minimum_speed(&message_timings, &hostile_timings);
    if !options.held || failures.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    for failure in &failures {
        writeln!(out, "\nToo slow: {failure}")?;
    }
    Ok(ExitCode::FAILURE)
}

/// A message for each speed below its minimum and each growth above its maximum.
fn below_minimum_speed(message_timings: &[MessageTiming], hostile_timings: &[HostileTiming]) -> Vec<String> {
    let all = (targets::ENGINE_ALL_ENTITIES, MIN_SPEED_ALL);
    let defaults = (targets::ENGINE_DEFAULT_ENTITIES, MIN_SPEED_DEFAULTS);
    let messages = [all, defaults].into_iter().flat_map(|(name, min_speed)| {
        let rows = message_timings.iter().filter(move |row| row.name == name);
        rows.filter_map(move |row| row.speed.speed_failure(row.name, min_speed))
    });
    let slow = hostile_timings.iter().filter_map(|row| row.speed.speed_failure(row.name, MIN_SPEED_HOSTILE));
    let growing = hostile_timings.iter().filter(|row| row.growth.median() > MAX_GROWTH);
    let growing =
        growing.map(|row| format!("{}: {:.1} times the time, maximum {MAX_GROWTH}", row.name, row.growth.median()));
    messages.chain(slow).chain(growing).collect()
}

//! Times the redaction engine in calls the size of messages, beside other crates for the same task, and on texts made
//! to slow it down.
//!
//! ```text
//! cargo run --release -- [FOLDER] [--cut] [--held]
//! ```
//!
//! `FOLDER` holds JSON lines with a field `text`; without it, `sample.jsonl` is used. `--cut` cuts what is longer than
//! a message into utterances of about 60 bytes. `--held` fails where the engine is slower than it has to be.

mod hostile;
mod messages;
mod set_up;
mod table;
mod timing;

use messages::Messages;
use set_up::SetUp;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use timing::{OnHostile, OnMessages};

/// MB/s that `--held` asks for with every entity on.
const LEAST_WITH_ALL: f64 = 100.0;

/// MB/s that `--held` asks for with the default entities on.
const LEAST_WITH_DEFAULTS: f64 = 150.0;

/// MB/s that `--held` asks for on every hostile text.
const LEAST_ON_HOSTILE: f64 = 20.0;

#[derive(Default)]
struct Wish {
    folder: Option<PathBuf>,
    cut: bool,
    held: bool,
}

impl Wish {
    fn read(arguments: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let mut wish = Self::default();
        for argument in arguments {
            match argument.as_str() {
                "--cut" => wish.cut = true,
                "--held" => wish.held = true,
                other if other.starts_with('-') => {
                    return Err(format!("unknown option {other}").into());
                }
                folder => wish.folder = Some(folder.into()),
            }
        }
        Ok(wish)
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let wish = Wish::read(std::env::args().skip(1))?;
    let mut messages = match &wish.folder {
        Some(folder) => Messages::of_folder(folder)?,
        None => Messages::sample()?,
    };
    if wish.cut {
        messages = messages.cut();
    }
    let mut out = io::stdout().lock();
    table::introduce(&messages, &mut out)?;
    let on_messages = timing::on_messages(&mut set_up::every(), messages.all())?;
    table::of_messages(&on_messages, &mut out)?;
    let on_hostile = timing::on_hostile(&mut SetUp::engine_with_all(), hostile::TEXTS)?;
    table::of_hostile(&on_hostile, &mut out)?;

    let slow = too_slow(&on_messages, &on_hostile);
    if !wish.held || slow.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    for complaint in &slow {
        writeln!(out, "\nToo slow: {complaint}")?;
    }
    Ok(ExitCode::FAILURE)
}

/// A sentence for each number below what is asked for.
fn too_slow(on_messages: &[OnMessages], on_hostile: &[OnHostile]) -> Vec<String> {
    let with_all = (set_up::ALL, LEAST_WITH_ALL);
    let with_defaults = (set_up::DEFAULTS, LEAST_WITH_DEFAULTS);
    let messages = [with_all, with_defaults].into_iter().flat_map(|floor| {
        let of_floor = on_messages.iter().filter(move |row| row.name == floor.0);
        of_floor.filter_map(move |row| row.speed.slower_than(row.name, floor.1))
    });
    let hostile = on_hostile.iter();
    let hostile = hostile.filter_map(|row| row.speed.slower_than(row.name, LEAST_ON_HOSTILE));
    messages.chain(hostile).collect()
}

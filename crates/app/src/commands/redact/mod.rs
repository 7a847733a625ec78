//! `parlance redact`: masks the standard input to the standard output.

mod json_lines;
mod plain;

use std::io::{self, BufReader, BufWriter, Read, Write};

use anyhow::bail;
use clap::Args;
use parlance_domain::redaction::{Entity, EntitySet};

const BUFFER_BYTES: usize = 64 * 1024;

/// What to mask, and in what form.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Mask this entity instead of the default ones; may be given more than once
    #[arg(long = "entity", value_name = "LABEL", value_parser = read_label)]
    entities: Vec<Entity>,
    /// Mask every entity of the catalogue
    #[arg(long, conflicts_with = "entities")]
    all: bool,
    /// With --all, do not mask this entity; may be given more than once
    #[arg(long = "except", value_name = "LABEL", value_parser = read_label, requires = "all")]
    exceptions: Vec<Entity>,
    /// Read JSON lines {"text", "context"?, "entities"?} and write JSON lines {"text", "spans"}
    #[arg(long)]
    jsonl: bool,
}

fn read_label(label: &str) -> Result<Entity, &'static str> {
    Entity::from_label(label).ok_or("is no entity of the catalogue: docs/redaction-entities.md lists them")
}

impl Options {
    fn active(&self) -> EntitySet {
        if self.all {
            return EntitySet::all().iter().filter(|entity| !self.exceptions.contains(entity)).collect();
        }
        if self.entities.is_empty() { EntitySet::defaults() } else { self.entities.iter().copied().collect() }
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let input = BufReader::with_capacity(BUFFER_BYTES, io::stdin().lock());
    let mut output = BufWriter::with_capacity(BUFFER_BYTES, io::stdout().lock());
    let masked = mask(options, input, &mut output).and_then(|()| Ok(output.flush()?));
    match masked {
        // Whoever reads the output has seen enough.
        Err(Stopped::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(Stopped::Io(error)) => bail!("the input cannot be read or the output not written: {error}"),
        Err(Stopped::Line { number, wrong }) => {
            output.flush()?;
            bail!("line {number}: {wrong}")
        }
        Ok(()) => Ok(()),
    }
}

fn mask<R: Read>(options: &Options, input: BufReader<R>, output: &mut impl Write) -> Result<(), Stopped> {
    let active = options.active();
    if options.jsonl { json_lines::mask(input, output, active) } else { Ok(plain::mask(input, output, active)?) }
}

/// Why masking stopped before the end of its input.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line cannot be read. Nothing of it is repeated: it may be what is to be masked.
    #[error("line {number}: {wrong}")]
    Line { number: u64, wrong: String },
}

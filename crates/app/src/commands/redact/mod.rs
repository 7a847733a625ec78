//! `parlance redact`: masks the standard input and writes it to the standard output.

mod json_lines;
mod mask_error;
mod plain;

use std::io::{self, BufReader, BufWriter, Read, Write};

use anyhow::bail;
use clap::Args;
use parlance_domain::redaction::{Entity, EntitySet};

use self::mask_error::MaskError;

const BUFFER_BYTES: usize = 64 * 1024;

/// The entities to mask, and the format.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Mask this entity instead of the default entities; can be repeated
    #[arg(long = "entity", value_name = "LABEL", value_parser = read_label)]
    entities: Vec<Entity>,
    /// Mask every entity of the catalogue
    #[arg(long, conflicts_with = "entities")]
    all: bool,
    /// With --all, do not mask this entity; can be repeated
    #[arg(long = "except", value_name = "LABEL", value_parser = read_label, requires = "all")]
    exceptions: Vec<Entity>,
    /// Read JSON lines {"text", "context"?, "entities"?} and write JSON lines {"text", "spans"}
    #[arg(long)]
    jsonl: bool,
}

fn read_label(label: &str) -> Result<Entity, &'static str> {
    Entity::from_label(label).ok_or("is not an entity of the catalogue: docs/redaction-entities.md lists all entities")
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
    let result = mask(options, input, &mut output).and_then(|()| Ok(output.flush()?));
    match result {
        // The reader of the output has closed it.
        Err(MaskError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(MaskError::Io(error)) => bail!("failed to read the input or to write the output: {error}"),
        Err(MaskError::InvalidLine { number, wrong }) => {
            output.flush()?;
            bail!("line {number}: {wrong}")
        }
        Ok(()) => Ok(()),
    }
}

fn mask<R: Read>(options: &Options, input: BufReader<R>, output: &mut impl Write) -> Result<(), MaskError> {
    let active = options.active();
    if options.jsonl { json_lines::mask(input, output, active) } else { Ok(plain::mask(input, output, active)?) }
}

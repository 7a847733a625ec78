//! `parlance redact`: masks the standard input and writes it to the standard output.

mod json_lines;
mod line_groups;
mod mask_error;
mod plain;
mod report;

use std::{
    fs,
    io::{self, BufReader, BufWriter, Read, Write},
    path::PathBuf,
};

use anyhow::{Context, bail};
use clap::Args;
use parlance_domain::{
    access::TenantId,
    redaction::{Entity, EntitySet},
};

use self::{mask_error::MaskError, report::Report};
use super::{choice, database_error};
use crate::{settings::Settings, wiring::Stores};

const BUFFER_BYTES: usize = 64 * 1024;

/// The entities to mask, and the format.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Mask this entity instead of the default entities; can be repeated
    #[arg(long = "entity", value_name = "LABEL", value_parser = choice::entity(), hide_possible_values = true)]
    entities: Vec<Entity>,
    /// Mask every entity of the catalogue
    #[arg(long, conflicts_with = "entities")]
    all: bool,
    /// With --all, do not mask this entity; can be repeated
    #[arg(long = "except", value_name = "LABEL", value_parser = choice::entity(), hide_possible_values = true, requires = "all")]
    exceptions: Vec<Entity>,
    /// Read JSON lines {"text", "context"?, "entities"?} and write JSON lines {"text", "spans"}
    #[arg(long)]
    jsonl: bool,
    /// Mask the entities that are active for this tenant in the configured database
    #[arg(long, value_parser = TenantId::parse, conflicts_with_all = ["entities", "all"])]
    tenant: Option<TenantId>,
    /// Write to this file, as JSON, how many lines and values of each entity were masked
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

impl Options {
    async fn active(&self, settings: &Settings) -> anyhow::Result<EntitySet> {
        let Some(tenant) = &self.tenant else { return Ok(self.named()) };
        let stores = Stores::open(settings, false).await?;
        stores.ensure_tenant_exists(tenant).await?;
        let active = stores.active_entities(tenant).await.map_err(database_error)?;
        stores.database.close().await?;
        Ok(active)
    }

    /// The entities that the flags name.
    fn named(&self) -> EntitySet {
        if self.all {
            return EntitySet::all().iter().filter(|entity| !self.exceptions.contains(entity)).collect();
        }
        if self.entities.is_empty() { EntitySet::defaults() } else { self.entities.iter().copied().collect() }
    }
}

pub(crate) async fn run(options: &Options, settings: &Settings) -> anyhow::Result<()> {
    let active = options.active(settings).await?;
    let mut report = Report::default();
    mask_standard_input(options, active, &mut report)?;
    let Some(path) = &options.report else { return Ok(()) };
    fs::write(path, report.to_json()?).with_context(|| format!("--report: failed to write {}", path.display()))
}

fn mask_standard_input(options: &Options, active: EntitySet, report: &mut Report) -> anyhow::Result<()> {
    let input = BufReader::with_capacity(BUFFER_BYTES, io::stdin().lock());
    let mut output = BufWriter::with_capacity(BUFFER_BYTES, io::stdout().lock());
    let result = mask(options, input, &mut output, active, report).and_then(|()| Ok(output.flush()?));
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

fn mask<R: Read>(
    options: &Options,
    input: BufReader<R>,
    output: &mut impl Write,
    active: EntitySet,
    report: &mut Report,
) -> Result<(), MaskError> {
    if options.jsonl {
        json_lines::mask(input, output, active, report)
    } else {
        Ok(plain::mask(input, output, active, report)?)
    }
}

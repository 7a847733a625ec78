//! `parlance audit log|verify`.

use std::fmt::Write;

use anyhow::{anyhow, bail};
use clap::{Args, Subcommand};
use parlance_domain::{
    access::TenantId,
    audit::{Entry, Head, Record, Verdict},
};
use serde_json::{Value, json};

use super::{in_words, print};
use crate::{service::Stores, settings::Settings};

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Print every record of a tenant's audit log, the oldest first
    Log(Log),
    /// Verify that the audit log is as it was written, and print the head of each chain to be filed elsewhere
    Verify(Verify),
}

#[derive(Debug, Args)]
pub(crate) struct Log {
    /// The tenant whose records to print
    #[arg(long, value_parser = TenantId::parse)]
    tenant: TenantId,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Verify this tenant's only
    #[arg(long, value_parser = TenantId::parse)]
    tenant: Option<TenantId>,
    /// A head that was printed before, which the chain must still hold
    #[arg(long, value_name = "NUMBER:HASH", value_parser = Head::parse, requires = "tenant")]
    head: Option<Head>,
}

pub(crate) async fn run(action: Action, settings: &Settings) -> anyhow::Result<()> {
    match action {
        Action::Log(log) => log.run(settings).await,
        Action::Verify(verify) => verify.run(settings).await,
    }
}

impl Log {
    async fn run(self, settings: &Settings) -> anyhow::Result<()> {
        let stores = Stores::open(settings, true).await?;
        let records = stores.audit.log(&self.tenant).await.map_err(in_words)?;
        stores.database.close().await?;
        if self.json {
            let list: Vec<_> = records.iter().map(record_json).collect();
            return print(&format!("{}\n", Value::from(list)));
        }
        let mut text = String::new();
        for Record { sequence, entry: Entry { at, action, subject, details }, .. } in &records {
            let line = format!("{sequence}  {at}  {}  {subject}  {details}", action.as_str());
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{}", line.trim_end());
        }
        print(&text)
    }
}

fn record_json(record: &Record) -> Value {
    let Record { sequence, entry, .. } = record;
    let head = Head { sequence: *sequence, hash: record.hash }.to_string();
    json!({
        "sequence": sequence,
        "at": entry.at.to_string(),
        "action": entry.action.as_str(),
        "subject": entry.subject,
        "details": entry.details,
        "head": head,
    })
}

impl Verify {
    async fn run(self, settings: &Settings) -> anyhow::Result<()> {
        let stores = Stores::open(settings, true).await?;
        let verdicts = match self.tenant {
            Some(tenant) => {
                let verdict = stores.audit.verify(&tenant, self.head).await.map_err(in_words)?;
                vec![(tenant, verdict)]
            }
            None => stores.audit.verify_all().await.map_err(in_words)?,
        };
        stores.database.close().await?;
        report(&verdicts)
    }
}

/// Prints each chain that holds, and fails where one does not.
fn report(verdicts: &[(TenantId, Verdict)]) -> anyhow::Result<()> {
    print(&summary(verdicts)?)
}

/// A line for each chain that holds.
pub(super) fn summary(verdicts: &[(TenantId, Verdict)]) -> anyhow::Result<String> {
    let mut broken = Vec::new();
    let mut text = String::new();
    for (tenant, verdict) in verdicts {
        match verdict {
            Ok(head) => {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "{tenant}  {head}");
            }
            Err(found) => broken.push(anyhow!("{tenant}, record {}: {}", found.sequence, found.fault).to_string()),
        }
    }
    if broken.is_empty() {
        return Ok(text);
    }
    bail!("the audit log is not as it was written: {}", broken.join("; "))
}

//! `parlance audit log`.

use std::fmt::Write;

use clap::Args;
use parlance_domain::{
    access::TenantId,
    audit::{AuditEntry, AuditRecord},
    quoting::EscapedText,
};
use serde_json::{Value, json};

use super::period::PeriodOptions;
use crate::{
    commands::{database_error, print},
    settings::Settings,
    wiring::Stores,
};

#[derive(Debug, Args)]
pub(crate) struct Log {
    /// The tenant whose records to print
    #[arg(long, value_parser = TenantId::parse)]
    tenant: TenantId,
    #[command(flatten)]
    dates: PeriodOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Log {
    /// Prints page by page, so that the memory does not depend on the length of the log.
    pub(super) async fn run(self, settings: &Settings) -> anyhow::Result<()> {
        let stores = Stores::open(settings, true).await?;
        stores.ensure_tenant_exists(&self.tenant).await?;
        let period = self.dates.period();
        let (mut after, mut is_first) = (0, true);
        loop {
            let page = stores.audit.page(&self.tenant, after).await.map_err(database_error)?;
            let Some(last) = page.last() else { break };
            after = last.sequence;
            let mut text = String::new();
            for record in page.iter().filter(|record| period.contains(record.entry.at)) {
                if self.json {
                    text.push(if is_first { '[' } else { ',' });
                    text.push_str(&json(record).to_string());
                } else {
                    text.push_str(&line(record));
                }
                is_first = false;
            }
            print(&text)?;
        }
        stores.database.close().await?;
        match (self.json, is_first) {
            (true, true) => print("[]\n"),
            (true, false) => print("]\n"),
            (false, _) => Ok(()),
        }
    }
}

/// Formats a record as one line. No text of the record can end the line or imitate other text.
fn line(AuditRecord { sequence, entry: AuditEntry { at, action, subject, details }, .. }: &AuditRecord) -> String {
    let (action, subject, details) = (EscapedText(action.as_str()), EscapedText(subject), EscapedText(details));
    let mut line = String::new();
    // Writing to a String cannot fail.
    let _ = write!(line, "{sequence}  {at}  {action}  {subject}  {details}");
    format!("{}\n", line.trim_end())
}

fn json(record: &AuditRecord) -> Value {
    let AuditRecord { sequence, entry, .. } = record;
    json!({
        "sequence": sequence,
        "at": entry.at.to_string(),
        "action": entry.action.as_str(),
        "subject": entry.subject,
        "details": entry.details,
        "head": record.head().to_string(),
    })
}

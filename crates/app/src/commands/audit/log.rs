//! `parlance audit log`.

use std::fmt::Write;

use clap::Args;
use parlance_domain::{
    access::TenantId,
    audit::{Entry, Record},
    quoting::Visible,
};
use serde_json::{Value, json};

use super::period::Dates;
use crate::{
    commands::{in_words, print},
    service::Stores,
    settings::Settings,
};

#[derive(Debug, Args)]
pub(crate) struct Log {
    /// The tenant whose records to print
    #[arg(long, value_parser = TenantId::parse)]
    tenant: TenantId,
    #[command(flatten)]
    dates: Dates,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Log {
    /// Prints page by page, so that a log of any length is printed in little memory.
    pub(super) async fn run(self, settings: &Settings) -> anyhow::Result<()> {
        let stores = Stores::open(settings, true).await?;
        stores.refuse_unknown_tenant(&self.tenant).await?;
        let period = self.dates.period();
        let (mut after, mut is_first) = (0, true);
        loop {
            let page = stores.audit.page(&self.tenant, after).await.map_err(in_words)?;
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

/// A line that no text in a record can end, nor be read another way than it is written.
fn line(Record { sequence, entry: Entry { at, action, subject, details }, .. }: &Record) -> String {
    let (action, subject, details) = (Visible(action.as_str()), Visible(subject), Visible(details));
    let mut line = String::new();
    // Writing to a String cannot fail.
    let _ = write!(line, "{sequence}  {at}  {action}  {subject}  {details}");
    format!("{}\n", line.trim_end())
}

fn json(record: &Record) -> Value {
    let Record { sequence, entry, .. } = record;
    json!({
        "sequence": sequence,
        "at": entry.at.to_string(),
        "action": entry.action.as_str(),
        "subject": entry.subject,
        "details": entry.details,
        "head": record.head().to_string(),
    })
}

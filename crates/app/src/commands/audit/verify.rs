//! `parlance audit verify`.

use std::fmt::Write;

use anyhow::{Context, bail};
use clap::Args;
use parlance_domain::{
    access::TenantId,
    audit::{Head, Scope, Signed, Verification},
    quoting::Visible,
    time::Timestamp,
};
use serde_json::{Value, json};

use super::{anchors::Location, period::Dates};
use crate::{
    commands::{Exit, in_words, print},
    keys::KeyPlace,
    service::Stores,
    settings::Settings,
};

/// Ends a verification that found nothing to verify.
const NOTHING_TO_VERIFY: u8 = 3;

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Verify this tenant's only
    #[arg(long, value_parser = TenantId::parse)]
    tenant: Option<TenantId>,
    /// A head that was printed before, which the chain must still hold
    #[arg(long, value_name = "NUMBER:HASH", value_parser = Head::parse, requires = "tenant")]
    head: Option<Head>,
    /// What `audit anchor` wrote before, which the chains must still hold: a file, or an address such as `s3://bucket/name`
    #[arg(long, value_name = "FILE|URL", value_parser = Location::parse)]
    anchor: Option<Location>,
    #[command(flatten)]
    dates: Dates,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(super) async fn run(self, settings: &Settings) -> anyhow::Result<()> {
        let stores = Stores::open(settings, true).await?;
        if let Some(tenant) = &self.tenant
            && self.anchor.is_none()
        {
            stores.refuse_unknown_tenant(tenant).await?;
        }
        if settings.master_key_file.is_some() && stores.audit.key().is_none() {
            bail!("master_key_file: there is no such file: put the key there, or correct its path");
        }
        let scope = self.scope(&stores).await?;
        let found = stores.audit.verify(&scope).await.map_err(in_words)?;
        stores.database.close().await?;
        let report = Report { found: &found, dates: self.dates, is_anchored: self.anchor.is_some() };
        print(&if self.json { format!("{}\n", report.json()) } else { report.text() })?;
        refuse_broken(&found)?;
        if report.records() == 0 {
            let line = "there is nothing to verify: the audit log has no record".to_owned();
            return Err(Exit { code: NOTHING_TO_VERIFY, line }.into());
        }
        if let Some(note) = report.note_on_signatures(&KeyPlace::of(settings))
            && !self.json
        {
            print(&format!("{note}\n"))?;
        }
        Ok(())
    }

    async fn scope(&self, stores: &Stores) -> anyhow::Result<Scope> {
        let mut filed = match &self.anchor {
            None => std::collections::BTreeMap::new(),
            Some(_) if stores.audit.key().is_none() => {
                bail!("--anchor: its signatures cannot be checked: set master_key_file")
            }
            Some(anchor) => anchor.read(&stores.audit).await.context("--anchor")?,
        };
        if let Some((tenant, head)) = self.tenant.clone().zip(self.head) {
            filed.entry(tenant).or_default().push(head);
        }
        Ok(Scope { tenant: self.tenant.clone(), period: self.dates.period(), filed })
    }
}

/// What was found, to be printed.
struct Report<'found> {
    found: &'found [Verification],
    dates: Dates,
    is_anchored: bool,
}

impl Report<'_> {
    fn records(&self) -> u64 {
        self.found.iter().map(|found| found.head.sequence).sum()
    }

    fn in_period(&self) -> u64 {
        self.found.iter().map(|found| found.in_period).sum()
    }

    fn is_intact(&self) -> bool {
        self.found.iter().all(Verification::is_intact)
    }

    fn result(&self) -> &'static str {
        match (self.is_intact(), self.records()) {
            (false, _) => "broken",
            (true, 0) => "nothing to verify",
            (true, _) => "intact",
        }
    }

    fn last_at(&self) -> Option<Timestamp> {
        self.found.iter().filter_map(|found| found.last_at).max()
    }

    fn text(&self) -> String {
        let mut text = summary(self.found);
        let (Some(last_at), true) = (self.last_at(), self.is_intact()) else { return text };
        let (tenants, records) = (self.found.len(), self.records());
        let anchored = if self.is_anchored { "as in the anchor" } else { "no anchor given" };
        let unanchored = self.unanchored();
        // Writing to a String cannot fail.
        let _ = write!(text, "intact up to {last_at}, {anchored}; tenants: {tenants}, records: {records}");
        if self.dates.is_given() {
            let _ = write!(text, ", in the time asked for: {}", self.in_period());
        }
        if !unanchored.is_empty() {
            let _ = write!(text, "; the anchor has nothing of: {}", unanchored.join(", "));
        }
        text.push('\n');
        text
    }

    /// The tenants that an anchor was given for and does not name.
    fn unanchored(&self) -> Vec<&str> {
        let unnamed = |found: &&Verification| self.is_anchored && found.head.sequence > 0 && found.anchored.is_none();
        self.found.iter().filter(unnamed).map(|found| found.tenant.as_str()).collect()
    }

    fn json(&self) -> Value {
        let tenants: Vec<_> = self.found.iter().map(tenant_json).collect();
        json!({
            "result": self.result(),
            "records": self.records(),
            "recordsInPeriod": self.in_period(),
            "intactUpTo": self.last_at().filter(|_| self.is_intact()).map(|at| at.to_string()),
            "anchor": self.is_anchored,
            "unanchored": self.unanchored(),
            "tenants": tenants,
        })
    }

    fn note_on_signatures(&self, place: &KeyPlace) -> Option<String> {
        let signed = |found: &&Verification| found.head.sequence > 0 && found.signed != Signed::Checked;
        match self.found.iter().find(signed)?.signed {
            Signed::Checked => None,
            Signed::Unsigned if place.may_be_made() => {
                Some("heads are not signed: the first `parlance serve` makes the key and signs them".to_owned())
            }
            Signed::Unsigned => Some("heads are not signed: set master_key_file".to_owned()),
            Signed::Unchecked(key) => {
                Some(format!("the signatures of heads, by the key {key}, are not checked: {}", place.advice()))
            }
        }
    }
}

fn tenant_json(found: &Verification) -> Value {
    let (signature, key) = match found.signed {
        Signed::Checked => ("checked", None),
        Signed::Unsigned => ("none", None),
        Signed::Unchecked(key) => ("unchecked", Some(key.to_string())),
    };
    let findings: Vec<_> = found.findings.iter().map(ToString::to_string).collect();
    json!({
        "tenant": found.tenant.as_str(),
        "result": if found.is_intact() { "intact" } else { "broken" },
        "records": found.head.sequence,
        "recordsInPeriod": found.in_period,
        "head": found.head.to_string(),
        "lastAt": found.last_at.map(|at| at.to_string()),
        "anchoredUpTo": found.anchored,
        "signature": signature,
        "key": key,
        "findings": findings,
    })
}

/// A line for each chain that holds.
pub(in crate::commands) fn summary(found: &[Verification]) -> String {
    let intact = found.iter().filter(|found| found.is_intact());
    intact.fold(String::new(), |mut text, Verification { tenant, head, .. }| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{tenant}  {head}  intact, records: {}", head.sequence);
        text
    })
}

/// Refuses chains that are not as they were written.
pub(in crate::commands) fn refuse_broken(found: &[Verification]) -> anyhow::Result<()> {
    let broken = found.iter().flat_map(|found| found.findings.iter().map(move |finding| (&found.tenant, finding)));
    let said: Vec<_> = broken.map(|(tenant, finding)| format!("{tenant}, {finding}")).collect();
    if said.is_empty() {
        return Ok(());
    }
    bail!("the audit log is not as it was written: {}", Visible(&said.join("; ")))
}

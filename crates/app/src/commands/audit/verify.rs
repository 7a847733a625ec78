//! `parlance audit verify`.

use std::fmt::Write;

use anyhow::{Context, bail};
use clap::Args;
use parlance_domain::{
    access::TenantId,
    audit::{ChainHead, SignatureCheck, Verification, VerificationScope},
    quoting::EscapedText,
    time::Timestamp,
};
use serde_json::{Value, json};

use super::{anchors::AnchorLocation, period::PeriodOptions};
use crate::{
    commands::{ExitError, database_error, print},
    keys::KeyLocation,
    settings::Settings,
    wiring::Stores,
};

/// The exit code if there is nothing to verify.
const NOTHING_TO_VERIFY: u8 = 3;

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Verify only the chain of this tenant
    #[arg(long, value_parser = TenantId::parse)]
    tenant: Option<TenantId>,
    /// An earlier printed head that the chain must still contain
    #[arg(long, value_name = "NUMBER:HASH", value_parser = ChainHead::parse, requires = "tenant")]
    head: Option<ChainHead>,
    /// Earlier output of `audit anchor` that the chains must still contain: a file, or an address such as
    /// `s3://bucket/name`
    #[arg(long, value_name = "FILE|URL", value_parser = AnchorLocation::parse)]
    anchor: Option<AnchorLocation>,
    #[command(flatten)]
    dates: PeriodOptions,
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
            stores.ensure_tenant_exists(tenant).await?;
        }
        if settings.master_key_file.is_some() && stores.audit.key().is_none() {
            bail!("master_key_file: there is no such file: put the key there, or correct its path");
        }
        let scope = self.scope(&stores).await?;
        let verifications = stores.audit.verify(&scope).await.map_err(database_error)?;
        stores.database.close().await?;
        let report = Report { verifications: &verifications, dates: self.dates, is_anchored: self.anchor.is_some() };
        print(&if self.json { format!("{}\n", report.json()) } else { report.text() })?;
        ensure_intact(&verifications)?;
        if report.records() == 0 {
            let message = "there is nothing to verify: the audit log has no record".to_owned();
            return Err(ExitError { code: NOTHING_TO_VERIFY, message }.into());
        }
        if let Some(note) = report.note_on_signatures(&KeyLocation::from_settings(settings))
            && !self.json
        {
            print(&format!("{note}\n"))?;
        }
        Ok(())
    }

    async fn scope(&self, stores: &Stores) -> anyhow::Result<VerificationScope> {
        let mut expected_heads = match &self.anchor {
            None => std::collections::BTreeMap::new(),
            Some(_) if stores.audit.key().is_none() => {
                bail!("--anchor: the signatures cannot be checked without a key: set master_key_file")
            }
            Some(anchor) => anchor.read(&stores.audit).await.context("--anchor")?,
        };
        if let Some((tenant, head)) = self.tenant.clone().zip(self.head) {
            expected_heads.entry(tenant).or_default().push(head);
        }
        Ok(VerificationScope { tenant: self.tenant.clone(), period: self.dates.period(), expected_heads })
    }
}

/// The printed result of a verification.
struct Report<'a> {
    verifications: &'a [Verification],
    dates: PeriodOptions,
    is_anchored: bool,
}

impl Report<'_> {
    fn records(&self) -> u64 {
        self.verifications.iter().map(|verification| verification.head.sequence).sum()
    }

    fn in_period(&self) -> u64 {
        self.verifications.iter().map(|verification| verification.records_in_period).sum()
    }

    fn is_intact(&self) -> bool {
        self.verifications.iter().all(Verification::is_intact)
    }

    fn result(&self) -> &'static str {
        match (self.is_intact(), self.records()) {
            (false, _) => "broken",
            (true, 0) => "nothing to verify",
            (true, _) => "intact",
        }
    }

    fn last_at(&self) -> Option<Timestamp> {
        self.verifications.iter().filter_map(|verification| verification.last_record_at).max()
    }

    fn text(&self) -> String {
        let mut text = summary(self.verifications);
        let (Some(last_at), true) = (self.last_at(), self.is_intact()) else { return text };
        let (tenants, records) = (self.verifications.len(), self.records());
        let anchored = if self.is_anchored { "matches the anchor" } else { "no anchor given" };
        let unanchored = self.unanchored();
        // Writing to a String cannot fail.
        let _ = write!(text, "intact up to {last_at}, {anchored}; tenants: {tenants}, records: {records}");
        if self.dates.is_set() {
            let _ = write!(text, ", in the period: {}", self.in_period());
        }
        if !unanchored.is_empty() {
            let _ = write!(text, "; not in the anchor: {}", unanchored.join(", "));
        }
        text.push('\n');
        text
    }

    /// The tenants with records that the anchor does not contain; empty without an anchor.
    fn unanchored(&self) -> Vec<&str> {
        let is_unanchored = |verification: &&Verification| {
            self.is_anchored && verification.head.sequence > 0 && verification.last_expected_sequence.is_none()
        };
        self.verifications.iter().filter(is_unanchored).map(|verification| verification.tenant.as_str()).collect()
    }

    fn json(&self) -> Value {
        let tenants: Vec<_> = self.verifications.iter().map(tenant_json).collect();
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

    fn note_on_signatures(&self, key_location: &KeyLocation) -> Option<String> {
        let is_unchecked = |verification: &&Verification| {
            verification.head.sequence > 0 && verification.signature_check != SignatureCheck::Checked
        };
        match self.verifications.iter().find(is_unchecked)?.signature_check {
            SignatureCheck::Checked => None,
            SignatureCheck::Unsigned if key_location.can_create() => {
                Some("heads are not signed: the first `parlance serve` creates the key and signs them".to_owned())
            }
            SignatureCheck::Unsigned => Some("heads are not signed: set master_key_file".to_owned()),
            SignatureCheck::Unchecked(key) => {
                Some(format!("the signatures of heads, by the key {key}, are not checked: {}", key_location.advice()))
            }
        }
    }
}

fn tenant_json(verification: &Verification) -> Value {
    let (signature, key) = match verification.signature_check {
        SignatureCheck::Checked => ("checked", None),
        SignatureCheck::Unsigned => ("none", None),
        SignatureCheck::Unchecked(key) => ("unchecked", Some(key.to_string())),
    };
    let findings: Vec<_> = verification.findings.iter().map(ToString::to_string).collect();
    json!({
        "tenant": verification.tenant.as_str(),
        "result": if verification.is_intact() { "intact" } else { "broken" },
        "records": verification.head.sequence,
        "recordsInPeriod": verification.records_in_period,
        "head": verification.head.to_string(),
        "lastAt": verification.last_record_at.map(|at| at.to_string()),
        "anchoredUpTo": verification.last_expected_sequence,
        "signature": signature,
        "key": key,
        "findings": findings,
    })
}

/// Formats one line for each intact chain.
pub(in crate::commands) fn summary(verifications: &[Verification]) -> String {
    let intact = verifications.iter().filter(|verification| verification.is_intact());
    intact.fold(String::new(), |mut text, Verification { tenant, head, .. }| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{tenant}  {head}  intact, records: {}", head.sequence);
        text
    })
}

/// Fails if a chain is not intact.
pub(in crate::commands) fn ensure_intact(verifications: &[Verification]) -> anyhow::Result<()> {
    let broken = verifications
        .iter()
        .flat_map(|verification| verification.findings.iter().map(move |finding| (&verification.tenant, finding)));
    let messages: Vec<_> = broken.map(|(tenant, finding)| format!("{tenant}, {finding}")).collect();
    if messages.is_empty() {
        return Ok(());
    }
    bail!("the audit log is not intact: {}", EscapedText(&messages.join("; ")))
}

//! `parlance tenant erase`: erases everything of a tenant.

use std::{
    fmt::Write,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    privacy::{
        KnownUncoveredCopy, SignedReceipt, TenantErasureError, TenantErasures, TenantPreview, TenantRunProgress,
    },
    redaction::{Approval, Approver, ChangeReference},
};
use tokio::time::sleep;

use super::progress::{Progress, print_line};
use crate::{
    commands::{
        approval::approval,
        database_error, print,
        retry::{MaybeStoreError, retry_while_unavailable},
    },
    settings::Settings,
    wiring::Stores,
};

/// The longest time for which the command waits without any progress, such as for the end of an export of feeds.
const WAIT_LIMIT: Duration = Duration::from_mins(10);

/// Time between two runs of an erasure that waits.
const WAIT_INTERVAL: Duration = Duration::from_millis(500);

const NOT_BEGUN: &str = "the erasure could not begin within 30 seconds: end what writes to the database all the time, such as \
                         an import, or check that the database answers, and repeat the command";

const COMPACT_HINT: &str = "On PostgreSQL, files and the write-ahead log keep bytes of deleted rows: run `parlance privacy \
                            compact`, then repeat this command, which writes the second receipt.";

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The tenant to erase
    #[arg(long, value_parser = TenantId::parse)]
    tenant: TenantId,
    /// The reference of the approval, such as a ticket number
    #[arg(long, value_parser = ChangeReference::parse, required_unless_present = "dry_run")]
    reference: Option<ChangeReference>,
    /// An approver; required twice, for two people
    #[arg(long = "approved-by", value_name = "APPROVER", required_unless_present = "dry_run", value_parser = Approver::parse)]
    approved_by: Vec<Approver>,
    /// Print what would be erased, by place; change nothing
    #[arg(long)]
    dry_run: bool,
    /// The new file for the receipt; left out, the standard output
    #[arg(long, value_name = "FILE")]
    receipt: Option<PathBuf>,
}

pub(super) async fn run(options: Options, settings: &Settings) -> anyhow::Result<()> {
    if options.dry_run {
        return preview(&options.tenant, settings).await;
    }
    // Without --dry-run, clap requires it.
    let reference = options.reference.context("--reference is required")?;
    let approval = approval(reference, options.approved_by)?;
    if let Some(file) = &options.receipt {
        check_new_file(file)?;
    }
    let stores = Stores::open_with_checked_key(settings).await?;
    let erasures = stores.tenant_erasures(settings)?;
    begin(&erasures, &options.tenant, approval).await?;
    run_to_end(&erasures, &options.tenant).await?;
    let receipt = erasures.receipt(&options.tenant).await.map_err(database_error)?;
    stores.database.close().await?;
    give_out(&options.tenant, receipt, options.receipt)
}

async fn preview(tenant: &TenantId, settings: &Settings) -> anyhow::Result<()> {
    let stores = Stores::open(settings, false).await?;
    let preview = stores.tenant_erasures(settings)?.preview(tenant).await.map_err(|error| refused(error, tenant))?;
    stores.database.close().await?;
    print(&preview_text(tenant, &preview))
}

fn preview_text(tenant: &TenantId, preview: &TenantPreview) -> String {
    let mut text = format!("Would be erased of {tenant}; nothing is changed:\n");
    // Writing to a String cannot fail.
    for count in &preview.counts {
        let _ = writeln!(text, "{}: {}", count.place.as_str(), count.count);
    }
    if preview.counts.is_empty() {
        text.push_str("nothing\n");
    }
    if preview.holds > 0 {
        let _ = writeln!(text, "Holds that refuse the erasure: {}", preview.holds);
    }
    if let Some(erasure) = &preview.erasure {
        let state = if erasure.completed_at.is_some() { "is completed" } else { "is not completed" };
        let _ = writeln!(text, "An erasure began at {} and {state}.", erasure.requested_at);
    }
    text
}

/// Fails before anything is erased if the receipt could not be written.
fn check_new_file(file: &Path) -> anyhow::Result<()> {
    if file.exists() {
        bail!("--receipt: {} exists: name a new file", file.display());
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        bail!("--receipt: {} is in a directory that does not exist: create it", file.display());
    }
    Ok(())
}

/// Begins the erasure, or takes up the one that began before, and says which.
async fn begin(erasures: &TenantErasures, tenant: &TenantId, approval: Approval) -> anyhow::Result<()> {
    let mut has_waited = false;
    let print_wait = |error: &StoreError| {
        if !std::mem::replace(&mut has_waited, true) {
            let cause = error.cause_chain();
            print_line(&format!("The erasure has not begun, and is tried again for up to 30 seconds: {cause}."));
        }
    };
    let start = retry_while_unavailable(|| erasures.begin(tenant, approval.clone()), print_wait).await;
    let start = start.map_err(|error| not_begun(error, tenant))?;
    let erasure = start.erasure;
    let reference = erasure.approval.as_ref().map_or("the ledger", |approval| approval.reference().as_str());
    match (start.is_new, erasure.completed_at) {
        (true, _) => {
            print_line(&format!("Every credential of {tenant} is revoked, and nothing more is stored for it."));
        }
        (false, None) => {
            print_line(&format!("Taking up the erasure that began at {}, on {reference}.", erasure.requested_at));
        }
        (false, Some(at)) => print_line(&format!("{tenant} is erased since {at}, on {reference}.")),
    }
    Ok(())
}

impl MaybeStoreError for TenantErasureError {
    fn store_error(&self) -> Option<&StoreError> {
        if let Self::Store(error) = self { Some(error) } else { None }
    }
}

/// The error of an erasure that could not begin.
fn not_begun(error: TenantErasureError, tenant: &TenantId) -> anyhow::Error {
    let is_unavailable = error.store_error().is_some_and(|error| error.kind() == StoreErrorKind::Unavailable);
    let error = refused(error, tenant);
    if is_unavailable { error.context(NOT_BEGUN) } else { error }
}

fn refused(error: TenantErasureError, tenant: &TenantId) -> anyhow::Error {
    match error {
        TenantErasureError::Store(error) => database_error(error),
        error @ TenantErasureError::NotFound => anyhow!("--tenant: {tenant}: {error}"),
        error @ (TenantErasureError::Held(_) | TenantErasureError::NoSigner) => error.into(),
    }
}

/// Runs the erasure until nothing of the tenant is left. A store that is away for a while is tried again.
async fn run_to_end(erasures: &TenantErasures, tenant: &TenantId) -> anyhow::Result<()> {
    let (progress, mut waits_since) = (Progress::start(), Instant::now());
    let mut removed = 0;
    loop {
        let outcome = erasures.run(tenant, &progress).await;
        if progress.removed() > removed {
            (removed, waits_since) = (progress.removed(), Instant::now());
        }
        let is_over = waits_since.elapsed() > WAIT_LIMIT;
        match outcome {
            Ok(TenantRunProgress::Completed) => return Ok(()),
            Ok(TenantRunProgress::Waiting(wait)) if is_over => {
                bail!("the erasure of {tenant} is not completed: it waits for {}: repeat the command", wait.as_str());
            }
            Ok(TenantRunProgress::Waiting(wait)) => progress.waits_for(wait),
            Err(error) if error.kind() == StoreErrorKind::Unavailable && !is_over => {
                progress.failed(&error.cause_chain());
            }
            Err(error) => {
                return Err(anyhow!(error))
                    .with_context(|| format!("the erasure of {tenant} is not completed: repeat the command"));
            }
        }
        sleep(WAIT_INTERVAL).await;
    }
}

/// Whether the receipt names bytes that a compaction removes.
fn needs_compaction(receipt: &str) -> bool {
    let parsed = SignedReceipt::parse(receipt.as_bytes());
    let copies = parsed.map(|signed| signed.receipt.not_covered).unwrap_or_default();
    copies.iter().any(|copy| KnownUncoveredCopy::PostgresqlBytes.is_named_by(copy))
}

/// Writes the receipt, and says what is to be done.
fn give_out(tenant: &TenantId, receipt: Option<String>, file: Option<PathBuf>) -> anyhow::Result<()> {
    let Some(receipt) = receipt else {
        return print(&format!("{tenant} is erased. It was applied from the ledger, so there is no receipt here.\n"));
    };
    if needs_compaction(&receipt) {
        print_line(COMPACT_HINT);
    }
    let Some(file) = file else {
        print_line(&format!("{tenant} is erased. The receipt follows; `parlance privacy verify` checks it."));
        return print(&receipt);
    };
    std::fs::write(&file, receipt).with_context(|| {
        format!(
            "--receipt: {} cannot be written: {tenant} is erased, repeat the command for the receipt",
            file.display()
        )
    })?;
    print(&format!("{tenant} is erased. The receipt is in {}; `parlance privacy verify` checks it.\n", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_erasure_that_could_not_begin_says_why_and_what_to_do() {
        let locked = StoreError::new(StoreErrorKind::Unavailable, "database is locked");
        let error = format!("{:#}", not_begun(locked.into(), &TenantId::parse("acme").unwrap()));
        assert!(error.starts_with("the erasure could not begin within 30 seconds: end what writes "), "{error}");
        assert!(
            error.ends_with(", and repeat the command: database_url: the store is out of reach: database is locked"),
            "{error}"
        );
    }
}

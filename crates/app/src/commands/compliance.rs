//! `parlance compliance set|log`.

use std::fmt::Write;

use anyhow::anyhow;
use clap::{ArgAction, Args, Subcommand};
use parlance_domain::{
    access::TenantId,
    redaction::{Activity, Approver, ChangeReference, Entity, SwitchError, SwitchOutcome, SwitchRecord},
};

use super::{approval::approval, choice, database_error, print};
use crate::{settings::Settings, wiring::Stores};

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Switch an entity that compliance controls; running servers apply it within 30 seconds
    Set(Set),
    /// Print every switch of a tenant, the oldest first
    Log(Log),
}

#[derive(Debug, Args)]
pub(crate) struct Set {
    /// The tenant to switch the entity for
    #[arg(long, value_parser = TenantId::parse)]
    tenant: TenantId,
    /// The label of the entity, such as CVV
    #[arg(long, value_parser = choice::entity(), hide_possible_values = true)]
    entity: Entity,
    /// Whether the entity is active from now on
    #[arg(long, value_name = "BOOL", action = ArgAction::Set)]
    active: bool,
    /// The reference of the approval, such as a ticket number
    #[arg(long, value_parser = ChangeReference::parse)]
    reference: ChangeReference,
    /// Accept a tenant that does not exist yet
    #[arg(long)]
    new_tenant: bool,
    /// An approver; required twice, for two people
    #[arg(long = "approved-by", value_name = "APPROVER", required = true, value_parser = Approver::parse)]
    approved_by: Vec<Approver>,
}

#[derive(Debug, Args)]
pub(crate) struct Log {
    /// The tenant whose switches to print
    #[arg(long, value_parser = TenantId::parse)]
    tenant: TenantId,
}

pub(crate) async fn run(action: Action, settings: &Settings) -> anyhow::Result<()> {
    match action {
        Action::Set(set) => set.run(settings).await,
        Action::Log(log) => log.run(settings).await,
    }
}

impl Set {
    async fn run(self, settings: &Settings) -> anyhow::Result<()> {
        let approval = approval(self.reference, self.approved_by)?;
        let to = if self.active { Activity::On } else { Activity::Off };
        let stores = Stores::open_with_checked_key(settings).await?;
        stores.ensure_tenant_is_not_erased(&self.tenant).await?;
        if !self.new_tenant {
            let result = stores.ensure_tenant_exists(&self.tenant).await;
            result.map_err(|unknown| anyhow!("{unknown:#}; to switch before that, add --new-tenant"))?;
        }
        let outcome = stores.compliance.set(&self.tenant, self.entity, to, approval).await.map_err(switch_error)?;
        stores.database.close().await?;
        let (label, tenant, state) = (self.entity.label(), &self.tenant, activity_name(to));
        print(&match outcome {
            SwitchOutcome::Switched => {
                format!("{label} is {state} for {tenant}; every replica applies it within 30 seconds.\n")
            }
            SwitchOutcome::Unchanged => format!("{label} is already {state} for {tenant}: nothing changed.\n"),
        })
    }
}

fn switch_error(error: SwitchError) -> anyhow::Error {
    match error {
        SwitchError::Refused(refusal) => refusal.into(),
        SwitchError::Store(error) => database_error(error),
    }
}

impl Log {
    async fn run(self, settings: &Settings) -> anyhow::Result<()> {
        let stores = Stores::open(settings, true).await?;
        stores.ensure_tenant_exists(&self.tenant).await?;
        let records = stores.compliance.log(&self.tenant).await.map_err(database_error)?;
        stores.database.close().await?;
        let mut text = String::new();
        for record in &records {
            let SwitchRecord { switched_at: at, entity, from, to, actor: by, .. } = record;
            // Writing to a String cannot fail.
            let _ =
                writeln!(text, "{at}  {}  {} -> {}  {by}", entity.label(), activity_name(*from), activity_name(*to));
        }
        print(&text)
    }
}

fn activity_name(activity: Activity) -> &'static str {
    match activity {
        Activity::On => "active",
        Activity::Off => "inactive",
    }
}

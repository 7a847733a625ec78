//! `parlance compliance set|log`.

use std::fmt::Write;

use anyhow::anyhow;
use clap::{ArgAction, Args, Subcommand};
use parlance_domain::{
    access::TenantId,
    redaction::{Activity, Approval, Approver, ChangeReference, Entity, SwitchRecord, Thrown},
};

use super::{Exit, WRONG_ARGUMENT, in_words, print};
use crate::{service::Stores, settings::Settings};

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Switch an entity that compliance controls; running servers follow within a minute
    Set(Set),
    /// Print every switch of a tenant, the oldest first
    Log(Log),
}

#[derive(Debug, Args)]
pub(crate) struct Set {
    /// The tenant to switch it for
    #[arg(long, value_parser = TenantId::parse)]
    tenant: TenantId,
    /// The label of the entity, such as CVV
    #[arg(long, value_parser = read_entity)]
    entity: Entity,
    /// Whether it is to be active
    #[arg(long, value_name = "BOOL", action = ArgAction::Set)]
    active: bool,
    /// Where the approval is filed, such as the number of a ticket
    #[arg(long, value_parser = ChangeReference::parse)]
    reference: ChangeReference,
    /// Switch it for a tenant of which there is nothing yet
    #[arg(long)]
    new_tenant: bool,
    /// Who approved; given twice, for two people
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

fn read_entity(label: &str) -> Result<Entity, &'static str> {
    Entity::from_label(label).ok_or("must be the label of a redaction entity")
}

impl Set {
    async fn run(self, settings: &Settings) -> anyhow::Result<()> {
        let wrong = |line: String| Exit { code: WRONG_ARGUMENT, line };
        let approvers: [Approver; 2] = self
            .approved_by
            .try_into()
            .map_err(|_| wrong("--approved-by must be given twice, for two people".to_owned()))?;
        let [first, second] = approvers;
        let approval = Approval::new(self.reference, first, second).map_err(|same| anyhow!("--approved-by: {same}"))?;
        let to = if self.active { Activity::On } else { Activity::Off };
        let stores = Stores::open_to_record(settings).await?;
        if !self.new_tenant {
            let known = stores.refuse_unknown_tenant(&self.tenant).await;
            known.map_err(|unknown| anyhow!("{unknown:#}; where compliance comes first, add --new-tenant"))?;
        }
        let thrown = stores.compliance.set(&self.tenant, self.entity, to, approval).await.map_err(in_words)?;
        stores.database.close().await?;
        let (label, tenant, now) = (self.entity.label(), &self.tenant, word(to));
        print(&match thrown {
            Thrown::Switched => format!("{label} is {now} for {tenant}; every replica follows within a minute.\n"),
            Thrown::Unchanged => format!("{label} was {now} for {tenant} already: nothing is changed.\n"),
        })
    }
}

impl Log {
    async fn run(self, settings: &Settings) -> anyhow::Result<()> {
        let stores = Stores::open(settings, true).await?;
        stores.refuse_unknown_tenant(&self.tenant).await?;
        let records = stores.compliance.log(&self.tenant).await.map_err(in_words)?;
        stores.database.close().await?;
        let mut text = String::new();
        for record in &records {
            let SwitchRecord { at, entity, from, to, by, .. } = record;
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{at}  {}  {} -> {}  {by}", entity.label(), word(*from), word(*to));
        }
        print(&text)
    }
}

fn word(activity: Activity) -> &'static str {
    match activity {
        Activity::On => "active",
        Activity::Off => "inactive",
    }
}

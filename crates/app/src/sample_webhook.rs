//! The webhook of the sandbox's sample. It is switched off, so that nothing is sent.

use std::sync::Arc;

use anyhow::Context;
use parlance_adapters_http::examples;
use parlance_domain::{
    access::{Caller, Permissions, TenantId},
    id::IdSource,
    webhook::{NewWebhook, WebhookChange, WebhookDescription, WebhookId, WebhookUrl},
};

use crate::{settings::Settings, wiring::Stores};

const URL: &str = "https://receiver.example/events";

const DESCRIPTION: &str = "A sample that is switched off";

/// Adds the webhook with the identifiers of `ids`, unless the tenant has it.
pub(crate) async fn add(
    stores: &Stores,
    settings: &Settings,
    tenant: &TenantId,
    ids: Arc<dyn IdSource>,
) -> anyhow::Result<()> {
    let caller = Caller::new(tenant.clone(), Permissions::all());
    let webhooks = stores.webhooks(settings, ids);
    let id = WebhookId::parse(examples::WEBHOOK_ID)?;
    if webhooks.find(&caller.authorize()?, &id).await.is_ok() {
        return Ok(());
    }
    let url = WebhookUrl::parse(URL).context("the address of the sample webhook")?;
    let description = WebhookDescription::parse(DESCRIPTION)?;
    webhooks.create(&caller.authorize()?, NewWebhook { url, types: None, description }).await?;
    let off = WebhookChange { active: Some(false), ..WebhookChange::default() };
    webhooks.change(&caller.authorize()?, &id, off).await?;
    Ok(())
}

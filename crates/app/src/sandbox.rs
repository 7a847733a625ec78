//! The sandbox: a tenant with a credential that works, and a line to try it with.

use std::{fmt::Write, net::SocketAddr};

use anyhow::{Context, bail};
use parlance_domain::access::{Credential, CredentialName, Credentials, IssuedCredential, Permissions, TenantId};

use crate::{sample, service::Stores, settings::Settings};

const TENANT: &str = "sandbox";
const NAME: &str = "sandbox";

/// How long the secret that was shown at the last start is still accepted.
const KEEP_OLD_SECONDS: u32 = 24 * 60 * 60;

/// Refuses a database that others may depend on.
pub(crate) fn check(settings: &Settings) -> anyhow::Result<()> {
    if settings.database_url.kind() == "sqlite" {
        return Ok(());
    }
    bail!("database_url: the sandbox is for the embedded database: leave --sandbox out, or use sqlite://path")
}

/// Makes sure that the tenant `sandbox` has what the examples of the interface's description name, and a credential whose
/// secret is known.
pub(crate) async fn prepare(stores: &Stores, settings: &Settings) -> anyhow::Result<IssuedCredential> {
    let tenant = TenantId::parse(TENANT).context("the sandbox's tenant")?;
    sample::add(stores, settings, &tenant).await?;
    credential(&stores.credentials, tenant).await
}

/// A new credential, or the one there is with a new secret, since only the digest of the old one was kept.
async fn credential(credentials: &Credentials, tenant: TenantId) -> anyhow::Result<IssuedCredential> {
    let existing = credentials.list(Some(&tenant)).await.context("database_url")?;
    let ours = |credential: &&Credential| credential.name.as_str() == NAME && credential.revoked_at.is_none();
    let issued = if let Some(credential) = existing.iter().find(ours) {
        credentials.rotate(&credential.id, KEEP_OLD_SECONDS).await
    } else {
        let name = CredentialName::parse(NAME).context("the sandbox's credential")?;
        credentials.create(tenant, name, Permissions::all()).await
    };
    issued.context("database_url")
}

/// What is printed of it.
pub(crate) fn greeting(settings: &Settings, address: SocketAddr, credential: &IssuedCredential) -> String {
    let prefix = &settings.header_prefix;
    let (id, secret) = (&credential.id, credential.secret.reveal());
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "Parlance listens on http://{address}, its description is at http://{address}/docs/\n\
         \n\
         {prefix}-api-id:     {id}\n\
         {prefix}-api-secret: {secret}\n\
         (tenant {TENANT}; the next start shows a new secret, and this one stays good until the start after that, or a day)\n\
         \n\
         Try it:\n\
         curl -sS http://{address}/conversation/v1/conversations -H '{prefix}-api-id: {id}' \
         -H '{prefix}-api-secret: {secret}' -H 'Content-Type: application/json' \
         -d '{{\"externalId\":\"call-1\",\"customer\":{{\"externalId\":\"customer-7\"}},\"timestamp\":\"2026-01-31T09:30:00Z\"}}'\n"
    );
    text
}

//! The sandbox: a tenant with a credential, and an example request for it.

use std::{fmt::Write, net::SocketAddr};

use anyhow::{Context, bail};
use parlance_domain::access::{
    Credential, CredentialError, CredentialName, Credentials, IssuedCredential, Permissions, TenantId,
};

use crate::{sample, settings::Settings, wiring::Stores};

const TENANT: &str = "sandbox";
const CREDENTIAL_NAME: &str = "sandbox";

/// Time in which the secret of the previous start stays valid.
const KEEP_OLD_SECONDS: u32 = 24 * 60 * 60;

/// Fails unless the database is the embedded one: other programs may depend on any other database.
pub(crate) fn check(settings: &Settings) -> anyhow::Result<()> {
    if settings.database_url.scheme() == "sqlite" {
        return Ok(());
    }
    bail!("database_url: the sandbox is for the embedded database: leave --sandbox out, or use sqlite://path")
}

/// Ensures that the tenant `sandbox` has the resources that the examples in the OpenAPI document name, and returns a
/// credential with a new secret.
pub(crate) async fn prepare(stores: &Stores, settings: &Settings) -> anyhow::Result<IssuedCredential> {
    let tenant = TenantId::parse(TENANT).context("the tenant of the sandbox")?;
    sample::add(stores, settings, &tenant).await?;
    create_or_rotate(&stores.credentials, tenant).await
}

/// Creates the credential, or gives the existing one a new secret: only the digest of the old secret is stored.
async fn create_or_rotate(credentials: &Credentials, tenant: TenantId) -> anyhow::Result<IssuedCredential> {
    let existing = credentials.list(Some(&tenant)).await.context("database_url")?;
    let is_sandbox =
        |credential: &&Credential| credential.name.as_str() == CREDENTIAL_NAME && credential.revoked_at.is_none();
    let issued = if let Some(credential) = existing.iter().find(is_sandbox) {
        credentials.rotate(&credential.id, KEEP_OLD_SECONDS).await
    } else {
        let name = CredentialName::parse(CREDENTIAL_NAME).context("the credential of the sandbox")?;
        credentials.create(tenant, name, Permissions::all()).await.map_err(CredentialError::Store)
    };
    issued.context("database_url")
}

/// The text that the start prints.
pub(crate) fn greeting(settings: &Settings, address: SocketAddr, credential: &IssuedCredential) -> String {
    let prefix = &settings.header_prefix;
    let (id, secret) = (&credential.id, credential.secret.reveal());
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "Parlance listens on http://{address}, the API documentation is at http://{address}/docs/\n\
         \n\
         {prefix}-api-id:     {id}\n\
         {prefix}-api-secret: {secret}\n\
         (tenant {TENANT}; the next start prints a new secret, and this one then stays valid for up to a day)\n\
         \n\
         Try it:\n\
         curl -sS http://{address}/conversation/v1/conversations -H '{prefix}-api-id: {id}' \
         -H '{prefix}-api-secret: {secret}' -H 'Content-Type: application/json' \
         -d '{{\"externalId\":\"call-1\",\"customer\":{{\"externalId\":\"customer-7\"}},\"timestamp\":\"2026-01-31T09:30:00Z\"}}'\n"
    );
    text
}

//! `parlance credential create|list|rotate|revoke`.

use std::fmt::Write;

use anyhow::anyhow;
use clap::{Args, Subcommand};
use parlance_domain::access::{
    ApiId, Credential, CredentialError, CredentialName, IssuedCredential, Permission, Permissions, TenantId,
};
use serde_json::{Value, json};

use super::{choice, database_error, print};
use crate::{settings::Settings, wiring::Stores};

#[derive(Debug, Subcommand)]
pub(crate) enum Action {
    /// Issue a credential; its secret is printed only once
    Create(Create),
    /// List the credentials, including revoked ones
    List(List),
    /// Give a credential a new secret
    Rotate(Rotate),
    /// Revoke a credential; other replicas refuse it within 30 seconds
    Revoke(Revoke),
}

#[derive(Debug, Args)]
pub(crate) struct Create {
    /// The tenant that the credential belongs to
    #[arg(long, value_parser = TenantId::parse)]
    tenant: TenantId,
    /// The name of the credential
    #[arg(long, value_parser = |text: &str| CredentialName::parse(text))]
    name: CredentialName,
    /// A permission; can be repeated [default: those of conversations, configuration and feeds]
    #[arg(long = "permission", value_name = "PERMISSION", value_parser = choice::permission())]
    permissions: Vec<Permission>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// List only the credentials of this tenant
    #[arg(long, value_parser = TenantId::parse)]
    tenant: Option<TenantId>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Rotate {
    /// The identifier of the credential
    #[arg(value_parser = ApiId::parse)]
    api_id: ApiId,
    /// Time in seconds for which the old secret stays valid
    #[arg(long, default_value_t = 0, value_name = "SECONDS")]
    keep_old: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Revoke {
    /// The identifier of the credential
    #[arg(value_parser = ApiId::parse)]
    api_id: ApiId,
}

pub(crate) async fn run(action: Action, settings: &Settings) -> anyhow::Result<()> {
    match action {
        Action::Create(create) => create.run(settings).await,
        Action::List(list) => list.run(settings).await,
        Action::Rotate(rotate) => rotate.run(settings).await,
        Action::Revoke(revoke) => revoke.run(settings).await,
    }
}

impl Create {
    async fn run(self, settings: &Settings) -> anyhow::Result<()> {
        let selected: Permissions = self.permissions.iter().copied().collect();
        let permissions = if self.permissions.is_empty() { Permissions::standard() } else { selected };
        let stores = Stores::open_with_checked_key(settings).await?;
        stores.ensure_tenant_is_not_erased(&self.tenant).await?;
        let issued = stores.credentials.create(self.tenant, self.name, permissions).await.map_err(database_error)?;
        stores.database.close().await?;
        print_issued(&issued, self.json)
    }
}

impl List {
    async fn run(self, settings: &Settings) -> anyhow::Result<()> {
        let stores = Stores::open(settings, true).await?;
        if let Some(tenant) = &self.tenant {
            stores.ensure_tenant_exists(tenant).await?;
        }
        let credentials = stores.credentials.list(self.tenant.as_ref()).await.map_err(database_error)?;
        stores.database.close().await?;
        if self.json {
            let list: Vec<_> = credentials.iter().map(credential_json).collect();
            return print(&format!("{}\n", Value::from(list)));
        }
        let mut text = String::new();
        for credential in &credentials {
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "{}  {}  {}  created {}{}",
                credential.id,
                credential.name.as_str(),
                permission_names(credential.permissions).join(","),
                credential.created_at,
                credential.revoked_at.map(|at| format!("  revoked {at}")).unwrap_or_default()
            );
        }
        print(&text)
    }
}

impl Rotate {
    async fn run(self, settings: &Settings) -> anyhow::Result<()> {
        let stores = Stores::open_with_checked_key(settings).await?;
        let issued = stores.credentials.rotate(&self.api_id, self.keep_old).await.map_err(credential_error)?;
        stores.database.close().await?;
        print_issued(&issued, self.json)
    }
}

impl Revoke {
    async fn run(self, settings: &Settings) -> anyhow::Result<()> {
        let stores = Stores::open_with_checked_key(settings).await?;
        stores.credentials.revoke(&self.api_id).await.map_err(credential_error)?;
        stores.database.close().await?;
        print(&format!("{} is revoked; every replica refuses it within 30 seconds.\n", self.api_id))
    }
}

fn credential_error(error: CredentialError) -> anyhow::Error {
    match error {
        CredentialError::NotFound => anyhow!("{error} in use"),
        CredentialError::Store(error) => database_error(error),
    }
}

fn print_issued(issued: &IssuedCredential, as_json: bool) -> anyhow::Result<()> {
    let permissions = permission_names(issued.permissions);
    let (id, secret, tenant) = (issued.id.as_str(), issued.secret.reveal(), issued.id.tenant().as_str());
    if as_json {
        let value = json!({"apiId": id, "apiSecret": secret, "tenant": tenant, "permissions": permissions});
        return print(&format!("{value}\n"));
    }
    print(&format!(
        "API id:      {id}\nAPI secret:  {secret}\ntenant:      {tenant}\npermissions: {}\n\
         The secret is not stored and cannot be shown again.\n",
        permissions.join(", ")
    ))
}

fn credential_json(credential: &Credential) -> Value {
    json!({
        "apiId": credential.id.as_str(),
        "tenant": credential.id.tenant().as_str(),
        "name": credential.name.as_str(),
        "permissions": permission_names(credential.permissions),
        "createdAt": credential.created_at.to_string(),
        "revokedAt": credential.revoked_at.map(|at| at.to_string()),
    })
}

fn permission_names(permissions: Permissions) -> Vec<&'static str> {
    permissions.iter().map(Permission::as_str).collect()
}

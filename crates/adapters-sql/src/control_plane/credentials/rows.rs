//! Encodes and decodes stored credentials.

use parlance_domain::{
    access::{ApiId, Credential, CredentialName, Permission, Permissions, SecretDigest, UnknownPermission},
    error::StoreError,
    time::Timestamp,
};
use sea_orm::ActiveValue::Set;

use crate::{
    control_plane::entities::credential::{ActiveModel, Model},
    error::corrupt,
};

const TABLE: &str = "credentials";

pub(super) fn row(credential: &Credential) -> ActiveModel {
    let words: Vec<_> = credential.permissions.iter().map(Permission::as_str).collect();
    let (previous_digest, previous_until) = credential
        .previous
        .as_ref()
        .map_or((None, None), |(digest, until)| (Some(digest.as_bytes().to_vec()), Some(until.as_micros())));
    ActiveModel {
        tenant_id: Set(credential.id.tenant().as_str().to_owned()),
        api_id: Set(credential.id.as_str().to_owned()),
        name: Set(credential.name.as_str().to_owned()),
        permissions: Set(words.join(" ")),
        secret_digest: Set(credential.digest.as_bytes().to_vec()),
        previous_digest: Set(previous_digest),
        previous_until: Set(previous_until),
        created_at: Set(credential.created_at.as_micros()),
        revoked_at: Set(credential.revoked_at.map(Timestamp::as_micros)),
    }
}

pub(crate) fn restore(row: &Model) -> Result<Credential, StoreError> {
    let id = &row.api_id;
    let timestamp = |micros, column| Timestamp::from_micros(micros).map_err(|error| corrupt(TABLE, column, id, error));
    let previous = match (&row.previous_digest, row.previous_until) {
        (Some(digest), Some(until)) => {
            Some((restore_digest(digest, "previous_digest", id)?, timestamp(until, "previous_until")?))
        }
        (None, None) => None,
        _ => return Err(corrupt(TABLE, "previous_until", id, "must be set if and only if previous_digest is set")),
    };
    let permissions: Result<Permissions, UnknownPermission> =
        row.permissions.split_whitespace().map(Permission::parse).collect();
    Ok(Credential {
        id: restore_id(row)?,
        name: CredentialName::parse(row.name.as_str()).map_err(|error| corrupt(TABLE, "name", id, error))?,
        permissions: permissions.map_err(|error| corrupt(TABLE, "permissions", id, error))?,
        digest: restore_digest(&row.secret_digest, "secret_digest", id)?,
        previous,
        created_at: timestamp(row.created_at, "created_at")?,
        revoked_at: row.revoked_at.map(|micros| timestamp(micros, "revoked_at")).transpose()?,
    })
}

fn restore_id(row: &Model) -> Result<ApiId, StoreError> {
    let id = ApiId::parse(&row.api_id).map_err(|error| corrupt(TABLE, "api_id", &row.api_id, error))?;
    if id.tenant().as_str() == row.tenant_id {
        return Ok(id);
    }
    Err(corrupt(TABLE, "tenant_id", &row.api_id, "is not the tenant that the identifier names"))
}

fn restore_digest(bytes: &[u8], column: &'static str, row: &str) -> Result<SecretDigest, StoreError> {
    let bytes = bytes.try_into().map_err(|_| corrupt(TABLE, column, row, "must have 32 bytes"))?;
    Ok(SecretDigest::new(bytes))
}

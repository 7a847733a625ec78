//! The authenticated caller, and the proof that it has a permission.

use std::marker::PhantomData;

use super::{ApiId, Permission, Permissions, RequiredPermission, SecretDigest, TenantId};

/// An authenticated caller: its tenant and its permissions.
///
/// The caller releases its [`TenantId`] only by [`authorize`](Self::authorize), so no store can be reached without a
/// permission.
#[derive(Debug, Clone)]
pub struct Caller {
    tenant: TenantId,
    permissions: Permissions,
    credential: Option<VerifiedCredential>,
}

/// A credential that was verified. What lasts longer than a request, such as a stream, checks again whether the secret is
/// still accepted.
#[derive(Debug, Clone)]
pub struct VerifiedCredential {
    /// The public identifier.
    pub id: ApiId,
    /// The digest of the secret that was accepted.
    pub digest: SecretDigest,
}

/// The credential lacks a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the credential lacks the permission {0}")]
pub struct PermissionDenied(pub Permission);

impl Caller {
    /// A caller that a service which embeds the domain has already authenticated.
    #[must_use]
    pub fn new(tenant: TenantId, permissions: Permissions) -> Self {
        Self { tenant, permissions, credential: None }
    }

    /// A caller whose credential the [`Authenticator`](super::Authenticator) has verified.
    #[must_use]
    pub fn with_credential(credential: VerifiedCredential, permissions: Permissions) -> Self {
        Self { tenant: credential.id.tenant().clone(), permissions, credential: Some(credential) }
    }

    /// The proof that the caller has the permission `P`. Permissions are checked in this file only.
    ///
    /// # Errors
    /// [`PermissionDenied`] names the missing permission.
    pub fn authorize<P: RequiredPermission>(&self) -> Result<AuthorizedCaller<P>, PermissionDenied> {
        self.check(P::PERMISSION)?;
        Ok(AuthorizedCaller { caller: self.clone(), permission: PhantomData })
    }

    fn check(&self, permission: Permission) -> Result<(), PermissionDenied> {
        if self.permissions.contains(permission) { Ok(()) } else { Err(PermissionDenied(permission)) }
    }

    /// The tenant's name, for logs and metrics. Those need no permission.
    #[must_use]
    pub fn tenant_name(&self) -> &str {
        self.tenant.as_str()
    }
}

/// A caller that has the permission `P`. Only [`Caller::authorize`] makes one.
///
/// A use case takes an `AuthorizedCaller` as its first argument and does not check the permission again. A caller with
/// another permission does not compile:
///
/// ```compile_fail
/// use parlance_domain::{access::{AuthorizedCaller, ReadFeeds}, vocabulary::Vocabularies};
///
/// async fn list(caller: &AuthorizedCaller<ReadFeeds>, vocabularies: &Vocabularies) {
///     let _ = vocabularies.list_all(caller).await;
/// }
/// ```
#[derive(Debug, Clone)]
pub struct AuthorizedCaller<P> {
    caller: Caller,
    permission: PhantomData<fn() -> P>,
}

impl<P> AuthorizedCaller<P> {
    /// The caller's tenant.
    #[must_use]
    pub fn tenant(&self) -> &TenantId {
        &self.caller.tenant
    }

    /// Checks a permission beyond `P`, which depends on the request.
    ///
    /// # Errors
    /// [`PermissionDenied`] names the missing permission.
    pub(crate) fn require(&self, permission: Permission) -> Result<(), PermissionDenied> {
        self.caller.check(permission)
    }

    /// The credential, for audit records.
    pub(crate) fn credential(&self) -> Option<&ApiId> {
        self.verified_credential().map(|credential| &credential.id)
    }

    /// The credential, for what lasts longer than the request; `None` for a caller that
    /// [another service](Caller::new) has authenticated.
    #[must_use]
    pub fn verified_credential(&self) -> Option<&VerifiedCredential> {
        self.caller.credential.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{
        OperatePrivacy, ReadConfiguration, ReadConversations, ReadFeeds, ReadWebhooks, WriteConfiguration,
        WriteConversations, WriteWebhooks,
    };

    fn assert_needs_its_own_permission<P: RequiredPermission>() {
        for permission in Permission::ALL {
            let caller = Caller::new(TenantId::parse("acme").unwrap(), [permission].into_iter().collect());
            let tenant = caller.authorize::<P>().map(|authorized| authorized.tenant().clone());
            let expected = if permission == P::PERMISSION {
                Ok(TenantId::parse("acme").unwrap())
            } else {
                Err(PermissionDenied(P::PERMISSION))
            };
            assert_eq!(tenant, expected, "{permission}");
        }
    }

    #[test]
    fn a_caller_releases_its_tenant_only_for_a_permission_that_it_has() {
        assert_needs_its_own_permission::<ReadConversations>();
        assert_needs_its_own_permission::<WriteConversations>();
        assert_needs_its_own_permission::<ReadConfiguration>();
        assert_needs_its_own_permission::<WriteConfiguration>();
        assert_needs_its_own_permission::<ReadFeeds>();
        assert_needs_its_own_permission::<ReadWebhooks>();
        assert_needs_its_own_permission::<OperatePrivacy>();
        assert_needs_its_own_permission::<WriteWebhooks>();
    }
}

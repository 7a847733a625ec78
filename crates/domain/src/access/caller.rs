//! The authenticated caller of a use case.

use super::{ApiId, Permission, Permissions, TenantId};

/// The caller of a use case: its tenant and its permissions. Use cases take the caller as their first argument.
///
/// The caller releases its [`TenantId`] only after a check of a permission, so no store can be reached without one.
#[derive(Debug, Clone)]
pub struct Caller {
    tenant: TenantId,
    permissions: Permissions,
    credential: Option<ApiId>,
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
    pub fn with_credential(credential: ApiId, permissions: Permissions) -> Self {
        Self { tenant: credential.tenant().clone(), permissions, credential: Some(credential) }
    }

    /// The tenant, if the caller has this permission.
    ///
    /// # Errors
    /// [`PermissionDenied`] names the missing permission.
    pub fn authorize(&self, permission: Permission) -> Result<&TenantId, PermissionDenied> {
        if self.permissions.contains(permission) { Ok(&self.tenant) } else { Err(PermissionDenied(permission)) }
    }

    /// The credential, for audit records. It names the tenant, so it must not leave the domain without a permission
    /// check.
    pub(crate) fn credential(&self) -> Option<&ApiId> {
        self.credential.as_ref()
    }

    /// The tenant's name, for logs and metrics. Those need no permission.
    #[must_use]
    pub fn tenant_name(&self) -> &str {
        self.tenant.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_releases_its_tenant_only_for_a_permission_that_it_has() {
        let caller = Caller::new(TenantId::parse("acme").unwrap(), [Permission::ReadFeeds].into_iter().collect());
        assert_eq!(caller.authorize(Permission::ReadFeeds).unwrap().as_str(), "acme");
        assert_eq!(
            caller.authorize(Permission::ReadConversations),
            Err(PermissionDenied(Permission::ReadConversations))
        );
    }
}

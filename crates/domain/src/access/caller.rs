//! The authenticated caller of a use case.

use super::{ApiId, Permission, Permissions, TenantId};

/// Who calls: a tenant, and what the credential allows. Every service takes one first.
///
/// A [`TenantId`] comes out only together with a permission, so no store can be reached without one.
#[derive(Debug, Clone)]
pub struct Caller {
    tenant: TenantId,
    permissions: Permissions,
    credential: Option<ApiId>,
}

/// The credential lacks a permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the credential lacks the permission {0}")]
pub struct Denied(pub Permission);

impl Caller {
    /// A caller whose identity was established by a service that embeds the domain.
    #[must_use]
    pub fn new(tenant: TenantId, permissions: Permissions) -> Self {
        Self { tenant, permissions, credential: None }
    }

    /// A caller whose credential was verified, as the [`Gate`](super::Gate) does.
    #[must_use]
    pub fn with_credential(credential: ApiId, permissions: Permissions) -> Self {
        Self { tenant: credential.tenant().clone(), permissions, credential: Some(credential) }
    }

    /// The tenant, where the caller has this permission.
    ///
    /// # Errors
    /// [`Denied`] names the permission that is lacking.
    pub fn permit(&self, permission: Permission) -> Result<&TenantId, Denied> {
        if self.permissions.contains(permission) { Ok(&self.tenant) } else { Err(Denied(permission)) }
    }

    /// The credential, for records of who did what. It names the tenant, so it stays in here.
    pub(crate) fn credential(&self) -> Option<&ApiId> {
        self.credential.as_ref()
    }

    /// The tenant's name for logs and metrics, which need no permission.
    #[must_use]
    pub fn tenant_name(&self) -> &str {
        self.tenant.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tenant_comes_out_only_with_a_permission_that_the_caller_has() {
        let caller = Caller::new(TenantId::parse("acme").unwrap(), [Permission::ReadFeeds].into_iter().collect());
        assert_eq!(caller.permit(Permission::ReadFeeds).unwrap().as_str(), "acme");
        assert_eq!(caller.permit(Permission::ReadConversations), Err(Denied(Permission::ReadConversations)));
    }
}

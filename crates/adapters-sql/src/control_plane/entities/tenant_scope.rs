//! The scope of a tenant, with which every query of an entity starts.

use parlance_domain::access::TenantId;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, Select};

/// A table whose rows belong to tenants.
pub(crate) trait TenantScoped: EntityTrait {
    /// The column of the tenant.
    const TENANT: Self::Column;
}

/// The rows of a tenant.
pub(crate) fn tenant_rows<E: TenantScoped>(tenant: &TenantId) -> Select<E> {
    rows_of(Some(tenant))
}

/// The rows of a tenant, or of all tenants.
pub(crate) fn rows_of<E: TenantScoped>(tenant: Option<&TenantId>) -> Select<E> {
    let rows = E::find();
    match tenant {
        Some(tenant) => rows.filter(E::TENANT.eq(tenant.as_str())),
        None => rows,
    }
}

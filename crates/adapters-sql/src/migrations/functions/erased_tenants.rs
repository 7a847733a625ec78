//! The triggers that refuse new rows of erased tenants, one for each table of the list (`subject_data.rs`).

use crate::{
    data_plane::conversations::statement::REFUSED_AS_ERASED,
    error::{TENANT_ERASED, TENANT_ERASED_TEXT},
    migrations::dialect::fill,
    subject_data::tables_fenced_by_trigger,
};

const POSTGRES: &str = include_str!("erased_tenants_v1_postgres.sql");

const POSTGRES_TRIGGER: &str = "
DROP TRIGGER IF EXISTS refuse_erased_tenant ON {TABLE};
CREATE TRIGGER refuse_erased_tenant AFTER INSERT ON {TABLE} REFERENCING NEW TABLE AS written FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_erased_tenant_v1();
";

/// The one writer of SQLite refuses the conversations of erased tenants.
const SQLITE_TRIGGER: &str = "
DROP TRIGGER IF EXISTS refuse_erased_tenant_in_{TABLE};
CREATE TRIGGER refuse_erased_tenant_in_{TABLE} AFTER INSERT ON {TABLE}
        WHEN EXISTS (SELECT 1 FROM tenant_erasures WHERE tenant_id = NEW.tenant_id)
        BEGIN
            SELECT RAISE(ABORT, '{TEXT}');
        END;
";

/// The functions and triggers for PostgreSQL.
pub(super) fn postgres() -> String {
    let functions = fill(POSTGRES, &[("{REFUSED}", REFUSED_AS_ERASED), ("{TENANT_ERASED}", TENANT_ERASED)]);
    functions
        + &tables_fenced_by_trigger().map(|table| fill(POSTGRES_TRIGGER, &[("{TABLE}", table)])).collect::<String>()
}

/// The triggers for SQLite.
pub(super) fn sqlite() -> String {
    let trigger = |table| fill(SQLITE_TRIGGER, &[("{TABLE}", table), ("{TEXT}", TENANT_ERASED_TEXT)]);
    tables_fenced_by_trigger().map(trigger).collect()
}

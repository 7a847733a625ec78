//! The check of erasures of tenants: whether one is not completed.

use parlance_adapters_sql::{Database, SqlTenantErasures};
use parlance_domain::privacy::{OpenTenantErasures, TenantErasureStore};

use super::check_result::{
    CheckResult,
    CheckResult::{Failed, Passed, Warning},
};

pub(super) async fn check_tenant_erasures(database: &Database) -> CheckResult {
    match SqlTenantErasures::new(database.clone()).open().await {
        Ok(open) => open.as_ref().map_or_else(|| Passed("none is open".to_owned()), judge),
        Err(error) => Failed(error.to_string()),
    }
}

fn judge(OpenTenantErasures { count, oldest_tenant, open_since }: &OpenTenantErasures) -> CheckResult {
    let are_open = if *count == 1 { "1 is open".to_owned() } else { format!("{count} are open, the oldest") };
    Warning(format!(
        "{are_open} since {open_since}, of the tenant {oldest_tenant}: unless the command is running, repeat `parlance \
         tenant erase --tenant {oldest_tenant}` with its other arguments, which takes it up"
    ))
}

#[cfg(test)]
mod tests {
    use parlance_domain::{access::TenantId, time::Timestamp};

    use super::*;

    fn text(count: u64) -> String {
        let oldest_tenant = TenantId::parse("acme").unwrap();
        match judge(&OpenTenantErasures { count, oldest_tenant, open_since: Timestamp::EPOCH }) {
            Warning(text) => text,
            Passed(text) | Failed(text) => panic!("no warning: {text}"),
        }
    }

    #[test]
    fn open_erasures_are_a_warning_with_their_number_the_oldest_and_what_to_do() {
        let since = "since 1970-01-01T00:00:00.000Z, of the tenant acme: ";
        assert!(text(1).starts_with(&format!("1 is open {since}")), "{}", text(1));
        assert!(text(3).starts_with(&format!("3 are open, the oldest {since}")), "{}", text(3));
        assert!(text(1).contains("repeat `parlance tenant erase --tenant acme`"), "{}", text(1));
    }
}

//! The check of the change log: whether a transaction holds up its readers.

use std::time::Duration;

use parlance_adapters_sql::{Database, SqlChangeLog};
use parlance_domain::event::{ChangeLog, LogStatus};

use super::check_result::{
    CheckResult,
    CheckResult::{Failed, Passed, Warning},
};

/// The age of an open transaction that is worth a warning. Writes of the program take milliseconds.
const LONG_TRANSACTION: Duration = Duration::from_secs(5);

pub(super) async fn check_change_log(database: &Database) -> CheckResult {
    match SqlChangeLog::new(database.clone()).status().await {
        Ok(status) => judge(&status),
        Err(error) => Failed(error.to_string()),
    }
}

fn judge(status: &LogStatus) -> CheckResult {
    match status.oldest_open_transaction {
        Some(age) if age >= LONG_TRANSACTION => Warning(format!(
            "a transaction that is open for {} seconds holds up the readers of events: find its session by \
             `SELECT * FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE locktype = 'advisory' ORDER BY xact_start`, \
             and end it",
            age.as_secs()
        )),
        _ => Passed("no transaction holds up the readers of events".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transaction_that_stays_open_is_a_warning() {
        let open_for =
            |seconds| LogStatus { oldest_open_transaction: Some(Duration::from_secs(seconds)), ..LogStatus::default() };
        assert!(matches!(judge(&open_for(5)), Warning(text) if text.contains("open for 5 seconds")));
        assert!(matches!(judge(&open_for(4)), Passed(_)));
        assert!(matches!(judge(&LogStatus::default()), Passed(_)));
    }
}

//! The checks of the servers of PostgreSQL: the role of each host, and the sessions and locks that the program relies on.

use std::collections::BTreeSet;

use parlance_adapters_sql::{Database, HostReport, HostRole, HostsReport, LockReport, SessionReport};

use super::check_result::{
    CheckResult,
    CheckResult::{Failed, Passed, Warning},
};

/// Judges the roles of the hosts.
pub(super) fn check_hosts(report: &HostsReport) -> CheckResult {
    let roles: Vec<_> = report.hosts.iter().map(describe).collect();
    let roles = roles.join("; ");
    let primaries: BTreeSet<_> = report.hosts.iter().filter_map(start_of_primary).collect();
    let is_standby = |host: &HostReport| matches!(host.role, Ok(HostRole::Standby | HostRole::ReadOnly));
    if primaries.len() > 1 {
        return Failed(format!("{roles}: several servers accept writes: stop all of them but the primary"));
    }
    if primaries.is_empty() {
        return Failed(format!("{roles}: no server accepts writes: start the primary, or promote the standby"));
    }
    if !report.requires_writable && report.hosts.iter().any(is_standby) {
        return Warning(format!("{roles}: add target_session_attrs=read-write to database_url, to skip a standby"));
    }
    if report.hosts.iter().any(|host| host.role.is_err()) {
        return Warning(format!("{roles}: no failover to a host that does not answer is possible"));
    }
    Passed(roles)
}

fn describe(host: &HostReport) -> String {
    let role = match &host.role {
        Ok(HostRole::Primary(_)) => "accepts writes",
        Ok(HostRole::ReadOnly) => "is read-only",
        Ok(HostRole::Standby) => "is a standby",
        Err(reason) => return format!("{} does not answer ({reason})", host.address),
    };
    format!("{} {role}", host.address)
}

fn start_of_primary(host: &HostReport) -> Option<&str> {
    if let Ok(HostRole::Primary(start)) = &host.role { Some(start) } else { None }
}

/// The check of sessions and locks; none on SQLite.
pub(super) async fn check_sessions(database: &Database) -> Option<CheckResult> {
    match database.inspect_sessions().await {
        Ok(report) => report.as_ref().map(judge_sessions),
        Err(error) => {
            let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
            Some(Failed(format!("cannot be compared ({cause}): check the server, and the pooler before it")))
        }
    }
}

fn judge_sessions(report: &SessionReport) -> CheckResult {
    if !report.keeps_session {
        return Failed(
            "a pooler hands each transaction to another session, so that settings, locks and prepared statements are \
             lost: set pool_mode = session"
                .to_owned(),
        );
    }
    let excludes = |lock: Option<LockReport>| lock.is_some_and(LockReport::excludes);
    if excludes(report.session_lock) && excludes(report.transaction_lock) {
        return Passed("each connection keeps its session, and advisory locks exclude each other".to_owned());
    }
    let engine = report.engine.split(',').next().unwrap_or_default();
    Failed(format!(
        "advisory locks do not exclude each other on {engine}, so that two migrations could run at once: this engine is \
         not supported, use PostgreSQL"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(address: &str, role: Result<HostRole, String>) -> HostReport {
        HostReport { address: address.to_owned(), role }
    }

    /// A primary that started at this time.
    fn primary(start: &str) -> HostRole {
        HostRole::Primary(start.into())
    }

    /// The word and the message of the check of two hosts.
    fn check(roles: [Result<HostRole, String>; 2], requires_writable: bool) -> (&'static str, String) {
        let [one, two] = roles;
        let hosts = vec![host("one:5432", one), host("two:5432", two)];
        word(check_hosts(&HostsReport { hosts, requires_writable }))
    }

    fn word(result: CheckResult) -> (&'static str, String) {
        match result {
            Passed(message) => ("ok", message),
            Warning(message) => ("warn", message),
            Failed(message) => ("FAIL", message),
        }
    }

    #[test]
    fn a_primary_and_a_standby_pass_with_their_roles() {
        let result = check([Ok(primary("a")), Ok(HostRole::Standby)], true);
        assert_eq!(result, ("ok", "one:5432 accepts writes; two:5432 is a standby".to_owned()));
    }

    #[test]
    fn a_standby_that_could_be_used_is_a_warning() {
        let (word, message) = check([Ok(primary("a")), Ok(HostRole::Standby)], false);
        assert!(word == "warn" && message.contains("target_session_attrs=read-write"), "{message}");
    }

    #[test]
    fn a_host_that_does_not_answer_is_a_warning() {
        let (word, message) = check([Err("Connection refused".to_owned()), Ok(primary("a"))], true);
        assert!(word == "warn" && message.contains("one:5432 does not answer (Connection refused)"), "{message}");
    }

    #[test]
    fn two_servers_that_accept_writes_are_a_failure() {
        assert_eq!(check([Ok(primary("a")), Ok(primary("b"))], true).0, "FAIL");
    }

    #[test]
    fn one_server_under_two_addresses_is_no_failure() {
        assert_eq!(check([Ok(primary("a")), Ok(primary("a"))], true).0, "ok");
    }

    #[test]
    fn no_server_that_accepts_writes_is_a_failure() {
        assert_eq!(check([Ok(HostRole::ReadOnly), Ok(HostRole::Standby)], true).0, "FAIL");
    }

    const EXCLUDING: LockReport = LockReport { first: true, second_while_held: false, second_after_release: true };

    fn sessions() -> SessionReport {
        let engine = "PostgreSQL 17.2 on x86_64-pc-linux-gnu, compiled by gcc".to_owned();
        let (session_lock, transaction_lock) = (Some(EXCLUDING), Some(EXCLUDING));
        SessionReport { engine, keeps_session: true, session_lock, transaction_lock }
    }

    #[test]
    fn sessions_and_locks_as_those_of_postgresql_pass() {
        assert_eq!(word(judge_sessions(&sessions())).0, "ok");
    }

    #[test]
    fn an_engine_whose_advisory_locks_exclude_nobody_is_not_supported() {
        let lock = Some(LockReport { second_while_held: true, ..EXCLUDING });
        let engine = "CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu, built 2024/05/15)".to_owned();
        let lax = SessionReport { engine, session_lock: lock, transaction_lock: lock, ..sessions() };
        let (word, message) = word(judge_sessions(&lax));
        assert!(word == "FAIL" && message.contains("CockroachDB CCL v24.1.0"), "{message}");
        assert!(message.contains("not supported"), "{message}");
    }

    #[test]
    fn an_engine_without_locks_of_transactions_is_not_supported() {
        let (word, message) = word(judge_sessions(&SessionReport { transaction_lock: None, ..sessions() }));
        assert!(word == "FAIL" && message.contains("not supported"), "{message}");
    }

    #[test]
    fn locks_of_transactions_must_exclude_too() {
        let transaction_lock = Some(LockReport { second_while_held: true, ..EXCLUDING });
        assert_eq!(word(judge_sessions(&SessionReport { transaction_lock, ..sessions() })).0, "FAIL");
    }

    #[test]
    fn a_pooler_in_transaction_mode_is_refused_with_advice() {
        let pooled = SessionReport { keeps_session: false, session_lock: None, transaction_lock: None, ..sessions() };
        let (word, message) = word(judge_sessions(&pooled));
        assert!(word == "FAIL" && message.contains("pool_mode = session"), "{message}");
    }
}

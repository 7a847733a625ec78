//! The check of the ledger of erasures: no server starts without it.

use parlance_domain::privacy::LedgerCheck;

use super::check_result::{
    CheckResult,
    CheckResult::{Failed, Passed, Warning},
};
use crate::{
    ledger::{read_all, unusable},
    ledger_location::open_ledger,
    settings::Settings,
    wiring::Stores,
};

/// Reads every object. Without a database that can be opened, it is not checked whether one is missing or forged.
pub(super) async fn check_ledger(settings: &Settings) -> CheckResult {
    let ledger = match open_ledger(settings) {
        Ok(Some(ledger)) => ledger,
        Ok(None) => {
            return Warning(
                "none: a database that is restored from a backup holds again what was erased since: set ledger_url"
                    .to_owned(),
            );
        }
        Err(error) => return Failed(format!("{error:#}")),
    };
    let Ok(stores) = Stores::open(settings, false).await else {
        return match read_all(&ledger).await {
            Ok(objects) => Passed(format!("can be read, objects: {objects}")),
            Err(error) => Failed(format!("{error:#}")),
        };
    };
    let result = match stores.ledger(settings) {
        Ok(Some(ledger)) => ledger.check().await.map_err(unusable),
        Ok(None) => Ok(LedgerCheck::default()),
        Err(error) => Err(error),
    };
    // Nothing was written, so a failure to close does not matter.
    let _ = stores.database.close().await;
    result.map_or_else(|error| Failed(format!("{error:#}")), judge)
}

fn judge(LedgerCheck { objects, missing_objects, unauthenticated_objects }: LedgerCheck) -> CheckResult {
    if missing_objects > 0 {
        return Warning(format!(
            "lacks objects that the database has written to it: {missing_objects}: if the database was restored, what was \
             erased after its backup is given out: set ledger_url to the ledger or put its folder back, and start the server \
             again"
        ));
    }
    if unauthenticated_objects > 0 {
        return Warning(format!(
            "can be read, objects: {objects}, but of an earlier release, of another master key or changed: \
             {unauthenticated_objects}: a database that is restored from an older backup refuses these: `parlance privacy \
             apply-ledger --help` says how to accept them"
        ));
    }
    Passed(format!("can be read, objects: {objects}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_that_are_missing_or_have_no_valid_code_are_warnings_with_their_number() {
        let check = LedgerCheck { objects: 5, missing_objects: 0, unauthenticated_objects: 2 };
        for (check, expected) in [
            (check, "can be read, objects: 5, but of an earlier release, of another master key or changed: 2: "),
            (LedgerCheck { missing_objects: 3, ..check }, "lacks objects that the database has written to it: 3: "),
        ] {
            match judge(check) {
                Warning(text) => assert!(text.starts_with(expected), "{text}"),
                Passed(text) | Failed(text) => panic!("no warning: {text}"),
            }
        }
    }
}

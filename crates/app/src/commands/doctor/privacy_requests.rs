//! The check of privacy requests: whether the stored row of an open one is invalid.

use parlance_domain::privacy::{InvalidPrivacyRequest, InvalidRequests};

use super::check_result::{
    CheckResult,
    CheckResult::{Failed, Passed, Warning},
    MAX_PRINTED_NAMES,
};

pub(super) async fn check_privacy_requests(requests: &InvalidRequests) -> CheckResult {
    match requests.list().await {
        Ok(invalid) if invalid.is_empty() => Passed("the rows of all open ones are valid".to_owned()),
        Ok(invalid) => Warning(describe(&invalid)),
        Err(error) => Failed(error.to_string()),
    }
}

/// One line about these requests. Their texts can contain anything.
fn describe(invalid: &[InvalidPrivacyRequest]) -> String {
    let name = |InvalidPrivacyRequest { tenant, id, error }: &InvalidPrivacyRequest| {
        format!(
            "`--tenant {} --request {}` ({})",
            tenant.escape_debug(),
            id.escape_debug(),
            cause(error).escape_debug()
        )
    };
    let named = invalid.iter().take(MAX_PRINTED_NAMES).map(name).collect::<Vec<_>>().join(", ");
    format!(
        "open requests that cannot be carried out, because their stored rows are invalid: {}: {named}: unless a newer release \
         wrote the rows, mend them, or end each request by `parlance privacy fail` with these arguments",
        invalid.len()
    )
}

/// The causes of an error, which name the table, the row and the column.
fn cause(error: &parlance_domain::error::StoreError) -> String {
    let causes = std::iter::successors(std::error::Error::source(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use parlance_domain::error::{StoreError, StoreErrorKind};

    use super::*;

    #[test]
    fn invalid_requests_are_named_in_one_line_with_the_arguments_that_end_them() {
        let invalid = |id: &str| InvalidPrivacyRequest {
            tenant: "acme".to_owned(),
            id: id.to_owned(),
            error: StoreError::new(StoreErrorKind::Corrupt, "privacy_requests.kind"),
        };
        let text = describe(&[invalid("A"), invalid("B\nC")]);
        assert!(text.contains("invalid: 2: `--tenant acme --request A` (privacy_requests.kind), "), "{text}");
        assert!(text.contains(r"--request B\nC") && text.lines().count() == 1, "{text}");
    }
}

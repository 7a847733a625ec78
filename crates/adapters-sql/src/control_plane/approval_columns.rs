//! The columns of an approval: `reference`, `first_approver` and `second_approver`.

use parlance_domain::{
    error::StoreError,
    redaction::{Approval, Approver, ChangeReference},
};

use crate::error::corrupt;

/// The values of the columns, all empty without an approval.
pub(crate) fn columns(approval: Option<&Approval>) -> [Option<&str>; 3] {
    let approver = |index: usize| approval.and_then(|approval| approval.approvers().get(index)).map(Approver::as_str);
    [approval.map(|approval| approval.reference().as_str()), approver(0), approver(1)]
}

/// The approval in these columns of a row.
///
/// # Errors
/// If a value is not valid, or the approvers are one person. The error names the table, the column and the row.
pub(crate) fn restore(
    (table, row): (&'static str, &str),
    reference: &str,
    [first, second]: [&str; 2],
) -> Result<Approval, StoreError> {
    let reference = ChangeReference::restore(reference).map_err(|error| corrupt(table, "reference", row, error))?;
    let first = Approver::restore(first).map_err(|error| corrupt(table, "first_approver", row, error))?;
    let second = Approver::restore(second).map_err(|error| corrupt(table, "second_approver", row, error))?;
    Approval::restore(reference, first, second).map_err(|error| corrupt(table, "second_approver", row, error))
}

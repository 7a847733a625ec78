//! The approval that an operator gives by `--reference` and `--approved-by`.

use anyhow::anyhow;
use parlance_domain::redaction::{Approval, Approver, ChangeReference};

use super::{EXIT_INVALID_ARGUMENTS, ExitError};

/// The approval by these people, who must be two.
///
/// # Errors
/// [`EXIT_INVALID_ARGUMENTS`] for another number of names; another error if both are one person.
pub(super) fn approval(reference: ChangeReference, approvers: Vec<Approver>) -> anyhow::Result<Approval> {
    let [first, second]: [Approver; 2] = approvers.try_into().map_err(|_| ExitError {
        code: EXIT_INVALID_ARGUMENTS,
        message: "--approved-by must be given twice, for two people".to_owned(),
    })?;
    Approval::new(reference, first, second).map_err(|error| anyhow!("--approved-by: {error}"))
}

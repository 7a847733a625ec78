//! The approval of a change by two people.

use crate::{
    limits::{
        APPROVER_MAX_CHARACTERS, APPROVER_MIN_LETTERS, CHANGE_REFERENCE_MAX_CHARACTERS,
        CHANGE_REFERENCE_MIN_LETTERS_AND_DIGITS,
    },
    text::{Violation, check_identifier},
};

use super::person::{count_letters, count_letters_and_digits, may_be_same_person};

/// The reason why a text is not a valid reference or approver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidApproval {
    /// The text is too long, empty or holds a control character.
    #[error(transparent)]
    Text(#[from] Violation),
    /// The name has too few letters.
    #[error("must have at least {0} letters")]
    TooFewLetters(usize),
    /// The reference has too few letters and digits.
    #[error("must have at least {0} letters or digits")]
    TooFewLettersAndDigits(usize),
}

macro_rules! named_text {
    ($(#[$doc:meta])* $name:ident, $max:expr, $rule:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(Box<str>);

        impl $name {
            /// Parses the text after trimming spaces at both ends.
            ///
            /// # Errors
            /// The first rule that the text breaks.
            pub fn parse(text: &str) -> Result<Self, InvalidApproval> {
                let restored = Self::restore(text)?;
                let rule: fn(&str) -> Result<(), InvalidApproval> = $rule;
                rule(restored.as_str())?;
                Ok(restored)
            }

            /// Parses a stored text, which may be older than the rule about letters.
            ///
            /// # Errors
            /// The rule about length or characters that the text breaks.
            pub fn restore(text: &str) -> Result<Self, Violation> {
                let text = text.trim();
                check_identifier(text, $max)?;
                Ok(Self(text.into()))
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
    };
}

named_text!(
    /// The reference of a change approval, such as a ticket number: 1 to 256 characters, no control characters, at
    /// least three letters or digits.
    ChangeReference,
    CHANGE_REFERENCE_MAX_CHARACTERS,
    |text| {
        let min = CHANGE_REFERENCE_MIN_LETTERS_AND_DIGITS;
        if count_letters_and_digits(text) < min { Err(InvalidApproval::TooFewLettersAndDigits(min)) } else { Ok(()) }
    }
);

named_text!(
    /// The name of a person who approved a change: 1 to 128 characters, no control characters, at least two letters.
    Approver,
    APPROVER_MAX_CHARACTERS,
    |text| {
        let min = APPROVER_MIN_LETTERS;
        if count_letters(text) < min { Err(InvalidApproval::TooFewLetters(min)) } else { Ok(()) }
    }
);

/// An approval by two people, with its reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    reference: ChangeReference,
    approvers: [Approver; 2],
}

/// The error for an approval whose two approvers may be the same person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the two approvers must be two people")]
pub struct SameApprover;

impl Approval {
    /// Creates an approval by two approvers.
    ///
    /// # Errors
    /// [`SameApprover`] if the names look alike: they differ only in case, spaces, punctuation, accents, invisible
    /// characters, or letters that look the same in two scripts.
    pub fn new(reference: ChangeReference, first: Approver, second: Approver) -> Result<Self, SameApprover> {
        if may_be_same_person(first.as_str(), second.as_str()) {
            return Err(SameApprover);
        }
        Ok(Self { reference, approvers: [first, second] })
    }

    /// Restores a stored approval, which may be older than the rule of [`new`](Self::new).
    ///
    /// # Errors
    /// [`SameApprover`] if the names differ only in letter case.
    pub fn restore(reference: ChangeReference, first: Approver, second: Approver) -> Result<Self, SameApprover> {
        if first.as_str().to_lowercase() == second.as_str().to_lowercase() {
            return Err(SameApprover);
        }
        Ok(Self { reference, approvers: [first, second] })
    }

    /// The reference of the approval.
    #[must_use]
    pub fn reference(&self) -> &ChangeReference {
        &self.reference
    }

    /// The two approvers.
    #[must_use]
    pub fn approvers(&self) -> &[Approver; 2] {
        &self.approvers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn approval(first: &str, second: &str) -> Result<Approval, SameApprover> {
        let approver = |name| Approver::parse(name).unwrap();
        Approval::new(ChangeReference::parse("CHG-1").unwrap(), approver(first), approver(second))
    }

    #[test]
    fn an_approval_names_two_people() {
        let approval = approval(" Ada ", "Grace").unwrap();
        assert_eq!(approval.approvers().each_ref().map(Approver::as_str), ["Ada", "Grace"]);
    }

    #[test]
    fn another_spelling_of_a_name_is_the_same_person() {
        assert_eq!(approval("Ada", " АDA "), Err(SameApprover));
    }

    #[test]
    fn a_name_needs_two_letters() {
        for (name, wrong) in [
            ("\t", InvalidApproval::Text(Violation::MinCharacters(1))),
            ("A", InvalidApproval::TooFewLetters(2)),
            ("A1", InvalidApproval::TooFewLetters(2)),
            ("--", InvalidApproval::TooFewLetters(2)),
            ("\u{3164}\u{3164}", InvalidApproval::TooFewLetters(2)),
        ] {
            assert_eq!(Approver::parse(name), Err(wrong), "{name:?}");
        }
        assert!(["Bo", "李明", "Ө. Ж."].iter().all(|name| Approver::parse(name).is_ok()));
    }

    #[test]
    fn a_reference_needs_three_letters_or_digits() {
        for (reference, wrong) in [
            ("  ", InvalidApproval::Text(Violation::MinCharacters(1))),
            ("-", InvalidApproval::TooFewLettersAndDigits(3)),
            ("#12", InvalidApproval::TooFewLettersAndDigits(3)),
        ] {
            assert_eq!(ChangeReference::parse(reference), Err(wrong), "{reference:?}");
        }
        assert!(["CHG-1", "#123", "abc"].iter().all(|reference| ChangeReference::parse(reference).is_ok()));
    }

    #[test]
    fn stored_approvals_are_restored_by_the_older_rules() {
        assert!(ChangeReference::restore("-").is_ok() && Approver::restore("A").is_ok());
        let restored = |first, second| {
            let approver = |name| Approver::restore(name).unwrap();
            Approval::restore(ChangeReference::restore("-").unwrap(), approver(first), approver(second))
        };
        assert!(restored("Ana", "Аna").is_ok());
        assert_eq!(restored("Ana", "ANA"), Err(SameApprover));
    }
}

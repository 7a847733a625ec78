//! The approval of a change by two people.

use crate::{
    limits::{
        APPROVER_MAX_CHARACTERS, APPROVER_MIN_LETTERS, CHANGE_REFERENCE_MAX_CHARACTERS,
        CHANGE_REFERENCE_MIN_LETTERS_AND_DIGITS,
    },
    text::{Violation, check_identifier},
};

use super::person::{letters, letters_and_digits, may_be_one_person};

/// Why a text is no reference or no approver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidApproval {
    /// The text is too long, empty or holds a control character.
    #[error(transparent)]
    Text(#[from] Violation),
    /// A name has too few letters.
    #[error("must have at least {0} letters")]
    FewLetters(usize),
    /// A reference has too few letters and digits.
    #[error("must have at least {0} letters or digits")]
    FewLettersAndDigits(usize),
}

macro_rules! named_text {
    ($(#[$doc:meta])* $name:ident, $max:expr, $rule:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(Box<str>);

        impl $name {
            /// Reads it; spaces at both ends are dropped.
            ///
            /// # Errors
            /// The first rule that the text breaks.
            pub fn parse(text: &str) -> Result<Self, InvalidApproval> {
                let known = Self::restore(text)?;
                let rule: fn(&str) -> Result<(), InvalidApproval> = $rule;
                rule(known.as_str())?;
                Ok(known)
            }

            /// Reads one that is on record, which may be older than the rule for letters.
            ///
            /// # Errors
            /// The rule of length or of characters that the text breaks.
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
    /// Where the approval of a change is filed, such as the number of a ticket: 1 to 256 characters, none of them a
    /// control character, at least three of them letters or digits.
    ChangeReference,
    CHANGE_REFERENCE_MAX_CHARACTERS,
    |text| {
        let least = CHANGE_REFERENCE_MIN_LETTERS_AND_DIGITS;
        if letters_and_digits(text) < least { Err(InvalidApproval::FewLettersAndDigits(least)) } else { Ok(()) }
    }
);

named_text!(
    /// Someone who approved a change: 1 to 128 characters, none of them a control character, at least two of them
    /// letters.
    Approver,
    APPROVER_MAX_CHARACTERS,
    |text| {
        let least = APPROVER_MIN_LETTERS;
        if letters(text) < least { Err(InvalidApproval::FewLetters(least)) } else { Ok(()) }
    }
);

/// An approval by two people: a reference, and who they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    reference: ChangeReference,
    approvers: [Approver; 2],
}

/// One person cannot approve twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the two approvers must be two people")]
pub struct SameApprover;

impl Approval {
    /// An approval by these two.
    ///
    /// # Errors
    /// [`SameApprover`] where the names look alike: they differ in case, spaces, punctuation, accents, invisible
    /// characters, or letters that are drawn alike in two scripts.
    pub fn new(reference: ChangeReference, first: Approver, second: Approver) -> Result<Self, SameApprover> {
        if may_be_one_person(first.as_str(), second.as_str()) {
            return Err(SameApprover);
        }
        Ok(Self { reference, approvers: [first, second] })
    }

    /// An approval that is on record, which may be older than the rule of [`new`](Self::new).
    ///
    /// # Errors
    /// [`SameApprover`] where the names differ in nothing but upper and lower case.
    pub fn restore(reference: ChangeReference, first: Approver, second: Approver) -> Result<Self, SameApprover> {
        if first.as_str().to_lowercase() == second.as_str().to_lowercase() {
            return Err(SameApprover);
        }
        Ok(Self { reference, approvers: [first, second] })
    }

    /// Where it is filed.
    #[must_use]
    pub fn reference(&self) -> &ChangeReference {
        &self.reference
    }

    /// Who approved.
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
    fn two_people_approve() {
        let approval = approval(" Ada ", "Grace").unwrap();
        assert_eq!(approval.approvers().each_ref().map(Approver::as_str), ["Ada", "Grace"]);
    }

    #[test]
    fn one_person_does_not_become_two_by_another_spelling() {
        assert_eq!(approval("Ada", " АDA "), Err(SameApprover));
    }

    #[test]
    fn a_name_has_two_letters() {
        for (name, wrong) in [
            ("\t", InvalidApproval::Text(Violation::MinCharacters(1))),
            ("A", InvalidApproval::FewLetters(2)),
            ("A1", InvalidApproval::FewLetters(2)),
            ("--", InvalidApproval::FewLetters(2)),
            ("\u{3164}\u{3164}", InvalidApproval::FewLetters(2)),
        ] {
            assert_eq!(Approver::parse(name), Err(wrong), "{name:?}");
        }
        assert!(["Bo", "李明", "Ө. Ж."].iter().all(|name| Approver::parse(name).is_ok()));
    }

    #[test]
    fn a_reference_has_three_letters_or_digits() {
        for (reference, wrong) in [
            ("  ", InvalidApproval::Text(Violation::MinCharacters(1))),
            ("-", InvalidApproval::FewLettersAndDigits(3)),
            ("#12", InvalidApproval::FewLettersAndDigits(3)),
        ] {
            assert_eq!(ChangeReference::parse(reference), Err(wrong), "{reference:?}");
        }
        assert!(["CHG-1", "#123", "abc"].iter().all(|reference| ChangeReference::parse(reference).is_ok()));
    }

    #[test]
    fn what_is_on_record_is_read_by_the_rule_of_its_time() {
        assert!(ChangeReference::restore("-").is_ok() && Approver::restore("A").is_ok());
        let restored = |first, second| {
            let approver = |name| Approver::restore(name).unwrap();
            Approval::restore(ChangeReference::restore("-").unwrap(), approver(first), approver(second))
        };
        assert!(restored("Ana", "Аna").is_ok());
        assert_eq!(restored("Ana", "ANA"), Err(SameApprover));
    }
}

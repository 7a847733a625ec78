//! What a message is about, if it speaks of a code without its name: of something that a PIN opens, or of the card on which
//! a code is printed.

use super::code_number::CodeNumber;
use super::other_meaning::is_place_number;
use super::unexplained::UnexplainedNumber;
use super::words::is_number_or_mask;
use crate::entity::Entity;
use crate::numbers::{CARD_CODE_DIGITS, SSN_DIGITS};
use crate::tables::topic_words::{class, classes_at};
use crate::tokenize::{TokenKind, Tokens};

/// Digits of the PIN of most cards, and of the code of a few.
const CARD_PIN_DIGITS: usize = 4;
/// Digits of the longest PIN of a card.
pub(super) const MAX_CARD_PIN: usize = 6;

/// What the words of a message are about.
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent property")]
#[derive(Default)]
pub(crate) struct Topic {
    classes: u64,
    /// Words for what may be opened.
    doors: usize,
    /// Whether "three digits", or "the three" at the end of a phrase, is said.
    has_three: bool,
    /// Whether "nine digits" is said.
    has_nine: bool,
    /// Whether a side of a card is named.
    has_side: bool,
    /// Whether telephone banking is named.
    is_of_banking: bool,
}

impl Topic {
    pub(super) fn of(tokens: &Tokens<'_>, code: &CodeNumber) -> Self {
        let mut topic = Self::default();
        topic.add(tokens, code.first..code.after);
        topic
    }

    /// Adds what a message is about. The tokens of a number are left out.
    pub(crate) fn add(&mut self, tokens: &Tokens<'_>, number: std::ops::Range<usize>) {
        let mut before = 0;
        for at in (0..tokens.len()).filter(|at| !number.contains(at)) {
            let (own, next) = (classes_at(tokens, at), tokens.at(at + 1));
            self.classes |= own;
            self.doors += usize::from(own & class::MAYBE_OPENED != 0 && !is_place_number(tokens, at));
            self.has_side |= own & class::SIDE != 0 && before & class::ON != 0;
            self.is_of_banking |= own & class::BANKING != 0 && before & class::PHONE != 0;
            let ends =
                || next.kind != TokenKind::Word && !is_number_or_mask(next) && !is_number_or_mask(tokens.before(at));
            self.has_three |= own & class::THREE != 0 && (classes_at(tokens, at + 1) & class::DIGITS != 0 || ends());
            self.has_nine |= own & class::NINE != 0 && classes_at(tokens, at + 1) & class::DIGITS != 0;
            before = own;
        }
    }

    fn has(&self, classes: u64) -> bool {
        self.classes & classes != 0
    }

    /// Whether a message speaks of something that a PIN opens.
    fn is_of_door(&self) -> bool {
        self.has(class::OPENED) || self.is_of_banking || self.doors > 1 || self.doors > 0 && self.has(class::LOCK)
    }

    /// Whether a message asks to say a number once more.
    pub(crate) fn asks_to_repeat(&self) -> bool {
        self.has(class::REPEAT)
    }

    /// The code that a number is, if the messages speak of one.
    pub(crate) fn entity(&self, number: UnexplainedNumber) -> Option<Entity> {
        let UnexplainedNumber { code, is_object, is_of_verb, ends_in_zero, may_be_amount } = number;
        if self.has(class::OTHER) {
            return None;
        }
        let is_print = self.has(class::PRINT) || self.has_side;
        let is_amount = may_be_amount && self.has(class::AMOUNT);
        let is_card = self.has(class::CARD) && !is_amount && (is_print || !ends_in_zero);
        let is_card_pin = is_card && is_object && self.has(class::MACHINE | class::KEPT);
        let is_door = !is_amount && (self.is_of_door() || self.doors > 0 && is_object);
        let is_pin = is_door && (is_object || code.digits <= MAX_CARD_PIN)
            || is_card_pin && code.digits <= MAX_CARD_PIN
            || is_card && is_of_verb && code.digits == CARD_PIN_DIGITS && !self.has(class::NUMBERED);
        let is_ssn = self.has(class::GOVERNMENT) || self.has_nine;
        match code.digits {
            CARD_CODE_DIGITS if is_print || self.has_three || is_card => Some(Entity::CVV),
            CARD_PIN_DIGITS if is_card && is_print => Some(Entity::CVV),
            CARD_PIN_DIGITS..SSN_DIGITS if is_pin => Some(Entity::PIN),
            SSN_DIGITS if is_ssn => Some(Entity::SSN),
            _ => None,
        }
    }
}

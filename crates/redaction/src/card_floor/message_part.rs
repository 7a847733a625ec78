//! What a message can add to a number that is dictated over several messages.

use super::mask_width::is_tag;
use super::symbols;
use crate::cross_message::other_number;
use crate::cues::Cues;
use crate::entity::Entity;
use crate::numbers::asr_homophones;
use crate::tokenize::words::flag;
use crate::tokenize::{Token, TokenBuffer, TokenKind, TokenizedText, Tokens};

/// Bytes of the mask of a secret, whose length says nothing.
const SECRET_MASK_BYTES: usize = 8;
/// Words that lead to the next digits: "the next digit is 3", "followed by 42".
const LEAD_WORDS: [&str; 15] = [
    "next", "digit", "digits", "number", "numbers", "ones", "after", "followed", "by", "would", "be", "comes", "group",
    "part", "that",
];
/// Maximum words of a message beside its digits.
const MAX_FILLERS: usize = 10;
/// Words that may stand beside the digits of a dictated number.
const FILLERS: u32 = flag::FILLER | flag::AND | flag::CONNECTOR | flag::STOPWORD | flag::SPOKEN_MARK;
/// Maximum words of a remark.
const MAX_REMARK_WORDS: usize = 14;

/// What a message can add to a number that is dictated over several messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberRunPart {
    /// Digits, and nothing but fillers beside them. The digits may be masked.
    Digits,
    /// Only fillers or marks, such as "uh".
    Fillers,
    /// A few words without a digit, such as "sorry, the dog is barking". One or two of them by the speaker of the number
    /// do not end it.
    Remark,
    /// Other words, which end the number.
    Other,
}

impl NumberRunPart {
    /// The part that a text is.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut buffer = TokenBuffer::new();
        Self::of_tokens(&TokenizedText::new(text, &mut buffer))
    }

    pub(super) fn of_tokens(text: &TokenizedText<'_>) -> Self {
        let tokens = text.tokens();
        let fillers = |token: &&Token| token.kind == TokenKind::Word && token.flags & flag::NUMBER == 0;
        let has_value = |at: usize| {
            let token = tokens.at(at);
            matches!(token.kind, TokenKind::Digits | TokenKind::Mask)
                || token.flags & flag::NUMBER != 0 && !is_moment(&tokens, at)
        };
        let words = tokens.as_slice().iter().filter(|token| token.kind == TokenKind::Word).count();
        let is_remark = (1..=MAX_REMARK_WORDS).contains(&words)
            && !text.features.may_have_folded_digits
            && !names_other_value(text)
            && !(0..tokens.len()).any(has_value);
        if is_remark && !(0..tokens.len()).all(|at| may_be_in_number(&tokens, at)) {
            return Self::Remark;
        }
        if is_secret_mask(&tokens)
            || !(0..tokens.len()).all(|at| may_be_in_number(&tokens, at))
            || tokens.as_slice().iter().filter(fillers).count() > MAX_FILLERS && !text.features.may_have_folded_digits
            || other_number::first_number_is_named_as_other(text)
        {
            return Self::Other;
        }
        let may_have_digits = text.has_numbers()
            || text.features.may_have_folded_digits
            || tokens.as_slice().iter().any(|token| token.kind == TokenKind::Mask);
        if may_have_digits { Self::Digits } else { Self::Fillers }
    }
}

/// Whether a message is only the mask of a secret, or of as many digits.
pub(super) fn is_secret_mask(tokens: &Tokens<'_>) -> bool {
    matches!(tokens.as_slice(), [only] if only.kind == TokenKind::Mask && only.byte_len() == SECRET_MASK_BYTES)
}

/// Whether a token may stand in a message that is nothing but digits and fillers.
pub(super) fn may_be_in_number(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    if token.kind != TokenKind::Word {
        return true;
    }
    let is_filler = token.flags & (FILLERS | flag::NUMBER) != 0 && token.flags & flag::UNIT == 0;
    let leads = || LEAD_WORDS.iter().any(|word| word.eq_ignore_ascii_case(tokens.str(token)));
    is_filler || leads() || asr_homophones::value(token).is_some() || is_tag(tokens, at) || {
        let word = tokens.str(token);
        word.bytes().all(|byte| symbols::look_alike(byte).is_some())
            || !word.is_ascii() && word.chars().all(|c| symbols::number(c).is_some() || symbols::is_decoration(c))
    }
}

/// Whether a text names a value that is no card number.
pub(super) fn names_other_value(text: &TokenizedText<'_>) -> bool {
    text.features.word_flags & flag::CUE_HEAD != 0
        && Cues::find_all(&text.tokens())
            .as_slice()
            .iter()
            .any(|cue| !cue.entities.contains(Entity::CREDIT_CARD_NUMBER))
}

/// Whether a number word counts moments: "one second", "one moment".
fn is_moment(tokens: &Tokens<'_>, at: usize) -> bool {
    const MOMENTS: [&str; 6] = ["second", "sec", "moment", "minute", "min", "more"];
    let next = tokens.at(at + 1);
    next.kind == TokenKind::Word && MOMENTS.iter().any(|word| word.eq_ignore_ascii_case(tokens.str(next)))
}

//! Numbers as long as a code that no word of their sentence explains: noun phrases by themselves, which are no amount, year
//! or time and which no noun names or counts.

use super::code_number::{self, CodeNumber};
use super::other_meaning::has_other_meaning;
use super::words::{is, is_number_or_mask};
use crate::tables::topic_words::{class, classes_at};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Tokens of the longest message that is read so.
const MAX_TOKENS: usize = 70;
/// Words between a number and the word before it that shows its part in the sentence.
const MAX_SKIPPED: usize = 2;
/// Tokens on either side of a number in which a word for an amount explains it.
const AMOUNT_REACH: usize = 4;
/// Tokens before a number in which a percentage makes it an amount: "15% off, so that's 2975".
const PERCENTAGE_REACH: usize = 8;
/// Tokens between a verb of giving and its object: "gave the man on the phone 4821".
const MAX_RECIPIENT: usize = 6;

/// A number that nothing explains.
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent property")]
#[derive(Clone, Copy)]
pub(crate) struct UnexplainedNumber {
    pub(crate) code: CodeNumber,
    /// Whether it is the object of a verb or follows a noun for a code: "i put 4821", "combination 4821".
    pub(super) is_object: bool,
    /// Whether it is the object of another verb than "be".
    pub(super) is_of_verb: bool,
    /// Whether it ends in 0.
    pub(super) ends_in_zero: bool,
    /// Whether it ends in 0 or 5, as most amounts do.
    pub(super) may_be_amount: bool,
}

/// The first number of a text that nothing explains.
pub(crate) fn unexplained_number(tokens: &Tokens<'_>) -> Option<UnexplainedNumber> {
    let begins = |at: &usize| is_number_or_mask(tokens.at(*at)) && !(*at > 0 && is_number_or_mask(tokens.before(*at)));
    let number = (0..tokens.len()).filter(begins).find_map(|at| at_token(tokens, at))?;
    (!is_explained(tokens, &number.code)).then_some(number)
}

/// The number that begins at a token, if it is a noun phrase by itself and no year.
pub(super) fn at_token(tokens: &Tokens<'_>, first: usize) -> Option<UnexplainedNumber> {
    let is_part = first > 0 && tokens.at(first).gap == Gap::None && tokens.before(first).kind != TokenKind::Mark;
    if tokens.len() > MAX_TOKENS || is_part {
        return None;
    }
    let code = code_number::up_to_nine_digits(tokens, first)?;
    let preceding = Preceding::before(tokens, first)?;
    let is_near = |back: usize| first >= back && is_number_or_mask(tokens.at(first - back));
    let continues = preceding == Preceding::Start && tokens.at(first).gap < Gap::Line && (1..=2).any(is_near);
    if continues || !ends_phrase(tokens, code.after) || is_hundreds_or_year(tokens, &code) {
        return None;
    }
    let text = tokens.str(tokens.at(first));
    let (ends_in_zero, may_be_amount) = (text.ends_with('0'), text.ends_with(['0', '5']));
    let is_object = matches!(preceding, Preceding::Object | Preceding::Verb);
    Some(UnexplainedNumber { code, is_object, is_of_verb: preceding == Preceding::Verb, ends_in_zero, may_be_amount })
}

/// Whether a number of three to nine digits begins at a token, and words near it say that it is no code.
pub(crate) fn is_explained_number(tokens: &Tokens<'_>, first: usize) -> bool {
    code_number::up_to_nine_digits(tokens, first).is_some_and(|code| is_explained(tokens, &code))
}

/// Whether a number of three to nine digits begins at a token, and words beside it give it another meaning than a code.
pub(crate) fn means_something_else(tokens: &Tokens<'_>, first: usize) -> bool {
    code_number::up_to_nine_digits(tokens, first).is_some_and(|code| has_other_meaning(tokens, &code))
}

/// Whether the digits at a token are whole hundreds, as amounts are, or a year.
pub(crate) fn is_round_or_year(tokens: &Tokens<'_>, first: usize) -> bool {
    code_number::up_to_nine_digits(tokens, first).is_some_and(|code| is_hundreds_or_year(tokens, &code))
}

/// Whether words near a number say that it is an amount, or names another number.
pub(super) fn is_explained(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    const OTHERS: u64 = class::AMOUNT | class::OTHER | class::BESIDE;
    let near = (code.first.saturating_sub(AMOUNT_REACH)..code.first).chain(code.after..code.after + AMOUNT_REACH);
    let has_percentage =
        || (code.first.saturating_sub(PERCENTAGE_REACH)..code.first).any(|at| tokens.at(at).is_mark(b'%'));
    near.into_iter().any(|at| classes_at(tokens, at) & OTHERS != 0)
        || has_percentage()
        || has_other_meaning(tokens, code)
}

/// What is before a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Preceding {
    /// A verb or noun that a code follows: "i put 4821", "combination 4821".
    Verb,
    /// A form of "be", or a verb with its recipient: "it's 4821".
    Object,
    /// The start of a message, line or clause.
    Start,
    /// A word of grammar: "and 4821".
    Grammar,
}

impl Preceding {
    fn before(tokens: &Tokens<'_>, number: usize) -> Option<Self> {
        let mut at = number;
        loop {
            if at == 0 || tokens.at(at).gap >= Gap::Line {
                return Some(Self::Start);
            }
            let (token, classes) = (tokens.before(at), classes_at(tokens, at - 1));
            let is_skipped = classes & class::SKIPPED != 0 || token.flags & flag::FILLER != 0;
            match token.kind {
                TokenKind::Mark if is_open(token) => return Some(Self::Start),
                TokenKind::Word if classes & class::TAKES != 0 => {
                    // "my locker is number 1204", "the certificate is number 20718"
                    let numbers = classes & class::NUMBERED != 0 && at > 1 && is_be(tokens, at - 2);
                    return (!numbers).then_some(Self::Verb);
                }
                TokenKind::Word if is_be(tokens, at - 1) && follows_lock(tokens, at - 1) => return Some(Self::Object),
                TokenKind::Word if is_be(tokens, at - 1) && at > 1 && is_thing(tokens, at - 2) => return None,
                TokenKind::Word if is_be(tokens, at - 1) => return Some(Self::Object),
                TokenKind::Word if classes & class::BEFORE != 0 => return Some(Self::Grammar),
                TokenKind::Word if number - at < MAX_SKIPPED && is_skipped => at -= 1,
                TokenKind::Word if is_given(tokens, number) => return Some(Self::Object),
                TokenKind::Word | TokenKind::Digits | TokenKind::Mark | TokenKind::Mask | TokenKind::Edge => {
                    return None;
                }
            }
        }
    }
}

/// Whether a form of "be" is at a token.
fn is_be(tokens: &Tokens<'_>, at: usize) -> bool {
    const FORMS: [&str; 8] = ["s", "its", "Its", "be", "been", "est", "ist", "era"];
    let token = tokens.at(at);
    token.flags & flag::COPULA != 0 || FORMS.contains(&tokens.str(token))
}

/// Whether what is opened is at a token: "my locker is 1204" says which one it is.
fn is_thing(tokens: &Tokens<'_>, at: usize) -> bool {
    classes_at(tokens, at) & (class::OPENED | class::MAYBE_OPENED) != 0
}

/// Whether a lock, which has no number but its code, is the subject of the verb at a token: "the padlock on the shed is".
fn follows_lock(tokens: &Tokens<'_>, verb: usize) -> bool {
    const REACH: usize = 6;
    const LOCKS: [&str; 8] =
        ["padlock", "keypad", "lockbox", "keysafe", "keybox", "deadbolt", "vorhangeschloss", "candado"];
    let is_near = |at: &usize| tokens.at(*at).kind == TokenKind::Word && tokens.at(at + 1).gap <= Gap::Space;
    (verb.saturating_sub(REACH)..verb).rev().take_while(is_near).any(|at| is(tokens, tokens.at(at), &LOCKS))
}

/// Whether only the words for a person are between a verb of giving and a number: "gave the lad on the phone 4821".
fn is_given(tokens: &Tokens<'_>, number: usize) -> bool {
    let is_word = |at: &usize| tokens.at(*at).kind == TokenKind::Word && tokens.at(*at + 1).gap <= Gap::Space;
    let is_verb = |at: usize| classes_at(tokens, at) & class::GIVEN != 0;
    (number.saturating_sub(MAX_RECIPIENT)..number).rev().take_while(is_word).any(is_verb)
}

fn is_open(token: Token) -> bool {
    [b':', b',', b'"', b'\'', b'(', b'=', b'.', b'!', b'?', b';'].iter().any(|mark| token.is_mark(*mark))
}

/// Whether no noun follows a number.
fn ends_phrase(tokens: &Tokens<'_>, after: usize) -> bool {
    const CLOSING: [u8; 11] = [b',', b'"', b'\'', b')', b'.', b'!', b'?', b';', b'#', b'*', b':'];
    const JOINING: [u8; 3] = [b'%', b'-', b'/'];
    let (next, second) = (tokens.at(after), tokens.at(after + 1));
    match next.kind {
        TokenKind::Edge => true,
        _ if next.gap >= Gap::Line => true,
        TokenKind::Mark if CLOSING.iter().any(|mark| next.is_mark(*mark)) => {
            let continues = second.is_alphanumeric() || second.kind == TokenKind::Mask;
            let joins = next.gap == Gap::None && second.gap == Gap::None && continues;
            // "nine three, one nine three" is a part of a longer number; "599, three digits" is not.
            let counts = classes_at(tokens, after + 2) & class::DIGITS != 0;
            let is_part = next.is_mark(b',') && second.flags & flag::NUMBER != 0 && !counts;
            !joins && !is_part
        }
        TokenKind::Mark => next.gap == Gap::Space && !JOINING.iter().any(|mark| next.is_mark(*mark)),
        TokenKind::Word => {
            let is_adverb = tokens.str(next).ends_with("ly");
            next.gap == Gap::Space
                && (classes_at(tokens, after) & class::AFTER != 0 || next.flags & flag::FILLER != 0 || is_adverb)
                && next.flags & (flag::UNIT | flag::SCALE | flag::HUGE | flag::MONTH) == 0
        }
        TokenKind::Digits | TokenKind::Mask => false,
    }
}

/// Whether digits are whole hundreds, as amounts are, or a year.
fn is_hundreds_or_year(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    let token = tokens.at(code.first);
    let digits = tokens.str(token).as_bytes();
    let is_year = matches!(digits, [b'1', b'9', _, _] | [b'2', b'0', _, _]);
    token.kind == TokenKind::Digits && (is_year || digits.ends_with(b"00") && !digits.starts_with(b"0"))
}

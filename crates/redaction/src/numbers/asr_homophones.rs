//! ASR homophones: words that speech recognition writes for a spoken digit, such as "to" for two and "ate" for eight.
//!
//! A homophone counts as a digit only among certain digits: "two for one" and "nine to five" are not numbers.

use crate::numbers::digit_group::DigitGroup;
use crate::tokenize::lexicon::word_id;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// The homophones with their digits.
const HOMOPHONES: [(u16, u8); 7] = [
    (word_id("to"), 2),
    (word_id("too"), 2),
    (word_id("for"), 4),
    (word_id("fore"), 4),
    (word_id("ate"), 8),
    (word_id("won"), 1),
    (word_id("tree"), 3),
];
/// Homophones that also connect two numbers.
const CONNECTIVES: [u16; 2] = [word_id("to"), word_id("for")];
const FROM: u16 = word_id("from");
const TOO: u16 = word_id("too");
/// Digits of each of two numbers that "to" or "for" connects: "one two three four to five six seven eight".
const PAIR_DIGITS: usize = 4;
/// Digits of a spoken number that a homophone at the end of a message continues.
const LONG_NUMBER: u16 = 3;
/// Minimum number of certain digits around a homophone.
pub(crate) const MIN_CERTAIN_DIGITS: usize = 3;

/// The digit of a word that is a homophone, wherever it stands.
pub(crate) fn value(token: Token) -> Option<u8> {
    let is_homophone = |(slot, _): &&(u16, u8)| *slot == token.slot() && *slot != 0;
    HOMOPHONES.iter().find(is_homophone).filter(|_| token.kind == TokenKind::Word).map(|(_, value)| *value)
}

/// The digit of the homophone after a run, if certain digits surround it.
pub(crate) fn homophone_digit(tokens: &Tokens<'_>, at: usize, groups: &[DigitGroup]) -> Option<u8> {
    let token = tokens.at(at);
    if token.kind != TokenKind::Word || token.gap != Gap::Space {
        return None;
    }
    let before = groups
        .iter()
        .rev()
        .take(PAIR_DIGITS + 1)
        .take_while(|group| group.spoken && group.digit_count == 1 && !group.compound)
        .count();
    let (slot, value) = HOMOPHONES.iter().find(|(slot, _)| *slot == token.slot() && token.slot() != 0)?;
    // "ninety seven ninety too" at the end of a message
    let is_last = tokens.at(at + 1).kind == TokenKind::Edge && !CONNECTIVES.contains(slot);
    let said: u16 = groups.iter().filter(|group| group.spoken).map(|group| u16::from(group.digit_count)).sum();
    if is_last && said >= LONG_NUMBER {
        return Some(*value);
    }
    if before == 0 {
        return None;
    }
    let after = certain_digits_after(tokens, at + 1);
    if before >= MIN_CERTAIN_DIGITS && tokens.at(at + 1).kind == TokenKind::Edge {
        return Some(*value);
    }
    let is_pair = CONNECTIVES.contains(&token.slot()) && (before, after) == (PAIR_DIGITS, PAIR_DIGITS);
    // "from 4711 to 0815" has two numbers.
    let first = groups.first().map_or(0, |group| group.first_token as usize);
    let is_pair = is_pair || CONNECTIVES.contains(&token.slot()) && tokens.before(first).slot() == FROM;
    (after > 0 && before + after >= MIN_CERTAIN_DIGITS && !is_pair).then_some(*value)
}

/// The unit of a homophone after tens in a spoken number: "thirty won ninety seven". Number words must be on both sides.
pub(super) fn homophone_unit(tokens: &Tokens<'_>, at: usize, has_groups: bool) -> Option<u8> {
    let token = tokens.at(at);
    if token.kind != TokenKind::Word || token.gap != Gap::Space || !has_groups {
        return None;
    }
    let (slot, value) = HOMOPHONES.iter().find(|(slot, _)| *slot == token.slot() && token.slot() != 0)?;
    let is_number = |at: usize| tokens.at(at).flags & flag::NUMBER != 0 && tokens.at(at).gap <= Gap::Space;
    // "sixty six eighty won" as a whole message
    let is_end =
        || tokens.at(at + 1).kind == TokenKind::Edge && (0..at).all(|near| tokens.at(near).flags & flag::NUMBER != 0);
    let enough =
        if CONNECTIVES.contains(slot) { is_number(at + 1) && is_number(at + 2) } else { is_number(at + 1) || is_end() };
    enough.then_some(*value)
}

/// The digit of a homophone that begins a number: it opens the message, follows "is" or is no connective, and only digits
/// follow it.
pub(super) fn first_homophone(tokens: &Tokens<'_>, at: usize) -> Option<u8> {
    let token = tokens.at(at);
    if token.kind != TokenKind::Word || token.slot() == 0 {
        return None;
    }
    let (slot, value) = HOMOPHONES.iter().find(|(slot, _)| *slot == token.slot())?;
    let before = tokens.before(at);
    // No sentence goes on with three digits after "won" or "ate": "i've always used ate seven eight three".
    let is_verb = !CONNECTIVES.contains(slot) && *slot != TOO && before.flags & flag::NUMBER == 0;
    let opens = at == 0 || is_verb || before.flags & (flag::COPULA | flag::FILLER) != 0 || before.is_mark(b':');
    (opens && certain_digits_after(tokens, at + 1) >= MIN_CERTAIN_DIGITS).then_some(*value)
}

/// Whether a token is a homophone that may begin a number.
pub(super) fn may_begin(token: Token) -> bool {
    token.kind == TokenKind::Word && HOMOPHONES.iter().any(|(slot, _)| *slot == token.slot() && token.slot() != 0)
}

/// Number of single spoken digits from a token on. Homophones may lie between them.
fn certain_digits_after(tokens: &Tokens<'_>, from: usize) -> usize {
    let (mut certain, mut homophones) = (0, 0);
    for at in from..=from + 2 * PAIR_DIGITS {
        let token = tokens.at(at);
        if token.kind != TokenKind::Word || token.gap != Gap::Space || certain > PAIR_DIGITS {
            break;
        }
        if token.flags & (flag::DIGIT | flag::OH) != 0 {
            (certain, homophones) = (certain + 1, 0);
        } else if homophones < 2 && HOMOPHONES.iter().any(|(slot, _)| *slot == token.slot()) {
            homophones += 1;
        } else {
            break;
        }
    }
    certain
}

//! Codes that a message does not name, by what it speaks of or by what somebody does with a number that nothing explains:
//! "locker 12 won't open, i set 4821", "the hologram is worn but i think 562", "i gave the scammer 4821".

use super::code_number::CodeNumber;
use super::cue::Cue;
use super::topic::{MAX_CARD_PIN, Topic};
use super::unexplained::{self, UnexplainedNumber};
use super::words::{cue, is};
use crate::numbers::{CARD_CODE_DIGITS, SSN_DIGITS};
use crate::tables::topic_words::{class, classes_at};
use crate::tokenize::Tokens;

/// Tokens on either side of a number in which the words are that show what somebody does with it.
const REACH: usize = 5;
/// Tokens of the longest message that only corrects a number.
const MAX_CORRECTION_TOKENS: usize = 16;

/// The cue of the words before a number that begins at a token. It ends where the number begins.
pub(super) fn cue_before(tokens: &Tokens<'_>, first: usize) -> Option<Cue> {
    let number = unexplained::at_token(tokens, first)?;
    let by_topic = || Topic::of(tokens, &number.code).entity(number);
    let by_use = || is_used_as_code(tokens, number).then(|| number.code.entity());
    let entity = by_topic().or_else(by_use)?;
    let is_explained = unexplained::is_explained(tokens, &number.code);
    (!is_explained).then(|| cue(first.saturating_sub(1), first, entity.bit(), false))
}

/// Whether only a code is used as this number is, whatever the message is about.
fn is_used_as_code(tokens: &Tokens<'_>, number: UnexplainedNumber) -> bool {
    let UnexplainedNumber { code, is_object, may_be_amount, .. } = number;
    let has_near = |from: usize, to: usize, classes: u64| (from..to).any(|at| classes_at(tokens, at) & classes != 0);
    let before = code.first.saturating_sub(REACH);
    let is_card_code = code.digits == CARD_CODE_DIGITS;
    // "key in 4821 followed by the pound sign"
    let is_confirmed = || {
        !is_card_code
            && has_near(before, code.first, class::KEY)
            && (has_near(code.after, code.after + REACH, class::CONFIRM) || is_then_entered(tokens, code.after))
    };
    // "i gave 4821 to somebody who pretended to be the bank"
    let is_betrayed =
        || is_object && has_near(before, code.first, class::GIVEN) && has_near(0, tokens.len(), class::FRAUD);
    let is_mistyped = || tokens.len() <= MAX_CORRECTION_TOKENS && has_near(0, tokens.len(), class::TYPO);
    if is_confirmed() || code.digits == SSN_DIGITS && is_mistyped() {
        return true;
    }
    code.digits <= MAX_CARD_PIN
        && !(is_card_code && may_be_amount)
        && (is_betrayed() || is_mistyped() || !is_card_code && is_told_or_changed(tokens, &code, may_be_amount))
}

/// Whether the words after a number say that a key is pressed then: "press 4821 then enter", "and hit ok".
fn is_then_entered(tokens: &Tokens<'_>, after: usize) -> bool {
    const KEYS: [&str; 9] = ["enter", "ok", "star", "green", "bell", "tick", "asterisk", "return", "unlock"];
    let is_pressed = |at: &usize| is(tokens, tokens.at(*at), &["press", "hit", "push", "the"]);
    let skipped = (after + 1..after + 3).take_while(is_pressed).count();
    let key = after + 1 + skipped;
    is(tokens, tokens.at(after), &["then", "and"])
        && is(tokens, tokens.at(key), &KEYS)
        && (skipped > 0 || !is(tokens, tokens.at(key + 1), &["your", "the", "my", "a"]))
}

/// Whether a caller told a number to an agent who made a note of it, or "it" was changed to the number: "customer gave 4821,
/// matches", "they changed it to 4821".
fn is_told_or_changed(tokens: &Tokens<'_>, code: &CodeNumber, may_be_amount: bool) -> bool {
    let Some(verb) = code.first.checked_sub(1) else { return false };
    let is_told =
        verb > 0 && classes_at(tokens, verb) & class::GIVEN != 0 && classes_at(tokens, verb - 1) & class::CALLER != 0;
    let is_changed = !may_be_amount
        && verb > 1
        && is(tokens, tokens.at(verb), &["to"])
        && is(tokens, tokens.at(verb - 1), &["it"])
        && classes_at(tokens, verb - 2) & class::CHANGED != 0;
    is_told || is_changed
}

//! A fragment of a number: a message, or the end of one, that holds only spoken or written digits, or their mask.

use crate::cross_message::other_number::follows_thing_name;
use crate::detect::{flags, is_connector};
use crate::numbers::{NumberRun, RunBuffer};
use crate::tokenize::words::flag;
use crate::tokenize::{TokenKind, Tokens};
use std::ops::Range;

/// Maximum digits of a card number.
pub(super) const MAX_CARD_DIGITS: usize = 19;

/// A fragment of a number.
#[derive(Clone, Copy)]
pub(super) struct Fragment {
    pub(super) digits: [u8; MAX_CARD_DIGITS],
    /// Number of digits; for a mask, the minimum number of hidden digits.
    pub(super) digit_count: usize,
    /// Whether the fragment is a mask, so that its digits are unknown.
    pub(super) is_masked: bool,
    pub(super) start: u32,
    pub(super) end: u32,
    /// First byte of the last four digits.
    pub(super) last_four_start: u32,
}

/// Reads the fragment at or after a token. `None` if the tokens around the fragment are more than politeness and
/// connectors.
pub(super) fn read(tokens: &Tokens<'_>, from: usize) -> Option<Fragment> {
    let mut buffer = RunBuffer::full_size();
    let mut run = NumberRun::new(&mut buffer);
    match run.read(tokens, from) {
        Some(first) if run.is_mask_tail => from_mask(tokens, from, first..run.end_token, run.digits().len()),
        Some(first) => from_run(tokens, &run, from, first),
        None => from_mask(tokens, from, 0..0, 0),
    }
}

fn from_run(tokens: &Tokens<'_>, run: &NumberRun<'_>, from: usize, first: usize) -> Option<Fragment> {
    let digits = run.digits();
    let (head, tail) = (digits.first()?, digits.last()?);
    let mut fragment = Fragment {
        digits: [0; MAX_CARD_DIGITS],
        digit_count: digits.len(),
        is_masked: false,
        start: head.start,
        end: tail.end,
        last_four_start: tail.end,
    };
    for (slot, digit) in fragment.digits.iter_mut().zip(digits) {
        *slot = b'0' + digit.value;
    }
    if let Some(at) = digits.len().checked_sub(4) {
        let whole = at == 0 || digits[at - 1].end <= digits[at].start;
        fragment.last_four_start = if whole { digits[at].start } else { tail.end };
    }
    let alone = is_idle(tokens, from, first) && is_idle(tokens, run.end_token, tokens.len());
    (digits.len() <= MAX_CARD_DIGITS && alone && !follows_thing_name(tokens, first)).then_some(fragment)
}

/// Maximum tokens on either side of a fragment.
const MAX_IDLE_TOKENS: usize = 10;

/// Whether the tokens `from..to` are only politeness and connectors.
fn is_idle(tokens: &Tokens<'_>, from: usize, to: usize) -> bool {
    const IDLE_FLAGS: u32 = flag::CONNECTOR | flag::FILLER | flag::STOPWORD | flag::AND;
    to.saturating_sub(from) <= MAX_IDLE_TOKENS
        && (from..to).all(|at| {
            let flags = flags(tokens.at(at));
            flags & IDLE_FLAGS != 0 && flags & flag::UNIT == 0 || is_connector(tokens, at)
        })
}

/// Reads a fragment of only asterisks, and the readable digits behind them, if it has any. They may be masked together
/// with this message, so a mask with them and one without them must count alike. Number words are masked letter by letter, so three asterisks alone are one
/// digit. Of four or more groups, a written number would leave its end readable.
fn from_mask(tokens: &Tokens<'_>, from: usize, tail: Range<usize>, tail_digits: usize) -> Option<Fragment> {
    if tokens.len() > from + 2 * MAX_CARD_DIGITS {
        return None;
    }
    let (mut stars, mut groups, mut words) = (0, 0, true);
    for at in from..tokens.len() {
        let token = tokens.at(at);
        if token.kind == TokenKind::Mask {
            words &= (3..=5).contains(&token.byte_len());
            stars += token.byte_len();
            groups += 1;
        } else if !tail.contains(&at) && !is_idle(tokens, at, at + 1) {
            return None;
        }
    }
    let words = words && tail_digits == 0 && (groups >= 4 || stars != 4 * groups);
    let count = tail_digits + if words { groups } else { stars };
    (count > 0).then_some(Fragment {
        digits: [0; MAX_CARD_DIGITS],
        digit_count: count,
        is_masked: true,
        start: 0,
        end: 0,
        last_four_start: 0,
    })
}

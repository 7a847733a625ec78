//! A message, or the end of one, that is nothing but a part of a number: digits said or written, or their mask.

use crate::cross_message::split_number::MOST;
use crate::detect::{flags, links};
use crate::numbers::{Room, Run};
use crate::tokenize::words::flag;
use crate::tokenize::{Kind, Tokens};

/// A part of a number.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) digits: [u8; MOST],
    /// How many digits; of a mask, how many it hides at least.
    pub(super) count: usize,
    /// The digits are not known: the part was stored masked.
    pub(super) masked: bool,
    pub(super) start: u32,
    pub(super) end: u32,
    /// First byte of the last four digits.
    pub(super) last_four: u32,
}

/// Reads a part of a number after which, and before which from a token on, nothing else is said.
pub(super) fn read(tokens: &Tokens<'_>, from: usize) -> Option<Piece> {
    let mut room = Room::for_any();
    let mut run = Run::within(&mut room);
    match run.read(tokens, from) {
        Some(first) => (!run.masked).then(|| said(tokens, &run, from, first)).flatten(),
        None => hidden(tokens, from),
    }
}

fn said(tokens: &Tokens<'_>, run: &Run<'_>, from: usize, first: usize) -> Option<Piece> {
    let digits = run.digits();
    let (head, tail) = (digits.first()?, digits.last()?);
    let mut piece = Piece {
        digits: [0; MOST],
        count: digits.len(),
        masked: false,
        start: head.start,
        end: tail.end,
        last_four: tail.end,
    };
    for (slot, digit) in piece.digits.iter_mut().zip(digits) {
        *slot = b'0' + digit.value;
    }
    if let Some(at) = digits.len().checked_sub(4) {
        let whole = at == 0 || digits[at - 1].end <= digits[at].start;
        piece.last_four = if whole { digits[at].start } else { tail.end };
    }
    let alone = is_idle(tokens, from, first) && is_idle(tokens, run.after, tokens.len());
    (digits.len() <= MOST && alone).then_some(piece)
}

/// Tokens beside a part of a number at most.
const BESIDE: usize = 10;

/// Whether nothing is said in the tokens `from..to` but politeness and links.
fn is_idle(tokens: &Tokens<'_>, from: usize, to: usize) -> bool {
    const IDLE: u32 = flag::LINK | flag::FILLER | flag::PLAIN | flag::AND;
    to.saturating_sub(from) <= BESIDE
        && (from..to).all(|at| {
            let flags = flags(tokens.at(at));
            flags & IDLE != 0 && flags & flag::UNIT == 0 || links(tokens, at)
        })
}

/// Asterisks and nothing else. Number words are masked letter by letter, so three asterisks alone are one digit; of four
/// groups and more a written number would show its end.
fn hidden(tokens: &Tokens<'_>, from: usize) -> Option<Piece> {
    if tokens.len() > from + 2 * MOST {
        return None;
    }
    let (mut stars, mut groups, mut words) = (0, 0, true);
    for at in from..tokens.len() {
        let token = tokens.at(at);
        if token.kind == Kind::Mask {
            words &= (3..=5).contains(&token.bytes());
            stars += token.bytes();
            groups += 1;
        } else if !is_idle(tokens, at, at + 1) {
            return None;
        }
    }
    let words = words && (groups >= 4 || stars != 4 * groups);
    let count = if words { groups } else { stars };
    (count > 0).then_some(Piece { digits: [0; MOST], count, masked: true, start: 0, end: 0, last_four: 0 })
}

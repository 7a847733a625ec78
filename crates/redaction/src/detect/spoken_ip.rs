//! IPv4 addresses spoken aloud: "one nine two dot one six eight dot one dot one", "ten dot zero dot zero dot one".

use super::flags;
use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::Entity;
use crate::span::DetectionReason;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens, lexicon};

/// Maximum tokens of a number up to 255: "two hundred and fifty five".
const MAX_OCTET_TOKENS: usize = 5;

/// Reports the address whose first "dot" is at token `dot`; returns the token after it.
pub(super) fn detect(tokens: &Tokens<'_>, dot: usize, out: &mut Candidates) -> Option<usize> {
    if !is_number(tokens.before(dot)) || !is_number(tokens.at(dot + 1)) {
        return None;
    }
    let first = (dot.saturating_sub(MAX_OCTET_TOKENS)..dot).find(|first| octet_end(tokens, *first) == Some(dot))?;
    if first > 0 && is_dot(tokens, first - 1) {
        return None;
    }
    let mut after = dot;
    for _ in 0..3 {
        if !is_dot(tokens, after) {
            return None;
        }
        after = octet_end(tokens, after + 1)?;
    }
    if is_dot(tokens, after) && is_number(tokens.at(after + 1)) {
        return None;
    }
    out.push_fully_masked(
        tokens.at(first).start,
        tokens.before(after).end,
        Entity::IP_ADDRESS,
        DetectionReason::Shape,
        EvidenceRank::Checksum,
    );
    Some(after)
}

fn is_number(token: Token) -> bool {
    token.kind == TokenKind::Digits || flags(token) & flag::NUMBER != 0
}

fn is_dot(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    flags(token) & flag::SPOKEN_MARK != 0 && lexicon::entry(token.slot()).value == b'.' && token.gap <= Gap::Space
}

/// The token after the number from 0 to 255 that begins at `first`.
fn octet_end(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    let (mut value, mut digits, mut at) = (0u32, 0, first);
    while at < first + MAX_OCTET_TOKENS {
        let token = tokens.at(at);
        let (entry, flags) = (lexicon::entry(token.slot()), flags(token));
        let is_spaced = at == first || token.gap <= Gap::Space;
        let word_value = u32::from(entry.value);
        let (scale, more) = match token.kind {
            TokenKind::Digits if at == first && token.digit_count() <= 3 => {
                (3, tokens.str(token).parse().unwrap_or(999))
            }
            TokenKind::Word if flags & (flag::DIGIT | flag::OH) != 0 => (1, word_value),
            TokenKind::Word if flags & flag::TEEN != 0 => (2, word_value),
            TokenKind::Word
                if flags & flag::REPEAT != 0 && self::flags(tokens.at(at + 1)) & (flag::DIGIT | flag::OH) != 0 =>
            {
                at += 1;
                let digit = u32::from(lexicon::entry(tokens.at(at).slot()).value);
                (word_value, (0..word_value).fold(0, |all, _| all * 10 + digit))
            }
            TokenKind::Word if flags & flag::TENS != 0 => {
                let unit = lexicon::entry(tokens.at(at + 1).slot());
                let has_unit =
                    unit.flags & flag::DIGIT != 0 && unit.value > 0 && tokens.at(at + 1).kind == TokenKind::Word;
                at += usize::from(has_unit);
                (2, word_value + if has_unit { u32::from(unit.value) } else { 0 })
            }
            TokenKind::Word if flags & flag::SCALE != 0 && entry.value == 2 && digits == 1 => {
                let (more, after) = below_hundred(tokens, at + 1);
                return (value * 100 + more <= 255).then_some(after);
            }
            TokenKind::Word | TokenKind::Digits | TokenKind::Mark | TokenKind::Mask | TokenKind::Edge => break,
        };
        if !is_spaced || digits + scale > 3 {
            break;
        }
        value = value * 10u32.pow(scale) + more;
        digits += scale;
        at += 1;
    }
    (digits > 0 && value <= 255).then_some(at)
}

/// The number below 100 after "hundred", as in "and fifty five", and the token after it.
fn below_hundred(tokens: &Tokens<'_>, from: usize) -> (u32, usize) {
    let and = usize::from(flags(tokens.at(from)) & flag::AND != 0);
    let token = tokens.at(from + and);
    let entry = lexicon::entry(token.slot());
    let unit = lexicon::entry(tokens.at(from + and + 1).slot());
    let joined = usize::from(unit.flags & flag::DIGIT != 0 && tokens.at(from + and + 1).kind == TokenKind::Word);
    match flags(token) {
        f if f & flag::TENS != 0 => {
            (u32::from(entry.value) + u32::from(unit.value) * u32::from(joined == 1), from + and + 1 + joined)
        }
        f if f & (flag::TEEN | flag::DIGIT) != 0 => (u32::from(entry.value), from + and + 1),
        _ => (0, from),
    }
}

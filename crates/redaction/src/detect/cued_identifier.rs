//! Identifiers of letters and digits after their own cue, written or said aloud, whatever their check digit: people
//! misread them, and speech recognition mishears them. "VAT number DE 123 456 789", "n i number q q one two three four
//! five six c", "iban d e eight nine three seven".

use super::correction::correction_end;
use super::identifier::last_four;
use super::spelled_code::{skip_fillers, spelled_letter, symbol};
use super::{DetectorInput, flags, is_connector, is_one_of};
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::catalog::Mask;
use crate::entity::EntitySet;
use crate::span::DetectionReason;
use crate::tables::identifier_outlines::OUTLINES;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// The entities of this file.
pub(crate) const OUTLINED_ENTITIES: EntitySet = {
    let (mut set, mut at) = (EntitySet::empty(), 0);
    while at < OUTLINES.len() {
        set.insert(OUTLINES[at].entity);
        at += 1;
    }
    set
};

/// Maximum tokens between a cue and its value.
const MAX_CONNECTOR_TOKENS: usize = 10;
/// Maximum tokens and characters of a value.
const MAX_TOKENS: usize = 80;
const MAX_LENGTH: usize = 40;
/// Characters that a value may miss or have too many.
const MAX_MISCOUNT: usize = 1;

/// Looks for an identifier after every cue for one, and in an answer to an earlier question.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    for cue in input.cues() {
        let set = cue.entities.and(OUTLINED_ENTITIES).and(out.active());
        if set.is_empty() {
            continue;
        }
        let (first, end) = (cue.first_token as usize, cue.end_token as usize);
        let found = value_start(input.tokens, end, 0)
            .is_some_and(|first| push(input.tokens, first, set, DetectionReason::Cue, out));
        if !found {
            push_near(input, first, end, set, out);
        }
    }
    let set = input.expected_entities.and(OUTLINED_ENTITIES).and(out.active());
    if !set.is_empty()
        && let Some(first) = answer_start(input.tokens)
    {
        push(input.tokens, first, set, DetectionReason::EarlierCue, out);
    }
}

/// Tokens on either side of a cue in which a written identifier may stand apart from it.
const MAX_DISTANCE: usize = 10;

/// Reports a written identifier with all its letters and digits near a cue: "iban for my aunt in spain DE44…", "1FTGW… is
/// no valid VIN".
fn push_near(input: &DetectorInput<'_, '_>, first: usize, end: usize, set: EntitySet, out: &mut Candidates) {
    let tokens = input.tokens;
    let is_start = |at: &usize| {
        let (token, next) = (tokens.at(*at), tokens.at(at + 1));
        let is_joined = next.gap == Gap::None && next.is_alphanumeric() && next.kind != token.kind;
        let is_capitals = tokens.str(token).bytes().all(|b| b.is_ascii_uppercase());
        let is_grouped =
            next.kind == TokenKind::Digits && next.gap <= Gap::Space || next.is_mark(b'-') && next.gap == Gap::None;
        token.gap != Gap::None
            && token.is_alphanumeric()
            && (is_joined || is_capitals && token.byte_len() > 1 && is_grouped)
    };
    let has_cue =
        |at: usize| input.cues().iter().any(|cue| (cue.first_token as usize..cue.end_token as usize).contains(&at));
    let after = (end..end + MAX_DISTANCE).take_while(|at| !has_cue(*at) && tokens.at(*at).gap < Gap::Paragraph);
    let before = (first.saturating_sub(MAX_DISTANCE)..first).rev().take_while(|at| !has_cue(*at));
    for at in after.chain(before).filter(is_start) {
        let value = Value::read(tokens, at);
        let outlines = OUTLINES.iter().filter(|outline| set.contains(outline.entity));
        let fits = outlines.filter_map(|outline| value.fitting_end(|compact| outline.fits(compact))).max();
        if fits.is_some() && push(tokens, at, set, DetectionReason::Cue, out) {
            return;
        }
    }
}

/// The first token of an identifier that can answer a question: it opens the message, or nothing but words that lead to
/// an answer is before it.
pub(crate) fn answer_start(tokens: &Tokens<'_>) -> Option<usize> {
    let first = value_start(tokens, 0, flag::STOPWORD | flag::COPULA)?;
    let value = Value::read(tokens, first);
    OUTLINES.iter().any(|outline| value.fitting_end(|compact| outline.fits(compact)).is_some()).then_some(first)
}

/// The first token of a value that only connectors, and words with one of the flags `skipped`, precede.
fn value_start(tokens: &Tokens<'_>, from: usize, skipped: u32) -> Option<usize> {
    for at in from..from + MAX_CONNECTOR_TOKENS {
        let token = tokens.at(at);
        if at > from && token.gap >= Gap::Paragraph {
            break;
        }
        let is_contraction_end = tokens.before(at).is_mark(b'\'') && token.gap == Gap::None && at > from;
        if !is_contraction_end && begins_value(tokens, at) {
            return Some(at);
        }
        if !(is_connector(tokens, at) || flags(token) & skipped != 0 || is_contraction_end) {
            break;
        }
    }
    None
}

/// Whether a value may begin at a token: a symbol or a group, and another one after it.
fn begins_value(tokens: &Tokens<'_>, at: usize) -> bool {
    let mut value = Value::new(at);
    value.add(tokens, at).is_some_and(|after| {
        let next = skip_separators(tokens, after);
        tokens.at(at).byte_len() >= MIN_WHOLE_BYTES || value.add(tokens, next).is_some()
    })
}

/// Bytes of a token that needs no other one to begin a value.
const MIN_WHOLE_BYTES: usize = 8;

/// Reports the identifier that begins at a token; false if none does.
fn push(tokens: &Tokens<'_>, first: usize, set: EntitySet, reason: DetectionReason, out: &mut Candidates) -> bool {
    let value = Value::read(tokens, first);
    let outlines = || OUTLINES.iter().filter(|outline| set.contains(outline.entity));
    let longest = outlines()
        .filter_map(|outline| Some((value.fitting_end(|c| outline.fits(c))?, outline.entity)))
        .max_by_key(|(after, _)| *after);
    let miscounted = || {
        let is_own = reason == DetectionReason::Cue && set.bits().is_power_of_two() && value.group_count > 0;
        let tolerance = if value.is_corrected { MAX_LENGTH } else { MAX_MISCOUNT };
        let compact = value.compact();
        outlines()
            .find(|outline| is_own && outline.almost_fits(compact, tolerance))
            .map(|outline| (value.end_token(), outline.entity))
    };
    let found = longest.or_else(miscounted);
    if let Some((after, entity)) = found {
        let (start, end) = (tokens.at(first).start, tokens.before(after).end);
        let is_written = (first..after).all(|at| tokens.at(at).byte_len() == 1 || !is_number_word(tokens.at(at)));
        let keeps_tail = entity.row().mask == Mask::KeepLast4 && value.length >= MIN_LENGTH_WITH_TAIL && is_written;
        let visible_from = if keeps_tail { last_four(tokens.between(start, end), start) } else { end };
        out.push(Candidate { start, end, visible_from, entity, reason, evidence: EvidenceRank::Cue });
    }
    found.is_some()
}

/// Letters and digits of the shortest value whose last four stay readable.
const MIN_LENGTH_WITH_TAIL: usize = 8;

fn is_number_word(token: Token) -> bool {
    token.kind == TokenKind::Word && token.flags & (flag::NUMBER | flag::SPELLING_ALPHABET) != 0
}

/// Letters and digits from a token on.
struct Value {
    compact: [u8; MAX_LENGTH],
    length: usize,
    /// For each group: the length after it and the token after it.
    groups: [(usize, usize); MAX_LENGTH],
    group_count: usize,
    first: usize,
    /// Whether the speaker corrects himself inside: "four five no sorry four six".
    is_corrected: bool,
}

impl Value {
    const fn new(first: usize) -> Self {
        let (compact, groups) = ([0; MAX_LENGTH], [(0, 0); MAX_LENGTH]);
        Self { compact, length: 0, groups, group_count: 0, first, is_corrected: false }
    }

    fn read(tokens: &Tokens<'_>, first: usize) -> Self {
        let mut value = Self::new(first);
        let mut at = first;
        while at < first + MAX_TOKENS {
            let Some(after) = value.add(tokens, at) else {
                let Some(after) = correction_end(tokens, at).filter(|_| value.length > 0) else { break };
                if symbol(tokens, after).is_none() && tokens.at(after).kind != TokenKind::Digits {
                    break;
                }
                value.is_corrected = true;
                at = after;
                continue;
            };
            at = skip_separators(tokens, after);
        }
        value
    }

    fn compact(&self) -> &[u8] {
        &self.compact[..self.length]
    }

    fn end_token(&self) -> usize {
        self.group_count.checked_sub(1).map_or(self.first, |last| self.groups[last].1)
    }

    /// The token after the longest beginning for which `fits` is true.
    fn fitting_end(&self, fits: impl Fn(&[u8]) -> bool) -> Option<usize> {
        let groups = self.groups[..self.group_count].iter().rev();
        groups.filter(|(length, _)| fits(&self.compact[..*length])).map(|(_, after)| *after).next()
    }

    /// Adds the letters or digits at a token; returns the token after them, or `None` if the token has none.
    fn add(&mut self, tokens: &Tokens<'_>, at: usize) -> Option<usize> {
        let token = tokens.at(at);
        if at > self.first && token.gap >= Gap::Line {
            return None;
        }
        let is_segment = token.kind == TokenKind::Digits || is_code_group(tokens, at, self.length);
        let after = if is_segment {
            self.push_bytes(tokens.str(token).as_bytes())?;
            at + 1
        } else {
            let (value, times, after) = symbol(tokens, at)?;
            self.push_symbol(value, times)?;
            after
        };
        let inside = tokens.at(after).gap == Gap::None && tokens.at(after).is_alphanumeric();
        if !inside {
            *self.groups.get_mut(self.group_count)? = (self.length, after);
            self.group_count += 1;
        }
        Some(after)
    }

    fn push_bytes(&mut self, bytes: &[u8]) -> Option<()> {
        let slots = self.compact.get_mut(self.length..self.length + bytes.len())?;
        if !bytes.is_ascii() {
            return None;
        }
        for (slot, byte) in slots.iter_mut().zip(bytes) {
            *slot = byte.to_ascii_uppercase();
        }
        self.length += bytes.len();
        Some(())
    }

    /// Adds a letter or a number below 100, `times` times.
    fn push_symbol(&mut self, value: u8, times: usize) -> Option<()> {
        let units = b'0' + value % 10;
        let repeated = match spelled_letter(value) {
            Some(letter) => [letter; MAX_REPEATS],
            None if value >= 10 => return self.push_bytes(&[b'0' + value / 10 % 10, units]),
            None => [units; MAX_REPEATS],
        };
        self.push_bytes(repeated.get(..times)?)
    }
}

/// Characters of the longest repetition: "quadruple five".
const MAX_REPEATS: usize = 4;

/// Whether a word is letters of a written value: it touches digits, or is short and stands among digits, or is capitals.
fn is_code_group(tokens: &Tokens<'_>, at: usize, length: usize) -> bool {
    const MAX_BYTES: usize = 6;
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    if token.kind != TokenKind::Word || token.byte_len() > MAX_BYTES || !tokens.str(token).is_ascii() {
        return false;
    }
    let touches = token.gap == Gap::None && tokens.before(at).kind == TokenKind::Digits && at > 0
        || next.gap == Gap::None && next.kind == TokenKind::Digits;
    let is_number_next = |next: Token| {
        next.gap <= Gap::Space
            && (next.kind == TokenKind::Digits || next.flags & (flag::DIGIT | flag::TENS | flag::TEEN) != 0)
    };
    let is_capitals = tokens.str(token).bytes().all(|b| b.is_ascii_uppercase()) && token.byte_len() > 1;
    let is_country =
        length == 0 && token.byte_len() == 2 && is_number_next(next) && !is_one_of(tokens, token, &NEVER_COUNTRIES);
    let is_unknown = token.slot() == 0 && token.byte_len() > 1;
    let is_hyphenated =
        length > 0 && token.gap == Gap::None && tokens.before(at).is_mark(b'-') && next.gap != Gap::None;
    touches
        || is_hyphenated
        || is_capitals && is_near_digits(tokens, at)
        || is_country
        || is_unknown && (is_number_next(next) || length > 2 && token.byte_len() <= 4)
}

/// Words of two letters that lead to a number and are not the country of one.
const NEVER_COUNTRIES: [&str; 9] = ["is", "to", "of", "no", "in", "on", "my", "as", "or"];

/// Whether digits are among the tokens right before or after capitals: "SK7 ABCD 12".
fn is_near_digits(tokens: &Tokens<'_>, at: usize) -> bool {
    (at.saturating_sub(2)..=at + 3).any(|near| tokens.at(near).kind == TokenKind::Digits)
}

/// The token after what may be between two groups.
fn skip_separators(tokens: &Tokens<'_>, at: usize) -> usize {
    let after = skip_fillers(tokens, at);
    let token = tokens.at(after);
    let is_mark =
        token.kind == TokenKind::Mark && token.byte_len() == 1 && matches!(token.mark(), b'/' | b'_' | b':' | b'.');
    let is_word =
        is_one_of(tokens, token, &["space", "capital", "letter", "and", "then", "dot", "colon", "stroke", "uppercase"]);
    let is_inner = is_mark && token.gap == Gap::None && tokens.at(after + 1).gap == Gap::None
        || is_word && token.gap <= Gap::Space;
    if is_inner { skip_fillers(tokens, after + 1) } else { after }
}

/// Whether a text may hold such an identifier as an answer.
pub(crate) fn may_answer(tokens: &Tokens<'_>, active: EntitySet) -> bool {
    active.intersects(OUTLINED_ENTITIES) && answer_start(tokens).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outline_has_room_in_a_value() {
        assert!(OUTLINES.iter().all(|outline| outline.lengths.1 <= MAX_LENGTH && outline.lengths.0 > 0));
    }
}

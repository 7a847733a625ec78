//! Runs of letters and digits said aloud, wherever they stand: "let me get my glasses two k u one e w one m f eleven". No sentence
//! has such words, so the run is an identifier: that of the question or cue, or a number of any kind.

use super::cued_identifier::{Value, WORDS_BETWEEN};
use super::dictated_part::OF_LETTERS;
use super::spelled_code::symbol;
use super::{DetectorInput, flags, is_one_of};
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tokenize::words::flag;
use crate::tokenize::{TokenKind, Tokens};
use std::ops::Range;

/// Entities that a run can be.
const RUN_ENTITIES: EntitySet = OF_LETTERS.or(EntitySet::from_slice(&[Entity::PRIVATE_KEY]));
/// Symbols, letters and digits of the shortest run.
const MIN_LENGTH: usize = 8;
const MIN_LETTERS: usize = 2;
const MIN_DIGITS: usize = 2;
/// Symbols of the shortest run that answers a question or follows a cue; one letter and one digit among them are enough.
const MIN_NAMED_LENGTH: usize = 5;

/// Words before a "one" that is no digit.
const BEFORE_PRONOUN: [&str; 16] = [
    "new", "old", "other", "the", "this", "that", "next", "last", "first", "second", "right", "correct", "long",
    "wrong", "health", "same",
];

/// A run of letters and digits.
struct Run {
    tokens: Range<usize>,
    letters: usize,
    digits: usize,
}

/// Reports the runs of a text, and extends what other detectors have found of them.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    let active = out.active();
    if !active.intersects(RUN_ENTITIES.or(Entity::NUMERIC_SEQUENCE.bit())) {
        return;
    }
    let tokens = input.tokens;
    let mut at = 0;
    while at < tokens.len() {
        let Some(run) = Run::at(tokens, at) else {
            at += 1;
            continue;
        };
        at = run.tokens.end;
        if let Some(run) = run.without_lead(input) {
            run.report(input, out);
        }
    }
}

impl Run {
    /// The run that begins at a token.
    fn at(tokens: &Tokens<'_>, first: usize) -> Option<Self> {
        symbol(tokens, first)?;
        let value = Value::read(tokens, first);
        let mut end = value.end_token();
        let mut compact = value.compact();
        // "one e w five a": the "a" of the sentence that goes on.
        while end > first + 1 && is_prose_end(tokens, end - 1) {
            (end, compact) = (end - 1, compact.split_last()?.1);
        }
        // "nine forty five p m"
        if end > first + 2 && is_half_of_day(tokens, end - 2) {
            (end, compact) = (end - 2, &compact[..compact.len().saturating_sub(2)]);
        }
        let letters = compact.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
        let run = Self { tokens: first..end, letters, digits: compact.len() - letters };
        (end > first && run.is_mixed() && run.is_spoken(tokens)).then_some(run)
    }

    fn length(&self) -> usize {
        self.letters + self.digits
    }

    fn is_mixed(&self) -> bool {
        self.length() >= MIN_NAMED_LENGTH && self.letters > 0 && self.digits > 0
    }

    /// Whether each word is a letter, the name of a letter or a number, or says how a letter is written; and some are spelled.
    fn is_spoken(&self, tokens: &Tokens<'_>) -> bool {
        const SAID: u32 = flag::NUMBER | flag::SPELLING_ALPHABET | flag::REPEAT | flag::FILLER | flag::OH;
        const LINKS: [&str; 4] = ["in", "for", "like", "as"];
        let is_said = |at: usize| {
            let token = tokens.at(at);
            let is_explained = at > self.tokens.start && is_one_of(tokens, tokens.before(at), &LINKS);
            match token.kind {
                TokenKind::Word => {
                    token.byte_len() == 1
                        || is_explained
                        || flags(token) & SAID != 0
                        || is_one_of(tokens, token, &LINKS)
                        || WORDS_BETWEEN.has(tokens, token)
                        || symbol(tokens, at).is_some()
                }
                TokenKind::Digits => token.byte_len() == 1,
                TokenKind::Mark => token.is_mark(b',') || token.is_mark(b'-') && tokens.before(at).byte_len() == 1,
                TokenKind::Mask | TokenKind::Edge => false,
            }
        };
        self.tokens.clone().all(is_said)
    }

    /// The run without the letters of its cue and without a "one" that stands for something: "m a c a four eight",
    /// "member i d w one", "the new one m one".
    fn without_lead(self, input: &DetectorInput<'_, '_>) -> Option<Self> {
        let tokens = input.tokens;
        let first = self.tokens.start;
        let cue_end = |cue: &Cue| {
            let (start, end) = (cue.first_token as usize, cue.end_token as usize);
            (start..end).contains(&first).then_some(end)
        };
        let is_id = is_one_of(tokens, tokens.at(first), &["i"]) && is_one_of(tokens, tokens.at(first + 1), &["d"]);
        let is_pronoun = is_one_of(tokens, tokens.at(first), &["one"])
            && first > 0
            && is_one_of(tokens, tokens.before(first), &BEFORE_PRONOUN);
        let after_cue = input.cues().iter().filter_map(cue_end).max();
        let skipped = after_cue.or(is_id.then_some(first + 2)).or(is_pronoun.then_some(first + 1)).unwrap_or(first);
        if skipped == first { Some(self) } else { Self::at(tokens, skipped) }
    }

    fn report(&self, input: &DetectorInput<'_, '_>, out: &mut Candidates) {
        let tokens = input.tokens;
        let (start, end) = (tokens.at(self.tokens.start).start, tokens.before(self.tokens.end).end);
        let covered = |found: &Candidate| found.end.min(end).saturating_sub(found.start.max(start));
        let is_most =
            |found: &&Candidate| 2 * covered(found) > end - start && found.evidence < EvidenceRank::WholeMessage;
        if let Some(found) = out.as_slice().iter().find(is_most).copied() {
            if RUN_ENTITIES.contains(found.entity) && found.evidence > EvidenceRank::Checksum {
                let (start, end) = self.extended(tokens, &found);
                out.extend_each(|other| *other == found, |_| (start, end));
            }
            return;
        }
        let (entity, reason) = self.named(input, out.active());
        let is_sure = self.length() >= MIN_LENGTH && self.letters >= MIN_LETTERS && self.digits >= MIN_DIGITS;
        if let Some(entity) = entity {
            out.record_answer();
            out.push_fully_masked(start, end, entity, reason, EvidenceRank::Cue);
        } else if is_sure {
            let (entity, evidence) = (Entity::NUMERIC_SEQUENCE, EvidenceRank::AnyNumber);
            out.push_fully_masked(start, end, entity, DetectionReason::Shape, evidence);
        }
    }

    /// The range of a candidate with the letters of the run on either side of it.
    fn extended(&self, tokens: &Tokens<'_>, found: &Candidate) -> (u32, u32) {
        let is_letter = |at: &usize| {
            let token = tokens.at(*at);
            token.byte_len() == 1 && token.kind == TokenKind::Word || flags(token) & flag::SPELLING_ALPHABET != 0
        };
        let before = |at: &usize| tokens.at(*at).end <= found.start;
        let after = |at: &usize| tokens.at(*at).start >= found.end;
        let first = self.tokens.clone().take_while(before).find(is_letter);
        let last = self.tokens.clone().rev().take_while(after).find(is_letter);
        (first.map_or(found.start, |at| tokens.at(at).start), last.map_or(found.end, |at| tokens.at(at).end))
    }

    /// The active entity of the cue before the run, or of an earlier question.
    fn named(&self, input: &DetectorInput<'_, '_>, active: EntitySet) -> (Option<Entity>, DetectionReason) {
        let before = input.cues().iter().rev().find(|cue| cue.end_token as usize <= self.tokens.start);
        let cued = before.map_or(EntitySet::empty(), |cue| cue.entities).and(RUN_ENTITIES).and(active);
        let asked = input.expected_entities.and(RUN_ENTITIES).and(active);
        match cued.iter().next() {
            Some(entity) => (Some(entity), DetectionReason::Cue),
            None => (asked.iter().next(), DetectionReason::EarlierCue),
        }
    }
}

/// Whether a token is a letter that is a word of the sentence that goes on after it.
fn is_prose_end(tokens: &Tokens<'_>, at: usize) -> bool {
    let next = tokens.at(at + 1);
    let goes_on = next.kind == TokenKind::Word || next.is_mark(b'\'');
    is_one_of(tokens, tokens.at(at), &["a", "i", "u", "y", "e", "o", "c", "s", "r", "oh"]) && goes_on
}

/// Whether "a m" or "p m" begins at a token.
fn is_half_of_day(tokens: &Tokens<'_>, at: usize) -> bool {
    is_one_of(tokens, tokens.at(at), &["a", "p"]) && is_one_of(tokens, tokens.at(at + 1), &["m"])
}

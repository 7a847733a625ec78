//! Runs of letters and digits said aloud, wherever they stand: "let me get my glasses two k u one e w one m f eleven". No sentence
//! has such words, so the run is an identifier: that of the question or cue, or a number of any kind.

use super::cued_identifier::{MAX_TOKENS, Value, WORDS_BETWEEN, is_prose_letter};
pub(crate) use super::run_entity::RUN_ENTITIES;
use super::run_entity::{Naming, is_misnamed, naming};
use super::spelled_code::{SAID_WORDS, is_explanation, symbol};
use super::{DetectorInput, flags, is_connector, is_one_of};
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, TokenizedText, Tokens};
use std::ops::Range;

/// [`RUN_ENTITIES`], and the entity of a run that nothing names.
pub(crate) const MASKED_AS: EntitySet = RUN_ENTITIES.or(Entity::NUMERIC_SEQUENCE.bit());
/// Symbols, letters and digits of the shortest run.
const MIN_LENGTH: usize = 6;
const MIN_LETTERS: usize = 2;
const MIN_DIGITS: usize = 2;
/// Letters and digits of the shortest run whose form shows that it is no password.
const MIN_TELLING_LENGTH: usize = 12;
/// Symbols of the shortest run that answers a question or follows a cue; one letter and one digit among them are enough.
const MIN_NAMED_LENGTH: usize = 5;

/// Maximum tokens between a cue and its run. They are connectors if the run has fewer than [`MIN_LENGTH`] letters and digits.
const MAX_DISTANCE: usize = 12;
/// Words before a "one" that is no digit.
const BEFORE_PRONOUN: [&str; 16] = [
    "new", "old", "other", "the", "this", "that", "next", "last", "first", "second", "right", "correct", "long",
    "wrong", "health", "same",
];

/// Things that have a number of letters and digits which identifies nobody.
const NUMBERED_THINGS: [&str; 16] = [
    "flight", "flights", "vuelo", "vol", "flug", "voo", "volo", "train", "bus", "gate", "model", "modelo", "modell",
    "error", "version", "highway",
];

/// A run of letters and digits.
struct Run {
    tokens: Range<usize>,
    start: u32,
    end: u32,
    letters: usize,
    digits: usize,
}

/// Reports the runs of a text, and extends what other detectors have found of them.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    let runs = find(input);
    let found = covering_candidates(&runs, out.as_slice());
    extend(input.tokens, &runs, &found, out);
    rename(input, &runs, out);
    for (run, _) in runs.iter().zip(&found).filter(|(_, found)| found.is_none()) {
        run.report(input, out);
    }
}

/// The runs of a text, in order.
fn find(input: &DetectorInput<'_, '_>) -> Vec<Run> {
    let (mut runs, mut at) = (Vec::new(), 0);
    while at < input.tokens.len() {
        let (run, after) = Run::at(input.tokens, at);
        runs.extend(run.and_then(|run| run.without_lead(input)));
        at = after;
    }
    runs
}

/// For each run, a candidate that covers most of it.
fn covering_candidates(runs: &[Run], candidates: &[Candidate]) -> Vec<Option<Candidate>> {
    let mut found = vec![None; runs.len()];
    for candidate in candidates.iter().filter(|candidate| candidate.evidence < EvidenceRank::WholeMessage) {
        let first = runs.partition_point(|run| run.end <= candidate.start);
        let overlapping = runs.iter().zip(&mut found).skip(first).take_while(|(run, _)| run.start < candidate.end);
        for (run, slot) in overlapping {
            if slot.is_none() && candidate.covers_most_of(run.start, run.end) {
                *slot = Some(*candidate);
            }
        }
    }
    found
}

/// Gives what was found of the runs the entity that is named or asked for and whose form the run has.
fn rename(input: &DetectorInput<'_, '_>, runs: &[Run], out: &mut Candidates) {
    let mut covered = Vec::new();
    for (index, candidate) in out.as_slice().iter().enumerate() {
        let first = runs.partition_point(|run| run.end <= candidate.start);
        let overlapping = runs.iter().skip(first).take_while(|run| run.start < candidate.end);
        let covers = |run: &&Run| run.is_mixed() && candidate.covers_most_of(run.start, run.end);
        covered.extend(overlapping.filter(covers).map(|run| (index, *candidate, run)));
    }
    for (index, candidate, run) in covered {
        // A value that goes on beyond the run is read as a whole by its own detector.
        let is_whole = run.start <= candidate.start && candidate.end <= run.end;
        if !is_whole && RUN_ENTITIES.contains(candidate.entity) {
            continue;
        }
        let value = run.value(input.tokens);
        let of_form = || Naming::by_form(input, &run.tokens, value.compact(), out.active());
        let naming = naming(input, run.tokens.start, value.compact(), out.active());
        let is_weak = candidate.evidence > EvidenceRank::Shape
            || candidate.entity == Entity::PASSWORD && run.length() >= MIN_TELLING_LENGTH;
        let Some(naming) = naming.or_else(|| if is_weak { of_form() } else { None }) else { continue };
        if candidate.evidence == EvidenceRank::AnyNumber {
            // A number of any kind may begin with letters of the words before it.
            out.push_fully_masked(run.start, run.end, naming.entity, naming.reason, EvidenceRank::Cue);
        } else if is_misnamed(input, &candidate, &naming, value.compact()) {
            out.rename(index, naming.entity, naming.reason, &(run.start..run.end));
        }
    }
}

/// Extends what was found of the runs by the letters on either side of it.
fn extend(tokens: &Tokens<'_>, runs: &[Run], found: &[Option<Candidate>], out: &mut Candidates) {
    let is_extendable =
        |found: &Candidate| RUN_ENTITIES.contains(found.entity) && found.evidence > EvidenceRank::Checksum;
    let place = |candidate: &Candidate| {
        let first = runs.partition_point(|run| run.end <= candidate.start);
        (first..runs.len())
            .take_while(|at| runs[*at].start < candidate.end)
            .find(|at| found[*at].as_ref() == Some(candidate))
    };
    let range = |candidate: &Candidate| {
        place(candidate).map_or((candidate.start, candidate.end), |at| runs[at].extended(tokens, candidate))
    };
    out.extend_each(is_extendable, range);
}

impl Run {
    /// The run that begins at a token, and the token at which the next one may begin.
    fn at(tokens: &Tokens<'_>, first: usize) -> (Option<Self>, usize) {
        // The "s" of "it's" is inside a word too.
        let (before, token) = (tokens.before(first), tokens.at(first));
        let is_inside = first > 0 && token.gap == Gap::None && (before.is_alphanumeric() || before.is_mark(b'\''));
        let symbol = if is_inside { None } else { symbol(tokens, first) };
        let Some((.., after)) = symbol else { return (None, first + 1) };
        // Most letters and numbers stand alone, and have fewer letters and digits than the shortest run.
        if after == first + 1 && token.byte_len() < MIN_NAMED_LENGTH && !is_said(tokens, first + 1, first) {
            return (None, first + 1);
        }
        let limit = first + MAX_TOKENS;
        let said_end = (first..limit).find(|at| !is_said(tokens, *at, first)).unwrap_or(limit);
        let value = Value::read_before(tokens, first, said_end);
        let mut end = value.end_token();
        let mut compact = value.compact();
        let after = end.max(first + 1);
        // "one e w five a": the "a" of the sentence that goes on.
        if let Some((_, shorter)) = compact.split_last().filter(|_| end > first + 1 && is_prose_letter(tokens, end - 1))
        {
            (end, compact) = (end - 1, shorter);
        }
        // "nine forty five p m"
        if end > first + 2 && is_half_of_day(tokens, end - 2) {
            (end, compact) = (end - 2, &compact[..compact.len().saturating_sub(2)]);
        }
        let letters = compact.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
        let (tokens_of_run, digits) = (first..end, compact.len() - letters);
        if end == first {
            return (None, after);
        }
        let (start, last) = (tokens.at(first).start, tokens.before(end).end);
        let run = Self { tokens: tokens_of_run, start, end: last, letters, digits };
        (Some(run).filter(|run| run.is_mixed() || run.is_spelled()), after)
    }

    fn value(&self, tokens: &Tokens<'_>) -> Value {
        Value::read_before(tokens, self.tokens.start, self.tokens.end)
    }

    fn length(&self) -> usize {
        self.letters + self.digits
    }

    fn is_mixed(&self) -> bool {
        self.length() >= MIN_NAMED_LENGTH && self.letters > 0 && self.digits > 0
    }

    /// Whether the run is letters alone, which are an identifier only if a cue or a question says so.
    fn is_spelled(&self) -> bool {
        self.digits == 0 && self.letters >= MIN_NAMED_LENGTH
    }

    /// The run without the letters of its cue and without a "one" that stands for something: "m a c a four eight",
    /// "member i d w one", "the new one m one".
    fn without_lead(self, input: &DetectorInput<'_, '_>) -> Option<Self> {
        let tokens = input.tokens;
        let first = self.tokens.start;
        let is_id = is_one_of(tokens, tokens.at(first), &["i"]) && is_one_of(tokens, tokens.at(first + 1), &["d"]);
        let is_pronoun = is_one_of(tokens, tokens.at(first), &["one"])
            && first > 0
            && (is_one_of(tokens, tokens.before(first), &BEFORE_PRONOUN) || has_article(tokens, first - 1));
        let after_cue = input.last_cue_before(first + 1).map(|cue| cue.end_token as usize).filter(|end| *end > first);
        let skipped = after_cue.or(is_id.then_some(first + 2)).or(is_pronoun.then_some(first + 1)).unwrap_or(first);
        if skipped == first { Some(self) } else { Self::at(tokens, skipped).0 }
    }

    fn report(&self, input: &DetectorInput<'_, '_>, out: &mut Candidates) {
        let (entity, reason) = match self.named(input, out.active()) {
            (None, _) => {
                let value = self.value(input.tokens);
                let naming = Naming::by_form(input, &self.tokens, value.compact(), out.active());
                (naming.map(|naming| naming.entity), DetectionReason::Shape)
            }
            named => named,
        };
        let is_sure = self.length() >= MIN_LENGTH
            && self.letters >= MIN_LETTERS
            && self.digits >= MIN_DIGITS
            && !is_one_of(input.tokens, input.tokens.before(self.tokens.start), &NUMBERED_THINGS);
        if let Some(entity) = entity {
            out.push_fully_masked(self.start, self.end, entity, reason, EvidenceRank::Cue);
        } else if is_sure {
            let (entity, evidence) = (Entity::NUMERIC_SEQUENCE, EvidenceRank::AnyNumber);
            out.push_fully_masked(self.start, self.end, entity, DetectionReason::Shape, evidence);
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
        let first = self.tokens.start;
        let tokens = input.tokens;
        if let Some(naming) = naming(input, first, self.value(tokens).compact(), active) {
            return (Some(naming.entity), naming.reason);
        }
        let is_near = |cue: &&Cue| {
            let end = cue.end_token as usize;
            let is_direct = || (end..first).all(|at| is_connector(tokens, at) || tokens.at(at).kind == TokenKind::Mark);
            !cue.needs_connector && first <= end + MAX_DISTANCE && (self.length() >= MIN_LENGTH || is_direct())
        };
        let before = input.last_cue_before(first).filter(is_near);
        let cued = before.map_or(EntitySet::empty(), |cue| cue.entities).and(RUN_ENTITIES).and(active);
        let asked = input.expected_entities.and(RUN_ENTITIES).and(active);
        match cued.iter().next() {
            Some(entity) => (Some(entity), DetectionReason::Cue),
            None => (asked.iter().next(), DetectionReason::EarlierCue),
        }
    }
}

/// Whether the word at a token has the indefinite article: the "german" of "it's a german one".
fn has_article(tokens: &Tokens<'_>, at: usize) -> bool {
    at > 0
        && tokens.at(at).byte_len() > 1
        && symbol(tokens, at).is_none()
        && is_one_of(tokens, tokens.before(at), &["a", "an"])
}

/// Whether a text has a run.
pub(crate) fn has_run(text: &TokenizedText<'_>) -> bool {
    let (tokens, mut at) = (&text.tokens(), 0);
    while text.has_numbers() && at < tokens.len() {
        let (run, after) = Run::at(tokens, at);
        if run.is_some() {
            return true;
        }
        at = after;
    }
    false
}

/// Whether a token can be a part of a run that begins at a token: a letter, the name of a letter or a number, or what says how a
/// letter is written.
fn is_said(tokens: &Tokens<'_>, at: usize, first: usize) -> bool {
    let token = tokens.at(at);
    match token.kind {
        TokenKind::Word => {
            token.byte_len() == 1
                || flags(token) & SAID_WORDS != 0
                || is_explanation(tokens, at, first)
                || WORDS_BETWEEN.has(tokens, token)
                || symbol(tokens, at).is_some()
        }
        TokenKind::Digits => token.byte_len() == 1,
        TokenKind::Mark => token.is_mark(b',') || token.is_mark(b'-') && tokens.before(at).byte_len() == 1,
        TokenKind::Mask | TokenKind::Edge => false,
    }
}

/// Whether "a m" or "p m" begins at a token.
fn is_half_of_day(tokens: &Tokens<'_>, at: usize) -> bool {
    is_one_of(tokens, tokens.at(at), &["a", "p"]) && is_one_of(tokens, tokens.at(at + 1), &["m"])
}

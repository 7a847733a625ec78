//! Parts of a number or code that is read out in several messages, as speech recognition cuts them: "charlie hotel six
//! nine", then "double zero two". A message that is nothing but letters and digits is a part if an earlier message asks for
//! such a value. So are letters and digits said aloud between the cue of such a value and the end of a message.

use super::cued_identifier::{OUTLINED_ENTITIES, Value, is_prose_letter};
use super::dictated_words::{LEAD_WORDS, may_follow, may_surround};
use super::digit_format::MISREADABLE;
use super::spelled_code::{SAID_WORDS, SPELLED_ENTITIES, is_explanation};
use super::{DetectorInput, flags, is_one_of};
use crate::candidate::{Candidate, Candidates, EvidenceRank};
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tables::word_set::COMMON_WORD_SET;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};
use std::ops::Range;

/// Entities whose values can have letters.
pub(super) const OF_LETTERS: EntitySet = SPELLED_ENTITIES.or(OUTLINED_ENTITIES).or(EntitySet::from_slice(&[
    Entity::CRYPTO_ADDRESS,
    Entity::API_KEY,
    Entity::ACCESS_TOKEN,
    Entity::AFRICA_NATIONAL_ID,
]));
/// Entities whose values are digits alone.
const OF_DIGITS: EntitySet = MISREADABLE.without(OF_LETTERS).or(EntitySet::from_slice(&[
    Entity::PHONE_NUMBER,
    Entity::AU_BSB,
    Entity::US_EIN,
    Entity::IMEI,
]));
/// Entities whose values are read out in several messages.
pub(crate) const DICTATED_ENTITIES: EntitySet = OF_DIGITS.or(OF_LETTERS);
/// Entities that one or two numbers answer: beside a question for one of them, a short number is no part of another value.
const OF_SHORT_NUMBERS: EntitySet = EntitySet::from_slice(&[
    Entity::AGE,
    Entity::DOB,
    Entity::DATE,
    Entity::CARD_EXPIRATION_DATE,
    Entity::CVV,
    Entity::PIN,
]);
/// Maximum tokens on either side of a part.
const MAX_SURROUNDING_TOKENS: usize = 8;
/// Letters and digits of the shortest part.
const MIN_LENGTH: usize = 2;
/// Digits of the shortest first part of a value that can have letters, if it is said aloud; one more if it is written.
const MIN_FIRST_DIGITS: usize = 3;
/// Letters and digits of the shortest part that only a cue in its message shows.
const MIN_CUED_LENGTH: usize = 3;
/// Letters and digits of the shortest part that other words may follow; fewer if it has both.
const MIN_LONG_LENGTH: usize = 6;
const MIN_LONG_CODE_LENGTH: usize = 5;
/// Digits of the shortest and of the longest part that ends a message of other words.
const MIN_END_DIGITS: usize = 3;
const MAX_END_DIGITS: usize = 12;
/// Tokens of the longest message that ends with such a part.
const MAX_ANSWER_TOKENS: usize = 24;
/// Letters of the shortest part that is one word in capitals.
const MIN_CAPITALS: usize = 3;
/// Digits of the shortest part with a mark inside that dates and times have too.
const MIN_MARKED_DIGITS: usize = 6;

/// Reports the part of a value at the end of a message, after its cue, or a message that is a part of the value for which
/// an earlier message asks.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    // Only the last cue can lead to a part, and no question matters beside a cue.
    if input.cues().last().is_some_and(|cue| !cue.entities.intersects(out.active())) {
        return;
    }
    if let Some((entities, part)) =
        part_after_cue(input.tokens, input.cues()).filter(|(_, part)| part.is_spoken(input.tokens))
    {
        part.push(input.tokens, entities.and(out.active()), DetectionReason::Cue, out);
        return;
    }
    let expected = input.expected_entities.or(input.continued);
    let asked = expected.and(DICTATED_ENTITIES).and(out.active());
    if asked.is_empty() || expected.intersects(OF_SHORT_NUMBERS) || !input.cues().is_empty() {
        return;
    }
    if let Some(part) = Part::of_message(input.tokens).or_else(|| Part::at_end(input.tokens)) {
        // A few digits alone answer "for how many people is the reservation" too.
        let least = MIN_FIRST_DIGITS + usize::from(!part.is_spoken(input.tokens));
        let is_count = part.length < least && !part.has_letters && input.continued.is_empty();
        let asked = if is_count { asked.and(OF_DIGITS) } else { asked };
        part.push(input.tokens, asked, DetectionReason::EarlierCue, out);
    }
}

/// The part of a value between its cue, which is the last one, and the end of a message, with the entities of the cue.
fn part_after_cue(tokens: &Tokens<'_>, cues: &[Cue]) -> Option<(EntitySet, Part)> {
    let cue = cues.last().filter(|cue| cue.entities.is_subset(DICTATED_ENTITIES) && !cue.needs_connector)?;
    let from = cue.end_token as usize;
    let leads = |at: &usize| *at == from || may_surround(tokens, at - 1) && flags(tokens.at(at - 1)) & flag::AND == 0;
    let part =
        (from..from + MAX_SURROUNDING_TOKENS).take_while(leads).find_map(|first| Part::at(tokens, first, false))?;
    // "my booking is for seven thirty" names no number.
    let names_number = is_one_of(tokens, tokens.before(from), &NUMBER_NOUNS) || cue.entities.is_subset(OF_DIGITS);
    let is_of_other =
        (from..part.tokens.start).any(|at| is_one_of(tokens, tokens.at(at), &["for", "at", "from", "until"]));
    let is_named = !is_of_other && (part.has_letters || names_number);
    (part.length >= MIN_CUED_LENGTH && is_named).then_some((cue.entities, part))
}

/// Words at the end of a cue that name a number or code.
const NUMBER_NOUNS: [&str; 9] = ["number", "no", "id", "d", "code", "reference", "ref", "locator", "num"];

/// The entities of a value that an earlier message begins, or whose mask ends it.
pub(crate) fn entities_begun(tokens: &Tokens<'_>, cues: &[Cue]) -> EntitySet {
    let Some(cue) = cues.last().filter(|cue| cue.entities.intersects(DICTATED_ENTITIES)) else {
        return EntitySet::empty();
    };
    let is_masked = || is_mask(tokens, cue.end_token as usize);
    let entities = part_after_cue(tokens, cues).map(|(entities, _)| entities);
    entities.or_else(|| is_masked().then_some(cue.entities.and(DICTATED_ENTITIES))).unwrap_or(EntitySet::empty())
}

/// Whether a text may be a part of a value that an earlier message asks for.
pub(crate) fn may_answer(tokens: &Tokens<'_>, active: EntitySet) -> bool {
    active.intersects(DICTATED_ENTITIES) && (Part::of_message(tokens).is_some() || Part::at_end(tokens).is_some())
}

/// Whether an earlier message is nothing but a part of a value, or the mask of one.
pub(crate) fn is_part(tokens: &Tokens<'_>) -> bool {
    is_mask(tokens, 0) || Part::of_message(tokens).is_some()
}

/// Whether a message has nothing from a token on but asterisks and words that lead to a value.
fn is_mask(tokens: &Tokens<'_>, from: usize) -> bool {
    let is_mask = |at: &usize| tokens.at(*at).kind == TokenKind::Mask;
    let others = (from..tokens.len()).filter(|at| !is_mask(at));
    (from..tokens.len()).any(|at| is_mask(&at)) && others.clone().count() <= 2 * MAX_SURROUNDING_TOKENS && { others }
        .all(|at| may_surround(tokens, at))
}

/// Letters and digits that may be a part of a value.
struct Part {
    tokens: Range<usize>,
    length: usize,
    has_letters: bool,
}

impl Part {
    /// The part that is all of a message but for words that may surround one.
    fn of_message(tokens: &Tokens<'_>) -> Option<Self> {
        let most = MAX_SURROUNDING_TOKENS.min(tokens.len());
        (0..most)
            .take_while(|at| *at == 0 || may_surround(tokens, at - 1))
            .find_map(|first| Self::at(tokens, first, true))
    }

    /// Digits said one by one at the end of a message, which count nothing: "i'm reading it off the app zero seven six".
    fn at_end(tokens: &Tokens<'_>) -> Option<Self> {
        let is_digit = |at: &usize| {
            let token = tokens.at(*at);
            flags(token) & (flag::DIGIT | flag::OH) != 0 && (*at == 0 || token.gap == Gap::Space)
        };
        let end = tokens.len();
        let length = (end.saturating_sub(MAX_END_DIGITS)..end).rev().take_while(is_digit).count();
        let is_number = (MIN_END_DIGITS..MAX_END_DIGITS).contains(&length) && end <= MAX_ANSWER_TOKENS;
        is_number.then_some(Self { tokens: end - length..end, length, has_letters: false })
    }

    /// The part that begins at a token. Only words that may surround a part follow it, unless it is long and `may_go_on`.
    fn at(tokens: &Tokens<'_>, first: usize, may_go_on: bool) -> Option<Self> {
        if is_capitals(tokens, first) {
            return Some(Self { tokens: first..first + 1, length: tokens.at(first).byte_len(), has_letters: true });
        }
        // "oh sorry 076895540"
        let is_exclaimed = is_one_of(tokens, tokens.at(first), &["oh", "o"]) && !begins_value(tokens, first + 1);
        let is_ok = is_one_of(tokens, tokens.at(first), &["o"]) && is_one_of(tokens, tokens.at(first + 1), &["k"]);
        if is_exclaimed || is_ok && !begins_value(tokens, first + 2) {
            return None;
        }
        let value = Value::read(tokens, first);
        let mut end = value.end_token();
        let mut compact = value.compact();
        if end > first + 1 && is_prose_letter(tokens, end - 1) {
            (end, compact) = (end - 1, compact.split_last()?.1);
        }
        let (length, digits) = (compact.len(), compact.iter().filter(|byte| byte.is_ascii_digit()).count());
        let part = Self { tokens: first..end, length, has_letters: digits < length };
        let is_said_singly = (first..end).all(|at| flags(tokens.at(at)) & (flag::DIGIT | flag::OH) != 0);
        let is_long = length >= MIN_LONG_LENGTH - usize::from(is_said_singly)
            || part.has_letters && digits > 0 && length >= MIN_LONG_CODE_LENGTH;
        let is_last =
            || tokens.len() <= end + MAX_SURROUNDING_TOKENS && (end..tokens.len()).all(|at| may_follow(tokens, at));
        let is_delimited = may_go_on && is_long || is_last();
        let is_part =
            length >= MIN_LENGTH && is_delimited && !part.is_quantity(tokens, digits) && !part.has_prose(tokens);
        is_part.then_some(part)
    }

    /// Whether a number or a letter is said aloud. In writing, people give a value as a whole.
    fn is_spoken(&self, tokens: &Tokens<'_>) -> bool {
        self.tokens.clone().any(|at| flags(tokens.at(at)) & (flag::NUMBER | flag::SPELLING_ALPHABET) != 0)
    }

    /// Whether a word among the letters and digits is neither a number, nor the name or the explanation of a letter.
    fn has_prose(&self, tokens: &Tokens<'_>) -> bool {
        self.tokens.clone().any(|at| {
            let token = tokens.at(at);
            let is_written = tokens.str(token).bytes().all(|byte| byte.is_ascii_uppercase());
            let touches = token.gap == Gap::None && at > 0 || tokens.at(at + 1).gap == Gap::None;
            // "yes1"
            let is_grammar = flags(token) & (flag::STOPWORD | flag::CONNECTOR | flag::COPULA) != 0;
            let is_joined = touches && !is_grammar;
            token.kind == TokenKind::Word
                && (token.slot() == 0 || touches)
                && token.byte_len() > 1
                && flags(token) & (SAID_WORDS | flag::SPOKEN_MARK) == 0
                && !(is_explanation(tokens, at, self.tokens.start) || is_written || is_joined)
        })
    }

    /// Reports the part as one of these entities, unless other evidence covers most of it.
    fn push(&self, tokens: &Tokens<'_>, entities: EntitySet, reason: DetectionReason, out: &mut Candidates) {
        let (start, end) = (tokens.at(self.tokens.start).start, tokens.before(self.tokens.end).end);
        let covers =
            |found: &Candidate| found.covers_most_of(start, end) && found.evidence < EvidenceRank::WholeMessage;
        let entities = if self.has_letters { entities.and(OF_LETTERS) } else { entities };
        if let Some(entity) = entities.iter().next().filter(|_| !out.as_slice().iter().any(covers)) {
            out.push_fully_masked(start, end, entity, reason, EvidenceRank::Cue);
        }
    }

    /// Whether the part counts or measures something, or is a date or time.
    fn is_quantity(&self, tokens: &Tokens<'_>, digits: usize) -> bool {
        const UNITS: u32 = flag::UNIT | flag::SCALE | flag::DIGIT_SUFFIX;
        let has_unit =
            self.tokens.clone().any(|at| flags(tokens.at(at)) & UNITS != 0 && flags(tokens.at(at)) & flag::NUMBER == 0);
        let has_mark = self.tokens.clone().any(|at| {
            let token = tokens.at(at);
            token.is_mark(b'/') || token.is_mark(b':') || token.is_mark(b'.')
        });
        let follows = tokens.at(self.tokens.end);
        flags(follows) & UNITS != 0
            || follows.is_mark(b'%')
            || has_unit
            || has_mark && !self.has_letters && digits < MIN_MARKED_DIGITS
    }
}

/// Whether a token can be letters or digits of a value.
fn begins_value(tokens: &Tokens<'_>, at: usize) -> bool {
    Value::read(tokens, at).end_token() > at
}

/// Whether a message is one word in capitals that is no common word.
fn is_capitals(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    let text = tokens.str(token);
    token.kind == TokenKind::Word
        && token.slot() == 0
        && !COMMON_WORD_SET.contains(text)
        && text.len() >= MIN_CAPITALS
        && text.bytes().all(|byte| byte.is_ascii_uppercase())
        && (at == 0 || is_one_of(tokens, tokens.before(at), &LEAD_WORDS))
        && (at + 1..tokens.len()).all(|after| tokens.at(after).kind == TokenKind::Mark && may_follow(tokens, after))
}

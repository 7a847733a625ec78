//! Ages that no cue such as "years old" names: "I'm 62 and retired", "my son is fifteen", "she's 4", and answers to "how
//! old are you".

use super::{DetectorInput, age_apposition, flags, is_one_of};
use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::Entity;
use crate::numbers::{NumberRun, RunBuffer, is_number_token};
use crate::span::DetectionReason;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// The highest age.
const MAX_AGE: u32 = 120;
/// Pronouns with their verb in one word, as chat writes them.
const CONTRACTED: [&str; 6] = ["im", "hes", "shes", "whos", "iam", "ima"];
/// Pronouns of people.
const PRONOUNS: [&str; 4] = ["i", "he", "she", "who"];
const VERBS: [&str; 8] = ["am", "is", "was", "m", "s", "turned", "be", "ll"];
/// Words between the verb and an age.
const ADVERBS: [&str; 6] = ["only", "just", "now", "already", "almost", "nearly"];
/// Members of a family, of whom people say the age.
const FAMILY: [&str; 46] = [
    "son",
    "daughter",
    "child",
    "kid",
    "boy",
    "girl",
    "baby",
    "toddler",
    "father",
    "mother",
    "dad",
    "mom",
    "mum",
    "mommy",
    "daddy",
    "husband",
    "wife",
    "spouse",
    "partner",
    "brother",
    "sister",
    "grandma",
    "grandpa",
    "grandmother",
    "grandfather",
    "gran",
    "granny",
    "nan",
    "nana",
    "grandad",
    "granddad",
    "uncle",
    "aunt",
    "auntie",
    "nephew",
    "niece",
    "cousin",
    "grandson",
    "granddaughter",
    "stepson",
    "stepdaughter",
    "twin",
    "twins",
    "patient",
    "boyfriend",
    "girlfriend",
];
/// Words after a number that is no age: "I'm 20 in the queue".
const NOT_AFTER: [&str; 8] = ["in", "of", "to", "on", "out", "from", "away", "at"];

/// Looks at each number of up to three digits.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    if !out.active().contains(Entity::AGE) {
        return;
    }
    let tokens = input.tokens;
    let is_asked = input.expected_entities.contains(Entity::AGE);
    let mut buffer = RunBuffer::<MAX_RUN, MAX_RUN>::new();
    let mut run = NumberRun::new(&mut buffer);
    let (mut from, mut age_end) = (0, None);
    for first in tokens.number_range() {
        if !is_number_token(tokens.at(first)) || first < from {
            continue;
        }
        let is_contrasted = age_end.is_some_and(|end| is_contrasted(tokens, end, first));
        let may_be_age = is_asked
            || is_contrasted
            || follows_person(tokens, first)
            || follows_possession(tokens, first)
            || age_apposition::is_age(tokens, first, first + 1);
        if !may_be_age || is_pointed_at(tokens, first) {
            continue;
        }
        let Some(after) = run.read_one_group(tokens, first) else { continue };
        from = after;
        let value = run.digits().iter().fold(0, |value: u32, digit| (value * 10 + u32::from(digit.value)).min(1000));
        let (Some(head), Some(tail)) = (run.digits().first(), run.digits().last()) else { continue };
        let continues = tokens.before(first).kind == TokenKind::Mask || is_number_token(tokens.at(after));
        if continues || !(1..=MAX_AGE).contains(&value) || has_unit(tokens, after) {
            continue;
        }
        let (reason, evidence) = match () {
            () if is_asked && answers(tokens, first, after) => {
                out.record_answer();
                (DetectionReason::EarlierCue, EvidenceRank::Cue)
            }
            () if is_possessed(tokens, first, after, value) => (DetectionReason::Cue, EvidenceRank::Cue),
            () if is_contrasted
                || age_apposition::is_age(tokens, first, after)
                || follows_person(tokens, first) && ends_clause(tokens, after) && !is_article(tokens, first) =>
            {
                (DetectionReason::Shape, EvidenceRank::Shape)
            }
            () => continue,
        };
        age_end = Some(after);
        out.push_fully_masked(head.start, tail.end, Entity::AGE, reason, evidence);
    }
}

/// Whether a number is the age that a person "has": "tengo 62 años".
fn is_possessed(tokens: &Tokens<'_>, first: usize, after: usize, value: u32) -> bool {
    follows_possession(tokens, first) && (MIN_POSSESSED..=MAX_AGE).contains(&value) && are_years(tokens, after)
}

/// Whether a number is the age that a person does not have, after the one that the person has: "34 not 65".
fn is_contrasted(tokens: &Tokens<'_>, end: usize, first: usize) -> bool {
    let at = end + usize::from(tokens.at(end).is_mark(b','));
    let is_negation = || is_one_of(tokens, tokens.at(at), &["not", "no", "nicht", "pas", "non", "não"]);
    at + 1 == first && is_negation() && ends_clause(tokens, first + 1)
}

/// Capacity for one group.
const MAX_RUN: usize = 32;

/// Whether the word after a number makes it a quantity. Years are an age.
fn has_unit(tokens: &Tokens<'_>, after: usize) -> bool {
    let next = tokens.at(after);
    let is_years = is_one_of(tokens, next, &["years", "year", "yrs", "yo"]);
    next.is_mark(b'%')
        || next.is_mark(b':')
        || next.is_mark(b'/')
        || next.gap == Gap::None && next.is_alphanumeric() && !is_years
        || flags(next) & (flag::UNIT | flag::DIGIT_SUFFIX | flag::SCALE | flag::MONTH) != 0 && !is_years
}

/// Whether "one" or "a" may be no number.
fn is_article(tokens: &Tokens<'_>, at: usize) -> bool {
    is_one_of(tokens, tokens.at(at), &["one", "a", "un", "una", "ein", "eins"])
}

/// Whether a person and a form of "to be" stand before a number: "I'm", "she is only", "my dad's".
fn follows_person(tokens: &Tokens<'_>, first: usize) -> bool {
    if first == 0 {
        return false;
    }
    let verb = first - 1 - usize::from(first > 1 && is_one_of(tokens, tokens.at(first - 1), &ADVERBS));
    if is_one_of(tokens, tokens.at(verb), &CONTRACTED) {
        return true;
    }
    if !is_one_of(tokens, tokens.at(verb), &VERBS) {
        return false;
    }
    let subject = verb.checked_sub(1 + usize::from(verb > 1 && tokens.at(verb - 1).is_mark(b'\'')));
    subject.is_some_and(|at| is_one_of(tokens, tokens.at(at), &PRONOUNS) || is_one_of(tokens, tokens.at(at), &FAMILY))
}

/// Whether a number ends its clause: no noun follows that it counts.
fn ends_clause(tokens: &Tokens<'_>, after: usize) -> bool {
    const PLAIN: u32 = flag::AND | flag::CONNECTOR | flag::STOPWORD | flag::COPULA | flag::FILLER;
    let next = tokens.at(after);
    match next.kind {
        TokenKind::Edge => true,
        TokenKind::Mark => !next.is_mark(b'-') && !next.is_mark(b'$') && !next.is_mark(b'\''),
        TokenKind::Word => {
            next.gap >= Gap::Line
                || is_one_of(tokens, next, &["years", "yrs", "why", "how", "who", "i'm", "has", "can", "needs"])
                || flags(next) & PLAIN != 0 && !is_one_of(tokens, next, &NOT_AFTER)
        }
        TokenKind::Digits | TokenKind::Mask => false,
    }
}

/// Maximum tokens of an answer beside the age.
const MAX_ANSWER_TOKENS: usize = 8;

/// Whether a number answers a question for an age: the message is short, or a person stands before the number.
fn answers(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    tokens.len() <= after - first + MAX_ANSWER_TOKENS || follows_person(tokens, first)
}

/// Whether the word at a token is the "one" of "skip that one".
fn is_pointed_at(tokens: &Tokens<'_>, at: usize) -> bool {
    const POINTERS: [&str; 7] = ["that", "this", "which", "another", "other", "wrong", "right"];
    is_one_of(tokens, tokens.at(at), &["one"]) && is_one_of(tokens, tokens.before(at), &POINTERS)
}

/// The lowest age that a language says one "has": fewer years are those of a contract or guarantee.
const MIN_POSSESSED: u32 = 14;

/// Whether a verb of having stands before a number, as in the ages of Romance languages: "tengo 62 años".
fn follows_possession(tokens: &Tokens<'_>, first: usize) -> bool {
    first > 0 && is_one_of(tokens, tokens.at(first - 1), &["tengo", "tiene", "tenho", "tem", "ai", "ho"])
}

/// Whether a word for years ends the clause at a token.
fn are_years(tokens: &Tokens<'_>, at: usize) -> bool {
    let next = tokens.at(at + 1);
    is_one_of(tokens, tokens.at(at), &["años", "anos", "ans", "anni"])
        && !is_one_of(tokens, next, &["de", "d", "di", "con", "com", "avec"])
}

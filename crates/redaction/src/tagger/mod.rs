//! The sequence tagger: a learned second opinion on names of people and street addresses.
//!
//! The tagger labels the runs of tokens that can be part of a value. It is a linear model over hashed features with a
//! first-order chain of labels. `docs/tagger.md` describes its data and its figures.

mod address_candidates;
mod attributes;
mod candidate_set;
mod candidates;
mod decode;
mod eponym;
mod features;
mod folded_word;
mod name_candidates;
mod per_token;
#[cfg(feature = "training")]
pub mod training;
mod view;
mod weights;
mod word_class;
mod word_lists;

use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tokenize::{Gap, TokenKind, Tokens};
use attributes::{Attributes, Withheld};
use candidate_set::CandidateSet;
use candidates::find_candidates;
use decode::{ADDRESS_BEGIN, ADDRESS_INSIDE, Label, Labels, NAME_BEGIN, NAME_INSIDE, Step, Weights};
use std::ops::Range;
use view::{AskedEntities, MAX_ANSWER_TOKENS, View};
use weights::TrainedWeights;

/// The entities that the tagger finds.
pub(crate) const ENTITIES: EntitySet = EntitySet::from_slice(&[Entity::PERSON_NAME, Entity::STREET_ADDRESS]);

/// A value that the tagger found.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Found {
    entity: Entity,
    tokens: Range<usize>,
}

/// Reports the names and addresses that the tagger finds. `expected` are the entities that an earlier message asks for.
pub(crate) fn detect(tokens: &Tokens<'_>, expected: EntitySet, out: &mut Candidates) {
    let active = out.active().and(ENTITIES);
    if active.is_empty() {
        return;
    }
    let (list, is_open) = find(tokens, active, asked(tokens, expected));
    if is_open {
        out.record_open_tokens();
    }
    for found in list {
        out.push_fully_masked(
            tokens.at(found.tokens.start).start,
            tokens.before(found.tokens.end).end,
            found.entity,
            DetectionReason::Model,
            EvidenceRank::Model,
        );
    }
}

/// Whether a question in an earlier message could change what the tagger finds.
pub(crate) fn needs_context(tokens: &Tokens<'_>, active: EntitySet) -> bool {
    let active = active.and(ENTITIES);
    if active.is_empty() || tokens.len() > MAX_ANSWER_TOKENS {
        return false;
    }
    let mut view = View::new(tokens, AskedEntities::default(), None);
    let (alone, _) = find_in(&mut view, active);
    let questions = [(true, false), (false, true), (true, true)];
    questions.into_iter().any(|(name, address)| {
        view.asked = AskedEntities { name, address };
        find_in(&mut view, active).0 != alone
    })
}

/// Whether a word is the type of a street or ends in one: "road", "rue", "Hauptstraße".
pub(crate) fn is_street_word(tokens: &Tokens<'_>, at: usize) -> bool {
    Attributes::new(tokens, tokens.at(at), Withheld::default()).is_street
}

fn asked(tokens: &Tokens<'_>, expected: EntitySet) -> AskedEntities {
    let is_short = tokens.len() <= MAX_ANSWER_TOKENS;
    AskedEntities {
        name: is_short && expected.contains(Entity::PERSON_NAME),
        address: is_short && expected.contains(Entity::STREET_ADDRESS),
    }
}

fn find(tokens: &Tokens<'_>, active: EntitySet, asked: AskedEntities) -> (Vec<Found>, bool) {
    find_in(&mut View::new(tokens, asked, None), active)
}

/// The values, and whether the masks of any values could bring more: a token that can be part of a value is part of
/// none, or a word for a street may come nearer to a number.
fn find_in(view: &mut View<'_, '_>, active: EntitySet) -> (Vec<Found>, bool) {
    let tokens = view.tokens;
    let set = find_candidates(view, active);
    let mut is_open = set.has_address_word && !tokens.number_range().is_empty();
    let mut found = Vec::new();
    if set.is_empty() {
        return (found, is_open);
    }
    let mut labels = Labels::default();
    for run in set.runs() {
        decode::decode(&TrainedWeights, run.clone().map(|at| step(view, &set, at)), &mut labels);
        is_open |= labels.as_slice().contains(&decode::OUTSIDE);
        collect(run.start, labels.as_slice(), &mut found);
    }
    for value in &mut found {
        trim(tokens, &mut value.tokens);
    }
    found.retain(|value| {
        let is_thing = value.entity == Entity::PERSON_NAME && eponym::names_thing(view, &value.tokens);
        value.tokens.start < value.tokens.end && !is_thing
    });
    (found, is_open)
}

fn step(view: &mut View<'_, '_>, set: &CandidateSet, at: usize) -> Step {
    let scores = TrainedWeights.emission(&features::features(view, at));
    Step { scores, kinds: set.kinds(at), begins_line: view.tokens.at(at).gap >= Gap::Line }
}

/// Adds the values of the labels of a run.
fn collect(first: usize, labels: &[Label], found: &mut Vec<Found>) {
    for (at, label) in (first..).zip(labels) {
        match *label {
            NAME_BEGIN => found.push(Found { entity: Entity::PERSON_NAME, tokens: at..at + 1 }),
            ADDRESS_BEGIN => found.push(Found { entity: Entity::STREET_ADDRESS, tokens: at..at + 1 }),
            NAME_INSIDE | ADDRESS_INSIDE => {
                if let Some(last) = found.last_mut() {
                    last.tokens.end = at + 1;
                }
            }
            _ => {}
        }
    }
}

/// Removes marks at the ends of a value.
fn trim(tokens: &Tokens<'_>, range: &mut Range<usize>) {
    let is_outer = |at: usize| matches!(tokens.at(at).kind, TokenKind::Mark | TokenKind::Mask);
    while range.start < range.end && is_outer(range.end - 1) {
        range.end -= 1;
    }
    while range.start < range.end && is_outer(range.start) {
        range.start += 1;
    }
}

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
mod found;
mod listing;
mod middle_initial;
mod name_candidates;
mod no_person;
mod per_token;
mod preceding;
mod scores;
mod tagged_text;
#[cfg(feature = "training")]
pub mod training;
mod view;
mod weights;
mod word_class;
mod word_lists;

use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tokenize::Tokens;
use attributes::{Attributes, Withheld};
pub(crate) use listing::Listing;
pub(crate) use no_person::is_form_of_address;
pub(crate) use tagged_text::TaggedText;
use view::{AskedEntities, MAX_ANSWER_TOKENS};

/// The entities that the tagger finds.
pub(crate) const ENTITIES: EntitySet = EntitySet::from_slice(&[Entity::PERSON_NAME, Entity::STREET_ADDRESS]);

/// Reports the names and addresses that the tagger finds. `expected` are the entities that an earlier message asks for.
pub(crate) fn detect(text: &TaggedText<'_, '_>, expected: EntitySet, out: &mut Candidates) {
    let active = out.active().and(ENTITIES);
    if active.is_empty() {
        return;
    }
    let tokens = text.tokens;
    let findings = text.findings(active, asked(tokens, expected));
    if findings.is_open {
        out.record_open_tokens();
    }
    for found in &findings.list {
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
pub(crate) fn needs_context(text: &TaggedText<'_, '_>, active: EntitySet) -> bool {
    let active = active.and(ENTITIES);
    if active.is_empty() || text.tokens.len() > MAX_ANSWER_TOKENS {
        return false;
    }
    text.keep_scores();
    let found = |name, address| text.findings(active, AskedEntities { name, address }).list.as_slice();
    let alone = found(false, false);
    [(true, false), (false, true), (true, true)].into_iter().any(|(name, address)| found(name, address) != alone)
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

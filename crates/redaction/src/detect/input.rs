//! The input of the detectors.

use super::date_words::{self, Dates};
use super::digit_format::PART_ENTITIES;
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};
use crate::registry::lookup::IdentifierSet;
use crate::tokenize::Tokens;
use crate::tokenize::near::NEAR_TOKENS;
use crate::tokenize::search_hint::SearchHint;
use crate::tokenize::words::flag;
use std::cell::OnceCell;

/// What earlier messages say about the values of a text.
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent property")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expectation {
    /// The entities that an earlier message asks for.
    pub(crate) entities: EntitySet,
    /// Whether an earlier message names a secret or speaks of entering one.
    pub(crate) names_secret: bool,
    /// Whether the card code among the entities is only "the code", in messages that speak of no card.
    pub(crate) is_of_unnamed_code: bool,
    /// Whether the message before asks how many digits a value has.
    pub(crate) is_of_length: bool,
    /// The entities of a value in the message before, which the text may confirm or correct.
    pub(crate) repeated: EntitySet,
    /// Whether the message before asks to say that value once more.
    pub(crate) must_repeat: bool,
    /// The entities of a question that was answered, which the text may answer again to correct it.
    pub(crate) answered: EntitySet,
    /// The entities of a value of which earlier messages give parts: the text may be the next part.
    pub(crate) continued: EntitySet,
}

impl Expectation {
    /// The expectation if earlier messages ask for these entities.
    pub(crate) const fn of(entities: EntitySet) -> Self {
        Self {
            entities,
            names_secret: entities.contains(Entity::PASSWORD),
            is_of_unnamed_code: false,
            is_of_length: false,
            repeated: EntitySet::empty(),
            must_repeat: false,
            answered: EntitySet::empty(),
            continued: EntitySet::empty(),
        }
    }
}

/// The input of the detectors: the tokens of a text, its cues, and the entities that earlier messages ask for.
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent property")]
pub(crate) struct DetectorInput<'a, 't> {
    pub(crate) tokens: &'a Tokens<'t>,
    cues: &'a [Cue],
    /// Whether the text has a word that begins a cue for an age.
    pub(crate) has_age_word: bool,
    age_cue: OnceCell<bool>,
    search_hint: SearchHint,
    /// The entities that an earlier message asks for.
    pub(crate) expected_entities: EntitySet,
    /// The entities of a value of which earlier messages give parts.
    pub(crate) continued: EntitySet,
    /// Whether an earlier message names a secret or speaks of entering one.
    pub(crate) names_secret: bool,
    /// Whether an earlier message asks for "the code" and no message speaks of a card.
    pub(crate) is_of_unnamed_code: bool,
    /// Whether the message before asks how many digits a value has.
    pub(crate) is_of_length: bool,
    /// [`Self::expected_entities`] and the entities that the cues of the text name.
    pub(crate) named_entities: EntitySet,
    /// The identifiers of the registry to look for.
    pub(crate) identifiers: IdentifierSet,
    /// Whether the text has a month in letters.
    has_month: bool,
    dates: OnceCell<Dates>,
}

impl<'a, 't> DetectorInput<'a, 't> {
    /// `words` are the flags of the words in the text, `cues` its cues.
    pub(crate) fn new(
        tokens: &'a Tokens<'t>,
        words: u32,
        cues: &'a [Cue],
        expected: Expectation,
        identifiers: IdentifierSet,
    ) -> Self {
        let (age_cue, dates, search_hint) = (OnceCell::new(), OnceCell::new(), SearchHint::default());
        let has = |word: u32| words & word != 0;
        let Expectation {
            entities: expected_entities, names_secret, is_of_unnamed_code, is_of_length, continued, ..
        } = expected;
        let named_entities = cues.iter().fold(expected_entities, |named, cue| named.or(cue.entities));
        Self {
            tokens,
            named_entities,
            cues,
            has_age_word: has(flag::AGE_CUE),
            age_cue,
            search_hint,
            expected_entities,
            continued,
            names_secret,
            is_of_unnamed_code,
            is_of_length,
            identifiers,
            has_month: has(flag::MONTH),
            dates,
        }
    }

    /// The dates with a month in letters, found on first use.
    pub(crate) fn dates(&self) -> &Dates {
        let find = || if self.has_month { date_words::find(self.tokens) } else { Dates::default() };
        self.dates.get_or_init(find)
    }

    /// Whether an earlier message asks for a number that is said in parts, and for nothing else.
    pub(crate) fn expects_part(&self) -> bool {
        self.expected_entities.intersects(PART_ENTITIES)
            && self.cues.is_empty()
            && (self.expected_entities.is_subset(PART_ENTITIES) || self.expected_entities == EntitySet::all())
    }

    /// The cues of the text.
    pub(crate) fn cues(&self) -> &[Cue] {
        self.cues
    }

    /// The last cue that begins before a token.
    pub(crate) fn last_cue_before(&self, token: usize) -> Option<&Cue> {
        let after = self.cues_before(|cue| (cue.first_token as usize) < token);
        after.checked_sub(1).and_then(|last| self.cues.get(last))
    }

    /// The cues that begin at most [`NEAR_TOKENS`] before and after a token.
    pub(crate) fn cues_near(&self, at: usize) -> &[Cue] {
        let (first, after) = (at.saturating_sub(NEAR_TOKENS), at.saturating_add(NEAR_TOKENS));
        if self.tokens.len() <= NEAR_TOKENS {
            return self.cues;
        }
        let from = self.cues.partition_point(|cue| (cue.first_token as usize) < first);
        let to = self.cues.partition_point(|cue| (cue.first_token as usize) < after);
        self.cues.get(from..to).unwrap_or_default()
    }

    /// The cues that begin before a token, at most [`NEAR_TOKENS`] before it, in order.
    pub(crate) fn cues_near_before(&self, at: usize) -> &[Cue] {
        let near = self.cues_near(at);
        near.get(..near.partition_point(|cue| (cue.first_token as usize) < at)).unwrap_or_default()
    }

    /// Whether one of the cues is for an age. Called for each short number, so the result is cached.
    pub(crate) fn has_age_cue(&self) -> bool {
        let any = || self.cues().iter().any(|cue| cue.entities.contains(Entity::AGE));
        self.has_age_word && *self.age_cue.get_or_init(any)
    }

    /// The number of cues for which `comes_before` holds.
    pub(crate) fn cues_before(&self, comes_before: impl Fn(&Cue) -> bool) -> usize {
        self.search_hint.partition_point(self.cues(), comes_before)
    }
}

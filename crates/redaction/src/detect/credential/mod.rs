//! Secrets by the grammar of their sentence: passwords, user names and security answers.
//!
//! The detector cuts a text into pieces, reads the possible values that begin at each piece, and adds up the weights of
//! what speaks for each: its shape, the words that link it to a cue, the topic, and what follows.

mod abbreviation;
mod alternative;
mod analysis;
mod announced;
mod answer;
mod answer_link;
mod change_link;
mod copula_link;
mod cue_extent;
mod entry_link;
mod everyday_words;
mod evidence;
mod found;
mod gate;
mod hint;
mod judgement;
mod licence;
mod link;
mod link_after;
mod list;
mod made_up_link;
mod named_identifier;
mod naming;
mod noun_phrase;
mod piece;
mod piece_kind;
mod plain_value;
mod prose;
mod search;
mod segment;
mod shape;
mod spoken;
mod spoken_item;
mod subject;
mod surroundings;
mod topic;
mod unlisted_cue;
mod value;
mod value_entity;
mod verb_object;
mod weights;
mod word_class;
mod word_list;

use crate::candidate::{Candidates, EvidenceRank};
use crate::detect::secret::{key_blocks, prefixed_key_length};
use crate::detect::{DetectorInput, Expectation, is_one_of};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tables::word_set::GIVEN_NAME_SET;
use crate::tokenize::words::flag;
use crate::tokenize::{Token, TokenKind, Tokens};
pub(crate) use analysis::Analysis;
pub(crate) use gate::{may_be_in, may_be_passphrase};
pub(crate) use piece::SECRETS;

/// Looks for secrets in a text that is analysed.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, analysis: &Analysis<'_, '_>, out: &mut Candidates) {
    let expected = Expectation { names_secret: input.names_secret, ..Expectation::of(input.expected_entities) };
    let secrets = analysis.find(expected);
    let text = input.tokens.text;
    let blocks = if secrets.is_empty() { Vec::new() } else { key_blocks(text) };
    for secret in secrets {
        let (start, end) = (secret.start as usize, secret.end as usize);
        let block = blocks.get(blocks.partition_point(|block| block.end < end));
        let is_in_block = block.is_some_and(|block| block.start <= start);
        // A key says by its prefix what it is.
        let is_key = secret.reason == DetectionReason::Shape && prefixed_key_length(&text[start..end]).is_some();
        if is_in_block || is_key {
            continue;
        }
        // A value that nothing names may be a better known one, such as a token or a licence plate.
        let evidence = if secret.reason == DetectionReason::Shape { EvidenceRank::Model } else { EvidenceRank::Cue };
        out.push_fully_masked(secret.start, secret.end, secret.entity, secret.reason, evidence);
    }
}

/// Whether a text can hold an answer to an earlier question for one of these entities.
pub(crate) fn may_answer<'r>(
    tokens: &Tokens<'_>,
    analysis: impl FnOnce() -> &'r Analysis<'r, 'r>,
    active: EntitySet,
) -> bool {
    let asked = active.and(SECRETS);
    if asked.is_empty()
        || tokens.len() > search::MAX_ANSWER_TOKENS
        || !tokens.as_slice().iter().any(|t| may_be_value(t.kind, t.flags))
    {
        return false;
    }
    let analysis = analysis();
    let with = |entities: EntitySet| analysis.find(Expectation::of(entities));
    let alone = analysis.find_alone();
    let named = Expectation { names_secret: true, ..Expectation::of(EntitySet::empty()) };
    asked.iter().any(|entity| with(entity.bit()) != alone)
        || analysis.find(named) != alone
        || !alone.is_empty() && OTHERS.iter().any(|other| with(*other) != alone)
}

/// Entities that are no secrets: one of numbers, and one of letters and digits that people spell.
const OTHERS: [EntitySet; 2] = [Entity::ORDER_NUMBER.bit(), Entity::VIN.bit()];

/// Whether a token can begin a value.
fn may_be_value(kind: TokenKind, flags: u32) -> bool {
    const NO_VALUE: u32 = flag::STOPWORD | flag::COPULA | flag::FILLER | flag::AND | flag::STATUS;
    match kind {
        TokenKind::Word => flags & NO_VALUE == 0,
        TokenKind::Digits => true,
        TokenKind::Mark | TokenKind::Mask | TokenKind::Edge => false,
    }
}

/// The part of a word in a sentence that tells a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WordRole {
    /// A verb, or the "to" of a change, directly before a value.
    Introduces,
    /// "from", "with".
    Origin,
    /// A word that can be between a verb and a value.
    Skipped,
    /// None of these.
    Other,
}

/// The part of a word in a sentence that tells a value.
pub(crate) fn word_role(tokens: &Tokens<'_>, token: Token) -> WordRole {
    use word_list::class::{
        ADVERB, CHANGE, COPULA, DETERMINER, DOUBT, ENTER, INTERJECTION, PRONOUN, TELL, TO, VERSION, WITH,
    };
    let classes = word_class::classes(tokens, token);
    let is = |set: u32| classes & set != 0;
    match () {
        () if is(COPULA | ENTER | TELL | CHANGE | TO) => WordRole::Introduces,
        () if is(WITH) || is_one_of(tokens, token, &["form", "de", "von", "di"]) => WordRole::Origin,
        () if is(ADVERB | INTERJECTION | PRONOUN | DOUBT | VERSION) && !is(DETERMINER) => WordRole::Skipped,
        () if is_one_of(tokens, token, &["in", "s"]) => WordRole::Skipped,
        () => WordRole::Other,
    }
}

/// The side of a number on which a word stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordSide {
    Before,
    After,
}

/// Whether a word can stand directly beside a code that is a noun phrase by itself. A noun or an article beside a number
/// makes it count or name something: "bus 214", "the 4821 people".
pub(crate) fn stands_beside_code(tokens: &Tokens<'_>, token: Token, side: WordSide) -> bool {
    use word_list::class::{
        ADVERB, AUXILIARY, CHANGE, CLOSING, CONJUNCTION, COPULA, DETERMINER, DOUBT, ENTER, INTERJECTION, NEGATION,
        PREPOSITION, PRONOUN, QUESTION, TELL, THING, TIME, TO, WEAK_CUE, WITH,
    };
    const VERBS: u32 =
        COPULA | ENTER | TELL | CHANGE | DOUBT | CONJUNCTION | PRONOUN | ADVERB | INTERJECTION | NEGATION;
    const BEFORE: u32 = VERBS | TO | WITH | WEAK_CUE;
    const AFTER: u32 = VERBS | AUXILIARY | PREPOSITION | WITH | TO | QUESTION | CLOSING | TIME | DETERMINER;
    let classes = word_class::classes(tokens, token);
    match side {
        _ if token.kind != TokenKind::Word => false,
        WordSide::Before => classes & BEFORE != 0 && classes & DETERMINER == 0,
        WordSide::After => classes & AFTER != 0 && classes & THING == 0,
    }
}

/// Whether a word is a common word with a typing error: "flasch".
pub(crate) fn is_mistyped_word(tokens: &Tokens<'_>, token: Token) -> bool {
    let word = tokens.str(token);
    token.kind == TokenKind::Word
        && token.slot() == 0
        && !GIVEN_NAME_SET.contains(word)
        && word_class::is_mistyped(word)
}

/// Whether a token is a word of the grammar, which is never a value.
pub(crate) fn is_grammar_word(tokens: &Tokens<'_>, token: Token) -> bool {
    let word = tokens.str(token);
    token.kind == TokenKind::Word
        && token.byte_len() > 1
        && (word_class::listed(word) != 0 || token.slot() == 0 && judgement::is_judgement(word))
}

//! Secrets by the grammar of their sentence: passwords, user names and security answers.
//!
//! The detector cuts a text into pieces, reads the possible values that begin at each piece, and adds up the weights of
//! what speaks for each: its shape, the words that link it to a cue, the topic, and what follows.

mod alternative;
mod answer;
mod cue_extent;
mod entry_link;
mod everyday_words;
mod evidence;
mod link;
mod link_after;
mod list;
mod named_identifier;
mod naming;
mod piece;
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
mod weights;
mod word_class;
mod word_list;

use crate::candidate::{Candidates, EvidenceRank};
use crate::cues::Cue;
use crate::detect::secret::{key_blocks, prefixed_key_length};
use crate::detect::{DetectorInput, Expectation, is_one_of};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tokenize::words::{SECRET_HINTS, flag};
use crate::tokenize::{Gap, TextFeatures, Token, TokenKind, Tokens};
pub(crate) use piece::SECRETS;
use search::find;

/// Whether a text can hold a secret that this detector finds: its cues or earlier messages name one, or a segment
/// consists of letters with digits or marks.
pub(crate) fn may_be_in(tokens: &Tokens<'_>, features: &TextFeatures, named: EntitySet, active: EntitySet) -> bool {
    active.intersects(SECRETS)
        && (named.intersects(SECRETS)
            || tokens.len() <= topic::MAX_HINTED_TOKENS
                && may_hint(tokens, features)
                && active.contains(Entity::PASSWORD)
            || features.has_digits
                && active.contains(Entity::PASSWORD)
                && (has_mixed_segment(tokens) || has_number_after_with(tokens))
            || may_be_passphrase(tokens, features, active)
            || active.contains(Entity::PASSWORD)
                && tokens.len() <= topic::MAX_HINTED_TOKENS
                && is_spelled(tokens, features))
}

/// Whether a text can hold a passphrase of joined words.
pub(crate) fn may_be_passphrase(tokens: &Tokens<'_>, features: &TextFeatures, active: EntitySet) -> bool {
    features.has_long_segment
        && tokens.len() <= topic::MAX_HINTED_TOKENS
        && active.contains(Entity::PASSWORD)
        && has_joined_words(tokens)
}

/// Maximum tokens of a message whose secret can be a word without a number.
const MAX_SHORT_TOKENS: usize = 24;

/// Whether a text has a word of sentences about secrets and may have a value, or spells by the spelling alphabet.
fn may_hint(tokens: &Tokens<'_>, features: &TextFeatures) -> bool {
    let has = |word: u32| features.word_flags & word != 0;
    let has_number = has(flag::NUMBER) || features.has_digits;
    let may_have_value =
        has_number || has(flag::SPELLING_ALPHABET) || features.has_second_capital || tokens.len() <= MAX_SHORT_TOKENS;
    let is_nato = |token: &Token| token.flags & flag::SPELLING_ALPHABET != 0;
    let spells = |pair: &[Token]| {
        let is_letter = |token: &Token| is_nato(token) || token.kind == TokenKind::Word && token.byte_len() == 1;
        pair.iter().all(is_letter) && pair.iter().any(is_nato)
    };
    let is_hint = |token: &Token| is_one_of(tokens, *token, &SECRET_HINTS);
    let hints = || has(flag::WORD_VALUE_CUE) && tokens.as_slice().iter().any(is_hint);
    may_have_value && (has(flag::SECRET_WORD) || hints())
        || has(flag::SPELLING_ALPHABET) && has_number && tokens.as_slice().windows(2).any(spells)
}

/// Whether a text with numbers spells a word letter by letter, or a word changes its case inside.
fn is_spelled(tokens: &Tokens<'_>, features: &TextFeatures) -> bool {
    let is_letter = |token: &Token| token.kind == TokenKind::Word && token.byte_len() == 1;
    let has_number = features.has_digits || features.word_flags & flag::NUMBER != 0;
    let changes_case = |token: &Token| {
        let word = tokens.str(*token).as_bytes();
        let changes = |pair: &[u8]| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase());
        token.kind == TokenKind::Word && token.slot() == 0 && word.len() >= 5 && word.windows(2).any(changes)
    };
    has_number && tokens.as_slice().windows(3).any(|three| three.iter().all(is_letter))
        || features.has_second_capital && tokens.as_slice().iter().any(changes_case)
}

/// Whether a number of six digits or more is what somebody does something with: "log on with 55120934".
fn has_number_after_with(tokens: &Tokens<'_>) -> bool {
    const WITH: [&str; 7] = ["with", "using", "con", "avec", "mit", "com", "w"];
    let range = tokens.digit_range();
    tokens.len() <= topic::MAX_HINTED_TOKENS
        && range.into_iter().any(|at| {
            let token = tokens.at(at);
            token.kind == TokenKind::Digits && token.digit_count() >= 6 && is_one_of(tokens, tokens.before(at), &WITH)
        })
}

/// Whether letters and digits touch, or a mark of secrets is between them.
fn has_mixed_segment(tokens: &Tokens<'_>) -> bool {
    let range = tokens.digit_range();
    let near = range.start.saturating_sub(2)..(range.end + 2).min(tokens.len());
    let tokens = tokens.as_slice().get(near).unwrap_or_default();
    let alternate = |three: &[Token]| match three {
        [a, b, c] => {
            b.gap == Gap::None
                && c.gap == Gap::None
                && (a.kind, b.kind, c.kind) == (TokenKind::Digits, TokenKind::Word, TokenKind::Digits)
        }
        _ => false,
    };
    let is_mixed = tokens.windows(2).any(|pair| match pair {
        [a, b] if b.gap == Gap::None => {
            let is_word =
                a.kind == TokenKind::Word && a.byte_len() >= 2 || b.kind == TokenKind::Word && is_no_suffix(b);
            let is_marked = |t: &Token| {
                t.kind == TokenKind::Mark
                    && matches!(t.mark(), b'!' | b'@' | b'#' | b'$' | b'%' | b'&' | b'_' | b'+' | b'?' | b'=')
            };
            is_word && (a.kind == TokenKind::Digits || b.kind == TokenKind::Digits || is_marked(a) || is_marked(b))
        }
        _ => false,
    });
    is_mixed || tokens.windows(3).any(alternate)
}

/// Whether three words in small letters are joined by full stops or hyphens, as in "tiger-lemon-river".
fn has_joined_words(tokens: &Tokens<'_>) -> bool {
    let is_word = |token: &Token| {
        let word = tokens.str(*token);
        token.kind == TokenKind::Word && word.len() >= 3 && word.bytes().all(|b| b.is_ascii_lowercase())
    };
    let is_joint = |token: &Token| token.kind == TokenKind::Mark && matches!(token.mark(), b'.' | b'-');
    tokens.as_slice().windows(5).any(|five| match five {
        [a, dash, b, other, c] => {
            is_word(a)
                && is_word(b)
                && is_word(c)
                && is_joint(dash)
                && dash.mark() == other.mark()
                && [dash, b, other, c].iter().all(|token| token.gap == Gap::None)
                && [a, b, c].iter().all(|token| word_class::listed(tokens.str(**token)) == 0)
        }
        _ => false,
    })
}

/// Whether a word after digits is no ordinal ending or clock word, as in "2nd" and "5pm".
fn is_no_suffix(word: &Token) -> bool {
    word.byte_len() >= 3 || word.byte_len() == 2 && word.flags & flag::DIGIT_SUFFIX == 0
}

/// Looks for secrets in a text.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    let expected = Expectation { names_secret: input.names_secret, ..Expectation::of(input.expected_entities) };
    let secrets = find(input.tokens, input.cues(), expected);
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
pub(crate) fn may_answer(tokens: &Tokens<'_>, cues: &[Cue], active: EntitySet) -> bool {
    let asked = active.and(SECRETS);
    if asked.is_empty()
        || tokens.len() > search::MAX_ANSWER_TOKENS
        || !tokens.as_slice().iter().any(|t| may_be_value(t.kind, t.flags))
    {
        return false;
    }
    let with = |entities: EntitySet| find(tokens, cues, Expectation::of(entities));
    let alone = with(EntitySet::empty());
    let named = Expectation { names_secret: true, ..Expectation::of(EntitySet::empty()) };
    asked.iter().any(|entity| with(entity.bit()) != alone)
        || find(tokens, cues, named) != alone
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

/// Whether a token is a word of the grammar, which is never a value.
pub(crate) fn is_grammar_word(tokens: &Tokens<'_>, token: Token) -> bool {
    token.kind == TokenKind::Word && token.byte_len() > 1 && word_class::listed(tokens.str(token)) != 0
}

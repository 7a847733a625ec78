//! Earlier messages as context: which of them count, and which entities they ask for.

use super::card_back::is_question_for_card_back;
use super::reply;
use crate::candidate::{Candidates, EvidenceRank};
use crate::cues::{Cue, Cues, LAST_FOUR, is_bare_code};
use crate::detect::{self, Expectation, cue_link};
use crate::entity::{Entity, EntitySet};
use crate::numbers::{NumberRun, RunBuffer};
use crate::span::{DetectionReason, ExternalSpan};
use crate::tokenize::words::flag;
use crate::tokenize::{TokenBuffer, TokenKind, TokenizedText, Tokens, saturating_u32};

/// Maximum number of earlier messages that count. Of more messages, the newest count.
pub const MAX_CONTEXT: usize = 6;

/// The speaker of an earlier message, relative to the text that is redacted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speaker {
    /// The speaker of the text.
    Same,
    /// The other side.
    Other,
    /// Unknown.
    Unknown,
}

/// An earlier message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Utterance<'a> {
    /// The text of the message, as it is stored: masked or not.
    pub text: &'a str,
    /// The speaker of the message.
    pub speaker: Speaker,
}

/// The earlier messages that count.
pub(crate) fn newest<'c, 'a>(context: &'c [Utterance<'a>]) -> &'c [Utterance<'a>] {
    &context[context.len().saturating_sub(MAX_CONTEXT)..]
}

/// Maximum bytes of a message that is part of a longer answer.
const MAX_INSTALLMENT_BYTES: usize = 100;
/// Number of messages back in which a question still counts.
const MAX_QUESTION_AGE: usize = MAX_CONTEXT;

/// What the earlier messages say about the values of a text: what they ask for, or the value that the text confirms or
/// corrects.
pub(crate) fn expectation_of(tokens: &Tokens<'_>, context: &[Utterance<'_>]) -> Expectation {
    let mut expected = expectation(context);
    if expected.entities.is_empty() && !expected.repeated.is_empty() && reply::is_reply(tokens) {
        expected.entities = expected.repeated;
    }
    expected
}

/// The entities that the earlier messages ask for, and whether those messages speak of a secret. The newest message with
/// a cue decides.
pub(crate) fn expectation(context: &[Utterance<'_>]) -> Expectation {
    let mut expected = Expectation::of(EntitySet::empty());
    expected.entities = expected_entities(context, &mut expected);
    expected.names_secret |= expected.entities.contains(Entity::PASSWORD);
    expected
}

fn expected_entities(context: &[Utterance<'_>], expected: &mut Expectation) -> EntitySet {
    let (mut continued, mut follows_directly, mut is_repeated, mut is_tail) = (true, true, false, false);
    for (age, utterance) in newest(context).iter().rev().take(MAX_QUESTION_AGE).enumerate() {
        let message = read_question(utterance.text);
        if age == 0 && message.has_value {
            expected.repeated = reply::repeated_entities(message.named);
        }
        expected.names_secret |= message.names_secret;
        let installment = continued
            && message.requested.is_empty()
            && message.has_value
            && utterance.speaker != Speaker::Other
            && utterance.text.len() <= MAX_INSTALLMENT_BYTES
            && !message.mentions_card;
        is_repeated |= follows_directly && message.asks_again;
        let is_wrong_answer = is_repeated && message.requested.is_empty() && message.has_value;
        let asks = !message.requested.is_empty() || message.asks_for_code;
        if (asks || message.has_value) && !installment && !is_wrong_answer {
            let of_card = || newest(context).iter().any(|earlier| read_question(earlier.text).mentions_card);
            return match message {
                Message { asks_for_code: true, requested, .. } if of_card() => {
                    requested.or(Entity::CVV.bit()).without(Entity::ONE_TIME_PASSCODE.bit())
                }
                Message { asks_for_code: true, requested, .. } => {
                    expected.is_of_unnamed_code = true;
                    requested.or(Entity::CVV.bit())
                }
                Message { holds_card: true, has_code: false, requested, .. }
                    if requested.is_empty() && follows_directly && utterance.speaker != Speaker::Other =>
                {
                    CARD_TRAIL
                }
                Message { requested, .. } => requested,
            };
        }
        is_tail |= message.asks_for_tail;
        follows_directly &= installment || message.tokens <= MAX_NOD_TOKENS;
        continued = installment;
    }
    if is_tail { Entity::SSN.bit() } else { EntitySet::empty() }
}

/// Whether a message speaks of the code of a card, other than by the word "code" alone.
pub(crate) fn speaks_of_card_code(text: &str) -> bool {
    read_question(text).has_code
}

/// What follows a card number and its expiry date without a question for it.
const CARD_TRAIL: EntitySet = EntitySet::from_slice(&[Entity::CVV, Entity::CARD_EXPIRATION_DATE]);
/// Tokens of the longest message that only asks to go on.
const MAX_NOD_TOKENS: usize = 3;

/// What an earlier message says about the values of the messages after it.
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent property")]
struct Message {
    /// The entities that it asks for.
    requested: EntitySet,
    /// The entities that its cues name.
    named: EntitySet,
    /// Whether it asks for the last four digits of a number that it does not name.
    asks_for_tail: bool,
    /// Whether it asks for "the code", which is the code of a card only if the messages speak of one.
    asks_for_code: bool,
    has_value: bool,
    /// Whether it speaks of a card or holds the number of one.
    mentions_card: bool,
    /// Whether it holds the number of a card or its expiry date.
    holds_card: bool,
    /// Whether it speaks of the code of a card.
    has_code: bool,
    tokens: usize,
    /// Whether it names a password or speaks of entering one.
    names_secret: bool,
    /// Whether it rejects an answer or asks to repeat it, and asks for nothing itself.
    asks_again: bool,
}

fn read_question(text: &str) -> Message {
    let mut buffer = TokenBuffer::new();
    let tokenized = TokenizedText::new(tail(text), &mut buffer);
    let tokens = tokenized.tokens();
    let mut cues = Cues::new();
    cues.read_to(&tokens, tokens.len());
    let cues = cues.as_slice();
    let (after, has_long_number) = last_value(&tokens);
    let is_bare = |cue: &&Cue| is_bare_code(cue);
    let asks_for_code = cues.iter().filter(is_bare).any(|cue| cue.first_token as usize >= after);
    let is_question =
        tokens.as_slice().iter().any(|t| t.is_mark(b'?') || detect::is_one_of(&tokens, *t, &ASKING_WORDS));
    let named = cue_link::requested_entities(&tokens, cues, after, is_question);
    let asks_for_tail = named == LAST_FOUR;
    let named = if asks_for_tail { EntitySet::empty() } else { named };
    let asks_for_back = is_question_for_card_back(&tokens, after);
    let of_code = cues.iter().filter(|cue| !is_bare(cue)).fold(EntitySet::empty(), |set, cue| set.or(cue.entities));
    Message {
        requested: if asks_for_back {
            named.or(Entity::CVV.bit()).without(Entity::ONE_TIME_PASSCODE.bit())
        } else if asks_for_code && !of_code.contains(Entity::CVV) {
            named.without(Entity::CVV.bit())
        } else {
            named
        },
        named: of_code,
        asks_for_tail,
        asks_for_code,
        has_value: after > 0,
        mentions_card: of_code.intersects(CARD_TALK) || has_card_mask(&tokens),
        holds_card: has_card_mask(&tokens)
            || has_long_number && of_code.is_empty()
            || after > 0 && of_code.contains(Entity::CARD_EXPIRATION_DATE),
        has_code: asks_for_back || of_code.contains(Entity::CVV),
        tokens: tokens.len(),
        names_secret: of_code.contains(Entity::PASSWORD) || tokenized.features.word_flags & flag::SECRET_WORD != 0,
        asks_again: named.is_empty() && after == 0 && reply::asks_again(&tokens),
    }
}

/// Entities of which a message about a card speaks.
const CARD_TALK: EntitySet = EntitySet::from_slice(&[Entity::CREDIT_CARD_NUMBER, Entity::CARD_EXPIRATION_DATE]);
/// Asterisks of a masked card number; other masks with a readable tail have fewer.
const MIN_CARD_ASTERISKS: usize = 8;

/// Whether a message holds a masked card number with its readable tail.
fn has_card_mask(tokens: &Tokens<'_>) -> bool {
    let mut asterisks = 0;
    tokens.as_slice().iter().any(|token| match token.kind {
        TokenKind::Mask => {
            asterisks += token.byte_len();
            false
        }
        TokenKind::Digits | TokenKind::Word => {
            let is_tail = token.digit_count() == 4 || crate::numbers::is_number_token(*token);
            let found = asterisks >= MIN_CARD_ASTERISKS && is_tail;
            asterisks = 0;
            found
        }
        TokenKind::Mark | TokenKind::Edge => false,
    })
}

/// Words of a question or request.
const ASKING_WORDS: [&str; 13] =
    ["what", "which", "your", "enter", "please", "cual", "cuál", "su", "tu", "qual", "sua", "quelle", "welche"];

/// Bytes at the end of a long message that are read: a question is at the end of a message.
const TAIL_BYTES: usize = 600;

fn tail(text: &str) -> &str {
    let mut from = text.len().saturating_sub(TAIL_BYTES);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

/// Digits of the shortest card number.
const MIN_CARD_DIGITS: usize = 13;

/// The token after the last number of three digits or more, or after the last mask; 0 if there is neither. Also whether
/// a number is as long as that of a card.
fn last_value(tokens: &Tokens<'_>) -> (usize, bool) {
    let mut buffer = RunBuffer::full_size();
    let mut run = NumberRun::new(&mut buffer);
    let (mut from, mut after, mut is_long) = (0, 0, false);
    while let Some(first) = run.read(tokens, from) {
        from = run.end_token.max(first + 1);
        if run.digits().len() >= 3 {
            after = run.end_token;
            is_long |= run.digits().len() >= MIN_CARD_DIGITS;
        }
    }
    let masked = tokens.as_slice().iter().rposition(|t| t.kind == TokenKind::Mask).map_or(0, |at| at + 1);
    (after.max(masked), is_long)
}

/// Adds the finding of an external detector, extended to character boundaries.
pub(crate) fn push_external(text: &str, span: ExternalSpan, out: &mut Candidates) {
    let (mut start, mut end) = (span.start.min(text.len()), span.end.min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    out.push_fully_masked(
        saturating_u32(start),
        saturating_u32(end),
        span.entity,
        DetectionReason::External,
        EvidenceRank::Shape,
    );
}

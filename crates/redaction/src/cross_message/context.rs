//! Earlier messages as context: which of them count, and which entities they ask for.

use super::question::{self, Message, Values};
use super::reply;
use crate::candidate::{Candidates, EvidenceRank};
use crate::detect::Expectation;
use crate::entity::{Entity, EntitySet};
use crate::span::{DetectionReason, ExternalSpan};
use crate::tokenize::{Tokens, saturating_u32};

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
    if expected.entities.is_empty() && !expected.answered.is_empty() && reply::is_correction(tokens) {
        expected.entities = expected.answered;
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
    let (mut continued, mut follows_directly, mut is_refused, mut is_tail) = (true, true, false, false);
    // What newer messages name without asking for it, and the values that they hold.
    let (mut mentioned, mut given) = (EntitySet::empty(), Values::default());
    // What newer messages ask for beside the code of a card, and whether one asks for what stands below something.
    let (mut also_asked, mut is_below) = (EntitySet::empty(), false);
    for (age, utterance) in newest(context).iter().rev().take(MAX_QUESTION_AGE).enumerate() {
        let message = question::read(utterance.text);
        if age == 0 && message.has_value() {
            expected.repeated = reply::repeated_entities(message.named);
        }
        expected.names_secret |= message.names_secret && given.is_empty();
        let is_other_side = is_other_side(utterance.speaker, age);
        let installment = continued
            && message.requested.is_empty()
            && message.has_value()
            && utterance.speaker != Speaker::Other
            && utterance.text.len() <= MAX_INSTALLMENT_BYTES
            && !message.mentions_card;
        is_refused |= follows_directly && message.asks_again || is_other_side && message.rejects;
        if is_other_side && message.asks_for_amount && !message.has_value() {
            return mentioned.or(also_asked);
        }
        let asked = question_of(&message, utterance, context, follows_directly && !installment, expected);
        // What stands below a user name is the password.
        is_below |= message.asks_for_next_field;
        let asked = if is_below && asked.contains(Entity::USERNAME) { Entity::PASSWORD.bit() } else { asked };
        let is_question = message.has_value() || is_other_side && !message.is_statement;
        // The date of a card is asked for beside its code.
        let is_beside = !message.has_value() && asked.is_subset(BESIDE_CODE);
        if is_question && is_beside && given.is_empty() {
            also_asked = also_asked.or(asked);
        } else if !asked.is_empty() && is_question || !mentioned.is_empty() && asked.intersects(PERSISTENT) {
            let is_open = !given.may_answer(asked)
                && (mentioned.is_empty() || asked.intersects(PERSISTENT))
                && (also_asked.is_empty() || asked.contains(Entity::CVV));
            if !is_open {
                expected.answered = asked.and(PERSISTENT);
            }
            return if is_open { asked.or(also_asked) } else { mentioned.or(also_asked) };
        }
        if mentioned.is_empty() && also_asked.is_empty() && given.is_empty() {
            mentioned = asked;
        }
        if message.has_value() && !installment && !is_refused {
            given.add(message.values);
        }
        is_tail |= message.asks_for_tail && given.is_empty();
        follows_directly &= installment || message.tokens <= MAX_NOD_TOKENS;
        continued = installment;
    }
    let named = mentioned.or(also_asked);
    if is_tail { named.or(Entity::SSN.bit()) } else { named }
}

/// Entities whose question leaves that for the code of a card open.
const BESIDE_CODE: EntitySet = Entity::CARD_EXPIRATION_DATE.bit();
/// Entities whose question stays open beside what a later message only mentions.
const PERSISTENT: EntitySet = EntitySet::from_slice(&[Entity::CVV, Entity::PIN, Entity::PASSWORD, Entity::SSN]);

/// Whether an earlier message is by the other side. Where the speakers are unknown, they are taken to alternate.
fn is_other_side(speaker: Speaker, age: usize) -> bool {
    match speaker {
        Speaker::Other => true,
        Speaker::Same => false,
        Speaker::Unknown => age.is_multiple_of(2),
    }
}

/// The entities that a message asks for, seen in its context.
fn question_of(
    message: &Message,
    utterance: &Utterance<'_>,
    context: &[Utterance<'_>],
    follows_directly: bool,
    expected: &mut Expectation,
) -> EntitySet {
    let of_card = || newest(context).iter().any(|earlier| question::read(earlier.text).mentions_card);
    if message.asks_for_code {
        if of_card() {
            return message.requested.or(Entity::CVV.bit()).without(Entity::ONE_TIME_PASSCODE.bit());
        }
        expected.is_of_unnamed_code = true;
        return message.requested.or(Entity::CVV.bit());
    }
    expected.is_of_unnamed_code |= message.is_code_unnamed && !of_card();
    let is_card_given = message.holds_card
        && !message.has_code
        && message.requested.is_empty()
        && follows_directly
        && utterance.speaker != Speaker::Other;
    if is_card_given { CARD_TRAIL } else { message.requested }
}

/// Whether a message speaks of the code of a card, other than by the word "code" alone.
pub(crate) fn speaks_of_card_code(text: &str) -> bool {
    question::read(text).has_code
}

/// What follows a card number and its expiry date without a question for it.
const CARD_TRAIL: EntitySet = EntitySet::from_slice(&[Entity::CVV, Entity::CARD_EXPIRATION_DATE]);
/// Tokens of the longest message that only asks to go on.
const MAX_NOD_TOKENS: usize = 3;

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

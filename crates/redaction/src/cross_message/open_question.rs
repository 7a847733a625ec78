//! The question of the earlier messages that is open: no value that fits has answered it, or the one that did was refused.

use super::question::{self, Message, Values};
use super::reply;
use super::utterance::{Speaker, Utterance, newest};
use crate::detect::Expectation;
use crate::detect::dictated_part::DICTATED_ENTITIES;
use crate::entity::{Entity, EntitySet};
use std::ops::ControlFlow;

/// Maximum bytes of a message that is part of a longer answer.
const MAX_INSTALLMENT_BYTES: usize = 100;
/// Tokens of the longest message that only asks to go on.
const MAX_NOD_TOKENS: usize = 3;
/// Tokens of the longest message between two parts of a value that is read out.
const MAX_DICTATION_NOD_TOKENS: usize = 8;
/// What follows a card number and its expiry date without a question for it.
const CARD_TRAIL: EntitySet = EntitySet::from_slice(&[Entity::CVV, Entity::CARD_EXPIRATION_DATE]);
/// Entities whose question leaves that for the code of a card open.
const BESIDE_CODE: EntitySet = Entity::CARD_EXPIRATION_DATE.bit();
/// Entities whose question stays open beside what a later message only mentions.
const PERSISTENT: EntitySet = EntitySet::from_slice(&[Entity::CVV, Entity::PIN, Entity::PASSWORD, Entity::SSN]);

/// The entities that the earlier messages ask for. The newest message that asks for something decides, unless it only
/// mentions an entity.
pub(super) fn expected_entities(context: &[Utterance<'_>], expected: &mut Expectation) -> EntitySet {
    let mut scan = Scan::new(context);
    for (age, utterance) in newest(context).iter().rev().enumerate() {
        if let ControlFlow::Break(asked) = scan.read(age, utterance, expected) {
            return scan.with_code_after_date(asked);
        }
    }
    let named = scan.mentioned.or(scan.also_asked);
    let named = if scan.is_tail { named.or(Entity::SSN.bit()) } else { named };
    scan.with_code_after_date(named)
}

/// A scan of the earlier messages, the newest first.
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent property")]
struct Scan<'c, 'a> {
    context: &'c [Utterance<'a>],
    /// Whether all newer messages are parts of an answer.
    continued: bool,
    /// Whether all newer messages are parts of an answer or only ask to go on.
    follows_directly: bool,
    /// Whether all newer messages are parts of a value that is read out in several messages, or only ask to go on.
    is_dictated: bool,
    /// Whether a newer message refuses an answer.
    is_refused: bool,
    /// Whether the newest message asks for the next part of a value.
    is_of_next_part: bool,
    /// Whether a newer message asks for the last four digits of a number.
    is_tail: bool,
    /// Whether a newer message asks for what stands below something.
    is_below: bool,
    /// What a newer message names without asking for it.
    mentioned: EntitySet,
    /// What newer messages ask for beside the code of a card.
    also_asked: EntitySet,
    /// The values of newer messages that were not refused.
    given: Values,
    /// Whether a newer message holds a value, refused or not.
    has_value: bool,
}

impl<'c, 'a> Scan<'c, 'a> {
    fn new(context: &'c [Utterance<'a>]) -> Self {
        Self {
            context,
            continued: true,
            follows_directly: true,
            is_dictated: true,
            is_refused: false,
            is_of_next_part: false,
            is_tail: false,
            is_below: false,
            mentioned: EntitySet::empty(),
            also_asked: EntitySet::empty(),
            given: Values::default(),
            has_value: false,
        }
    }

    /// Reads the next older message. Breaks with the entities that are expected once they are known.
    fn read(&mut self, age: usize, utterance: &Utterance<'_>, expected: &mut Expectation) -> ControlFlow<EntitySet> {
        let message = question::read(utterance.text);
        if age == 0 && message.has_value() {
            expected.repeated = reply::repeated_entities(message.named);
        } else if age == 1 && self.is_refused && message.has_value() && message.requested.is_empty() {
            expected.repeated = reply::repeated_entities(message.named);
            expected.must_repeat = true;
        }
        expected.names_secret |= message.names_secret && self.given.is_empty();
        let is_other_side = is_other_side(utterance.speaker, age, &message);
        let is_installment = self.continued
            && message.requested.is_empty()
            && message.has_value()
            && utterance.speaker != Speaker::Other
            && utterance.text.len() <= MAX_INSTALLMENT_BYTES
            && !message.mentions_card;
        self.is_refused |= self.follows_directly && message.asks_again || is_other_side && message.rejects;
        // The answer to "how many digits" is a number, but later messages may give the digits.
        let is_of_length = age == 0 && message.asks_for_length;
        expected.is_of_length |= age == 0 && message.asks_for_named_length;
        if is_other_side && (message.asks_for_amount || is_of_length) && !message.has_value() {
            return ControlFlow::Break(self.mentioned.or(self.also_asked));
        }
        self.is_of_next_part |= age == 0 && message.asks_for_next_part;
        // What stands below a user name is the password.
        self.is_below |= message.asks_for_next_field;
        let asked = self.question_of(&message, utterance, is_installment, expected);
        let asked = if self.is_below && asked.contains(Entity::USERNAME) { Entity::PASSWORD.bit() } else { asked };
        if self.is_dictated && asked.is_empty() && utterance.speaker != Speaker::Other && !message.begun.is_empty() {
            expected.continued = message.begun;
            return ControlFlow::Break(self.mentioned.or(self.also_asked));
        }
        let is_reply = || !asked.is_empty() && !asked.intersects(PERSISTENT) && self.replies_to_question(age, &message);
        let is_question = message.has_value() || is_other_side && !message.is_statement && !is_reply();
        self.add_question(asked, is_question, &message, expected)?;
        self.add_value(&message, is_installment);
        ControlFlow::Continue(())
    }

    /// Whether a message that asks nothing comes right after a question that names nothing: it explains what was asked for
    /// before. "where do i find that", "in your account, top right"
    fn replies_to_question(&self, age: usize, message: &Message) -> bool {
        let messages = newest(self.context);
        let before = messages.len().checked_sub(age + 2).and_then(|at| messages.get(at));
        let is_open = |before: &Utterance<'_>| {
            let before = question::read(before.text);
            before.asks_openly && before.requested.is_empty() && !before.has_value()
        };
        !message.asks_openly && !message.is_addressed && before.is_some_and(is_open)
    }

    /// Adds what a message asks for or mentions.
    fn add_question(
        &mut self,
        asked: EntitySet,
        is_question: bool,
        message: &Message,
        expected: &mut Expectation,
    ) -> ControlFlow<EntitySet> {
        let is_persistent = asked.intersects(PERSISTENT);
        let is_beside = !asked.is_empty() && asked.is_subset(BESIDE_CODE) && !message.has_value();
        if is_question && is_beside && self.given.is_empty() {
            self.also_asked = self.also_asked.or(asked);
        } else if !asked.is_empty() && is_question || !self.mentioned.is_empty() && is_persistent {
            let is_part = self.is_of_next_part && asked.intersects(Entity::PASSWORD.bit());
            let is_open = (is_part || !self.given.may_answer(asked))
                && (self.mentioned.is_empty() || is_persistent)
                && (self.also_asked.is_empty() || asked.contains(Entity::CVV));
            if is_open {
                return ControlFlow::Break(asked.or(self.also_asked));
            }
            expected.answered = asked.and(PERSISTENT);
            expected.continued = if self.is_dictated { asked.and(DICTATED_ENTITIES) } else { EntitySet::empty() };
            return ControlFlow::Break(self.mentioned.or(self.also_asked));
        } else if self.mentioned.is_empty() && self.also_asked.is_empty() && self.given.is_empty() {
            self.mentioned = asked;
        }
        ControlFlow::Continue(())
    }

    /// Adds the values of a message.
    fn add_value(&mut self, message: &Message, is_installment: bool) {
        self.has_value |= message.has_value() && self.also_asked.is_empty();
        if message.has_value() && !is_installment && !self.is_refused {
            self.given.add(message.values);
        }
        self.is_tail |= message.asks_for_tail && self.given.is_empty();
        self.follows_directly &= is_installment || message.tokens <= MAX_NOD_TOKENS;
        self.is_dictated &= message.is_part || message.is_nod(MAX_DICTATION_NOD_TOKENS);
        self.continued = is_installment;
    }

    /// The entities that a message asks for, seen in its context.
    fn question_of(
        &self,
        message: &Message,
        utterance: &Utterance<'_>,
        is_installment: bool,
        expected: &mut Expectation,
    ) -> EntitySet {
        let of_card = || newest(self.context).iter().any(|earlier| question::read(earlier.text).mentions_card);
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
            && self.follows_directly
            && !is_installment
            && utterance.speaker != Speaker::Other;
        if is_card_given { CARD_TRAIL } else { message.requested }
    }

    /// Adds the code of a card to a date of a card that was asked for and given: the code follows it.
    fn with_code_after_date(&self, asked: EntitySet) -> EntitySet {
        if self.has_value && asked.contains(Entity::CARD_EXPIRATION_DATE) { asked.or(Entity::CVV.bit()) } else { asked }
    }
}

/// Whether an earlier message is by the other side. Where the speakers are unknown, they are taken to alternate, unless the
/// message asks for something.
fn is_other_side(speaker: Speaker, age: usize, message: &Message) -> bool {
    match speaker {
        Speaker::Other => true,
        Speaker::Same => false,
        Speaker::Unknown => age.is_multiple_of(2) || message.is_addressed && !message.requested.is_empty(),
    }
}

//! Values that no link to a cue can make a secret. The search rejects them before it reads that link.

use super::evidence::MIN_QUOTED_WORDS;
use super::search::Search;
use super::shape::Shape;
use super::topic::Topic;
use super::value::Value;
use crate::entity::Entity;

/// Maximum weight of what stands around a common word with which the word cannot be a secret.
///
/// As an answer, the word has at most 3 for its link, 2 for its topic and -1 because it is common. In any other text
/// without a cue, it has at most 3 for its link and 1 for its topic. Another 2 would make it a secret.
const MAX_SURROUNDINGS: i32 = 1;

impl Search<'_, '_, '_> {
    /// Whether a value is no secret whatever link it has, by its shape, its topic and what stands around it.
    pub(super) fn cannot_be_secret(&self, value: Value, topic: Topic) -> bool {
        !value.is_spoken
            && (self.has_no_topic(value, topic)
                || self.is_common_word(value, topic) && self.surroundings(value) <= MAX_SURROUNDINGS)
    }

    /// Whether nothing near the value and no earlier message speaks of secrets, and the value is words that are no secret
    /// without a topic.
    fn has_no_topic(&self, value: Value, topic: Topic) -> bool {
        topic.is_none()
            && self.expected.is_empty()
            && !self.names_secret
            && self.known.is_empty()
            && value.shape < Shape::Number
            && value.after < value.first + MIN_QUOTED_WORDS
    }

    /// Whether a value is one common word in a text without a cue, and answers no security question.
    fn is_common_word(&self, value: Value, topic: Topic) -> bool {
        value.shape == Shape::Common
            && value.after == value.first + 1
            && topic != Topic::Named
            && !self.analysis.has_cue
            && !value.is_security_answer
            && !self.expected.contains(Entity::SECURITY_ANSWER)
    }
}

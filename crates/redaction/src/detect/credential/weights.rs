//! The weights of the features of a possible secret.
//!
//! The score of a value is the sum of the weights of its shape, of the link to what names it, of the topic of the text
//! and of what follows it. A value is a secret from [`THRESHOLD`] on. The weights are whole numbers, so that a reader
//! can add them up: two weak features never make a secret, and one strong feature needs one weak one.

use super::naming::{Link, Naming};
use super::shape::Shape;

/// Minimum score of a secret.
pub(super) const THRESHOLD: i32 = 6;

/// A cue for a secret is in the same part of the text, or an earlier message asks for a secret.
pub(super) const TOPIC_NAMED: i32 = 2;
/// A word such as "key", "login" or "locked" is near.
pub(super) const TOPIC_HINTED: i32 = 1;
/// The clause ends after the value.
pub(super) const CLAUSE_ENDS: i32 = 1;
/// A content word follows the value, so that it may be part of a longer phrase.
pub(super) const PHRASE_CONTINUES: i32 = -1;
/// A comment on how to write the value follows: "all lower case".
pub(super) const SPELLING_COMMENT: i32 = 2;
/// The sentence says how the value fared: "X was rejected".
pub(super) const JUDGED: i32 = 2;
/// A doubtful comment follows: "i think".
pub(super) const DOUBTFUL_COMMENT: i32 = 1;
/// The value is in quotation marks.
pub(super) const QUOTED: i32 = 2;
/// The value follows another secret in a list: "X or Y".
pub(super) const LISTED: i32 = 3;
/// The topic alone makes the value a secret.
pub(super) const LICENSED: i32 = 1;
/// The message says that its writer will say a password, and ends with the value.
pub(super) const ANNOUNCED: i32 = 2;
/// An article or possessive is directly before the value: "the iphone13".
pub(super) const DETERMINER: i32 = -2;
/// The value is a clause or line of its own, in a text that names no secret.
pub(super) const OWN_CLAUSE: i32 = 1;
/// The value is what somebody typed where a password is asked for.
pub(super) const TYPED_WORD: i32 = 2;
/// A common word alone as an answer: "both".
pub(super) const COMMON_ANSWER: i32 = -1;
/// The answer denies to know the secret, and goes on.
pub(super) const DENIAL: i32 = -3;
/// An answer ends with three rare words or more.
pub(super) const PHRASE_ANSWER: i32 = 2;
/// The message is a question itself.
pub(super) const COUNTER_QUESTION: i32 = -2;
/// The value is the first or only clause of an answer.
const WHOLE_ANSWER: i32 = 3;

/// The weight of the shape of a value.
pub(super) fn of_shape(shape: Shape) -> i32 {
    match shape {
        Shape::None | Shape::Common => 0,
        Shape::Rare => 2,
        Shape::Number => 3,
        Shape::Mixed => 4,
        Shape::Strong => 6,
    }
}

/// The weight of a link. An answer to a question for the secret needs no cue of its own.
pub(super) fn of_link(link: Link, is_answer: bool) -> i32 {
    match link {
        Link::Assigned => 4,
        Link::NamedSubject | Link::NamedChange | Link::NamedAfter => 3,
        Link::PronounSubject | Link::PronounChange if is_answer => 3,
        Link::PronounSubject | Link::PronounChange | Link::Adjacent | Link::Entered => 2,
        Link::Clause if is_answer => WHOLE_ANSWER,
        Link::Told if is_answer => 2,
        Link::With | Link::WeaklyAdjacent | Link::Told => 1,
        Link::Clause | Link::Absent => 0,
    }
}

/// The stronger naming of a value; `None` if the nearest cue is for another entity.
pub(super) fn stronger(before: Naming, after: Option<Naming>) -> Option<Naming> {
    match after {
        Some(after) if !after.is_other && of_link(before.link, false) < of_link(after.link, false) => Some(after),
        Some(after) if after.is_other && before.entity.is_none() => None,
        _ if before.is_other => None,
        _ => Some(before),
    }
}

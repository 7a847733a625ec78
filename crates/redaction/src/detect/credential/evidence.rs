//! The evidence for a value: whether its link fits its shape, and the weights of what stands around it.

use super::licence::{Explanation, explanation};
use super::link_after::is_judged;
use super::made_up_link::is_long_number;
use super::naming::{Link, Naming};
use super::piece::{Piece, PieceKind};
use super::prose::is_spoken_time;
use super::search::{Search, ValueEvidence};
use super::shape::Shape;
use super::topic::Topic;
use super::value::Value;
use super::weights;
use super::word_list::class;
use crate::detect::flags;
use crate::entity::Entity;
use crate::tokenize::Gap;
use crate::tokenize::words::flag;

/// Whether a segment is not written like a number with its parts or a setting: "30-something-odd", "key=value".
fn is_free_of_format(text: &str) -> bool {
    const MAX_DIGITS: usize = 8;
    let count = |is_counted: fn(&u8) -> bool| text.bytes().filter(is_counted).count();
    let (digits, joints) = (count(u8::is_ascii_digit), count(|b| matches!(b, b'-' | b'.')));
    text.is_ascii() && !text.contains('=') && digits <= MAX_DIGITS && (joints <= 1 || digits == 0)
}

/// Words of the shortest phrase that is a secret because it is quoted.
pub(super) const MIN_QUOTED_WORDS: usize = 3;

/// Whether a link joins a value to no verb.
fn is_loose_link(link: Link) -> bool {
    matches!(link, Link::Absent | Link::Clause | Link::With)
}

impl Search<'_, '_, '_> {
    /// Whether the shape of a value, or its shape and link, say enough if the text speaks of no secret.
    pub(super) fn needs_no_topic(&self, value: Value, naming: Naming) -> bool {
        const REACH: usize = 3;
        let has_link = matches!(naming.link, Link::Entered | Link::PronounSubject | Link::PronounChange | Link::Told)
            || naming.link == Link::With && !self.pieces.is_word(value.first.wrapping_sub(1), &["from", "by", "via"])
            || is_judged(self.pieces, value.after)
            || naming.link == Link::Clause && self.ends_clause(value) && !self.is_whole_message(value);
        // Words joined by marks can also be the name of a place, a file or a program.
        let text = self.pieces.str(value.first);
        let is_joined = !value.is_spoken && !text.bytes().any(|b| b.is_ascii_digit()) && text.contains(['-', '.']);
        let is_phrase = || {
            let is_small = text.bytes().all(|b| b.is_ascii_lowercase() || matches!(b, b'-' | b'.'));
            is_small && (has_link || self.is_quoted(value))
        };
        let is_made_up = is_joined && value.shape >= Shape::Mixed && is_phrase()
            || !is_joined && value.shape == Shape::Strong
            || !is_joined && value.shape == Shape::Mixed && !value.is_spoken && has_link
            || (value.is_spelled
                || value.is_spoken
                    && (value.shape == Shape::Strong
                        || value.shape == Shape::Mixed && self.has_spelling_comment(value)))
                && has_link
                && !is_loose_link(naming.link)
                && !self.is_part_of_address(value);
        let is_free = value.is_spoken || is_free_of_format(self.pieces.str(value.first));
        let from = if is_loose_link(naming.link) { value.first.saturating_sub(REACH) } else { value.first };
        let near = from..value.after + REACH - 1;
        // No other value is four words joined by marks.
        let is_passphrase = is_joined && text.split(['-', '.']).count() > MIN_QUOTED_WORDS;
        (is_made_up && is_free || self.is_commented_phrase(value, naming.link))
            && !self.asks_other
            && (is_passphrase || !near.into_iter().any(|at| self.is_other_cue(value, at)))
    }

    /// Whether a piece near a value is a cue for another entity on the line of the value. The "ein" of "geben Sie X ein"
    /// is no cue for a tax number.
    fn is_other_cue(&self, value: Value, at: usize) -> bool {
        let is_on_next_line = || (value.after..=at).any(|at| self.pieces.at(at).gap >= Gap::Line);
        self.pieces.at(at).kind == PieceKind::OtherCue && !self.pieces.is_word(at, &["ein"]) && !is_on_next_line()
    }

    /// Whether a spelled value continues letters before it or an address after it, or is itself an address.
    pub(super) fn is_part_of_address(&self, value: Value) -> bool {
        const WORDS: [&str; 9] = ["at", "dot", "slash", "arroba", "punto", "point", "punkt", "ponto", "arobase"];
        let says_address = |at: usize| self.pieces.is_word(at, &WORDS);
        // "071 Ditscheinergasse 80": a house number, a street and a unit
        let is_number = |at: usize| self.pieces.at(at).kind == PieceKind::Number;
        let is_street = value.after == value.first + 3
            && is_number(value.first)
            && is_number(value.after - 1)
            && self.pieces.at(value.first + 1).kind == PieceKind::Word;
        if is_street {
            return true;
        }
        self.pieces.before(value.first).kind == PieceKind::Letter || (value.first..=value.after).any(says_address)
    }

    /// Whether a message is a value and nothing else.
    pub(super) fn is_whole_message(&self, value: Value) -> bool {
        value.first == 0
            && (value.after..self.pieces.len()).all(|at| matches!(self.pieces.at(at).kind, PieceKind::Mark(_)))
    }

    /// Whether the clause or line ends after a value.
    pub(super) fn ends_clause(&self, value: Value) -> bool {
        let next = self.pieces.at(value.after);
        matches!(next.kind, PieceKind::Mark(b'.' | b',' | b'!' | b';' | b'?' | 0)) || next.gap >= Gap::Line
    }

    /// The sum of the weights of what speaks for and against a value.
    pub(super) fn score(&self, evidence: ValueEvidence) -> i32 {
        let ValueEvidence { value, naming, topic, entity, is_answer, is_listed } = evidence;
        let is_own_clause = naming.link == Link::Clause
            && topic != Topic::Named
            && !is_answer
            && (self.ends_clause(value) || self.names_secret);
        let weight = |condition: bool, weight: i32| if condition { weight } else { 0 };
        weights::of_shape(value.shape)
            + weights::of_link(naming.link, is_answer)
            + if is_answer { weights::TOPIC_NAMED } else { topic.weight() }
            + self.surroundings(value)
            + weight(is_own_clause, weights::OWN_CLAUSE)
            + weight(is_listed, weights::LISTED)
            + weight(topic == Topic::Named && self.is_announced(value, naming.link), weights::ANNOUNCED)
            + weight(naming.has_determiner, weights::DETERMINER)
            + weight(self.is_typed_word(value, naming), weights::TYPED_WORD)
            + weight(entity == Entity::PASSWORD && self.is_licensed(value, naming, topic), weights::LICENSED)
            + if is_answer { self.answer_weight(value, naming, entity) } else { 0 }
    }

    /// Whether the link fits the shape: a number or a user name needs a link, a topic alone is not enough.
    pub(super) fn is_plausible(&self, evidence: ValueEvidence) -> bool {
        let ValueEvidence { value, naming, topic, entity, is_answer, is_listed } = evidence;
        let has_link = !matches!(naming.link, Link::Absent | Link::Clause | Link::With | Link::Told) || is_listed;
        let is_digits = self.is_digits(value);
        let is_year = is_digits && value.after == value.first + 1 && self.pieces.str(value.first).len() == 4;
        let has_cue = naming.entity.is_some() || is_answer || is_listed;
        let is_named_before =
            naming.link != Link::PronounSubject || self.analysis.topics.entity_before(value.first).is_some();
        let is_password = entity == Entity::PASSWORD;
        // "no password, cafe wifi"
        let is_beside = matches!(naming.link, Link::Clause | Link::Absent | Link::Adjacent);
        if self.analysis.denies_password && is_beside && value.shape < Shape::Mixed {
            return false;
        }
        // "nephew did it"
        let next = self.pieces.at(value.after);
        let is_subject = next.is(class::AUXILIARY)
            && !next.is(class::NEGATION)
            && next.gap == Gap::Space
            && !self.asks_on(value.after);
        if is_answer && is_beside && is_subject && value.shape < Shape::Number && !is_judged(self.pieces, value.after) {
            return false;
        }
        if self.is_said_in_passing(value, naming, is_answer) || is_spoken_time(self.pieces, value, naming) {
            return false;
        }
        // "il modello è XR500 e la password non va"
        let is_apart = matches!(naming.link, Link::Absent | Link::With | Link::NamedAfter);
        if is_apart && !value.is_spoken && explanation(self.pieces, value) == Explanation::Noun {
            return false;
        }
        // Of a PIN and a password that are both asked for, a number is the PIN.
        if self.asks_pin
            && naming.entity.is_none()
            && (self.is_number(value) || !is_answer && !value.is_spelled && self.begins_with_digit(value))
        {
            return false;
        }
        match entity {
            Entity::PASSWORD if !is_answer && self.needs_no_topic(value, naming) => true,
            Entity::PASSWORD if topic.is_none() && !is_answer => false,
            Entity::PASSWORD if value.shape == Shape::Strong || self.is_licensed(value, naming, topic) => true,
            Entity::PASSWORD if !has_cue && topic == Topic::Hinted && self.fits_hint(value, naming) => true,
            _ if (value.shape < Shape::Number || value.is_spoken)
                && !has_cue
                && !(topic == Topic::Named && is_named_before) =>
            {
                false
            }
            _ if is_digits && !is_password => naming.entity.is_some(),
            _ if is_digits && !is_answer => match naming.link {
                Link::Assigned | Link::NamedSubject | Link::NamedChange | Link::NamedAfter | Link::Adjacent => true,
                Link::PronounSubject | Link::PronounChange | Link::Entered => {
                    topic == Topic::Named && self.is_long_number(value)
                }
                Link::WeaklyAdjacent | Link::Told | Link::With | Link::Clause | Link::Absent => false,
            },
            _ if is_year => false,
            _ if is_digits => has_link || naming.link == Link::Clause,
            _ if topic == Topic::Hinted && matches!(naming.link, Link::Absent | Link::Clause) && !has_cue => {
                is_judged(self.pieces, value.after)
            }
            // "she told me maple otter lantern ladder would get us through"
            Entity::PASSWORD
                if naming.link == Link::Told
                    && topic == Topic::Named
                    && is_named_before
                    && value.shape == Shape::Rare
                    && value.after >= value.first + MIN_QUOTED_WORDS =>
            {
                true
            }
            Entity::PASSWORD if topic == Topic::Named && self.is_announced(value, naming.link) => true,
            Entity::PASSWORD if value.is_spelled && topic == Topic::Named && self.is_after_colon(value) => true,
            Entity::PASSWORD => {
                has_link
                    || value.shape >= Shape::Mixed
                        && !(value.is_spoken && matches!(naming.link, Link::Absent | Link::Clause))
                    || is_answer
            }
            _ => has_link || is_answer,
        }
    }

    /// Whether a value consists of numbers alone.
    pub(super) fn is_digits(&self, value: Value) -> bool {
        let kind = |at: usize| {
            let piece = self.pieces.at(at);
            let is_number = flags(self.pieces.tokens.at(piece.first as usize)) & flag::NUMBER != 0;
            if is_number && piece.kind == PieceKind::Word { PieceKind::Number } else { piece.kind }
        };
        let kinds = || (value.first..value.after).map(kind);
        kinds().all(|kind| matches!(kind, PieceKind::Number | PieceKind::Mark(_)))
            && kinds().any(|kind| kind == PieceKind::Number)
    }

    /// Whether a value consists of numbers and of words that join them: "setenta e três".
    fn is_number(&self, value: Value) -> bool {
        let kinds = || (value.first..value.after).map(|at| self.pieces.at(at));
        let is_part = |piece: Piece| {
            matches!(piece.kind, PieceKind::Number | PieceKind::Mark(_)) || piece.is(class::CONJUNCTION | class::NUMBER)
        };
        kinds().all(is_part) && kinds().any(|piece| piece.kind == PieceKind::Number)
    }

    /// Whether a value begins with a number: "4821 then hash".
    fn begins_with_digit(&self, value: Value) -> bool {
        let piece = self.pieces.at(value.first);
        piece.kind == PieceKind::Number || flags(self.pieces.tokens.at(piece.first as usize)) & flag::OH != 0
    }

    /// Whether a value is one number of five to ten digits.
    pub(super) fn is_long_number(&self, value: Value) -> bool {
        value.after == value.first + 1 && is_long_number(self.pieces, value.first)
    }

    pub(super) fn is_after_colon(&self, value: Value) -> bool {
        value.first > 0 && self.pieces.before(value.first).is_mark(b':')
    }

    pub(super) fn is_quoted(&self, value: Value) -> bool {
        let is_quote = |at: usize| matches!(self.pieces.at(at).kind, PieceKind::Mark(b'"' | b'\'' | b'`'));
        value.first > 0 && is_quote(value.first - 1) && is_quote(value.after)
    }
}

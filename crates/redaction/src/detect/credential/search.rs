//! The search: which of the possible values of a text are secrets.

use super::answer;
use super::link::{Link, Naming, naming_before};
use super::link_after::{is_judged, is_past_or_modal, naming_after};
use super::piece::{Piece, PieceKind, Pieces, SECRETS};
use super::shape::Shape;
use super::topic::{Topic, Topics};
use super::value::{Value, values_at};
use super::weights;
use super::word_list::class;
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tokenize::{Gap, Tokens, saturating_u32};

/// Maximum tokens of a message that can answer a question for a secret.
pub(super) const MAX_ANSWER_TOKENS: usize = 48;

/// A secret in a text, by its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Secret {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) entity: Entity,
    pub(super) reason: DetectionReason,
}

/// Finds the secrets of a text. `expected` are the entities that earlier messages ask for.
pub(super) fn find(tokens: &Tokens<'_>, cues: &[Cue], expected: EntitySet) -> Vec<Secret> {
    let pieces = Pieces::new(tokens, cues);
    let asks_other = !expected.is_empty() && !expected.intersects(SECRETS) && tokens.len() <= MAX_ANSWER_TOKENS;
    let expected = if tokens.len() > MAX_ANSWER_TOKENS { EntitySet::empty() } else { expected.and(SECRETS) };
    let has_mask = (0..pieces.len()).any(|at| pieces.at(at).kind == PieceKind::Mask);
    let expected = if has_mask { EntitySet::empty() } else { expected };
    let mut search = Search { pieces: &pieces, topics: Topics::new(&pieces), expected, asks_other, last: None, found: Vec::new() };
    let mut at = 0;
    while at < pieces.len() {
        at = search.read(at).max(at + 1);
    }
    search.found
}

/// The value before in a list, with its entity.
#[derive(Clone, Copy)]
struct LastValue {
    after: usize,
    /// Whether the value is a login or an address, which a password follows.
    is_login: bool,
}

/// Whether a segment is not written like a number with its parts or a setting: "30-something-odd", "key=value".
fn is_free_of_format(text: &str) -> bool {
    const MAX_DIGITS: usize = 8;
    let count = |is_counted: fn(&u8) -> bool| text.bytes().filter(is_counted).count();
    let (digits, joints) = (count(u8::is_ascii_digit), count(|b| matches!(b, b'-' | b'.')));
    text.is_ascii() && !text.contains('=') && digits <= MAX_DIGITS && (joints <= 1 || digits == 0)
}

struct Search<'p, 'a, 't> {
    pieces: &'p Pieces<'a, 't>,
    topics: Topics,
    expected: EntitySet,
    /// Whether earlier messages ask for other entities, and for no secret.
    asks_other: bool,
    last: Option<LastValue>,
    found: Vec<Secret>,
}

impl Search<'_, '_, '_> {
    /// Reads the values that begin at a piece. Returns the piece after the secret, or `at`.
    fn read(&mut self, at: usize) -> usize {
        let piece = self.pieces.at(at);
        if piece.kind == PieceKind::Address {
            self.read_user_info(at);
            self.last = Some(LastValue { after: at + 1, is_login: true });
            return at + 1;
        }
        let topic = self.topics.at(at);
        if !self.touches_nothing(at) {
            return at;
        }
        let answer = self.answers(at);
        for value in values_at(self.pieces, at).into_iter().flatten().chain(answer) {
            if let Some((entity, reason)) = self.judge(value, topic) {
                self.push(value, entity, reason);
                self.last = Some(LastValue { after: value.after, is_login: entity == Entity::USERNAME });
                return value.after;
            }
        }
        at
    }

    /// Reads the password of a web address: `postgres://user:password@host`.
    fn read_user_info(&mut self, at: usize) {
        let address = self.pieces.str(at);
        let start = self.pieces.tokens.at(self.pieces.at(at).first as usize).start;
        let Some((scheme, rest)) = address.split_once("://") else { return };
        let Some((info, _)) = rest.split_once('/').map_or(rest, |(host, _)| host).rsplit_once('@') else { return };
        if let Some((user, password)) =
            info.split_once(':').filter(|(_, password)| password.contains(|c: char| c != '*'))
        {
            let start = start + saturating_u32(scheme.len() + "://:".len() + user.len());
            let end = start + saturating_u32(password.len());
            self.found.push(Secret { start, end, entity: Entity::PASSWORD, reason: DetectionReason::Shape });
        }
    }

    /// Whether a value can begin at a piece: it is not a part of a longer segment.
    fn touches_nothing(&self, at: usize) -> bool {
        let after_login = self.last.is_some_and(|last| last.is_login && last.after + 1 == at);
        self.pieces.at(at).gap != Gap::None
            || match self.pieces.before(at).kind {
                PieceKind::Mark(mark) => {
                    matches!(mark, 0 | b':' | b'=' | b'(' | b'"' | b'\'' | b'[' | b'>' | b',' | b'`' | b'.' | b'*')
                        || mark == b'/' && after_login
                }
                PieceKind::Word | PieceKind::Letter => self.pieces.before(at).classes != 0,
                PieceKind::Segment
                | PieceKind::Number
                | PieceKind::Cue(_)
                | PieceKind::OtherCue
                | PieceKind::Address
                | PieceKind::Mask => false,
            }
    }

    /// An answer to a security question that begins at a piece.
    fn answers(&self, at: usize) -> Option<Value> {
        let is_asked = self.expected.contains(Entity::SECURITY_ANSWER)
            || self.topics.entity_before(at) == Some(Entity::SECURITY_ANSWER);
        if is_asked { answer::security_answer(self.pieces, at) } else { None }
    }

    /// The entity of a value, if its score is that of a secret.
    fn judge(&self, value: Value, topic: Topic) -> Option<(Entity, DetectionReason)> {
        let before = naming_before(self.pieces, value.first);
        let after = naming_after(self.pieces, value.after);
        let listed = self.listed(value);
        let naming = weights::stronger(before, after)?;
        let is_set = naming.link == Link::PronounChange
            || listed == Some(true)
            || !self.found.is_empty()
            || naming.link == Link::PronounSubject && is_past_or_modal(self.pieces, value.first);
        let topic = if topic.is_none() && value.shape >= Shape::Mixed && !value.is_spoken && is_set {
            Topic::Hinted
        } else {
            topic
        };
        if topic.is_none() && self.expected.is_empty() && !self.needs_no_topic(value, naming) {
            return None;
        }
        let security = value.is_security_answer.then_some(Entity::SECURITY_ANSWER);
        if naming.entity.is_some_and(|entity| security.is_some_and(|security| security != entity)) {
            return None;
        }
        let entity = security
            .or(naming.entity)
            .or(listed.map(|_| Entity::PASSWORD))
            .or_else(|| self.default_entity(value.first))?;
        let is_answer = naming.entity.is_none() && self.expected.contains(entity);
        if !self.is_plausible(value, naming, topic, entity, is_answer, listed.is_some()) {
            return None;
        }
        let is_own_clause = topic.is_none() && naming.link == Link::Clause && self.ends_clause(value);
        let score = weights::of_shape(value.shape)
            + if is_own_clause { weights::OWN_CLAUSE } else { 0 }
            + weights::of_link(naming.link, is_answer)
            + if is_answer { weights::TOPIC_NAMED } else { topic.weight() }
            + self.surroundings(value)
            + if listed.is_some() { weights::LISTED } else { 0 }
            + if naming.has_determiner { weights::DETERMINER } else { 0 }
            + if is_answer { self.answer_weight(value, naming, entity) } else { 0 };
        let reason = if is_answer { DetectionReason::EarlierCue } else { DetectionReason::Cue };
        (score >= weights::THRESHOLD).then_some((entity, reason))
    }

    /// Whether the shape of a value, or its shape and link, say enough if the text speaks of no secret.
    fn needs_no_topic(&self, value: Value, naming: Naming) -> bool {
        const REACH: usize = 3;
        let has_link = matches!(
            naming.link,
            Link::Entered | Link::PronounSubject | Link::PronounChange | Link::Told
        ) || naming.link == Link::With && !self.pieces.is_word(value.first.wrapping_sub(1), &["from", "by", "via"])
            || is_judged(self.pieces, value.after)
            || naming.link == Link::Clause && self.ends_clause(value) && !self.is_whole_message(value);
        let is_made_up = value.shape == Shape::Strong || value.shape == Shape::Mixed && !value.is_spoken && has_link;
        let is_free = value.is_spoken || is_free_of_format(self.pieces.str(value.first));
        let near = value.first.saturating_sub(REACH)..value.after + REACH - 1;
        is_made_up && is_free && !self.asks_other && !near.into_iter().any(|at| self.pieces.at(at).kind == PieceKind::OtherCue)
    }

    /// Whether a message is a value and nothing else.
    fn is_whole_message(&self, value: Value) -> bool {
        value.first == 0 && (value.after..self.pieces.len()).all(|at| matches!(self.pieces.at(at).kind, PieceKind::Mark(_)))
    }

    /// Whether the clause or line ends after a value.
    fn ends_clause(&self, value: Value) -> bool {
        let next = self.pieces.at(value.after);
        matches!(next.kind, PieceKind::Mark(b'.' | b',' | b'!' | b';' | b'?' | 0)) || next.gap >= Gap::Line
    }

    /// The entity of a value that no cue of its own names.
    fn default_entity(&self, at: usize) -> Option<Entity> {
        let asked = || {
            let both = self.expected.contains(Entity::USERNAME) && self.expected.contains(Entity::PASSWORD);
            let first = self.expected.iter().next()?;
            Some(if both && self.found.is_empty() { Entity::USERNAME } else { first })
        };
        self.topics.entity_before(at).or_else(asked).or_else(|| self.topics.entity_after(at)).or(Some(Entity::PASSWORD))
    }

    /// Whether the link fits the shape: a number or a user name needs a link, a topic alone is not enough.
    fn is_plausible(
        &self,
        value: Value,
        naming: Naming,
        topic: Topic,
        entity: Entity,
        is_answer: bool,
        is_listed: bool,
    ) -> bool {
        let has_link = !matches!(naming.link, Link::Absent | Link::Clause | Link::With | Link::Told) || is_listed;
        let is_digits = (value.first..value.after).all(|at| self.pieces.at(at).kind == PieceKind::Number);
        let is_year = is_digits && value.after == value.first + 1 && self.pieces.str(value.first).len() == 4;
        let has_cue = naming.entity.is_some() || is_answer || is_listed;
        let is_named_before = naming.link != Link::PronounSubject || self.topics.entity_before(value.first).is_some();
        match entity {
            Entity::PASSWORD if topic.is_none() && !is_answer => self.needs_no_topic(value, naming),
            Entity::PASSWORD if value.shape == Shape::Strong => true,
            _ if (value.shape < Shape::Number || value.is_spoken)
                && !has_cue
                && !(topic == Topic::Named && is_named_before) =>
            {
                false
            }
            _ if is_digits && entity != Entity::PASSWORD => naming.entity.is_some(),
            _ if is_digits && !is_answer => matches!(
                naming.link,
                Link::Assigned | Link::NamedSubject | Link::NamedChange | Link::NamedAfter | Link::Adjacent
            ),
            _ if is_year => false,
            _ if is_digits => has_link || naming.link == Link::Clause,
            _ if topic == Topic::Hinted && matches!(naming.link, Link::Absent | Link::Clause) && !has_cue => {
                is_judged(self.pieces, value.after)
            }
            Entity::PASSWORD => {
                has_link
                    || value.shape >= Shape::Mixed
                        && !(value.is_spoken && matches!(naming.link, Link::Absent | Link::Clause))
                    || is_answer
            }
            _ => has_link || is_answer,
        }
    }

    /// The weight of what stands around a value.
    fn surroundings(&self, value: Value) -> i32 {
        let (pieces, next) = (self.pieces, self.pieces.at(value.after));
        let is_quoted = matches!(pieces.before(value.first).kind, PieceKind::Mark(b'"' | b'\'' | b'`'))
            && matches!(next.kind, PieceKind::Mark(b'"' | b'\'' | b'`'));
        let ends = matches!(next.kind, PieceKind::Mark(_))
            || next.gap >= Gap::Line
            || next.is(class::CONJUNCTION | class::CLOSING);
        let continues = next.is_content()
            || next.is(class::STATE | class::THING) && value.shape < Shape::Number
            || matches!(next.kind, PieceKind::Number | PieceKind::Segment | PieceKind::Cue(_) | PieceKind::OtherCue);
        let comment = (value.after..value.after + 5).map(|at| pieces.at(at)).take_while(|piece| !piece.is_edge());
        let spelling = comment.clone().any(|piece| {
            piece.is(class::CASE) && !piece.is(class::STATE) || piece.is(class::CASE) && piece.is(class::SYMBOL)
        });
        let doubtful = comment.take(3).any(|piece| piece.is(class::DOUBT));
        let weight = |condition: bool, weight: i32| if condition { weight } else { 0 };
        weight(value.shape >= Shape::Mixed && is_judged(pieces, value.after), weights::JUDGED)
            + weight(is_quoted, weights::QUOTED)
            + weight(ends, weights::CLAUSE_ENDS)
            + weight(!ends && continues && value.shape < Shape::Mixed, weights::PHRASE_CONTINUES)
            + weight(spelling, weights::SPELLING_COMMENT)
            + weight(doubtful && !ends, weights::DOUBTFUL_COMMENT)
    }

    /// The weight of what makes a message an answer or not.
    fn answer_weight(&self, value: Value, naming: Naming, entity: Entity) -> i32 {
        let is_common = value.shape == Shape::Common && entity != Entity::SECURITY_ANSWER;
        let is_question = self.pieces.before(self.pieces.len()).is_mark(b'?') && value.shape < Shape::Number;
        let is_inner =
            naming.link == Link::Clause && value.shape < Shape::Number && !answer::is_main_clause(self.pieces, value);
        (if is_common { weights::COMMON_ANSWER } else { 0 })
            + if is_question { weights::COUNTER_QUESTION } else { 0 }
            + if is_inner { weights::COUNTER_QUESTION } else { 0 }
    }

    /// The entity of a value that follows another one in a list: "X or Y", "no sorry Y", "user / X".
    ///
    /// The result says whether the value before is a login.
    fn listed(&self, value: Value) -> Option<bool> {
        const MAX_BETWEEN: usize = 5;
        let last = self.last.filter(|last| last.after < value.first && value.first - last.after <= MAX_BETWEEN)?;
        let between = || (last.after..value.first).map(|at| self.pieces.at(at));
        let is_joint = |piece: Piece| match piece.kind {
            PieceKind::Mark(mark) => matches!(mark, b',' | b'/' | b'+' | b'>' | b'-' | b':' | b'|' | b';' | b'&'),
            PieceKind::Word | PieceKind::Letter => piece.is(class::CONJUNCTION
                | class::INTERJECTION
                | class::NEGATION
                | class::TO
                | class::WITH
                | class::VERSION
                | class::ADVERB
                | class::CHANGE
                | class::ENTER),
            PieceKind::Segment
            | PieceKind::Number
            | PieceKind::Cue(_)
            | PieceKind::OtherCue
            | PieceKind::Address
            | PieceKind::Mask => false,
        };
        if !between().all(|piece| is_joint(piece) || last.is_login && piece.kind == PieceKind::Cue(Entity::PASSWORD))
            || value.shape < Shape::Rare
        {
            return None;
        }
        Some(last.is_login)
    }

    fn push(&mut self, value: Value, entity: Entity, reason: DetectionReason) {
        let tokens = self.pieces.tokens;
        let (first, mut after) =
            (self.pieces.at(value.first).first as usize, self.pieces.before(value.after).after as usize);
        // Exclamation marks that touch the value are part of it.
        while tokens.at(after).gap == Gap::None && tokens.at(after).is_mark(b'!') {
            after += 1;
        }
        self.found.push(Secret { start: tokens.at(first).start, end: tokens.before(after).end, entity, reason });
    }
}

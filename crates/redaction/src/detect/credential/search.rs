//! The search: which of the possible values of a text are secrets.

use super::analysis::Analysis;
use super::answer::{self, asks_for_other};
use super::found::Secret;
use super::link_after::{is_past_or_modal, naming_after};
use super::named_identifier::named_identifier;
use super::naming::{Link, Naming};
use super::piece::{PieceKind, Pieces, SECRETS};
use super::shape::Shape;
use super::topic::Topic;
use super::value::{Value, common_phrase};
use super::weights;
use crate::detect::Expectation;
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tokenize::near::near;
use crate::tokenize::{Gap, saturating_u32};

/// Maximum tokens of a message that can answer a question for a secret.
pub(super) const MAX_ANSWER_TOKENS: usize = 48;

impl Analysis<'_, '_> {
    /// Finds the secrets of the text. If it has one, a second pass reads the other values again, because a text that tells
    /// one secret speaks of secrets.
    pub(super) fn find(&self, expected: Expectation) -> Vec<Secret> {
        if expected.entities.is_empty() && !expected.names_secret {
            return self.find_alone().to_vec();
        }
        self.search(expected)
    }

    /// Finds the secrets of the text if earlier messages ask for nothing.
    pub(super) fn find_alone(&self) -> &[Secret] {
        self.alone.get_or_init(|| self.search(Expectation::of(EntitySet::empty())))
    }

    fn search(&self, expected: Expectation) -> Vec<Secret> {
        let is_short = self.pieces.tokens.len() <= MAX_ANSWER_TOKENS;
        let asked = if is_short { expected.entities } else { EntitySet::empty() };
        let expected_secrets = if self.has_mask { EntitySet::empty() } else { asked.and(SECRETS) };
        let mut search = Search {
            analysis: self,
            pieces: &self.pieces,
            expected: expected_secrets,
            finds_answers: expected_secrets.contains(Entity::SECURITY_ANSWER)
                || self.topics.has_cue(Entity::SECURITY_ANSWER),
            names_secret: expected.names_secret && is_short,
            asked,
            asks_pin: is_short && expected.entities.contains(Entity::PIN) && expected.entities != EntitySet::all(),
            asks_other: is_short && asks_for_other(expected),
            identifier: named_identifier(&self.pieces, self.cues, asked),
            last: None,
            found: Vec::new(),
            others: Vec::new(),
            known: Vec::new(),
        };
        search.run();
        if search.found.iter().any(|secret| secret.entity == Entity::PASSWORD) {
            search.last = None;
            search.others.clear();
            search.known = std::mem::take(&mut search.found);
            search.run();
        }
        search.found.append(&mut search.others);
        search.found
    }
}

/// The value before in a list, with its entity.
#[derive(Clone, Copy)]
pub(super) struct LastValue {
    pub(super) after: usize,
    /// Whether the value is a login or an address, which a password follows.
    pub(super) is_login: bool,
}

#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent property")]
pub(super) struct Search<'p, 'a, 't> {
    pub(super) analysis: &'p Analysis<'a, 't>,
    pub(super) pieces: &'p Pieces<'a, 't>,
    pub(super) expected: EntitySet,
    /// Whether a security question is asked, whose answer can begin with any word.
    finds_answers: bool,
    /// Whether earlier messages name a secret.
    pub(super) names_secret: bool,
    /// The entities that earlier messages ask for.
    pub(super) asked: EntitySet,
    /// Whether earlier messages ask for a PIN, too.
    pub(super) asks_pin: bool,
    /// Whether earlier messages ask for other entities, and for no secret.
    pub(super) asks_other: bool,
    /// The identifier of letters and digits that the text or an earlier message names, if it names no secret.
    pub(super) identifier: Option<Entity>,
    pub(super) last: Option<LastValue>,
    pub(super) found: Vec<Secret>,
    /// Names, addresses and identifiers that are spelled as a secret is.
    others: Vec<Secret>,
    /// The secrets that the first pass found; empty in the first pass.
    pub(super) known: Vec<Secret>,
}

/// A possible value with what speaks for it.
#[derive(Clone, Copy)]
pub(super) struct ValueEvidence {
    pub(super) value: Value,
    pub(super) naming: Naming,
    pub(super) topic: Topic,
    pub(super) entity: Entity,
    /// Whether the value answers a question for its entity.
    pub(super) is_answer: bool,
    /// Whether the value is in a list with another secret.
    pub(super) is_listed: bool,
}

impl Search<'_, '_, '_> {
    fn run(&mut self) {
        let mut next = 0;
        while let Some(at) = self.next_start(next) {
            next = self.read(at).max(at + 1);
        }
    }

    /// The first piece from `at` on at which a value can begin.
    fn next_start(&self, at: usize) -> Option<usize> {
        if self.finds_answers { Some(at).filter(|at| *at < self.pieces.len()) } else { self.analysis.next_start(at) }
    }

    /// Reads the values that begin at a piece. Returns the piece after the secret, or `at`.
    fn read(&mut self, at: usize) -> usize {
        let piece = self.pieces.at(at);
        if piece.kind == PieceKind::Address {
            self.read_user_info(at);
            self.last = Some(LastValue { after: at + 1, is_login: true });
            return at + 1;
        }
        let topic = self.analysis.topics.at(at);
        if !self.touches_nothing(at) {
            return at;
        }
        let answer = self.answers(at);
        let phrase = if self.expected.contains(Entity::PASSWORD) { common_phrase(self.pieces, at) } else { None };
        for value in self.analysis.values_at(at).into_iter().flatten().chain(phrase).chain(answer) {
            if let Some((entity, reason)) = self.judge(value, topic) {
                self.push(value, entity, reason);
                if !SECRETS.contains(entity) {
                    return value.after;
                }
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
            self.found.push(Secret { start, end, entity: Entity::PASSWORD, reason: DetectionReason::Cue });
        }
    }

    /// Whether a value can begin at a piece: it is not a part of a longer segment.
    fn touches_nothing(&self, at: usize) -> bool {
        let after_login = self.last.is_some_and(|last| last.is_login && last.after + 1 == at);
        self.pieces.at(at).gap != Gap::None
            || match self.pieces.before(at).kind {
                PieceKind::Mark(mark) => {
                    matches!(mark, 0 | b':' | b'=' | b'(' | b'"' | b'\'' | b'[' | b'>' | b',' | b'`' | b'.' | b'*')
                        || mark == b'/' && (after_login || self.is_pair(at))
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
            || self.analysis.topics.entity_before(at) == Some(Entity::SECURITY_ANSWER);
        if is_asked { answer::security_answer(self.pieces, at) } else { None }
    }

    /// The entity of a value, if its score is that of a secret.
    fn judge(&self, value: Value, topic: Topic) -> Option<(Entity, DetectionReason)> {
        if self.cannot_be_secret(value, topic) {
            debug_assert!(self.judge_by_naming(value, topic).is_none(), "{}", self.pieces.tokens.text);
            return None;
        }
        self.judge_by_naming(value, topic)
    }

    /// Same as [`Self::judge`], by what names the value and by its surroundings.
    fn judge_by_naming(&self, value: Value, topic: Topic) -> Option<(Entity, DetectionReason)> {
        let before = self.analysis.naming_before(value.first);
        // "a phrase as my password", but "they knew that Maple was my password"
        let has_article =
            before.has_determiner && !self.pieces.is_word(value.first.wrapping_sub(1), &["that", "this", "que"]);
        let after = naming_after(self.pieces, value.after).map(|after| Naming { has_determiner: has_article, ..after });
        let listed = self.listed(value);
        let naming = weights::stronger(before, after)?;
        let topic = self.topic_of(value, naming, topic, listed);
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
            .or_else(|| Some(Entity::PASSWORD).filter(|_| self.names_secret && naming.link == Link::PronounChange))
            .or_else(|| self.default_entity(value.first))?;
        // "the shared login is X": a name that people sign in with has no marks and capitals.
        let is_secret_login = entity == Entity::USERNAME && self.is_secret_login(value, naming);
        let entity = if is_secret_login { Entity::PASSWORD } else { entity };
        let entity = if entity == Entity::PASSWORD && self.is_login_of_pair(value) { Entity::USERNAME } else { entity };
        let is_answer = naming.entity.is_none() && self.expected.contains(entity);
        // The memorable word of an account is a password if it is made up.
        let is_word = is_answer && self.names_secret && !value.is_security_answer && value.shape >= Shape::Mixed;
        let entity = if is_word && entity == Entity::SECURITY_ANSWER { Entity::PASSWORD } else { entity };
        let evidence = ValueEvidence { value, naming, topic, entity, is_answer, is_listed: listed.is_some() };
        let reason = match () {
            () if is_answer => DetectionReason::EarlierCue,
            () if topic != Topic::Named && naming.entity.is_none() && !value.is_spoken => DetectionReason::Shape,
            () => DetectionReason::Cue,
        };
        let is_secret = self.is_plausible(evidence) && self.score(evidence) >= weights::THRESHOLD;
        if !is_secret || self.is_other_thing(value, naming) {
            return None;
        }
        if let Some(identifier) = self.identifier(value, naming, is_answer) {
            return Some((identifier, DetectionReason::Shape));
        }
        let is_reset = || {
            let is_other = |at: usize| self.pieces.at(at).kind == PieceKind::OtherCue;
            naming.link == Link::PronounChange
                && value.is_spelled
                && !near(value.first, self.pieces.len()).any(is_other)
        };
        let is_named = is_reset() || topic == Topic::Named || naming.entity.is_some() || !self.expected.is_empty();
        Some((if is_named { entity } else { self.unnamed_entity(value, entity)? }, reason))
    }

    /// The topic at a value: other secrets, earlier messages and the value itself can make one where no word does.
    fn topic_of(&self, value: Value, naming: Naming, topic: Topic, listed: Option<bool>) -> Topic {
        let is_set = naming.link == Link::PronounChange
            || listed == Some(true)
            || !self.found.is_empty()
            || naming.link == Link::PronounSubject && is_past_or_modal(self.pieces, value.first);
        let text = self.pieces.str(value.first);
        let is_joined = value.shape == Shape::Number && !text.bytes().any(|byte| byte.is_ascii_digit());
        let is_written = !value.is_spoken && (value.shape >= Shape::Mixed || is_joined);
        let is_made_up = is_written || value.shape == Shape::Strong;
        let is_hinted = self.names_secret
            || !self.known.is_empty()
            || is_made_up && is_set
            || value.is_spoken && value.shape >= Shape::Number && self.is_hinted_aloud(value, naming);
        if topic.is_none() && is_hinted { Topic::Hinted } else { topic }
    }

    fn push(&mut self, value: Value, entity: Entity, reason: DetectionReason) {
        let tokens = self.pieces.tokens;
        let (first, mut after) =
            (self.pieces.at(value.first).first as usize, self.pieces.before(value.after).after as usize);
        // Exclamation marks that touch the value are part of it.
        while tokens.at(after).gap == Gap::None && tokens.at(after).is_mark(b'!') {
            after += 1;
        }
        let found = if SECRETS.contains(entity) { &mut self.found } else { &mut self.others };
        found.push(Secret { start: tokens.at(first).start, end: tokens.before(after).end, entity, reason });
    }
}

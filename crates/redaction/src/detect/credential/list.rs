//! Lists of secrets: a value that follows another one, that is the password of a login, or that another one corrects.

use super::piece::{Piece, PieceKind};
use super::search::Search;
use super::shape::Shape;
use super::value::Value;
use super::word_list::class;
use crate::entity::Entity;
use crate::tokenize::Gap;

/// Names that people sign in with to administer a device.
const ROLES: [&str; 8] =
    ["admin", "administrator", "root", "user", "guest", "superuser", "administrador", "administrateur"];

impl Search<'_, '_, '_> {
    /// The entity of a value that follows another one in a list: "X or Y", "no sorry Y", "user / X".
    ///
    /// The result says whether the value before is a login.
    pub(super) fn listed(&self, value: Value) -> Option<bool> {
        const MAX_BETWEEN: usize = 5;
        if self.is_pair(value.first) && value.after == value.first + 1 {
            return Some(true);
        }
        if self.is_below_login(value) {
            return Some(true);
        }
        // "on the fridge magnet, Maple77"
        let before = self.pieces.before(value.first);
        let is_noun_phrase = value.shape == Shape::Rare
            && before.kind == PieceKind::Word
            && (before.is_content() || before.is(class::THING))
            && self.pieces.at(value.first).gap == Gap::Space;
        if value.shape >= Shape::Rare && !is_noun_phrase && self.precedes_known(value) {
            return Some(false);
        }
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
                | class::TIME
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
            || value.shape == Shape::Rare && !(value.after == value.first + 1 && self.ends_clause(value))
        {
            return None;
        }
        Some(last.is_login)
    }

    /// Whether a piece is the second of a user name and a password: the second part of `sam_p / Maple77`.
    pub(super) fn is_pair(&self, at: usize) -> bool {
        let (login, slash, value) = (self.pieces.at(at.wrapping_sub(2)), self.pieces.before(at), self.pieces.at(at));
        if !slash.is_mark(b'/') {
            return false;
        }
        let lowest = if self.speaks_of_logins(at) { Shape::Rare } else { Shape::Mixed };
        let is_role = self.pieces.is_word(at.wrapping_sub(2), &ROLES);
        (login.kind == PieceKind::Segment || lowest == Shape::Rare || is_role)
            && (login.shape >= lowest || is_role)
            && value.shape >= lowest
            && login.shape.max(value.shape) >= Shape::Mixed
            && slash.gap == value.gap
            && (slash.gap == Gap::Space || slash.gap == Gap::None && value.shape == Shape::Strong)
    }

    /// Whether a value is the line below an address, in a text that speaks of logins.
    fn is_below_login(&self, value: Value) -> bool {
        let is_line = |at: usize| self.pieces.at(at).gap == Gap::Line;
        self.last.is_some_and(|last| last.is_login && last.after == value.first)
            && value.shape >= Shape::Rare
            && is_line(value.first)
            && self.pieces.at(value.after).gap >= Gap::Line
            && self.speaks_of_logins(value.first)
    }

    /// Whether a word for credentials is near a piece.
    pub(super) fn speaks_of_logins(&self, at: usize) -> bool {
        const REACH: usize = 16;
        const REACH_AFTER: usize = 6;
        let words = [
            "credentials",
            "creds",
            "login",
            "logins",
            "logon",
            "sign-in",
            "sign-on",
            "log-in",
            "zugangsdaten",
            "credenciales",
            "identifiants",
        ];
        (at.saturating_sub(REACH)..=at + REACH_AFTER).any(|at| self.pieces.is_word(at, &words))
    }

    /// Whether a secret of the first pass follows a value in a list: the "Maple" of "Maple or Otter12".
    fn precedes_known(&self, value: Value) -> bool {
        let (joint, next) = (self.pieces.at(value.after), self.pieces.at(value.after + 1));
        let start = self.pieces.tokens.at(next.first as usize).start;
        self.is_corrected(value)
            || (joint.is_mark(b',')
                || self.pieces.is_word(value.after, &["or", "and", "o", "ou", "oder", "y", "et", "und", "e"]))
                && self.known.iter().any(|secret| secret.start == start && secret.entity == Entity::PASSWORD)
    }

    /// Whether a secret of the first pass corrects a value: "not Maple77 sorry i meant Otter12".
    fn is_corrected(&self, value: Value) -> bool {
        const MAX_WORDS: usize = 6;
        let words = (value.after..value.after + MAX_WORDS).take_while(|at| {
            let piece = self.pieces.at(*at);
            piece.is(class::INTERJECTION | class::NEGATION | class::PRONOUN)
                || self.pieces.is_word(*at, &["meant", "mean"])
        });
        let end = value.after + words.count();
        let start = self.pieces.tokens.at(self.pieces.at(end).first as usize).start;
        value.shape >= Shape::Mixed && end > value.after && self.known.iter().any(|secret| secret.start == start)
    }
}

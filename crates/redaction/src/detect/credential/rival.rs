//! What a possible secret can be instead: a part of an address, a label, a year, the user name of a pair, or an
//! identifier that the text names.

use super::naming::Naming;
use super::piece::{PieceKind, Pieces};
use super::search::Search;
use super::shape::Shape;
use super::value::Value;
use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};

/// Entities whose values are letters and digits that people spell.
const IDENTIFIERS: EntitySet = EntitySet::from_slice(&[
    Entity::IBAN,
    Entity::SWIFT_BIC,
    Entity::VIN,
    Entity::VAT_NUMBER,
    Entity::PASSPORT_NUMBER,
    Entity::US_DRIVER_LICENSE,
    Entity::UK_DRIVING_LICENCE,
    Entity::US_MEDICARE_ID,
    Entity::US_DEA_NUMBER,
    Entity::MEDICAL_RECORD_NUMBER,
    Entity::HEALTH_PLAN_ID,
    Entity::UK_NINO,
    Entity::UK_NHS_NUMBER,
    Entity::IN_PAN,
    Entity::IN_GSTIN,
    Entity::IN_VOTER_ID,
    Entity::SG_NRIC_FIN,
    Entity::EU_NATIONAL_ID,
    Entity::LATAM_NATIONAL_ID,
    Entity::ASIA_NATIONAL_ID,
    Entity::CRYPTO_ADDRESS,
    Entity::MAC_ADDRESS,
    Entity::IMEI,
    Entity::LICENSE_PLATE,
]);
/// Those of them that have no letters.
const NUMERIC: EntitySet = EntitySet::from_slice(&[Entity::UK_NHS_NUMBER, Entity::IMEI]);
/// Pieces before a value in which an address can begin.
const REACH: usize = 14;

/// The identifier that cues or an earlier message name, if none names a secret.
pub(super) fn named_identifier(pieces: &Pieces<'_, '_>, cues: &[Cue], expected: EntitySet) -> Option<Entity> {
    let names = |set: EntitySet| cues.iter().any(|cue| cue.entities.intersects(set)) || expected.intersects(set);
    // The "d l" of "n three d l 4" is part of what is spelled.
    let is_spelled = |at: usize| {
        pieces.tokens.at(pieces.at(at).first as usize).byte_len() == 1
            && matches!(pieces.before(at).kind, PieceKind::Number | PieceKind::Letter)
            && at > 0
    };
    let is_piece = |cue: &Cue| {
        let is_first =
            |at: &usize| pieces.at(*at).kind == PieceKind::OtherCue && pieces.at(*at).first == cue.first_token;
        (0..pieces.len()).find(is_first).is_some_and(|at| !is_spelled(at))
    };
    let is_identifier = |cue: &&Cue| cue.entities.intersects(IDENTIFIERS) && is_piece(cue);
    let named = cues.iter().rfind(is_identifier).map_or(expected, |cue| cue.entities);
    named.and(IDENTIFIERS).iter().next().filter(|_| !names(Entity::PASSWORD.bit()))
}

impl Search<'_, '_, '_> {
    /// Whether a value that no cue names is another thing.
    pub(super) fn is_other_thing(&self, value: Value, naming: Naming) -> bool {
        naming.entity.is_none() && (self.is_label(value) || self.is_year(value) || self.is_of_address(value))
    }

    /// The identifier that a value without a cue for a secret is.
    pub(super) fn identifier(&self, value: Value, naming: Naming, is_answer: bool) -> Option<Entity> {
        let is_plain = value.is_spoken || self.pieces.str(value.first).bytes().all(|b| b.is_ascii_alphanumeric());
        let has_letters = (value.first..value.after).any(|at| self.pieces.at(at).kind == PieceKind::Letter);
        let fits = |entity: &Entity| !(has_letters && NUMERIC.contains(*entity));
        let is_unnamed = naming.entity.is_none() && !is_answer && !self.names_secret;
        self.identifier.filter(fits).filter(|_| is_unnamed && is_plain && !value.may_be_name)
    }

    /// Whether a word is a label before a colon: "netbook: ...".
    fn is_label(&self, value: Value) -> bool {
        value.shape < Shape::Number && self.pieces.at(value.after).is_mark(b':')
    }

    /// Whether a value begins with a year or a date: "in two thousand and eight".
    fn is_year(&self, value: Value) -> bool {
        let is_number = |at: usize| self.pieces.at(at).kind == PieceKind::Number;
        let numbers = (0..value.first).rev().take_while(|at| is_number(*at)).count();
        let before = (value.first - numbers).wrapping_sub(1);
        value.is_spoken
            && is_number(value.first)
            && self.pieces.is_word(before, &["in", "since", "around", "until", "till"])
    }

    /// Whether a value said aloud is the name before the host of a mail address, or a part of a web address.
    fn is_of_address(&self, value: Value) -> bool {
        let is = |at: usize, words: &[&str]| self.pieces.is_word(at, words);
        let is_mailbox = is(value.after, &["at", "arroba", "chiocciola", "arobase"]);
        let has_host =
            || (value.after + 1..value.after + 6).any(|at| is(at, &["dot", "punto", "point", "punkt", "ponto"]));
        let is_tail = |at: usize| is(at, &["com", "net", "org", "de", "fr", "es", "it", "uk", "slash"]);
        let follows_host = || {
            (value.first.saturating_sub(REACH)..value.first)
                .any(|at| is(at, &["dot", "punto", "point", "punkt", "ponto"]) && is_tail(at + 1))
        };
        value.is_spoken && (is_mailbox && has_host() || follows_host())
    }

    /// Whether a value is the user name of a pair: the first of `sam_p / Maple77`.
    pub(super) fn is_login_of_pair(&self, value: Value) -> bool {
        let (slash, next) = (self.pieces.at(value.after), self.pieces.at(value.after + 1));
        let lowest = if self.speaks_of_logins(value.first) { Shape::Rare } else { Shape::Mixed };
        slash.is_mark(b'/') && next.shape >= lowest && next.gap == slash.gap
    }
}

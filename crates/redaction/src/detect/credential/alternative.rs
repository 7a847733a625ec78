//! What a possible secret can be instead: a part of an address, a label, a year, the user name of a pair, or an
//! identifier that the text names.

use super::named_identifier::NUMERIC;
use super::naming::{Link, Naming};
use super::piece::PieceKind;
use super::search::Search;
use super::shape::Shape;
use super::value::Value;
use crate::cues::{CodeNumber, is_of_thing};
use crate::entity::Entity;
use crate::tokenize::near::near_before;

/// Pieces before a value in which an address can begin.
const REACH: usize = 14;

impl Search<'_, '_, '_> {
    /// Whether a value that no cue names is another thing.
    pub(super) fn is_other_thing(&self, value: Value, naming: Naming) -> bool {
        naming.entity.is_none()
            && (self.is_label(value)
                || self.is_year(value)
                || self.is_of_thing(value)
                || self.is_of_address(value)
                || self.is_name_of_network(value))
    }

    /// Whether a number of a value measures something, belongs to the name of a thing or says why something failed.
    fn is_of_thing(&self, value: Value) -> bool {
        let tokens = self.pieces.tokens;
        (value.first..value.after).map(|at| self.pieces.at(at)).any(|piece| {
            let (first, after) = (piece.first as usize, piece.after as usize);
            let digits = usize::from(tokens.at(first).digit_count());
            piece.kind == PieceKind::Number && digits > 0 && is_of_thing(tokens, &CodeNumber { first, after, digits })
        })
    }

    /// The identifier that a value without a cue for a secret is.
    pub(super) fn identifier(&self, value: Value, naming: Naming, is_answer: bool) -> Option<Entity> {
        let is_plain = value.is_spoken || self.pieces.str(value.first).bytes().all(|b| b.is_ascii_alphanumeric());
        let has_letters = (value.first..value.after).any(|at| self.pieces.at(at).kind == PieceKind::Letter);
        let fits = |entity: &Entity| !(has_letters && NUMERIC.contains(*entity));
        let is_unnamed = naming.entity.is_none() && !is_answer && !self.names_secret;
        // "i changed it to Maple204 and can't get into the patient portal"
        let has_small = || self.pieces.str(value.first).bytes().filter(u8::is_ascii_lowercase).count() > 2;
        let is_set = naming.link == Link::PronounChange && !value.is_spoken && has_small() || self.signs_in_with(value);
        self.identifier.filter(fits).filter(|_| is_unnamed && is_plain && !value.may_be_name && !is_set)
    }

    /// Whether a value is the network that somebody joins with a password: "la red X e introduzca la contraseña".
    fn is_name_of_network(&self, value: Value) -> bool {
        const NETWORKS: [&str; 12] = [
            "network", "networks", "ssid", "red", "rede", "netz", "netzwerk", "réseau", "reseau", "rete", "wlan",
            "hotspot",
        ];
        const JOINING: [&str; 8] = ["join", "connect", "select", "choose", "pick", "joined", "connected", "connecting"];
        const CUE_REACH: usize = 10;
        let is_skipped = |at: usize| {
            matches!(self.pieces.at(at).kind, PieceKind::Mark(b'"' | b'\'' | b':'))
                || self
                    .pieces
                    .is_word(at, &["called", "named", "to", "llamada", "chamada", "namens", "appelé", "chiamata"])
        };
        let before = (0..value.first).rev().find(|at| !is_skipped(*at)).unwrap_or(value.first);
        let is_cue = |at: usize| self.pieces.at(at).cue() == Some(Entity::PASSWORD);
        // "join the meeting X"
        let is_joined = (before.saturating_sub(2)..=before).any(|at| self.pieces.is_word(at, &JOINING));
        (self.pieces.is_word(before, &NETWORKS) || is_joined)
            && !value.is_spoken
            && (value.after..value.after + CUE_REACH).any(is_cue)
    }

    /// Whether a word is a label before a colon: "netbook: ...".
    fn is_label(&self, value: Value) -> bool {
        // "moonflower :)"
        let is_smiley = self.pieces.at(value.after + 1).is_mark(b')') || self.pieces.at(value.after + 1).is_mark(b'(');
        value.shape < Shape::Number && self.pieces.at(value.after).is_mark(b':') && !is_smiley
    }

    /// Whether a value begins with a year or a date: "in two thousand and eight".
    fn is_year(&self, value: Value) -> bool {
        let is_number = |at: usize| self.pieces.at(at).kind == PieceKind::Number;
        let numbers = near_before(value.first, self.pieces.len()).rev().take_while(|at| is_number(*at)).count();
        let before = (value.first - numbers).wrapping_sub(1);
        value.is_spoken
            && is_number(value.first)
            && self.pieces.is_word(before, &["in", "since", "around", "until", "till"])
    }

    /// Whether a value said aloud is the name before the host of a mail address, or a part of a web address.
    fn is_of_address(&self, value: Value) -> bool {
        let is = |at: usize, words: &[&str]| self.pieces.is_word(at, words);
        let is_mailbox = is(value.after, &["at", "arroba", "chiocciola", "arobase"])
            || is(value.after.wrapping_sub(1), &["arroba", "chiocciola", "arobase"]);
        let has_host = || (value.after..value.after + 6).any(|at| is(at, &["dot", "punto", "point", "punkt", "ponto"]));
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
        let lowest = || if self.speaks_of_logins(value.first) { Shape::Rare } else { Shape::Mixed };
        slash.is_mark(b'/') && next.gap == slash.gap && next.shape >= lowest()
    }
}

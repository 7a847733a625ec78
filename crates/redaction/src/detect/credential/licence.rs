//! Values that no verb joins to a secret: a text about signing in or a password makes them one unless something explains
//! them otherwise.

use super::naming::{Link, Naming};
use super::piece::{PieceKind, Pieces};
use super::search::Search;
use super::shape::Shape;
use super::topic::Topic;
use super::value::Value;
use super::word_list::class;
use crate::detect::WordList;
use crate::entity::Entity;
use crate::tokenize::near::near;

/// Pieces before a value in which a noun explains it.
const REACH: usize = 4;

/// Nouns that say what a code of letters and digits is, if it is no secret.
static EXPLAINING: WordList = WordList::new(&[
    "plan",
    "tariff",
    "model",
    "version",
    "serial",
    "ticket",
    "case",
    "order",
    "error",
    "reference",
    "ref",
    "flight",
    "gate",
    "seat",
    "room",
    "flat",
    "unit",
    "apartment",
    "postcode",
    "plate",
    "part",
    "file",
    "folder",
    "server",
    "printer",
    "host",
    "hostname",
    "domain",
    "network",
    "ssid",
    "device",
    "invoice",
    "policy",
    "booking",
    "product",
    "called",
    "named",
    "modelo",
    "versión",
    "pedido",
    "habitación",
    "red",
    "archivo",
    "factura",
    "vuelo",
    "matrícula",
    "llamado",
    "modèle",
    "modele",
    "commande",
    "facture",
    "chambre",
    "réseau",
    "fichier",
    "vol",
    "dossier",
    "modell",
    "gerät",
    "kundennummer",
    "rechnung",
    "zimmer",
    "netz",
    "datei",
    "namens",
    "fatura",
    "quarto",
    "voo",
    "modello",
    "fattura",
    "ordine",
]);

/// What directly before a value, or before its verb, says what the value is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Explanation {
    /// A noun for a thing with a code: "plan Basic12", "il modello è XR500".
    Noun,
    /// A cue for another entity, or the name of a product.
    Other,
    None,
}

/// What explains a value as something else than a secret.
pub(super) fn explanation(pieces: &Pieces<'_, '_>, value: Value) -> Explanation {
    for at in (value.first.saturating_sub(REACH)..value.first).rev() {
        let piece = pieces.at(at);
        let links = piece.is(class::COPULA | class::DETERMINER | class::ADVERB)
            || pieces.is_word(at, &["number", "no", "nr"])
            || matches!(piece.kind, PieceKind::Mark(b':' | b'"' | b'\'' | b'#'));
        match () {
            () if pieces.is_in(at, &EXPLAINING) => return Explanation::Noun,
            () if piece.kind == PieceKind::OtherCue || piece.is(class::PRODUCT) => return Explanation::Other,
            () if !links => return Explanation::None,
            () => {}
        }
    }
    Explanation::None
}

/// Whether a word tells of signing in, or of a system that lets nobody in.
fn tells_of_signing_in(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    const VERBS: [&str; 6] = ["log", "logging", "logged", "sign", "signing", "signed"];
    const WORDS: [&str; 28] = [
        "login",
        "locked",
        "lockout",
        "caps",
        "typed",
        "typing",
        "log-in",
        "sign-in",
        "einloggen",
        "eingeloggt",
        "anmelden",
        "angemeldet",
        "anmeldung",
        "gesperrt",
        "ausgesperrt",
        "connecter",
        "connexion",
        "connecte",
        "entrar",
        "acceder",
        "sesión",
        "sesion",
        "bloqueado",
        "acessar",
        "entrei",
        "accedere",
        "entrare",
        "bloccato",
    ];
    let is_let_in =
        pieces.is_word(at, &["in"]) && (1..=2).any(|n| pieces.is_word(at.wrapping_sub(n), &["let", "lets", "letting"]));
    let is_verb = pieces.is_word(at, &VERBS) && (1..=3).any(|n| pieces.is_word(at + n, &["in", "into", "on", "onto"]));
    pieces.is_word(at, &WORDS) || is_verb || is_let_in
}

impl Search<'_, '_, '_> {
    /// Whether the topic makes a value a secret that no cue and no verb names, and nothing explains it otherwise.
    pub(super) fn is_licensed(&self, value: Value, naming: Naming, topic: Topic) -> bool {
        let is_loose = matches!(naming.link, Link::Absent | Link::Clause | Link::With)
            && !naming.has_determiner
            && !naming.is_other
            && naming.entity.is_none();
        let is_login = self.pieces.at(value.after).is_mark(b'/');
        // A value of exported data: {\"spanId\": \"abc123\"}
        let is_escaped = self.pieces.str(value.first).contains('\\');
        if !is_loose
            || is_login
            || is_escaped
            || value.shape < Shape::Mixed
            || self.asks_other
            || self.analysis.denies_password
        {
            return false;
        }
        let is_about_secret = if value.is_spoken {
            self.is_spelled_about_secret(value, naming, topic)
        } else {
            !self.follows_place(value)
                && near(value.first, self.pieces.len()).any(|at| tells_of_signing_in(self.pieces, at))
        };
        is_about_secret && explanation(self.pieces, value) == Explanation::None
    }

    /// Whether a value is spelled in a text that named a password before, or that comes after a message about one.
    fn is_spelled_about_secret(&self, value: Value, naming: Naming, topic: Topic) -> bool {
        let has_case = || (value.first..value.after).any(|at| self.pieces.at(at).is(class::CASE));
        let is_named =
            topic == Topic::Named && self.analysis.topics.entity_before(value.first) == Some(Entity::PASSWORD);
        let is_after_question = self.names_secret && naming.link == Link::Absent;
        (is_named && (value.is_spelled || has_case()) || is_after_question && value.is_spelled)
            && !self.is_part_of_address(value)
    }

    /// Whether a preposition of place or a number is directly before a value: "on galaxys9".
    fn follows_place(&self, value: Value) -> bool {
        let before = self.pieces.before(value.first);
        let is_preposition = before.is(class::PREPOSITION) && !before.is(class::WITH);
        is_preposition || before.kind == PieceKind::Number || before.kind == PieceKind::Segment
    }
}

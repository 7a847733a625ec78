//! Codes after "ref" or "against" whose kind the talk around them tells: "I booked a table, ref SL4U7G", "an invoice against 3F8V-9076".

use super::form::{begins_code, code_end};
use crate::candidate::{Candidates, EvidenceRank};
use crate::detect::token_words::WordList;
use crate::detect::{DetectorInput, is_one_of};
use crate::entity::{Entity, EntitySet};
use crate::span::DetectionReason;
use crate::tokenize::{Gap, TokenKind, Tokens};

const ENTITIES: EntitySet = EntitySet::from_slice(&[Entity::BOOKING_REFERENCE, Entity::ORDER_NUMBER]);
static REFERENCES: WordList = WordList::new(&[
    "ref",
    "refs",
    "reference",
    "referencia",
    "référence",
    "referenz",
    "riferimento",
    "rif",
    "referência",
    "against",
]);
/// Words of a stay, a table or a journey.
static BOOKINGS: WordList = WordList::new(&[
    "booked",
    "booking",
    "table",
    "villa",
    "hotel",
    "room",
    "reservation",
    "reserva",
    "réservation",
    "reservierung",
    "prenotazione",
    "flight",
    "vuelo",
    "vol",
    "flug",
    "voo",
    "volo",
    "stay",
    "trip",
    "tour",
    "cabin",
    "ferry",
]);
/// Words of an order and its papers.
static ORDERS: WordList = WordList::new(&[
    "order",
    "invoice",
    "delivery",
    "parcel",
    "shipment",
    "purchase",
    "pedido",
    "factura",
    "commande",
    "facture",
    "bestellung",
    "rechnung",
    "encomenda",
    "fatura",
    "ordine",
    "fattura",
]);
/// Maximum tokens from a reference to the word for what it is of.
const REACH: usize = 40;
/// Letters and digits of the shortest and longest reference.
const LENGTHS: std::ops::RangeInclusive<usize> = 5..=13;

/// Looks at every word for a reference.
pub(super) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    if !out.is_any_active(ENTITIES) {
        return;
    }
    let tokens = input.tokens;
    for (at, token) in tokens.as_slice().iter().enumerate() {
        if !REFERENCES.has(tokens, *token) {
            continue;
        }
        let first = after_marks(tokens, at + 1);
        let Some(after) = reference_end(tokens, first) else { continue };
        if let Some(entity) = entity_near(tokens, at) {
            let (start, end) = (tokens.at(first).start, tokens.before(after).end);
            out.push_fully_masked(start, end, entity, DetectionReason::Cue, EvidenceRank::Cue);
        }
    }
}

/// The token after ".", ":", "#", "no", "number" and "is".
fn after_marks(tokens: &Tokens<'_>, mut at: usize) -> usize {
    for _ in 0..3 {
        let token = tokens.at(at);
        let is_mark = [b'.', b':', b'#'].iter().any(|mark| token.is_mark(*mark));
        at += usize::from(is_mark || is_one_of(tokens, token, &["no", "number", "nr", "is"]));
    }
    at
}

/// The token after a reference: letters and digits in one segment, with two digits or more.
fn reference_end(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    let is_letters = |at: usize| tokens.at(at).kind == TokenKind::Word;
    let starts = begins_code(tokens, first) && tokens.at(first).gap <= Gap::Space;
    let is_end = |at: &usize| tokens.at(*at).gap != Gap::None || tokens.at(*at).kind == TokenKind::Edge;
    let segment_end = (first + 1..=tokens.len()).find(is_end)?;
    let after = code_end(tokens, first).filter(|_| starts)?.min(segment_end);
    let parts = || (first..after).filter(|at| tokens.at(*at).is_alphanumeric());
    let length: usize = parts().map(|at| tokens.at(at).byte_len()).sum();
    let digits: usize = parts().filter(|at| !is_letters(*at)).map(|at| tokens.at(at).byte_len()).sum();
    (parts().any(is_letters) && digits >= 2 && LENGTHS.contains(&length)).then_some(after)
}

/// What the words near a reference say that it is of; "against" is an order or nothing.
fn entity_near(tokens: &Tokens<'_>, at: usize) -> Option<Entity> {
    let near = |list: &WordList| {
        let (first, last) = (at.saturating_sub(REACH), (at + REACH).min(tokens.len()));
        (first..last).any(|near| list.has(tokens, tokens.at(near)))
    };
    let is_against = is_one_of(tokens, tokens.at(at), &["against"]);
    match () {
        () if !is_against && near(&BOOKINGS) => Some(Entity::BOOKING_REFERENCE),
        () if near(&ORDERS) => Some(Entity::ORDER_NUMBER),
        () => None,
    }
}

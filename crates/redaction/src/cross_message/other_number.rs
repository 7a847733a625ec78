//! Numbers that their own message names as something other than a card number: "my pin is 4321", "case 121 number 0".

use crate::cues::Cues;
use crate::detect::{WordList, is_one_of};
use crate::entity::Entity;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, TokenizedText, Tokens};

/// Nouns before a number that is not a card's. Words for parts of a number, such as "line" and "block", are not among them. "Box"
/// can also be a part of a card number: see [`PART_POSITIONS`].
static THINGS: WordList = WordList::new(&[
    "order",
    "ticket",
    "case",
    "claim",
    "invoice",
    "receipt",
    "bill",
    "booking",
    "parcel",
    "package",
    "shipment",
    "task",
    "issue",
    "problem",
    "request",
    "question",
    "chapter",
    "item",
    "product",
    "article",
    "message",
    "customer",
    "call",
    "floor",
    "level",
    "house",
    "flat",
    "apartment",
    "building",
    "bus",
    "train",
    "route",
    "lane",
    "table",
    "desk",
    "shelf",
    "aisle",
    "batch",
    "code",
    "passcode",
    "otp",
    "unit",
    "box",
    "pedido",
    "caso",
    "ticketnummer",
    "commande",
    "dossier",
    "bestellung",
    "auftrag",
    "rechnung",
    "vorgang",
    "encomenda",
    "ordine",
    "pratica",
    "factura",
    "facture",
    "fatura",
    "fattura",
    "seite",
    "zimmer",
    "chambre",
    "habitación",
    "stanza",
]);
/// Words before such a noun that make it a part of a card number: "the second box 1111".
const PART_POSITIONS: [&str; 7] = ["first", "second", "third", "fourth", "fifth", "top", "bottom"];
/// Words between a thing and its number.
static JOINTS: WordList =
    WordList::new(&["number", "numbers", "num", "no", "nr", "numero", "número", "numéro", "nummer", "id", "is"]);
/// Maximum tokens between a thing and its number.
const MAX_JOINTS: usize = 3;

fn is_joint(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    token.is_mark(b'#') || token.is_mark(b'.') || token.is_mark(b':') || JOINTS.has(tokens, token)
}

/// The token before two numbers with a word such as "number" between them: "case" of "case 121 number 0". `second` is the number
/// 0.
pub(crate) fn label_before_first_of_two(tokens: &Tokens<'_>, second: usize) -> Option<usize> {
    let word = second.checked_sub(1).filter(|at| JOINTS.has(tokens, tokens.at(*at)))?;
    let number = word.checked_sub(1).filter(|at| tokens.at(*at).kind == TokenKind::Digits)?;
    number.checked_sub(1)
}

/// Whether the words before the number at the token `first` name a thing that has a number.
pub(crate) fn follows_thing_name(tokens: &Tokens<'_>, first: usize) -> bool {
    let end = label_before_first_of_two(tokens, first).map_or(first, |label| label + 1);
    let label = (end.saturating_sub(MAX_JOINTS + 1)..end).rev().find(|at| !is_joint(tokens, *at));
    label.is_some_and(|at| {
        let before = tokens.before(at);
        THINGS.has(tokens, tokens.at(at))
            && tokens.at(at + 1).gap <= Gap::Space
            && !is_one_of(tokens, before, &PART_POSITIONS)
            // "in case" and "in question" name no thing.
            && !is_one_of(tokens, before, &["in"])
    })
}

/// Whether the number at the token `first` belongs to something else than a card: the last cue before it names other
/// entities, or it is the number of a thing.
pub(crate) fn is_named_as_other(text: &TokenizedText<'_>, first: usize) -> bool {
    let tokens = text.tokens();
    if first == 0 {
        return false;
    }
    let names_other = || {
        let cues = Cues::of_words(text);
        let last = cues.as_slice().iter().rev().find(|cue| cue.end_token as usize <= first);
        last.is_some_and(|cue| !cue.entities.contains(Entity::CREDIT_CARD_NUMBER))
    };
    follows_thing_name(&tokens, first) || names_other()
}

/// Whether the first number or mask of a text belongs to something else than a card.
pub(crate) fn first_number_is_named_as_other(text: &TokenizedText<'_>) -> bool {
    let tokens = text.tokens();
    let is_value = |at: &usize| {
        let token = tokens.at(*at);
        matches!(token.kind, TokenKind::Digits | TokenKind::Mask) || token.flags & flag::NUMBER != 0
    };
    (0..tokens.len()).find(is_value).is_some_and(|first| is_named_as_other(text, first))
}

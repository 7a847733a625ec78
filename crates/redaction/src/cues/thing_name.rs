//! Numbers that belong to the name of a thing or tell which one it is: "Nokia 3310", "the 1130 train".

use super::code_number::CodeNumber;
use super::words::{is, is_in};
use crate::detect::WordList;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Whether a part of the name of a thing is before or after a number.
pub(super) fn is_part_of_name(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    is_model(tokens, code.first) || is_instance(tokens, code) || describes_noun(tokens, code)
}

/// Whether the name of a maker or of a product is directly before a number, or a capital letter in a sentence shows that
/// the word before it is a name: "a Nokia 3310", "the ingenico 3070".
fn is_model(tokens: &Tokens<'_>, first: usize) -> bool {
    static BRANDS: WordList = WordList::new(&[
        "nokia",
        "samsung",
        "galaxy",
        "iphone",
        "ipad",
        "pixel",
        "motorola",
        "huawei",
        "xiaomi",
        "redmi",
        "oneplus",
        "sony",
        "siemens",
        "bosch",
        "miele",
        "philips",
        "dyson",
        "canon",
        "nikon",
        "epson",
        "brother",
        "lexmark",
        "hp",
        "dell",
        "lenovo",
        "thinkpad",
        "acer",
        "asus",
        "macbook",
        "surface",
        "netgear",
        "linksys",
        "asrock",
        "fritzbox",
        "fritz",
        "speedport",
        "netgate",
        "cisco",
        "zyxel",
        "ingenico",
        "verifone",
        "yale",
        "abus",
        "chubb",
        "honeywell",
        "worcester",
        "vaillant",
        "peugeot",
        "renault",
        "citroen",
        "bmw",
        "mazda",
        "audi",
        "skoda",
        "fiat",
        "volvo",
        "boeing",
        "airbus",
        "xbox",
        "playstation",
        "nvidia",
        "geforce",
        "ryzen",
        "garmin",
    ]);
    const ARTICLES: [&str; 4] = ["a", "an", "un", "ein"];
    let name = tokens.before(first);
    if first == 0 || name.kind != TokenKind::Word || tokens.at(first).gap > Gap::Space {
        return false;
    }
    let text = tokens.str(name);
    let mut letters = text.chars();
    let is_proper = letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase);
    is_in(tokens, name, &BRANDS) || is_proper && first > 1 && is(tokens, tokens.at(first - 2), &ARTICLES)
}

/// Whether a number is one of its kind, not a code: "i get a 4003 and then nothing", "i drive a 3008".
fn is_instance(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    const VERBS: [&str; 22] = [
        "get", "gets", "got", "getting", "have", "has", "had", "see", "saw", "seeing", "drive", "bought", "throws",
        "throwing", "returns", "gives", "shows", "own", "buy", "fit", "fits", "needs",
    ];
    let first = code.first;
    first > 1
        && tokens.at(first).kind == TokenKind::Digits
        && is(tokens, tokens.before(first), &["a", "an"])
        && is(tokens, tokens.at(first - 2), &VERBS)
        && !is(tokens, tokens.at(code.after), &["pin", "code", "one", "number", "cvv", "cvc", "combination", "combo"])
}

/// Whether a number only says which of several things is meant, or how large it is: "the 1130 train", "a 2032 battery".
fn describes_noun(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    const ARTICLES: [&str; 16] =
        ["a", "an", "the", "this", "that", "my", "your", "our", "der", "die", "den", "el", "le", "il", "o", "is"];
    const NOUNS: [&str; 52] = [
        "train",
        "bus",
        "tram",
        "flight",
        "ferry",
        "coach",
        "service",
        "showing",
        "slot",
        "battery",
        "batteries",
        "bulb",
        "fuse",
        "cable",
        "charger",
        "engine",
        "model",
        "series",
        "edition",
        "version",
        "release",
        "update",
        "build",
        "line",
        "hotline",
        "helpline",
        "number",
        "form",
        "capacity",
        "horsepower",
        "bill",
        "invoice",
        "payment",
        "refund",
        "fee",
        "deposit",
        "budget",
        "limit",
        "balance",
        "error",
        "page",
        "message",
        "zug",
        "tren",
        "treno",
        "comboio",
        "autobus",
        "autobús",
        "reihe",
        "serie",
        "série",
        "batterie",
    ];
    let (before, next) = (tokens.before(code.first), tokens.at(code.after));
    code.first > 0
        && tokens.at(code.first).kind == TokenKind::Digits
        && next.gap == Gap::Space
        && is(tokens, next, &NOUNS)
        && (is(tokens, before, &ARTICLES) || before.flags & flag::MONTH != 0)
}

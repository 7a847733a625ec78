//! Numbers that measure something, or that belong to the name of a thing: "2870 mV", "Nokia 3310", "the 1130 train".

use super::code_number::CodeNumber;
use super::words::is;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Whether a unit follows a number, or a part of the name of a thing is before or after it.
pub(super) fn is_measure_or_name(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    has_unit(tokens, code)
        || is_measured_abroad(tokens, code.after)
        || is_model(tokens, code.first)
        || is_instance(tokens, code)
        || describes_noun(tokens, code)
        || is_what_is_left(tokens, code)
}

/// Whether a unit that the lexicon does not have follows digits: "2870 mV", "230 V".
fn has_unit(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    /// Units in the one way of writing them.
    const SYMBOLS: [&str; 16] =
        ["V", "W", "mV", "kV", "mA", "mW", "kW", "MW", "Hz", "kHz", "MHz", "GHz", "dB", "Pa", "hPa", "Wh"];
    const UNITS: [&str; 30] = [
        "mm", "cm", "ml", "cl", "mg", "mah", "ah", "kwh", "mv", "mhz", "ghz", "psi", "mbar", "rpm", "dpi", "fps",
        "ppm", "mph", "kmh", "kph", "kbps", "gbps", "btu", "lux", "lumens", "lumen", "ohm", "ohms", "volt", "watt",
    ];
    let (token, next) = (tokens.at(code.first), tokens.at(code.after));
    let has_bits = || {
        let of_noun = tokens.at(code.after + 1);
        is(tokens, next, &["bit", "bits"]) && of_noun.kind == TokenKind::Word && of_noun.gap == Gap::Space
    };
    token.kind == TokenKind::Digits
        && next.kind == TokenKind::Word
        && next.gap <= Gap::Space
        && (SYMBOLS.contains(&tokens.str(next)) || is(tokens, next, &UNITS) || has_bits())
}

/// Whether the name of a maker or of a product is directly before a number, or a capital letter in a sentence shows that
/// the word before it is a name: "a Nokia 3310", "the ingenico 3070".
fn is_model(tokens: &Tokens<'_>, first: usize) -> bool {
    const BRANDS: [&str; 64] = [
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
    ];
    const ARTICLES: [&str; 4] = ["a", "an", "un", "ein"];
    let name = tokens.before(first);
    if first == 0 || name.kind != TokenKind::Word || tokens.at(first).gap > Gap::Space {
        return false;
    }
    let text = tokens.str(name);
    let mut letters = text.chars();
    let is_proper = letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase);
    is(tokens, name, &BRANDS) || is_proper && first > 1 && is(tokens, tokens.at(first - 2), &ARTICLES)
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

/// Whether the noun that a number is said of is an amount: "the pin limit is 5000", "the limit with pin is 1500".
pub(super) fn is_limit(tokens: &Tokens<'_>, first: usize) -> bool {
    const REACH: usize = 6;
    const NOUNS: [&str; 14] = [
        "limit",
        "limits",
        "maximum",
        "minimum",
        "max",
        "min",
        "allowance",
        "fee",
        "fees",
        "charge",
        "cost",
        "price",
        "limite",
        "tageslimit",
    ];
    const JOINTS: [&str; 20] = [
        "is", "was", "of", "to", "with", "without", "for", "the", "a", "my", "your", "pin", "at", "now", "only",
        "still", "per", "day", "es", "ist",
    ];
    let is_joint = |at: &usize| {
        is(tokens, tokens.at(*at), &JOINTS) && tokens.at(at + 1).gap <= Gap::Space || tokens.at(*at).is_mark(b':')
    };
    let joints = (first.saturating_sub(REACH)..first).rev().take_while(is_joint).count();
    (first - joints).checked_sub(1).is_some_and(|noun| is(tokens, tokens.at(noun), &NOUNS))
}

/// Whether a number is what is left of an amount: "there's 1500 missing".
fn is_what_is_left(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    const STATES: [&str; 14] = [
        "missing",
        "left",
        "outstanding",
        "pending",
        "overdue",
        "owing",
        "available",
        "remaining",
        "unpaid",
        "short",
        "faltan",
        "übrig",
        "restants",
        "rimasti",
    ];
    const THERE: [&str; 8] = ["there", "theres", "s", "is", "are", "was", "were", "have"];
    let next = tokens.at(code.after);
    code.first > 0
        && next.gap == Gap::Space
        && is(tokens, next, &STATES)
        && is(tokens, tokens.before(code.first), &THERE)
}

/// Whether what follows a number is a unit in another language, or a period of time: "2500 puntos", "4000 a month".
fn is_measured_abroad(tokens: &Tokens<'_>, after: usize) -> bool {
    const NOUNS: [&str; 46] = [
        "puntos",
        "punkte",
        "pontos",
        "punti",
        "meses",
        "mois",
        "monate",
        "monaten",
        "mesi",
        "años",
        "anos",
        "ans",
        "années",
        "jahre",
        "jahren",
        "anni",
        "días",
        "dias",
        "jours",
        "tage",
        "tagen",
        "giorni",
        "semanas",
        "semaines",
        "wochen",
        "settimane",
        "horas",
        "heures",
        "stunden",
        "ore",
        "minutos",
        "minuten",
        "minuti",
        "personas",
        "personnes",
        "personen",
        "kilometer",
        "kilómetros",
        "kunden",
        "clientes",
        "clients",
        "metros",
        "meter",
        "pesos",
        "reais",
        "franken",
    ];
    const PERIODS: [&str; 12] =
        ["month", "year", "week", "day", "mes", "mês", "mois", "monat", "mese", "an", "jahr", "anno"];
    const PER: [&str; 9] = ["a", "per", "al", "por", "par", "im", "pro", "ao", "each"];
    let (next, period) = (tokens.at(after), tokens.at(after + 1));
    next.gap == Gap::Space && (is(tokens, next, &NOUNS) || is(tokens, next, &PER) && is(tokens, period, &PERIODS))
}

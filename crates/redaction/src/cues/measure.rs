//! Numbers that measure something, and amounts: "2870 mV", "the pin limit is 5000", "there's 1500 missing".

use super::code_number::CodeNumber;
use super::words::{is, is_in, token_before_joints};
use crate::detect::WordList;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Whether a unit follows a number, or a word says that it is what is left of an amount.
pub(super) fn is_measure(tokens: &Tokens<'_>, code: &CodeNumber) -> bool {
    has_unit(tokens, code) || is_measured_abroad(tokens, code.after) || is_what_is_left(tokens, code)
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

/// Whether the noun that a number is said of is an amount: "the pin limit is 5000", "the limit with pin is 1500".
pub(super) fn is_limit(tokens: &Tokens<'_>, first: usize) -> bool {
    const MAX_JOINTS: usize = 6;
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
    token_before_joints(first, MAX_JOINTS, is_joint).is_some_and(|noun| is(tokens, tokens.at(noun), &NOUNS))
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
    static NOUNS: WordList = WordList::new(&[
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
    ]);
    const PERIODS: [&str; 12] =
        ["month", "year", "week", "day", "mes", "mês", "mois", "monat", "mese", "an", "jahr", "anno"];
    const PER: [&str; 9] = ["a", "per", "al", "por", "par", "im", "pro", "ao", "each"];
    let (next, period) = (tokens.at(after), tokens.at(after + 1));
    next.gap == Gap::Space && (is_in(tokens, next, &NOUNS) || is(tokens, next, &PER) && is(tokens, period, &PERIODS))
}

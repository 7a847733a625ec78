//! Numbers in the reply to a question that the words beside them give another meaning: years, times, counts and amounts.
//! A reply may be a refusal with a number of its own: "ich hab 2020 den Vertrag gemacht", "i earn 4000 a month".

use crate::detect::is_one_of;
use crate::numbers::slice::RunSlice;
use crate::tokenize::{Gap, TokenKind};

/// Whether the words beside digits say that they are no answer.
pub(super) fn has_other_meaning(slice: RunSlice<'_, '_>) -> bool {
    is_year_of_report(slice) || is_clock_time(slice) || is_count(slice) || is_of_place(slice)
}

/// Whether four digits are the year of what somebody did. A code is no adverb of time, so it does not stand between a
/// subject and the rest of its sentence, and no article follows it.
fn is_year_of_report(slice: RunSlice<'_, '_>) -> bool {
    const BEFORE: [&str; 19] = [
        "ich", "wir", "er", "sie", "man", "mir", "uns", "back", "anno", "jahr", "seit", "since", "around", "depuis",
        "desde", "dal", "early", "late", "before",
    ];
    const ARTICLES: [&str; 20] = [
        "der", "die", "das", "den", "dem", "einen", "eine", "ein", "the", "a", "an", "le", "la", "les", "el", "una",
        "um", "uma", "il", "un",
    ];
    const VERBS: [&str; 5] = ["was", "war", "fue", "foi", "fu"];
    const WHEN: [&str; 7] = ["when", "als", "cuando", "quand", "quando", "the", "das"];
    let tokens = slice.tokens;
    let (before, next) = (slice.token_before(), slice.token_after());
    let is_moment = || is_one_of(tokens, next, &VERBS) && is_one_of(tokens, tokens.at(slice.end_token() + 1), &WHEN);
    matches!(slice.compact(), [b'1', b'9', _, _] | [b'2', b'0', _, _])
        && slice.groups().len() == 1
        && next.kind == TokenKind::Word
        && next.gap == Gap::Space
        && (is_one_of(tokens, before, &BEFORE) || is_one_of(tokens, next, &ARTICLES) || is_moment())
}

/// Whether four digits are a time of day after a preposition: "at 1530".
fn is_clock_time(slice: RunSlice<'_, '_>) -> bool {
    const BEFORE: [&str; 9] = ["at", "um", "às", "as", "alle", "vers", "gegen", "by", "until"];
    let is_time =
        matches!(*slice.compact(), [b'0'..=b'1', b'0'..=b'9', b'0'..=b'5', _] | [b'2', b'0'..=b'3', b'0'..=b'5', _]);
    is_time && !slice.any_spoken() && is_one_of(slice.tokens, slice.token_before(), &BEFORE)
}

/// Whether the noun after digits is counted: "2500 puntos", "4000 a month", "1200 al mes".
fn is_count(slice: RunSlice<'_, '_>) -> bool {
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
    let tokens = slice.tokens;
    let (next, period) = (slice.token_after(), tokens.at(slice.end_token() + 1));
    next.gap == Gap::Space
        && (is_one_of(tokens, next, &NOUNS) || is_one_of(tokens, next, &PER) && is_one_of(tokens, period, &PERIODS))
}

/// Whether digits number a room, a house or an extension: "room 4410".
fn is_of_place(slice: RunSlice<'_, '_>) -> bool {
    const PLACES: [&str; 22] = [
        "room",
        "suite",
        "flat",
        "unit",
        "apartment",
        "apt",
        "gate",
        "flight",
        "extension",
        "ext",
        "platform",
        "page",
        "zimmer",
        "habitación",
        "chambre",
        "quarto",
        "stanza",
        "camera",
        "bus",
        "line",
        "locker",
        "bay",
    ];
    is_one_of(slice.tokens, slice.token_before(), &PLACES)
}

//! Names by their position: after what a person is in a document ("Cardholder Jane Doe"), after a form of address, after words
//! that ask for somebody ("ask for", "c/o", "booked under"), and before "here".

use super::name_list::{self, ATTENDANCE_WORDS};
use super::name_words::{NameTest, name_end};
use super::token_words::WordList;
use super::{flags, is_one_of, joined};
use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::Entity;
use crate::span::DetectionReason;
use crate::tagger::Listing;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// What a person is in a document, in six languages. A name in capitals or a listed name follows.
const ROLE_WORDS: [&str; 59] = [
    "guest",
    "cardholder",
    "policyholder",
    "accountholder",
    "holder",
    "consignee",
    "applicant",
    "applicants",
    "claimant",
    "taxpayer",
    "spouse",
    "dependent",
    "beneficiary",
    "payee",
    "tenant",
    "passenger",
    "subscriber",
    "insured",
    "party",
    "supervisor",
    "leader",
    "concierge",
    "lodger",
    "portero",
    "portera",
    "conserje",
    "vecino",
    "vecina",
    "titular",
    "destinatario",
    "huésped",
    "acompañante",
    "gardien",
    "gardienne",
    "voisin",
    "voisine",
    "titulaire",
    "destinataire",
    "bénéficiaire",
    "angehörige",
    "angehöriger",
    "nachbar",
    "nachbarin",
    "hausmeister",
    "ansprechpartner",
    "ansprechpartnerin",
    "empfänger",
    "kontoinhaber",
    "karteninhaber",
    "porteiro",
    "vizinho",
    "vizinha",
    "destinatário",
    "acompanhante",
    "portiere",
    "vicino",
    "vicina",
    "intestatario",
    "beneficiario",
];
static ROLES: WordList = WordList::new(&ROLE_WORDS);
/// Forms of address before a surname. "Dr" is also the end of a street, and left to the tagger.
const TITLE_WORDS: [&str; 17] = [
    "mr",
    "mrs",
    "ms",
    "mx",
    "mme",
    "mlle",
    "herr",
    "herrn",
    "frau",
    "señora",
    "sra",
    "srta",
    "senhora",
    "signora",
    "dott",
    "dottoressa",
    "dra",
];
static TITLES: WordList = WordList::new(&TITLE_WORDS);
/// Words before "for" and a name: "ask for Rosa", "the order for Rosa Diaz".
static ASKED_FOR: WordList = WordList::new(&[
    "ask",
    "shout",
    "order",
    "parcel",
    "package",
    "booking",
    "reservation",
    "appointment",
    "account",
    "policy",
    "number",
]);
/// Words before "of" and a name: "at the request of", "on behalf of".
const BEFORE_OF: [&str; 5] = ["request", "behalf", "attention", "care", "name"];
/// Words of a booking, which stands under a name.
static BOOKED: WordList = WordList::new(&[
    "booked",
    "booking",
    "reserved",
    "reservation",
    "table",
    "room",
    "reservé",
    "gebucht",
    "reservado",
    "prenotato",
]);
/// Tokens from a word of a booking to "under".
const MAX_BOOKING_TOKENS: usize = 6;
/// Verbs before "chez" and the name on a doorbell.
const RING: [&str; 8] = ["sonnez", "sonner", "sonne", "frappez", "klingeln", "klingel", "läuten", "suonare"];

/// Other words before a name, or the last of them.
const OTHER_LEADS: [&str; 7] = ["of", "for", "under", "bei", "chez", "presso", "o"];
const LEAD_WORDS: [&str; ROLE_WORDS.len() + TITLE_WORDS.len() + ATTENDANCE_WORDS.len() + OTHER_LEADS.len()] =
    joined(&[&ROLE_WORDS, &TITLE_WORDS, &ATTENDANCE_WORDS, &OTHER_LEADS]);
/// All words that can stand before a name. Most words of a text are none of them, and need no other test.
static LEADS: WordList = WordList::new(&LEAD_WORDS);
/// "Here", in six languages.
static HERE: WordList = WordList::new(&["here", "hier", "aquí", "aqui", "ici"]);

/// Looks at every word that can stand before a name, or after one.
pub(crate) fn detect(tokens: &Tokens<'_>, out: &mut Candidates) {
    if !out.is_any_active(Entity::PERSON_NAME.bit()) {
        return;
    }
    let (mut done, mut has_here) = (0, None);
    for (at, token) in tokens.as_slice().iter().enumerate() {
        if token.kind != TokenKind::Word || at < done {
            continue;
        }
        let mut precedes_here = || begins_part(tokens, at) && *has_here.get_or_insert_with(|| says_here(tokens));
        if !(LEADS.has(tokens, *token) || tokens.at(at + 1).is_mark(b',') || precedes_here()) {
            continue;
        }
        let name = lead_end(tokens, at).and_then(|(first, test)| Some((first, name_end(tokens, first, test)?)));
        let name = name.or_else(|| name_before_here(tokens, at)).or_else(|| name_list::inverted_name(tokens, at));
        if let Some((first, after)) = name {
            push(tokens, first, after, out);
            done = after;
        }
        name_list::detect_items(tokens, at, |first, after| push(tokens, first, after, out));
    }
    if let Some((first, after)) = name_list::signature(tokens) {
        push(tokens, first, after, out);
    }
}

fn push(tokens: &Tokens<'_>, first: usize, after: usize, out: &mut Candidates) {
    let (start, end) = (tokens.at(first).start, tokens.before(after).end);
    out.push_fully_masked(start, end, Entity::PERSON_NAME, DetectionReason::Cue, EvidenceRank::Cue);
}

/// The token after the words that end at `at` and stand before a name, and how sure they are.
fn lead_end(tokens: &Tokens<'_>, at: usize) -> Option<(usize, NameTest)> {
    let (token, before) = (tokens.at(at), tokens.before(at));
    if ROLES.has(tokens, token) {
        return Some((after_copula(tokens, at + 1), NameTest::Listed));
    }
    if TITLES.has(tokens, token) {
        return title_end(tokens, at).map(|first| (first, NameTest::Capital));
    }
    let word = tokens.str(token);
    let is_lead = match word.len() {
        2 if is_one_of(tokens, token, &["of"]) => is_one_of(tokens, before, &BEFORE_OF),
        3 if is_one_of(tokens, token, &["for"]) => ASKED_FOR.has(tokens, before),
        5 if is_one_of(tokens, token, &["under"]) => return under_booking(tokens, at),
        3 | 4 | 6 if is_one_of(tokens, token, &["bei", "chez", "presso"]) => {
            let is_doorbell = is_one_of(tokens, before, &RING);
            let test = if is_doorbell { NameTest::Capital } else { NameTest::Listed };
            return Some((at + 1, test));
        }
        1 if is_care_of(tokens, at) => return Some((at + 1, NameTest::Capital)),
        _ => false,
    };
    is_lead.then_some((at + 1, NameTest::Listed))
}

/// The token after "is", ":" and the like.
fn after_copula(tokens: &Tokens<'_>, at: usize) -> usize {
    let token = tokens.at(at);
    at + usize::from(token.is_mark(b':') || flags(token) & flag::COPULA != 0)
}

/// The token after a title with its full stop or ending: "Mrs.", "dott.ssa".
fn title_end(tokens: &Tokens<'_>, title: usize) -> Option<usize> {
    let has_stop = tokens.at(title + 1).is_mark(b'.') && tokens.at(title + 1).gap == Gap::None;
    let after_stop = title + 1 + usize::from(has_stop);
    let is_ending = has_stop && is_one_of(tokens, tokens.at(after_stop), &["ssa", "a"]);
    let first = after_stop + usize::from(is_ending && tokens.at(after_stop).gap == Gap::None);
    let is_name = Listing::of(tokens, first).is_capital() && tokens.at(first).gap == Gap::Space;
    // "meine Frau Termin": the noun after a wife is no name.
    let is_wife = is_one_of(tokens, tokens.before(title), &["meine", "seine", "deine", "meiner", "seiner"]);
    (is_name && !is_wife).then_some(first)
}

/// Whether the "o" of "c/o" is at a token.
fn is_care_of(tokens: &Tokens<'_>, at: usize) -> bool {
    is_one_of(tokens, tokens.at(at), &["o"])
        && tokens.before(at).is_mark(b'/')
        && at.checked_sub(2).is_some_and(|first| is_one_of(tokens, tokens.at(first), &["c"]))
}

/// The name under which something is booked.
fn under_booking(tokens: &Tokens<'_>, under: usize) -> Option<(usize, NameTest)> {
    let has_booking = (under.saturating_sub(MAX_BOOKING_TOKENS)..under).any(|at| BOOKED.has(tokens, tokens.at(at)));
    has_booking.then_some((under + 1, NameTest::Unlisted))
}

/// Whether a token begins a message or a line, or follows a comma.
fn begins_part(tokens: &Tokens<'_>, at: usize) -> bool {
    at == 0 || tokens.before(at).is_mark(b',') || tokens.at(at).gap >= Gap::Line
}

/// Whether a text has a word of [`HERE`].
fn says_here(tokens: &Tokens<'_>) -> bool {
    tokens.as_slice().iter().any(|token| HERE.has(tokens, *token))
}

/// The name before "here", from the beginning of the message or after a comma: "Rosa here", "support, Rosa here".
fn name_before_here(tokens: &Tokens<'_>, at: usize) -> Option<(usize, usize)> {
    if !begins_part(tokens, at) {
        return None;
    }
    let test = if tokens.before(at).is_mark(b',') { NameTest::Capital } else { NameTest::Listed };
    let end = name_end(tokens, at, test).filter(|end| test == NameTest::Listed || *end == at + 1)?;
    let (here, next) = (tokens.at(end), tokens.at(end + 1));
    let ends = next.kind == TokenKind::Edge || next.kind == TokenKind::Mark || next.gap >= Gap::Line;
    (HERE.has(tokens, here) && here.gap == Gap::Space && ends).then_some((at, end))
}

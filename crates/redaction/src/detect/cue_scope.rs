//! Cues beside a number that do not name it, where the messages speak of a code: "he gave his pin to somebody on the phone
//! it's 4821", "my pin is my old bank one 4821".

use super::cue_reference::{describes, refers_back};
use super::{DetectorInput, is_one_of};
use crate::cues::{Cue, names_number_before};
use crate::entity::{Entity, EntitySet};
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Codes of a few digits, beside whose names other nouns are often near.
const CODES: EntitySet = EntitySet::from_slice(&[Entity::PIN, Entity::CVV]);

/// Whether a cue before a value only says how, of what or by whom, and the value is the code of which the messages speak.
pub(crate) fn is_aside(input: &DetectorInput<'_, '_>, cue: &Cue, value: usize) -> bool {
    let tokens = input.tokens;
    let is_asked = !input.expected_entities.is_empty() && !input.expected_entities.intersects(cue.entities);
    if is_asked && is_channel(tokens, cue) {
        return true;
    }
    if !input.named_entities.intersects(CODES) || cue.entities.intersects(CODES) {
        return false;
    }
    is_channel(tokens, cue)
        || is_sending(tokens, cue)
        || describes_code(input, cue)
        || is_elliptic(tokens, cue)
        || names_number_before(tokens, cue.first_token as usize)
        || cue.entities.is_empty() && (ends_sentence(tokens, cue, value) || is_topic(tokens, cue, value))
}

/// Whether a cue after a value says only what the code is for: "4471 for the main gate".
pub(super) fn is_purpose(input: &DetectorInput<'_, '_>, cue: &Cue, after: usize) -> bool {
    const FOR: [&str; 7] = ["for", "on", "para", "pour", "für", "fur", "per"];
    cue.entities.is_empty()
        && input.named_entities.intersects(CODES)
        && is_one_of(input.tokens, input.tokens.at(after), &FOR)
}

/// Whether a telephone is only how people speak: "on the phone", "por teléfono".
fn is_channel(tokens: &Tokens<'_>, cue: &Cue) -> bool {
    const BY: [&str; 10] = ["on", "over", "by", "por", "au", "am", "al", "no", "pelo", "per"];
    let first = cue.first_token as usize;
    let has_article = first > 0 && is_one_of(tokens, tokens.before(first), &["the"]);
    let by = first.checked_sub(1 + usize::from(has_article));
    let is_phone = cue.entities == Entity::PHONE_NUMBER.bit();
    is_phone && by.is_some_and(|by| is_one_of(tokens, tokens.at(by), &BY))
}

/// Whether a cue is only the verb of how a code came: "the new pin you texted".
fn is_sending(tokens: &Tokens<'_>, cue: &Cue) -> bool {
    let first = cue.first_token as usize;
    cue.end_token as usize == first + 1
        && is_one_of(tokens, tokens.at(first), &["texted", "emailed", "messaged"])
        && first > 0
        && is_one_of(tokens, tokens.at(first - 1), &["you", "they", "u", "he", "she", "bank", "just"])
}

/// Whether a cue is the bank that told something: "the bank sent us 142285616".
pub(super) fn is_sender(tokens: &Tokens<'_>, cue: &Cue) -> bool {
    let (first, end) = (cue.first_token as usize, cue.end_token as usize);
    is_one_of(tokens, tokens.at(first), &["bank"])
        && end == first + 1
        && is_one_of(tokens, tokens.at(end), &["sent", "sends", "gave", "told", "tells", "shows", "reports"])
}

/// Whether a cue is the noun of whom or what a sentence tells something, or the adjective "handy": "my phone died", "the
/// bank says no match".
pub(crate) fn is_told_of(tokens: &Tokens<'_>, cue: &Cue) -> bool {
    const VERBS: [&str; 44] = [
        "died", "dies", "says", "said", "rang", "rings", "froze", "crashed", "cut", "hung", "keeps", "kept", "wants",
        "wanted", "declined", "declines", "sent", "sends", "told", "tells", "rejected", "rejects", "refused",
        "refuses", "lost", "went", "goes", "has", "had", "will", "won", "wont", "doesn", "doesnt", "didn", "didnt",
        "isn", "isnt", "is", "was", "gave", "made", "needs", "asked",
    ];
    const HAVING: [&str; 5] = ["have", "has", "got", "keep", "in"];
    let (first, end) = (cue.first_token as usize, cue.end_token as usize);
    let is_subject = cue.entities.is_subset(CALLERS) && is_one_of(tokens, tokens.at(end), &VERBS);
    // "Dental office, hi! Which digits are on the back?"
    let is_speaker = is_one_of(tokens, tokens.at(first), &["office", "desk", "hotline", "helpline"])
        && (tokens.at(end).kind == TokenKind::Mark
            || is_one_of(tokens, tokens.at(end), &["here", "speaking", "hi", "hello", "good"]));
    let is_handy = is_one_of(tokens, tokens.at(first), &["handy"])
        && tokens.near_before(first).any(|at| is_one_of(tokens, tokens.at(at), &HAVING));
    tokens.at(end).gap <= Gap::Space && end == first + 1 && (is_subject || is_speaker) || is_handy
}

/// Entities of the numbers of telephones and banks, which people speak of without giving the number.
const CALLERS: EntitySet =
    EntitySet::from_slice(&[Entity::PHONE_NUMBER, Entity::BANK_ACCOUNT_NUMBER, Entity::BANK_ROUTING_NUMBER]);

/// Whether a cue only describes the cue for a code before it: the SIM of "the pin of the sim".
fn describes_code(input: &DetectorInput<'_, '_>, cue: &Cue) -> bool {
    let head = input.last_cue_before(cue.first_token as usize);
    head.is_some_and(|head| head.entities.intersects(CODES) && describes(input.tokens, head, cue))
}

/// Whether "one" stands for the code after a noun that only describes it: "my old bank one".
fn is_elliptic(tokens: &Tokens<'_>, cue: &Cue) -> bool {
    is_one_of(tokens, tokens.at(cue.end_token as usize), &["one", "ones"])
}

/// Whether a sentence ends between a cue and a value.
fn ends_sentence(tokens: &Tokens<'_>, cue: &Cue, value: usize) -> bool {
    (cue.end_token as usize..value).any(|at| {
        let token = tokens.at(at);
        (token.is_mark(b'.') || token.is_mark(b'!')) && tokens.at(at + 1).gap != Gap::None
    })
}

/// Whether a noun after a preposition is followed by a sentence about something else: "for your model it's 4821".
fn is_topic(tokens: &Tokens<'_>, cue: &Cue, value: usize) -> bool {
    const PREPOSITIONS: [&str; 12] =
        ["for", "on", "with", "in", "para", "pour", "fur", "für", "per", "con", "bei", "no"];
    let first = cue.first_token as usize;
    let is_preposition = |at: usize| is_one_of(tokens, tokens.at(at), &PREPOSITIONS);
    refers_back(tokens, value) && (first.saturating_sub(2)..first).any(is_preposition)
}

/// Whether the value before token `after` was the wrong one, and that from token `first` is the right one: "6189 no wait
/// that's my phone 7022".
pub(super) fn is_replaced(tokens: &Tokens<'_>, after: usize, first: usize) -> bool {
    const REACH: usize = 5;
    (after.max(first.saturating_sub(REACH))..first).any(|at| names_number_before(tokens, at))
}

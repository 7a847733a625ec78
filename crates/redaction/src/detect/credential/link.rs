//! Links: by which words of the sentence a possible value is joined to what names it.

use super::answer_link::ends_preamble;
use super::change_link::{change, has_change, has_named_change, is_origin};
use super::copula_link::copula_link;
use super::entry_link::{entry_link, signs_in};
use super::made_up_link::is_encryption;
use super::naming::{Link, Naming, ends_clause};
use super::noun_phrase::{MAX_CLAUSE, after_attribute, cue_in_clause, follows_login, is_plural};
use super::piece::{Piece, PieceKind, Pieces};
use super::shape::Shape;
use super::spoken_item::begins_spelling;
use super::subject::{MAX_DISTANCE, Subject, is_modifier, subject};
use super::verb_object::{after_place, is_purpose};
use super::word_list::class;
use crate::entity::Entity;
use crate::tokenize::Gap;

/// Verbs of stating before a "that".
const STATING: [&str; 9] =
    ["stated", "states", "claims", "claimed", "reported", "confirmed", "advised", "insists", "reports"];

/// Words that may stand between the words of a link and the value.
fn is_skipped(pieces: &Pieces<'_, '_>, at: usize) -> bool {
    let piece = pieces.at(at);
    match piece.kind {
        PieceKind::Word | PieceKind::Letter => {
            piece.is(class::INTERJECTION | class::ADVERB) && !piece.is(class::TO | class::COPULA | class::WITH)
                || pieces.is_word(at, &["something", "simply", "either", "both"])
        }
        PieceKind::Mark(mark) => matches!(mark, b'"' | b'\'' | b'(' | b'[' | b'`' | b'<' | b'*'),
        PieceKind::Segment
        | PieceKind::Number
        | PieceKind::Cue(_)
        | PieceKind::OtherCue
        | PieceKind::Address
        | PieceKind::Mask => false,
    }
}

/// What names the value that begins at a piece, by the words before it.
pub(super) fn naming_before(pieces: &Pieces<'_, '_>, first: usize) -> Naming {
    let naming = direct_naming(pieces, first);
    let is_absent = naming.link == Link::Absent && !naming.is_other && !naming.has_determiner;
    if is_absent && let Some(entity) = cue_in_clause(pieces, first) {
        Naming::new(Link::With, Some(entity))
    } else {
        naming
    }
}

fn direct_naming(pieces: &Pieces<'_, '_>, first: usize) -> Naming {
    let mut at = first;
    let limit = first.saturating_sub(MAX_DISTANCE);
    let mut line = pieces.at(first).gap >= Gap::Line;
    while at > limit && !line && is_skipped(pieces, at - 1) {
        at -= 1;
        line = pieces.at(at).gap >= Gap::Line;
    }
    if at == 0 || at == limit {
        return if at == 0 { Naming::new(Link::Clause, None) } else { Naming::ABSENT };
    }
    let is_enclosed = (at..first).any(|at| pieces.at(at).is_mark(b'(') || pieces.at(at).is_mark(b'"'));
    // "(X)" alone is what the words before it name, "(X and more)" only if the cue is near.
    let is_alone = pieces.at(first + 1).is_mark(b')') && pieces.before(first).is_mark(b'(');
    let reach = if is_alone { MAX_CLAUSE } else { 3 };
    let clause = |at: &usize| {
        let is_other = pieces.at(*at).kind == PieceKind::OtherCue && !is_modifier(pieces, *at);
        !ends_clause(pieces.at(*at)) && !is_other
    };
    let near_cue = || (at.saturating_sub(reach)..at).rev().take_while(clause).find_map(|at| pieces.at(at).cue());
    if is_enclosed && let Some(entity) = near_cue() {
        return Naming::new(Link::NamedSubject, Some(entity));
    }
    let before = pieces.before(at);
    // "i issued a replacement (X)"
    if is_enclosed && (before.is(class::VERSION) || pieces.is_word(at - 1, &["replacement", "one"])) {
        return Naming::new(Link::PronounSubject, None);
    }
    // "the the igloo two seven": who repeats an article hesitates.
    if before.is(class::DETERMINER) && pieces.at(at.wrapping_sub(2)).is(class::DETERMINER) {
        let word = pieces.str(at - 1);
        if pieces.is_word(at.wrapping_sub(2), &[word]) {
            return Naming::new(Link::Clause, None);
        }
    }
    // "make that X", "is that still X"
    let is_asked = (at < first || begins_spelling(pieces, first)) && pieces.at(at.wrapping_sub(2)).is(class::COPULA);
    let is_object = pieces.is_word(at - 1, &["that", "this"])
        && (pieces.is_word(at.wrapping_sub(2), &["make", "made"]) || is_asked);
    // "the caller stated that X was accepted"
    let is_complement = pieces.at(first).shape >= Shape::Mixed
        && pieces.is_word(at - 1, &["that"])
        && (pieces.at(at.wrapping_sub(2)).is(class::TELL | class::DOUBT)
            || pieces.is_word(at.wrapping_sub(2), &STATING));
    if before.is(class::DETERMINER)
        && !is_object
        && !is_complement
        && pieces.at(first).shape < Shape::Strong
        && !before.is(class::TO | class::COPULA | class::PREPOSITION | class::ENTER)
        && before.kind != PieceKind::Letter
        || pieces.is_word(at - 1, &["a", "o"])
            && (pieces.at(first).shape < Shape::Mixed
                && pieces.at(first).kind != PieceKind::Number
                && !(pieces.at(first).shape > Shape::Common && has_named_change(pieces, at - 1))
                || !has_change(pieces, at - 1))
    {
        return Naming { has_determiner: true, ..Naming::ABSENT };
    }
    if line && !matches!(before.kind, PieceKind::Mark(b':' | b'=')) && !before.is(class::COPULA) {
        return Naming::new(Link::Clause, None);
    }
    match before.kind {
        PieceKind::Cue(_) if is_plural(pieces, at - 1) => Naming::ABSENT,
        PieceKind::Cue(entity) => {
            let is_sure = !before.is(class::WEAK_CUE) || before.gap >= Gap::Line || follows_login(pieces, at - 1);
            Naming::new(if is_sure { Link::Adjacent } else { Link::WeaklyAdjacent }, Some(entity))
        }
        PieceKind::OtherCue => after_place(pieces, at - 1, first).unwrap_or(Naming::OTHER),
        PieceKind::Mark(b',') if pieces.before(at - 1).kind == PieceKind::OtherCue => {
            after_place(pieces, at - 2, first).unwrap_or(Naming::OTHER)
        }
        PieceKind::Mark(mark) => after_mark(pieces, at - 1, mark),
        PieceKind::Word | PieceKind::Letter => {
            let naming = after_word(pieces, at - 1, before);
            // In speech, a hesitation is the only sign that a clause begins.
            let hesitates = (at..first)
                .any(|at| pieces.is_word(at, &["uh", "um", "er", "erm", "euh", "ähm", "yeah", "okay", "ok"]));
            let exclaims = || {
                (at..first).any(|at| pieces.at(at).is(class::INTERJECTION) && !pieces.at(at).is(class::ADVERB))
                    && pieces.at(first).shape >= Shape::Mixed
            };
            if (hesitates || exclaims() || ends_preamble(pieces, first.wrapping_sub(1)))
                && naming.link == Link::Absent
                && !naming.is_other
            {
                Naming::new(Link::Clause, None)
            } else {
                naming
            }
        }
        PieceKind::Segment | PieceKind::Number
            if pieces.at(first).shape >= Shape::Number && is_encryption(pieces, at - 1) =>
        {
            Naming::new(Link::Adjacent, Some(Entity::PASSWORD))
        }
        // "old one X, new one Y"
        PieceKind::Number
            if pieces.at(first).shape >= Shape::Mixed
                && pieces.is_word(at - 1, &["one"])
                && pieces.before(at - 1).is(class::VERSION) =>
        {
            Naming::new(Link::PronounSubject, None)
        }
        // "changed 2 X"
        PieceKind::Number if pieces.is_word(at - 1, &["2"]) => {
            change(pieces, at - 1).filter(|naming| naming.link == Link::NamedChange).unwrap_or(Naming::ABSENT)
        }
        PieceKind::Segment | PieceKind::Number | PieceKind::Address | PieceKind::Mask => Naming::ABSENT,
    }
}

fn after_mark(pieces: &Pieces<'_, '_>, at: usize, mark: u8) -> Naming {
    match mark {
        b':' | b'=' | b'>' => match subject(pieces, at) {
            Subject::Cue(entity) => Naming::new(Link::Assigned, Some(entity)),
            Subject::Other => Naming::OTHER,
            Subject::Pronoun => Naming::new(Link::PronounSubject, None),
            Subject::Unknown if mark == b'=' => Naming::OTHER,
            // "what i type: X"
            Subject::Unknown if pieces.before(at).is(class::ENTER) => Naming::new(Link::Entered, None),
            // "Wi-Fi: X"
            Subject::Unknown if pieces.is_word(at.wrapping_sub(1), &["wifi", "wi-fi", "fi", "wlan", "hotspot"]) => {
                Naming::new(Link::PronounSubject, None)
            }
            Subject::Unknown => Naming::new(Link::Clause, None),
        },
        b'-' => after_cue(pieces.before(at), Link::NamedSubject).unwrap_or(Naming::ABSENT),
        // "now it opens with X. the old one, Y, was retired"
        b',' if pieces.is_word(at.wrapping_sub(1), &["one"]) && pieces.at(at.wrapping_sub(2)).is(class::VERSION) => {
            Naming::new(Link::PronounSubject, None)
        }
        b',' => after_cue(pieces.before(at), Link::Adjacent).unwrap_or(Naming::new(Link::Clause, None)),
        b'.' | b'!' | b'?' | b';' => Naming::new(Link::Clause, None),
        _ => Naming::ABSENT,
    }
}

/// The naming by a cue whose link to the value this is; `None` if the piece is no cue.
fn after_cue(piece: Piece, link: Link) -> Option<Naming> {
    match piece.kind {
        PieceKind::Cue(entity) => Some(Naming::new(link, Some(entity))),
        PieceKind::OtherCue => Some(Naming::OTHER),
        PieceKind::Word
        | PieceKind::Segment
        | PieceKind::Number
        | PieceKind::Letter
        | PieceKind::Mark(_)
        | PieceKind::Address
        | PieceKind::Mask => None,
    }
}

fn after_word(pieces: &Pieces<'_, '_>, at: usize, word: Piece) -> Naming {
    if word.is(class::COPULA) {
        return copula_link(pieces, at, word);
    }
    if let Some(naming) = entry_link(pieces, at, word) {
        return naming;
    }
    if is_origin(pieces, at)
        && let Some(naming) = change(pieces, at)
    {
        return naming;
    }
    if let Some(naming) = after_attribute(pieces, at, word) {
        return naming;
    }
    let is_as = pieces.is_word(at, &["as", "als", "como", "comme", "come"]);
    if is_as && pieces.is_word(at.wrapping_sub(1), &["in", "on"]) && pieces.at(at.wrapping_sub(2)).is(class::SIGN_IN) {
        return Naming::new(Link::NamedSubject, Some(Entity::USERNAME));
    }
    let is_comparison = pieces.is_word(at.wrapping_sub(1), &["same", "such", "well", "long", "soon"]);
    if (word.is(class::TO) && !is_comparison || pieces.is_word(at, &["2"]))
        && let Some(naming) = change(pieces, at)
    {
        return naming;
    }
    if pieces.is_word(at, &["about"]) && pieces.before(at).is(class::QUESTION) {
        return Naming::new(Link::PronounSubject, None);
    }
    if pieces.is_word(at, &["in", "en", "ein"]) && pieces.before(at).is(class::ENTER) {
        return Naming::new(Link::Entered, None);
    }
    if word.is(class::WITH) {
        let opens =
            |at: usize| pieces.is_word(at, &["open", "opens", "opened", "unlock", "unlocks", "decrypt", "extract"]);
        let opens = || (1..=2).any(|n| opens(at.wrapping_sub(n)));
        if pieces.before(at).is(class::ENTER) || opens() || signs_in(pieces, at) {
            return Naming::new(Link::PronounChange, None);
        }
        return change(pieces, at).unwrap_or(Naming::new(Link::With, None));
    }
    // "made it X", "make that X"
    if word.is(class::PRONOUN) && pieces.before(at).is(class::CHANGE) {
        return Naming::new(Link::PronounChange, None);
    }
    if word.is(class::PRONOUN) && pieces.before(at).is(class::TELL) {
        return Naming::new(Link::Told, None);
    }
    if word.is(class::CHANGE) && !word.is(class::ENTER) && !word.is(class::TO) {
        return Naming::new(Link::With, None);
    }
    if word.is(class::ENTER) {
        return if is_purpose(pieces, at) { Naming::ABSENT } else { Naming::new(Link::Entered, None) };
    }
    if word.is(class::TELL) {
        return Naming::new(Link::Told, None);
    }
    if pieces.is_word(at, &["meant", "mean"]) && pieces.before(at).is(class::PRONOUN) {
        return Naming::new(Link::PronounChange, None);
    }
    // "let me think maple otter lantern"
    if pieces.is_word(at, &["think", "see", "remember"]) && pieces.is_word(at.wrapping_sub(1), &["me"]) {
        return Naming::new(Link::Clause, None);
    }
    // "go on then X"
    if pieces.is_word(at, &["on", "ahead"]) && pieces.is_word(at.wrapping_sub(1), &["go"]) {
        return Naming::new(Link::Clause, None);
    }
    // "it's four words maple otter lantern"
    let is_count = || pieces.is_word(at, &["words", "palabras", "mots", "palavras", "parole"]);
    if word.is(class::CLOSING) || pieces.before(at).kind == PieceKind::Number && is_count() {
        return Naming::new(Link::Clause, None);
    }
    if pieces.is_word(at, &["have"]) && (1..=2).any(|n| pieces.is_word(at.wrapping_sub(n), &["let", "lets"])) {
        return Naming::new(Link::PronounChange, None);
    }
    if word.is(class::WEAK_CUE) {
        return Naming::new(Link::Adjacent, None);
    }
    if word.is(class::THING) && !word.is(class::TIME) {
        return after_place(pieces, at, at + 1).unwrap_or(Naming::ABSENT);
    }
    Naming::ABSENT
}

//! The pieces of a dictated number: the number runs of a message, with what lies between them.

use crate::cross_message::other_number::{follows_thing_name, label_before_first_of_two};
use crate::cues::Cue;
use crate::detect::{correction, flags, is_connector, is_digit_count, is_one_of, list_marker_end};
use crate::entity::{Entity, EntitySet};
use crate::numbers::{Digit, DigitBound, DigitGroup, NumberRun, RunBuffer, Separator, is_number_token};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Digits of the shortest piece. A digit alone is mostly a word of the sentence.
const MIN_PIECE_DIGITS: usize = 2;
/// Maximum words between two spoken pieces of one message that are no fillers and no connectors.
const MAX_CONTENT_WORDS: usize = 6;
/// Maximum words of that kind between pieces that are not [`Piece::is_loose`].
const MAX_TIGHT_WORDS: usize = 2;
/// Lengths of written numbers that stand for themselves: telephone numbers and identifiers.
const WHOLE_NUMBERS: std::ops::RangeInclusive<usize> = 9..=11;
/// Maximum tokens between two pieces.
const MAX_GAP_TOKENS: usize = 24;
/// Maximum bytes of marks between two pieces.
const MAX_MARK_BYTES: usize = 3;
/// Digits of a group of a card number.
const GROUP_DIGITS: usize = 4;
/// Digits of the shortest card number.
const MIN_CARD_DIGITS: usize = 13;
/// Tokens before a piece in which a cue for another entity names it.
const CUE_REACH: usize = 10;
/// Words after which a number is a quantity, a date or a time.
const QUANTITY_WORDS: u32 =
    flag::UNIT | flag::HUGE | flag::MONTH | flag::WEEKDAY | flag::ORDINAL | flag::DIGIT_SUFFIX | flag::SCALE;
/// Entities of which a speaker also speaks while dictating a card number.
pub(super) const CARD_ENTITIES: EntitySet = EntitySet::from_slice(&[
    Entity::CREDIT_CARD_NUMBER,
    Entity::CARD_EXPIRATION_DATE,
    Entity::CVV,
    Entity::PERSON_NAME,
]);

/// A number run of a message.
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent property")]
pub(super) struct Piece {
    /// Index of the message.
    pub(super) message: usize,
    /// The digits in ASCII with their byte ranges.
    pub(super) digits: Vec<(u8, u32, u32)>,
    /// The indices of the digits that begin a group.
    pub(super) groups: Vec<usize>,
    pub(super) is_spoken: bool,
    /// Whether a cue before this piece names a card.
    pub(super) is_named: bool,
    /// Whether the speaker corrects the digits before this piece.
    pub(super) is_correction: bool,
    /// Whether more words than politeness lie between this piece and the one before it.
    pub(super) is_loose: bool,
    /// Whether this piece does not continue the number of the piece before it.
    pub(super) is_apart: bool,
    /// The word directly before the digits, in lower case, if it is more than politeness: "order" of "order 4242".
    pub(super) label: Option<String>,
}

impl Piece {
    /// The digits in ASCII.
    pub(super) fn ascii(&self) -> impl Iterator<Item = u8> + '_ {
        self.digits.iter().map(|(digit, ..)| *digit)
    }
}

/// Whether numbers that may be pieces have as many digits as a card number, each near the one before. Most texts with
/// many numbers speak of quantities, and are not read.
pub(super) fn may_have_card(tokens: &Tokens<'_>, min_written_digits: usize) -> bool {
    let (mut bound, mut last) = (DigitBound::zero(), 0);
    for at in tokens.number_range() {
        let token = tokens.at(at);
        if !is_number_token(token) {
            continue;
        }
        let next = tokens.at(at + 1);
        let is_short = token.kind == TokenKind::Digits && usize::from(token.digit_count()) < min_written_digits;
        let is_grouped = || tokens.before(at).kind == TokenKind::Digits || next.kind == TokenKind::Digits;
        if next.is_mark(b'%') || flags(next) & (flag::UNIT | flag::HUGE) != 0 || is_short && !is_grouped() {
            continue;
        }
        if at > last + MAX_GAP_TOKENS {
            bound = DigitBound::zero();
        }
        bound.add_token(token);
        last = at;
        if !bound.is_below(MIN_CARD_DIGITS) {
            return true;
        }
    }
    false
}

/// The pieces of a message. `cues` are its cues. Shorter written numbers than `min_written_digits` are no pieces.
pub(super) fn read(tokens: &Tokens<'_>, cues: &[Cue], message: usize, min_written_digits: usize) -> Vec<Piece> {
    let mut buffer = RunBuffer::full_size();
    let mut run = NumberRun::new(&mut buffer);
    let mut reader = PieceReader {
        tokens,
        cues,
        first_card_cue_end: cues.iter().find(|cue| names_card(cue)).map(|cue| cue.end_token as usize),
        message,
        min_written_digits,
        pieces: Vec::new(),
        after: 0,
        is_apart: false,
        was_spoken: false,
    };
    let mut from = list_marker_end(tokens);
    while let Some(first) = run.read(tokens, from) {
        from = run.end_token.max(first + 1);
        if run.is_mask_tail || run.is_oversized {
            reader.break_at(run.end_token);
            continue;
        }
        let (groups, mut start) = (run.groups(), 0);
        for end in 1..=groups.len() {
            let is_pause = groups.get(end).is_none_or(|next| next.separator >= Separator::Pause && !next.spoken);
            if is_pause {
                reader.add(run.digits(), &groups[start..end]);
                start = end;
            }
        }
    }
    reader.pieces
}

fn names_card(cue: &Cue) -> bool {
    cue.entities.contains(Entity::CREDIT_CARD_NUMBER)
}

/// Collects the pieces of a message.
struct PieceReader<'a, 't> {
    tokens: &'a Tokens<'t>,
    cues: &'a [Cue],
    /// The token after the first cue that names a card.
    first_card_cue_end: Option<usize>,
    message: usize,
    min_written_digits: usize,
    pieces: Vec<Piece>,
    /// The token after the last piece.
    after: usize,
    is_apart: bool,
    was_spoken: bool,
}

impl PieceReader<'_, '_> {
    /// Ends the number: the next piece does not continue it.
    fn break_at(&mut self, after: usize) {
        (self.after, self.is_apart) = (after, true);
    }

    /// Adds the number of these groups, unless it is no part of a card number.
    fn add(&mut self, digits: &[Digit], groups: &[DigitGroup]) {
        let (Some(head), Some(tail)) = (groups.first(), groups.last()) else { return };
        let (tokens, after) = (self.tokens, self.after);
        let (first, end) = (head.first_token as usize, tail.end_token as usize);
        let base = usize::from(head.first_digit);
        let digits = digits.get(base..usize::from(tail.first_digit + tail.digit_count)).unwrap_or_default();
        if follows_thing_name(tokens, first) {
            self.break_at(end);
            return;
        }
        if digits.len() < MIN_PIECE_DIGITS || is_count(tokens, first, end) {
            return;
        }
        let is_spoken = groups.iter().all(|group| group.spoken);
        let is_written_apart = || {
            WHOLE_NUMBERS.contains(&digits.len())
                || digits.len() < self.min_written_digits
                || groups.iter().any(|group| group.mark == b'/')
        };
        let is_other = digits.len() >= MIN_CARD_DIGITS
            || !is_spoken && is_written_apart()
            || touches_letter(tokens, first, end)
            || is_quantity(tokens, first, end)
            || is_of_other_entity(self.cues, after, first);
        if is_other {
            self.break_at(end);
            return;
        }
        let near = after.max(first.saturating_sub(MAX_GAP_TOKENS));
        let content = content_words(tokens, near, first);
        // "4242, hang on, the light is bad here, 4242": four digits at a time are the groups of a card.
        let is_quartet = || {
            digits.len() == GROUP_DIGITS && self.pieces.last().is_some_and(|before| before.digits.len() == GROUP_DIGITS)
        };
        let most = if is_spoken && self.was_spoken || is_quartet() { MAX_CONTENT_WORDS } else { MAX_TIGHT_WORDS };
        self.pieces.push(Piece {
            message: self.message,
            digits: digits.iter().map(|digit| (b'0' + digit.value, digit.start, digit.end)).collect(),
            groups: groups.iter().map(|group| usize::from(group.first_digit) - base).collect(),
            is_spoken,
            is_named: self.first_card_cue_end.is_some_and(|end| end <= first),
            is_correction: (near..first).any(|at| correction::correction_end(tokens, at).is_some()),
            is_loose: after > 0 && content > MAX_TIGHT_WORDS,
            label: label(tokens, first),
            is_apart: self.is_apart
                || after > 0 && (near > after || content > most || ends_number(tokens, near, first)),
        });
        (self.after, self.is_apart, self.was_spoken) = (end, false, is_spoken);
    }
}

/// The word directly before a number, in lower case, unless it is politeness or a word of dictation.
fn label(tokens: &Tokens<'_>, first: usize) -> Option<String> {
    const OF_DICTATION: [&str; 22] = [
        "next", "then", "digits", "numbers", "number", "group", "part", "finally", "half", "bit", "piece", "chunk",
        "block", "set", "quarter", "mitad", "moitié", "hälfte", "metade", "metà", "parte", "teil",
    ];
    let at = label_before_first_of_two(tokens, first).or_else(|| first.checked_sub(1))?;
    let (token, word) = (tokens.at(at), tokens.str(tokens.at(at)).to_lowercase());
    let is_label = token.kind == TokenKind::Word
        && tokens.at(at + 1).gap <= Gap::Space
        && !is_number_token(token)
        && !is_idle(tokens, at)
        && !OF_DICTATION.contains(&word.as_str());
    is_label.then_some(word)
}

/// Whether a number counts digits or messages: "the first four", "next 4", "in groups of four", "four at a time".
fn is_count(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    const BEFORE: [&str; 9] = ["first", "next", "last", "final", "other", "middle", "remaining", "ending", "of"];
    const AFTER: [&str; 12] = [
        "digit", "digits", "number", "numbers", "figures", "at", "more", "messages", "parts", "pieces", "halves",
        "groups",
    ];
    let (before, next) = (tokens.before(first), tokens.at(after));
    after == first + 1
        && (is_digit_count(tokens, first)
            || tokens.at(first).digit_count() <= 2
                && (is_one_of(tokens, before, &BEFORE) || next.gap <= Gap::Space && is_one_of(tokens, next, &AFTER)))
}

/// Whether a number is an amount of money, a quantity, a date or a time.
fn is_quantity(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    let (before, next) = (tokens.before(first), tokens.at(after));
    let is_time = next.is_mark(b':') && next.gap == Gap::None && tokens.at(after + 1).kind == TokenKind::Digits;
    before.is_mark(b'$')
        || next.is_mark(b'%')
        || is_time
        || next.gap <= Gap::Space && flags(next) & QUANTITY_WORDS != 0 && !is_one_of(tokens, next, &["half"])
        || flags(before) & (flag::MONTH | flag::HUGE) != 0
}

/// Whether a letter or an underscore touches the digits of a number, or a hyphen joins them to a word: "parcel-5".
fn touches_letter(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    let (token, before, next) = (tokens.at(first), tokens.before(first), tokens.at(after));
    let is_word = |token: Token| token.kind == TokenKind::Word;
    let is_joined = || before.is_mark(b'-') && before.gap == Gap::None && first >= 2 && is_word(tokens.at(first - 2));
    token.kind == TokenKind::Digits
        && token.gap == Gap::None
        && (is_word(before) || before.is_mark(b'_') || is_joined())
        || tokens.before(after).kind == TokenKind::Digits && next.gap == Gap::None && is_word(next)
}

/// Whether a cue for an entity that has nothing to do with a card stands between the number before and this one, or
/// directly before this one.
fn is_of_other_entity(cues: &[Cue], after: usize, first: usize) -> bool {
    let is_other = |cue: &&Cue| !cue.entities.intersects(CARD_ENTITIES);
    let cues = &cues[..cues.partition_point(|cue| (cue.first_token as usize) < first)];
    let last = cues.iter().rev().find(|cue| cue.end_token as usize <= first);
    let is_before = last.is_some_and(|cue| is_other(&cue) && first - cue.end_token as usize <= CUE_REACH);
    let is_after = |cue: &&Cue| cue.first_token as usize >= after;
    let mut between = cues.iter().rev().take_while(is_after).filter(|cue| cue.end_token as usize <= first);
    is_before || after > 0 && between.any(|cue| is_other(&cue))
}

/// Words between two pieces that count nothing: "hang on a second", "the second group".
const TIME_OR_PLACE: [&str; 3] = ["second", "third", "minute"];

/// Whether a token between two pieces ends a number.
fn ends_number(tokens: &Tokens<'_>, from: usize, to: usize) -> bool {
    let is_paragraph = |at: usize| tokens.at(at).gap == Gap::Paragraph;
    let marks = (from..to).map(|at| tokens.at(at)).filter(|token| token.kind == TokenKind::Mark);
    marks.map(Token::byte_len).sum::<usize>() > MAX_MARK_BYTES
        || (from..=to).any(is_paragraph)
        || (from..to).any(|at| {
            let token = tokens.at(at);
            token.kind == TokenKind::Mask
                || flags(token) & QUANTITY_WORDS != 0 && !is_one_of(tokens, token, &TIME_OR_PLACE)
        })
}

/// Words between two pieces that are more than politeness.
pub(super) fn content_words(tokens: &Tokens<'_>, from: usize, to: usize) -> usize {
    let is_content = |at: &usize| {
        tokens.at(*at).kind == TokenKind::Word && !is_number_token(tokens.at(*at)) && !is_idle(tokens, *at)
    };
    (from..to).filter(is_content).count()
}

/// Whether a token is politeness, a filler or a connector.
fn is_idle(tokens: &Tokens<'_>, at: usize) -> bool {
    const IDLE: u32 = flag::CONNECTOR | flag::FILLER | flag::STOPWORD | flag::AND | flag::COPULA;
    let flags = flags(tokens.at(at));
    flags & IDLE != 0 && flags & flag::UNIT == 0 || is_connector(tokens, at)
}

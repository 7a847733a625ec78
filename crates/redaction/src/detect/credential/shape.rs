//! The shape of a segment: how much it looks like a secret that somebody made up.

use super::word_class::{classes, has_vowel, is_everyday, is_mistyped};
use super::word_list::class;
use crate::detect::flags;
use crate::tokenize::words::flag;
use crate::tokenize::{TokenKind, Tokens};

/// How much a value looks like a secret, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Shape {
    /// No secret: a mark, a word of the grammar, a quantity.
    None,
    /// A word that is also common in sentences.
    Common,
    /// A word that is rare in sentences.
    Rare,
    /// A number of four digits or more, a code of capitals and digits, or words joined by marks.
    Number,
    /// Letters with digits or marks, or changing case.
    Mixed,
    /// Letters, digits and marks that alternate, as only a secret has them: `H0n3y#34`, or a secret said aloud with
    /// letters, capitals and marks.
    Strong,
}

/// Minimum letters and digits of [`Shape::Mixed`].
const MIN_MIXED: usize = 5;

/// Minimum letters of a word that marks spell.
const MIN_SPELLED: usize = 5;

/// Maximum letters, digits and marks of [`Shape::Mixed`]. A longer value is rather a key of a program.
const MAX_MIXED: usize = 20;

/// What a segment consists of.
#[derive(Default)]
struct Content {
    letters: usize,
    digits: usize,
    /// Marks that occur in secrets but not in prose.
    secret_marks: usize,
    /// Hyphens, dots and slashes between letters or digits.
    joints: usize,
    /// Marks of times, amounts and addresses.
    other_marks: usize,
    /// Small letters.
    small: usize,
    /// Small letters directly before a capital.
    case_changes: usize,
    /// Groups of digits.
    digit_groups: usize,
    /// Groups of digits between letters.
    inner_groups: usize,
    /// Marks that names and addresses do not have.
    strong_marks: usize,
}

impl Content {
    fn of(tokens: &Tokens<'_>, first: usize, after: usize) -> Self {
        let mut content = Self::default();
        for at in first..after {
            let token = tokens.at(at);
            let length = tokens.str(token).chars().count();
            let is_inside = at > first || token.is_mark(b'!') || token.is_mark(b'%') || token.is_mark(b'$');
            let is_strong = matches!(token.mark(), b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'~' | b'?');
            content.strong_marks += usize::from(token.kind == TokenKind::Mark && is_strong && is_inside);
            match token.kind {
                TokenKind::Word => {
                    content.letters += length;
                    let bytes = tokens.str(token).as_bytes();
                    content.small += bytes.iter().filter(|b| !b.is_ascii_uppercase()).count();
                    content.case_changes += case_changes(bytes);
                }
                TokenKind::Digits => {
                    content.digits += length;
                    content.digit_groups += 1;
                    let is_word = |at: usize| (first..after).contains(&at) && tokens.at(at).kind == TokenKind::Word;
                    content.inner_groups += usize::from(is_word(at + 1) && is_word(at.wrapping_sub(1)));
                }
                TokenKind::Mask => content.secret_marks += 1,
                TokenKind::Mark => match token.mark() {
                    b'-' | b'.' | b'/' | b'\'' => content.joints += 1,
                    b'!' | b'?' if at + 1 == after => {}
                    b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'_' | b'+' | b'=' | b'~' | b'\\' | b'|'
                    | b'?' => content.secret_marks += 1,
                    _ => content.other_marks += 1,
                },
                TokenKind::Edge => {}
            }
        }
        content
    }

    /// Whether small letters, digits and capitals or marks alternate more than in a name with a number.
    fn alternates(&self) -> bool {
        let length = self.letters + self.digits + self.secret_marks;
        let is_marked = self.strong_marks > 0 && self.joints + self.other_marks == 0 && length >= 6;
        let is_cased = self.case_changes > 0 && (self.case_changes > 1 || self.digit_groups > 1) && length >= 7;
        let is_leet = (self.digit_groups > 1 || self.inner_groups > 0 && self.small < self.letters)
            && self.small > self.digits
            && self.joints + self.other_marks == 0;
        self.small >= 2 && (is_marked || is_cased || is_leet && length >= 6)
    }
}

/// How many small letters are directly before a capital.
fn case_changes(word: &[u8]) -> usize {
    let changes = |pair: &&[u8]| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase());
    word.windows(2).filter(changes).count()
}

/// The shape of the segment at tokens `first..after`.
pub(super) fn shape(tokens: &Tokens<'_>, first: usize, after: usize) -> Shape {
    let token = tokens.at(first);
    if after == first + 1 && token.kind == TokenKind::Word {
        return word_shape(tokens, first, classes(tokens, token));
    }
    let content = Content::of(tokens, first, after);
    if content.letters == 0 {
        return if content.digits >= 4 && content.joints + content.other_marks + content.secret_marks == 0 {
            Shape::Number
        } else {
            Shape::None
        };
    }
    let length = content.letters + content.digits + content.secret_marks;
    if content.digits > 0 {
        // "C4f3"
        let alternates = length == MIN_MIXED - 1 && content.inner_groups > 0 && content.digit_groups > 1;
        let is_secret = (length >= MIN_MIXED || alternates)
            && !is_quantity(tokens, first, after)
            && !has_product(tokens, first, after);
        let is_short = !is_secret
            && length == MIN_MIXED - 1
            && content.letters >= 2
            && content.small > 0
            && content.joints + content.other_marks == 0
            && token.kind == TokenKind::Word
            && !is_quantity(tokens, first, after)
            && !has_product(tokens, first, after);
        return match () {
            // "Lu4@" and "Lu49"
            () if is_short && content.secret_marks > 0 && content.small < content.letters => Shape::Mixed,
            () if is_short => Shape::Rare,
            () if !is_secret || is_hardware_address(tokens, first, after) => Shape::None,
            () if content.small + content.secret_marks == 0 || length > MAX_MIXED => Shape::Number,
            () if content.alternates() => Shape::Strong,
            () => Shape::Mixed,
        };
    }
    if content.secret_marks > 0 {
        return marked_shape(tokens, first, length);
    }
    if content.joints > 0 { joined_shape(tokens, first, after, content.joints) } else { Shape::None }
}

/// Letters with marks, as in `sun_shine`, but not `#hashtag`, `@handle` or `AT&T`.
fn marked_shape(tokens: &Tokens<'_>, first: usize, length: usize) -> Shape {
    let token = tokens.at(first);
    let is_tag = token.is_mark(b'#') || token.is_mark(b'@') || token.is_mark(b'&') || token.is_mark(b'+');
    match () {
        () if is_tag => Shape::Common,
        () if length >= MIN_MIXED => Shape::Mixed,
        () => Shape::None,
    }
}

/// Words or letters joined by hyphens or dots: "tiger-lemon-river", but not "e-mail" or "sign-in".
fn joined_shape(tokens: &Tokens<'_>, first: usize, after: usize, joints: usize) -> Shape {
    let words = || (first..after).map(|at| tokens.at(at)).filter(|token| token.kind == TokenKind::Word);
    let is_content = |token| classes(tokens, token) == 0 && tokens.str(token).len() >= 3;
    // "r-i-v-e-r"
    if words().all(|word| tokens.str(word).len() == 1) && words().count() >= MIN_SPELLED {
        return Shape::Number;
    }
    let rare = words().filter(|word| is_content(*word) && !is_everyday(tokens.str(*word))).count();
    match () {
        () if words().any(|word| !is_content(word)) => Shape::None,
        () if joints >= 3 && rare >= 2 => Shape::Strong,
        () if joints >= 2 && rare >= 1 => Shape::Mixed,
        () if joints == 1 && (rare == 2 || rare == 1 && is_name_with_dot(tokens, first)) => Shape::Number,
        () if rare == 1 => Shape::Rare,
        () => Shape::Common,
    }
}

/// Whether a segment is a capitalized word with a full stop and a small letter behind it: "Orange.liverpool".
fn is_name_with_dot(tokens: &Tokens<'_>, first: usize) -> bool {
    let is = |at: usize, condition: fn(&u8) -> bool| {
        tokens.str(tokens.at(at)).bytes().next().as_ref().is_some_and(condition)
    };
    is(first, u8::is_ascii_uppercase) && tokens.at(first + 1).is_mark(b'.') && is(first + 2, u8::is_ascii_lowercase)
}

/// Whether a segment is groups of hexadecimal digits with the same length: "C4-7D-37-13-48-27".
fn is_hardware_address(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    let text = tokens.between(tokens.at(first).start, tokens.before(after).end);
    let groups = || text.split(['-', '.']);
    let length = groups().next().map_or(0, str::len);
    groups().count() >= 3
        && matches!(length, 2 | 4)
        && groups().all(|group| group.len() == length && group.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The shape of a word alone, with its classes.
pub(super) fn word_shape(tokens: &Tokens<'_>, at: usize, classes: u32) -> Shape {
    if classes != 0 || flags(tokens.at(at)) & flag::NUMBER != 0 {
        return Shape::None;
    }
    let word = tokens.str(tokens.at(at));
    let changes = case_changes(word.as_bytes());
    match () {
        () if (changes >= 2 || changes > 0 && !has_vowel(word) || has_two_capital_runs(word)) && word.len() >= 7 => {
            Shape::Mixed
        }
        () if word.len() < 4 => Shape::Common,
        () if is_everyday(word) || is_mistyped(word) => Shape::Common,
        () => Shape::Rare,
    }
}

/// Whether a word has two rows of capitals with small letters between, as no name has: `GYGrzgHD`.
fn has_two_capital_runs(word: &str) -> bool {
    let mut runs = word.split(|c: char| !c.is_ascii_uppercase()).filter(|run| run.len() >= 2);
    let has_small = word.bytes().any(|byte| byte.is_ascii_lowercase());
    has_small && runs.next().is_some() && runs.next().is_some()
}

/// Whether digits come first and a unit or an ordinal ending follows: "10am", "3rd", "2x", "16gb"; or the segment is a
/// time, a date or an amount.
fn is_quantity(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    const UNITS: [&str; 40] = [
        "st", "nd", "rd", "th", "am", "pm", "x", "k", "m", "g", "gb", "mb", "kb", "tb", "mbps", "gbps", "kg", "km",
        "min", "mins", "h", "hr", "hrs", "s", "sec", "secs", "d", "yr", "yrs", "usd", "eur", "gbp", "px", "in", "ft",
        "cm", "mm", "digit", "digits", "p",
    ];
    let has = |mark: u8| (first..after).any(|at| tokens.at(at).is_mark(mark));
    let is_unit = |at: usize| {
        let word = tokens.str(tokens.at(at));
        UNITS.iter().any(|unit| word.eq_ignore_ascii_case(unit)) || flags(tokens.at(at)) & flag::UNIT != 0
    };
    let begins_with_digits = tokens.at(first).kind == TokenKind::Digits || tokens.at(first).is_mark(b'$');
    let ends_with_unit = begins_with_digits
        && (first..after).filter(|at| tokens.at(*at).kind == TokenKind::Word).all(is_unit)
        || tokens.at(first + 1).is_mark(b'-') && is_unit(first + 2);
    let is_ordinal =
        flags(tokens.at(first + 1)) & flag::DIGIT_SUFFIX != 0 && tokens.at(first + 2).kind == TokenKind::Mark;
    let has_month = (first..after).any(|at| flags(tokens.at(at)) & flag::MONTH != 0) && (has(b'-') || has(b'/'));
    ends_with_unit || begins_with_digits && is_ordinal || has_month || has(b':') || has(b'/') || has(b'\'')
}

/// Whether a segment is the name of a system or device with its version: "windows10".
fn has_product(tokens: &Tokens<'_>, first: usize, after: usize) -> bool {
    let token = tokens.at(first);
    token.kind == TokenKind::Word
        && after <= first + 3
        && tokens.before(after).kind == TokenKind::Digits
        && classes(tokens, token) & class::PRODUCT != 0
        && tokens.before(after).digit_count() <= 3
}

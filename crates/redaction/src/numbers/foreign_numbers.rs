//! Numbers of two digits in several words of a Romance language, and number words that are also other words.

use crate::tokenize::affix::{begins_with, ends_with};
use crate::tokenize::lexicon::{self, SLOT_COUNT, word_id, word_ids};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// French tens, which a dash, a space or a word for "and" joins to their units.
const FRENCH_TENS: [u16; 10] = word_ids([
    "vingt",
    "vingts",
    "trente",
    "quarante",
    "cinquante",
    "soixante",
    "septante",
    "octante",
    "huitante",
    "nonante",
]);
/// Spanish and Portuguese tens, which only a word for "and" joins to their units.
const IBERIAN_TENS: [u16; 15] = word_ids([
    "treinta",
    "cuarenta",
    "cincuenta",
    "sesenta",
    "setenta",
    "ochenta",
    "noventa",
    "vinte",
    "trinta",
    "quarenta",
    "cinquenta",
    "sessenta",
    "oitenta",
    "veinte",
    "setenta",
]);
/// Tens of languages that say tens with units in one word.
const CLOSED_TENS: [u16; 15] = word_ids([
    "zwanzig", "dreissig", "vierzig", "funfzig", "fuenfzig", "sechzig", "siebzig", "achtzig", "neunzig", "venti",
    "trenta", "quaranta", "sessanta", "settanta", "ottanta",
]);
/// Spanish, Portuguese and Italian hundreds. The value of each in the lexicon is the number of hundreds.
const HUNDREDS: [u16; 28] = word_ids([
    "cien",
    "ciento",
    "doscientos",
    "trescientos",
    "cuatrocientos",
    "quinientos",
    "seiscientos",
    "setecientos",
    "ochocientos",
    "novecientos",
    "cem",
    "cento",
    "duzentos",
    "trezentos",
    "quatrocentos",
    "quinhentos",
    "seiscentos",
    "setecentos",
    "oitocentos",
    "novecentos",
    "duecento",
    "trecento",
    "quattrocento",
    "cinquecento",
    "seicento",
    "settecento",
    "ottocento",
    "novecento",
]);
/// The French word for a hundred after the number of hundreds. In English it is a unit of money.
const FRENCH_HUNDRED: [u16; 2] = word_ids(["cent", "cents"]);
/// Words between tens and units.
const JOINTS: [u16; 3] = word_ids(["et", "y", "e"]);
const FOUR: u16 = word_id("quatre");
const TWENTY: [u16; 2] = word_ids(["vingt", "vingts"]);
const SIXTY: u16 = word_id("soixante");
const TEN: u16 = word_id("dix");
/// The French word for sixteen, which is also an English word.
const SIXTEEN: u16 = word_id("seize");
/// Words for one and seven that are no number words by themselves.
const UNITS: [(u16, u8); 6] = [
    (word_id("un"), 1),
    (word_id("une"), 1),
    (word_id("um"), 1),
    (word_id("uma"), 1),
    (word_id("una"), 1),
    (word_id("sept"), 7),
];

/// The value of a number of two or three digits that begins at a token and is said in several words, and the token
/// after it.
pub(super) fn read(tokens: &Tokens<'_>, at: usize) -> Option<(u16, usize)> {
    let slot = word(tokens, at)?;
    if HUNDREDS.contains(&slot) {
        let hundreds = 100 * u16::from(lexicon::entry(slot).value);
        let rest = after_joint(tokens, at + 1).and_then(|place| below_hundred(tokens, place));
        let (rest, end) = rest.unwrap_or((0, at + 1));
        return Some((hundreds + u16::from(rest), end));
    }
    if let Some(number) = french_hundreds(tokens, at).or_else(|| one_french_hundred(tokens, at)) {
        return Some(number);
    }
    read_tens(tokens, at, slot).map(|(value, end)| (u16::from(value), end))
}

/// "neuf cent soixante-dix"
#[inline]
fn french_hundreds(tokens: &Tokens<'_>, at: usize) -> Option<(u16, usize)> {
    let hundred = tokens.at(at + 1);
    if hundred.flags & flag::UNIT == 0 || !is(tokens, at + 1, &FRENCH_HUNDRED) || hundred.gap > Gap::Space {
        return None;
    }
    number_word(tokens, tokens.at(at), FRENCH).filter(|is_sure| *is_sure)?;
    let count = unit(tokens.at(at))?;
    let rest = after_joint(tokens, at + 2).and_then(|place| below_hundred(tokens, place));
    let (rest, end) = rest.unwrap_or((0, at + 2));
    Some((100 * u16::from(count) + u16::from(rest), end))
}

/// "cent soixante-treize": a hundred without a number before it, and a number that is surely French after it.
fn one_french_hundred(tokens: &Tokens<'_>, at: usize) -> Option<(u16, usize)> {
    if !is(tokens, at, &FRENCH_HUNDRED[..1]) {
        return None;
    }
    let place = after_joint(tokens, at + 1)?;
    number_word(tokens, tokens.at(place), FRENCH).filter(|is_sure| *is_sure)?;
    below_hundred(tokens, place).map(|(rest, end)| (100 + u16::from(rest), end))
}

/// A number from 1 to 99 that begins at a token, in one word or several, and the token after it.
pub(crate) fn below_hundred(tokens: &Tokens<'_>, at: usize) -> Option<(u8, usize)> {
    let token = tokens.at(at);
    let one_word = || {
        let is_number = token.flags & (flag::TEEN | flag::TENS) != 0;
        if is_number { Some(lexicon::entry(token.slot()).value) } else { unit(token) }.map(|value| (value, at + 1))
    };
    word(tokens, at).and_then(|slot| read_tens(tokens, at, slot)).or_else(one_word)
}

/// A number of tens and units that begins at a token and is said in several words, and the token after it.
pub(crate) fn tens(tokens: &Tokens<'_>, at: usize) -> Option<(u8, usize)> {
    read_tens(tokens, at, word(tokens, at)?).filter(|(_, end)| *end > at + 1)
}

fn read_tens(tokens: &Tokens<'_>, at: usize, slot: u16) -> Option<(u8, usize)> {
    if slot == FOUR {
        let twenty = joined(tokens, at + 1).filter(|at| is(tokens, *at, &TWENTY))?;
        let (rest, end) = below_twenty(tokens, twenty + 1).unwrap_or((0, twenty + 1));
        return Some((80 + rest, end));
    }
    if slot == TEN {
        return teen(tokens, at);
    }
    let tens = lexicon::entry(slot).value;
    if IBERIAN_TENS.contains(&slot) || CLOSED_TENS.contains(&slot) {
        let has_joint = joined(tokens, at + 1).is_some_and(|place| is(tokens, place, &JOINTS));
        let unit = if has_joint { unit_after(tokens, at + 1) } else { None };
        return Some(unit.map_or((tens, at + 1), |(unit, end)| (tens + unit, end)));
    }
    if !FRENCH_TENS.contains(&slot) {
        return None;
    }
    let (rest, end) = if slot == SIXTY { below_twenty(tokens, at + 1) } else { unit_after(tokens, at + 1) }?;
    Some((tens + rest, end))
}

fn word(tokens: &Tokens<'_>, at: usize) -> Option<u16> {
    let token = tokens.at(at);
    (token.kind == TokenKind::Word && token.slot() != 0).then(|| token.slot())
}

fn is(tokens: &Tokens<'_>, at: usize, words: &[u16]) -> bool {
    word(tokens, at).is_some_and(|slot| words.contains(&slot))
}

/// The token at `at`, or after a dash there.
fn joined(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let token = tokens.at(at);
    let place = at + usize::from(token.is_mark(b'-') && token.gap == Gap::None);
    (tokens.at(place).gap <= Gap::Space).then_some(place)
}

/// The number from 1 to 19 after tens.
fn below_twenty(tokens: &Tokens<'_>, at: usize) -> Option<(u8, usize)> {
    let at = after_joint(tokens, at)?;
    if is(tokens, at, &[TEN]) {
        return Some(teen(tokens, at).unwrap_or((10, at + 1)));
    }
    let token = tokens.at(at);
    if is(tokens, at, &[SIXTEEN]) {
        return Some((16, at + 1));
    }
    if token.flags & flag::TEEN != 0 {
        return Some((lexicon::entry(token.slot()).value, at + 1)).filter(|(value, _)| *value < 20);
    }
    unit(token).map(|value| (value, at + 1))
}

/// "dix-sept", "dix-huit", "dix-neuf".
fn teen(tokens: &Tokens<'_>, at: usize) -> Option<(u8, usize)> {
    let next = joined(tokens, at + 1)?;
    let value = unit(tokens.at(next)).filter(|value| *value >= 7)?;
    Some((10 + value, next + 1))
}

/// The unit after tens, with a word for "and" or a dash between.
fn unit_after(tokens: &Tokens<'_>, at: usize) -> Option<(u8, usize)> {
    let place = after_joint(tokens, at)?;
    unit(tokens.at(place)).map(|value| (value, place + 1))
}

fn after_joint(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let place = joined(tokens, at)?;
    if is(tokens, place, &JOINTS) { joined(tokens, place + 1) } else { Some(place) }
}

/// The value of a unit from one to nine.
fn unit(token: Token) -> Option<u8> {
    let value = if token.flags & flag::DIGIT != 0 {
        lexicon::entry(token.slot()).value
    } else {
        UNITS.iter().find(|(slot, _)| token.kind == TokenKind::Word && *slot == token.slot())?.1
    };
    (value > 0).then_some(value)
}

/// The languages of the words below, one bit each.
const SPANISH: u8 = 1;
const FRENCH: u8 = 1 << 1;
const GERMAN: u8 = 1 << 2;
const PORTUGUESE: u8 = 1 << 3;
const ITALIAN: u8 = 1 << 4;

/// Number words that are also other words, with their number and language.
const AMBIGUOUS: [(u16, u8, u8); 12] = [
    (word_id("un"), 1, FRENCH | SPANISH | ITALIAN),
    (word_id("une"), 1, FRENCH),
    (word_id("una"), 1, SPANISH | ITALIAN),
    (word_id("um"), 1, PORTUGUESE),
    (word_id("uma"), 1, PORTUGUESE),
    (word_id("ein"), 1, GERMAN),
    (word_id("due"), 2, ITALIAN),
    (word_id("sept"), 7, FRENCH),
    (word_id("meia"), 6, PORTUGUESE),
    (word_id("once"), 11, SPANISH),
    (word_id("elf"), 11, GERMAN),
    (word_id("seize"), 16, FRENCH),
];

/// The languages of number words that are sure.
const SURE: [(u16, u8); 65] = [
    (word_id("cero"), SPANISH),
    (word_id("uno"), SPANISH | ITALIAN),
    (word_id("dos"), SPANISH),
    (word_id("tres"), SPANISH | PORTUGUESE),
    (word_id("cuatro"), SPANISH),
    (word_id("cinco"), SPANISH | PORTUGUESE),
    (word_id("seis"), SPANISH | PORTUGUESE),
    (word_id("siete"), SPANISH),
    (word_id("ocho"), SPANISH),
    (word_id("nueve"), SPANISH),
    (word_id("deux"), FRENCH),
    (word_id("trois"), FRENCH),
    (word_id("quatre"), FRENCH),
    (word_id("cinq"), FRENCH),
    (word_id("huit"), FRENCH),
    (word_id("neuf"), FRENCH),
    (word_id("dix"), FRENCH),
    (word_id("onze"), FRENCH | PORTUGUESE),
    (word_id("vingt"), FRENCH),
    (word_id("trente"), FRENCH),
    (word_id("quarante"), FRENCH),
    (word_id("cinquante"), FRENCH),
    (word_id("soixante"), FRENCH),
    (word_id("eins"), GERMAN),
    (word_id("zwei"), GERMAN),
    (word_id("zwo"), GERMAN),
    (word_id("drei"), GERMAN),
    (word_id("vier"), GERMAN),
    (word_id("funf"), GERMAN),
    (word_id("sechs"), GERMAN),
    (word_id("sieben"), GERMAN),
    (word_id("acht"), GERMAN),
    (word_id("neun"), GERMAN),
    (word_id("null"), GERMAN),
    (word_id("dois"), PORTUGUESE),
    (word_id("duas"), PORTUGUESE),
    (word_id("quatro"), PORTUGUESE),
    (word_id("sete"), PORTUGUESE),
    (word_id("oito"), PORTUGUESE),
    (word_id("nove"), PORTUGUESE | ITALIAN),
    (word_id("tre"), ITALIAN),
    (word_id("quattro"), ITALIAN),
    (word_id("cinque"), ITALIAN),
    (word_id("sei"), ITALIAN),
    (word_id("sette"), ITALIAN),
    (word_id("otto"), ITALIAN),
    (word_id("treinta"), SPANISH),
    (word_id("cuarenta"), SPANISH),
    (word_id("cincuenta"), SPANISH),
    (word_id("ochenta"), SPANISH),
    (word_id("veinte"), SPANISH),
    (word_id("sesenta"), SPANISH),
    (word_id("setenta"), SPANISH | PORTUGUESE),
    (word_id("noventa"), SPANISH | PORTUGUESE),
    (word_id("vinte"), PORTUGUESE),
    (word_id("trinta"), PORTUGUESE),
    (word_id("quarenta"), PORTUGUESE),
    (word_id("cinquenta"), PORTUGUESE),
    (word_id("sessenta"), PORTUGUESE),
    (word_id("oitenta"), PORTUGUESE),
    (word_id("doze"), PORTUGUESE),
    (word_id("treze"), PORTUGUESE),
    (word_id("venti"), ITALIAN),
    (word_id("zwanzig"), GERMAN),
    (word_id("vierzig"), GERMAN),
];

/// Number words of English and of another language, which say nothing about the language.
const NEUTRAL: [u16; 2] = word_ids(["zero", "six"]);

/// The slots of [`AMBIGUOUS`] and of the French "cent", one bit each.
static AMBIGUOUS_SLOTS: [u64; SLOT_COUNT / 64] = {
    let (mut slots, mut at) = ([0; SLOT_COUNT / 64], 0);
    while at < AMBIGUOUS.len() {
        let slot = AMBIGUOUS[at].0 as usize;
        slots[slot / 64] |= 1 << (slot % 64);
        at += 1;
    }
    let hundred = FRENCH_HUNDRED[0] as usize;
    slots[hundred / 64] |= 1 << (hundred % 64);
    slots
};

/// Whether a token may be a number word that is also another word.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "a branch on the content of a text is unpredictable")]
pub(crate) fn is_ambiguous(token: Token) -> bool {
    let slot = usize::from(token.slot()) % SLOT_COUNT;
    (token.kind == TokenKind::Word) & (AMBIGUOUS_SLOTS[slot / 64] >> (slot % 64) & 1 != 0)
}

/// Tokens on either side of an ambiguous word that are read.
const REACH: usize = 6;
/// Minimum number words of a run that makes an ambiguous word a number.
const MIN_RUN: usize = 3;

/// The number of an ambiguous word, if a run of sure number words of its language surrounds it.
pub(crate) fn ambiguous_number(tokens: &Tokens<'_>, at: usize) -> Option<u8> {
    let token = tokens.at(at);
    if !is_ambiguous(token) {
        return None;
    }
    let (_, number, languages) = AMBIGUOUS.iter().find(|(slot, ..)| *slot == token.slot())?;
    let (mut run, mut sure) = (1, false);
    let mut count = |place: usize| {
        let Some(is_sure) = number_word(tokens, tokens.at(place), *languages) else { return false };
        run += 1;
        sure |= is_sure;
        true
    };
    // "quatre-vingt-quatre un"
    let is_dash = |place: usize| tokens.at(place).is_mark(b'-') && tokens.at(place).gap == Gap::None;
    for place in at + 1..=at + REACH {
        if tokens.at(place).gap > Gap::Space || !(is_dash(place) || count(place)) {
            break;
        }
    }
    for place in (at.saturating_sub(REACH)..at).rev() {
        if tokens.at(place + 1).gap > Gap::Space || !(is_dash(place) || count(place)) {
            break;
        }
    }
    (sure && run >= MIN_RUN).then_some(*number)
}

/// The language of a number of tens and units in one word; 0 for other words.
fn compound_language(word: &str) -> u8 {
    const GERMAN_ENDINGS: [&str; 4] = ["zehn", "zig", "ssig", "ßig"];
    const ITALIAN_BEGINNINGS: [&str; 8] =
        ["vent", "trent", "quarant", "cinquant", "sessant", "settant", "ottant", "novant"];
    match () {
        () if ends_with(word, &GERMAN_ENDINGS) => GERMAN,
        () if ends_with(word, &["dici"]) || begins_with(word, &ITALIAN_BEGINNINGS) => ITALIAN,
        () => 0,
    }
}

/// Whether a number word of one of these languages is sure; `None` if a token is no such word.
fn number_word(tokens: &Tokens<'_>, token: Token, languages: u8) -> Option<bool> {
    if token.kind != TokenKind::Word {
        return None;
    }
    let has = |slot: u16| slot == token.slot() && slot != 0;
    if let Some((_, of)) = SURE.iter().find(|(slot, _)| has(*slot)) {
        return (of & languages != 0).then_some(true);
    }
    if token.flags & (flag::TEEN | flag::TENS) != 0 && compound_language(tokens.str(token)) & languages != 0 {
        return Some(true);
    }
    if AMBIGUOUS.iter().any(|(slot, _, of)| has(*slot) && of & languages != 0) {
        return Some(false);
    }
    NEUTRAL.iter().any(|slot| has(*slot)).then_some(false)
}

/// Whether a word that is also another word, such as the French "sept", is a number among numbers.
pub(crate) fn is_number_among_numbers(tokens: &Tokens<'_>, at: usize) -> bool {
    let is_joined =
        at >= 2 && tokens.before(at).is_mark(b'-') && tokens.at(at - 2).flags & (flag::TEEN | flag::TENS) != 0;
    is_joined || ambiguous_number(tokens, at).is_some()
}

//! The words of a name at a place of a text where a name is expected.

use super::{flags, is_contraction};
use crate::tagger::Listing;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens};

/// Maximum words of a name, with its particles.
const MAX_WORDS: usize = 5;
/// Words of dates and measures, which have capitals and are no names.
const NO_NAME: u32 = flag::MONTH | flag::WEEKDAY | flag::UNIT | flag::CONNECTOR | flag::FILLER;

/// What a word must be to be a name after the words before it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NameTest {
    /// One of the words must be in a list of names.
    Listed,
    /// A word with a capital is enough.
    Capital,
    /// A word outside of the lists of ordinary words is enough.
    Unlisted,
}

/// The token after the name that begins at a token; `None` if no name begins there.
pub(super) fn name_end(tokens: &Tokens<'_>, first: usize, test: NameTest) -> Option<usize> {
    let (mut at, mut end, mut words) = (first, first, 0);
    let (mut is_listed, mut may_be_listed, mut is_unknown) = (false, false, false);
    while words < MAX_WORDS {
        let listing = Listing::of(tokens, at);
        let is_close = words == 0 || tokens.at(at).gap == Gap::Space || is_joint(tokens, at - 1);
        if !is_close || tokens.at(at).kind != TokenKind::Word || is_contraction(tokens, at) {
            break;
        }
        words += 1;
        if is_part(tokens, at, words == 1, test) {
            is_listed |= listing.is_name();
            may_be_listed |= listing.may_be_name();
            is_unknown |= listing.is_unknown();
            end = at + 1;
        } else if !listing.is_particle() {
            break;
        }
        at += 1 + usize::from(is_joint(tokens, at + 1) || is_initial(tokens, at));
    }
    let is_shouted = || {
        end > first + 1
            && tokens.between(tokens.at(first).start, tokens.before(end).end).chars().all(|c| !c.is_lowercase())
    };
    let is_sure = match test {
        NameTest::Listed => is_listed || may_be_listed && (is_unknown || is_shouted()),
        NameTest::Capital | NameTest::Unlisted => true,
    };
    (end > first && is_sure && !touches_address(tokens, end)).then_some(end)
}

/// Whether a token joins two parts of a name: "Anne-Marie", "O'Neill".
fn is_joint(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    (token.is_mark(b'-') || token.is_mark(b'\'')) && token.gap == Gap::None && tokens.at(at + 1).gap == Gap::None
}

/// Whether a letter with a full stop is at a token: "J. Smith".
fn is_initial(tokens: &Tokens<'_>, at: usize) -> bool {
    let mark = tokens.at(at + 1);
    tokens.at(at).byte_len() == 1 && mark.is_mark(b'.') && mark.gap == Gap::None
}

/// Whether a word can be part of a name.
fn is_part(tokens: &Tokens<'_>, at: usize, is_first: bool, test: NameTest) -> bool {
    let (token, listing) = (tokens.at(at), Listing::of(tokens, at));
    let is_street = listing.is_street() && (is_first || !listing.may_be_name());
    let is_thing = listing.is_of_thing() || is_street || listing.is_relation() || listing.is_title();
    let is_thing = is_thing || listing.follows_name();
    if flags(token) & NO_NAME != 0 || is_thing && !listing.is_given_name() {
        return false;
    }
    if listing.is_name() {
        return true;
    }
    if token.byte_len() == 1 {
        return listing.is_capital();
    }
    let is_in_lexicon = token.slot() != 0 && !listing.may_be_name();
    match listing.is_capital() {
        true if is_first => {
            !is_in_lexicon && (listing.may_be_name() || test != NameTest::Listed && listing.is_unknown())
        }
        true => !is_in_lexicon && !listing.is_particle(),
        false if is_first => {
            let begins_full_name = listing.may_be_name() && Listing::of(tokens, at + 1).is_name();
            begins_full_name || test == NameTest::Unlisted && !is_in_lexicon && listing.is_unknown()
        }
        false => {
            let before = Listing::of(tokens, at - 1);
            let follows_given_name = before.is_given_name() && !before.is_capital();
            (test == NameTest::Unlisted || follows_given_name) && !is_in_lexicon && listing.is_unknown()
        }
    }
}

/// Whether a word is the first part of an e-mail address or a code.
fn touches_address(tokens: &Tokens<'_>, end: usize) -> bool {
    let next = tokens.at(end);
    let is_mark = [b'@', b'_', b'/', b'&'].iter().any(|mark| next.is_mark(*mark));
    let is_host = next.is_mark(b'.') && tokens.at(end + 1).gap == Gap::None && tokens.at(end + 1).is_alphanumeric();
    next.gap == Gap::None && (is_mark || is_host || next.is_alphanumeric())
}

//! What the lists and classes of the tagger say about one word, for rules outside of the tagger.

use super::attributes::{Attributes, Withheld};
use super::word_class::WordClass as C;
use super::word_lists::Lexical;
use crate::tokenize::{TokenKind, Tokens};

/// A word as the lists of names and the classes of words know it.
#[derive(Clone, Copy)]
pub(crate) struct Listing(Attributes);

impl Listing {
    /// The listing of a token. A token that is no word is in no list and class.
    pub(crate) fn of(tokens: &Tokens<'_>, at: usize) -> Self {
        let token = tokens.at(at);
        let is_word = token.kind == TokenKind::Word;
        Self(if is_word { Attributes::new(tokens, token, Withheld::default()) } else { Attributes::EDGE })
    }

    pub(crate) fn is_capital(self) -> bool {
        self.0.is_capital
    }

    /// Whether the word is a given name and no ordinary word.
    pub(crate) fn is_given_name(self) -> bool {
        matches!(self.0.lexical, Lexical::GivenName | Lexical::GivenAndSurname)
    }

    /// Whether the word is a name and no ordinary word.
    pub(crate) fn is_name(self) -> bool {
        self.is_given_name() || self.0.lexical == Lexical::Surname
    }

    /// Whether a list of names has the word, which may be an ordinary word too.
    pub(crate) fn may_be_name(self) -> bool {
        self.0.lexical.is_listed()
    }

    /// Whether no list has the word.
    pub(crate) fn is_unknown(self) -> bool {
        self.0.lexical == Lexical::Unknown && self.0.class == C::Other
    }

    /// Whether the word is a form of address: "Mrs".
    pub(crate) fn is_title(self) -> bool {
        self.0.class == C::Title
    }

    /// Whether the word is a person beside the speaker: "husband", "landlord".
    pub(crate) fn is_relation(self) -> bool {
        self.0.class == C::Relation
    }

    /// Whether the word is a small part of a name: "van".
    pub(crate) fn is_particle(self) -> bool {
        self.0.class == C::Particle
    }

    /// Whether the word has no class of words around names: "Diaz", but not the "Best" of "Best, Rosa".
    pub(crate) fn is_plain(self) -> bool {
        self.0.class == C::Other
    }

    /// Whether the word follows a name: "speaking", "esq".
    pub(crate) fn follows_name(self) -> bool {
        self.0.class == C::AfterName
    }

    /// Whether the word belongs to a street.
    pub(crate) fn is_street(self) -> bool {
        self.0.is_street
    }

    /// Whether the word belongs to a place, a company, a brand or a document.
    pub(crate) fn is_of_thing(self) -> bool {
        matches!(self.0.class, C::PlaceName | C::Brand | C::Company | C::Term | C::House | C::Dwelling | C::PostBox)
    }
}

//! Fits a vocabulary to an engine, and says what had to go and why.

use super::{Engine, EngineLimit, Measure, spoken::spoken};
use crate::{
    id::VocabularyId,
    vocabulary::{Alternative, Place, Vocabulary},
};

/// One thing that the engine is to hear.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// What it is to write.
    pub written: String,
    /// What it hears when that is meant, where it takes that: for Amazon Transcribe as it is spoken, the phrase first.
    pub heard: Vec<String>,
}

/// A text that the engine does not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// Its entry.
    pub entry: VocabularyId,
    /// Which text of that entry it is; with the phrase go its alternatives, unless they can be heard without it.
    pub place: Place,
    /// Why it is not taken.
    pub reason: Reason,
}

/// Why an engine does not take a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The engine takes phrases only.
    #[error("the engine takes no alternatives")]
    NoAlternatives,
    /// The engine takes alternatives of phrases of one word only.
    #[error("the engine takes alternatives for a phrase of one word only")]
    PhraseOfWords,
    /// The text has characters that the engine refuses.
    #[error("has characters that the engine refuses")]
    Characters,
    /// The engine's limit leaves no room.
    #[error("the engine's limit is {}", .0.most)]
    Limit(EngineLimit),
}

impl Reason {
    /// A stable word for the reason, for programs to match on.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        match self {
            Self::NoAlternatives => "no_alternatives",
            Self::PhraseOfWords => "phrase_of_one_word",
            Self::Characters => "characters",
            Self::Limit(limit) => limit.measure.rule(),
        }
    }
}

/// A vocabulary as an engine takes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fit {
    /// What is taken, oldest entries first.
    pub terms: Vec<Term>,
    /// What is not.
    pub dropped: Vec<Dropped>,
}

impl Fit {
    /// Fits entries to an engine. Where they are too many, the first take the room, and later ones what is left of it.
    #[must_use]
    pub fn of(engine: Engine, entries: &[Vocabulary]) -> Self {
        let mut fit = Self::default();
        let mut room: Vec<_> = engine.limits().iter().map(|limit| (limit, limit.most)).collect();
        for entry in entries {
            let Some(term) = fit.term(engine, entry) else { continue };
            if let Some((limit, _)) = room.iter().find(|(limit, left)| count(limit.measure, &term) > *left) {
                fit.drop_text(entry, Place::Phrase, Reason::Limit(**limit));
                continue;
            }
            for (limit, left) in room.iter_mut().filter(|(limit, _)| limit.measure.is_total()) {
                *left -= count(limit.measure, &term);
            }
            fit.terms.push(term);
        }
        fit
    }

    /// An entry in the engine's terms; nothing where no text of it is left.
    fn term(&mut self, engine: Engine, entry: &Vocabulary) -> Option<Term> {
        let written = entry.phrase.as_str().to_owned();
        let mut heard = Vec::new();
        if engine == Engine::AmazonTranscribe {
            self.hear(entry, Place::Phrase, &written, &mut heard);
        }
        for (place, text) in entry.sounds_like.alternatives().iter().map(Alternative::as_str).enumerate() {
            let place = Place::Alternative(place);
            match engine {
                Engine::AmazonTranscribe => self.hear(entry, place, text, &mut heard),
                Engine::AssemblyAi if words(&written) > 1 => self.drop_text(entry, place, Reason::PhraseOfWords),
                Engine::Speechmatics | Engine::AssemblyAi | Engine::Pronunciation => heard.push(text.to_owned()),
                Engine::Google | Engine::Azure | Engine::Deepgram | Engine::Whisper => {
                    self.drop_text(entry, place, Reason::NoAlternatives);
                }
            }
        }
        let silent = engine == Engine::AmazonTranscribe && heard.is_empty();
        (!silent).then_some(Term { written, heard })
    }

    fn hear(&mut self, entry: &Vocabulary, place: Place, text: &str, heard: &mut Vec<String>) {
        match spoken(text) {
            Some(form) => heard.push(form),
            None => self.drop_text(entry, place, Reason::Characters),
        }
    }

    fn drop_text(&mut self, entry: &Vocabulary, place: Place, reason: Reason) {
        self.dropped.push(Dropped { entry: entry.id.clone(), place, reason });
    }
}

fn count(measure: Measure, term: &Term) -> usize {
    match measure {
        Measure::Characters => {
            let texts = term.heard.iter().chain([&term.written]);
            texts.map(|text| text.chars().count()).max().unwrap_or_default()
        }
        Measure::PhraseWords | Measure::Words => words(&term.written),
        Measure::Phrases => 1,
        Measure::Tokens => tokens(&term.written),
        // A row of a table: both texts, three tabs and the line's end.
        Measure::Bytes => term.heard.iter().map(|heard| heard.len() + term.written.len() + 4).sum(),
    }
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// An estimate on the careful side: names are rare words, of which a token covers about three bytes; one more goes to
/// what separates this phrase from the next.
fn tokens(text: &str) -> usize {
    1 + text.split_whitespace().map(|word| word.len().div_ceil(3)).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        time::Timestamp,
        vocabulary::{Phrase, SoundsLike},
    };

    fn entry(phrase: &str, alternatives: &[&str]) -> Vocabulary {
        let alternatives = alternatives.iter().map(|text| Alternative::parse(*text).unwrap()).collect();
        Vocabulary {
            id: VocabularyId::from_bits(1),
            phrase: Phrase::parse(phrase).unwrap(),
            sounds_like: SoundsLike::new(alternatives).unwrap(),
            created_at: Timestamp::EPOCH,
        }
    }

    fn reasons(fit: &Fit) -> Vec<(Place, &'static str)> {
        fit.dropped.iter().map(|dropped| (dropped.place, dropped.reason.rule())).collect()
    }

    #[test]
    fn what_takes_alternatives_gets_them_and_what_does_not_is_told() {
        let entries = [entry("IEEE", &["I triple E"])];
        for (engine, heard) in [
            (Engine::Speechmatics, vec!["I triple E"]),
            (Engine::Pronunciation, vec!["I triple E"]),
            (Engine::AssemblyAi, vec!["I triple E"]),
            (Engine::AmazonTranscribe, vec!["I.E.E.E.", "I-triple-E"]),
            (Engine::Google, vec![]),
            (Engine::Azure, vec![]),
            (Engine::Deepgram, vec![]),
            (Engine::Whisper, vec![]),
        ] {
            let fit = Fit::of(engine, &entries);
            assert_eq!(fit.terms[0].heard, heard, "{engine:?}");
            let told = reasons(&fit) == [(Place::Alternative(0), "no_alternatives")];
            assert_eq!(told, heard.is_empty(), "{engine:?}");
        }
    }

    #[test]
    fn characters_that_an_engine_refuses_cost_their_text_and_no_other() {
        let fit = Fit::of(Engine::AmazonTranscribe, &[entry("C++", &["see plus plus", "C+"]), entry("🦀", &[])]);
        assert_eq!(fit.terms, [Term { written: "C++".to_owned(), heard: vec!["see-plus-plus".to_owned()] }]);
        let refused = "characters";
        assert_eq!(
            reasons(&fit),
            [(Place::Phrase, refused), (Place::Alternative(1), refused), (Place::Phrase, refused)]
        );
    }

    #[test]
    fn a_spelling_is_replaced_by_one_word_only() {
        let fit = Fit::of(Engine::AssemblyAi, &[entry("Contoso Pay", &["con toso pay"])]);
        assert_eq!(reasons(&fit), [(Place::Alternative(0), "phrase_of_one_word")]);
    }

    #[test]
    fn a_phrase_over_a_limit_of_its_own_goes_alone() {
        let fit = Fit::of(Engine::AssemblyAi, &[entry("one two three four five six seven", &[]), entry("IEEE", &[])]);
        assert_eq!((fit.terms.len(), reasons(&fit)), (1, vec![(Place::Phrase, "max_words_of_phrase")]));
    }

    #[test]
    fn where_the_room_ends_the_oldest_entries_have_it() {
        let entries: Vec<_> = (0..200).map(|number| entry(&format!("x{number}"), &[])).collect();
        let fit = Fit::of(Engine::Deepgram, &entries);
        assert_eq!((fit.terms.len(), fit.dropped.len()), (100, 100));
        assert_eq!((fit.terms[0].written.as_str(), reasons(&fit)[0].1), ("x0", "max_phrases"));
        let long = vec![entry(&"x".repeat(100), &[]); 10];
        assert_eq!(Fit::of(Engine::Whisper, &long).terms.len(), 6);
    }
}

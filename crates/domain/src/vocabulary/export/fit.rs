//! Fits a vocabulary to a speech engine, and reports the dropped texts with the reasons.

use super::{EngineLimit, LimitUnit, SpeechEngine, spoken_form::spoken_form};
use crate::{
    id::VocabularyEntryId,
    vocabulary::{Alternative, EntryField, VocabularyEntry},
};

/// One phrase for the engine to recognize.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyTerm {
    /// The text that the engine should write.
    pub written_form: String,
    /// The texts that the phrase may sound like, if the engine accepts them. Amazon Transcribe gets spoken forms, that
    /// of the phrase first.
    pub spoken_forms: Vec<String>,
}

/// A text that is not exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DroppedText {
    /// The entry of the text.
    pub entry: VocabularyEntryId,
    /// The text within the entry. A dropped phrase also drops its alternatives, unless the engine can use them without
    /// it.
    pub field: EntryField,
    /// The reason.
    pub reason: DropReason,
}

/// The reason why a text is not exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DropReason {
    /// The engine accepts phrases only.
    #[error("the engine takes no alternatives")]
    NoAlternatives,
    /// The engine accepts alternatives only for phrases of one word.
    #[error("the engine takes alternatives for a phrase of one word only")]
    MultiWordPhrase,
    /// The text has characters that the engine does not accept.
    #[error("has characters that the engine refuses")]
    UnsupportedCharacters,
    /// The text exceeds a limit of the engine.
    #[error("the engine's limit is {}", .0.max)]
    Limit(EngineLimit),
}

impl DropReason {
    /// A stable word for the reason, for programs to match on.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        match self {
            Self::NoAlternatives => "no_alternatives",
            Self::MultiWordPhrase => "phrase_of_one_word",
            Self::UnsupportedCharacters => "characters",
            Self::Limit(limit) => limit.unit.rule(),
        }
    }
}

/// A vocabulary that is fitted to an engine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FittedVocabulary {
    /// The exported phrases, oldest entries first.
    pub terms: Vec<KeyTerm>,
    /// The dropped texts.
    pub dropped: Vec<DroppedText>,
}

impl FittedVocabulary {
    /// Fits entries to an engine. If a limit is reached, earlier entries take precedence, and later entries are
    /// exported only if they still fit.
    #[must_use]
    pub fn fit(engine: SpeechEngine, entries: &[VocabularyEntry]) -> Self {
        let mut fit = Self::default();
        let mut remaining: Vec<_> = engine.limits().iter().map(|limit| (limit, limit.max)).collect();
        for entry in entries {
            let Some(term) = fit.build_term(engine, entry) else { continue };
            if let Some((limit, _)) = remaining.iter().find(|(limit, rest)| count_units(limit.unit, &term) > *rest) {
                fit.drop_text(entry, EntryField::Phrase, DropReason::Limit(**limit));
                continue;
            }
            for (limit, rest) in remaining.iter_mut().filter(|(limit, _)| limit.unit.is_total()) {
                *rest -= count_units(limit.unit, &term);
            }
            fit.terms.push(term);
        }
        fit
    }

    /// Converts an entry; `None` if no text remains.
    fn build_term(&mut self, engine: SpeechEngine, entry: &VocabularyEntry) -> Option<KeyTerm> {
        let written = entry.phrase.as_str().to_owned();
        let mut spoken_forms = Vec::new();
        if engine == SpeechEngine::AmazonTranscribe {
            self.add_spoken_form(entry, EntryField::Phrase, &written, &mut spoken_forms);
        }
        for (index, text) in entry.sounds_like.alternatives().iter().map(Alternative::as_str).enumerate() {
            let field = EntryField::Alternative(index);
            match engine {
                SpeechEngine::AmazonTranscribe => self.add_spoken_form(entry, field, text, &mut spoken_forms),
                SpeechEngine::AssemblyAi if count_words(&written) > 1 => {
                    self.drop_text(entry, field, DropReason::MultiWordPhrase);
                }
                SpeechEngine::Speechmatics | SpeechEngine::AssemblyAi | SpeechEngine::Pronunciation => {
                    spoken_forms.push(text.to_owned());
                }
                SpeechEngine::Google | SpeechEngine::Azure | SpeechEngine::Deepgram | SpeechEngine::Whisper => {
                    self.drop_text(entry, field, DropReason::NoAlternatives);
                }
            }
        }
        let is_empty = engine == SpeechEngine::AmazonTranscribe && spoken_forms.is_empty();
        (!is_empty).then_some(KeyTerm { written_form: written, spoken_forms })
    }

    fn add_spoken_form(
        &mut self,
        entry: &VocabularyEntry,
        field: EntryField,
        text: &str,
        spoken_forms: &mut Vec<String>,
    ) {
        match spoken_form(text) {
            Some(form) => spoken_forms.push(form),
            None => self.drop_text(entry, field, DropReason::UnsupportedCharacters),
        }
    }

    fn drop_text(&mut self, entry: &VocabularyEntry, field: EntryField, reason: DropReason) {
        self.dropped.push(DroppedText { entry: entry.id.clone(), field, reason });
    }
}

fn count_units(measure: LimitUnit, term: &KeyTerm) -> usize {
    match measure {
        LimitUnit::Characters => {
            let texts = term.spoken_forms.iter().chain([&term.written_form]);
            texts.map(|text| text.chars().count()).max().unwrap_or_default()
        }
        LimitUnit::PhraseWords | LimitUnit::Words => count_words(&term.written_form),
        LimitUnit::Phrases => 1,
        LimitUnit::Tokens => estimate_tokens(&term.written_form),
        // A row of a table has both texts, three tabs and a line end.
        LimitUnit::Bytes => term.spoken_forms.iter().map(|form| form.len() + term.written_form.len() + 4).sum(),
    }
}

fn count_words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// A conservative estimate. Names are rare words, in which a token covers about three bytes. One more token separates
/// the phrase from the next.
fn estimate_tokens(text: &str) -> usize {
    1 + text.split_whitespace().map(|word| word.len().div_ceil(3)).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        time::Timestamp,
        vocabulary::{Phrase, SoundsLike},
    };

    fn entry(phrase: &str, alternatives: &[&str]) -> VocabularyEntry {
        let alternatives = alternatives.iter().map(|text| Alternative::parse(*text).unwrap()).collect();
        VocabularyEntry {
            id: VocabularyEntryId::from_bits(1),
            phrase: Phrase::parse(phrase).unwrap(),
            sounds_like: SoundsLike::new(alternatives).unwrap(),
            created_at: Timestamp::EPOCH,
        }
    }

    fn reasons(fit: &FittedVocabulary) -> Vec<(EntryField, &'static str)> {
        fit.dropped.iter().map(|dropped| (dropped.field, dropped.reason.rule())).collect()
    }

    #[test]
    fn alternatives_are_exported_or_reported_as_dropped() {
        let entries = [entry("IEEE", &["I triple E"])];
        for (engine, expected) in [
            (SpeechEngine::Speechmatics, vec!["I triple E"]),
            (SpeechEngine::Pronunciation, vec!["I triple E"]),
            (SpeechEngine::AssemblyAi, vec!["I triple E"]),
            (SpeechEngine::AmazonTranscribe, vec!["I.E.E.E.", "I-triple-E"]),
            (SpeechEngine::Google, vec![]),
            (SpeechEngine::Azure, vec![]),
            (SpeechEngine::Deepgram, vec![]),
            (SpeechEngine::Whisper, vec![]),
        ] {
            let fit = FittedVocabulary::fit(engine, &entries);
            assert_eq!(fit.terms[0].spoken_forms, expected, "{engine:?}");
            let is_reported = reasons(&fit) == [(EntryField::Alternative(0), "no_alternatives")];
            assert_eq!(is_reported, expected.is_empty(), "{engine:?}");
        }
    }

    #[test]
    fn a_text_with_unsupported_characters_is_dropped_alone() {
        let fit = FittedVocabulary::fit(
            SpeechEngine::AmazonTranscribe,
            &[entry("C++", &["see plus plus", "C+"]), entry("🦀", &[])],
        );
        assert_eq!(
            fit.terms,
            [KeyTerm { written_form: "C++".to_owned(), spoken_forms: vec!["see-plus-plus".to_owned()] }]
        );
        let refused = "characters";
        assert_eq!(
            reasons(&fit),
            [(EntryField::Phrase, refused), (EntryField::Alternative(1), refused), (EntryField::Phrase, refused)]
        );
    }

    #[test]
    fn alternatives_of_a_phrase_of_several_words_are_dropped_for_assembly_ai() {
        let fit = FittedVocabulary::fit(SpeechEngine::AssemblyAi, &[entry("Contoso Pay", &["con toso pay"])]);
        assert_eq!(reasons(&fit), [(EntryField::Alternative(0), "phrase_of_one_word")]);
    }

    #[test]
    fn a_phrase_over_a_limit_per_phrase_is_dropped_alone() {
        let fit = FittedVocabulary::fit(
            SpeechEngine::AssemblyAi,
            &[entry("one two three four five six seven", &[]), entry("IEEE", &[])],
        );
        assert_eq!((fit.terms.len(), reasons(&fit)), (1, vec![(EntryField::Phrase, "max_words_of_phrase")]));
    }

    #[test]
    fn the_oldest_entries_take_precedence_at_a_limit() {
        let entries: Vec<_> = (0..200).map(|number| entry(&format!("x{number}"), &[])).collect();
        let fit = FittedVocabulary::fit(SpeechEngine::Deepgram, &entries);
        assert_eq!((fit.terms.len(), fit.dropped.len()), (100, 100));
        assert_eq!((fit.terms[0].written_form.as_str(), reasons(&fit)[0].1), ("x0", "max_phrases"));
        let long = vec![entry(&"x".repeat(100), &[]); 10];
        assert_eq!(FittedVocabulary::fit(SpeechEngine::Whisper, &long).terms.len(), 6);
    }
}

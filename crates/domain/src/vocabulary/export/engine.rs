//! The speech engines, each with its limits as data: these move, so each says where and when it was read.

/// A speech engine, or a form that several of them read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Amazon Transcribe: a table of custom vocabulary.
    AmazonTranscribe,
    /// Google Speech-to-Text v1: model adaptation.
    Google,
    /// Azure Speech: a phrase list.
    Azure,
    /// Speechmatics: a custom dictionary.
    Speechmatics,
    /// Deepgram Nova-3: keyterm prompting.
    Deepgram,
    /// `AssemblyAI`: keyterms prompting and custom spelling.
    AssemblyAi,
    /// Whisper and what is built on it: a prompt.
    Whisper,
    /// W3C Pronunciation Lexicon Specification 1.0, each alternative an alias.
    Pronunciation,
}

/// A word that names no engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be one of amazon-transcribe, google, azure, speechmatics, deepgram, assemblyai, whisper and pronunciation"
)]
pub struct UnknownEngine;

/// What a limit of an engine counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The characters of one text.
    Characters,
    /// The words of one phrase.
    PhraseWords,
    /// All phrases.
    Phrases,
    /// The words of all phrases.
    Words,
    /// The tokens of all phrases, estimated: engines count them by tables of their own.
    Tokens,
    /// The bytes of the whole file.
    Bytes,
}

/// One limit of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineLimit {
    /// What it counts.
    pub measure: Measure,
    /// The most there may be.
    pub most: usize,
    /// The page that says so.
    pub source: &'static str,
    /// The day on which that page was read, as year, month and day.
    pub read_on: &'static str,
}

const READ_ON: &str = "2026-11-21";

const fn limit(measure: Measure, most: usize, source: &'static str) -> EngineLimit {
    EngineLimit { measure, most, source, read_on: READ_ON }
}

const AMAZON: &str = "https://docs.aws.amazon.com/transcribe/latest/dg/custom-vocabulary.html";
const GOOGLE: &str = "https://docs.cloud.google.com/speech-to-text/docs/quotas";
const AZURE: &str = "https://learn.microsoft.com/azure/ai-services/speech-service/improve-accuracy-phrase-list";
const SPEECHMATICS: &str = "https://docs.speechmatics.com/features/custom-dictionary";
const DEEPGRAM: &str = "https://developers.deepgram.com/docs/keyterm";
const ASSEMBLY_AI: &str = "https://assemblyai.com/docs/pre-recorded-audio/keyterms-prompting";
const WHISPER: &str = "https://github.com/openai/whisper/blob/main/whisper/decoding.py";

impl Measure {
    /// A stable word for a limit of this kind, for programs to match on.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::Characters => "max_characters",
            Self::PhraseWords => "max_words_of_phrase",
            Self::Phrases => "max_phrases",
            Self::Words => "max_words",
            Self::Tokens => "max_tokens",
            Self::Bytes => "max_bytes",
        }
    }

    /// Whether it counts all entries together, and not each alone.
    #[must_use]
    pub fn is_total(self) -> bool {
        matches!(self, Self::Phrases | Self::Words | Self::Tokens | Self::Bytes)
    }
}

impl Engine {
    /// Every engine.
    pub const ALL: [Self; 8] = [
        Self::AmazonTranscribe,
        Self::Google,
        Self::Azure,
        Self::Speechmatics,
        Self::Deepgram,
        Self::AssemblyAi,
        Self::Whisper,
        Self::Pronunciation,
    ];

    /// The engine's word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AmazonTranscribe => "amazon-transcribe",
            Self::Google => "google",
            Self::Azure => "azure",
            Self::Speechmatics => "speechmatics",
            Self::Deepgram => "deepgram",
            Self::AssemblyAi => "assemblyai",
            Self::Whisper => "whisper",
            Self::Pronunciation => "pronunciation",
        }
    }

    /// Reads an engine's word.
    ///
    /// # Errors
    /// [`UnknownEngine`] where the word names none.
    pub fn parse(word: &str) -> Result<Self, UnknownEngine> {
        Self::ALL.into_iter().find(|engine| engine.as_str() == word).ok_or(UnknownEngine)
    }

    /// What the engine can take at most.
    #[must_use]
    pub fn limits(self) -> &'static [EngineLimit] {
        match self {
            // "Fewer than 256 characters", and 50 Kb: the smaller of what that can mean, less a row of 31 for titles.
            Self::AmazonTranscribe => {
                const { &[limit(Measure::Characters, 255, AMAZON), limit(Measure::Bytes, 49_969, AMAZON)] }
            }
            Self::Google => {
                const { &[limit(Measure::Characters, 100, GOOGLE), limit(Measure::Phrases, 1_200, GOOGLE)] }
            }
            Self::Azure => const { &[limit(Measure::Phrases, 500, AZURE)] },
            Self::Speechmatics => const { &[limit(Measure::Phrases, 1_000, SPEECHMATICS)] },
            Self::Deepgram => {
                const { &[limit(Measure::Phrases, 100, DEEPGRAM), limit(Measure::Tokens, 500, DEEPGRAM)] }
            }
            Self::AssemblyAi => {
                const { &[limit(Measure::PhraseWords, 6, ASSEMBLY_AI), limit(Measure::Words, 1_000, ASSEMBLY_AI)] }
            }
            // Half of 448, less one; four more go to the word before the phrases.
            Self::Whisper => const { &[limit(Measure::Tokens, 219, WHISPER)] },
            Self::Pronunciation => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_read_from_its_own_word() {
        for engine in Engine::ALL {
            assert_eq!(Engine::parse(engine.as_str()), Ok(engine));
            assert!(UnknownEngine.to_string().contains(engine.as_str()));
        }
        assert_eq!(Engine::parse("Google"), Err(UnknownEngine));
    }
}

//! The speech engines and their limits. The limits change over time, so each names its source and the day when it was
//! read.

/// A speech engine, or a format that several engines read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpeechEngine {
    /// Amazon Transcribe: a custom vocabulary table.
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
    /// Whisper and software based on it: a prompt.
    Whisper,
    /// W3C Pronunciation Lexicon Specification 1.0; each alternative becomes an alias.
    Pronunciation,
}

/// The error for a word that is not the name of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be one of amazon-transcribe, google, azure, speechmatics, deepgram, assemblyai, whisper and pronunciation"
)]
pub struct UnknownSpeechEngine;

/// The unit that a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitUnit {
    /// The characters of one text.
    Characters,
    /// The words of one phrase.
    PhraseWords,
    /// The phrases of the vocabulary.
    Phrases,
    /// The words of all phrases.
    Words,
    /// The estimated tokens of all phrases. Each engine has its own tokenizer.
    Tokens,
    /// The bytes of the whole file.
    Bytes,
}

/// One limit of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineLimit {
    /// The unit of the limit.
    pub unit: LimitUnit,
    /// The maximum.
    pub max: usize,
    /// The page that documents the limit.
    pub source: &'static str,
    /// The day when that page was read, as `YYYY-MM-DD`.
    pub read_on: &'static str,
}

const READ_ON: &str = "2026-11-21";

const fn limit(unit: LimitUnit, max: usize, source: &'static str) -> EngineLimit {
    EngineLimit { unit, max, source, read_on: READ_ON }
}

const AMAZON: &str = "https://docs.aws.amazon.com/transcribe/latest/dg/custom-vocabulary.html";
const GOOGLE: &str = "https://docs.cloud.google.com/speech-to-text/docs/quotas";
const AZURE: &str = "https://learn.microsoft.com/azure/ai-services/speech-service/improve-accuracy-phrase-list";
const SPEECHMATICS: &str = "https://docs.speechmatics.com/features/custom-dictionary";
const DEEPGRAM: &str = "https://developers.deepgram.com/docs/keyterm";
const ASSEMBLY_AI: &str = "https://assemblyai.com/docs/pre-recorded-audio/keyterms-prompting";
const WHISPER: &str = "https://github.com/openai/whisper/blob/main/whisper/decoding.py";

impl LimitUnit {
    /// A stable word for limits of this unit, for programs to match on.
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

    /// Whether the limit applies to all entries together. Other limits apply to each entry.
    #[must_use]
    pub fn is_total(self) -> bool {
        matches!(self, Self::Phrases | Self::Words | Self::Tokens | Self::Bytes)
    }
}

impl SpeechEngine {
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

    /// The name of the engine.
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

    /// Parses the name of an engine.
    ///
    /// # Errors
    /// [`UnknownSpeechEngine`] if there is no such engine.
    pub fn parse(name: &str) -> Result<Self, UnknownSpeechEngine> {
        Self::ALL.into_iter().find(|engine| engine.as_str() == name).ok_or(UnknownSpeechEngine)
    }

    /// The limits of the engine.
    #[must_use]
    pub fn limits(self) -> &'static [EngineLimit] {
        match self {
            // The documented limits are "fewer than 256 characters" and 50 Kb. The byte limit is 50,000, the smaller
            // reading of 50 Kb, minus 32 bytes for the header row.
            Self::AmazonTranscribe => {
                const { &[limit(LimitUnit::Characters, 255, AMAZON), limit(LimitUnit::Bytes, 49_968, AMAZON)] }
            }
            Self::Google => {
                const { &[limit(LimitUnit::Characters, 100, GOOGLE), limit(LimitUnit::Phrases, 1_200, GOOGLE)] }
            }
            Self::Azure => const { &[limit(LimitUnit::Phrases, 500, AZURE)] },
            Self::Speechmatics => const { &[limit(LimitUnit::Phrases, 1_000, SPEECHMATICS)] },
            Self::Deepgram => {
                const { &[limit(LimitUnit::Phrases, 100, DEEPGRAM), limit(LimitUnit::Tokens, 500, DEEPGRAM)] }
            }
            Self::AssemblyAi => {
                const { &[limit(LimitUnit::PhraseWords, 6, ASSEMBLY_AI), limit(LimitUnit::Words, 1_000, ASSEMBLY_AI)] }
            }
            // Half of 448, minus one. Four more tokens are reserved for the word before the phrases.
            Self::Whisper => const { &[limit(LimitUnit::Tokens, 219, WHISPER)] },
            Self::Pronunciation => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_name_parses_to_its_engine() {
        for engine in SpeechEngine::ALL {
            assert_eq!(SpeechEngine::parse(engine.as_str()), Ok(engine));
            assert!(UnknownSpeechEngine.to_string().contains(engine.as_str()));
        }
        assert_eq!(SpeechEngine::parse("Google"), Err(UnknownSpeechEngine));
    }
}

//! The export format of each speech engine: a payload that is ready to send or to upload.

use std::fmt::Write as _;

use parlance_domain::vocabulary::export::{KeyTerm, SpeechEngine};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::response::markup::escape_content;

/// The media type of the format of an engine.
pub(super) fn media_type(engine: SpeechEngine) -> &'static str {
    match engine {
        SpeechEngine::AmazonTranscribe => "text/tab-separated-values; charset=utf-8",
        SpeechEngine::Google | SpeechEngine::Azure | SpeechEngine::Speechmatics | SpeechEngine::AssemblyAi => {
            "application/json"
        }
        SpeechEngine::Deepgram | SpeechEngine::Whisper => "text/plain; charset=utf-8",
        SpeechEngine::Pronunciation => "application/pls+xml",
    }
}

/// The terms in the format of an engine.
pub(super) fn render(engine: SpeechEngine, terms: &[KeyTerm]) -> String {
    let written: Vec<_> = terms.iter().map(|term| term.written_form.as_str()).collect();
    match engine {
        SpeechEngine::AmazonTranscribe => amazon_transcribe_table(terms),
        SpeechEngine::Google => {
            let phrases: Vec<_> = written.iter().map(|phrase| json!({"value": phrase})).collect();
            json!({"adaptation": {"phraseSets": [{"phrases": phrases}]}}).to_string()
        }
        SpeechEngine::Azure => json!({"phraseList": {"phrases": written}}).to_string(),
        SpeechEngine::Speechmatics => speechmatics_vocabulary(terms).to_string(),
        SpeechEngine::Deepgram => deepgram_keyterms(&written),
        SpeechEngine::AssemblyAi => {
            let spelling: Vec<_> =
                terms.iter().filter(|term| !term.spoken_forms.is_empty()).map(custom_spelling).collect();
            json!({"keyterms_prompt": written, "custom_spelling": spelling}).to_string()
        }
        SpeechEngine::Whisper if written.is_empty() => String::new(),
        SpeechEngine::Whisper => format!("Glossary: {}.", written.join(", ")),
        SpeechEngine::Pronunciation => pronunciation_lexicon(terms),
    }
}

/// Amazon Transcribe: one row for each spoken form of a phrase. The engine no longer uses its columns for sounds, so
/// these columns stay empty.
fn amazon_transcribe_table(terms: &[KeyTerm]) -> String {
    let mut table = "Phrase\tSoundsLike\tIPA\tDisplayAs\n".to_owned();
    for term in terms {
        for heard in &term.spoken_forms {
            let _ = writeln!(table, "{heard}\t\t\t{}", term.written_form);
        }
    }
    table
}

fn speechmatics_vocabulary(terms: &[KeyTerm]) -> Value {
    let entry = |term: &KeyTerm| {
        if term.spoken_forms.is_empty() {
            return json!({"content": term.written_form});
        }
        json!({"content": term.written_form, "sounds_like": term.spoken_forms})
    };
    json!({"additional_vocab": terms.iter().map(entry).collect::<Vec<_>>()})
}

fn custom_spelling(term: &KeyTerm) -> Value {
    json!({"from": term.spoken_forms, "to": term.written_form})
}

/// Deepgram: parameters of the request.
fn deepgram_keyterms(written: &[&str]) -> String {
    let pairs: Vec<_> =
        written.iter().map(|phrase| format!("keyterm={}", utf8_percent_encode(phrase, NON_ALPHANUMERIC))).collect();
    pairs.join("&")
}

/// W3C Pronunciation Lexicon Specification 1.0. A vocabulary has no language, so the language is undetermined (`und`).
fn pronunciation_lexicon(terms: &[KeyTerm]) -> String {
    let mut xml = concat!(
        r#"<?xml version="1.0" encoding="UTF-8"?>"#,
        "\n",
        r#"<lexicon version="1.0" xmlns="http://www.w3.org/2005/01/pronunciation-lexicon" alphabet="ipa" xml:lang="und">"#,
        "\n",
    )
    .to_owned();
    for term in terms {
        let _ = write!(xml, "  <lexeme><grapheme>{}</grapheme>", escape_content(&term.written_form));
        for heard in &term.spoken_forms {
            let _ = write!(xml, "<alias>{}</alias>", escape_content(heard));
        }
        xml.push_str("</lexeme>\n");
    }
    xml.push_str("</lexicon>\n");
    xml
}

#[cfg(test)]
mod tests {
    use parlance_domain::{
        id::VocabularyEntryId,
        time::Timestamp,
        vocabulary::{Phrase, SoundsLike, VocabularyEntry, export::FittedVocabulary},
    };

    use super::*;

    fn terms() -> [KeyTerm; 2] {
        let heard = vec!["I triple E".to_owned()];
        [
            KeyTerm { written_form: "IEEE".to_owned(), spoken_forms: heard },
            KeyTerm { written_form: "R&D <é> \"x\"".to_owned(), spoken_forms: Vec::new() },
        ]
    }

    fn rendered(engine: SpeechEngine) -> String {
        render(engine, &terms())
    }

    #[test]
    fn json_engines_get_json() {
        for (engine, expected) in [
            (
                SpeechEngine::Google,
                json!({"adaptation": {"phraseSets": [{"phrases": [{"value": "IEEE"}, {"value": "R&D <é> \"x\""}]}]}}),
            ),
            (SpeechEngine::Azure, json!({"phraseList": {"phrases": ["IEEE", "R&D <é> \"x\""]}})),
            (
                SpeechEngine::Speechmatics,
                json!({"additional_vocab": [
                    {"content": "IEEE", "sounds_like": ["I triple E"]}, {"content": "R&D <é> \"x\""}
                ]}),
            ),
            (
                SpeechEngine::AssemblyAi,
                json!({
                    "keyterms_prompt": ["IEEE", "R&D <é> \"x\""],
                    "custom_spelling": [{"from": ["I triple E"], "to": "IEEE"}]
                }),
            ),
        ] {
            assert_eq!(serde_json::from_str::<Value>(&rendered(engine)).unwrap(), expected, "{engine:?}");
        }
    }

    #[test]
    fn a_table_has_a_row_for_each_spoken_form() {
        assert_eq!(
            rendered(SpeechEngine::AmazonTranscribe),
            "Phrase\tSoundsLike\tIPA\tDisplayAs\nI triple E\t\t\tIEEE\n"
        );
    }

    #[test]
    fn a_full_table_has_50_000_bytes_and_no_room_for_one_more() {
        // The row of a phrase of n letters has 2n + 4 bytes, so these rows and the header of 32 bytes fill the table.
        let mut lengths = vec![100; 244];
        lengths.push(94);
        assert_eq!(largest_table(&lengths).len(), 50_000);
        lengths[244] = 95;
        assert_eq!(largest_table(&lengths).len(), 32 + 244 * 204);
    }

    /// The table of phrases of these lengths.
    fn largest_table(lengths: &[usize]) -> String {
        let entry = |length: &usize| VocabularyEntry {
            id: VocabularyEntryId::from_bits(1),
            phrase: Phrase::parse("x".repeat(*length)).unwrap(),
            sounds_like: SoundsLike::new(Vec::new()).unwrap(),
            created_at: Timestamp::EPOCH,
        };
        let entries: Vec<_> = lengths.iter().map(entry).collect();
        let fit = FittedVocabulary::fit(SpeechEngine::AmazonTranscribe, &entries);
        render(SpeechEngine::AmazonTranscribe, &fit.terms)
    }

    #[test]
    fn keyterms_are_percent_encoded() {
        assert_eq!(rendered(SpeechEngine::Deepgram), "keyterm=IEEE&keyterm=R%26D%20%3C%C3%A9%3E%20%22x%22");
    }

    #[test]
    fn a_prompt_is_a_glossary_and_is_empty_without_terms() {
        assert_eq!(rendered(SpeechEngine::Whisper), "Glossary: IEEE, R&D <é> \"x\".");
        assert_eq!(render(SpeechEngine::Whisper, &[]), "");
    }

    #[test]
    fn a_lexicon_is_escaped() {
        let lexicon = rendered(SpeechEngine::Pronunciation);
        assert!(lexicon.contains("<lexeme><grapheme>IEEE</grapheme><alias>I triple E</alias></lexeme>\n"));
        assert!(lexicon.contains("<grapheme>R&amp;D &lt;é&gt; \"x\"</grapheme></lexeme>"));
    }
}

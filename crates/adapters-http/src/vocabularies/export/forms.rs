//! A vocabulary as each engine reads it: the payload itself, to be sent or uploaded as it is.

use std::fmt::Write as _;

use parlance_domain::vocabulary::export::{Engine, Term};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

/// The media type of an engine's form.
pub(super) fn media_type(engine: Engine) -> &'static str {
    match engine {
        Engine::AmazonTranscribe => "text/tab-separated-values; charset=utf-8",
        Engine::Google | Engine::Azure | Engine::Speechmatics | Engine::AssemblyAi => "application/json",
        Engine::Deepgram | Engine::Whisper => "text/plain; charset=utf-8",
        Engine::Pronunciation => "application/pls+xml",
    }
}

/// What an engine is to be given, in its own form.
pub(super) fn render(engine: Engine, terms: &[Term]) -> String {
    let written: Vec<_> = terms.iter().map(|term| term.written.as_str()).collect();
    match engine {
        Engine::AmazonTranscribe => table(terms),
        Engine::Google => {
            let phrases: Vec<_> = written.iter().map(|phrase| json!({"value": phrase})).collect();
            json!({"adaptation": {"phraseSets": [{"phrases": phrases}]}}).to_string()
        }
        Engine::Azure => json!({"phraseList": {"phrases": written}}).to_string(),
        Engine::Speechmatics => dictionary(terms).to_string(),
        Engine::Deepgram => keyterms(&written),
        Engine::AssemblyAi => {
            let spelling: Vec<_> = terms.iter().filter(|term| !term.heard.is_empty()).map(spelling).collect();
            json!({"keyterms_prompt": written, "custom_spelling": spelling}).to_string()
        }
        Engine::Whisper if written.is_empty() => String::new(),
        Engine::Whisper => format!("Glossary: {}.", written.join(", ")),
        Engine::Pronunciation => lexicon(terms),
    }
}

/// Amazon Transcribe: a row for each way in which a phrase is spoken. Its columns for sounds are ignored by now, so
/// they stay empty.
fn table(terms: &[Term]) -> String {
    let mut table = "Phrase\tSoundsLike\tIPA\tDisplayAs\n".to_owned();
    for term in terms {
        for heard in &term.heard {
            let _ = writeln!(table, "{heard}\t\t\t{}", term.written);
        }
    }
    table
}

fn dictionary(terms: &[Term]) -> Value {
    let word = |term: &Term| {
        if term.heard.is_empty() {
            return json!({"content": term.written});
        }
        json!({"content": term.written, "sounds_like": term.heard})
    };
    json!({"additional_vocab": terms.iter().map(word).collect::<Vec<_>>()})
}

fn spelling(term: &Term) -> Value {
    json!({"from": term.heard, "to": term.written})
}

/// Deepgram: parameters of its request.
fn keyterms(written: &[&str]) -> String {
    let pairs: Vec<_> =
        written.iter().map(|phrase| format!("keyterm={}", utf8_percent_encode(phrase, NON_ALPHANUMERIC))).collect();
    pairs.join("&")
}

/// W3C Pronunciation Lexicon Specification 1.0. A vocabulary does not say its language, so it is undetermined.
fn lexicon(terms: &[Term]) -> String {
    let mut xml = concat!(
        r#"<?xml version="1.0" encoding="UTF-8"?>"#,
        "\n",
        r#"<lexicon version="1.0" xmlns="http://www.w3.org/2005/01/pronunciation-lexicon" alphabet="ipa" xml:lang="und">"#,
        "\n",
    )
    .to_owned();
    for term in terms {
        let _ = write!(xml, "  <lexeme><grapheme>{}</grapheme>", escaped(&term.written));
        for heard in &term.heard {
            let _ = write!(xml, "<alias>{}</alias>", escaped(heard));
        }
        xml.push_str("</lexeme>\n");
    }
    xml.push_str("</lexicon>\n");
    xml
}

/// A text of XML 1.0. Of the characters that it cannot hold at all, control characters are in no term, and the two
/// that are no characters become the replacement character.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms() -> [Term; 2] {
        let heard = vec!["I triple E".to_owned()];
        [Term { written: "IEEE".to_owned(), heard }, Term { written: "R&D <é> \"x\"".to_owned(), heard: Vec::new() }]
    }

    fn rendered(engine: Engine) -> String {
        render(engine, &terms())
    }

    #[test]
    fn json_engines_get_json() {
        for (engine, expected) in [
            (
                Engine::Google,
                json!({"adaptation": {"phraseSets": [{"phrases": [{"value": "IEEE"}, {"value": "R&D <é> \"x\""}]}]}}),
            ),
            (Engine::Azure, json!({"phraseList": {"phrases": ["IEEE", "R&D <é> \"x\""]}})),
            (
                Engine::Speechmatics,
                json!({"additional_vocab": [
                    {"content": "IEEE", "sounds_like": ["I triple E"]}, {"content": "R&D <é> \"x\""}
                ]}),
            ),
            (
                Engine::AssemblyAi,
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
    fn a_table_has_a_row_for_each_way_to_say_a_phrase() {
        assert_eq!(rendered(Engine::AmazonTranscribe), "Phrase\tSoundsLike\tIPA\tDisplayAs\nI triple E\t\t\tIEEE\n");
    }

    #[test]
    fn keyterms_are_encoded_so_that_no_phrase_is_another_parameter() {
        assert_eq!(rendered(Engine::Deepgram), "keyterm=IEEE&keyterm=R%26D%20%3C%C3%A9%3E%20%22x%22");
    }

    #[test]
    fn a_prompt_is_a_glossary_and_of_nothing_nothing() {
        assert_eq!(rendered(Engine::Whisper), "Glossary: IEEE, R&D <é> \"x\".");
        assert_eq!(render(Engine::Whisper, &[]), "");
    }

    #[test]
    fn a_lexicon_is_escaped() {
        let lexicon = rendered(Engine::Pronunciation);
        assert!(lexicon.contains("<lexeme><grapheme>IEEE</grapheme><alias>I triple E</alias></lexeme>\n"));
        assert!(lexicon.contains("<grapheme>R&amp;D &lt;é&gt; \"x\"</grapheme></lexeme>"));
    }
}

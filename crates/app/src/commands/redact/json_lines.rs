//! JSON lines in, JSON lines out. Each line is a message of its own, and is answered before the next is waited for.

use std::{
    borrow::Cow,
    io::{BufRead, BufReader, Read, Write},
};

use parlance_domain::redaction::{Entity, EntitySet, Redactor, Speaker, Utterance};
use serde::{Deserialize, Serialize};

use super::Stopped;

/// Most bytes of a line, so that memory stays bounded whatever comes.
const LINE_MAX_BYTES: u64 = 64 * 1024 * 1024;

#[derive(Deserialize)]
struct Request<'line> {
    #[serde(borrow)]
    text: Cow<'line, str>,
    #[serde(borrow, default)]
    context: Vec<Cow<'line, str>>,
    #[serde(borrow, default)]
    entities: Option<Vec<Cow<'line, str>>>,
}

#[derive(Serialize)]
struct Reply<'text> {
    text: &'text str,
    spans: Vec<SpanView>,
}

/// A span with its offsets in Unicode scalar values of the text that came in.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct SpanView {
    start: usize,
    end: usize,
    label: &'static str,
}

pub(super) fn mask<R: Read>(
    mut input: BufReader<R>,
    output: &mut impl Write,
    active: EntitySet,
) -> Result<(), Stopped> {
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        if (&mut input).take(LINE_MAX_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        number += 1;
        let wrong = |wrong| Stopped::Line { number, wrong };
        if line.len() as u64 == LINE_MAX_BYTES && line.last() != Some(&b'\n') {
            return Err(wrong(format!("has more than {LINE_MAX_BYTES} bytes")));
        }
        answer(&line, output, active).map_err(wrong)??;
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
}

/// Answers one line, or says what is wrong with it.
fn answer(line: &[u8], output: &mut impl Write, active: EntitySet) -> Result<std::io::Result<()>, String> {
    let request: Request<'_> = serde_json::from_slice(line).map_err(|error| explain(&error))?;
    let active = request.entities.as_deref().map(read_entities).transpose()?.unwrap_or(active);
    let said = |text| Utterance { text, speaker: Speaker::Unknown };
    let context: Vec<_> = request.context.iter().map(|text| said(text.as_ref())).collect();
    let redaction = Redactor::new(active).redact(&request.text, &context);
    let found = redaction.spans.iter().map(|span| (span.start, span.end, span.entity.label()));
    let reply = Reply { text: &redaction.text, spans: in_characters(&request.text, found) };
    let text = serde_json::to_vec(&reply).map_err(|_| "has no JSON answer".to_owned())?;
    Ok(output.write_all(&text).and_then(|()| output.write_all(b"\n")))
}

fn read_entities(labels: &[Cow<'_, str>]) -> Result<EntitySet, String> {
    let entities = labels.iter().map(|label| Entity::from_label(label)).collect::<Option<_>>();
    entities.ok_or_else(|| "`entities` names what is no entity of the catalogue".to_owned())
}

fn explain(error: &serde_json::Error) -> String {
    if error.is_data() {
        return "must be an object {\"text\": text, \"context\"?: [text], \"entities\"?: [label]}".to_owned();
    }
    if error.is_eof() {
        return "is not whole JSON: the line ends too early".to_owned();
    }
    format!("is not JSON in UTF-8: see column {}", error.column().max(1))
}

/// Turns offsets in bytes, in ascending order, into offsets in characters.
fn in_characters(text: &str, found: impl Iterator<Item = (usize, usize, &'static str)>) -> Vec<SpanView> {
    let (mut bytes, mut characters) = (0, 0);
    let mut count_to = |offset: usize| {
        characters += text.get(bytes..offset).map_or(0, |passed| passed.chars().count());
        bytes = offset;
        characters
    };
    found.map(|(start, end, label)| SpanView { start: count_to(start), end: count_to(end), label }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(lines: &str) -> (String, Result<(), Stopped>) {
        let mut output = Vec::new();
        let outcome = mask(BufReader::new(lines.as_bytes()), &mut output, EntitySet::defaults());
        (String::from_utf8(output).unwrap(), outcome)
    }

    #[test]
    fn a_line_is_answered_with_its_masked_text_and_its_spans_in_characters() {
        let (output, outcome) = masked("{\"text\": \"é 🦀 ssn 219-09-9999\"}\n");
        assert_eq!(
            output,
            "{\"text\":\"é 🦀 ssn ***-**-9999\",\"spans\":[{\"start\":8,\"end\":19,\"label\":\"SSN\"}]}\n"
        );
        assert!(outcome.is_ok());
    }

    #[test]
    fn the_messages_before_are_its_context() {
        let asked = masked("{\"text\": \"123\", \"context\": [\"what is the security code on the back\"]}").0;
        assert_eq!(asked, "{\"text\":\"***\",\"spans\":[{\"start\":0,\"end\":3,\"label\":\"CVV\"}]}\n");
        assert_eq!(masked("{\"text\": \"123\"}").0, "{\"text\":\"123\",\"spans\":[]}\n");
    }

    #[test]
    fn a_line_may_name_its_own_entities() {
        let (output, _) = masked("{\"text\": \"zoe@example.com\", \"entities\": [\"EMAIL\"], \"id\": 7}\n");
        assert!(output.contains("***@example.com"), "{output}");
    }

    #[test]
    fn a_bad_line_is_reported_by_number_and_stops_it() {
        for bad in [
            "{\"text\": 7}",
            "{\"text\": \"a\"",
            "[]",
            "",
            "{\"text\": \"a\", \"entities\": [\"NONE\"]}",
            "{\"context\": []}",
        ] {
            let (output, outcome) = masked(&format!("{{\"text\": \"a\"}}\n{bad}\n{{\"text\": \"b\"}}\n"));
            assert_eq!(output, "{\"text\":\"a\",\"spans\":[]}\n", "{bad}");
            assert!(matches!(outcome, Err(Stopped::Line { number: 2, .. })), "{bad}");
        }
    }

    #[test]
    fn nothing_of_a_bad_line_is_repeated() {
        let (_, outcome) = masked("{\"text\": \"a\", \"entities\": [\"hush\"], \"context\": \"hush\"}");
        assert!(!outcome.unwrap_err().to_string().contains("hush"));
    }
}

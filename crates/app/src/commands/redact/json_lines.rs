//! Masks JSON lines. Each input line is one message. Its output line is written before the next line is awaited.

use std::{
    borrow::Cow,
    io::{BufRead, BufReader, Read, Write},
};

use parlance_domain::redaction::{EarlierSpan, Entity, EntitySet, Redactor, Speaker, Utterance};
use serde::{Deserialize, Serialize};

use super::{mask_error::MaskError, report::Report};

/// Maximum size of a line in bytes with its newline, which bounds the memory.
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    earlier: Vec<EarlierView>,
}

/// A span of the input text. Its offsets count Unicode scalar values.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct SpanView {
    start: usize,
    end: usize,
    label: &'static str,
}

/// The masked part of a value in an earlier message, without the readable tail of the value.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct EarlierView {
    /// Index of the message in `context`.
    message: usize,
    #[serde(flatten)]
    span: SpanView,
}

/// Masks each line of `input` with the active entities, or those that the line selects.
///
/// # Errors
/// [`MaskError`] at the first invalid line, or if reading or writing fails.
pub(super) fn mask<R: Read>(
    input: BufReader<R>,
    output: &mut impl Write,
    active: EntitySet,
    report: &mut Report,
) -> Result<(), MaskError> {
    mask_up_to(LINE_MAX_BYTES, input, output, active, report)
}

fn mask_up_to<R: Read>(
    max_line_bytes: u64,
    mut input: BufReader<R>,
    output: &mut impl Write,
    active: EntitySet,
    report: &mut Report,
) -> Result<(), MaskError> {
    let redactor = Redactor::new(active);
    let (mut line, mut reply) = (Vec::new(), Vec::new());
    let mut number = 0;
    loop {
        line.clear();
        if (&mut input).take(max_line_bytes + 1).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        number += 1;
        let invalid = |wrong| MaskError::InvalidLine { number, wrong };
        if line.len() as u64 > max_line_bytes {
            return Err(invalid(format!("has more than {max_line_bytes} bytes")));
        }
        reply.clear();
        mask_line(&line, &mut reply, &redactor, report).map_err(invalid)?;
        output.write_all(&reply)?;
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
}

/// Masks one line and writes the reply, or returns the reason why the line is invalid.
fn mask_line(line: &[u8], reply: &mut Vec<u8>, default: &Redactor, report: &mut Report) -> Result<(), String> {
    let request: Request<'_> = serde_json::from_slice(line).map_err(|error| describe(&error))?;
    let selected = request.entities.as_deref().map(read_entities).transpose()?.map(Redactor::new);
    let utterance = |text| Utterance { text, speaker: Speaker::Unknown };
    let context: Vec<_> = request.context.iter().map(|text| utterance(text.as_ref())).collect();
    let redaction = selected.as_ref().unwrap_or(default).redact(&request.text, &context);
    redaction.spans.iter().for_each(|span| report.add_value(span.entity));
    report.add_lines(1);
    let byte_spans = redaction.spans.iter().map(|span| (span.start, span.end, span.entity.label()));
    let view = Reply {
        text: &redaction.text,
        spans: in_characters(&request.text, byte_spans),
        earlier: redaction.earlier.iter().map(|earlier| view_earlier(*earlier, &context)).collect(),
    };
    serde_json::to_writer(&mut *reply, &view).map_err(|_| "cannot be answered in JSON".to_owned())?;
    reply.push(b'\n');
    Ok(())
}

fn read_entities(labels: &[Cow<'_, str>]) -> Result<EntitySet, String> {
    let entities = labels.iter().map(|label| Entity::from_label(label)).collect::<Option<_>>();
    entities.ok_or_else(|| "`entities` contains a label that is not in the catalogue".to_owned())
}

fn describe(error: &serde_json::Error) -> String {
    if error.is_data() {
        return "must be an object {\"text\": text, \"context\"?: [text], \"entities\"?: [label]}".to_owned();
    }
    if error.is_eof() {
        return "is incomplete JSON: the line ends too early".to_owned();
    }
    format!("is not JSON in UTF-8: see column {}", error.column().max(1))
}

fn view_earlier(EarlierSpan { utterance, span }: EarlierSpan, context: &[Utterance<'_>]) -> EarlierView {
    let text = context.get(utterance).map_or("", |message| message.text);
    let characters = |end| text.get(..end).map_or(0, |passed| passed.chars().count());
    let (start, end) = (characters(span.start), characters(span.visible_from));
    EarlierView { message: utterance, span: SpanView { start, end, label: span.entity.label() } }
}

/// Converts byte offsets, in ascending order, into character offsets.
fn in_characters(text: &str, byte_spans: impl Iterator<Item = (usize, usize, &'static str)>) -> Vec<SpanView> {
    let (mut bytes, mut characters) = (0, 0);
    let mut count_to = |offset: usize| {
        characters += text.get(bytes..offset).map_or(0, |passed| passed.chars().count());
        bytes = offset;
        characters
    };
    byte_spans.map(|(start, end, label)| SpanView { start: count_to(start), end: count_to(end), label }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(lines: &str) -> (String, Result<(), MaskError>) {
        masked_up_to(LINE_MAX_BYTES, lines)
    }

    fn masked_up_to(max_line_bytes: u64, lines: &str) -> (String, Result<(), MaskError>) {
        let mut output = Vec::new();
        let (input, active) = (BufReader::new(lines.as_bytes()), EntitySet::defaults());
        let outcome = mask_up_to(max_line_bytes, input, &mut output, active, &mut Report::default());
        (String::from_utf8(output).unwrap(), outcome)
    }

    #[test]
    fn the_answer_has_the_masked_text_and_spans_in_characters() {
        let (output, outcome) = masked("{\"text\": \"é 🦀 ssn 219-09-9999\"}\n");
        assert_eq!(
            output,
            "{\"text\":\"é 🦀 ssn ***-**-9999\",\"spans\":[{\"start\":8,\"end\":19,\"label\":\"SSN\"}]}\n"
        );
        assert!(outcome.is_ok());
    }

    #[test]
    fn earlier_messages_are_the_context() {
        let output = masked("{\"text\": \"123\", \"context\": [\"what is the security code on the back\"]}").0;
        assert_eq!(output, "{\"text\":\"***\",\"spans\":[{\"start\":0,\"end\":3,\"label\":\"CVV\"}]}\n");
        assert_eq!(masked("{\"text\": \"123\"}").0, "{\"text\":\"123\",\"spans\":[]}\n");
    }

    #[test]
    fn a_value_that_begins_in_an_earlier_message_is_reported_there() {
        let output = masked("{\"text\": \"1111 1111\", \"context\": [\"hi\", \"é my card is 4111 1111\"]}\n").0;
        assert!(
            output.contains("\"earlier\":[{\"message\":1,\"start\":13,\"end\":22,\"label\":\"CREDIT_CARD_NUMBER\"}]"),
            "{output}"
        );
    }

    #[test]
    fn a_line_can_select_entities() {
        let (output, _) = masked("{\"text\": \"zoe@example.com\", \"entities\": [\"EMAIL\"], \"id\": 7}\n");
        assert!(output.contains("***@example.com"), "{output}");
    }

    #[test]
    fn an_invalid_line_is_reported_by_number_and_stops_the_run() {
        for invalid in [
            "{\"text\": 7}",
            "{\"text\": \"a\"",
            "[]",
            "",
            "{\"text\": \"a\", \"entities\": [\"NONE\"]}",
            "{\"context\": []}",
        ] {
            let (output, outcome) = masked(&format!("{{\"text\": \"a\"}}\n{invalid}\n{{\"text\": \"b\"}}\n"));
            assert_eq!(output, "{\"text\":\"a\",\"spans\":[]}\n", "{invalid}");
            assert!(matches!(outcome, Err(MaskError::InvalidLine { number: 2, .. })), "{invalid}");
        }
    }

    #[test]
    fn a_line_has_at_most_the_maximum_size_whether_or_not_a_newline_ends_it() {
        let line = "{\"text\": \"a\"}";
        for (lines, size) in [(line.to_owned(), line.len()), (format!("{line}\n"), line.len() + 1)] {
            let size = size as u64;
            assert!(masked_up_to(size, &lines).1.is_ok());
            let error = masked_up_to(size - 1, &lines).1.unwrap_err();
            assert_eq!(error.to_string(), format!("line 1: has more than {} bytes", size - 1));
        }
        assert!(masked_up_to(line.len() as u64 + 1, &format!("{line}\n{line}\n{line}")).1.is_ok());
    }

    #[test]
    fn the_error_of_an_invalid_line_contains_nothing_from_it() {
        let (_, outcome) = masked("{\"text\": \"a\", \"entities\": [\"hush\"], \"context\": \"hush\"}");
        assert!(!outcome.unwrap_err().to_string().contains("hush"));
    }
}

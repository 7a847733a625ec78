//! The answer of the analyzer: findings with offsets in characters.

use parlance_domain::redaction::{EntitySet, ExternalSpan};
use serde::Deserialize;

use crate::{call_error::CallError, entity_types::entity_of};

/// One finding. Offsets count Unicode scalar values. Other members are ignored.
#[derive(Deserialize)]
struct Finding {
    entity_type: String,
    start: usize,
    end: usize,
    score: f64,
}

/// The spans of an answer about `text` with these entities and at least this score, with byte offsets.
///
/// # Errors
/// [`CallError::InvalidAnswer`] if the answer is no list of findings, or a finding does not lie in the text. Then the
/// analyzer may have examined another text.
pub(crate) fn parse(
    answer: &[u8],
    text: &str,
    entities: EntitySet,
    min_score: f64,
) -> Result<Vec<ExternalSpan>, CallError> {
    let findings: Vec<Finding> =
        serde_json::from_slice(answer).map_err(|_| CallError::InvalidAnswer("it is no list of findings"))?;
    let offsets = if findings.is_empty() { Vec::new() } else { byte_offsets(text) };
    let mut spans = Vec::new();
    for finding in findings {
        let (start, end) = (offsets.get(finding.start), offsets.get(finding.end));
        let (Some(start), Some(end)) = (start.copied(), end.copied()) else {
            return Err(CallError::InvalidAnswer("a finding ends outside the text"));
        };
        let Some(found) = text.get(start..end) else {
            return Err(CallError::InvalidAnswer("a finding ends before its start"));
        };
        let entity = entity_of(&finding.entity_type, found).filter(|entity| entities.contains(*entity));
        let is_finding = start < end && finding.score >= min_score;
        spans.extend(entity.filter(|_| is_finding).map(|entity| ExternalSpan { start, end, entity }));
    }
    Ok(spans)
}

/// The byte offset of each character, and of the end of the text.
fn byte_offsets(text: &str) -> Vec<usize> {
    text.char_indices().map(|(offset, _)| offset).chain([text.len()]).collect()
}

#[cfg(test)]
mod tests {
    use parlance_domain::redaction::Entity;

    use super::*;

    fn spans(answer: &str, text: &str) -> Result<Vec<ExternalSpan>, CallError> {
        let entities = [Entity::PERSON_NAME, Entity::EMAIL].into_iter().collect();
        parse(answer.as_bytes(), text, entities, 0.5)
    }

    fn person(start: usize, end: usize) -> String {
        format!(r#"[{{"entity_type": "PERSON", "start": {start}, "end": {end}, "score": 0.85}}]"#)
    }

    #[test]
    fn offsets_in_characters_become_offsets_in_bytes() {
        let name = ExternalSpan { start: 9, end: 13, entity: Entity::PERSON_NAME };
        assert_eq!(spans(&person(5, 8), "🦀, é Zoë"), Ok(vec![ExternalSpan { start: 9, end: 13, ..name }]));
        assert_eq!("🦀, é Zoë".get(9..13), Some("Zoë"));
    }

    #[test]
    fn other_members_of_a_finding_are_ignored() {
        let answer = r#"[{"entity_type": "PERSON", "start": 0, "end": 3, "score": 1, "analysis_explanation": null}]"#;
        assert_eq!(spans(answer, "Zoe").map(|spans| spans.len()), Ok(1));
    }

    #[test]
    fn a_finding_with_a_low_score_or_another_entity_is_left_out() {
        let low = r#"[{"entity_type": "PERSON", "start": 0, "end": 3, "score": 0.4}]"#;
        let other = r#"[{"entity_type": "PHONE_NUMBER", "start": 0, "end": 3, "score": 1.0}]"#;
        assert_eq!((spans(low, "Zoe"), spans(other, "Zoe"), spans("[]", "Zoe")), (Ok(vec![]), Ok(vec![]), Ok(vec![])));
    }

    #[test]
    fn an_answer_that_does_not_fit_the_text_is_invalid() {
        for answer in [person(0, 4), person(4, 5), person(3, 1), person(0, usize::MAX)] {
            assert!(spans(&answer, "Zoe").is_err(), "{answer}");
        }
    }

    #[test]
    fn an_answer_that_is_no_list_of_findings_is_invalid() {
        for answer in ["", "{}", "null", "[1]", r#"[{"start": 0, "end": 1}]"#, "<html>", r#"{"error": "x"}"#] {
            assert!(spans(answer, "Zoe").is_err(), "{answer}");
        }
        assert!(spans(&person(0, 1).replace("\"start\": 0", "\"start\": -1"), "Zoe").is_err());
    }
}

//! The report of `parlance redact`: how often each entity was masked.

use std::collections::BTreeMap;

use parlance_domain::redaction::{Entity, Span};
use serde::Serialize;

/// The counts of one entity.
#[derive(Default)]
struct Count {
    lines: u64,
    values: u64,
    /// The number of the last line with a value. It is counted once.
    last_line: Option<u64>,
}

/// Counts lines and values.
#[derive(Default)]
pub(super) struct Report {
    /// The lines that have ended.
    lines: u64,
    /// Whether the last text did not end with a line.
    has_open_line: bool,
    entities: BTreeMap<Entity, Count>,
}

#[derive(Serialize)]
struct ReportView {
    complete: bool,
    messages: u64,
    entities: Vec<CountView>,
}

#[derive(Serialize)]
struct CountView {
    entity: &'static str,
    messages: u64,
    values: u64,
}

impl Report {
    /// Adds a value that begins on the current line.
    pub(super) fn add_value(&mut self, entity: Entity) {
        let count = self.entities.entry(entity).or_default();
        count.values += 1;
        if count.last_line.replace(self.lines) != Some(self.lines) {
            count.lines += 1;
        }
    }

    /// Adds the next part of a plain text, with the spans of the part in order.
    pub(super) fn add_text(&mut self, part: &str, spans: &[Span]) {
        let mut done = 0;
        for span in spans {
            self.add_line_breaks(part.get(done..span.start));
            self.add_value(span.entity);
            done = span.start;
        }
        self.add_line_breaks(part.get(done..));
        self.has_open_line = if part.is_empty() { self.has_open_line } else { !part.ends_with('\n') };
    }

    fn add_line_breaks(&mut self, part: Option<&str>) {
        let line_breaks = part.unwrap_or_default().bytes().filter(|byte| *byte == b'\n').count();
        self.add_lines(line_breaks as u64);
    }

    /// Moves on by this many lines.
    pub(super) fn add_lines(&mut self, lines: u64) {
        self.lines += lines;
    }

    /// The counts as JSON, with the members of the back-test. A line is a message.
    pub(super) fn to_json(&self) -> Result<String, serde_json::Error> {
        let view = |(entity, count): (&Entity, &Count)| CountView {
            entity: entity.label(),
            messages: count.lines,
            values: count.values,
        };
        let entities = self.entities.iter().map(view).collect();
        let report = ReportView { complete: true, messages: self.lines + u64::from(self.has_open_line), entities };
        serde_json::to_string_pretty(&report).map(|json| json + "\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_several_values_of_an_entity_is_counted_once() {
        let mut report = Report::default();
        for values in [2, 0, 1] {
            (0..values).for_each(|_| report.add_value(Entity::SSN));
            report.add_lines(1);
        }
        let json: serde_json::Value = serde_json::from_str(&report.to_json().unwrap()).unwrap();
        let counts = serde_json::json!([{"entity": "SSN", "messages": 2, "values": 3}]);
        assert_eq!(json, serde_json::json!({"complete": true, "messages": 3, "entities": counts}));
    }
}

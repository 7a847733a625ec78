//! Labelled messages: reading them, and the figures of a tagger on them.

use crate::perceptron::ByteWeights;
use parlance_redaction::tagger_training::{self, LabelledRun, LabelledValue, begins};
use parlance_redaction::{Entity, EntitySet, Speaker, Utterance};
use serde_json::Value;
use std::collections::BTreeMap;

/// A labelled message.
#[derive(Clone)]
pub(crate) struct Example {
    pub(crate) text: String,
    pub(crate) context: Vec<String>,
    /// Names and addresses.
    pub(crate) values: Vec<LabelledValue>,
    /// The bytes of all labelled values.
    pub(crate) all: Vec<std::ops::Range<usize>>,
    pub(crate) style: String,
    /// The entities of which every value is labelled.
    pub(crate) covered: EntitySet,
}

impl Example {
    /// The runs of the message, and the number of values that the candidates miss.
    pub(crate) fn labelled(&self, withhold: tagger_training::WithholdFn<'_>) -> (Vec<LabelledRun>, usize) {
        let context: Vec<_> = self.context.iter().map(|text| Utterance { text, speaker: Speaker::Unknown }).collect();
        tagger_training::labelled_runs(&self.text, &context, &self.values, self.covered, withhold)
    }
}

/// Reads a file of messages.
pub(crate) fn read(path: &str) -> Result<Vec<Example>, String> {
    let content = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let lines = content.lines().enumerate().filter(|(_, line)| !line.is_empty());
    lines.map(|(at, line)| parse(line).ok_or_else(|| format!("{path}: line {} is no message", at + 1))).collect()
}

fn parse(line: &str) -> Option<Example> {
    let record: Value = serde_json::from_str(line).ok()?;
    let text = record["text"].as_str()?.to_owned();
    let offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let (mut values, mut all) = (Vec::new(), Vec::new());
    for span in record["spans"].as_array()? {
        let byte = |key: &str| offsets.get(usize::try_from(span[key].as_u64()?).ok()?).copied();
        let bytes = byte("start")?..byte("end")?;
        let label = span["label"].as_str()?;
        if label == "PERSON_NAME" || label == "STREET_ADDRESS" {
            values.push(LabelledValue { bytes: bytes.clone(), is_address: label == "STREET_ADDRESS" });
        }
        all.push(bytes);
    }
    let strings = |key: &str| {
        record[key].as_array().map(|list| list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
    };
    let style = record["style"].as_str().unwrap_or("").to_owned();
    let covered: Option<Vec<String>> = strings("covered");
    let covered =
        covered.map_or(EntitySet::all(), |list| list.iter().filter_map(|label| Entity::from_label(label)).collect());
    Some(Example { text, context: strings("context").unwrap_or_default(), values, all, style, covered })
}

/// Values, findings and values found with both borders right.
type Counts = [usize; 3];

/// Prints precision and recall of whole values, by style and entity.
pub(crate) fn report(path: &str, examples: &[Example], weights: &ByteWeights, show: bool) {
    let mut tally: BTreeMap<(String, &str), Counts> = BTreeMap::new();
    let mut labels = Vec::new();
    for example in examples {
        let (runs, missed) = example.labelled(&|_, _| (false, false));
        if show && missed > 0 {
            println!("  no candidate: {}", marked(example));
        }
        for run in runs {
            tagger_training::decode_run(weights, &run, &[[0; 5]; 5], &mut labels);
            let found = spans(&labels);
            let gold = spans(&run.labels);
            for (list, slot) in [(&gold, 0), (&found, 1)] {
                for span in list {
                    tally.entry((example.style.clone(), span.0.label())).or_default()[slot] += 1;
                }
            }
            if show && gold != found {
                println!("  {labels:?} for {:?} in {}", run.labels, marked(example));
            }
            for span in gold.iter().filter(|span| found.contains(span)) {
                tally.entry((example.style.clone(), span.0.label())).or_default()[2] += 1;
            }
        }
    }
    println!("{path}");
    for ((style, entity), [gold, found, right]) in tally {
        println!(
            "  {style:9} {entity:15} {gold:6} values, {found:6} found, {right:6} whole: {}",
            percent(right, gold, found)
        );
    }
}

/// The text of a message with its names and addresses in brackets.
fn marked(example: &Example) -> String {
    let (mut text, mut done) = (String::new(), 0);
    for value in &example.values {
        text.push_str(&example.text[done..value.bytes.start]);
        text.extend(["[", &example.text[value.bytes.clone()], "]"]);
        done = value.bytes.end;
    }
    text + &example.text[done..]
}

fn percent(right: usize, gold: usize, found: usize) -> String {
    let share = |of: usize| right * 1000 / of.max(1);
    format!("recall {:4} precision {:4} (of 1000)", share(gold), share(found))
}

fn spans(labels: &[u8]) -> Vec<(Entity, usize, usize)> {
    let mut spans: Vec<(Entity, usize, usize)> = Vec::new();
    for (at, label) in labels.iter().enumerate() {
        if let Some(entity) = begins(*label) {
            spans.push((entity, at, at + 1));
        } else if *label != 0
            && let Some(last) = spans.last_mut()
        {
            last.2 = at + 1;
        }
    }
    spans
}

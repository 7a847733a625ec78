//! Labelled messages.

use parlance_redaction::{Confidence, DetectionReason, Span};
use parlance_redaction::{Entity, EntitySet, Speaker, mask_spans};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// A labelled value of a message. Offsets are bytes.
#[derive(Clone)]
pub(crate) struct Value {
    pub(crate) start: usize,
    pub(crate) end: usize,
    visible_from: usize,
    entity: Entity,
    /// The number of the entity in [`EntitySet::all`], from 1 on; -1 if it does not count.
    pub(crate) label: i16,
}

/// A labelled message.
pub(crate) struct Record {
    pub(crate) id: String,
    pub(crate) is_negative: bool,
    text: String,
    values: Vec<Value>,
    pub(crate) context: Vec<String>,
    pub(crate) masked_context: Vec<String>,
    pub(crate) speakers: Vec<Speaker>,
    /// The numbers of the entities whose values are labelled; `None` if all are.
    pub(crate) covered: Option<Vec<i16>>,
}

impl Record {
    /// The text and the values that it shows, of which each is masked with a probability.
    pub(crate) fn masked(&self, probability: Option<f64>, dice: &mut Dice) -> (String, Vec<Value>) {
        let Some(probability) = probability else { return (self.text.clone(), self.values.clone()) };
        let (hidden, shown): (Vec<_>, Vec<_>) = self.values.iter().cloned().partition(|_| dice.is_below(probability));
        let text = mask_values(&self.text, &hidden);
        let moved = |value: &Value| {
            let before = hidden.iter().filter(|other| other.end <= value.start).cloned().collect::<Vec<_>>();
            let start = mask_values(&self.text[..value.start], &before).len();
            Value { start, end: start + value.end - value.start, ..value.clone() }
        };
        (text, shown.iter().map(moved).collect())
    }
}

/// Reads a file of messages.
pub(crate) fn read(path: &str) -> Result<Vec<Record>, String> {
    let content = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let lines = content.lines().filter(|line| !line.is_empty());
    let mut records: Vec<Record> = lines
        .enumerate()
        .map(|(at, line)| parse(line).ok_or_else(|| format!("{path}: line {} is no message", at + 1)))
        .collect::<Result<_, _>>()?;
    let masked: BTreeMap<_, _> =
        records.iter().map(|record| (record.id.clone(), mask_values(&record.text, &record.values))).collect();
    for record in &mut records {
        let conversation = record.id.rsplit_once(":m").map_or("", |(conversation, _)| conversation).to_owned();
        for (at, message) in record.context.iter().enumerate() {
            let hidden = masked.get(&format!("{conversation}:m{}", at + 1));
            record.masked_context.push(hidden.unwrap_or(message).clone());
        }
    }
    Ok(records)
}

fn parse(line: &str) -> Option<Record> {
    let record: Json = serde_json::from_str(line).ok()?;
    let text = record["text"].as_str()?.to_owned();
    let offsets: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let values = record["spans"].as_array()?.iter().map(|span| value(&text, &offsets, span)).collect::<Option<_>>()?;
    let strings = |key: &str| -> Vec<String> {
        record[key]
            .as_array()
            .map(|list| list.iter().filter_map(Json::as_str).map(str::to_owned).collect())
            .unwrap_or_default()
    };
    let (context, roles) = (strings("context"), strings("roles"));
    let speaker = |at: usize| match (roles.get(at), roles.last()) {
        (Some(role), Some(last)) if role == last => Speaker::Same,
        (Some(_), Some(_)) => Speaker::Other,
        _ => Speaker::Unknown,
    };
    Some(Record {
        id: record["id"].as_str().unwrap_or("").to_owned(),
        is_negative: record["kind"] == "negative",
        speakers: (0..context.len()).map(speaker).collect(),
        covered: record["covered"].as_array().map(|_| strings("covered").iter().map(|label| number(label)).collect()),
        text,
        values,
        context,
        masked_context: Vec::new(),
    })
}

fn value(text: &str, offsets: &[usize], span: &Json) -> Option<Value> {
    let place = |key: &str| offsets.get(usize::try_from(span[key].as_u64()?).ok()?).copied();
    let (start, end, label) = (place("start")?, place("end")?, span["label"].as_str()?);
    let kept = span["keep"].as_u64().unwrap_or(0);
    let visible_from = match kept {
        0 => end,
        kept => {
            let alphanumeric =
                text[start..end].char_indices().filter(|(_, c)| c.is_alphanumeric()).map(|(at, _)| start + at);
            alphanumeric.rev().nth(usize::try_from(kept).ok()? - 1).unwrap_or(start)
        }
    };
    let entity = Entity::from_label(label)?;
    Some(Value { start, end, visible_from, entity, label: number(label) })
}

/// The number of an entity; -1 if the classifier does not learn it.
fn number(label: &str) -> i16 {
    if matches!(label, "NUMERIC_SEQUENCE" | "PROFANITY") {
        return -1;
    }
    let at = EntitySet::all().iter().position(|entity| entity.label() == label);
    at.and_then(|at| i16::try_from(at + 1).ok()).unwrap_or(-1)
}

fn mask_values(text: &str, values: &[Value]) -> String {
    let Some(confidence) = Confidence::from_percent(100) else { return text.to_owned() };
    let mut spans: Vec<_> = values
        .iter()
        .map(|value| Span {
            start: value.start,
            end: value.end,
            visible_from: value.visible_from,
            entity: value.entity,
            reason: DetectionReason::Cue,
            confidence,
        })
        .collect();
    spans.sort_by_key(|span| span.start);
    mask_spans(text, &spans)
}

/// Random numbers of a seed (`SplitMix64`).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Whether the next number from 0 to 1 is below this one.
    pub(crate) fn is_below(&mut self, probability: f64) -> bool {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        f64::from(u32::try_from((z ^ (z >> 31)) >> 32).unwrap_or(0)) < probability * f64::from(u32::MAX)
    }
}

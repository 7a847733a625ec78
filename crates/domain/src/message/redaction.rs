//! The redaction of messages: before they are stored, and again when they are read.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    message::{MaskUpdate, Message, Sender},
    redaction::{
        ActiveEntityCache, EarlierSpan, Entity, EntitySet, MAX_CONTEXT, MaskingMeter, NoopMaskingMeter, Redactor, Span,
        Speaker, TextRedaction, Utterance, mask_spans,
    },
    text::MessageText,
};

/// Redacts the texts of messages with the active entities of their tenant.
#[derive(Clone)]
pub struct MessageRedaction {
    redaction: TextRedaction,
    active_sets: ActiveEntityCache,
    meter: Arc<dyn MaskingMeter>,
}

/// The messages directly before and after a page.
#[derive(Clone, Copy, Default)]
pub(super) struct ContextWindow<'page> {
    pub(super) before: &'page [Message],
    pub(super) after: &'page [Message],
}

/// A redacted message, and the updates of stored messages that it causes.
pub(super) struct RedactedMessage {
    pub(super) message: Message,
    pub(super) retroactive: Vec<MaskUpdate>,
    /// The entities that were found, one for each masked span.
    pub(super) found: Vec<Entity>,
}

impl MessageRedaction {
    /// Redacts with `redaction`. `active_sets` provides the active entities of each tenant.
    #[must_use]
    pub fn new(redaction: TextRedaction, active_sets: ActiveEntityCache) -> Self {
        Self { redaction, active_sets, meter: Arc::new(NoopMaskingMeter) }
    }

    /// The same redaction, counted by this meter.
    #[must_use]
    pub fn with_meter(self, meter: Arc<dyn MaskingMeter>) -> Self {
        Self { meter, ..self }
    }

    /// Counts the masked spans of a message that was stored.
    pub(super) fn count_masked(&self, found: &[Entity]) {
        for entity in found {
            self.meter.record_masked(*entity);
        }
    }

    pub(super) async fn active_entities(&self, tenant: &TenantId) -> Result<EntitySet, StoreError> {
        self.active_sets.for_tenant(tenant).await
    }

    /// Redacts a new message, and the later messages of `tail` again, as if all of them arrived in chronological order.
    /// Sensitive values that this reveals in other messages of `tail` are masked there. `tail` holds the newest
    /// messages of the conversation, oldest first.
    pub(super) async fn redact_for_write(
        &self,
        message: &Message,
        tail: &[Message],
        active: EntitySet,
    ) -> Result<RedactedMessage, StoreError> {
        let position = message.position();
        let index = tail.partition_point(|other| other.position() < position);
        let mut all = tail.to_vec();
        all.insert(index, message.clone());
        let mut found = Vec::new();
        for at in index..all.len() {
            let Some(one) = all.get(at) else { continue };
            // Entities that were inactive when a message was stored are not masked in its stored text later.
            let entities =
                if at == index { active } else { EntitySet::from_bits(active.bits() & one.masked_with.bits()) };
            if at != index && !needs_context(&one.text, entities) {
                continue;
            }
            let context = context_before(&all, at, entities);
            let first = at - context.len();
            let redaction =
                self.redaction.redact(one.text.as_str(), &utterances(context, &one.sender), entities).await?;
            found.extend(redaction.spans.iter().filter(|_| at == index).map(|span| span.entity));
            found.extend(redaction.earlier.iter().map(|earlier| earlier.span.entity));
            let (text, earlier_spans) = (redaction.text.into_owned(), by_utterance(&redaction.earlier));
            set_text(&mut all, at, text)?;
            for (utterance, spans) in earlier_spans {
                let earlier =
                    all.get(first + utterance).map(|one| mask_spans(one.text.as_str(), &merge_overlapping(spans)));
                set_text(&mut all, first + utterance, earlier.unwrap_or_default())?;
            }
        }
        let message = all.remove(index);
        let changed = tail.iter().zip(all).filter(|(before, after)| before.text != after.text);
        let update = |(before, after): (&Message, Message)| MaskUpdate {
            position: after.position(),
            expected: before.text.clone(),
            masked: after.text,
        };
        Ok(RedactedMessage { message, retroactive: changed.map(update).collect(), found })
    }

    /// Redacts those stored messages again that were not masked with all of `active`. `window` holds the stored
    /// messages directly before and after them.
    pub(super) async fn redact_for_read(
        &self,
        stored: Vec<Message>,
        window: ContextWindow<'_>,
        active: EntitySet,
    ) -> Result<Vec<Message>, StoreError> {
        let following = window.after.iter().take(MAX_CONTEXT);
        if !stored.iter().chain(following.clone()).any(|message| message.needs_redaction(active)) {
            return Ok(stored);
        }
        let all: Vec<_> = window.before.iter().chain(&stored).chain(following).cloned().collect();
        let page = window.before.len()..window.before.len() + stored.len();
        let mut redacted = stored;
        let mut earlier_spans: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
        for (index, message) in
            all.iter().enumerate().skip(page.start).filter(|(_, message)| message.needs_redaction(active))
        {
            let context = context_before(&all, index, active);
            let utterances = utterances(context, &message.sender);
            let redaction = self.redaction.redact(message.text.as_str(), &utterances, active).await?;
            for (utterance, spans) in by_utterance(&redaction.earlier) {
                earlier_spans.entry(index - context.len() + utterance).or_default().extend(spans);
            }
            if let Some(redacted) = redacted.get_mut(index - page.start) {
                redacted.text = parse(redaction.text.into_owned())?;
            }
        }
        // Only messages of the page change: those before it are already returned, those after it come with the next.
        for (index, spans) in earlier_spans.range(page.clone()) {
            let (Some(message), Some(redacted)) = (all.get(*index), redacted.get_mut(index - page.start)) else {
                continue;
            };
            let masked = mask_spans(message.text.as_str(), &merge_overlapping(spans.clone()));
            let utterances = utterances(context_before(&all, *index, active), &message.sender);
            let redaction = self.redaction.redact(&masked, &utterances, active).await?;
            redacted.text = parse(redaction.text.into_owned())?;
        }
        Ok(redacted)
    }
}

/// Whether earlier messages can affect the redaction of a text.
pub(super) fn needs_context(text: &MessageText, active: EntitySet) -> bool {
    Redactor::new(active).needs_context(text.as_str())
}

/// The context of the message at `index`, oldest first; empty if context cannot affect its redaction.
fn context_before(all: &[Message], index: usize, active: EntitySet) -> &[Message] {
    let before = all.get(index.saturating_sub(MAX_CONTEXT)..index).unwrap_or_default();
    let is_needed = || all.get(index).is_some_and(|message| needs_context(&message.text, active));
    if before.is_empty() || !is_needed() { &[] } else { before }
}

/// The newest of these messages, as many as can be the context of the next one.
pub(super) fn context_tail(messages: &[Message]) -> &[Message] {
    messages.get(messages.len().saturating_sub(MAX_CONTEXT)..).unwrap_or_default()
}

/// The messages as input of the redaction engine. The speaker of each is relative to `sender`.
fn utterances<'context>(context: &'context [Message], sender: &Sender) -> Vec<Utterance<'context>> {
    let speaker = |message: &Message| if message.sender == *sender { Speaker::Same } else { Speaker::Other };
    context.iter().map(|message| Utterance { text: message.text.as_str(), speaker: speaker(message) }).collect()
}

fn by_utterance(earlier: &[EarlierSpan]) -> BTreeMap<usize, Vec<Span>> {
    earlier.iter().fold(BTreeMap::new(), |mut spans, found| {
        spans.entry(found.utterance).or_insert_with(Vec::new).push(found.span);
        spans
    })
}

/// Sorts spans and merges those that overlap. A merged span has no readable tail.
fn merge_overlapping(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|span| (span.start, span.end));
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if *last == span => {}
            Some(last) if span.start < last.end => {
                last.end = last.end.max(span.end);
                last.visible_from = last.end;
            }
            _ => merged.push(span),
        }
    }
    merged
}

/// Replaces the text of the message at `index`.
fn set_text(messages: &mut [Message], index: usize, text: String) -> Result<(), StoreError> {
    if let Some(message) = messages.get_mut(index) {
        message.text = parse(text)?;
    }
    Ok(())
}

/// Parses a masked text. A mask never makes a text empty and never adds a NUL.
fn parse(masked: String) -> Result<MessageText, StoreError> {
    MessageText::parse(masked).map_err(|broken| StoreError::new(StoreErrorKind::Unexpected, broken))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redaction::DetectionReason;

    fn span(start: usize, end: usize) -> Span {
        Span { start, end, visible_from: end, entity: Entity::SSN, reason: DetectionReason::SplitNumber }
    }

    #[test]
    fn overlapping_spans_are_merged_and_duplicates_are_dropped() {
        let merged = merge_overlapping(vec![span(4, 9), span(0, 3), span(0, 3), span(7, 11)]);
        assert_eq!(merged, [span(0, 3), span(4, 11)]);
    }
}

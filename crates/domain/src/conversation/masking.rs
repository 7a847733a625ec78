//! How messages are masked: before they are stored, and again on their way out.

use std::{collections::BTreeMap, sync::Arc};

use super::{Message, Remask, Sender};
use crate::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    redaction::{
        ActiveSets, EarlierSpan, Entity, EntitySet, MAX_CONTEXT, MaskingMeter, Redactor, Span, Speaker, TextRedaction,
        Unmetered, Utterance, mask_spans,
    },
    text::MessageText,
};

/// Masks the texts of messages with what is active for their tenant.
#[derive(Clone)]
pub struct Masking {
    redaction: TextRedaction,
    active: ActiveSets,
    meter: Arc<dyn MaskingMeter>,
}

/// The messages around those that are given out.
#[derive(Clone, Copy, Default)]
pub(super) struct Around<'page> {
    pub(super) before: &'page [Message],
    pub(super) after: &'page [Message],
}

/// A message as it may be stored, and what must become of others with it.
pub(super) struct Masked {
    pub(super) message: Message,
    pub(super) others: Vec<Remask>,
    /// What was found, once for each place.
    pub(super) found: Vec<Entity>,
}

impl Masking {
    /// Masks by this redaction what these sets hold.
    #[must_use]
    pub fn new(redaction: TextRedaction, active: ActiveSets) -> Self {
        Self { redaction, active, meter: Arc::new(Unmetered) }
    }

    /// The same, counted by this meter.
    #[must_use]
    pub fn metered_by(self, meter: Arc<dyn MaskingMeter>) -> Self {
        Self { meter, ..self }
    }

    /// Counts what was masked in a message that is stored now.
    pub(super) fn count(&self, found: &[Entity]) {
        for entity in found {
            self.meter.masked(*entity);
        }
    }

    pub(super) async fn active(&self, tenant: &TenantId) -> Result<EntitySet, StoreError> {
        self.active.of(tenant).await
    }

    /// Masks a message that arrives, as if it and those of `seen` that stand after it arrived in their order: what it
    /// brings to light in others is masked there. `seen` are the newest messages, oldest first.
    pub(super) async fn incoming(
        &self,
        message: &Message,
        seen: &[Message],
        active: EntitySet,
    ) -> Result<Masked, StoreError> {
        let position = message.position();
        let place = seen.partition_point(|other| other.position() < position);
        let mut all = seen.to_vec();
        all.insert(place, message.clone());
        let mut found = Vec::new();
        for at in place..all.len() {
            let Some(one) = all.get(at) else { continue };
            // What was not active when a message was stored is not written into it afterwards.
            let sought =
                if at == place { active } else { EntitySet::from_bits(active.bits() & one.masked_with.bits()) };
            if at != place && !wants_context(&one.text, sought) {
                continue;
            }
            let context = context_of(&all, at, sought);
            let first = at - context.len();
            let redaction = self.redaction.redact(one.text.as_str(), &utterances(context, &one.sender), sought).await?;
            found.extend(redaction.spans.iter().filter(|_| at == place).map(|span| span.entity));
            found.extend(redaction.earlier.iter().map(|earlier| earlier.span.entity));
            let (text, spread) = (redaction.text.into_owned(), by_message(&redaction.earlier));
            put(&mut all, at, text)?;
            for (utterance, spans) in spread {
                let earlier = all.get(first + utterance).map(|one| mask_spans(one.text.as_str(), &apart(spans)));
                put(&mut all, first + utterance, earlier.unwrap_or_default())?;
            }
        }
        let message = all.remove(place);
        let changed = seen.iter().zip(all).filter(|(was, is)| was.text != is.text);
        let remask = |(was, is): (&Message, Message)| Remask {
            position: is.position(),
            was: was.text.clone(),
            becomes: is.text,
        };
        Ok(Masked { message, others: changed.map(remask).collect(), found })
    }

    /// Masks again those messages that were stored when something was not active that is active now. `around` are the
    /// messages that stand before the first and after the last of them, as they are stored.
    pub(super) async fn outgoing(
        &self,
        stored: Vec<Message>,
        around: Around<'_>,
        active: EntitySet,
    ) -> Result<Vec<Message>, StoreError> {
        let following = around.after.iter().take(MAX_CONTEXT);
        if !stored.iter().chain(following.clone()).any(|message| lacks(message, active)) {
            return Ok(stored);
        }
        let all: Vec<_> = around.before.iter().chain(&stored).chain(following).cloned().collect();
        let given = around.before.len()..around.before.len() + stored.len();
        let mut shown = stored;
        let mut spread: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
        for (place, message) in all.iter().enumerate().skip(given.start).filter(|(_, message)| lacks(message, active)) {
            let context = context_of(&all, place, active);
            let utterances = utterances(context, &message.sender);
            let redaction = self.redaction.redact(message.text.as_str(), &utterances, active).await?;
            for (utterance, spans) in by_message(&redaction.earlier) {
                spread.entry(place - context.len() + utterance).or_default().extend(spans);
            }
            if let Some(shown) = shown.get_mut(place - given.start) {
                shown.text = parse(redaction.text.into_owned())?;
            }
        }
        // What stands before was given out already, what stands after is still to be: neither is touched.
        for (place, spans) in spread.range(given.clone()) {
            let (Some(message), Some(shown)) = (all.get(*place), shown.get_mut(place - given.start)) else { continue };
            let pieces = mask_spans(message.text.as_str(), &apart(spans.clone()));
            let utterances = utterances(context_of(&all, *place, active), &message.sender);
            let again = self.redaction.redact(&pieces, &utterances, active).await?;
            shown.text = parse(again.text.into_owned())?;
        }
        Ok(shown)
    }
}

/// Whether the messages before a text could change what is masked in it.
pub(super) fn wants_context(text: &MessageText, active: EntitySet) -> bool {
    Redactor::new(active).wants_context(text.as_str())
}

/// Whether something is active that was not when the message was stored.
pub(super) fn lacks(message: &Message, active: EntitySet) -> bool {
    falls_short(message.masked_with, active)
}

/// Whether something is active that a text was not masked with.
pub(crate) fn falls_short(masked_with: EntitySet, active: EntitySet) -> bool {
    active.bits() & !masked_with.bits() != 0
}

/// The messages before the one at `place` that count, oldest first; none where they could change nothing.
fn context_of(all: &[Message], place: usize, active: EntitySet) -> &[Message] {
    let before = all.get(place.saturating_sub(MAX_CONTEXT)..place).unwrap_or_default();
    let wanted = || all.get(place).is_some_and(|message| wants_context(&message.text, active));
    if before.is_empty() || !wanted() { &[] } else { before }
}

/// The newest of these messages that can be the context of the next.
pub(super) fn tail(messages: &[Message]) -> &[Message] {
    messages.get(messages.len().saturating_sub(MAX_CONTEXT)..).unwrap_or_default()
}

/// Messages as the engine takes them, seen from who sends the text at hand.
fn utterances<'context>(context: &'context [Message], sender: &Sender) -> Vec<Utterance<'context>> {
    let speaker = |message: &Message| if message.sender == *sender { Speaker::Same } else { Speaker::Other };
    context.iter().map(|message| Utterance { text: message.text.as_str(), speaker: speaker(message) }).collect()
}

fn by_message(earlier: &[EarlierSpan]) -> BTreeMap<usize, Vec<Span>> {
    earlier.iter().fold(BTreeMap::new(), |mut spans, found| {
        spans.entry(found.utterance).or_insert_with(Vec::new).push(found.span);
        spans
    })
}

/// Spans in order and without overlap. Of two that overlap nothing stays readable.
fn apart(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|span| (span.start, span.end));
    let mut apart: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match apart.last_mut() {
            Some(last) if *last == span => {}
            Some(last) if span.start < last.end => {
                last.end = last.end.max(span.end);
                last.shown_from = last.end;
            }
            _ => apart.push(span),
        }
    }
    apart
}

/// Gives the message at `place` another text.
fn put(messages: &mut [Message], place: usize, text: String) -> Result<(), StoreError> {
    if let Some(message) = messages.get_mut(place) {
        message.text = parse(text)?;
    }
    Ok(())
}

/// A masked text is a text again: no mask makes one empty, nor puts a NUL into it.
fn parse(masked: String) -> Result<MessageText, StoreError> {
    MessageText::parse(masked).map_err(|broken| StoreError::new(StoreErrorKind::Unexpected, broken))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redaction::Reason;

    fn span(start: usize, end: usize) -> Span {
        Span { start, end, shown_from: end, entity: Entity::SSN, reason: Reason::Spread }
    }

    #[test]
    fn spans_that_overlap_become_one_and_doubles_are_dropped() {
        assert_eq!(apart(vec![span(4, 9), span(0, 3), span(0, 3), span(7, 11)]), [span(0, 3), span(4, 11)]);
    }
}

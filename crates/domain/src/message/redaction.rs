//! The redaction of messages: before they are stored, and again when they are read.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    access::TenantId,
    error::StoreError,
    message::{
        MaskUpdate, Message, NewMessage, Role, Sender,
        earlier_spans::{by_utterance, merge_overlapping},
        masked_message::{masked_message, redacted_message},
        number_run,
    },
    redaction::{
        ActiveEntityCache, Entity, EntitySet, ExternalFindings, IdentifierCheck, IdentifierField, IdentifierPolicy,
        MAX_CONTEXT, MaskingMeter, OpenSpan, RedactionTracer, Redactor, SensitiveIdentifiers, Span, Speaker,
        TextRedaction, Utterance,
    },
    text::MessageText,
};

/// Redacts the texts of messages with the active entities of their tenant.
#[derive(Clone)]
pub struct MessageRedaction {
    redaction: TextRedaction,
    active_sets: ActiveEntityCache,
    identifiers: IdentifierCheck,
    tracer: Option<Arc<dyn RedactionTracer>>,
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
        Self { redaction, active_sets, identifiers: IdentifierCheck::default(), tracer: None }
    }

    /// The same redaction, counted by this meter.
    #[must_use]
    pub fn with_meter(mut self, meter: Arc<dyn MaskingMeter>) -> Self {
        self.identifiers.meter = meter;
        self
    }

    /// Applies this policy to the identifiers of senders.
    #[must_use]
    pub fn with_identifiers(mut self, policy: IdentifierPolicy) -> Self {
        self.identifiers.policy = policy;
        self
    }

    /// The same redaction, traced by this tracer.
    #[must_use]
    pub fn with_tracer(self, tracer: Arc<dyn RedactionTracer>) -> Self {
        Self { tracer: Some(tracer), ..self }
    }

    fn begin_span(&self) -> Option<Box<dyn OpenSpan>> {
        self.tracer.as_ref()?.begin()
    }

    /// Counts the masked spans of a message that was stored.
    pub(super) fn count_masked(&self, found: &[Entity]) {
        for entity in found {
            self.identifiers.meter.record_masked(*entity);
        }
    }

    /// The identifier of the sender of a new message, if it contains card data and the policy allows it.
    pub(super) fn check_sender(
        &self,
        sender: &Sender,
        active: EntitySet,
    ) -> Result<Vec<IdentifierField>, SensitiveIdentifiers> {
        self.identifiers.check([(IdentifierField::Sender, sender.external_id.as_str())], active)
    }

    /// The identifiers of the senders of a batch that contain card data, if the policy allows them.
    pub(super) fn check_batch_senders(
        &self,
        batch: &[NewMessage],
        active: EntitySet,
    ) -> Result<Vec<IdentifierField>, SensitiveIdentifiers> {
        let senders = batch.iter().enumerate();
        let identifiers =
            senders.map(|(index, new)| (IdentifierField::BatchSender(index), new.sender.external_id.as_str()));
        self.identifiers.check(identifiers, active)
    }

    /// Counts identifiers with card data that were stored.
    pub(super) fn count_identifiers(&self, stored: &[IdentifierField]) {
        self.identifiers.count(stored);
    }

    pub(super) async fn active_entities(&self, tenant: &TenantId) -> Result<EntitySet, StoreError> {
        self.active_sets.for_tenant(tenant).await
    }

    /// The findings of the external detector in new messages, in their order; empty without a detector.
    pub(super) async fn examine_new(
        &self,
        messages: &[Message],
        active: EntitySet,
    ) -> Result<Vec<ExternalFindings>, StoreError> {
        if !self.redaction.has_external() {
            return Ok(Vec::new());
        }
        self.redaction.examine_new(messages.iter().map(|message| message.text.as_str()), active).await
    }

    /// The findings of the external detector in stored messages, in their order, for the entities that they were not
    /// masked with; empty without a detector.
    pub(super) async fn examine_stored(
        &self,
        messages: impl IntoIterator<Item = &Message>,
        active: EntitySet,
    ) -> Result<Vec<ExternalFindings>, StoreError> {
        if !self.redaction.has_external() {
            return Ok(Vec::new());
        }
        let texts = messages.into_iter().map(|message| (message.text.as_str(), active.without(message.masked_with)));
        self.redaction.examine(&texts.collect::<Vec<_>>()).await
    }

    /// Redacts a new message, and the later messages of `tail` again, as if all of them arrived in chronological order.
    /// Sensitive values that this reveals in other messages of `tail` are masked there. `tail` holds the newest
    /// messages of the conversation, oldest first. `findings` are those of the external detector in the new message. What
    /// it was not examined for is left out of the entities that it is masked with.
    pub(super) fn redact_for_write(
        &self,
        message: &Message,
        tail: &[Message],
        active: EntitySet,
        findings: &ExternalFindings,
    ) -> Result<RedactedMessage, StoreError> {
        let _span = self.begin_span();
        let position = message.position();
        let index = tail.partition_point(|other| other.position() < position);
        let mut all = tail.to_vec();
        all.insert(index, Message { masked_with: active.without(findings.missing()), ..message.clone() });
        let none = ExternalFindings::default();
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
            let (utterances, findings) =
                (utterances(context, one.sender.role), if at == index { findings } else { &none });
            let redaction = TextRedaction::mask(one.text.as_str(), &utterances, entities, findings);
            found.extend(redaction.spans.iter().filter(|_| at == index).map(|span| span.entity));
            found.extend(redaction.earlier.iter().map(|earlier| earlier.span.entity));
            let earlier_spans = by_utterance(&redaction.earlier);
            let redacted = redacted_message(one, redaction)?;
            replace(&mut all, at, redacted);
            for (utterance, spans) in earlier_spans {
                let Some(earlier) = all.get(first + utterance) else { continue };
                let earlier = masked_message(earlier, &merge_overlapping(spans))?;
                replace(&mut all, first + utterance, earlier);
            }
        }
        let message = all.remove(index);
        let changed = tail.iter().zip(all).filter(|(before, after)| before.text != after.text);
        let update = |(before, after): (&Message, Message)| MaskUpdate {
            position: after.position(),
            expected: before.text.clone(),
            masked: after.text,
            redactions: after.redactions,
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
        let findings = self.examine_stored(&stored, active).await?;
        self.redact_examined(stored, &findings, window, active).await
    }

    /// Does the same as [`redact_for_read`](Self::redact_for_read) for messages that were
    /// [examined](Self::examine_stored).
    pub(super) async fn redact_examined(
        &self,
        stored: Vec<Message>,
        findings: &[ExternalFindings],
        window: ContextWindow<'_>,
        active: EntitySet,
    ) -> Result<Vec<Message>, StoreError> {
        let following = window.after.iter().take(MAX_CONTEXT);
        let none = ExternalFindings::default();
        let _span = self.begin_span();
        let all: Vec<_> = window.before.iter().chain(&stored).chain(following).cloned().collect();
        let page = window.before.len()..window.before.len() + stored.len();
        let mut redacted = stored;
        let mut earlier_spans: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
        for (index, message) in
            all.iter().enumerate().skip(page.start).filter(|(_, message)| message.needs_redaction(active))
        {
            let context = context_before(&all, index, active);
            let utterances = utterances(context, message.sender.role);
            let findings = findings.get(index - page.start).unwrap_or(&none);
            let redaction = TextRedaction::mask(message.text.as_str(), &utterances, active, findings);
            for (utterance, spans) in by_utterance(&redaction.earlier) {
                earlier_spans.entry(index - context.len() + utterance).or_default().extend(spans);
            }
            if let Some(redacted) = redacted.get_mut(index - page.start) {
                *redacted = redacted_message(message, redaction)?;
            }
        }
        // Only messages of the page change: those before it are already returned, those after it come with the next.
        for (index, spans) in earlier_spans.range(page.clone()) {
            let (Some(message), Some(redacted)) = (all.get(*index), redacted.get_mut(index - page.start)) else {
                continue;
            };
            let masked = masked_message(message, &merge_overlapping(spans.clone()))?;
            let utterances = utterances(context_before(&all, *index, active), message.sender.role);
            let unmasked = [(masked.text.as_str(), active.without(message.masked_with))];
            let findings = self.redaction.examine(&unmasked).await?.pop().unwrap_or_default();
            let redaction = TextRedaction::mask(masked.text.as_str(), &utterances, active, &findings);
            *redacted = redacted_message(&masked, redaction)?;
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
    let Some((before, message)) = all.get(..index).zip(all.get(index)) else { return &[] };
    if before.is_empty() || !needs_context(&message.text, active) {
        return &[];
    }
    let length = number_run::context_length(message, before, active).max(MAX_CONTEXT);
    before.get(before.len().saturating_sub(length)..).unwrap_or_default()
}

/// The newest of these messages, as many as can be the context of the next one.
pub(super) fn context_tail(messages: &[Message]) -> &[Message] {
    messages.get(messages.len().saturating_sub(MAX_CONTEXT)..).unwrap_or_default()
}

/// The messages as input of the redaction engine. The speaker of each is relative to a sender with the role `role`. The
/// identifier of a sender does not count: some callers give the same person another one for each session or device.
fn utterances(context: &[Message], role: Role) -> Vec<Utterance<'_>> {
    let speaker = |message: &Message| if message.sender.role == role { Speaker::Same } else { Speaker::Other };
    context.iter().map(|message| Utterance { text: message.text.as_str(), speaker: speaker(message) }).collect()
}

/// Replaces the message at `index`.
fn replace(messages: &mut [Message], index: usize, message: Message) {
    if let Some(replaced) = messages.get_mut(index) {
        *replaced = message;
    }
}

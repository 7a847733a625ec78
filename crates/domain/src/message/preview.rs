//! The use case that shows what redaction would do to texts, before an entity is switched on.

use crate::{
    access::{AuthorizedCaller, ReadConfiguration},
    error::StoreError,
    limits::{PREVIEW_MAX_MESSAGES, PREVIEW_TEXT_MAX_CHARACTERS},
    message::Role,
    redaction::{
        ActiveEntityCache, EarlierSpan, EntitySet, Evidence, MAX_CONTEXT, MaskedRange, Redactor, Span, Speaker,
        TextRedaction, Utterance, mask_spans, masked_ranges,
    },
    text::{MessageText, Violation},
};

/// A message to preview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewMessage {
    /// The role of the sender. Messages of one role have one sender.
    pub role: Role,
    /// The text.
    pub text: MessageText,
}

/// Messages of one conversation, in chronological order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewMessages(Vec<PreviewMessage>);

impl PreviewMessages {
    /// Checks the number of messages.
    ///
    /// # Errors
    /// Those of [`check_len`](Self::check_len).
    pub fn new(messages: Vec<PreviewMessage>) -> Result<Self, Violation> {
        Self::check_len(messages.len())?;
        Ok(Self(messages))
    }

    /// Checks the number of messages, from 1 to [`PREVIEW_MAX_MESSAGES`].
    ///
    /// # Errors
    /// [`Violation::MinItems`] or [`Violation::MaxItems`].
    pub fn check_len(len: usize) -> Result<(), Violation> {
        match len {
            0 => Err(Violation::MinItems(1)),
            1..=PREVIEW_MAX_MESSAGES => Ok(()),
            _ => Err(Violation::MaxItems(PREVIEW_MAX_MESSAGES)),
        }
    }

    /// Parses the text of a message.
    ///
    /// # Errors
    /// Those of [`MessageText::parse`], or [`Violation::MaxCharacters`] over [`PREVIEW_TEXT_MAX_CHARACTERS`].
    pub fn parse_text(text: String) -> Result<MessageText, Violation> {
        if text.chars().nth(PREVIEW_TEXT_MAX_CHARACTERS).is_some() {
            return Err(Violation::MaxCharacters(PREVIEW_TEXT_MAX_CHARACTERS));
        }
        MessageText::parse(text)
    }
}

/// A masked text, and the evidence for each masked range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewedText {
    /// The masked text.
    pub text: String,
    /// The masked ranges of the text, in order.
    pub ranges: Vec<MaskedRange<Evidence>>,
}

/// Previews redaction. It stores, logs and counts nothing.
#[derive(Clone)]
pub struct RedactionPreview {
    redaction: TextRedaction,
    active_sets: ActiveEntityCache,
}

impl RedactionPreview {
    /// Redacts with `redaction`. `active_sets` provides the active entities of each tenant.
    #[must_use]
    pub fn new(redaction: TextRedaction, active_sets: ActiveEntityCache) -> Self {
        Self { redaction, active_sets }
    }

    /// Masks messages as if they were stored one after the other in a new conversation: each in the context of those
    /// before it, which are masked further if it shows that they have a part of a value. Masks these entities, or the
    /// active ones of the tenant.
    ///
    /// # Errors
    /// [`StoreError`] if the active entities cannot be read, or if the external detector fails.
    pub async fn preview(
        &self,
        caller: &AuthorizedCaller<ReadConfiguration>,
        messages: PreviewMessages,
        entities: Option<EntitySet>,
    ) -> Result<Vec<PreviewedText>, StoreError> {
        let entities = match entities {
            Some(entities) => entities,
            None => self.active_sets.for_tenant(caller.tenant()).await?,
        };
        let mut previewed: Vec<(Role, PreviewedText)> = Vec::with_capacity(messages.0.len());
        for PreviewMessage { role, text } in messages.0 {
            let first = previewed.len().saturating_sub(MAX_CONTEXT);
            let context = previewed.get(first..).unwrap_or_default();
            let needs_context = Redactor::new(entities).needs_context(text.as_str());
            let context = if needs_context { utterances(context, role) } else { Vec::new() };
            let redaction = self.redaction.redact(text.as_str(), &context, entities).await?;
            let ranges = masked_ranges(&[], text.as_str(), &redaction.spans);
            let (masked, earlier) = (redaction.text.into_owned(), redaction.earlier);
            mask_earlier(previewed.get_mut(first..).unwrap_or_default(), &earlier);
            previewed.push((role, PreviewedText { text: masked, ranges }));
        }
        Ok(previewed.into_iter().map(|(_, text)| text).collect())
    }
}

/// The messages as context of a message of this role.
fn utterances(context: &[(Role, PreviewedText)], role: Role) -> Vec<Utterance<'_>> {
    let speaker = |other: Role| if other == role { Speaker::Same } else { Speaker::Other };
    context.iter().map(|(other, text)| Utterance { text: &text.text, speaker: speaker(*other) }).collect()
}

/// Masks the parts of a value that a later message has shown.
fn mask_earlier(context: &mut [(Role, PreviewedText)], earlier: &[EarlierSpan]) {
    for (utterance, (_, message)) in context.iter_mut().enumerate() {
        let mut spans: Vec<Span> =
            earlier.iter().filter(|found| found.utterance == utterance).map(|found| found.span).collect();
        spans.sort_by_key(|span| span.start);
        spans.dedup_by(|later, first| later.start < first.end);
        if !spans.is_empty() {
            message.ranges = masked_ranges(&message.ranges, &message.text, &spans);
            message.text = mask_spans(&message.text, &spans);
        }
    }
}

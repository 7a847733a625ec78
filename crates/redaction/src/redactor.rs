//! [`Redactor`], the public entry point: masks a text and returns the spans.

use crate::candidate::Candidates;
use crate::card_floor;
use crate::cross_message::context;
use crate::cross_message::masked_context::{add_found_in_masked, mask_earlier, with_masked};
use crate::cross_message::utterance::Utterance;
use crate::cross_message::{dictated_card, split_number};
use crate::detect::correction;
use crate::entity::EntitySet;
use crate::masking::fixpoint::redact_to_fixpoint;
use crate::masking::mask::mask_spans;
use crate::masking::overlap::resolve_overlaps;
use crate::pipeline::Pipeline;
use crate::span::{EarlierSpan, ExternalSpan, Span};
use crate::tokenize::{TokenBuffer, TokenizedText, saturating_u32};
use std::borrow::Cow;

/// Maximum passes over the messages before a text, each of which masks more of them.
const MAX_CONTEXT_PASSES: usize = 8;

/// Finds and masks the values of a set of entities.
#[derive(Clone, Copy, Debug)]
pub struct Redactor(Pipeline);

/// A masked text with its spans.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redaction<'t> {
    /// The masked text; borrowed if the text has no spans.
    pub text: Cow<'t, str>,
    /// The spans of the text, in order, without overlap.
    pub spans: Vec<Span>,
    /// Spans of earlier messages that must be masked as well.
    pub earlier: Vec<EarlierSpan>,
}

impl Redactor {
    /// A redactor for these entities. Construction is cheap: all tables are constants.
    #[must_use]
    pub fn new(active: EntitySet) -> Self {
        Self(Pipeline::new(active))
    }

    /// Masks a text. `context` holds the messages before it, oldest first.
    #[must_use]
    pub fn redact<'t>(&self, text: &'t str, context: &[Utterance<'_>]) -> Redaction<'t> {
        self.redact_with(text, context, &[])
    }

    /// Whether the messages before a text could change its redaction, decided from the text alone. The caller need not
    /// fetch them if this is false.
    #[must_use]
    pub fn needs_context(&self, text: &str) -> bool {
        let mut buffer = TokenBuffer::new();
        let tokenized = TokenizedText::new(text, &mut buffer);
        let Some(found) = self.0.detect_context_free(&tokenized).map(Candidates::into_vec) else { return true };
        if found.is_empty() {
            return false;
        }
        // The rest of the masked text is scanned again and may be a short answer.
        let mut needed = false;
        redact_to_fixpoint(text, resolve_overlaps(text, found), &mut buffer, &mut |text| {
            let found = if needed { None } else { self.0.detect_context_free(text) };
            needed |= found.is_none();
            found.map(Candidates::into_vec).unwrap_or_default()
        });
        needed
    }

    /// Masks a text. `context` holds the messages before it, `external` the findings of detectors outside this crate.
    #[must_use]
    pub fn redact_with<'t>(
        &self,
        text: &'t str,
        context: &[Utterance<'_>],
        external: &[ExternalSpan],
    ) -> Redaction<'t> {
        let mut buffer = TokenBuffer::new();
        let tokenized = TokenizedText::new(text, &mut buffer);
        let (mut out, earlier) = self.detect(&tokenized, context);
        for span in external {
            context::push_external(text, *span, &mut out);
        }
        if out.as_slice().is_empty() && earlier.is_empty() {
            return Redaction { text: Cow::Borrowed(text), spans: Vec::new(), earlier };
        }
        let (cued, is_open) = (out.cued_entities(), out.may_tag_more());
        let spans = resolve_overlaps(text, out.into_vec());
        if context.is_empty() && !is_open && self.0.is_stable(&tokenized, &spans, cued) {
            return Redaction { text: Cow::Owned(mask_spans(text, &spans)), spans, earlier };
        }
        self.redact_with_context(text, spans, context, earlier, &mut buffer)
    }

    /// Masks a text and the messages before it until another pass would change neither: what is masked in one can be
    /// the reason to mask more in the other.
    fn redact_with_context<'t>(
        &self,
        text: &'t str,
        mut spans: Vec<Span>,
        context: &[Utterance<'_>],
        mut earlier: Vec<EarlierSpan>,
        buffer: &mut TokenBuffer,
    ) -> Redaction<'t> {
        let mut masked = Cow::Borrowed(text);
        for _ in 0..MAX_CONTEXT_PASSES {
            let messages = mask_earlier(context, &earlier);
            let messages = with_masked(context, &messages);
            let mut found = Vec::new();
            let mut rescan = |text: &TokenizedText<'_>| {
                let (out, earlier) = self.detect(text, &messages);
                found = earlier;
                out.into_vec()
            };
            let (text, all) = redact_to_fixpoint(text, spans, buffer, &mut rescan);
            (masked, spans) = (Cow::Owned(text), all);
            if !add_found_in_masked(context, &messages, found, &mut earlier) {
                break;
            }
        }
        let text = if spans.is_empty() { Cow::Borrowed(text) } else { masked };
        Redaction { text, spans, earlier }
    }

    /// The candidates of a text, and the spans of the messages before it.
    fn detect(&self, text: &TokenizedText<'_>, context: &[Utterance<'_>]) -> (Candidates, Vec<EarlierSpan>) {
        let (mut out, depends_on_context) = self.0.detect(text, context);
        if !depends_on_context {
            return (out, Vec::new());
        }
        let mut earlier = split_number::detect(text, context, &mut out);
        dictated_card::detect(text, context, &mut out, &mut earlier);
        card_floor::messages::detect(text, context, &mut out, &mut earlier);
        if !earlier.is_empty() {
            extend_corrected(text, context, &mut out, &mut earlier);
        }
        (out, earlier)
    }
}

/// Extends the parts of a number that stands in several messages to the digits that the speaker corrects.
fn extend_corrected(
    text: &TokenizedText<'_>,
    context: &[Utterance<'_>],
    out: &mut Candidates,
    earlier: &mut [EarlierSpan],
) {
    correction::extend(&text.tokens(), out);
    for EarlierSpan { utterance, span } in earlier {
        let mut buffer = TokenBuffer::new();
        let message = TokenizedText::new(context.get(*utterance).map_or("", |message| message.text), &mut buffer);
        let (start, end) = (saturating_u32(span.start), saturating_u32(span.end));
        let (start, end) = correction::extended(&message.tokens(), start, end);
        let (start, end) = (start as usize, end as usize);
        if (start, end) != (span.start, span.end) {
            *span = Span { start, end, visible_from: end, ..*span };
        }
    }
}

//! The earlier messages after their spans are masked.

use super::utterance::Utterance;
use crate::card_floor::messages::push_earlier;
use crate::masking::mask::mask_spans;
use crate::span::{EarlierSpan, Span};
use std::borrow::Cow;

/// Masks the earlier messages that have spans. Returns each masked text with the index of its message in the context.
pub(crate) fn mask_earlier(context: &[Utterance<'_>], earlier: &[EarlierSpan]) -> Vec<(usize, String)> {
    let spans = |message: usize| {
        let mut spans: Vec<_> = earlier.iter().filter(|e| e.utterance == message).map(|e| e.span).collect();
        spans.sort_by_key(|span| span.start);
        spans
    };
    let has_spans = |message: &usize| earlier.iter().any(|e| e.utterance == *message);
    let messages = (0..context.len()).filter(has_spans);
    messages.map(|message| (message, mask_spans(context[message].text, &spans(message)))).collect()
}

/// The context with the masked texts in place of the original ones.
pub(crate) fn with_masked<'c>(context: &'c [Utterance<'_>], masked: &'c [(usize, String)]) -> Cow<'c, [Utterance<'c>]> {
    if masked.is_empty() {
        return Cow::Borrowed(context);
    }
    let mut messages = context.to_vec();
    for (message, text) in masked {
        messages[*message].text = text;
    }
    Cow::Owned(messages)
}

/// Adds the spans that were found in the masked messages, and that change them. Returns whether there are any.
///
/// The masks of earlier messages keep the number of characters, because none of their entities hides it.
pub(crate) fn add_found_in_masked(
    context: &[Utterance<'_>],
    masked: &[Utterance<'_>],
    found: Vec<EarlierSpan>,
    earlier: &mut Vec<EarlierSpan>,
) -> bool {
    let mut is_changed = false;
    for EarlierSpan { utterance, span } in found {
        let (Some(original), Some(masked)) = (context.get(utterance), masked.get(utterance)) else { continue };
        if mask_spans(masked.text, &[span]) == masked.text {
            continue;
        }
        let offset = |end: usize| {
            let characters = masked.text.get(..end).map_or(0, |before| before.chars().count());
            original.text.char_indices().nth(characters).map_or(original.text.len(), |(at, _)| at)
        };
        let Span { start, end, visible_from, .. } = span;
        let span = Span { start: offset(start), end: offset(end), visible_from: offset(visible_from), ..span };
        push_earlier(EarlierSpan { utterance, span }, earlier);
        is_changed = true;
    }
    is_changed
}

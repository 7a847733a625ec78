//! Masks short values outside of messages, such as a metadata value, whose key says what it is.

use std::borrow::Cow;

use super::{Entity, EntitySet, Redactor, Span, mask_spans};

/// A value that was masked, with one entity for each masked span.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MaskedValue {
    pub(crate) text: String,
    pub(crate) found: Vec<Entity>,
}

/// Masks these entities in a value. `label` serves as the cue of the value: `123` under `card_cvv` is a card
/// verification code. `None` if the value needs no mask. Masking the masked value again changes nothing.
pub(crate) fn mask_labelled_value(label: Option<&str>, value: &str, active: EntitySet) -> Option<MaskedValue> {
    let redactor = Redactor::new(active);
    let cue = label.map(|label| format!("{}: ", words_of(label)));
    let (mut text, mut found) = (Cow::Borrowed(value), Vec::new());
    // Each round masks further characters or is the last one, so the loop ends.
    loop {
        // The value alone comes first: digits of a label must not join a number of the value.
        let mut spans = redactor.redact(&text, &[]).spans;
        let mut masked = changed(&text, &spans);
        if let Some(cue) = cue.as_ref().filter(|_| masked.is_none()) {
            spans = spans_after_cue(&redactor, cue, &text);
            masked = changed(&text, &spans);
        }
        let Some(masked) = masked else { break };
        found.extend(spans.iter().map(|span| span.entity));
        text = Cow::Owned(masked);
    }
    (!found.is_empty()).then(|| MaskedValue { text: text.into_owned(), found })
}

/// The text with masked spans, if that changes it.
fn changed(text: &str, spans: &[Span]) -> Option<String> {
    Some(mask_spans(text, spans)).filter(|masked| masked != text)
}

/// The spans that begin within the value when it follows this cue. Their offsets are those of the value.
fn spans_after_cue(redactor: &Redactor, cue: &str, value: &str) -> Vec<Span> {
    let labelled = format!("{cue}{value}");
    let shift = |span: Span| {
        let start = span.start.checked_sub(cue.len())?;
        Some(Span { start, end: span.end - cue.len(), visible_from: span.visible_from - cue.len(), ..span })
    };
    redactor.redact(&labelled, &[]).spans.into_iter().filter_map(shift).collect()
}

/// The label as words: `cardCvv`, `card_cvv` and `CARD-CVV` are two words each.
fn words_of(label: &str) -> String {
    let mut words = String::with_capacity(label.len() + 8);
    let mut letters = label.chars().peekable();
    let mut previous = ' ';
    while let Some(letter) = letters.next() {
        let begins_word = letter.is_uppercase()
            && (previous.is_lowercase()
                || previous.is_uppercase() && letters.peek().is_some_and(|next| next.is_lowercase()));
        if begins_word {
            words.push(' ');
        }
        words.push(if letter.is_alphanumeric() { letter } else { ' ' });
        previous = letter;
    }
    words.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redaction::locked_entities;

    fn mask(label: Option<&str>, value: &str) -> String {
        mask_labelled_value(label, value, locked_entities()).map_or_else(|| value.to_owned(), |masked| masked.text)
    }

    #[test]
    fn a_card_number_is_masked_with_and_without_a_label() {
        for label in [None, Some("note"), Some("order 7"), Some("card_number")] {
            assert_eq!(mask(label, "paid by 4111 1111 1111 1111"), "paid by **** **** **** 1111", "{label:?}");
        }
    }

    #[test]
    fn the_label_is_the_cue_of_its_value() {
        for label in ["cvv", "cardCvv", "card_cvv", "CARD-CVV", "CVVCode", "security.code", "CVC"] {
            assert_eq!(mask(Some(label), "123"), "***", "{label}");
        }
        assert_eq!((mask(Some("queue"), "123").as_str(), mask(None, "123").as_str()), ("123", "123"));
    }

    #[test]
    fn digits_of_a_label_join_no_number_of_its_value() {
        assert_eq!(mask(Some("order 4111"), "1111 1111 1111"), "1111 1111 1111");
    }

    #[test]
    fn a_masked_value_stays_as_it_is() {
        for (label, value) in
            [("cvv", "123 or 4567"), ("card", "4111 1111 1111 1111 cvv 123"), ("pan", "4111111111111111")]
        {
            let masked = mask(Some(label), value);
            assert_ne!(masked, value);
            assert_eq!(mask_labelled_value(Some(label), &masked, locked_entities()), None, "{masked}");
        }
    }

    #[test]
    fn a_mask_never_makes_a_value_longer() {
        for value in ["4111 1111 1111 1111", "four one one one one one one one one one one one one one one one", "123"]
        {
            assert!(mask(Some("cvv"), value).chars().count() <= value.chars().count(), "{value}");
        }
    }

    #[test]
    fn a_value_without_card_data_is_not_copied() {
        assert_eq!(mask_labelled_value(Some("channel"), "phone", locked_entities()), None);
    }
}

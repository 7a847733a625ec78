//! Vocabulary entries, pages and cursors as they are sent.

use parlance_domain::{
    id::VocabularyId,
    limits::{PHRASE_MAX_CHARACTERS, SOUNDS_LIKE_MAX_CHARACTERS, SOUNDS_LIKE_MAX_ITEMS},
    retry::Answer,
    text::Violation,
    vocabulary::{Alternative, Cursor, Phrase, SoundsLike, Vocabulary, VocabularyPage},
};
use serde::{Deserialize, Serialize};
use utoipa::{
    ToSchema,
    openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type},
};

use crate::{
    conversations::read_text,
    problem::ApiError,
    reading::{Member, Reading},
};

/// An entry of a vocabulary to create.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct VocabularyBody {
    /// What is to stand in the transcribed text.
    #[serde(default)]
    #[schema(schema_with = phrase_schema, required = true)]
    phrase: Member<String>,
    /// What is heard when the phrase is meant.
    #[serde(default)]
    #[schema(schema_with = sounds_like_schema, required = true)]
    sounds_like: Member<Vec<String>>,
}

/// An entry of a vocabulary.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VocabularyView {
    #[schema(pattern = "^[A-Z0-9]+$")]
    id: String,
    /// What is to stand in the transcribed text.
    #[schema(min_length = 1, max_length = 100)]
    phrase: String,
    /// What is heard when the phrase is meant.
    #[schema(max_items = 5)]
    sounds_like: Vec<String>,
}

/// A page of a vocabulary, oldest entries first.
///
/// Spec §2.3 has `nextCursor` null on the first page and `prevCursor` null on the last. With that no caller could
/// page, so it is the other way round here.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VocabulariesView {
    #[serde(rename = "custom-vocabularies")]
    #[schema(max_items = 100)]
    custom_vocabularies: Vec<VocabularyView>,
    /// The `cursor` of the page after this one; null where nothing follows.
    #[schema(required = true, pattern = "^F[A-Z0-9]+$")]
    next_cursor: Option<String>,
    /// The `cursor` of the page before this one; null where nothing precedes.
    #[schema(required = true, pattern = "^B[A-Z0-9]+$")]
    prev_cursor: Option<String>,
}

impl VocabularyBody {
    pub(crate) fn read(self) -> Result<(Phrase, SoundsLike), ApiError> {
        let mut reading = Reading::default();
        let phrase = read_text(&mut reading, "/phrase", self.phrase, Phrase::parse);
        let texts = reading.required("/soundsLike", self.sounds_like);
        let sounds_like = texts.and_then(|texts| read_sounds_like(&mut reading, texts));
        reading.finish(phrase.zip(sounds_like))
    }
}

fn read_sounds_like(reading: &mut Reading, texts: Vec<String>) -> Option<SoundsLike> {
    if texts.len() > SOUNDS_LIKE_MAX_ITEMS {
        return reading.check("/soundsLike", Err(Violation::MaxItems(SOUNDS_LIKE_MAX_ITEMS)));
    }
    let read = |(place, text)| reading.check(&format!("/soundsLike/{place}"), Alternative::parse(text));
    let alternatives: Vec<_> = texts.into_iter().enumerate().map(read).collect();
    alternatives.into_iter().collect::<Option<_>>().and_then(|all| reading.check("/soundsLike", SoundsLike::new(all)))
}

impl VocabularyView {
    fn new(id: String, phrase: Phrase, sounds_like: &SoundsLike) -> Self {
        let sounds_like = sounds_like.alternatives().iter().map(|text| text.as_str().to_owned()).collect();
        Self { id, phrase: phrase.into_string(), sounds_like }
    }

    /// The entry that a request created, as it was then: it has what the request says.
    pub(super) fn created(answer: &Answer, phrase: Phrase, sounds_like: &SoundsLike) -> Self {
        Self::new(answer.ids.first().cloned().unwrap_or_default(), phrase, sounds_like)
    }
}

impl From<Vocabulary> for VocabularyView {
    fn from(entry: Vocabulary) -> Self {
        Self::new(entry.id.to_string(), entry.phrase, &entry.sounds_like)
    }
}

impl From<VocabularyPage> for VocabulariesView {
    fn from(page: VocabularyPage) -> Self {
        Self {
            custom_vocabularies: page.entries.into_iter().map(VocabularyView::from).collect(),
            next_cursor: page.next.as_ref().map(cursor),
            prev_cursor: page.previous.as_ref().map(cursor),
        }
    }
}

/// A cursor as text: a letter for its direction, then the identifier at its cut. Any text of this form is a cursor, so
/// that a description of the form is a description of what is accepted; and it has itself the form of an identifier
/// (spec §2.3).
pub(crate) fn cursor(cursor: &Cursor) -> String {
    match cursor {
        Cursor::From(cut) => format!("F{cut}"),
        Cursor::Before(cut) => format!("B{cut}"),
    }
}

pub(crate) fn read_cursor(text: &str) -> Result<Cursor, &'static str> {
    let cut = |text: &str| VocabularyId::parse(text).ok();
    let from = text.strip_prefix('F').and_then(cut).map(Cursor::From);
    let before = || text.strip_prefix('B').and_then(cut).map(Cursor::Before);
    from.or_else(before).ok_or("must be a nextCursor or prevCursor that was answered before")
}

fn phrase_schema() -> Schema {
    trimmed_text(PHRASE_MAX_CHARACTERS)
        .description(Some(
            "What is to stand in the transcribed text: 1 to 100 characters, blanks at its ends not counted.",
        ))
        .into()
}

fn sounds_like_schema() -> Schema {
    let alternative = trimmed_text(SOUNDS_LIKE_MAX_CHARACTERS)
        .description(Some("1 to 40 characters, blanks at its ends not counted."));
    ArrayBuilder::new()
        .items(alternative)
        .max_items(Some(SOUNDS_LIKE_MAX_ITEMS))
        .description(Some("What is heard when the phrase is meant; may be empty."))
        .into()
}

/// A text of 1 to `max` characters, none of them a control character, and blanks around it that do not count: only a
/// pattern can say this.
fn trimmed_text(max: usize) -> ObjectBuilder {
    const BLANK: &str = r"\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";
    const CONTROL: &str = r"\u0000-\u001f\u007f-\u009f";
    let (blanks, end, inner) = (format!("[{BLANK}]*"), format!("[^{CONTROL}{BLANK}]"), format!("[^{CONTROL}]"));
    let pattern = format!("^{blanks}{end}(?:{inner}{{0,{}}}{end})?{blanks}$", max - 2);
    ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).pattern(Some(pattern))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_as_its_cut_and_has_the_form_of_an_identifier() {
        for written in [Cursor::From(VocabularyId::from_bits(9)), Cursor::Before(VocabularyId::from_bits(9))] {
            let text = cursor(&written);
            assert_eq!(read_cursor(&text), Ok(written));
            assert!(VocabularyId::parse(&text).is_ok());
        }
    }

    #[test]
    fn what_was_never_a_cursor_is_refused() {
        for text in ["", "F", "B", "A1", "f1", "Fa", "F-1", " F1", "F1 ", "FÉ"] {
            assert!(read_cursor(text).is_err(), "{text:?}");
        }
    }
}

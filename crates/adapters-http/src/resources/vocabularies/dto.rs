//! Wire types of vocabulary entries and pages.

use parlance_domain::{
    limits::{PHRASE_MAX_CHARACTERS, SOUNDS_LIKE_MAX_CHARACTERS, SOUNDS_LIKE_MAX_ITEMS},
    text::Violation,
    vocabulary::{Alternative, Phrase, SoundsLike, VocabularyEntry, VocabularyPage},
};
use serde::{Deserialize, Serialize};
use utoipa::{
    ToSchema,
    openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type},
};

use crate::{
    errors::api_error::ApiError,
    extract::{
        page_parameters::encode_cursor,
        validation::{Field, Validation, required_text},
    },
    openapi::named_formats::CONTROL,
};

/// An entry of a vocabulary to create.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct VocabularyBody {
    /// What is to stand in the transcribed text.
    #[serde(default)]
    #[schema(schema_with = phrase_schema, required = true)]
    phrase: Field<String>,
    /// What is heard when the phrase is meant.
    #[serde(default)]
    #[schema(schema_with = sounds_like_schema, required = true)]
    sounds_like: Field<Vec<String>>,
}

/// An entry of a vocabulary.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VocabularyView {
    #[schema(format = "id")]
    id: String,
    /// What is to stand in the transcribed text.
    #[schema(format = "phrase-view")]
    phrase: String,
    /// What is heard when the phrase is meant.
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
    custom_vocabularies: Vec<VocabularyView>,
    /// The `cursor` of the page after this one; null where nothing follows.
    #[schema(required = true, format = "next-cursor")]
    next_cursor: Option<String>,
    /// The `cursor` of the page before this one; null where nothing precedes.
    #[schema(required = true, format = "previous-cursor")]
    prev_cursor: Option<String>,
}

impl VocabularyBody {
    pub(crate) fn into_domain(self) -> Result<(Phrase, SoundsLike), ApiError> {
        let mut validation = Validation::default();
        let phrase = required_text(&mut validation, "/phrase", self.phrase, Phrase::parse);
        let texts = validation.required("/soundsLike", self.sounds_like);
        let sounds_like = texts.and_then(|texts| validate_sounds_like(&mut validation, texts));
        validation.finish(phrase.zip(sounds_like))
    }
}

fn validate_sounds_like(validation: &mut Validation, texts: Vec<String>) -> Option<SoundsLike> {
    if texts.len() > SOUNDS_LIKE_MAX_ITEMS {
        return validation.check("/soundsLike", Err(Violation::MaxItems(SOUNDS_LIKE_MAX_ITEMS)));
    }
    let parse = |(index, text)| validation.check(&format!("/soundsLike/{index}"), Alternative::parse(text));
    let alternatives: Vec<_> = texts.into_iter().enumerate().map(parse).collect();
    alternatives
        .into_iter()
        .collect::<Option<_>>()
        .and_then(|all| validation.check("/soundsLike", SoundsLike::new(all)))
}

impl VocabularyView {
    fn new(id: String, phrase: Phrase, sounds_like: &SoundsLike) -> Self {
        let sounds_like = sounds_like.alternatives().iter().map(|text| text.as_str().to_owned()).collect();
        Self { id, phrase: phrase.into_string(), sounds_like }
    }

    /// The entry as a request created it: the id from the response, and the values from the request.
    pub(super) fn created(ids: Vec<String>, (phrase, sounds_like): (Phrase, SoundsLike)) -> Self {
        Self::new(ids.into_iter().next().unwrap_or_default(), phrase, &sounds_like)
    }
}

impl From<VocabularyEntry> for VocabularyView {
    fn from(entry: VocabularyEntry) -> Self {
        Self::new(entry.id.to_string(), entry.phrase, &entry.sounds_like)
    }
}

impl From<VocabularyPage> for VocabulariesView {
    fn from(page: VocabularyPage) -> Self {
        Self {
            custom_vocabularies: page.entries.into_iter().map(VocabularyView::from).collect(),
            next_cursor: page.next.as_ref().map(encode_cursor),
            prev_cursor: page.previous.as_ref().map(encode_cursor),
        }
    }
}

fn phrase_schema() -> Schema {
    trimmed_text_schema(PHRASE_MAX_CHARACTERS)
        .description(Some(format!(
            "What is to stand in the transcribed text: 1 to {PHRASE_MAX_CHARACTERS} characters, blanks at its ends not \
             counted."
        )))
        .into()
}

fn sounds_like_schema() -> Schema {
    let alternative = trimmed_text_schema(SOUNDS_LIKE_MAX_CHARACTERS)
        .description(Some(format!("1 to {SOUNDS_LIKE_MAX_CHARACTERS} characters, blanks at its ends not counted.")));
    ArrayBuilder::new()
        .items(alternative)
        .max_items(Some(SOUNDS_LIKE_MAX_ITEMS))
        .description(Some("What is heard when the phrase is meant; may be empty."))
        .into()
}

/// The schema of a text of 1 to `max` characters without control characters. Blanks at its ends do not count. Only a
/// pattern can express this rule.
fn trimmed_text_schema(max: usize) -> ObjectBuilder {
    const BLANK: &str = r"\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";
    let (blanks, end, inner) = (format!("[{BLANK}]*"), format!("[^{CONTROL}{BLANK}]"), format!("[^{CONTROL}]"));
    let pattern = format!("^{blanks}{end}(?:{inner}{{0,{}}}{end})?{blanks}$", max - 2);
    ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).pattern(Some(pattern))
}

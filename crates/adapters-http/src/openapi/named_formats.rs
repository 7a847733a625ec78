//! The formats that wire types and parameters name, such as `format = "id"`, and the arrays of limited length. The
//! attributes of utoipa accept only literals, so this module replaces each name with the limits of the domain.

use parlance_domain::{access::TenantId, event::EventType, feed, id, limits, redaction::Entity, time::Timestamp};
use utoipa::{
    Modify,
    openapi::{
        KnownFormat, OpenApi, RefOr, SchemaFormat,
        schema::{ArrayItems, Object, Schema},
    },
};

use crate::openapi::operation_defaults::operations;

/// The control characters (Unicode category Cc), within a character class of a pattern.
pub(crate) const CONTROL: &str = r"\u0000-\u001f\u007f-\u009f";

/// The pattern of a text without control characters that is not empty.
pub(crate) const NO_CONTROL: &str = r"^[^\u0000-\u001f\u007f-\u009f]+$";

/// The pattern of a text without the character NUL.
pub(crate) const NO_NUL: &str = r"^[^\u0000]*$";

/// The arrays of limited length, by schema and property, with the minimum and the maximum of their items.
const LIMITED_ARRAYS: [(&str, &str, Option<usize>, usize); 12] = [
    ("PreviewBody", "messages", Some(1), limits::PREVIEW_MAX_MESSAGES),
    ("BacktestBody", "entities", Some(1), Entity::ALL.len()),
    ("MessageBatchBody", "messages", Some(1), limits::MESSAGE_BATCH_MAX),
    ("WrittenBatchView", "ids", Some(1), limits::MESSAGE_BATCH_MAX),
    ("WebhookBody", "types", Some(1), EventType::ALL.len()),
    ("WebhookChangeBody", "types", Some(1), EventType::ALL.len()),
    ("StreamBody", "types", Some(1), EventType::ALL.len()),
    ("RetentionBody", "rules", None, limits::RETENTION_RULES_MAX),
    ("RetentionPreviewBody", "rules", None, limits::RETENTION_RULES_MAX),
    ("RetentionView", "rules", None, limits::RETENTION_RULES_MAX),
    ("VocabularyView", "soundsLike", None, limits::SOUNDS_LIKE_MAX_ITEMS),
    ("VocabulariesView", "custom-vocabularies", None, limits::VOCABULARY_PAGE_MAX as usize),
];

/// Replaces the names of formats in all properties and parameters, and sets the limits of arrays.
pub(crate) struct NamedFormats;

impl Modify for NamedFormats {
    fn modify(&self, description: &mut OpenApi) {
        let schemas = &mut description.components.get_or_insert_default().schemas;
        for (name, schema) in schemas {
            let RefOr::T(Schema::Object(schema)) = schema else { continue };
            for (property, schema) in &mut schema.properties {
                complete(schema);
                limit_array(name, property, schema);
                list_entities(property, schema);
            }
        }
        let operations = description.paths.paths.values_mut().flat_map(operations);
        for parameter in operations.flat_map(|operation| operation.parameters.iter_mut().flatten()) {
            if let RefOr::T(parameter) = parameter {
                parameter.schema.iter_mut().for_each(complete);
            }
        }
    }
}

fn limit_array(schema: &str, property: &str, array: &mut RefOr<Schema>) {
    let limited = LIMITED_ARRAYS.iter().find(|(of, name, ..)| (*of, *name) == (schema, property));
    if let (Some((.., min, max)), RefOr::T(Schema::Array(array))) = (limited, array) {
        (array.min_items, array.max_items) = (*min, Some(*max));
    }
}

/// Lists the labels of all entities for an array of labels.
fn list_entities(property: &str, array: &mut RefOr<Schema>) {
    if property == "entities"
        && let RefOr::T(Schema::Array(array)) = array
        && let ArrayItems::RefOrSchema(items) = &mut array.items
        && let RefOr::T(Schema::Object(label)) = items.as_mut()
    {
        label.enum_values = Some(Entity::ALL.iter().map(|entity| entity.label().into()).collect());
    }
}

fn complete(schema: &mut RefOr<Schema>) {
    let RefOr::T(Schema::Object(schema)) = schema else { return };
    if let Some(SchemaFormat::Custom(name)) = &schema.format {
        let name = name.clone();
        schema.format = None;
        set_limits(schema, &name);
    }
}

/// Sets what a format stands for. A format that ends in `-view` has no pattern: it is part of a response.
fn set_limits(schema: &mut Object, format: &str) {
    let id = |prefix: &str| Some(with_prefix(prefix, id::PATTERN));
    match format {
        "id" => schema.pattern = id(""),
        "event-types" => schema.pattern = Some(event_types_pattern()),
        "message-cursor" => schema.pattern = id(r"[0-9]{1,18}\."),
        "conversation-cursor" => {
            let position = with_prefix(r"[0-9]{1,18}\.", id::PATTERN);
            schema.pattern = Some(format!(r"{}\.[0-9a-f]{{16}}$", position.trim_end_matches('$')));
        }
        "event-position" => schema.pattern = Some(event_cursor_pattern("")),
        "event-cursor" => schema.pattern = Some(event_cursor_pattern("latest|")),
        "stream-resume" => {
            let bare = |prefix: &str| with_prefix(prefix, id::PATTERN).trim_matches(['^', '$']).to_owned();
            let transcript = format!("({}({})?)?)$", bare("~"), bare(r"~[0-9]{1,18}\."));
            schema.pattern = Some(event_cursor_pattern("latest|").replacen(")$", &transcript, 1));
        }
        "event-wait" => {
            schema.format = Some(SchemaFormat::KnownFormat(KnownFormat::Int32));
            let max = usize::try_from(limits::EVENT_WAIT_MAX_SECONDS).ok();
            (schema.minimum, schema.maximum) = (Some(0_usize.into()), max.map(Into::into));
        }
        "event-page" => set_page(schema, limits::EVENT_PAGE_MAX),
        "erasure-page" => set_page(schema, limits::ERASURE_PAGE_MAX),
        "receipt-issue" => set_page(schema, limits::RECEIPT_ISSUE_MAX),
        "erasure-cursor" => schema.pattern = Some("^(0|[1-9][0-9]{0,17})$".to_owned()),
        "retention-days" => {
            schema.format = Some(SchemaFormat::KnownFormat(KnownFormat::Int32));
            (schema.minimum, schema.maximum) =
                (Some(1_usize.into()), Some((limits::RETENTION_DAYS_MAX as usize).into()));
        }
        "privacy-reference" => {
            set_text(schema, Some(1), Some(limits::PRIVACY_REFERENCE_MAX_CHARACTERS), Some(NO_CONTROL));
        }
        "privacy-reference-view" => set_text(schema, Some(1), Some(limits::PRIVACY_REFERENCE_MAX_CHARACTERS), None),
        "vocabulary-cursor" => schema.pattern = id("[FB]"),
        "next-cursor" => schema.pattern = id("F"),
        "previous-cursor" => schema.pattern = id("B"),
        "external-id" => set_text(schema, Some(1), Some(limits::EXTERNAL_ID_MAX_CHARACTERS), Some(NO_CONTROL)),
        "external-id-view" => set_text(schema, Some(1), Some(limits::EXTERNAL_ID_MAX_CHARACTERS), None),
        "name" => set_text(schema, None, Some(limits::NAME_MAX_CHARACTERS), Some(NO_NUL)),
        "name-view" => set_text(schema, None, Some(limits::NAME_MAX_CHARACTERS), None),
        "text" => set_text(schema, Some(limits::MESSAGE_TEXT_MIN_CHARACTERS), None, Some(NO_NUL)),
        "preview-text" => set_text(
            schema,
            Some(limits::MESSAGE_TEXT_MIN_CHARACTERS),
            Some(limits::PREVIEW_TEXT_MAX_CHARACTERS),
            Some(NO_NUL),
        ),
        "backtest-sample" => {
            schema.format = Some(SchemaFormat::KnownFormat(KnownFormat::Int32));
            (schema.minimum, schema.maximum) = (Some(0_usize.into()), Some(limits::BACKTEST_MAX_SAMPLES.into()));
        }
        "fraction" => (schema.minimum, schema.maximum) = (Some(0_usize.into()), Some(1_usize.into())),
        "phrase-view" => set_text(schema, Some(1), Some(limits::PHRASE_MAX_CHARACTERS), None),
        "idempotency-key" => {
            set_text(schema, Some(1), Some(limits::IDEMPOTENCY_KEY_MAX_CHARACTERS), Some("^[!-~]([ -~]*[!-~])?$"));
        }
        "tenant" => schema.pattern = Some(TenantId::PATTERN.to_owned()),
        "feed-segment" => set_segment(schema, ""),
        "feed-version" => set_segment(schema, "(version=)?"),
        "feed-format" => set_segment(schema, "(format=)?"),
        "feed-interval" => schema.pattern = Some(feed::Hour::PATTERN.to_owned()),
        "feed-file" => schema.pattern = Some(feed::FILE_PATH_PATTERN.to_owned()),
        "webhook-url" => {
            set_text(schema, Some(1), Some(limits::WEBHOOK_URL_MAX_CHARACTERS), Some(r"^https?://[^@#\s]+$"));
        }
        "webhook-url-view" => set_text(schema, Some(1), Some(limits::WEBHOOK_URL_MAX_CHARACTERS), None),
        "webhook-description" => {
            set_text(schema, None, Some(limits::WEBHOOK_DESCRIPTION_MAX_CHARACTERS), Some(NO_NUL));
        }
        "webhook-description-view" => set_text(schema, None, Some(limits::WEBHOOK_DESCRIPTION_MAX_CHARACTERS), None),
        "sha256" => schema.pattern = Some("^[0-9a-f]{64}$".to_owned()),
        "message-page" => set_page(schema, limits::MESSAGE_PAGE_MAX),
        "conversation-page" => set_page(schema, limits::CONVERSATION_PAGE_MAX),
        "vocabulary-page" => set_page(schema, limits::VOCABULARY_PAGE_MAX),
        "timestamp-micros" => {
            schema.format = Some(SchemaFormat::KnownFormat(KnownFormat::Int64));
            schema.maximum = usize::try_from(Timestamp::MAX.as_micros()).ok().map(Into::into);
        }
        // The name stays, so that the test of docs/openapi.json fails.
        unknown => schema.format = Some(SchemaFormat::Custom(unknown.to_owned())),
    }
}

/// The pattern of a list of event types, separated by commas.
fn event_types_pattern() -> String {
    let names: Vec<_> = EventType::ALL.iter().map(|event_type| event_type.as_str().replace('.', r"\.")).collect();
    let name = format!("({})", names.join("|"));
    format!("^{name}(,{name})*$")
}

/// The pattern of exactly the accepted cursors of events: three hexadecimal numbers without a zero in front. The first has
/// 63 bits, the second 32, the third 64.
fn event_cursor_pattern(alternative: &str) -> String {
    let number = |digits: usize| format!("[1-9a-f][0-9a-f]{{0,{}}}", digits - 1);
    let sequence = format!("(0|{}|[1-7][0-9a-f]{{15}})", number(15));
    format!("^({alternative}{sequence}-(0|{})-(0|{}))$", number(8), number(16))
}

fn set_text(schema: &mut Object, min: Option<usize>, max: Option<usize>, pattern: Option<&str>) {
    (schema.min_length, schema.max_length) = (min, max);
    schema.pattern = pattern.map(ToOwned::to_owned);
}

fn set_segment(schema: &mut Object, prefix: &str) {
    schema.max_length = Some(limits::FEED_SEGMENT_MAX_CHARACTERS);
    schema.pattern = Some(with_prefix(prefix, feed::SEGMENT_PATTERN));
}

fn set_page(schema: &mut Object, max: u16) {
    schema.format = Some(SchemaFormat::KnownFormat(KnownFormat::Int32));
    (schema.minimum, schema.maximum) = (Some(1_usize.into()), Some(usize::from(max).into()));
}

/// The pattern with a prefix before its first character.
fn with_prefix(prefix: &str, pattern: &str) -> String {
    format!("^{prefix}{}", pattern.trim_start_matches('^'))
}

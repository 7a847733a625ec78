//! Tests that the numbers in the OpenAPI document are the limits of the domain.

use parlance_domain::{
    access::TenantId,
    event::EventType,
    feed::SEGMENT_PATTERN,
    id, limits,
    redaction::Entity,
    time::{SECONDS_PER_HOUR, Timestamp},
};
use serde_json::Value;
use support::openapi_document::OpenApiDocument;

const KEYWORDS: [&str; 4] = ["maxLength", "maxItems", "maxProperties", "maximum"];

/// The schemas of all parameters and properties, each with its operation or schema and its name.
fn named_schemas(document: &Value) -> Vec<(&str, &str, &Value)> {
    let operations =
        document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values());
    let parameters = operations.flat_map(|operation| {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let owner = operation["operationId"].as_str().unwrap();
        parameters.map(move |parameter| (owner, parameter["name"].as_str().unwrap(), &parameter["schema"]))
    });
    let schemas = document["components"]["schemas"].as_object().unwrap().iter();
    let properties = schemas.flat_map(|(owner, schema)| {
        let properties = schema["properties"].as_object().into_iter().flatten();
        properties.map(move |(name, schema)| (owner.as_str(), name.as_str(), schema))
    });
    parameters.chain(properties).collect()
}

/// The values of a keyword in a schema and in the schemas of its items, keys and values.
fn values<'a>(schema: &'a Value, keyword: &str) -> Vec<&'a Value> {
    let nested = ["items", "propertyNames", "additionalProperties"].into_iter().map(|name| &schema[name]);
    let found = nested.filter_map(|schema| schema.get(keyword));
    schema.get(keyword).into_iter().chain(found).collect()
}

/// The limits of the domain for a keyword of a parameter or property.
fn domain_limits(owner: &str, name: &str, keyword: &str) -> Vec<usize> {
    match (name, keyword) {
        ("externalId" | "customerExternalId" | "agentExternalId", "maxLength") => {
            vec![limits::EXTERNAL_ID_MAX_CHARACTERS]
        }
        ("name", "maxLength") => vec![limits::NAME_MAX_CHARACTERS],
        ("metadata", "maxLength") => vec![limits::METADATA_KEY_MAX_CHARACTERS, limits::METADATA_VALUE_MAX_CHARACTERS],
        ("metadata", "maxProperties") if owner == "RetentionRuleBody" => {
            vec![limits::CONVERSATION_METADATA_CRITERIA_MAX]
        }
        ("rules", "maxItems") => vec![limits::RETENTION_RULES_MAX],
        ("days", "maximum") => vec![limits::RETENTION_DAYS_MAX as usize],
        ("metadata", "maxProperties") => vec![limits::METADATA_MAX_PAIRS],
        ("messages", "maxItems") if owner == "PreviewBody" => vec![limits::PREVIEW_MAX_MESSAGES],
        ("reference", "maxLength") => vec![limits::PRIVACY_REFERENCE_MAX_CHARACTERS],
        ("text", "maxLength") if owner.starts_with("Preview") => vec![limits::PREVIEW_TEXT_MAX_CHARACTERS],
        ("confidence", "maximum") => vec![1],
        ("entities", "maxItems") => vec![Entity::ALL.len()],
        ("sample", "maximum") => vec![limits::BACKTEST_MAX_SAMPLES],
        ("types", "maxItems") => vec![EventType::ALL.len()],
        ("messages" | "ids", "maxItems") => vec![limits::MESSAGE_BATCH_MAX],
        ("phrase", "maxLength") => vec![limits::PHRASE_MAX_CHARACTERS],
        ("soundsLike", "maxItems") => vec![limits::SOUNDS_LIKE_MAX_ITEMS],
        ("limit", "maximum") if owner == "pollEvents" => vec![limits::EVENT_PAGE_MAX.into()],
        ("limit", "maximum") if owner == "listErasures" => vec![limits::ERASURE_PAGE_MAX.into()],
        ("issue", "maximum") => vec![limits::RECEIPT_ISSUE_MAX.into()],
        ("wait", "maximum") => vec![usize::try_from(limits::EVENT_WAIT_MAX_SECONDS).unwrap()],
        ("limit", "maximum") if owner == "listMessages" => vec![limits::MESSAGE_PAGE_MAX.into()],
        ("custom-vocabularies", "maxItems") | ("limit", "maximum") => vec![limits::VOCABULARY_PAGE_MAX.into()],
        ("feed" | "version" | "format" | "fileName", "maxLength") => vec![limits::FEED_SEGMENT_MAX_CHARACTERS],
        ("url", "maxLength") => vec![limits::WEBHOOK_URL_MAX_CHARACTERS],
        ("description", "maxLength") => vec![limits::WEBHOOK_DESCRIPTION_MAX_CHARACTERS],
        ("Idempotency-Key", "maxLength") => vec![limits::IDEMPOTENCY_KEY_MAX_CHARACTERS],
        ("expires", "maximum") => vec![usize::try_from(Timestamp::MAX.as_micros()).unwrap()],
        _ => Vec::new(),
    }
}

#[test]
fn every_maximum_of_every_operation_is_a_limit_of_the_domain() {
    let description = OpenApiDocument::load();
    let mut wrong = Vec::new();
    for (owner, name, schema) in named_schemas(description.json()) {
        for keyword in KEYWORDS {
            let allowed = domain_limits(owner, name, keyword);
            let unknown = values(schema, keyword).into_iter().filter(|value| {
                !value
                    .as_u64()
                    .and_then(|value| usize::try_from(value).ok())
                    .is_some_and(|value| allowed.contains(&value))
            });
            wrong.extend(unknown.map(|value| format!("{owner}, {name}: {keyword} {value}")));
        }
    }
    assert!(wrong.is_empty(), "take these from domain::limits, by a format in openapi/named_formats.rs: {wrong:?}");
}

#[test]
fn no_property_or_parameter_keeps_the_name_of_a_format() {
    let description = OpenApiDocument::load();
    let standard = ["date", "date-time", "int32", "int64"];
    let wrong: Vec<_> = named_schemas(description.json())
        .into_iter()
        .filter(|(.., schema)| schema["format"].as_str().is_some_and(|format| !standard.contains(&format)))
        .map(|(owner, name, _)| format!("{owner}, {name}"))
        .collect();
    assert!(wrong.is_empty(), "add the formats of these to openapi/named_formats.rs: {wrong:?}");
}

#[test]
fn the_patterns_of_identifiers_tenants_and_feeds_are_those_of_the_domain() {
    let description = OpenApiDocument::load();
    let pattern = |owner: &str, name: &str| {
        let schemas = named_schemas(description.json());
        let (.., schema) = *schemas.iter().find(|(of, named, _)| (*of, *named) == (owner, name)).unwrap();
        schema["pattern"].as_str().unwrap().to_owned()
    };
    assert_eq!(pattern("getConversation", "conversationId"), id::PATTERN);
    assert_eq!(pattern("collectFeedFile", "tenant"), TenantId::PATTERN);
    assert_eq!(pattern("collectFeedFile", "feed"), SEGMENT_PATTERN);
}

/// Descriptions are doc comments, which cannot take a constant.
#[test]
fn the_numbers_in_descriptions_are_the_limits_of_the_domain() {
    let text = OpenApiDocument::load().json().to_string();
    for expected in [
        format!("Adds 1 to {} messages to a conversation", limits::MESSAGE_BATCH_MAX),
        format!("At most {} days after `since`", limits::BACKTEST_MAX_DAYS),
        format!("It reads at most {},000 messages", limits::BACKTEST_MAX_MESSAGES / 1_000),
        format!("with `cursor` alone, {}\"", limits::MESSAGE_PAGE_MAX),
        format!("its texts reach {} MiB", limits::MESSAGE_PAGE_BYTES / 1_024 / 1_024),
        format!("Adds an entry. There are at most {},", limits::VOCABULARY_MAX_ENTRIES),
        format!("Most entries of the page; left out, {},", limits::VOCABULARY_PAGE_DEFAULT),
        format!("for {} hours, a repeat", limits::IDEMPOTENCY_RECORD_SECONDS / SECONDS_PER_HOUR),
        format!("Most events of the page ({})", limits::EVENT_PAGE_DEFAULT),
        format!("Most conversations of a page ({})", limits::ERASURE_PAGE_DEFAULT),
        format!("It is good once, within {} seconds", limits::STREAM_ADDRESS_SECONDS),
        format!("is good for {} minutes", limits::FEED_ADDRESS_SECONDS / 60),
    ] {
        assert!(text.contains(&expected), "no description says: {expected}");
    }
}

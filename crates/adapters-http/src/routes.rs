//! The interface on one screen.

use actix_web::{http::Method, middleware::from_fn, web, web::ServiceConfig};

use crate::{
    authentication::authenticate,
    conversations, documentation, feeds, health, index, message_batches, messages,
    problem::{ApiError, RefusalKind},
    redaction,
    resource::Endpoint,
    transcripts, vocabularies,
};

/// What needs a credential, in the order of the specification.
fn guarded() -> Vec<Endpoint> {
    let mut endpoints = conversation_endpoints();
    // 4.7 create a custom vocabulary, 4.8 self-serve operations: one family under two paths
    endpoints.extend(vocabulary_endpoints([
        "/configuration/v1/custom-vocabularies",
        "/configuration/v1/custom-vocabularies/validate",
        "/configuration/v1/custom-vocabularies/export",
        "/configuration/v1/custom-vocabularies/status",
        "/configuration/v1/custom-vocabularies/{customVocabularyId}",
    ]));
    endpoints.extend(vocabulary_endpoints([
        "/configuration/v1/auto-transcribe/custom-vocabularies",
        "/configuration/v1/auto-transcribe/custom-vocabularies/validate",
        "/configuration/v1/auto-transcribe/custom-vocabularies/export",
        "/configuration/v1/auto-transcribe/custom-vocabularies/status",
        "/configuration/v1/auto-transcribe/custom-vocabularies/{customVocabularyId}",
    ]));
    endpoints.extend(feed_endpoints());
    endpoints
}

/// 4.10 list feed dates, and its siblings
fn feed_endpoints() -> [Endpoint; 7] {
    [
        Endpoint::new("/fileexporter/v1/static/listfeeds").post(feeds::feeds),
        Endpoint::new("/fileexporter/v1/static/listfeedversions").post(feeds::versions),
        Endpoint::new("/fileexporter/v1/static/listfeedformats").post(feeds::formats),
        Endpoint::new("/fileexporter/v1/static/listfeeddates").post(feeds::dates),
        Endpoint::new("/fileexporter/v1/static/listfeedfiles").post(feeds::files),
        Endpoint::new("/fileexporter/v1/static/getfeedfile").post(feeds::file),
        Endpoint::new("/fileexporter/v1/static/getfeedschema").post(feeds::schema),
    ]
}

fn conversation_endpoints() -> Vec<Endpoint> {
    vec![
        // 4.1 create or update a conversation, 4.2 list conversations
        Endpoint::new("/conversation/v1/conversations").post(conversations::upsert).get(conversations::list),
        // 4.3 retrieve a conversation
        Endpoint::new("/conversation/v1/conversations/{conversationId}").get(conversations::retrieve),
        // 4.4 create a message, 4.5 list messages
        Endpoint::new("/conversation/v1/conversations/{conversationId}/messages")
            .post(messages::create)
            .get(messages::list),
        Endpoint::new("/conversation/v1/conversations/{conversationId}/messages/batch").post(message_batches::create),
        // 4.6 the full transcript of a conversation
        Endpoint::new("/conversation/v1/conversation/messages").get(transcripts::full),
        // 4.9 redaction entities
        Endpoint::new("/configuration/v1/redaction/redaction-entities").get(redaction::list),
        Endpoint::new("/configuration/v1/redaction/redaction-entity/{entityId}")
            .get(redaction::fetch)
            .patch(redaction::switch),
        Endpoint::new("/configuration/v1/redaction/redaction-entities/{entityId}")
            .get(redaction::fetch)
            .patch(redaction::switch),
    ]
}

fn vocabulary_endpoints([all, validate, export, status, one]: [&'static str; 5]) -> [Endpoint; 5] {
    [
        Endpoint::new(all).get(vocabularies::list).post(vocabularies::create),
        Endpoint::new(validate).post(vocabularies::validation::validate),
        Endpoint::new(export).get(vocabularies::export::export),
        Endpoint::new(status).get(vocabularies::status::status),
        Endpoint::new(one).get(vocabularies::retrieve).delete(vocabularies::remove),
    ]
}

fn health_endpoints() -> [Endpoint; 2] {
    [Endpoint::new("/health/live").get(health::live), Endpoint::new("/health/ready").get(health::ready)]
}

/// What anyone may ask.
fn open() -> Vec<Endpoint> {
    let mut endpoints = vec![Endpoint::new("/").get(index::index)];
    endpoints.extend(health_endpoints());
    endpoints.extend([
        // A signed address stands for a credential.
        Endpoint::new("/fileexporter/v1/static/feedfile").get(feeds::collecting::collect),
        Endpoint::new("/openapi.json").get(documentation::document),
    ]);
    endpoints
}

/// The readable form of the interface's description; it is no part of the interface itself.
fn pages() -> Vec<Endpoint> {
    vec![Endpoint::new("/docs").get(documentation::to_page), Endpoint::new("/docs/{file:.*}").get(documentation::page)]
}

/// Adds every path to a server. It needs [`Services`](crate::Services), [`HttpSettings`](crate::HttpSettings) and
/// [`Draining`](crate::Draining) as application data, and [`RequestScope`](crate::RequestScope) around it.
pub fn routes(config: &mut ServiceConfig) {
    for endpoint in guarded() {
        config.service(endpoint.into_resource().wrap(from_fn(authenticate)));
    }
    for endpoint in open().into_iter().chain(pages()) {
        config.service(endpoint.into_resource());
    }
    refuse_others(config);
}

/// Adds the paths of health alone to a server, which needs the same as for [`routes`].
pub fn health_routes(config: &mut ServiceConfig) {
    for endpoint in health_endpoints() {
        config.service(endpoint.into_resource());
    }
    refuse_others(config);
}

fn refuse_others(config: &mut ServiceConfig) {
    config.default_service(web::to(|| async { Err::<&str, _>(ApiError::refused(RefusalKind::UnknownRoute)) }));
}

/// The paths whose answers may be compressed: those that are large, and hold nothing secret beside what their caller
/// chose, whose length would tell of it. The others are left out: searches, signed addresses, files.
const COMPRESSIBLE: [&str; 13] = [
    "/conversation/v1/conversations/{conversationId}/messages",
    "/conversation/v1/conversation/messages",
    "/configuration/v1/custom-vocabularies",
    "/configuration/v1/custom-vocabularies/export",
    "/configuration/v1/auto-transcribe/custom-vocabularies",
    "/configuration/v1/auto-transcribe/custom-vocabularies/export",
    "/configuration/v1/redaction/redaction-entities",
    "/fileexporter/v1/static/listfeeds",
    "/fileexporter/v1/static/listfeedversions",
    "/fileexporter/v1/static/listfeedformats",
    "/fileexporter/v1/static/listfeeddates",
    "/fileexporter/v1/static/listfeedfiles",
    "/fileexporter/v1/static/getfeedschema",
];

/// Whether the answers of a path may be compressed.
pub(crate) fn is_compressible(route: &str) -> bool {
    COMPRESSIBLE.contains(&route)
}

/// Every path of the interface with its methods, for checks that the description is complete.
#[must_use]
pub fn endpoints() -> Vec<(&'static str, Vec<Method>)> {
    guarded().into_iter().chain(open()).map(|endpoint| (endpoint.path, endpoint.methods())).collect()
}

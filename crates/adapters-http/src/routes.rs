//! The routes of the interface.

use actix_web::{http::Method, middleware::from_fn, web, web::ServiceConfig};

use crate::{
    errors::api_error::{ApiError, RefusalKind},
    method_routing::Endpoint,
    middleware::authentication::authenticate,
    openapi,
    resources::{
        conversations, erasures, events, feeds, health, holds, index, messages, privacy_requests, redaction_entities,
        retention, transcripts, vocabularies, webhooks,
    },
};

/// The endpoints that require a credential, in the order of the specification.
fn authenticated_endpoints() -> Vec<Endpoint> {
    let mut endpoints = conversation_endpoints();
    // 4.7 create a custom vocabulary, 4.8 self-serve operations: the same endpoints under two paths
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
    endpoints.extend(webhook_endpoints());
    endpoints.extend(privacy_endpoints());
    endpoints
}

/// 4.10 list feed dates, and the other feed endpoints
fn feed_endpoints() -> [Endpoint; 8] {
    [
        Endpoint::new("/fileexporter/v1/static/listfeeds").post(feeds::handlers::feeds),
        Endpoint::new("/fileexporter/v1/static/listfeedversions").post(feeds::handlers::versions),
        Endpoint::new("/fileexporter/v1/static/listfeedformats").post(feeds::handlers::formats),
        Endpoint::new("/fileexporter/v1/static/listfeeddates").post(feeds::handlers::dates),
        Endpoint::new("/fileexporter/v1/static/listfeedintervals").post(feeds::handlers::intervals),
        Endpoint::new("/fileexporter/v1/static/listfeedfiles").post(feeds::handlers::files),
        Endpoint::new("/fileexporter/v1/static/getfeedfile").post(feeds::handlers::file),
        Endpoint::new("/fileexporter/v1/static/getfeedschema").post(feeds::handlers::schema),
    ]
}

fn conversation_endpoints() -> Vec<Endpoint> {
    vec![
        // 4.1 create or update a conversation, 4.2 list conversations
        Endpoint::new("/conversation/v1/conversations")
            .post(conversations::handlers::upsert)
            .get(conversations::handlers::list),
        // 4.3 retrieve a conversation
        Endpoint::new("/conversation/v1/conversations/{conversationId}")
            .get(conversations::handlers::retrieve)
            .delete(conversations::handlers::erase),
        // 4.4 create a message, 4.5 list messages
        Endpoint::new("/conversation/v1/conversations/{conversationId}/messages")
            .post(messages::handlers::create)
            .get(messages::handlers::list),
        Endpoint::new("/conversation/v1/conversations/{conversationId}/messages/batch").post(messages::batch::create),
        Endpoint::new("/conversation/v1/conversations/{conversationId}/messages/stream")
            .get(events::stream_handlers::messages),
        Endpoint::new("/conversation/v1/conversations/{conversationId}/messages/{messageId}")
            .get(messages::handlers::retrieve),
        // 4.6 the full transcript of a conversation
        Endpoint::new("/conversation/v1/conversation/messages").get(transcripts::handlers::full),
        Endpoint::new("/conversation/v1/events").get(events::handlers::poll),
        Endpoint::new("/conversation/v1/events/stream").get(events::stream_handlers::events),
        Endpoint::new("/conversation/v1/streams").post(events::addresses::issue),
        // 4.9 redaction entities
        Endpoint::new("/configuration/v1/redaction/redaction-entities").get(redaction_entities::handlers::list),
        Endpoint::new("/configuration/v1/redaction/redaction-entity/{entityId}")
            .get(redaction_entities::handlers::fetch)
            .patch(redaction_entities::handlers::switch),
        Endpoint::new("/configuration/v1/redaction/redaction-entities/{entityId}")
            .get(redaction_entities::handlers::fetch)
            .patch(redaction_entities::handlers::switch),
        Endpoint::new("/configuration/v1/redaction/preview").post(redaction_entities::preview::preview),
        Endpoint::new("/configuration/v1/redaction/backtest").post(redaction_entities::backtest::backtest),
    ]
}

fn vocabulary_endpoints([collection, validate, export, status, entry]: [&'static str; 5]) -> [Endpoint; 5] {
    [
        Endpoint::new(collection).get(vocabularies::handlers::list).post(vocabularies::handlers::create),
        Endpoint::new(validate).post(vocabularies::validation::validate),
        Endpoint::new(export).get(vocabularies::export::export),
        Endpoint::new(status).get(vocabularies::status::status),
        Endpoint::new(entry).get(vocabularies::handlers::retrieve).delete(vocabularies::handlers::remove),
    ]
}

fn webhook_endpoints() -> [Endpoint; 7] {
    use webhooks::{delivery_handlers, handlers};

    [
        Endpoint::new("/configuration/v1/webhooks").get(handlers::list).post(handlers::create),
        Endpoint::new("/configuration/v1/webhooks/{webhookId}")
            .get(handlers::retrieve)
            .patch(handlers::change)
            .delete(handlers::remove),
        Endpoint::new("/configuration/v1/webhooks/{webhookId}/rotate-secret").post(handlers::rotate_secret),
        Endpoint::new("/configuration/v1/webhooks/{webhookId}/test").post(delivery_handlers::test),
        Endpoint::new("/configuration/v1/webhooks/{webhookId}/replay").post(delivery_handlers::replay),
        Endpoint::new("/configuration/v1/webhooks/{webhookId}/deliveries").get(delivery_handlers::list),
        Endpoint::new("/configuration/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver")
            .post(delivery_handlers::redeliver),
    ]
}

fn privacy_endpoints() -> [Endpoint; 9] {
    [
        Endpoint::new("/privacy/v1/erasures").get(erasures::handlers::list),
        Endpoint::new("/privacy/v1/holds").get(holds::handlers::list).post(holds::handlers::place),
        Endpoint::new("/privacy/v1/holds/{holdId}").delete(holds::handlers::release),
        Endpoint::new("/privacy/v1/retention").get(retention::handlers::retrieve).put(retention::handlers::replace),
        Endpoint::new("/privacy/v1/retention/preview").post(retention::handlers::preview),
        Endpoint::new("/privacy/v1/requests")
            .get(privacy_requests::handlers::list)
            .post(privacy_requests::handlers::create),
        Endpoint::new("/privacy/v1/requests/{requestId}").get(privacy_requests::handlers::retrieve),
        Endpoint::new("/privacy/v1/requests/{requestId}/archive").get(privacy_requests::handlers::archive),
        Endpoint::new("/privacy/v1/requests/{requestId}/receipt").get(privacy_requests::handlers::receipt),
    ]
}

fn health_endpoints() -> [Endpoint; 2] {
    [Endpoint::new("/health/live").get(health::live), Endpoint::new("/health/ready").get(health::ready)]
}

/// The endpoints that require no credential.
fn public_endpoints() -> Vec<Endpoint> {
    let mut endpoints = vec![Endpoint::new("/").get(index::index)];
    endpoints.extend(health_endpoints());
    endpoints.extend([
        // A signed URL replaces the credential.
        Endpoint::new("/fileexporter/v1/static/feedfile").get(feeds::download::download),
        // A key that is good once replaces the credential.
        Endpoint::new("/conversation/v1/streams/{streamId}").get(events::addresses::open),
        Endpoint::new("/openapi.json").get(openapi::document),
    ]);
    endpoints
}

/// The Swagger UI pages. They are not part of the described interface.
fn documentation_endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::new("/docs").get(openapi::swagger_ui::redirect_to_swagger_ui),
        Endpoint::new("/docs/{file:.*}").get(openapi::swagger_ui::swagger_ui),
    ]
}

/// Registers every path on a server. The server needs [`Services`](crate::Services),
/// [`HttpSettings`](crate::HttpSettings), [`EventHub`](crate::EventHub) and [`DrainFlag`](crate::DrainFlag) as application data, and
/// [`RequestScope`](crate::RequestScope) as middleware.
pub fn routes(config: &mut ServiceConfig) {
    for endpoint in authenticated_endpoints() {
        config.service(endpoint.into_resource().wrap(from_fn(authenticate)));
    }
    for endpoint in public_endpoints().into_iter().chain(documentation_endpoints()) {
        config.service(endpoint.into_resource());
    }
    refuse_unknown_routes(config);
}

/// Registers only the health paths on a server. The requirements are those of [`routes`].
pub fn health_routes(config: &mut ServiceConfig) {
    for endpoint in health_endpoints() {
        config.service(endpoint.into_resource());
    }
    refuse_unknown_routes(config);
}

fn refuse_unknown_routes(config: &mut ServiceConfig) {
    config.default_service(web::to(|| async { Err::<&str, _>(ApiError::refused(RefusalKind::UnknownRoute)) }));
}

/// Every path of the interface with its methods. Tests use the list to check that the OpenAPI document is complete.
#[must_use]
pub fn endpoints() -> Vec<(&'static str, Vec<Method>)> {
    authenticated_endpoints()
        .into_iter()
        .chain(public_endpoints())
        .map(|endpoint| (endpoint.path, endpoint.methods()))
        .collect()
}

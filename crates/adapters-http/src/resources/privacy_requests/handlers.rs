//! The operations on privacy requests.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{CONTENT_DISPOSITION, ContentType},
    web::{Data, Json},
};
use parlance_domain::{
    access::OperatePrivacy,
    privacy::{PrivacyRequestId, ReceiptIssue},
    vocabulary::PageSize,
};

use crate::{
    Services,
    errors::{
        api_error::ApiError,
        responses::{ReadErrors, WriteErrors},
    },
    extract::{
        authorized::Authorized,
        json_body::JsonBody,
        page_parameters::page_parameters,
        query::{Query, path_id, whole_number},
    },
    resources::privacy_requests::{
        archive_stream,
        dto::{PrivacyRequestBody, PrivacyRequestView, PrivacyRequestsView},
    },
};

/// The media type of JSON Lines.
const JSON_LINES: &str = "application/x-ndjson";

fn request_id(request: &HttpRequest) -> Result<PrivacyRequestId, ApiError> {
    path_id(request, "requestId")
}

/// Create a privacy request
///
/// Asks for everything that is stored of a customer, or erases it. The service carries it out; read the status until it is
/// `completed`. An erasure takes whole the conversations whose customer it is or was, and singly the messages that
/// the customer sent in conversations of others. From the answer on, upserts of conversations of the customer are refused until
/// the erasure is completed.
#[utoipa::path(
    post,
    path = "/privacy/v1/requests",
    tag = "privacy",
    operation_id = "createPrivacyRequest",
    request_body = PrivacyRequestBody,
    responses((status = 202, description = "Accepted", body = PrivacyRequestView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn create(
    authorized: Authorized<OperatePrivacy>,
    services: Data<Services>,
    body: JsonBody<PrivacyRequestBody>,
) -> Result<HttpResponse, ApiError> {
    let request = services.privacy_requests.create(authorized.caller(), body.0.into_domain()?).await?;
    Ok(HttpResponse::Accepted().json(PrivacyRequestView::from(request)))
}

/// List privacy requests
///
/// One page of the requests, oldest first.
#[utoipa::path(
    get,
    path = "/privacy/v1/requests",
    tag = "privacy",
    operation_id = "listPrivacyRequests",
    params(
        ("limit" = Option<u16>, Query, description = "Most requests of the page; left out, 20",
            format = "vocabulary-page"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` or `prevCursor` of another page",
            format = "vocabulary-cursor"),
    ),
    responses((status = 200, description = "The page", body = PrivacyRequestsView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn list(
    authorized: Authorized<OperatePrivacy>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<Json<PrivacyRequestsView>, ApiError> {
    let (cursor, size) = page_parameters(&request, PageSize::default())?;
    let page = services.privacy_requests.list(authorized.caller(), cursor.as_ref(), size).await?;
    Ok(Json(PrivacyRequestsView::from(page)))
}

/// Retrieve a privacy request
///
/// The request with its status and its counts.
#[utoipa::path(
    get,
    path = "/privacy/v1/requests/{requestId}",
    tag = "privacy",
    operation_id = "getPrivacyRequest",
    params(("requestId" = String, Path, description = "The id of the request", format = "id")),
    responses((status = 200, description = "The request", body = PrivacyRequestView), ReadErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn retrieve(
    authorized: Authorized<OperatePrivacy>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<Json<PrivacyRequestView>, ApiError> {
    let found = services.privacy_requests.find(authorized.caller(), &request_id(&request)?).await?;
    Ok(Json(PrivacyRequestView::from(found)))
}

/// Download the archive of a request
///
/// Everything that is stored of the customer, as JSON Lines. The last line is the manifest: the counts, and the SHA-256 of all
/// bytes before it. An archive without this line is incomplete. Texts are masked like those of other answers. What was
/// erased since the request is left out.
#[utoipa::path(
    get,
    path = "/privacy/v1/requests/{requestId}/archive",
    tag = "privacy",
    operation_id = "getPrivacyArchive",
    params(("requestId" = String, Path, description = "The id of a completed request of the type access", format = "id")),
    responses(
        (status = 200, description = "The archive", body = String, content_type = "application/x-ndjson"),
        WriteErrors
    ),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn archive(
    authorized: Authorized<OperatePrivacy>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let id = request_id(&request)?;
    let archive = services.privacy_requests.archive(authorized.caller(), &id).await?;
    let mut response = HttpResponse::Ok();
    response.content_type(JSON_LINES).insert_header((CONTENT_DISPOSITION, attachment(&format!("archive-{id}.jsonl"))));
    archive_stream::respond(response, archive, &request).await
}

/// Download the receipt of an erasure
///
/// The signed receipt of a completed request of the type erasure. Keep it to the byte. After the operator has compacted a
/// database of PostgreSQL, the request has a second receipt.
#[utoipa::path(
    get,
    path = "/privacy/v1/requests/{requestId}/receipt",
    tag = "privacy",
    operation_id = "getErasureReceipt",
    params(
        ("requestId" = String, Path, description = "The id of a completed request of the type erasure", format = "id"),
        ("issue" = Option<u16>, Query, format = "receipt-issue",
            description = "The number of the receipt: 1 is the first, 2 the one after a compaction; left out, the newest"),
    ),
    responses(
        (status = 200, description = "The receipt", body = serde_json::Value, content_type = "application/json"),
        WriteErrors
    ),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn receipt(
    authorized: Authorized<OperatePrivacy>,
    services: Data<Services>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let id = request_id(&request)?;
    let issue = receipt_issue(&Query::from_request(&request)?)?;
    let receipt = services.privacy_requests.receipt(authorized.caller(), &id, issue).await?;
    let file = (CONTENT_DISPOSITION, attachment(&format!("receipt-{id}.json")));
    Ok(HttpResponse::Ok().content_type(ContentType::json()).insert_header(file).body(receipt))
}

/// Reads `issue`. The domain refuses a text that is no number as it refuses zero.
fn receipt_issue(query: &Query<'_>) -> Result<Option<ReceiptIssue>, ApiError> {
    query.check("issue", |text| ReceiptIssue::new(whole_number(text).unwrap_or_default()))
}

/// An id has only capital letters and digits, which need no escaping.
fn attachment(name: &str) -> String {
    format!("attachment; filename=\"{name}\"")
}

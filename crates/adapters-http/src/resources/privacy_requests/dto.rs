//! The wire types of privacy requests.

use parlance_domain::{
    privacy::{
        CreatePrivacyRequest, FailureReason, PrivacyCounts, PrivacyReference, PrivacyRequest, PrivacyRequestPage,
        PrivacyRequestStatus, PrivacyRequestType, WaitReason,
    },
    text::ExternalId,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    errors::api_error::ApiError,
    extract::{
        page_parameters::encode_cursor,
        validation::{Field, Object, Validation, required_text},
    },
};

/// A privacy request to create.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PrivacyRequestBody {
    /// What is asked for: an archive of what is stored, or its erasure.
    #[serde(default, rename = "type")]
    #[schema(value_type = PrivacyRequestTypeWord, required = true)]
    kind: Field<String>,
    /// Whom it is about.
    #[serde(default)]
    #[schema(value_type = SubjectBody, required = true)]
    subject: Field<Object<SubjectBody>>,
    /// Your own reference, such as the number of a ticket. It is kept: do not name the customer in it.
    #[serde(default)]
    #[schema(value_type = String, required = true, format = "privacy-reference")]
    reference: Field<String>,
    /// Whether to count only; left out, `false`.
    #[serde(default)]
    #[schema(value_type = bool, required = false)]
    dry_run: Field<bool>,
}

/// The customer whom a privacy request is about.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SubjectBody {
    /// The identifier of the customer in the caller's system.
    #[serde(default)]
    #[schema(value_type = String, required = true, format = "external-id")]
    customer_external_id: Field<String>,
}

/// What a privacy request asks for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "used only in the OpenAPI description")]
pub(crate) enum PrivacyRequestTypeWord {
    Access,
    Erasure,
}

/// How far a privacy request is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "used only in the OpenAPI description")]
pub(crate) enum PrivacyRequestStatusWord {
    Pending,
    Running,
    Completed,
    Failed,
}

/// What a request waits for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "used only in the OpenAPI description")]
pub(crate) enum WaitReasonWord {
    Hold,
    Ledger,
    Feeds,
    Messages,
    Readers,
    Service,
}

/// Why a privacy request failed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "used only in the OpenAPI description")]
pub(crate) enum FailureReasonWord {
    InvalidData,
    InternalError,
}

/// A privacy request. It never holds the identifier of the customer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PrivacyRequestView {
    #[schema(format = "id")]
    id: String,
    #[serde(rename = "type")]
    #[schema(value_type = PrivacyRequestTypeWord)]
    kind: &'static str,
    #[schema(value_type = PrivacyRequestStatusWord)]
    status: &'static str,
    /// What a running request waits for: `hold` for the release of a hold that was placed after the request, `ledger` for the
    /// ledger of erasures, `feeds` for another run or process that writes feeds, or for their store, `messages` for a further
    /// pass over messages that arrived, `readers` for another process that reads an old state of the database, `service`
    /// for a run that succeeds, because the last one ended with an error. Not there if it waits for nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = WaitReasonWord, required = false)]
    waiting_for: Option<&'static str>,
    /// Why the request failed: `invalid_data` if a stored row breaks a rule of the service, `internal_error` if the database
    /// refused a statement for good. The log of the server has the cause. Not there unless the request failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = FailureReasonWord, required = false)]
    failure_reason: Option<&'static str>,
    #[schema(format = "privacy-reference-view")]
    reference: String,
    /// Whether the request only counts.
    dry_run: bool,
    counts: PrivacyCountsView,
    #[schema(format = DateTime)]
    requested_at: String,
    /// When the answer is due: 30 days after the request.
    #[schema(format = DateTime)]
    due_at: String,
    /// When the request was completed or failed; null while it is open.
    #[schema(required = true, format = DateTime)]
    ended_at: Option<String>,
}

/// A page of privacy requests, oldest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PrivacyRequestsView {
    requests: Vec<PrivacyRequestView>,
    /// The `cursor` of the page after this one; null where nothing follows.
    #[schema(required = true, format = "next-cursor")]
    next_cursor: Option<String>,
    /// The `cursor` of the page before this one; null where nothing precedes.
    #[schema(required = true, format = "previous-cursor")]
    prev_cursor: Option<String>,
}

/// How much was found or erased, by place.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PrivacyCountsView {
    /// Conversations whose customer it is or was.
    conversations: u64,
    /// Messages in these conversations.
    messages: u64,
    /// Messages that the customer sent in conversations of others.
    messages_elsewhere: u64,
    /// Days and hours of feeds that were written again, in each format.
    feed_periods: u64,
}

impl PrivacyRequestBody {
    pub(crate) fn into_domain(self) -> Result<CreatePrivacyRequest, ApiError> {
        let mut validation = Validation::default();
        let kind = validation.required("/type", self.kind).and_then(|kind| parse_type(&mut validation, &kind));
        let customer = validation.required("/subject", self.subject).and_then(|Object(subject)| {
            let pointer = "/subject/customerExternalId";
            required_text(&mut validation, pointer, subject.customer_external_id, ExternalId::parse)
        });
        let reference = required_text(&mut validation, "/reference", self.reference, PrivacyReference::parse);
        let dry_run = validation.optional("/dryRun", self.dry_run).unwrap_or_default();
        let request = kind.zip(customer).zip(reference);
        let request =
            request.map(|((kind, customer), reference)| CreatePrivacyRequest { kind, customer, reference, dry_run });
        validation.finish(request)
    }
}

fn parse_type(validation: &mut Validation, kind: &str) -> Option<PrivacyRequestType> {
    validation.parse("/type", "enum", PrivacyRequestType::parse(kind).ok_or("must be access or erasure"))
}

impl From<&PrivacyCounts> for PrivacyCountsView {
    fn from(counts: &PrivacyCounts) -> Self {
        let PrivacyCounts { conversations, messages, messages_elsewhere, feed_periods } = *counts;
        Self { conversations, messages, messages_elsewhere, feed_periods }
    }
}

impl From<PrivacyRequest> for PrivacyRequestView {
    fn from(request: PrivacyRequest) -> Self {
        Self {
            id: request.id.to_string(),
            kind: request.kind.as_str(),
            status: PrivacyRequestStatus::as_str(request.status),
            waiting_for: request.waiting_for.map(WaitReason::as_str),
            failure_reason: request.failure.map(FailureReason::as_str),
            reference: request.reference.as_str().to_owned(),
            dry_run: request.dry_run,
            counts: PrivacyCountsView::from(&request.counts),
            requested_at: request.requested_at.to_string(),
            due_at: request.due_at().to_string(),
            ended_at: request.ended_at.map(|ended_at| ended_at.to_string()),
        }
    }
}

impl From<PrivacyRequestPage> for PrivacyRequestsView {
    fn from(page: PrivacyRequestPage) -> Self {
        Self {
            requests: page.entries.into_iter().map(PrivacyRequestView::from).collect(),
            next_cursor: page.next.as_ref().map(encode_cursor),
            prev_cursor: page.previous.as_ref().map(encode_cursor),
        }
    }
}

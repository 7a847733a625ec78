//! Reads the rows of privacy requests.

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    privacy::{
        FailureReason, IdentifierDigest, InvalidPrivacyRequest, OpenRequestPosition, OpenRequests, PrivacyCounts,
        PrivacyReference, PrivacyRequest, PrivacyRequestCursor, PrivacyRequestId, PrivacyRequestPage,
        PrivacyRequestStatus, PrivacyRequestType, WaitReason,
    },
    time::Timestamp,
    vocabulary::PageSize,
};
use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult};

use crate::{
    Database,
    control_plane::{
        audit::columns::restore_bytes,
        pages::{PageStatements, read_page},
        statements::{key, statement},
    },
    error::corrupt,
};

const TABLE: &str = "privacy_requests";

macro_rules! request_columns {
    () => {
        "tenant_id, id, kind, dry_run, subject, reference, status, waiting_for, failure, conversations, messages,
        messages_elsewhere, feed_periods, requested_at, ended_at"
    };
}

const FIND: &str = concat!("SELECT ", request_columns!(), " FROM privacy_requests WHERE tenant_id = $1 AND id = $2");

const PAGES: PageStatements = PageStatements {
    from: concat!(
        "SELECT ",
        request_columns!(),
        " FROM privacy_requests WHERE tenant_id = $1 AND id >= $2 ORDER BY id LIMIT $3"
    ),
    before: concat!(
        "SELECT ",
        request_columns!(),
        " FROM privacy_requests WHERE tenant_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3"
    ),
};

/// The number of requests that [`OPEN`] reads.
const OPEN_PAGE: usize = 100;

const OPEN: &str = concat!(
    "SELECT ",
    request_columns!(),
    " FROM privacy_requests WHERE ended_at IS NULL AND (requested_at, tenant_id, id) > ($1, $2, $3)
    ORDER BY requested_at, tenant_id, id LIMIT 100"
);

#[derive(FromQueryResult)]
struct RequestRow {
    tenant_id: String,
    id: String,
    kind: String,
    dry_run: i64,
    subject: Vec<u8>,
    reference: String,
    status: String,
    waiting_for: Option<String>,
    failure: Option<String>,
    conversations: i64,
    messages: i64,
    messages_elsewhere: i64,
    feed_periods: i64,
    requested_at: i64,
    ended_at: Option<i64>,
}

impl RequestRow {
    fn restore(self) -> Result<(TenantId, PrivacyRequest), StoreError> {
        let row = self.id.as_str();
        let count = |column, count: i64| u64::try_from(count).map_err(|error| corrupt(TABLE, column, row, error));
        let time = |column, micros| Timestamp::from_micros(micros).map_err(|error| corrupt(TABLE, column, row, error));
        let unknown = |column| corrupt(TABLE, column, row, "must be a known name");
        let tenant = TenantId::parse(&self.tenant_id).map_err(|error| corrupt(TABLE, "tenant_id", row, error))?;
        let request = PrivacyRequest {
            id: PrivacyRequestId::parse(row).map_err(|error| corrupt(TABLE, "id", row, error))?,
            kind: PrivacyRequestType::parse(&self.kind).ok_or_else(|| unknown("kind"))?,
            dry_run: self.dry_run != 0,
            subject: IdentifierDigest(restore_bytes(TABLE, "subject", &self.subject, row)?),
            reference: PrivacyReference::parse(self.reference.as_str())
                .map_err(|error| corrupt(TABLE, "reference", row, error))?,
            status: PrivacyRequestStatus::parse(&self.status).ok_or_else(|| unknown("status"))?,
            waiting_for: match self.waiting_for.as_deref() {
                Some(name) => Some(WaitReason::parse(name).ok_or_else(|| unknown("waiting_for"))?),
                None => None,
            },
            failure: match self.failure.as_deref() {
                Some(name) => Some(FailureReason::parse(name).ok_or_else(|| unknown("failure"))?),
                None => None,
            },
            counts: PrivacyCounts {
                conversations: count("conversations", self.conversations)?,
                messages: count("messages", self.messages)?,
                messages_elsewhere: count("messages_elsewhere", self.messages_elsewhere)?,
                feed_periods: count("feed_periods", self.feed_periods)?,
            },
            requested_at: time("requested_at", self.requested_at)?,
            ended_at: self.ended_at.map(|ended_at| time("ended_at", ended_at)).transpose()?,
        };
        Ok((tenant, request))
    }
}

pub(super) async fn find(
    database: &Database,
    tenant: &TenantId,
    id: &PrivacyRequestId,
) -> Result<Option<PrivacyRequest>, StoreError> {
    let row = database.read(|db| RequestRow::find_by_statement(statement(db, FIND, key(tenant, id))).one(db)).await?;
    row.map(|row| Ok(row.restore()?.1)).transpose()
}

pub(super) async fn page(
    database: &Database,
    tenant: &TenantId,
    cursor: Option<&PrivacyRequestCursor>,
    size: PageSize,
) -> Result<PrivacyRequestPage, StoreError> {
    let (rows, has_opposite) = read_page::<RequestRow, _>(database, &PAGES, tenant, cursor, size).await?;
    let requests = rows.into_iter().map(|row| Ok(row.restore()?.1)).collect::<Result<_, StoreError>>()?;
    Ok(PrivacyRequestPage::from_rows(cursor, size, requests, has_opposite))
}

pub(super) async fn open(database: &Database, after: Option<&OpenRequestPosition>) -> Result<OpenRequests, StoreError> {
    let (requested_at, tenant, id) =
        after.map_or((i64::MIN, "", ""), |after| (after.requested_at, after.tenant.as_str(), after.id.as_str()));
    let rows = database
        .read(async |db| db.query_all_raw(statement(db, OPEN, [requested_at.into(), tenant.into(), id.into()])).await);
    let (rows, mut open) = (rows.await?, OpenRequests::default());
    for row in &rows {
        match read_open(row) {
            Ok(request) => open.requests.push(request),
            Err(error) => open.invalid.push(invalid(row, error)),
        }
    }
    if rows.len() == OPEN_PAGE {
        open.next = rows.iter().rev().find_map(position);
    }
    Ok(open)
}

/// The position of a row; `None` if one of its values has another type.
fn position(row: &QueryResult) -> Option<OpenRequestPosition> {
    Some(OpenRequestPosition {
        requested_at: row.try_get("", "requested_at").ok()?,
        tenant: row.try_get("", "tenant_id").ok()?,
        id: row.try_get("", "id").ok()?,
    })
}

fn read_open(row: &QueryResult) -> Result<(TenantId, PrivacyRequest), StoreError> {
    // On SQLite a column can hold a value of another type.
    let read = RequestRow::from_query_result(row, "");
    read.map_err(|error| corrupt(TABLE, "*", &text_of(row, "id"), error))?.restore()
}

fn invalid(row: &QueryResult, error: StoreError) -> InvalidPrivacyRequest {
    InvalidPrivacyRequest { tenant: text_of(row, "tenant_id"), id: text_of(row, "id"), error }
}

/// A text of a row that is invalid.
fn text_of(row: &QueryResult, column: &str) -> String {
    row.try_get("", column).unwrap_or_else(|_| "(unreadable)".to_owned())
}

//! Files at addresses of our own: signed, so that they need no credential, and good for a while.

use std::ops::Range;

use actix_web::{
    HttpRequest, HttpResponse,
    body::SizedStream,
    http::{StatusCode, header},
    web::{Bytes, Data},
};
use futures_util::stream::try_unfold;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    feed::{
        Collected, Day, FeedDay, FeedFormat, FeedName, FeedTable, FeedVersion, FileBytes, FileName, FileTicket,
        SignedTicket,
    },
    signing::{hex, read_hex},
    time::Timestamp,
};

use super::byte_range::{Asked, asked};
use crate::{
    HttpSettings, Services,
    documentation::CollectErrors,
    problem::{ApiError, Detail, RefusalKind},
    query::{Query, whole_number, wrong},
    request_identity::RequestId,
};

const PATH: &str = "/fileexporter/v1/static/feedfile";

/// The address of a file on this server. Nothing in it needs an escape.
pub(super) fn url(settings: &HttpSettings, signed: &SignedTicket) -> String {
    let SignedTicket { ticket: FileTicket { tenant, day, file, expires_at }, signature } = signed;
    let FeedDay { table: FeedTable { feed, version, format }, day } = day;
    let (expires, signature) = (expires_at.as_micros(), hex(signature));
    let path = format!(
        "{PATH}?tenant={tenant}&feed={feed}&version={version}&format={format}&date={day}\
         &fileName={file}&expires={expires}&signature={signature}"
    );
    settings.address_of(&path)
}

fn read_signature(text: &str) -> Result<[u8; 32], &'static str> {
    let lower_case = |text: &&str| !text.bytes().any(|byte| byte.is_ascii_uppercase());
    Some(text).filter(lower_case).and_then(read_hex).ok_or("must have 64 lower-case hexadecimal digits")
}

/// Collect a file
///
/// The bytes of a file, at an address that `getFeedFile` gave: whoever has it needs no credential.
#[utoipa::path(
    get,
    path = "/fileexporter/v1/static/feedfile",
    tag = "feeds",
    operation_id = "collectFeedFile",
    params(
        ("tenant" = String, Query, description = "Part of the address", pattern = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"),
        ("feed" = String, Query, description = "Part of the address", max_length = 128,
            pattern = "^[A-Za-z0-9][A-Za-z0-9_-]*([.][A-Za-z0-9_-]+)*$"),
        ("version" = String, Query, description = "Part of the address", max_length = 128,
            pattern = "^[A-Za-z0-9][A-Za-z0-9_-]*([.][A-Za-z0-9_-]+)*$"),
        ("format" = String, Query, description = "Part of the address", max_length = 128,
            pattern = "^[A-Za-z0-9][A-Za-z0-9_-]*([.][A-Za-z0-9_-]+)*$"),
        ("date" = String, Query, description = "Part of the address", format = Date),
        ("fileName" = String, Query, description = "Part of the address", max_length = 128,
            pattern = "^[A-Za-z0-9][A-Za-z0-9_-]*([.][A-Za-z0-9_-]+)*$"),
        ("expires" = u64, Query, description = "Until when the address is good, in microseconds after 1970",
            maximum = 253_402_300_799_999_999_u64),
        ("signature" = String, Query, description = "Makes the address one that this service gave",
            pattern = "^[0-9a-f]{64}$"),
        ("Range" = Option<String>, Header, description = "One range of bytes"),
        ("If-Range" = Option<String>, Header, description = "The `ETag` that the range belongs to"),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of a file that is at hand"),
    ),
    responses(
        (status = 200, description = "The file", body = String, content_type = "application/octet-stream",
            headers(("ETag" = String, description = "Changes with the content"))),
        (status = 206, description = "The bytes that `Range` names", body = String,
            content_type = "application/octet-stream",
            headers(("ETag" = String, description = "Changes with the content"),
                ("Content-Range" = String, description = "Which bytes these are, and of how many"))),
        (status = 304, description = "It is the file that is at hand"),
        CollectErrors
    )
)]
pub(crate) async fn collect(services: Data<Services>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let signed = read(&request)?;
    let file = services.feeds.collect(signed).await.map_err(ApiError::at("query:fileName"))?;
    let tag = format!("\"{}\"", file.tag().replace(['"', '\\'], ""));
    let (range, status) = match asked(&request, file.bytes(), &tag) {
        Asked::Whole => (0..file.bytes(), StatusCode::OK),
        Asked::Part(range) => (range, StatusCode::PARTIAL_CONTENT),
        Asked::Known => return Ok(HttpResponse::NotModified().insert_header((header::ETAG, tag)).finish()),
        Asked::Beyond => return Ok(beyond(&file)),
    };
    let bytes = file.read(range.clone()).await.map_err(ApiError::at("query:fileName"))?;
    let mut response = HttpResponse::build(status);
    response
        .content_type("application/octet-stream")
        .insert_header((header::ETAG, tag))
        .insert_header((header::ACCEPT_RANGES, "bytes"))
        .insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", file.name())));
    if status == StatusCode::PARTIAL_CONTENT {
        response.insert_header((header::CONTENT_RANGE, content_range(&range, file.bytes())));
    }
    Ok(response.body(body(bytes, &range, RequestId::of(&request))))
}

fn content_range(range: &Range<u64>, bytes: u64) -> String {
    format!("bytes {}-{}/{bytes}", range.start, range.end.saturating_sub(1))
}

fn beyond(file: &Collected) -> HttpResponse {
    let detail = Detail::new("header:range", "within", format!("must begin within the {} bytes", file.bytes()));
    let mut response = HttpResponse::from_error(ApiError::Refused(RefusalKind::RangeBeyond, vec![detail]));
    if let Ok(range) = header::HeaderValue::from_str(&format!("bytes */{}", file.bytes())) {
        response.headers_mut().insert(header::CONTENT_RANGE, range);
    }
    response
}

/// The bytes as they come. A file that fails half-way is cut off, so that no one takes the part for the whole.
fn body(
    bytes: Box<dyn FileBytes>,
    range: &Range<u64>,
    request_id: RequestId,
) -> SizedStream<impl futures_util::Stream<Item = Result<Bytes, StoreError>> + use<>> {
    let rest = try_unfold((bytes, request_id), async |(mut bytes, request_id)| {
        let next = bytes.next().await.inspect_err(|error| {
            tracing::error!(request_id = request_id.as_str(), cause = error.with_causes(), "a file was cut off");
        })?;
        Ok(next.map(|next| (Bytes::from(next), (bytes, request_id))))
    });
    SizedStream::new(range.end - range.start, Box::pin(rest))
}

fn read(request: &HttpRequest) -> Result<SignedTicket, ApiError> {
    let query = Query::of(request)?;
    let table = FeedTable {
        feed: required("feed", query.check("feed", FeedName::parse))?,
        version: required("version", query.check("version", FeedVersion::parse))?,
        format: required("format", query.check("format", FeedFormat::parse))?,
    };
    let ticket = FileTicket {
        tenant: required("tenant", query.check("tenant", TenantId::parse))?,
        day: table.on(required("date", query.parse("date", "date", Day::parse))?),
        file: required("fileName", query.check("fileName", FileName::parse))?,
        expires_at: required("expires", query.parse("expires", "time", read_expiry))?,
    };
    let signature = required("signature", query.parse("signature", "hexadecimal", read_signature))?;
    Ok(SignedTicket { ticket, signature })
}

fn required<T>(name: &'static str, value: Result<Option<T>, ApiError>) -> Result<T, ApiError> {
    value?.ok_or_else(|| wrong(name, "required", "is missing"))
}

fn read_expiry(text: &str) -> Result<Timestamp, &'static str> {
    let micros = whole_number(text).and_then(|number| i64::try_from(number).ok());
    let moment = micros.and_then(|micros| Timestamp::from_micros(micros).ok());
    moment.ok_or("must be a whole number of microseconds after 1970")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_reads_back() {
        let signature: [u8; 32] = std::array::from_fn(|place| u8::try_from(place * 8).unwrap());
        assert_eq!(read_signature(&hex(&signature)), Ok(signature));
        for text in ["", "0", &"g".repeat(64), &"A".repeat(64), &"0".repeat(63), &"é".repeat(32)] {
            assert!(read_signature(text).is_err(), "{text}");
        }
    }
}

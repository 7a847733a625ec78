//! Download of feed files from this server, at signed addresses that expire and need no credential.

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
        Dataset, Day, Download, FeedFormat, FeedName, FeedPeriod, FeedVersion, FileBytes, FileName, FileTicket, Hour,
        Interval, SignedTicket,
    },
    hex,
    time::Timestamp,
};

use crate::{
    HttpSettings, Services,
    errors::{
        api_error::{ApiError, RefusalKind},
        envelope::Detail,
        responses::DownloadErrors,
    },
    extract::query::{Query, invalid_parameter, whole_number},
    middleware::request_id::RequestId,
    resources::feeds::{
        byte_range::{RangeRequest, requested_range},
        errors::file_error_at,
    },
};

const DOWNLOAD_PATH: &str = "/fileexporter/v1/static/feedfile";

/// The signed address of a file on this server. No part of the address needs escaping.
pub(super) fn url(settings: &HttpSettings, signed: &SignedTicket) -> String {
    let SignedTicket { ticket: FileTicket { tenant, period, file, expires_at }, signature } = signed;
    let FeedPeriod { dataset: Dataset { feed, version, format }, interval: Interval { day, hour } } = period;
    let interval = hour.map(|hour| format!("&interval={hour}")).unwrap_or_default();
    let (expires, signature) = (expires_at.as_micros(), hex::encode(signature));
    let path = format!(
        "{DOWNLOAD_PATH}?tenant={tenant}&feed={feed}&version={version}&format={format}&date={day}{interval}\
         &fileName={file}&expires={expires}&signature={signature}"
    );
    settings.url_for(&path)
}

fn parse_signature(text: &str) -> Result<[u8; 32], &'static str> {
    let digits = Some(text).filter(|text| hex::is_lower_hex(text));
    digits.and_then(hex::decode).ok_or("must have 64 lower-case hexadecimal digits")
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
        ("tenant" = String, Query, description = "Part of the address", format = "tenant"),
        ("feed" = String, Query, description = "Part of the address", format = "feed-segment"),
        ("version" = String, Query, description = "Part of the address", format = "feed-segment"),
        ("format" = String, Query, description = "Part of the address", format = "feed-segment"),
        ("date" = String, Query, description = "Part of the address", format = Date),
        ("interval" = Option<String>, Query, description = "Part of the address", format = "feed-interval"),
        ("fileName" = String, Query, description = "Part of the address", format = "feed-segment"),
        ("expires" = u64, Query, description = "Until when the address is good, in microseconds after 1970",
            format = "timestamp-micros"),
        ("signature" = String, Query, description = "Makes the address one that this service gave",
            format = "sha256"),
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
        DownloadErrors
    )
)]
pub(crate) async fn download(services: Data<Services>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let ticket = parse_ticket(&request)?;
    let file = services.feeds.download(ticket).await?;
    let tag = format!("\"{}\"", file.etag().replace(['"', '\\'], ""));
    let (range, status) = match requested_range(&request, file.bytes(), &tag) {
        RangeRequest::Full => (0..file.bytes(), StatusCode::OK),
        RangeRequest::Partial(range) => (range, StatusCode::PARTIAL_CONTENT),
        RangeRequest::NotModified => {
            return Ok(HttpResponse::NotModified().insert_header((header::ETAG, tag)).finish());
        }
        RangeRequest::Unsatisfiable => return Ok(range_not_satisfiable(&file)),
    };
    let bytes = file.read(range.clone()).await.map_err(file_error_at("query:fileName"))?;
    let mut response = HttpResponse::build(status);
    response
        .content_type("application/octet-stream")
        .insert_header((header::ETAG, tag))
        .insert_header((header::ACCEPT_RANGES, "bytes"))
        .insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", file.name())));
    if status == StatusCode::PARTIAL_CONTENT {
        response.insert_header((header::CONTENT_RANGE, content_range(&range, file.bytes())));
    }
    Ok(response.body(stream(bytes, &range, RequestId::from_request(&request))))
}

fn content_range(range: &Range<u64>, bytes: u64) -> String {
    format!("bytes {}-{}/{bytes}", range.start, range.end.saturating_sub(1))
}

fn range_not_satisfiable(file: &Download) -> HttpResponse {
    let detail = Detail::new("header:range", "within", format!("must start before byte {}", file.bytes()));
    let mut response = HttpResponse::from_error(ApiError::Refused(RefusalKind::RangeNotSatisfiable, vec![detail]));
    if let Ok(range) = header::HeaderValue::from_str(&format!("bytes */{}", file.bytes())) {
        response.headers_mut().insert(header::CONTENT_RANGE, range);
    }
    response
}

/// Streams the bytes. A stream that fails is aborted before its end, so that no caller mistakes a part for the whole.
fn stream(
    bytes: Box<dyn FileBytes>,
    range: &Range<u64>,
    request_id: RequestId,
) -> SizedStream<impl futures_util::Stream<Item = Result<Bytes, StoreError>> + use<>> {
    let chunks = try_unfold((bytes, request_id), async |(mut bytes, request_id)| {
        let chunk = bytes.next().await.inspect_err(|error| {
            tracing::error!(request_id = request_id.as_str(), cause = error.cause_chain(), "file response aborted");
        })?;
        Ok(chunk.map(|chunk| (Bytes::from(chunk), (bytes, request_id))))
    });
    SizedStream::new(range.end - range.start, Box::pin(chunks))
}

fn parse_ticket(request: &HttpRequest) -> Result<SignedTicket, ApiError> {
    let query = Query::from_request(request)?;
    let dataset = Dataset {
        feed: required("feed", query.check("feed", FeedName::parse))?,
        version: required("version", query.check("version", FeedVersion::parse))?,
        format: required("format", query.check("format", FeedFormat::parse))?,
    };
    let ticket = FileTicket {
        tenant: required("tenant", query.check("tenant", TenantId::parse))?,
        period: dataset.period(Interval {
            day: required("date", query.parse("date", "date", Day::parse))?,
            hour: query.check("interval", Hour::parse)?,
        }),
        file: required("fileName", query.check("fileName", FileName::parse))?,
        expires_at: required("expires", query.parse("expires", "time", parse_expiry))?,
    };
    let signature = required("signature", query.parse("signature", "hexadecimal", parse_signature))?;
    Ok(SignedTicket { ticket, signature })
}

fn required<T>(name: &'static str, value: Result<Option<T>, ApiError>) -> Result<T, ApiError> {
    value?.ok_or_else(|| invalid_parameter(name, "required", "is missing"))
}

fn parse_expiry(text: &str) -> Result<Timestamp, &'static str> {
    let micros = whole_number(text).and_then(|number| i64::try_from(number).ok());
    let expires_at = micros.and_then(|micros| Timestamp::from_micros(micros).ok());
    expires_at.ok_or("must be a whole number of microseconds after 1970-01-01T00:00:00Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_round_trips() {
        let signature: [u8; 32] = std::array::from_fn(|index| u8::try_from(index * 8).unwrap());
        assert_eq!(parse_signature(&hex::encode(&signature)), Ok(signature));
        for text in ["", "0", &"g".repeat(64), &"A".repeat(64), &"0".repeat(63), &"é".repeat(32)] {
            assert!(parse_signature(text).is_err(), "{text}");
        }
    }
}

//! The operations on feeds.

use actix_web::web::{Data, Json};
use parlance_domain::{
    access::ReadFeeds,
    feed::{DownloadLocation, Feed},
};

use crate::{
    HttpSettings, Services,
    errors::{api_error::ApiError, responses::WriteErrors},
    extract::{authorized::Authorized, json_body::JsonBody},
    resources::feeds::{
        bodies::{DatasetBody, DayBody, FeedBody, FeedsBody, FileBody, PeriodBody, VersionBody},
        download,
        errors::{dataset_error_at, file_error_at},
        views::{
            DatasetDatesView, FeedsView, FileAddressView, FormatsView, IntervalsView, PeriodFilesView, SchemaView,
            VersionsView,
        },
    },
};

/// List feeds
///
/// The names of the feeds that are produced here, and of those that something else wrote.
#[utoipa::path(
    post,
    path = "/fileexporter/v1/static/listfeeds",
    tag = "feeds",
    operation_id = "listFeeds",
    request_body = FeedsBody,
    responses((status = 200, description = "The feeds", body = FeedsView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn feeds(
    authorized: Authorized<ReadFeeds>,
    services: Data<Services>,
    _: JsonBody<FeedsBody>,
) -> Result<Json<FeedsView>, ApiError> {
    Ok(Json(FeedsView::from(services.feeds.feeds(authorized.caller()).await?)))
}

/// List the versions of a feed
///
/// The versions of the schema in which the feed is there.
#[utoipa::path(
    post,
    path = "/fileexporter/v1/static/listfeedversions",
    tag = "feeds",
    operation_id = "listFeedVersions",
    request_body = FeedBody,
    responses((status = 200, description = "The versions", body = VersionsView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn versions(
    authorized: Authorized<ReadFeeds>,
    services: Data<Services>,
    body: JsonBody<FeedBody>,
) -> Result<Json<VersionsView>, ApiError> {
    let feed = body.0.into_domain()?;
    let versions = services.feeds.versions(authorized.caller(), &feed).await.map_err(dataset_error_at("/feed"))?;
    Ok(Json(VersionsView::new(&feed, &versions)))
}

/// List the formats of a feed in a version
///
/// The formats in which the version is there.
#[utoipa::path(
    post,
    path = "/fileexporter/v1/static/listfeedformats",
    tag = "feeds",
    operation_id = "listFeedFormats",
    request_body = VersionBody,
    responses((status = 200, description = "The formats", body = FormatsView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn formats(
    authorized: Authorized<ReadFeeds>,
    services: Data<Services>,
    body: JsonBody<VersionBody>,
) -> Result<Json<FormatsView>, ApiError> {
    let (feed, version) = body.0.into_domain()?;
    let formats = services.feeds.formats(authorized.caller(), &feed, &version.value).await;
    let formats = formats.map_err(dataset_error_at(""))?;
    Ok(Json(FormatsView::new(&feed, version, &formats)))
}

/// List the dates of a feed
///
/// The days of a feed in a version and a format that are complete, ascending. A day that is still being written is not
/// among them.
#[utoipa::path(
    post,
    path = "/fileexporter/v1/static/listfeeddates",
    tag = "feeds",
    operation_id = "listFeedDates",
    request_body = DatasetBody,
    responses((status = 200, description = "The dates", body = DatasetDatesView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn dates(
    authorized: Authorized<ReadFeeds>,
    services: Data<Services>,
    body: JsonBody<DatasetBody>,
) -> Result<Json<DatasetDatesView>, ApiError> {
    let dataset = body.0.into_domain()?;
    let dates = services.feeds.dates(authorized.caller(), &dataset.value).await.map_err(dataset_error_at(""))?;
    Ok(Json(DatasetDatesView::new(dataset, &dates)))
}

/// List the hours of a day
///
/// The hours of a day that are complete, ascending, whether or not the day is complete. A day that was written as a whole
/// has none.
#[utoipa::path(
    post,
    path = "/fileexporter/v1/static/listfeedintervals",
    tag = "feeds",
    operation_id = "listFeedIntervals",
    request_body = DayBody,
    responses((status = 200, description = "The hours", body = IntervalsView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn intervals(
    authorized: Authorized<ReadFeeds>,
    services: Data<Services>,
    body: JsonBody<DayBody>,
) -> Result<Json<IntervalsView>, ApiError> {
    let day = body.0.into_domain()?;
    let intervals = services.feeds.intervals(authorized.caller(), &day.value.0, day.value.1).await;
    let intervals = intervals.map_err(dataset_error_at(""))?;
    Ok(Json(IntervalsView::new(day, &intervals)))
}

/// List the files of a day or an hour
///
/// Exactly these files are the day or the hour, in the order of their rows. One that was written anew has others, in a greater
/// revision.
#[utoipa::path(
    post,
    path = "/fileexporter/v1/static/listfeedfiles",
    tag = "feeds",
    operation_id = "listFeedFiles",
    request_body = PeriodBody,
    responses((status = 200, description = "The files", body = PeriodFilesView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn files(
    authorized: Authorized<ReadFeeds>,
    services: Data<Services>,
    body: JsonBody<PeriodBody>,
) -> Result<Json<PeriodFilesView>, ApiError> {
    let period = body.0.into_domain()?;
    let files = services.feeds.files(authorized.caller(), &period.value).await?;
    Ok(Json(PeriodFilesView::new(period, files)))
}

/// Get the address of a file
///
/// An address at which anyone who has it can collect the file for 15 minutes, without a credential. Where the server is
/// not told its own address, it is a path on it.
#[utoipa::path(
    post,
    path = "/fileexporter/v1/static/getfeedfile",
    tag = "feeds",
    operation_id = "getFeedFile",
    request_body = FileBody,
    responses((status = 200, description = "The address", body = FileAddressView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn file(
    authorized: Authorized<ReadFeeds>,
    services: Data<Services>,
    settings: Data<HttpSettings>,
    body: JsonBody<FileBody>,
) -> Result<Json<FileAddressView>, ApiError> {
    let (period, file) = body.0.into_domain()?;
    let address = services.feeds.locate(authorized.caller(), &period.value, &file).await;
    let url = match address.map_err(file_error_at("/fileName"))? {
        DownloadLocation::PresignedUrl(url) => url,
        DownloadLocation::Ticket(signed) => download::url(&settings, &signed),
    };
    Ok(Json(FileAddressView::new(period, &file, url)))
}

/// Get the schema of a feed
///
/// The columns of a feed that is produced here, the same in every format. A published version never changes.
#[utoipa::path(
    post,
    path = "/fileexporter/v1/static/getfeedschema",
    tag = "feeds",
    operation_id = "getFeedSchema",
    request_body = VersionBody,
    responses((status = 200, description = "The schema", body = SchemaView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn schema(
    authorized: Authorized<ReadFeeds>,
    services: Data<Services>,
    body: JsonBody<VersionBody>,
) -> Result<Json<SchemaView>, ApiError> {
    let (feed, version) = body.0.into_domain()?;
    let schema = services.feeds.schema(authorized.caller(), &feed, &version.value);
    let feed: Feed = schema.map_err(dataset_error_at(""))?;
    Ok(Json(SchemaView::new(feed, version)))
}

//! Feeds over HTTP (spec §4.10), and what a client needs beside their dates: names, files, schemas.

pub(crate) mod bodies;
pub(crate) mod byte_range;
pub(crate) mod collecting;
mod views;

use actix_web::web::{Data, Json};
use parlance_domain::feed::{Feed, FileAddress};

use self::{
    bodies::{DayBody, FeedBody, FeedsBody, FileBody, TableBody, VersionBody},
    views::{DayFilesView, FeedsView, FileAddressView, FormatsView, SchemaView, TableDatesView, VersionsView},
};
use crate::{
    HttpSettings, Services,
    authentication::{Permitted, ReadFeeds},
    body::JsonBody,
    documentation::WriteErrors,
    problem::ApiError,
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
    permitted: Permitted<ReadFeeds>,
    services: Data<Services>,
    _: JsonBody<FeedsBody>,
) -> Result<Json<FeedsView>, ApiError> {
    Ok(Json(FeedsView::from(services.feeds.feeds(permitted.caller()).await?)))
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
    permitted: Permitted<ReadFeeds>,
    services: Data<Services>,
    body: JsonBody<FeedBody>,
) -> Result<Json<VersionsView>, ApiError> {
    let feed = body.0.read()?;
    let versions = services.feeds.versions(permitted.caller(), &feed).await.map_err(ApiError::at("/feed"))?;
    Ok(Json(VersionsView::of(&feed, &versions)))
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
    permitted: Permitted<ReadFeeds>,
    services: Data<Services>,
    body: JsonBody<VersionBody>,
) -> Result<Json<FormatsView>, ApiError> {
    let (feed, version) = body.0.read()?;
    let formats = services.feeds.formats(permitted.caller(), &feed, &version.value).await?;
    Ok(Json(FormatsView::of(&feed, version, &formats)))
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
    request_body = TableBody,
    responses((status = 200, description = "The dates", body = TableDatesView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn dates(
    permitted: Permitted<ReadFeeds>,
    services: Data<Services>,
    body: JsonBody<TableBody>,
) -> Result<Json<TableDatesView>, ApiError> {
    let table = body.0.read()?;
    let dates = services.feeds.dates(permitted.caller(), &table.value).await?;
    Ok(Json(TableDatesView::of(table, &dates)))
}

/// List the files of a day
///
/// Exactly these files are the day, in the order of their rows. A day that was written anew has others, in a greater
/// revision.
#[utoipa::path(
    post,
    path = "/fileexporter/v1/static/listfeedfiles",
    tag = "feeds",
    operation_id = "listFeedFiles",
    request_body = DayBody,
    responses((status = 200, description = "The files", body = DayFilesView), WriteErrors),
    security(("apiId" = [], "apiSecret" = []))
)]
pub(crate) async fn files(
    permitted: Permitted<ReadFeeds>,
    services: Data<Services>,
    body: JsonBody<DayBody>,
) -> Result<Json<DayFilesView>, ApiError> {
    let day = body.0.read()?;
    let files = services.feeds.files(permitted.caller(), &day.value).await;
    Ok(Json(DayFilesView::of(day, files.map_err(ApiError::at("/date"))?)))
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
    permitted: Permitted<ReadFeeds>,
    services: Data<Services>,
    settings: Data<HttpSettings>,
    body: JsonBody<FileBody>,
) -> Result<Json<FileAddressView>, ApiError> {
    let (day, file) = body.0.read()?;
    let address = services.feeds.address(permitted.caller(), &day.value, &file).await;
    let url = match address.map_err(ApiError::at("/fileName"))? {
        FileAddress::OfStore(url) => url,
        FileAddress::Here(signed) => collecting::url(&settings, &signed),
    };
    Ok(Json(FileAddressView::of(day, &file, url)))
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
    permitted: Permitted<ReadFeeds>,
    services: Data<Services>,
    body: JsonBody<VersionBody>,
) -> Result<Json<SchemaView>, ApiError> {
    let (feed, version) = body.0.read()?;
    let feed: Feed = services.feeds.schema(permitted.caller(), &feed, &version.value)?;
    Ok(Json(SchemaView::of(feed, version)))
}

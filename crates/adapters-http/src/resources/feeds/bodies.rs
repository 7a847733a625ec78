//! Request bodies of the feed operations.

use parlance_domain::{
    feed::{Dataset, Day, FeedFormat, FeedName, FeedPeriod, FeedVersion, FilePath, Hour, Interval},
    text::Violation,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    errors::api_error::ApiError,
    extract::validation::{Field, Validation},
};

/// Nothing: an empty object.
#[derive(Deserialize, ToSchema)]
pub(crate) struct FeedsBody {}

macro_rules! body {
    ($(#[$attribute:meta])* $name:ident: $feed:ident $(, $version:ident $(, $format:ident
        $(, $date:ident $(, $interval:ident $(, $file:ident)?)?)?)?)?) => {
        #[derive(Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        $(#[$attribute])*
        pub(crate) struct $name {
            /// The name of the feed.
            #[serde(default)]
            #[schema(value_type = String, required = true, format = "feed-segment")]
            $feed: Field<String>,
            $(/// The version of the feed's schema; `1` and `version=1` are the same.
            #[serde(default)]
            #[schema(value_type = String, required = true, format = "feed-version")]
            $version: Field<String>,
            $(/// The format of the files; `jsonl` and `format=jsonl` are the same.
            #[serde(default)]
            #[schema(value_type = String, required = true, format = "feed-format")]
            $format: Field<String>,
            $(/// The day of UTC.
            #[serde(default)]
            #[schema(value_type = String, required = true, format = Date)]
            $date: Field<String>,
            $(/// The hour of the day; left out, the whole day. `07` and `hr=07` are the same.
            #[serde(default)]
            #[schema(value_type = String, required = false, format = "feed-interval")]
            $interval: Field<String>,
            $(/// The name of the file. A file of an hour of the day begins with the hour: `hr=07/`.
            #[serde(default)]
            #[schema(value_type = String, required = true, format = "feed-file")]
            $file: Field<String>,)?)?)?)?)?
        }
    };
}

body!(
    /// A feed.
    FeedBody: feed
);
body!(
    /// A feed in a version.
    VersionBody: feed, version
);
body!(
    /// A feed in a version and a format.
    #[schema(as = TableBody)]
    DatasetBody: feed, version, format
);
body!(
    /// A day of a feed in a version and a format, whose hours are listed.
    #[schema(as = IntervalsBody)]
    DayBody: feed, version, format, date
);
body!(
    /// A day or an hour of a feed in a version and a format.
    #[schema(as = DayBody)]
    PeriodBody: feed, version, format, date, interval
);
body!(
    /// A file of a day or an hour of a feed.
    FileBody: feed, version, format, date, interval, file_name
);

/// A value, and the text of its version as the caller wrote it. The response repeats that text.
pub(crate) struct WithRequestedVersion<T> {
    pub(crate) value: T,
    pub(super) requested_version: String,
}

fn required_name<T>(
    validation: &mut Validation,
    pointer: &str,
    member: Field<String>,
    parse: fn(&str) -> Result<T, Violation>,
) -> Option<T> {
    let text = validation.required(pointer, member)?;
    parse_name(validation, pointer, &text, parse)
}

/// Parses a name. An invalid name is unreadable, because no existing thing can have it.
fn parse_name<T>(
    validation: &mut Validation,
    pointer: &str,
    text: &str,
    parse: fn(&str) -> Result<T, Violation>,
) -> Option<T> {
    let parsed = parse(text);
    let rule = parsed.as_ref().err().map_or("", Violation::rule);
    validation.parse(pointer, rule, parsed)
}

fn required_version(validation: &mut Validation, member: Field<String>) -> Option<WithRequestedVersion<FeedVersion>> {
    let version = validation.required("/version", member)?;
    let value = parse_name(validation, "/version", &version, FeedVersion::parse)?;
    Some(WithRequestedVersion { value, requested_version: version })
}

fn required_dataset(
    validation: &mut Validation,
    feed: Field<String>,
    version: Field<String>,
    format: Field<String>,
) -> Option<WithRequestedVersion<Dataset>> {
    let feed = required_name(validation, "/feed", feed, FeedName::parse);
    let version = required_version(validation, version);
    let format = required_name(validation, "/format", format, FeedFormat::parse);
    let WithRequestedVersion { value, requested_version: version } = version?;
    Some(WithRequestedVersion {
        value: Dataset { feed: feed?, version: value, format: format? },
        requested_version: version,
    })
}

fn required_day(
    validation: &mut Validation,
    [feed, version, format, date]: [Field<String>; 4],
) -> Option<WithRequestedVersion<(Dataset, Day)>> {
    let dataset = required_dataset(validation, feed, version, format);
    let date = validation.required("/date", date);
    let date = date.and_then(|text| validation.parse("/date", "date", Day::parse(&text)));
    let WithRequestedVersion { value, requested_version } = dataset?;
    Some(WithRequestedVersion { value: (value, date?), requested_version })
}

fn required_period(
    validation: &mut Validation,
    day: [Field<String>; 4],
    interval: Field<String>,
) -> Option<WithRequestedVersion<FeedPeriod>> {
    let day = required_day(validation, day);
    let hour = match validation.optional("/interval", interval) {
        Some(text) => Some(parse_name(validation, "/interval", &text, Hour::parse)?),
        None => None,
    };
    let WithRequestedVersion { value: (dataset, day), requested_version } = day?;
    Some(WithRequestedVersion { value: dataset.period(Interval { day, hour }), requested_version })
}

impl FeedBody {
    pub(crate) fn into_domain(self) -> Result<FeedName, ApiError> {
        let mut validation = Validation::default();
        let feed = required_name(&mut validation, "/feed", self.feed, FeedName::parse);
        validation.finish(feed)
    }
}

impl VersionBody {
    pub(crate) fn into_domain(self) -> Result<(FeedName, WithRequestedVersion<FeedVersion>), ApiError> {
        let mut validation = Validation::default();
        let feed = required_name(&mut validation, "/feed", self.feed, FeedName::parse);
        let version = required_version(&mut validation, self.version);
        validation.finish(feed.zip(version))
    }
}

impl DatasetBody {
    pub(crate) fn into_domain(self) -> Result<WithRequestedVersion<Dataset>, ApiError> {
        let mut validation = Validation::default();
        let dataset = required_dataset(&mut validation, self.feed, self.version, self.format);
        validation.finish(dataset)
    }
}

impl DayBody {
    pub(crate) fn into_domain(self) -> Result<WithRequestedVersion<(Dataset, Day)>, ApiError> {
        let mut validation = Validation::default();
        let day = required_day(&mut validation, [self.feed, self.version, self.format, self.date]);
        validation.finish(day)
    }
}

impl PeriodBody {
    pub(crate) fn into_domain(self) -> Result<WithRequestedVersion<FeedPeriod>, ApiError> {
        let mut validation = Validation::default();
        let day = [self.feed, self.version, self.format, self.date];
        let period = required_period(&mut validation, day, self.interval);
        validation.finish(period)
    }
}

impl FileBody {
    pub(crate) fn into_domain(self) -> Result<(WithRequestedVersion<FeedPeriod>, FilePath), ApiError> {
        let mut validation = Validation::default();
        let day = [self.feed, self.version, self.format, self.date];
        let period = required_period(&mut validation, day, self.interval);
        let file = required_name(&mut validation, "/fileName", self.file_name, FilePath::parse);
        validation.finish(period.zip(file))
    }
}

//! What is asked of feeds.

use parlance_domain::{
    feed::{Day, FeedDay, FeedFormat, FeedName, FeedTable, FeedVersion, FileName},
    text::Violation,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    problem::ApiError,
    reading::{Member, Reading},
};

/// Nothing: an empty object.
#[derive(Deserialize, ToSchema)]
pub(crate) struct FeedsBody {}

macro_rules! body {
    ($(#[$doc:meta])* $name:ident: $feed:ident $(, $version:ident $(, $format:ident $(, $date:ident $(, $file:ident)?)?)?)?) => {
        $(#[$doc])*
        #[derive(Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $name {
            /// The name of the feed.
            #[serde(default)]
            #[schema(value_type = String, required = true, max_length = 128,
                pattern = "^[A-Za-z0-9][A-Za-z0-9_-]*([.][A-Za-z0-9_-]+)*$")]
            $feed: Member<String>,
            $(/// The version of the feed's schema; `1` and `version=1` are the same.
            #[serde(default)]
            #[schema(value_type = String, required = true, max_length = 128,
                pattern = "^(version=)?[A-Za-z0-9][A-Za-z0-9_-]*([.][A-Za-z0-9_-]+)*$")]
            $version: Member<String>,
            $(/// The format of the files; `jsonl` and `format=jsonl` are the same.
            #[serde(default)]
            #[schema(value_type = String, required = true, max_length = 128,
                pattern = "^(format=)?[A-Za-z0-9][A-Za-z0-9_-]*([.][A-Za-z0-9_-]+)*$")]
            $format: Member<String>,
            $(/// The day of UTC.
            #[serde(default)]
            #[schema(value_type = String, required = true, format = Date)]
            $date: Member<String>,
            $(/// The name of the file.
            #[serde(default)]
            #[schema(value_type = String, required = true, max_length = 128,
                pattern = "^[A-Za-z0-9][A-Za-z0-9_-]*([.][A-Za-z0-9_-]+)*$")]
            $file: Member<String>,)?)?)?)?
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
    TableBody: feed, version, format
);
body!(
    /// A day of a feed in a version and a format.
    DayBody: feed, version, format, date
);
body!(
    /// A file of a day of a feed.
    FileBody: feed, version, format, date, file_name
);

/// A value with its version in the words in which the caller gave it, which the answer repeats.
pub(crate) struct AsGiven<T> {
    pub(crate) value: T,
    pub(super) version: String,
}

fn segment<T>(
    reading: &mut Reading,
    pointer: &str,
    member: Member<String>,
    parse: fn(&str) -> Result<T, Violation>,
) -> Option<T> {
    let text = reading.required(pointer, member)?;
    checked(reading, pointer, &text, parse)
}

/// A name that is none is not readable: it can name nothing that there is.
fn checked<T>(reading: &mut Reading, pointer: &str, text: &str, parse: fn(&str) -> Result<T, Violation>) -> Option<T> {
    let parsed = parse(text);
    let rule = parsed.as_ref().err().map_or("", Violation::rule);
    reading.read(pointer, rule, parsed)
}

fn version(reading: &mut Reading, member: Member<String>) -> Option<AsGiven<FeedVersion>> {
    let version = reading.required("/version", member)?;
    let value = checked(reading, "/version", &version, FeedVersion::parse)?;
    Some(AsGiven { value, version })
}

fn table(
    reading: &mut Reading,
    feed: Member<String>,
    given: Member<String>,
    format: Member<String>,
) -> Option<AsGiven<FeedTable>> {
    let feed = segment(reading, "/feed", feed, FeedName::parse);
    let given = version(reading, given);
    let format = segment(reading, "/format", format, FeedFormat::parse);
    let AsGiven { value, version } = given?;
    Some(AsGiven { value: FeedTable { feed: feed?, version: value, format: format? }, version })
}

fn day(reading: &mut Reading, [feed, given, format, date]: [Member<String>; 4]) -> Option<AsGiven<FeedDay>> {
    let table = table(reading, feed, given, format);
    let date = reading.required("/date", date);
    let date = date.and_then(|text| reading.read("/date", "date", Day::parse(&text)));
    let AsGiven { value, version } = table?;
    Some(AsGiven { value: FeedDay { table: value, day: date? }, version })
}

impl FeedBody {
    pub(crate) fn read(self) -> Result<FeedName, ApiError> {
        let mut reading = Reading::default();
        let feed = segment(&mut reading, "/feed", self.feed, FeedName::parse);
        reading.finish(feed)
    }
}

impl VersionBody {
    pub(crate) fn read(self) -> Result<(FeedName, AsGiven<FeedVersion>), ApiError> {
        let mut reading = Reading::default();
        let feed = segment(&mut reading, "/feed", self.feed, FeedName::parse);
        let version = version(&mut reading, self.version);
        reading.finish(feed.zip(version))
    }
}

impl TableBody {
    pub(crate) fn read(self) -> Result<AsGiven<FeedTable>, ApiError> {
        let mut reading = Reading::default();
        let table = table(&mut reading, self.feed, self.version, self.format);
        reading.finish(table)
    }
}

impl DayBody {
    pub(crate) fn read(self) -> Result<AsGiven<FeedDay>, ApiError> {
        let mut reading = Reading::default();
        let day = day(&mut reading, [self.feed, self.version, self.format, self.date]);
        reading.finish(day)
    }
}

impl FileBody {
    pub(crate) fn read(self) -> Result<(AsGiven<FeedDay>, FileName), ApiError> {
        let mut reading = Reading::default();
        let day = day(&mut reading, [self.feed, self.version, self.format, self.date]);
        let file = segment(&mut reading, "/fileName", self.file_name, FileName::parse);
        reading.finish(day.zip(file))
    }
}

//! Tests of feed exports by hours: a day is the sum of its hours, and stays as it was begun.

use parlance_domain::{
    feed::{Compression, DayRange, FeedStore, FileFormat, Interval, IntervalLength},
    time::{MICROS_PER_HOUR, Timestamp},
};
use std::sync::Arc;
use support::{database::TestDatabase, fixtures::acme, service::NoopProductionObserver};

use crate::feed_production::{ExportFixture, first_day, first_day_at, messages, second_day_close};

sql_contract![
    a_day_is_the_sum_of_its_hours,
    closed_hours_of_an_open_day_are_complete,
    a_late_change_makes_a_new_revision_of_its_hour_and_of_its_day,
    a_complete_day_is_left_alone_if_only_missing_ones_are_written,
    a_day_stays_as_it_was_begun,
    an_unfinished_hour_is_not_complete_and_is_written_again,
];

async fn produce(fixture: &ExportFixture, length: IntervalLength, now: Timestamp, range: DayRange) {
    let feeds = Arc::new(fixture.output.feeds.clone());
    let production = fixture.production_into((Arc::clone(&feeds) as _, feeds), now, Compression::None);
    let production = production.with_intervals(length);
    production.produce(&acme(), &[FileFormat::JsonLines], range, &NoopProductionObserver).await.unwrap();
}

async fn produce_hours(fixture: &ExportFixture, now: Timestamp) {
    produce(fixture, IntervalLength::Hour, now, DayRange::default()).await;
}

fn first_day_close() -> Timestamp {
    Interval::from(first_day()).closes_at()
}

fn hour(number: usize) -> Interval {
    Interval::hours_of(first_day()).nth(number).unwrap()
}

/// The numbers of the complete hours of messages on the first day.
async fn hours(fixture: &ExportFixture) -> Vec<u8> {
    let (feeds, dataset) = (&fixture.output.feeds, messages(first_day()).dataset);
    let hours = feeds.complete_hours(&acme(), &dataset, first_day()).await.unwrap();
    hours.iter().map(|hour| hour.number()).collect()
}

async fn append_in_hours(fixture: &ExportFixture, hours: &[(u128, i64)]) {
    for (number, hour) in hours {
        fixture.append_message(*number, "text", first_day_at(hour * MICROS_PER_HOUR + 5)).await;
    }
}

async fn a_day_is_the_sum_of_its_hours(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    append_in_hours(&fixture, &[(1, 23), (2, 0), (3, 7), (4, 7)]).await;
    produce_hours(&fixture, first_day_close().plus_seconds(-1)).await;
    assert_eq!(fixture.manifest(&messages(first_day())).await, None);
    produce_hours(&fixture, first_day_close()).await;
    let manifest = fixture.manifest(&messages(first_day())).await.unwrap();
    let files: Vec<_> = manifest.files.iter().map(|file| (file.path.to_string()[..6].to_owned(), file.rows)).collect();
    assert_eq!(files, [("hr=00/".to_owned(), 1), ("hr=07/".to_owned(), 2), ("hr=23/".to_owned(), 1)]);
    assert!(manifest.hourly && hours(&fixture).await.len() == 24);
    assert!(fixture.output.feeds.files(&acme(), &messages(first_day())).await.unwrap().is_empty());
    produce_hours(&fixture, second_day_close()).await;
    assert_eq!(fixture.manifest(&messages(first_day())).await, Some(manifest));
}

async fn closed_hours_of_an_open_day_are_complete(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    append_in_hours(&fixture, &[(1, 1), (2, 2)]).await;
    produce_hours(&fixture, hour(0).closes_at().plus_seconds(-1)).await;
    assert!(hours(&fixture).await.is_empty());
    produce_hours(&fixture, hour(1).closes_at()).await;
    assert_eq!(hours(&fixture).await, [0, 1]);
    let range = DayRange { from: Some(first_day()), missing_only: true, ..DayRange::default() };
    produce(&fixture, IntervalLength::Hour, hour(2).closes_at(), range).await;
    assert_eq!(hours(&fixture).await, [0, 1, 2]);
    let period = messages(first_day()).dataset.period(hour(1));
    assert_eq!(fixture.manifest(&period).await.unwrap().rows(), 1);
}

async fn a_late_change_makes_a_new_revision_of_its_hour_and_of_its_day(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    append_in_hours(&fixture, &[(1, 0), (2, 7)]).await;
    produce_hours(&fixture, first_day_close()).await;
    append_in_hours(&fixture, &[(3, 7)]).await;
    produce_hours(&fixture, first_day_close()).await;
    let day = fixture.manifest(&messages(first_day())).await.unwrap();
    assert_eq!((day.rows(), day.inputs.revision), (3, 2));
    for (number, revision, rows) in [(0, 1, 1), (7, 2, 2), (8, 1, 0)] {
        let period = messages(first_day()).dataset.period(hour(number));
        let manifest = fixture.manifest(&period).await.unwrap();
        assert_eq!((manifest.inputs.revision, manifest.rows()), (revision, rows), "hour {number}");
        assert_eq!(fixture.output.feeds.files(&acme(), &period).await.unwrap().len(), manifest.files.len());
    }
}

async fn a_complete_day_is_left_alone_if_only_missing_ones_are_written(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    append_in_hours(&fixture, &[(1, 0)]).await;
    produce_hours(&fixture, first_day_close()).await;
    append_in_hours(&fixture, &[(2, 0)]).await;
    let range = DayRange { from: Some(first_day()), missing_only: true, ..DayRange::default() };
    produce(&fixture, IntervalLength::Hour, first_day_close(), range).await;
    assert_eq!(fixture.manifest(&messages(first_day())).await.unwrap().rows(), 1);
}

async fn a_day_stays_as_it_was_begun(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    append_in_hours(&fixture, &[(1, 0)]).await;
    produce(&fixture, IntervalLength::Day, first_day_close(), DayRange::default()).await;
    append_in_hours(&fixture, &[(2, 0)]).await;
    produce_hours(&fixture, second_day_close()).await;
    let first = fixture.manifest(&messages(first_day())).await.unwrap();
    assert_eq!((first.hourly, first.rows(), first.inputs.revision), (false, 2, 2));
    assert!(hours(&fixture).await.is_empty());
    let second_day = first_day().next().unwrap();
    assert!(fixture.manifest(&messages(second_day)).await.unwrap().hourly);
    fixture.append_message(3, "late", second_day.start()).await;
    produce(&fixture, IntervalLength::Day, second_day_close(), DayRange::default()).await;
    let second = fixture.manifest(&messages(second_day)).await.unwrap();
    assert_eq!((second.hourly, second.rows(), second.inputs.revision), (true, 1, 2));
}

async fn an_unfinished_hour_is_not_complete_and_is_written_again(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    append_in_hours(&fixture, &[(1, 1)]).await;
    let range = DayRange { include_open: true, ..DayRange::default() };
    produce(&fixture, IntervalLength::Hour, first_day_at(MICROS_PER_HOUR + 9), range).await;
    let period = messages(first_day()).dataset.period(hour(1));
    assert_eq!(fixture.output.feeds.manifest(&acme(), &period).await.unwrap().unwrap().rows(), 1);
    assert_eq!(hours(&fixture).await, Vec::<u8>::new());
    produce_hours(&fixture, hour(1).closes_at()).await;
    assert_eq!(fixture.manifest(&period).await.unwrap().inputs.revision, 2);
    assert_eq!(hours(&fixture).await, [0, 1]);
}

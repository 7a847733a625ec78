//! Tests that one pass over a day writes the same files as a pass for each format.

use std::sync::Arc;

use parlance_domain::feed::{Compression, DayRange, Feed, FeedStore, FileFormat, WrittenFile};
use support::{database::TestDatabase, feeds::TestFeedStore, fixtures::acme, service::NoopProductionObserver};

use crate::feed_production::{ExportFixture, first_day, first_day_at, second_day_close};

sql_contract![one_pass_for_all_formats_writes_the_same_bytes_as_a_pass_for_each_format];

/// More than one batch of rows.
const MESSAGES: u32 = 4_100;

/// The files of the first day after one run for each list of formats. They are all formats of messages, in order.
async fn files_after_runs(fixture: &ExportFixture, runs: &[&[FileFormat]]) -> Vec<WrittenFile> {
    let output = TestFeedStore::in_directory();
    for formats in runs {
        let feeds = Arc::new(output.feeds.clone());
        let production =
            fixture.production_into((Arc::clone(&feeds) as _, feeds), second_day_close(), Compression::Gzip);
        production.produce(&acme(), formats, DayRange::default(), &NoopProductionObserver).await.unwrap();
    }
    let mut files = Vec::new();
    for format in FileFormat::ALL {
        let period = Feed::Messages.dataset(format).period(first_day());
        files.extend(output.feeds.manifest(&acme(), &period).await.unwrap().unwrap().files);
    }
    files
}

async fn one_pass_for_all_formats_writes_the_same_bytes_as_a_pass_for_each_format(database: &TestDatabase) {
    let fixture = ExportFixture::new(database).await;
    for number in 1..=MESSAGES {
        fixture.append_message(number.into(), &format!("text \"{number}\""), first_day_at(number.into())).await;
    }
    let one_pass = files_after_runs(&fixture, &[&FileFormat::ALL]).await;
    let passes = FileFormat::ALL.map(|format| [format]);
    let one_each = files_after_runs(&fixture, &passes.each_ref().map(<[_; 1]>::as_slice)).await;
    let content = |files: &[WrittenFile]| {
        files.iter().map(|file| (file.rows, file.bytes, file.sha256.clone())).collect::<Vec<_>>()
    };
    assert_eq!(content(&one_pass), content(&one_each));
}

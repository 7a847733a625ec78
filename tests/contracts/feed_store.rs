//! What every store of feeds does, from both of its sides: in memory, in a directory, in a bucket.

use parlance_adapters_objects::ObjectFeeds;
use parlance_domain::{
    access::TenantId,
    feed::{FeedDay, FeedName, FeedSink, FeedStore, FileBytes, FileName, Progress, RowPlace},
    readiness::ReadinessProbe,
};
use support::{
    feeds::{FeedHome, day, form, origin, row, table},
    fixtures::{AWKWARD_TEXTS, acme, at, globex},
};

macro_rules! feed_contract {
    ($($case:ident),+ $(,)?) => {
        mod memory {
            $(#[tokio::test] async fn $case() { super::$case(support::feeds::FeedHome::in_memory()).await; })+
        }

        mod directory {
            $(#[tokio::test] async fn $case() { super::$case(support::feeds::FeedHome::in_directory()).await; })+
        }

        mod bucket {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let Some(home) = support::feeds::FeedHome::in_bucket().await else { return };
                    super::$case(home).await;
                }
            )+
        }
    };
}

feed_contract![
    a_tenant_without_feeds_has_none,
    rows_come_back_byte_for_byte,
    a_day_is_listed_once_it_is_complete_and_not_before,
    a_day_that_is_saved_unfinished_is_no_longer_marked_and_says_so,
    days_are_listed_in_their_order,
    what_something_else_wrote_is_listed,
    a_folder_or_file_with_another_kind_of_name_is_passed_over,
    a_file_is_not_found_before_it_is_shown,
    a_file_that_is_dropped_half_written_is_never_found,
    a_file_that_is_gone_cannot_be_shown,
    files_are_shown_once_and_for_all,
    a_manifest_takes_the_place_of_the_one_before,
    how_far_a_day_has_come_is_noted_until_it_is_tidied,
    what_was_left_hidden_goes_when_the_day_is_tidied,
    a_range_of_a_file_is_its_bytes_from_there,
    a_file_that_is_removed_is_gone,
    a_broken_manifest_is_told,
    a_tenant_finds_nothing_of_anothers,
    a_store_that_is_there_is_in_reach_whether_or_not_it_has_anything,
];

fn name(text: &str) -> FileName {
    FileName::parse(text).unwrap()
}

fn january(number: u32) -> FeedDay {
    table().on(day(&format!("2026-01-{number:02}")))
}

async fn all(mut bytes: Box<dyn FileBytes>) -> Vec<u8> {
    let mut content = Vec::new();
    while let Some(next) = bytes.next().await.unwrap() {
        content.extend(next);
    }
    content
}

async fn content(home: &FeedHome, tenant: &TenantId, day: &FeedDay, file: &FileName) -> Option<Vec<u8>> {
    let bytes = home.feeds.stat(tenant, day, file).await.unwrap()?.bytes;
    let read = home.feeds.read(tenant, day, file, 0..bytes).await.unwrap()?;
    Some(all(read).await)
}

async fn a_tenant_without_feeds_has_none(home: FeedHome) {
    let feed = FeedName::parse("vocabulary_changes").unwrap();
    assert_eq!(home.feeds.feeds(&acme()).await.unwrap(), []);
    assert_eq!(home.feeds.versions(&acme(), &feed).await.unwrap(), []);
    assert_eq!(home.feeds.complete_days(&acme(), &table()).await.unwrap(), []);
    assert_eq!(home.feeds.files(&acme(), &january(1)).await.unwrap(), []);
    assert_eq!(home.feeds.manifest(&acme(), &january(1)).await.unwrap(), None);
}

async fn rows_come_back_byte_for_byte(home: FeedHome) {
    let file = home.write(&acme(), &january(1), "part.jsonl", &AWKWARD_TEXTS).await;
    home.feeds.show(&acme(), &january(1), std::slice::from_ref(&file.name)).await.unwrap();
    let content = content(&home, &acme(), &january(1), &file.name).await.unwrap();
    let lines = String::from_utf8(content).unwrap();
    let phrase = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["phrase"].clone();
    assert_eq!(lines.lines().map(phrase).collect::<Vec<_>>(), AWKWARD_TEXTS);
    assert_eq!((file.rows, file.bytes), (AWKWARD_TEXTS.len() as u64, lines.len() as u64));
}

async fn a_day_is_listed_once_it_is_complete_and_not_before(home: FeedHome) {
    let file = home.write(&acme(), &january(1), "part.jsonl", &["a"]).await;
    home.feeds.show(&acme(), &january(1), &[file.name]).await.unwrap();
    assert_eq!(home.feeds.complete_days(&acme(), &table()).await.unwrap(), []);
    assert!(!home.feeds.is_complete(&acme(), &january(1)).await.unwrap());
    home.complete(&acme(), &january(1), 1, "a").await;
    assert_eq!(home.feeds.complete_days(&acme(), &table()).await.unwrap(), [january(1).day]);
    assert!(home.feeds.is_complete(&acme(), &january(1)).await.unwrap());
}

async fn a_day_that_is_saved_unfinished_is_no_longer_marked_and_says_so(home: FeedHome) {
    let mut manifest = home.complete(&acme(), &january(1), 1, "a").await;
    assert_eq!(says_complete(&home).await, serde_json::Value::Bool(true));
    manifest.origin.watermark = january(1).day.start();
    home.feeds.save_unfinished(&acme(), &january(1), &manifest).await.unwrap();
    assert!(!home.feeds.is_complete(&acme(), &january(1)).await.unwrap());
    assert_eq!(home.feeds.manifest(&acme(), &january(1)).await.unwrap(), Some(manifest));
    assert_eq!(says_complete(&home).await, serde_json::Value::Bool(false));
}

/// The member `complete` of the manifest of the first of January.
async fn says_complete(home: &FeedHome) -> serde_json::Value {
    let path = "acme/vocabulary_changes/version=1/format=jsonl/dt=2026-01-01/_manifest.json";
    serde_json::from_slice::<serde_json::Value>(&home.get(path).await).unwrap()["complete"].clone()
}

async fn days_are_listed_in_their_order(home: FeedHome) {
    for number in [10, 2, 31, 1] {
        home.complete(&acme(), &january(number), 1, "a").await;
    }
    let listed = home.feeds.complete_days(&acme(), &table()).await.unwrap();
    assert_eq!(listed, [1, 2, 10, 31].map(|number| january(number).day));
}

async fn what_something_else_wrote_is_listed(home: FeedHome) {
    home.put("acme/Calls/version=v2/format=orc/dt=2026-01-31/part-0.orc", "orc").await;
    home.put("acme/Calls/version=v2/format=orc/dt=2026-01-31/_SUCCESS", "").await;
    let feeds = home.feeds.feeds(&acme()).await.unwrap();
    let versions = home.feeds.versions(&acme(), &feeds[0]).await.unwrap();
    let formats = home.feeds.formats(&acme(), &feeds[0], &versions[0]).await.unwrap();
    assert_eq!((feeds[0].as_str(), versions[0].as_str(), formats[0].as_str()), ("Calls", "v2", "orc"));
    let table = parlance_domain::feed::FeedTable {
        feed: feeds[0].clone(),
        version: versions[0].clone(),
        format: formats[0].clone(),
    };
    assert_eq!(home.feeds.complete_days(&acme(), &table).await.unwrap(), [day("2026-01-31")]);
    let files = home.feeds.files(&acme(), &table.on(day("2026-01-31"))).await.unwrap();
    assert_eq!(files.iter().map(|file| (file.name.as_str(), file.bytes)).collect::<Vec<_>>(), [("part-0.orc", 3)]);
}

async fn a_folder_or_file_with_another_kind_of_name_is_passed_over(home: FeedHome) {
    home.complete(&acme(), &january(1), 1, "a").await;
    let folder = "acme/vocabulary_changes/version=1/format=jsonl";
    for path in ["dt=2026-02-30/_SUCCESS", "2026-01-02/_SUCCESS", "dt=2026-01-01/.part.crc", "dt=2026-01-01/_started"] {
        home.put(&format!("{folder}/{path}"), "").await;
    }
    home.put("acme/vocabulary_changes/1/format=jsonl/dt=2026-01-01/_SUCCESS", "").await;
    assert_eq!(home.feeds.complete_days(&acme(), &table()).await.unwrap(), [january(1).day]);
    assert_eq!(home.feeds.files(&acme(), &january(1)).await.unwrap().len(), 1);
    assert_eq!(home.feeds.versions(&acme(), &table().feed).await.unwrap(), [table().version]);
}

async fn a_file_is_not_found_before_it_is_shown(home: FeedHome) {
    let file = home.write(&acme(), &january(1), "part.jsonl", &["a"]).await;
    assert_eq!(home.feeds.files(&acme(), &january(1)).await.unwrap(), []);
    assert_eq!(home.feeds.stat(&acme(), &january(1), &file.name).await.unwrap(), None);
    assert!(home.feeds.read(&acme(), &january(1), &file.name, 0..1).await.unwrap().is_none());
}

async fn a_file_that_is_dropped_half_written_is_never_found(home: FeedHome) {
    let form = form(parlance_domain::feed::Compression::None);
    let mut writer = home.feeds.begin(&acme(), &january(1), &name("part.jsonl"), &form).await.unwrap();
    // More than leaves at once.
    writer.write(&vec![row(&"a".repeat(9_000_000)), row("b")]).await.unwrap();
    drop(writer);
    assert!(home.feeds.show(&acme(), &january(1), &[name("part.jsonl")]).await.is_err());
    assert_eq!(home.feeds.files(&acme(), &january(1)).await.unwrap(), []);
}

async fn a_file_that_is_gone_cannot_be_shown(home: FeedHome) {
    assert!(home.feeds.show(&acme(), &january(1), &[name("part.jsonl")]).await.is_err());
}

async fn files_are_shown_once_and_for_all(home: FeedHome) {
    let file = home.write(&acme(), &january(1), "part.jsonl", &["a"]).await;
    for _ in 0..2 {
        home.feeds.show(&acme(), &january(1), std::slice::from_ref(&file.name)).await.unwrap();
    }
    assert_eq!(home.feeds.files(&acme(), &january(1)).await.unwrap().len(), 1);
}

async fn a_manifest_takes_the_place_of_the_one_before(home: FeedHome) {
    home.complete(&acme(), &january(1), 1, "a").await;
    let second = home.complete(&acme(), &january(1), 2, "b").await;
    assert_eq!(home.feeds.manifest(&acme(), &january(1)).await.unwrap(), Some(second));
}

async fn how_far_a_day_has_come_is_noted_until_it_is_tidied(home: FeedHome) {
    let file = home.write(&acme(), &january(1), "part.jsonl", &["a"]).await;
    let after = Some(RowPlace { at: at(1_769_851_800_250_001), key: "A1 added".to_owned() });
    let progress = Progress {
        origin: origin(1),
        files: vec![file],
        after,
        all_rows: false,
        replaces: vec![name("part-r1.jsonl")],
    };
    home.feeds.note(&acme(), &january(1), &progress).await.unwrap();
    assert_eq!(home.feeds.progress(&acme(), &january(1)).await.unwrap(), Some(progress));
    home.complete(&acme(), &january(1), 1, "a").await;
    assert_eq!(home.feeds.progress(&acme(), &january(1)).await.unwrap(), None);
}

async fn what_was_left_hidden_goes_when_the_day_is_tidied(home: FeedHome) {
    home.write(&acme(), &january(1), "part-lost.jsonl", &["a"]).await;
    home.complete(&acme(), &january(1), 1, "a").await;
    assert!(home.feeds.show(&acme(), &january(1), &[name("part-lost.jsonl")]).await.is_err());
}

async fn a_range_of_a_file_is_its_bytes_from_there(home: FeedHome) {
    let manifest = home.complete(&acme(), &january(1), 1, "a").await;
    let file = &manifest.files[0];
    let whole = content(&home, &acme(), &january(1), &file.name).await.unwrap();
    for (first, last) in [(0, 1), (3, 9), (file.bytes - 1, file.bytes), (4, 4)] {
        let part = home.feeds.read(&acme(), &january(1), &file.name, first..last).await.unwrap().unwrap();
        let (first, last) = (usize::try_from(first).unwrap(), usize::try_from(last).unwrap());
        assert_eq!(all(part).await, whole[first..last]);
    }
}

async fn a_file_that_is_removed_is_gone(home: FeedHome) {
    let manifest = home.complete(&acme(), &january(1), 1, "a").await;
    let file = manifest.files[0].name.clone();
    for _ in 0..2 {
        home.feeds.remove(&acme(), &january(1), &[file.clone(), name("never-there")]).await.unwrap();
    }
    assert_eq!(home.feeds.files(&acme(), &january(1)).await.unwrap(), []);
}

async fn a_broken_manifest_is_told(home: FeedHome) {
    home.complete(&acme(), &january(1), 1, "a").await;
    for broken in ["", "{}", "{\"files\":[]}", "not json"] {
        home.put("acme/vocabulary_changes/version=1/format=jsonl/dt=2026-01-01/_manifest.json", broken).await;
        let error = home.feeds.manifest(&acme(), &january(1)).await.unwrap_err();
        assert_eq!(error.kind(), parlance_domain::error::StoreErrorKind::Corrupt, "{broken}");
    }
}

async fn a_tenant_finds_nothing_of_anothers(home: FeedHome) {
    let manifest = home.complete(&globex(), &january(1), 1, "a").await;
    let file = &manifest.files[0].name;
    assert_eq!(home.feeds.feeds(&acme()).await.unwrap(), []);
    assert_eq!(home.feeds.complete_days(&acme(), &table()).await.unwrap(), []);
    assert_eq!(home.feeds.stat(&acme(), &january(1), file).await.unwrap(), None);
    assert_eq!(home.feeds.manifest(&acme(), &january(1)).await.unwrap(), None);
    home.feeds.remove(&acme(), &january(1), std::slice::from_ref(file)).await.unwrap();
    assert!(content(&home, &globex(), &january(1), file).await.is_some());
}

async fn a_store_that_is_there_is_in_reach_whether_or_not_it_has_anything(home: FeedHome) {
    assert!(home.feeds.check().await.is_ok());
    home.complete(&acme(), &january(1), 1, "a").await;
    assert!(home.feeds.check().await.is_ok());
}

#[tokio::test]
async fn a_directory_is_in_reach_before_it_is_made_and_out_of_reach_where_none_can_be() {
    let home = tempfile::tempdir().unwrap();
    let feeds = ObjectFeeds::open(&format!("file://{}/feeds", home.path().display())).unwrap();
    assert!(feeds.check().await.is_ok());
    std::fs::write(home.path().join("feeds"), "no directory").unwrap();
    assert!(feeds.check().await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_that_is_not_there_is_out_of_reach() {
    let Some(missing) = support::s3::open("never-made") else { return };
    assert!(ObjectFeeds::in_bucket(std::sync::Arc::new(missing)).check().await.is_err());
}

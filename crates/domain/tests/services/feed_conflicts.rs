//! Tests of feed production beside other runs: what happens to the files of a run that another run overtakes, and which
//! revision is reported of a day that another run has written.

use std::sync::{Arc, Mutex};

use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    feed::{
        Compression, DayRange, ExportCheckpoint, Feed, FeedPeriod, FeedProduction, FeedWriteError, FileEncoding,
        FileFormat, FileName, Manifest, MockFeedSink, MockFeedStore, MockProductionObserver, PeriodOutcome,
    },
    message::ExportRedaction,
    redaction::Flags,
    time::MockClock,
};
use pollster::block_on;

use super::{
    feed_production::{CountingWriter, checkpoint, day, neighbours, source},
    ids,
    message_redaction::{fields_with_flags, redaction_with_flags},
    tenant,
};

/// A call that changes the day of messages.
#[derive(Debug, PartialEq, Eq)]
enum Call {
    SaveCheckpoint(ExportCheckpoint),
    Complete { is_first: bool },
    Remove(Vec<FileName>),
    Clean,
}

type Calls = Arc<Mutex<Vec<Call>>>;

/// Where the run of a test fails.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Failure {
    None,
    /// The observer refuses the publication.
    Observer,
    Publish,
    Complete,
}

fn is_messages(period: &FeedPeriod) -> bool {
    period.dataset.feed == Feed::Messages.name()
}

/// A sink in which an earlier run left this checkpoint of the messages, if any.
fn sink(found: impl Into<Option<ExportCheckpoint>>, failure: Failure, calls: &Calls) -> MockFeedSink {
    let found = found.into();
    let (mut sink, record) = (MockFeedSink::new(), {
        let calls = Arc::clone(calls);
        move |period: &FeedPeriod, call| {
            if is_messages(period) {
                calls.lock().unwrap().push(call);
            }
        }
    });
    let fails = move |period: &FeedPeriod, at| failure == at && is_messages(period);
    let left = move |period: &FeedPeriod| found.clone().filter(|_| is_messages(period));
    let left_of_each = left.clone();
    sink.expect_load_checkpoint().returning(move |_, period| Ok(left(period)));
    sink.expect_load_checkpoints().returning(move |_, periods| Ok(periods.iter().map(&left_of_each).collect()));
    sink.expect_create_file().returning(|_, _, name, FileEncoding { format, .. }| {
        Ok(Box::new(CountingWriter(Arc::default(), *format, name.clone())))
    });
    sink.expect_publish().returning(move |_, period, _| {
        if fails(period, Failure::Publish) { Err(FeedWriteError::FileRemoved) } else { Ok(()) }
    });
    let call = record.clone();
    sink.expect_save_checkpoint().returning(move |_, period, checkpoint| {
        call(period, Call::SaveCheckpoint(checkpoint.clone()));
        Ok(())
    });
    let call = record.clone();
    sink.expect_complete().returning(move |_, period, update| {
        call(period, Call::Complete { is_first: update.expected.is_none() });
        if fails(period, Failure::Complete) { Err(FeedWriteError::Superseded) } else { Ok(()) }
    });
    let call = record.clone();
    sink.expect_remove().returning(move |_, period, files| {
        call(period, Call::Remove(files.to_vec()));
        Ok(())
    });
    sink.expect_clean().returning(move |_, period| {
        record(period, Call::Clean);
        Ok(())
    });
    sink
}

/// A store without a complete day, in which the manifest of another run appears after the first look at each format.
fn store_with_late_manifest(late: Manifest, formats: usize) -> MockFeedStore {
    let (mut store, looks) = (MockFeedStore::new(), Mutex::new(0));
    store.expect_complete_days().returning(|_, _| Ok(Vec::new()));
    store.expect_complete_hours().returning(|_, _, _| Ok(Vec::new()));
    store.expect_manifest().returning(move |_, period| {
        let mut looks = looks.lock().unwrap();
        *looks += usize::from(is_messages(period));
        Ok((is_messages(period) && *looks > formats).then(|| late.clone()))
    });
    store
}

/// A manifest of the messages that another run wrote, with the file of [`checkpoint`].
fn manifest(revision: u32) -> Manifest {
    let ExportCheckpoint { mut inputs, files, .. } = checkpoint(2);
    inputs.revision = revision;
    Manifest { inputs, hourly: false, files }
}

fn produce(
    store: MockFeedStore,
    sink: MockFeedSink,
    observer: &MockProductionObserver,
    formats: &[FileFormat],
) -> Result<(), FeedWriteError> {
    let masking = ExportRedaction::new(Arc::new(neighbours(&Arc::default())), redaction_with_flags(Flags::none()));
    let mut clock = MockClock::new();
    clock.expect_now().return_const(checkpoint(2).inputs.watermark);
    let production = FeedProduction::new(
        Arc::new(source(&Arc::default())),
        (Arc::new(store) as _, Arc::new(sink) as _),
        (masking, fields_with_flags(Flags::none())),
        (ids(), Arc::new(clock) as _),
        Compression::None,
    );
    let range = DayRange { from: Some(day()), ..DayRange::default() };
    block_on(production.produce(&tenant(), formats, range, observer))
}

/// An observer, and the outcomes of the messages that it sees.
fn observer(failure: Failure) -> (MockProductionObserver, Arc<Mutex<Vec<PeriodOutcome>>>) {
    let (mut observer, outcomes) = (MockProductionObserver::new(), Arc::<Mutex<Vec<_>>>::default());
    let seen = Arc::clone(&outcomes);
    observer.expect_wants_row_count().return_const(false);
    observer.expect_export_started().return_const(());
    observer.expect_rows_written().return_const(());
    observer.expect_before_publication().returning(move |_, period, _| {
        if failure == Failure::Observer && is_messages(period) {
            return Err(StoreError::new(StoreErrorKind::Unavailable, "a scripted failure"));
        }
        Ok(())
    });
    observer.expect_export_finished().returning(move |_, period, outcome| {
        if is_messages(period) {
            seen.lock().unwrap().push(outcome);
        }
    });
    (observer, outcomes)
}

const JSON_LINES: &[FileFormat] = &[FileFormat::JsonLines];

/// Runs a production of one format after another run that left this checkpoint. Returns its result and its calls.
fn run_after(found: ExportCheckpoint, failure: Failure) -> (Result<(), FeedWriteError>, Vec<Call>) {
    run_formats_after(found, failure, JSON_LINES)
}

/// Runs a production after another run that left this checkpoint of each format. Returns its result and its calls.
fn run_formats_after(
    found: ExportCheckpoint,
    failure: Failure,
    formats: &[FileFormat],
) -> (Result<(), FeedWriteError>, Vec<Call>) {
    let calls = Calls::default();
    let sink = sink(found, failure, &calls);
    let result = produce(store_with_late_manifest(manifest(1), formats.len()), sink, &observer(failure).0, formats);
    (result, Arc::into_inner(calls).unwrap().into_inner().unwrap())
}

/// The checkpoint of a run that was killed before the day closed. It is not resumed.
fn early_checkpoint() -> ExportCheckpoint {
    let mut early = checkpoint(2);
    early.inputs.watermark = day().end();
    early
}

#[test]
fn a_run_whose_manifest_is_refused_removes_the_files_that_it_wrote_and_no_others() {
    let (result, calls) = run_after(checkpoint(2), Failure::Complete);
    assert!(matches!(result, Err(FeedWriteError::Superseded)), "{result:?}");
    let Some(Call::Remove(files)) = calls.last() else { unreachable!("{calls:?}") };
    let names: Vec<_> = files.iter().map(|file| file.as_str().get(..16).unwrap()).collect();
    assert_eq!(names, ["part-r0001-00001"]);
}

#[test]
fn a_run_whose_manifest_is_refused_removes_its_files_of_every_format() {
    let formats = [FileFormat::JsonLines, FileFormat::Csv];
    let (result, calls) = run_formats_after(checkpoint(2), Failure::Complete, &formats);
    assert!(matches!(result, Err(FeedWriteError::Superseded)), "{result:?}");
    let is_of = |file: &FileName, format: &str| file.as_str().contains(&format!(".{format}"));
    for format in ["jsonl", "csv"] {
        let removed = calls.iter().any(|call| match call {
            Call::Remove(files) => files.iter().any(|file| is_of(file, format)),
            Call::SaveCheckpoint(_) | Call::Complete { .. } | Call::Clean => false,
        });
        assert!(removed, "{format}: {calls:?}");
    }
}

#[test]
fn a_run_of_which_another_one_removed_a_file_leaves_a_checkpoint_without_files() {
    let (result, calls) = run_after(checkpoint(2), Failure::Publish);
    assert!(matches!(result, Err(FeedWriteError::FileRemoved)), "{result:?}");
    let Some(Call::SaveCheckpoint(saved)) = calls.last() else { unreachable!("{calls:?}") };
    assert_eq!((saved.files.len(), &saved.cursor, saved.rows_complete), (0, &None, false));
    assert_eq!(saved.replaced_files.len(), 2);
}

#[test]
fn a_revision_that_the_observer_refuses_is_not_published() {
    let (result, calls) = run_after(checkpoint(2), Failure::Observer);
    assert!(matches!(result, Err(FeedWriteError::Store(_))), "{result:?}");
    let is_saved = |call: &Call| matches!(call, Call::SaveCheckpoint(_));
    assert!(!calls.is_empty() && calls.iter().all(is_saved), "{calls:?}");
}

#[test]
fn the_files_of_a_discarded_run_are_removed_after_the_new_manifest_is_stored() {
    let (result, calls) = run_after(early_checkpoint(), Failure::None);
    result.unwrap();
    let discarded = early_checkpoint().files[0].path.name.clone();
    let [.., Call::Complete { is_first: true }, Call::Remove(removed), Call::Clean] = &calls[..] else {
        unreachable!("{calls:?}")
    };
    assert_eq!(removed, &[discarded]);
    assert_eq!(calls.iter().filter(|call| matches!(call, Call::Remove(_))).count(), 1);
}

/// A store in which the day is complete with this manifest.
fn complete_store(manifest: Manifest) -> MockFeedStore {
    let mut store = MockFeedStore::new();
    store.expect_complete_days().returning(|_, _| Ok(vec![day()]));
    let of_each = manifest.clone();
    store.expect_manifest().returning(move |_, _| Ok(Some(manifest.clone())));
    store.expect_manifests().returning(move |_, periods| Ok(vec![Some(of_each.clone()); periods.len()]));
    store
}

#[test]
fn an_unchanged_day_is_reported_with_its_revision() {
    let (observer, outcomes) = observer(Failure::None);
    let sink = sink(checkpoint(2), Failure::None, &Calls::default());
    produce(complete_store(manifest(3)), sink, &observer, JSON_LINES).unwrap();
    assert_eq!(*outcomes.lock().unwrap(), [PeriodOutcome::Unchanged { revision: 3 }]);
}

#[test]
fn the_periods_of_a_block_of_days_are_looked_at_together() {
    let mut store = MockFeedStore::new();
    store.expect_complete_days().returning(|_, _| Ok(vec![day()]));
    let is_all = |_: &TenantId, periods: &[FeedPeriod]| periods.len() == 2 * Feed::ALL.len();
    store.expect_manifests().withf(is_all).times(1).returning(|_, periods| Ok(vec![Some(manifest(3)); periods.len()]));
    let mut sink = MockFeedSink::new();
    sink.expect_load_checkpoints().withf(is_all).times(1).returning(|_, periods| Ok(vec![None; periods.len()]));
    let (observer, outcomes) = observer(Failure::None);
    produce(store, sink, &observer, &[FileFormat::JsonLines, FileFormat::Csv]).unwrap();
    assert_eq!(*outcomes.lock().unwrap(), [PeriodOutcome::Unchanged { revision: 3 }; 2]);
}

#[test]
fn a_checkpoint_of_a_later_revision_stays_with_its_files() {
    let calls = Calls::default();
    let mut later = checkpoint(2);
    later.inputs.revision = 4;
    produce(complete_store(manifest(3)), sink(later, Failure::None, &calls), &observer(Failure::None).0, JSON_LINES)
        .unwrap();
    assert_eq!(*calls.lock().unwrap(), []);
}

#[test]
fn what_a_killed_run_left_of_a_complete_day_is_removed() {
    let calls = Calls::default();
    let sink = sink(checkpoint(2), Failure::None, &calls);
    produce(complete_store(manifest(3)), sink, &observer(Failure::None).0, JSON_LINES).unwrap();
    assert_eq!(calls.lock().unwrap().last(), Some(&Call::Clean));
}

#[test]
fn a_complete_day_whose_late_changes_differ_from_those_of_its_manifest_is_written_again() {
    let (observer, outcomes) = observer(Failure::None);
    let mut outdated = manifest(3);
    outdated.inputs.late_changes = 1;
    produce(complete_store(outdated), sink(None, Failure::None, &Calls::default()), &observer, JSON_LINES).unwrap();
    let written = outcomes.lock().unwrap();
    assert!(matches!(written[..], [PeriodOutcome::Written { revision: 4, .. }]), "{written:?}");
}

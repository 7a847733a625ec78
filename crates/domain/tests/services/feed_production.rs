//! Tests of feed production: what it reads and masks, where it resumes, and where it can be ended.

use std::{
    collections::BTreeMap,
    future::poll_fn,
    mem,
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
};

use async_trait::async_trait;
use parlance_domain::{
    error::StoreError,
    feed::{
        Compression, Day, DayRange, ExportCheckpoint, Feed, FeedFormat, FeedPeriod, FeedProduction, FeedRecord,
        FileEncoding, FileFormat, FileName, FileWriter, Interval, LateChanges, MockFeedSink, MockFeedSource,
        MockFeedStore, MockProductionObserver, RecordBatch, RecordStream, RevisionInputs, RowCursor, Rows, Sha256Hex,
        WrittenFile,
    },
    message::{ExportRedaction, Message, MockMessageStore, Neighbours, Role},
    redaction::{EntitySet, Flags},
    time::MockClock,
};
use pollster::block_on;

use super::{
    ids,
    message_redaction::{fields_with_flags, redaction_with_flags, stored_message},
    tenant,
};

const FORMATS: [FileFormat; 3] = FileFormat::ALL;

pub(super) fn day() -> Day {
    Day::parse("2026-01-31").unwrap()
}

/// The numbers of the messages in each batch of the day.
const BATCHES: [&[u128]; 3] = [&[1, 2], &[3, 4], &[5]];

/// A message of the day whose text can be masked only with its neighbours.
fn message(bits: u128) -> Message {
    let created_at = day().start().plus_seconds(i64::try_from(bits).unwrap());
    Message { created_at, masked_with: EntitySet::empty(), ..stored_message(bits, Role::Customer, "it is 4821") }
}

fn cursor(bits: u128) -> RowCursor {
    FeedRecord::Message(message(bits)).cursor()
}

struct BatchStream(Vec<RecordBatch>);

#[async_trait]
impl RecordStream for BatchStream {
    async fn next(&mut self) -> Result<RecordBatch, StoreError> {
        Ok(self.0.pop().unwrap_or_default())
    }
}

/// The batches after a cursor, which is the last row of a batch.
fn batches_after(after: Option<&RowCursor>) -> Box<dyn RecordStream> {
    let mut batches: Vec<_> = BATCHES
        .into_iter()
        .map(|numbers| {
            let mut batch = RecordBatch::default();
            for bits in numbers {
                batch.push(FeedRecord::Message(message(*bits))).unwrap();
            }
            batch
        })
        .filter(|batch| after.is_none_or(|after| batch.last_cursor().unwrap() > *after))
        .collect();
    batches.reverse();
    Box::new(BatchStream(batches))
}

/// Counts the rows that are written in each format, and the files that are finished at the same time.
#[derive(Default)]
pub(super) struct WrittenRows {
    rows: Mutex<BTreeMap<FileFormat, usize>>,
    finishing: AtomicUsize,
    most_finishing: AtomicUsize,
}

impl WrittenRows {
    fn counts(&self) -> [usize; 3] {
        let counts = self.rows.lock().unwrap();
        FORMATS.map(|format| counts.get(&format).copied().unwrap_or_default())
    }

    /// Finishes a file in a store that answers only when the run polls for the second time.
    async fn finish_slowly(&self) {
        let finishing = 1 + self.finishing.fetch_add(1, Ordering::Relaxed);
        self.most_finishing.fetch_max(finishing, Ordering::Relaxed);
        let mut is_first = true;
        poll_fn(|context| {
            context.waker().wake_by_ref();
            if mem::take(&mut is_first) { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
        self.finishing.fetch_sub(1, Ordering::Relaxed);
    }
}

pub(super) struct CountingWriter(pub(super) Arc<WrittenRows>, pub(super) FileFormat, pub(super) FileName);

#[async_trait]
impl FileWriter for CountingWriter {
    async fn write(&mut self, rows: &dyn Rows) -> Result<(), StoreError> {
        *self.0.rows.lock().unwrap().entry(self.1).or_default() += rows.count();
        Ok(())
    }

    async fn finish(self: Box<Self>) -> Result<WrittenFile, StoreError> {
        self.0.finish_slowly().await;
        Ok(WrittenFile { path: self.2.into(), rows: 1, bytes: 1, sha256: Sha256Hex::from_digest([0; 32]) })
    }
}

/// A source of one tenant with messages on one day, and the cursors after which the messages were read.
pub(super) fn source(reads: &Arc<Mutex<Vec<Option<RowCursor>>>>) -> MockFeedSource {
    let (mut source, reads) = (MockFeedSource::new(), Arc::clone(reads));
    source.expect_late_changes().returning(|_, _| Ok(LateChanges::default()));
    source.expect_records().returning(move |_, feed, _, after| {
        if feed != Feed::Messages {
            return Ok(Box::new(BatchStream(Vec::new())));
        }
        reads.lock().unwrap().push(after.cloned());
        Ok(batches_after(after))
    });
    source
}

/// A sink that counts rows, in which killed runs left these checkpoints of the messages.
fn sink(written: &Arc<WrittenRows>, checkpoints: Vec<(FileFormat, ExportCheckpoint)>) -> MockFeedSink {
    let (mut sink, written) = (MockFeedSink::new(), Arc::clone(written));
    let left = move |period: &FeedPeriod| {
        let found = checkpoints.iter().find(|(format, _)| period.dataset == Feed::Messages.dataset(*format));
        found.map(|(_, checkpoint)| checkpoint.clone())
    };
    let left_of_each = left.clone();
    sink.expect_load_checkpoint().returning(move |_, period| Ok(left(period)));
    sink.expect_load_checkpoints().returning(move |_, periods| Ok(periods.iter().map(&left_of_each).collect()));
    sink.expect_save_checkpoint().returning(|_, _, _| Ok(()));
    sink.expect_create_file().returning(move |_, _, name, FileEncoding { format, .. }| {
        Ok(Box::new(CountingWriter(Arc::clone(&written), *format, name.clone())))
    });
    sink.expect_publish().returning(|_, _, _| Ok(()));
    sink.expect_complete().returning(|_, _, _| Ok(()));
    sink.expect_remove().returning(|_, _, _| Ok(()));
    sink.expect_clean().returning(|_, _| Ok(()));
    sink
}

/// A store in which the day is complete in these formats.
fn store(complete: &'static [FileFormat]) -> MockFeedStore {
    let mut store = MockFeedStore::new();
    let is_complete = |format: &FeedFormat| complete.iter().any(|complete| complete.name() == *format);
    store
        .expect_complete_days()
        .returning(move |_, dataset| Ok(if is_complete(&dataset.format) { vec![day()] } else { Vec::new() }));
    store.expect_complete_hours().returning(|_, _, _| Ok(Vec::new()));
    store.expect_manifest().returning(|_, _| Ok(None));
    store.expect_manifests().returning(|_, periods| Ok(vec![None; periods.len()]));
    store
}

/// Neighbours that show what the numbers are. Counts how often they are read.
pub(super) fn neighbours(reads: &Arc<AtomicUsize>) -> MockMessageStore {
    let (mut messages, reads) = (MockMessageStore::new(), Arc::clone(reads));
    messages.expect_neighbours().returning(move |_, positions| {
        reads.fetch_add(1, Ordering::Relaxed);
        let question = stored_message(9, Role::Agent, "what is your pin?");
        Ok(positions.iter().map(|_| Neighbours { before: vec![question.clone()], after: Vec::new() }).collect())
    });
    messages
}

struct Fixture {
    production: FeedProduction,
    reads: Arc<Mutex<Vec<Option<RowCursor>>>>,
    written: Arc<WrittenRows>,
    neighbour_reads: Arc<AtomicUsize>,
}

impl Fixture {
    fn new(complete: &'static [FileFormat], checkpoints: Vec<(FileFormat, ExportCheckpoint)>) -> Self {
        let (reads, written, neighbour_reads) = (Arc::default(), Arc::default(), Arc::default());
        let store_and_sink = (Arc::new(store(complete)) as _, Arc::new(sink(&written, checkpoints)) as _);
        let neighbours = Arc::new(neighbours(&neighbour_reads));
        let masking = ExportRedaction::new(neighbours, redaction_with_flags(Flags::none()));
        let masking = (masking, fields_with_flags(Flags::none()));
        let mut clock = MockClock::new();
        clock.expect_now().return_const(Interval::from(day()).closes_at());
        let (source, system) = (Arc::new(source(&reads)), (ids(), Arc::new(clock) as _));
        let production = FeedProduction::new(source, store_and_sink, masking, system, Compression::None);
        Self { production, reads, written, neighbour_reads }
    }

    async fn produce(&self) {
        let mut observer = MockProductionObserver::new();
        observer.expect_wants_row_count().return_const(false);
        observer.expect_export_started().return_const(());
        observer.expect_rows_written().return_const(());
        observer.expect_before_publication().returning(|_, _, _| Ok(()));
        observer.expect_export_finished().return_const(());
        let range = DayRange { from: Some(day()), ..DayRange::default() };
        self.production.produce(&tenant(), &FORMATS, range, &observer).await.unwrap();
    }

    fn reads(&self) -> Vec<Option<RowCursor>> {
        self.reads.lock().unwrap().clone()
    }
}

/// A checkpoint of a run that was killed after it had finished a file with the rows up to `last`.
pub(super) fn checkpoint(last: u128) -> ExportCheckpoint {
    let inputs = RevisionInputs {
        revision: 1,
        watermark: Interval::from(day()).closes_at(),
        late_changes: 0,
        masked_with: Some(EntitySet::defaults()),
        compression: Compression::None,
    };
    let name = FileName::parse("part-1").unwrap();
    let file = WrittenFile { path: name.into(), rows: 1, bytes: 1, sha256: Sha256Hex::from_digest([0; 32]) };
    let (files, cursor) = (vec![file], Some(cursor(last)));
    ExportCheckpoint { inputs, files, cursor, rows_complete: false, replaced_files: Vec::new() }
}

#[test]
fn a_day_in_all_formats_is_read_once() {
    let fixture = Fixture::new(&[], Vec::new());
    block_on(fixture.produce());
    assert_eq!((fixture.reads(), fixture.written.counts()), (vec![None], [5, 5, 5]));
}

#[test]
fn the_files_of_all_formats_are_finished_at_the_same_time() {
    let fixture = Fixture::new(&[], Vec::new());
    block_on(fixture.produce());
    assert_eq!(fixture.written.most_finishing.load(Ordering::Relaxed), FORMATS.len());
}

#[test]
fn a_day_in_all_formats_is_masked_once() {
    let fixture = Fixture::new(&[], Vec::new());
    block_on(fixture.produce());
    assert_eq!(fixture.neighbour_reads.load(Ordering::Relaxed), BATCHES.len());
}

#[test]
fn a_format_that_is_complete_is_left_out_of_the_pass() {
    let fixture = Fixture::new(&[FileFormat::Csv], Vec::new());
    block_on(fixture.produce());
    assert_eq!((fixture.reads(), fixture.written.counts()), (vec![None], [5, 0, 5]));
}

#[test]
fn formats_that_a_killed_run_left_at_one_row_are_resumed_in_one_pass() {
    let checkpoints = FORMATS.map(|format| (format, checkpoint(2)));
    let fixture = Fixture::new(&[], checkpoints.into());
    block_on(fixture.produce());
    assert_eq!((fixture.reads(), fixture.written.counts()), (vec![Some(cursor(2))], [3, 3, 3]));
}

#[test]
fn formats_that_a_killed_run_left_at_different_rows_are_each_resumed_after_their_last_file() {
    let checkpoints = vec![(FileFormat::JsonLines, checkpoint(4)), (FileFormat::Csv, checkpoint(2))];
    let fixture = Fixture::new(&[], checkpoints);
    block_on(fixture.produce());
    assert_eq!(fixture.reads(), [None, Some(cursor(2)), Some(cursor(4))]);
    assert_eq!(fixture.written.counts(), [1, 3, 5]);
}

#[test]
fn a_checkpoint_from_before_the_day_closed_is_discarded() {
    let mut early = checkpoint(4);
    early.inputs.watermark = day().end();
    let fixture = Fixture::new(&[], vec![(FileFormat::JsonLines, early)]);
    block_on(fixture.produce());
    assert_eq!((fixture.reads(), fixture.written.counts()), (vec![None], [5, 5, 5]));
}

#[test]
fn an_export_can_be_ended_after_each_batch() {
    let fixture = Fixture::new(&[], Vec::new());
    let mut context = Context::from_waker(Waker::noop());
    let mut run = pin!(fixture.produce());
    for rows in [2, 4, 5] {
        assert!(run.as_mut().poll(&mut context).is_pending());
        assert_eq!(fixture.written.counts(), [rows; 3]);
    }
}

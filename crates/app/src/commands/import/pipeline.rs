//! Imports the records of a file, many at a time: one thread reads and checks lines, a task for each record redacts and waits
//! for the database, whose writer commits the records that wait together.

use std::{collections::HashSet, sync::Arc, thread};

use anyhow::{Context, anyhow};
use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    text::ExternalId,
};
use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, mpsc},
    task::{JoinError, JoinSet},
};

use super::{
    budget::LineBudget,
    csv_chunks::CsvChunks,
    json_lines::JsonLines,
    record_import::{ImportedRecord, Importer, import_record},
    report::Report,
    source::{Format, Source},
    unit::{NumberedRecord, Unit},
};
use crate::feed_runtime::FeedRuntime;

/// The maximum number of records in flight. A commit takes up to 256 of them, and meanwhile others are redacted.
const MAX_RECORDS: usize = 512;

/// The number of messages in flight from which no further record is started. It bounds the size of a transaction.
const MAX_MESSAGES: usize = 16_384;

/// The number of units that wait for the import.
const QUEUED_UNITS: usize = 4;

/// Imports files.
pub(super) struct Pipeline {
    importer: Arc<Importer>,
    max_text_bytes: usize,
    /// The threads of the tasks that redact. The writer of the database is not among them: hundreds of tasks that redact one after
    /// the other would keep it from a commit for longer than the database has for an answer.
    redaction_threads: FeedRuntime,
}

/// A unit, or why the rest of the file is not read.
type ReadUnit = Result<Unit, String>;

impl Pipeline {
    /// # Errors
    /// If the threads cannot start.
    pub(super) fn new(importer: Importer, max_text_bytes: usize) -> anyhow::Result<Self> {
        Ok(Self { importer: Arc::new(importer), max_text_bytes, redaction_threads: FeedRuntime::start()? })
    }

    /// Imports a file. A file that cannot be read to its end is reported.
    ///
    /// # Errors
    /// If the database fails.
    pub(super) async fn import(&mut self, source: Source, report: &mut Report) -> anyhow::Result<()> {
        let name = source.name.clone();
        report.progress.begin_file(&name, source.size);
        let (sender, units) = mpsc::channel(QUEUED_UNITS);
        let (budget, max_text_bytes) = (LineBudget::new(Handle::current()), self.max_text_bytes);
        // Not waited for: after a failure of the database it may wait for the standard input.
        thread::Builder::new()
            .name("import-reader".to_owned())
            .spawn(move || read_units(source, &sender, &budget, max_text_bytes))
            .context("failed to start the thread that reads files")?;
        let outcome = self.import_units(units, &name, report).await;
        report.progress.end_file();
        outcome
    }

    async fn import_units(
        &self,
        mut units: mpsc::Receiver<ReadUnit>,
        name: &str,
        report: &mut Report,
    ) -> anyhow::Result<()> {
        let mut in_flight = InFlight::default();
        loop {
            let unit = tokio::select! {
                unit = units.recv() => unit,
                Some(finished) = in_flight.tasks.join_next() => {
                    in_flight.finish(finished, name, report)?;
                    continue;
                }
            };
            match unit {
                Some(Ok(unit)) => self.start_unit(unit, &mut in_flight, name, report).await?,
                Some(Err(error)) => report.add_failed_file(&format!("{name}: {error}")),
                None => break,
            }
        }
        while let Some(finished) = in_flight.tasks.join_next().await {
            in_flight.finish(finished, name, report)?;
        }
        Ok(())
    }

    async fn start_unit(
        &self,
        unit: Unit,
        in_flight: &mut InFlight,
        name: &str,
        report: &mut Report,
    ) -> anyhow::Result<()> {
        let Unit { records, refused, bytes, permit } = unit;
        for line in &refused {
            report.refuse(name, line);
        }
        let permit = Arc::new(permit);
        for record in records {
            while in_flight.must_wait(&record)
                && let Some(finished) = in_flight.tasks.join_next().await
            {
                in_flight.finish(finished, name, report)?;
            }
            in_flight.start(record, &self.importer, &permit, self.redaction_threads.handle());
        }
        report.progress.add_bytes(bytes);
        Ok(())
    }
}

/// A record whose import has ended.
struct Finished {
    /// The external identifier of its conversation.
    key: ExternalId,
    messages: usize,
    /// Whether it is the first record of its conversation.
    updates: bool,
    outcome: Result<ImportedRecord, StoreError>,
}

/// The records that are imported now. No two of them are of one conversation, because their messages are redacted in
/// their order.
#[derive(Default)]
struct InFlight {
    tasks: JoinSet<Finished>,
    conversations: HashSet<ExternalId>,
    messages: usize,
}

impl InFlight {
    fn must_wait(&self, next: &NumberedRecord) -> bool {
        self.tasks.len() >= MAX_RECORDS
            || self.messages >= MAX_MESSAGES
            || self.conversations.contains(&next.record.conversation.external_id)
    }

    fn start(
        &mut self,
        record: NumberedRecord,
        importer: &Arc<Importer>,
        permit: &Arc<Option<OwnedSemaphorePermit>>,
        threads: &Handle,
    ) {
        let key = record.record.conversation.external_id.clone();
        let messages = record.record.messages.len();
        self.conversations.insert(key.clone());
        self.messages += messages;
        let (importer, permit) = (Arc::clone(importer), Arc::clone(permit));
        let task = async move {
            let mut record = record;
            let outcome = import_record(&importer, &mut record).await;
            drop(permit);
            Finished { key, messages, updates: record.record.updates, outcome }
        };
        self.tasks.spawn_on(task, threads);
    }

    /// Reports what became of a record.
    fn finish(&mut self, finished: Result<Finished, JoinError>, name: &str, report: &mut Report) -> anyhow::Result<()> {
        // The message of a panic may contain texts of the file.
        let finished = finished.map_err(|_| anyhow!("the import of a record panicked"))?;
        let Finished { key, messages, updates, outcome } = finished;
        self.conversations.remove(&key);
        self.messages -= messages;
        let ImportedRecord { outcome, refused } = outcome.map_err(stop_error)?;
        for line in &refused {
            report.refuse(name, line);
        }
        if let Some(outcome) = outcome {
            report.add(outcome, updates);
        }
        Ok(())
    }
}

/// The error of an import that cannot go on.
fn stop_error(error: StoreError) -> anyhow::Error {
    match error.kind() {
        StoreErrorKind::TenantErased => {
            anyhow!("--tenant: {error}: nothing more can be imported for it, and its name cannot be used again")
        }
        StoreErrorKind::Unavailable | StoreErrorKind::Corrupt | StoreErrorKind::Unexpected => {
            anyhow!(error).context("database_url: the import stopped; start it again, and it adds what is missing")
        }
    }
}

/// Reads a file until it ends, or the import does.
fn read_units(source: Source, sender: &mpsc::Sender<ReadUnit>, budget: &LineBudget, max_text_bytes: usize) {
    let send = |unit: Result<Option<Unit>, String>| {
        let Some(unit) = unit.transpose() else { return false };
        let is_last = unit.is_err();
        sender.blocking_send(unit).is_ok() && !is_last
    };
    let failed = |error: std::io::Error| format!("failed to read the file: {error}");
    match source.format {
        Format::Jsonl => {
            let mut lines = JsonLines::new(source.input, max_text_bytes);
            while send(lines.next_unit(&mut |bytes| budget.take(bytes)).map_err(failed)) {}
        }
        Format::Csv => match CsvChunks::open(source.input, max_text_bytes) {
            Ok(mut chunks) => {
                let with_room = |unit: Unit| Unit { permit: budget.take(unit.bytes), ..unit };
                while send(chunks.next_unit().map(|unit| unit.map(with_room)).map_err(failed)) {}
            }
            Err(error) => {
                send(Err(error.to_string()));
            }
        },
    }
}

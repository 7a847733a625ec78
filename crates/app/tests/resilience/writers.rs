//! Concurrent writers that record acknowledged messages, and the check that each of them is stored once.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::Method;
use tokio::task::JoinSet;

use crate::replica::{Caller, TEST_TIMEOUT, message, poll_delay};

pub(crate) const WRITER_COUNT: usize = 12;

/// The acknowledged messages: the text of each by its id. Every message has a different text.
#[derive(Clone, Default)]
pub(crate) struct Ledger {
    acknowledged: Arc<Mutex<HashMap<String, String>>>,
    sent_count: Arc<AtomicUsize>,
}

impl Ledger {
    pub(crate) fn len(&self) -> usize {
        self.acknowledged.lock().unwrap().len()
    }

    /// The ids of the acknowledged messages.
    pub(crate) fn ids(&self) -> Vec<String> {
        self.acknowledged.lock().unwrap().keys().cloned().collect()
    }

    fn next_text(&self) -> String {
        format!("parcel {}", self.sent_count.fetch_add(1, Ordering::Relaxed))
    }

    /// Checks that the lists hold every acknowledged message under its id, and no text twice.
    pub(crate) async fn assert_stored_once(&self, caller: &Caller, paths: &[String]) {
        let mut by_text = HashMap::new();
        for path in paths {
            let (status, list) = caller.get(path).await;
            assert_eq!(status, 200, "{list}");
            for item in list["items"].as_array().unwrap() {
                let (text, id) = (item["text"].as_str().unwrap(), item["messageId"].as_str().unwrap());
                assert!(by_text.insert(text.to_owned(), id.to_owned()).is_none(), "{text} is stored twice");
            }
        }
        for (id, text) in self.acknowledged.lock().unwrap().iter() {
            assert_eq!(by_text.get(text), Some(id), "{text} was acknowledged, but is not stored under its id");
        }
    }
}

/// The status and the latency of a write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WriteOutcome {
    /// `None` if there was no response.
    pub(crate) status: Option<u16>,
    pub(crate) latency: Duration,
}

/// Tasks that write until they are stopped.
pub(crate) struct Writers {
    tasks: JoinSet<Vec<WriteOutcome>>,
    stopped: Arc<AtomicBool>,
}

impl Writers {
    /// Starts [`WRITER_COUNT`] writers, which use the callers and the conversations in turn. A writer ends early if its
    /// server is gone.
    pub(crate) fn start(callers: &[Caller], paths: &[String], ledger: &Ledger) -> Self {
        let (mut tasks, stopped) = (JoinSet::new(), Arc::new(AtomicBool::new(false)));
        for (caller, path) in callers.iter().cycle().zip(paths.iter().cycle()).take(WRITER_COUNT) {
            let (caller, path, ledger, stopped) = (caller.clone(), path.clone(), ledger.clone(), Arc::clone(&stopped));
            tasks.spawn(async move {
                let mut outcomes = Vec::new();
                while !stopped.load(Ordering::Relaxed) {
                    let outcome = write(&caller, &path, &ledger).await;
                    outcomes.push(outcome);
                    if outcome.status.is_none() {
                        break;
                    }
                }
                outcomes
            });
        }
        Self { tasks, stopped }
    }

    /// Waits until this many more messages are acknowledged.
    pub(crate) async fn wait_for_more(ledger: &Ledger, more: usize) {
        let (deadline, target) = (Instant::now() + TEST_TIMEOUT, ledger.len() + more);
        while ledger.len() < target {
            assert!(Instant::now() < deadline, "only {} of {target} messages are acknowledged", ledger.len());
            poll_delay().await;
        }
    }

    /// Stops the writers, and returns the outcomes of all writes.
    pub(crate) async fn stop(self) -> Vec<WriteOutcome> {
        self.stopped.store(true, Ordering::Relaxed);
        self.tasks.join_all().await.into_iter().flatten().collect()
    }
}

async fn write(caller: &Caller, path: &str, ledger: &Ledger) -> WriteOutcome {
    let (start, text) = (Instant::now(), ledger.next_text());
    let answer = caller.try_send(Method::POST, path, Some(&message(&text))).await;
    let latency = start.elapsed();
    if let Some((200, body)) = &answer {
        let id = body["id"].as_str().unwrap().to_owned();
        assert!(ledger.acknowledged.lock().unwrap().insert(id, text).is_none(), "an id is assigned twice");
    }
    WriteOutcome { status: answer.map(|(status, _)| status), latency }
}

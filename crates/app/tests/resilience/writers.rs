//! Concurrent writers that remember what was acknowledged, and the check that it is there, once.

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

use crate::replica::{Caller, PATIENCE, message, pause};

pub(crate) const WRITERS: usize = 12;

/// What was acknowledged: the text of each message by its id. Texts are never used twice.
#[derive(Clone, Default)]
pub(crate) struct Ledger {
    acknowledged: Arc<Mutex<HashMap<String, String>>>,
    sent: Arc<AtomicUsize>,
}

impl Ledger {
    pub(crate) fn len(&self) -> usize {
        self.acknowledged.lock().unwrap().len()
    }

    fn next_text(&self) -> String {
        format!("parcel {}", self.sent.fetch_add(1, Ordering::Relaxed))
    }

    /// Every acknowledged message is in one of the lists under its id, and no text is there twice.
    pub(crate) async fn check(&self, caller: &Caller, paths: &[String]) {
        let mut by_text = HashMap::new();
        for path in paths {
            let (status, list) = caller.get(path).await;
            assert_eq!(status, 200, "{list}");
            for item in list["items"].as_array().unwrap() {
                let (text, id) = (item["text"].as_str().unwrap(), item["messageId"].as_str().unwrap());
                assert!(by_text.insert(text.to_owned(), id.to_owned()).is_none(), "{text} is there twice");
            }
        }
        for (id, text) in self.acknowledged.lock().unwrap().iter() {
            assert_eq!(by_text.get(text), Some(id), "{text} was acknowledged");
        }
    }
}

/// What a request came to, and how long that took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    /// None where the server was gone.
    pub(crate) status: Option<u16>,
    pub(crate) took: Duration,
}

/// Writers that go on until they are stopped.
pub(crate) struct Writers {
    tasks: JoinSet<Vec<Outcome>>,
    stopped: Arc<AtomicBool>,
}

impl Writers {
    /// Starts as many writers as there are, over these callers and conversations in turn. Each ends where its server is
    /// gone.
    pub(crate) fn start(callers: &[Caller], paths: &[String], ledger: &Ledger) -> Self {
        let (mut tasks, stopped) = (JoinSet::new(), Arc::new(AtomicBool::new(false)));
        for (caller, path) in callers.iter().cycle().zip(paths.iter().cycle()).take(WRITERS) {
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

    /// Waits until so many more were acknowledged.
    pub(crate) async fn until_more(ledger: &Ledger, more: usize) {
        let (deadline, enough) = (Instant::now() + PATIENCE, ledger.len() + more);
        while ledger.len() < enough {
            assert!(Instant::now() < deadline, "{} of {enough} are acknowledged", ledger.len());
            pause().await;
        }
    }

    /// Stops them, and gives what their requests came to.
    pub(crate) async fn stop(self) -> Vec<Outcome> {
        self.stopped.store(true, Ordering::Relaxed);
        self.tasks.join_all().await.into_iter().flatten().collect()
    }
}

async fn write(caller: &Caller, path: &str, ledger: &Ledger) -> Outcome {
    let (began, text) = (Instant::now(), ledger.next_text());
    let answer = caller.try_send(Method::POST, path, Some(&message(&text))).await;
    let took = began.elapsed();
    if let Some((200, body)) = &answer {
        let id = body["id"].as_str().unwrap().to_owned();
        assert!(ledger.acknowledged.lock().unwrap().insert(id, text).is_none(), "an id is given twice");
    }
    Outcome { status: answer.map(|(status, _)| status), took }
}

//! Contract of the external detector: the adapter of a Presidio Analyzer, against a stub that fails in every way, and
//! against the real analyzer.

use std::{
    sync::{
        Arc, Barrier, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use parlance_adapters_detector::{
    BreakerState, CallOutcome, DetectorConfig, DetectorMeter, DetectorUrl, PresidioDetector, PresidioProbe, Rejection,
};
use parlance_adapters_transcription::direct_agent;
use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    readiness::ReadinessProbe,
    redaction::{DetectorOutage, Entity, EntitySet, ExternalDetector, ExternalSpan, TextRedaction},
    time::MonotonicClock,
};
use serde_json::json;
use support::{
    analyzer::{Analyzer, Behaviour},
    presidio,
};

/// Enough for any call that ends.
const LONG: Duration = Duration::from_secs(30);

/// A clock that a test advances.
#[derive(Default)]
struct ManualClock(AtomicU64);

impl MonotonicClock for ManualClock {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(self.0.load(Ordering::SeqCst))
    }
}

#[derive(Default)]
struct RecordingMeter(Mutex<Vec<String>>);

impl DetectorMeter for RecordingMeter {
    fn record_call(&self, outcome: CallOutcome, _: Duration) {
        self.0.lock().unwrap().push(outcome.as_str().to_owned());
    }

    fn record_rejection(&self, reason: Rejection) {
        self.0.lock().unwrap().push(reason.as_str().to_owned());
    }

    fn record_breaker(&self, state: BreakerState) {
        self.0.lock().unwrap().push(format!("{state:?}"));
    }
}

struct Fixture {
    detector: PresidioDetector,
    clock: Arc<ManualClock>,
    meter: Arc<RecordingMeter>,
}

fn config(url: &str) -> DetectorConfig {
    DetectorConfig {
        url: DetectorUrl::parse(url).unwrap(),
        language: "en".to_owned(),
        entities: entities(&[Entity::PERSON_NAME, Entity::STREET_ADDRESS, Entity::IP_ADDRESS]),
        min_score: 0.5,
        timeout: LONG,
        max_concurrent: 2,
    }
}

impl Fixture {
    fn new(url: &str, timeout: Duration, max_concurrent: usize) -> Self {
        Self::with_config(DetectorConfig { timeout, max_concurrent, ..config(url) })
    }

    fn with_config(config: DetectorConfig) -> Self {
        let call_timeout = config.timeout;
        Self::with_call_timeout(config, call_timeout)
    }

    fn with_call_timeout(config: DetectorConfig, call_timeout: Duration) -> Self {
        let (clock, meter) = (Arc::<ManualClock>::default(), Arc::<RecordingMeter>::default());
        let (shared_clock, shared_meter) = (Arc::clone(&clock) as Arc<_>, Arc::clone(&meter) as Arc<_>);
        let detector = PresidioDetector::new(config, direct_agent(call_timeout), shared_clock, shared_meter);
        Self { detector, clock, meter }
    }

    async fn detect(&self, texts: &[&str]) -> Result<Vec<Vec<ExternalSpan>>, StoreError> {
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        self.detector.detect(texts, EntitySet::all()).await
    }

    /// What the meter has recorded since the last call.
    fn recorded(&self) -> Vec<String> {
        std::mem::take(&mut *self.meter.0.lock().unwrap())
    }
}

fn entities(entities: &[Entity]) -> EntitySet {
    entities.iter().copied().collect()
}

fn name(start: usize, end: usize) -> ExternalSpan {
    ExternalSpan { start, end, entity: Entity::PERSON_NAME }
}

#[tokio::test]
async fn each_text_has_its_findings_with_offsets_in_bytes() {
    let analyzer = Analyzer::start();
    let fixture = Fixture::new(&analyzer.url(), LONG, 8);
    let found = fixture.detect(&["ask Zoe", "nobody", "🦀é Zoe and Zoe"]).await.unwrap();
    assert_eq!(found, [vec![name(4, 7)], vec![], vec![name(7, 10), name(15, 18)]]);
    assert_eq!(fixture.recorded(), ["answered", "answered", "answered"]);
}

#[tokio::test]
async fn a_request_has_the_text_the_language_the_types_and_the_score() {
    let analyzer = Analyzer::start();
    let fixture = Fixture::new(&analyzer.url(), LONG, 8);
    let wanted = entities(&[Entity::PERSON_NAME, Entity::CVV]);
    fixture.detector.detect(vec!["ask \"Zoe\"\n".to_owned()], wanted).await.unwrap();
    let expected = json!({"text": "ask \"Zoe\"\n", "language": "en", "entities": ["PERSON"], "score_threshold": 0.5});
    assert_eq!(analyzer.bodies(), [expected]);
}

#[tokio::test]
async fn a_text_is_not_sent_if_no_entity_of_the_detector_is_wanted() {
    let analyzer = Analyzer::start();
    let fixture = Fixture::new(&analyzer.url(), LONG, 8);
    let found = fixture.detector.detect(vec!["ask Zoe".to_owned()], entities(&[Entity::CVV])).await.unwrap();
    assert_eq!((found, analyzer.bodies().len()), (vec![vec![]], 0));
}

#[tokio::test]
async fn every_failure_is_an_error_without_the_text_and_the_address() {
    let analyzer = Analyzer::start();
    let finding = |start: i32, end: i32| {
        let finding = json!([{"entity_type": "PERSON", "start": start, "end": end, "score": 1.0}]);
        Behaviour::Respond(200, finding.to_string())
    };
    let huge = format!("[{}]", " ".repeat(5 * 1024 * 1024));
    let answer = |status, body: &str| Behaviour::Respond(status, body.to_owned());
    for (behaviour, outcome) in [
        (answer(500, "{\"error\": \"hush\"}"), "refused"),
        (answer(404, "[]"), "refused"),
        (answer(302, "[]"), "refused"),
        (answer(200, "<html>hush</html>"), "invalid_answer"),
        (answer(200, "{\"findings\": []}"), "invalid_answer"),
        (answer(200, "[{\"entity_type\": \"PERSON\", \"start\": \"0\"}]"), "invalid_answer"),
        (answer(200, &huge), "invalid_answer"),
        (finding(0, 99), "invalid_answer"),
        (finding(-1, 3), "invalid_answer"),
        (finding(3, 1), "invalid_answer"),
        (Behaviour::Garbage, "invalid_answer"),
        (Behaviour::Close, "unreachable"),
    ] {
        analyzer.set(behaviour);
        let fixture = Fixture::new(&analyzer.url(), LONG, 8);
        let error = fixture.detect(&["hush"]).await.unwrap_err();
        let (kind, chain) = (error.kind(), error.cause_chain());
        assert_eq!((kind, fixture.recorded()), (StoreErrorKind::Unavailable, vec![outcome.to_owned()]), "{chain}");
        assert!(!chain.contains("hush") && !chain.contains("127.0.0.1"), "{chain}");
    }
}

#[tokio::test]
async fn an_analyzer_that_does_not_answer_is_given_up_after_the_timeout() {
    let analyzer = Analyzer::start();
    analyzer.set(Behaviour::Hang);
    let fixture = Fixture::new(&analyzer.url(), Duration::from_millis(100), 8);
    assert!(fixture.detect(&["ask Zoe"]).await.is_err());
    assert_eq!(fixture.recorded(), ["timed_out"]);
}

#[tokio::test]
async fn an_address_without_a_program_is_out_of_reach() {
    let fixture = Fixture::new("http://127.0.0.1:1", LONG, 8);
    assert_eq!(fixture.detect(&["ask Zoe"]).await.unwrap_err().kind(), StoreErrorKind::Unavailable);
    assert_eq!(fixture.recorded(), ["unreachable"]);
}

#[tokio::test]
async fn one_failure_fails_all_texts_of_a_call() {
    let analyzer = Analyzer::start();
    analyzer.set(Behaviour::Respond(500, String::new()));
    assert!(Fixture::new(&analyzer.url(), LONG, 1).detect(&["a", "b", "c"]).await.is_err());
}

#[tokio::test]
async fn no_more_calls_are_made_at_the_same_time_than_allowed() {
    let analyzer = Analyzer::start();
    // Each call waits for a second one, so calls one after the other would not end.
    analyzer.set(Behaviour::FindTogether(Arc::new(Barrier::new(2))));
    let fixture = Fixture::new(&analyzer.url(), LONG, 2);
    assert_eq!(fixture.detect(&["Zoe"; 8]).await.unwrap(), vec![vec![name(0, 3)]; 8]);
    assert_eq!(analyzer.most_in_flight(), 2);
}

#[tokio::test]
async fn a_text_that_waits_too_long_for_its_call_is_not_examined() {
    let (analyzer, release) = (Analyzer::start(), Arc::new(Barrier::new(2)));
    analyzer.set(Behaviour::FindTogether(Arc::clone(&release)));
    let config = DetectorConfig { timeout: Duration::from_millis(50), max_concurrent: 1, ..config(&analyzer.url()) };
    let fixture = Fixture::with_call_timeout(config, LONG);
    let detector = fixture.detector.clone();
    let first = tokio::spawn(async move { detector.detect(vec!["ask Zoe".to_owned()], EntitySet::all()).await });
    while analyzer.bodies().is_empty() {
        tokio::task::yield_now().await;
    }
    assert!(fixture.detect(&["ask Zoe"]).await.is_err());
    assert_eq!(fixture.recorded(), ["saturated"]);
    release.wait();
    assert!(first.await.unwrap().is_ok());
}

#[tokio::test]
async fn calls_stop_after_failures_in_a_row_and_resume_after_a_success() {
    let analyzer = Analyzer::start();
    analyzer.set(Behaviour::Close);
    let fixture = Fixture::new(&analyzer.url(), LONG, 8);
    for _ in 0..5 {
        assert!(fixture.detect(&["ask Zoe"]).await.is_err());
    }
    assert_eq!(fixture.recorded().split_off(4), ["unreachable", "Open"]);
    analyzer.set(Behaviour::Find);
    let before = analyzer.bodies().len();
    assert!(fixture.detect(&["ask Zoe"]).await.is_err());
    assert_eq!((analyzer.bodies().len(), fixture.recorded()), (before, vec!["breaker_open".to_owned()]));
    fixture.clock.0.store(5, Ordering::SeqCst);
    assert_eq!(fixture.detect(&["ask Zoe"]).await.unwrap(), [[name(4, 7)]]);
    assert_eq!(fixture.recorded(), ["answered", "Closed"]);
}

#[tokio::test]
async fn the_probe_reports_whether_the_analyzer_answers() {
    let analyzer = Analyzer::start();
    let fixture = Fixture::new(&analyzer.url(), LONG, 8);
    let probe = PresidioProbe::new(fixture.detector.clone(), true);
    assert!(probe.check().await.is_ok() && probe.is_required());
    analyzer.set(Behaviour::Close);
    assert!(probe.check().await.is_err());
}

#[tokio::test]
async fn the_real_analyzer_finds_names_and_addresses_and_its_errors_are_errors() {
    let Some(url) = presidio::server_url() else { return };
    let fixture = Fixture::new(url, LONG, 2);
    assert!(PresidioProbe::new(fixture.detector.clone(), true).check().await.is_ok());
    let found = fixture.detect(&["🦀 é, Grace Hopper from Paris", "12 Rue de Rivoli, 192.168.7.1"]).await.unwrap();
    let address = |start, end, entity| ExternalSpan { start, end, entity };
    assert_eq!(found[0], [name(9, 21)]);
    let mut second = found[1].clone();
    second.sort_by_key(|span| span.start);
    assert_eq!(second, [address(0, 16, Entity::STREET_ADDRESS), address(18, 29, Entity::IP_ADDRESS)]);
    let redaction = TextRedaction::with_external(Arc::new(fixture.detector.clone()), DetectorOutage::Refuse);
    let masked = redaction.redact("call Grace Hopper in Paris", &[], entities(&[Entity::PERSON_NAME])).await.unwrap();
    assert_eq!(masked.text, "call ***** ****** in Paris");
    // The analyzer answers 500 to types for which it has no recognizer.
    let unknown = Fixture::with_config(DetectorConfig { language: "xx".to_owned(), ..config(url) });
    assert!(unknown.detect(&["hello"]).await.is_err());
    assert_eq!(unknown.recorded(), ["refused"]);
}

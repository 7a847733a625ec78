//! Traces: the same seed gives the same one, and together they show everything that can go wrong.

use crate::{
    event_protocol::EventProtocol,
    feed_protocol::FeedProtocol,
    lease_protocol::LeaseProtocol,
    protocol::{Protocol, run},
    vocabulary_protocol::VocabularyProtocol,
    webhook_protocol::WebhookProtocol,
};

fn traces<P: Protocol>() -> Vec<String> {
    (1..=40).map(|seed| run::<P>(seed, None, true).trace.join("\n")).collect()
}

fn assert_traces_repeat<P: Protocol>() {
    let (first, second) = (traces::<P>(), traces::<P>());
    assert_eq!(first, second, "{}", P::NAME);
    assert!(first.windows(2).all(|pair| pair[0] != pair[1]), "{}: another seed gives another trace", P::NAME);
}

#[test]
fn one_seed_gives_one_trace() {
    assert_traces_repeat::<EventProtocol>();
    assert_traces_repeat::<VocabularyProtocol>();
    assert_traces_repeat::<LeaseProtocol>();
    assert_traces_repeat::<WebhookProtocol>();
    assert_traces_repeat::<FeedProtocol>();
}

/// A simulation in which nothing goes wrong would find nothing.
#[test]
fn everything_that_can_go_wrong_occurs() {
    let traces = [
        traces::<EventProtocol>(),
        traces::<VocabularyProtocol>(),
        traces::<LeaseProtocol>(),
        traces::<WebhookProtocol>(),
        traces::<FeedProtocol>(),
    ]
    .concat();
    let occurrences = [
        "crashes",
        "stands still",
        "a hint is lost",
        "the clock of computer",
        "is rolled back",
        "are dropped",
        "has missed events",
        "again, as",
        "is overtaken by term",
        "the component discards version",
        "refused: version",
        "the operator has queued",
        "releases the lease",
        "answers no request",
        "a caller switches the webhook",
        "the end of webhook 2 by term",
        "is added late to",
        "a run has lost the lease",
    ];
    let missing: Vec<_> = occurrences.iter().filter(|text| !traces.iter().any(|trace| trace.contains(*text))).collect();
    assert!(missing.is_empty(), "no trace contains {missing:?}");
}

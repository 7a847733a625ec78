//! Contract of delivery stores over generated sequences: each store holds the progress that the domain's transitions
//! give. The SQL stores apply a change in one statement, and compare and set in another.

use parlance_domain::vocabulary::{
    Capacity, InsertOutcome, RemoveOutcome, VocabularyEntry,
    delivery::{AttemptFailure, DeliveredVersion, DeliveryErrorKind, DeliveryProgress},
};
use support::{
    fixtures::{acme, from_micros, vocabulary_entry},
    seeded_rng::SeededRng,
    stores::TestStores,
};

contract![every_sequence_of_transitions_is_stored_as_the_domain_computes_it];

const STEPS: u128 = 150;

/// One of 60 seconds. Long and short times between steps make attempts due, too early, or implausibly late.
fn random_micros(rng: &mut SeededRng) -> i64 {
    i64::try_from(rng.below(60)).unwrap() * 1_000_000
}

/// The progress after a random transition, if it applies.
fn transition(rng: &mut SeededRng, from: DeliveryProgress) -> Option<DeliveryProgress> {
    let at = from_micros(random_micros(rng));
    match rng.below(4) {
        0 => {
            let lag = u64::try_from(rng.below(3)).unwrap();
            from.after_delivery(DeliveredVersion { version: from.version.saturating_sub(lag), delivered_at: at }, at)
        }
        1 | 2 => {
            let kind = DeliveryErrorKind::ALL[rng.below(DeliveryErrorKind::ALL.len())];
            from.after_failure(AttemptFailure { kind, failed_at: at })
        }
        _ => from.after_requeue(at),
    }
}

/// Changes the vocabulary by the entry of this step, and takes it out again in some steps. Returns the progress after.
async fn change(stores: &TestStores, rng: &mut SeededRng, step: u128, before: DeliveryProgress) -> DeliveryProgress {
    let created_at = from_micros(random_micros(rng));
    let entry = VocabularyEntry { created_at, ..vocabulary_entry(step, &format!("phrase {step}")) };
    let inserted = stores.vocabularies.insert(&acme(), &entry, Capacity::PER_TENANT, None).await.unwrap();
    assert_eq!(inserted, InsertOutcome::Inserted);
    let after = before.after_change(created_at);
    if rng.below(2) == 0 {
        return after;
    }
    let at = from_micros(random_micros(rng));
    assert_eq!(stores.vocabularies.remove(&acme(), &entry.id, at).await.unwrap(), RemoveOutcome::Removed);
    after.after_change(at)
}

async fn every_sequence_of_transitions_is_stored_as_the_domain_computes_it(stores: TestStores) {
    let (mut rng, mut history) = (SeededRng::new(18), vec![DeliveryProgress::default()]);
    let (mut replaced, mut lost) = (0, 0);
    for step in 1..=STEPS {
        let before = *history.last().unwrap();
        let after = if rng.below(3) == 0 {
            change(&stores, &mut rng, step, before).await
        } else {
            // The expected progress is up to two transitions old, as in a race.
            let expected = history[history.len().saturating_sub(1 + rng.below(3))];
            let Some(next) = transition(&mut rng, expected) else { continue };
            let computed = before.compare_and_set(&expected, &next);
            let is_replaced = stores.deliveries.compare_and_set(&acme(), &expected, &next).await.unwrap();
            assert_eq!(is_replaced, computed.is_some(), "step {step}: {before:?}, {expected:?}, {next:?}");
            *if is_replaced { &mut replaced } else { &mut lost } += 1;
            computed.unwrap_or(before)
        };
        assert_eq!(stores.deliveries.progress(&acme()).await.unwrap(), after, "step {step}");
        let now = from_micros(random_micros(&mut rng));
        let is_due = !stores.deliveries.due(now, 1).await.unwrap().is_empty();
        assert_eq!(is_due, after.is_due(now), "step {step}: {after:?} at {now}");
        history.push(after);
    }
    assert!(replaced > 20 && lost > 10, "{replaced} comparisons succeeded and {lost} failed");
}

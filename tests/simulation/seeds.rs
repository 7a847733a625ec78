//! Runs many seeds on all processors.

use std::{
    env,
    num::NonZero,
    str::FromStr,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use crate::{
    fault::Fault,
    protocol::{Protocol, run},
};

/// The number of seeds in which each fault is found.
pub(crate) const SEEDS: u64 = 2_000;

fn variable(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |number| u64::from_str(&number).unwrap())
}

/// The seeds that this call of the suite runs.
pub(crate) fn chosen_seeds() -> std::ops::Range<u64> {
    let first = variable("PARLANCE_TEST_FIRST_SEED", 1);
    first..first.saturating_add(variable("PARLANCE_TEST_SEEDS", SEEDS))
}

/// The lowest failing seed. Every thread takes the next seed, until one fails.
pub(crate) fn find_failing_seed<P: Protocol>(seeds: std::ops::Range<u64>, fault: Option<Fault>) -> Option<u64> {
    let (next, lowest) = (AtomicU64::new(seeds.start), AtomicU64::new(u64::MAX));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end || seed > lowest.load(Ordering::Relaxed) {
                        return;
                    }
                    if run::<P>(seed, fault, false).violation.is_some() {
                        lowest.fetch_min(seed, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    Some(lowest.into_inner()).filter(|seed| *seed < u64::MAX)
}

/// What is printed of a failing seed: the property that does not hold, and the trace.
pub(crate) fn report<P: Protocol>(seed: u64, fault: Option<Fault>) -> String {
    let run = run::<P>(seed, fault, true);
    let violation = run.violation.unwrap_or_default();
    let trace = run.trace.join("\n");
    format!("{}: seed {seed}: {violation}\nthe trace of seed {seed}, in seconds:\n{trace}\n", P::NAME)
}

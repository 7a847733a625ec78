//! When open privacy requests are run, and which of them were logged as invalid.

use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

use parlance_domain::{
    access::TenantId,
    privacy::{InvalidPrivacyRequest, PrivacyRequest, PrivacyRequestId},
};

/// The first pause after a run that waits or fails. Each pause is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// The longest pause between two runs of a request that waits or fails. Each run reads everything of the tenant.
const MAX_PAUSE: Duration = Duration::from_secs(15);

/// The maximum number of requests that one look gives.
const MAX_DUE: usize = 100;
/// The maximum number of them that were run before. A request that is made meanwhile is begun after these runs, each of which may
/// wait for the lock of a feed.
const MAX_RETRIED: usize = 10;

/// The state of a request that waits or whose last run failed.
struct Pause {
    until: Instant,
    length: Duration,
    /// The runs directly before the next one that ended with a permanent error.
    failed_runs: u32,
}

/// When the requests that wait or failed are run again.
#[derive(Default)]
pub(crate) struct RequestSchedule {
    pauses: HashMap<PrivacyRequestId, Pause>,
    /// The tenants and the identifiers of invalid requests that were logged. Each look finds them again.
    logged: HashSet<(String, String)>,
}

/// One look at the open requests.
pub(crate) struct Look<'schedule> {
    schedule: &'schedule mut RequestSchedule,
    now: Instant,
    /// Each with the end of its pause; `None` if it was not run yet.
    due: Vec<(Option<Instant>, TenantId, PrivacyRequest)>,
    found: HashSet<PrivacyRequestId>,
    invalid: HashSet<(String, String)>,
}

impl RequestSchedule {
    /// Begins a look at the open requests at this time.
    pub(crate) fn look(&mut self, now: Instant) -> Look<'_> {
        Look { schedule: self, now, due: Vec::new(), found: HashSet::new(), invalid: HashSet::new() }
    }

    /// The runs of a request directly before the next one that ended with a permanent error.
    pub(crate) fn failed_runs(&self, id: &PrivacyRequestId) -> u32 {
        self.pauses.get(id).map_or(0, |pause| pause.failed_runs)
    }

    /// Begins a pause after a run, at this time.
    pub(crate) fn pause(&mut self, id: &PrivacyRequestId, failed_runs: u32, now: Instant) {
        let length = self.pauses.get(id).map_or(FIRST_PAUSE, |pause| (pause.length * 2).min(MAX_PAUSE));
        self.pauses.insert(id.clone(), Pause { until: now + length, length, failed_runs });
    }
}

impl Look<'_> {
    /// Adds open requests, oldest first.
    pub(crate) fn add(&mut self, open: Vec<(TenantId, PrivacyRequest)>) {
        for (tenant, request) in open {
            let until = self.schedule.pauses.get(&request.id).map(|pause| pause.until);
            self.found.insert(request.id.clone());
            if until.is_none_or(|until| until <= self.now) {
                self.due.push((until, tenant, request));
            }
        }
    }

    /// Logs invalid requests that were not logged before.
    pub(crate) fn log_invalid(&mut self, invalid: Vec<InvalidPrivacyRequest>) {
        for InvalidPrivacyRequest { tenant, id, error } in invalid {
            let key = (tenant, id);
            if self.schedule.logged.insert(key.clone()) {
                tracing::error!(
                    tenant = key.0,
                    id = key.1,
                    cause = error.cause_chain(),
                    "a privacy request cannot be carried out, because its row is invalid: run `parlance doctor`"
                );
            }
            self.invalid.insert(key);
        }
    }

    /// Whether there are enough requests that were not run yet. They come before all others.
    pub(crate) fn is_full(&self) -> bool {
        self.due.iter().filter(|(until, ..)| until.is_none()).count() >= MAX_DUE
    }

    /// Ends a look that has seen all open requests: those that it has not seen have ended, or were mended.
    pub(crate) fn forget_others(&mut self) {
        let Self { schedule, found, invalid, .. } = self;
        schedule.pauses.retain(|id, _| found.contains(id));
        schedule.logged.retain(|key| invalid.contains(key));
    }

    /// What is to be run now: requests that were not run yet, oldest first, and then some of those whose pause ended first. So no
    /// number of requests that wait keeps another one from its turn.
    pub(crate) fn due(self) -> Vec<(TenantId, PrivacyRequest)> {
        let mut due = self.due;
        due.sort_by_key(|(until, ..)| *until);
        let new = due.iter().filter(|(until, ..)| until.is_none()).count();
        due.truncate((new + MAX_RETRIED).min(MAX_DUE));
        due.into_iter().map(|(_, tenant, request)| (tenant, request)).collect()
    }
}

#[cfg(test)]
mod tests {
    use parlance_domain::{
        privacy::{IdentifierDigest, PrivacyCounts, PrivacyReference, PrivacyRequestStatus, PrivacyRequestType},
        time::Timestamp,
    };

    use super::*;

    fn open(number: u128) -> (TenantId, PrivacyRequest) {
        let request = PrivacyRequest {
            id: PrivacyRequestId::from_bits(number),
            kind: PrivacyRequestType::Erasure,
            dry_run: false,
            subject: IdentifierDigest([9; 32]),
            reference: PrivacyReference::parse("CHG-7").unwrap(),
            status: PrivacyRequestStatus::Running,
            waiting_for: None,
            failure: None,
            counts: PrivacyCounts::default(),
            requested_at: Timestamp::EPOCH,
            ended_at: None,
        };
        (TenantId::parse("acme").unwrap(), request)
    }

    fn due(schedule: &mut RequestSchedule, now: Instant, numbers: impl IntoIterator<Item = u128>) -> Vec<u128> {
        let mut look = schedule.look(now);
        look.add(numbers.into_iter().map(open).collect());
        look.forget_others();
        let number = |id: &PrivacyRequestId| (0..1_000).find(|number| *id == PrivacyRequestId::from_bits(*number));
        look.due().iter().map(|(_, request)| number(&request.id).unwrap()).collect()
    }

    fn pause(schedule: &mut RequestSchedule, number: u128, now: Instant) {
        schedule.pause(&PrivacyRequestId::from_bits(number), 0, now);
    }

    #[test]
    fn a_hundred_requests_that_wait_do_not_keep_the_next_one_from_its_turn() {
        let (mut schedule, now) = (RequestSchedule::default(), Instant::now());
        for number in 0..150 {
            pause(&mut schedule, number, now);
        }
        let later = now + MAX_PAUSE;
        let first = due(&mut schedule, later, 0..=150);
        assert_eq!(first, [150, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        for number in first {
            pause(&mut schedule, number, later);
        }
        let second = due(&mut schedule, later + MAX_PAUSE, 0..=150);
        assert_eq!(second, (10..20).collect::<Vec<_>>());
    }

    #[test]
    fn each_pause_is_twice_the_one_before_up_to_a_limit() {
        let (mut schedule, now) = (RequestSchedule::default(), Instant::now());
        for millis in [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000] {
            let length = Duration::from_millis(millis);
            pause(&mut schedule, 1, now);
            assert_eq!(due(&mut schedule, now + Duration::from_millis(millis - 1), [1]), [] as [u128; 0]);
            assert_eq!(due(&mut schedule, now + length, [1]), [1]);
        }
    }

    #[test]
    fn the_pause_of_a_request_that_has_ended_is_forgotten() {
        let (mut schedule, now) = (RequestSchedule::default(), Instant::now());
        schedule.pause(&PrivacyRequestId::from_bits(1), 3, now);
        assert_eq!(schedule.failed_runs(&PrivacyRequestId::from_bits(1)), 3);
        due(&mut schedule, now, [2]);
        assert_eq!(due(&mut schedule, now, [1, 2]), [1, 2]);
        assert_eq!(schedule.failed_runs(&PrivacyRequestId::from_bits(1)), 0);
    }

    #[test]
    fn a_look_is_full_once_it_has_enough_requests_that_were_not_run_yet() {
        let (mut schedule, now) = (RequestSchedule::default(), Instant::now());
        for number in 0..50 {
            pause(&mut schedule, number, now);
        }
        let mut look = schedule.look(now + MAX_PAUSE);
        look.add((0..149).map(open).collect());
        assert!(!look.is_full());
        look.add(vec![open(149)]);
        assert!(look.is_full());
    }
}

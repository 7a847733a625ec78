//! CPU pressure: whether a thread has to wait for a processor.

use std::fs;

/// Scheduler statistics of the calling thread on Linux (documentation of the kernel, `scheduler/sched-stats`). Other
/// systems have none, and count as without pressure.
const SCHEDSTAT: &str = "/proc/thread-self/schedstat";

/// The CPU pressure on a thread, from samples of its statistics.
#[derive(Debug, Default)]
pub(crate) struct CpuPressure {
    last_sample: Option<ThreadTimes>,
    high: bool,
}

/// Nanoseconds since the thread began.
#[derive(Debug, Clone, Copy)]
struct ThreadTimes {
    ran: u64,
    waited: u64,
}

impl ThreadTimes {
    fn parse(schedstat: &str) -> Option<Self> {
        let mut numbers = schedstat.split_ascii_whitespace().map(str::parse);
        Some(Self { ran: numbers.next()?.ok()?, waited: numbers.next()?.ok()? })
    }
}

impl CpuPressure {
    /// Samples the run time and the wait time of the calling thread since the last sample.
    pub(crate) fn sample(&mut self) {
        self.record(fs::read_to_string(SCHEDSTAT).ok().and_then(|text| ThreadTimes::parse(&text)));
    }

    fn record(&mut self, sample: Option<ThreadTimes>) {
        self.high = sample.zip(self.last_sample).is_some_and(|(now, before)| {
            let ran = now.ran.saturating_sub(before.ran);
            now.waited.saturating_sub(before.waited).saturating_mul(4) >= ran.max(1)
        });
        self.last_sample = sample;
    }

    /// Whether the thread waited at least a quarter as long as it ran, between the last two samples.
    pub(crate) fn is_high(&self) -> bool {
        self.high
    }
}

#[cfg(test)]
impl CpuPressure {
    pub(crate) fn with_high_pressure() -> Self {
        Self { high: true, ..Self::default() }
    }

    /// Whether the last sample succeeded.
    pub(crate) fn has_sample(&self) -> bool {
        self.last_sample.is_some()
    }

    pub(crate) fn is_supported() -> bool {
        fs::exists(SCHEDSTAT).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the pressure is high if a thread runs and waits this long, after it ran and waited for 1,000 ns each.
    fn is_high_after(ran: u64, waited: u64) -> bool {
        let mut pressure = CpuPressure::default();
        pressure.record(Some(ThreadTimes { ran: 1_000, waited: 1_000 }));
        pressure.record(Some(ThreadTimes { ran: 1_000 + ran, waited: 1_000 + waited }));
        pressure.is_high()
    }

    #[test]
    fn pressure_is_high_from_a_wait_of_a_quarter_of_the_run_time() {
        assert!(is_high_after(400, 100));
        assert!(!is_high_after(400, 99));
    }

    #[test]
    fn pressure_is_not_high_after_a_failed_sample() {
        let mut pressure = CpuPressure::default();
        pressure.record(Some(ThreadTimes { ran: 0, waited: 0 }));
        pressure.record(None);
        assert!(!pressure.is_high());
        pressure.record(Some(ThreadTimes { ran: 4, waited: 9 }));
        assert!(!pressure.is_high());
    }

    #[test]
    fn the_first_two_numbers_are_the_run_time_and_the_wait_time() {
        let times = ThreadTimes::parse("37412 815 12\n").unwrap();
        assert_eq!((times.ran, times.waited), (37_412, 815));
        assert!(ThreadTimes::parse("").is_none());
    }

    #[test]
    fn the_statistics_of_this_system_are_parsed_if_it_has_any() {
        let mut pressure = CpuPressure::default();
        pressure.sample();
        assert_eq!(pressure.has_sample(), CpuPressure::is_supported());
    }
}

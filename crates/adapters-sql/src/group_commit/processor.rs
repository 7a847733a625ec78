//! Whether a thread has to wait for a processor.

use std::fs;

/// Where Linux tells it of the thread that asks (the kernel's documentation, `scheduler/sched-stats`). Elsewhere nothing is
/// told, and a processor is taken to be free.
const TOLD: &str = "/proc/thread-self/schedstat";

/// What a thread knows of its processor.
#[derive(Debug, Default)]
pub(super) struct Processor {
    told: Option<Times>,
    scarce: bool,
}

/// Nanoseconds since a thread began.
#[derive(Debug, Clone, Copy)]
struct Times {
    ran: u64,
    waited: u64,
}

impl Times {
    fn of(told: &str) -> Option<Self> {
        let mut numbers = told.split_ascii_whitespace().map(str::parse);
        Some(Self { ran: numbers.next()?.ok()?, waited: numbers.next()?.ok()? })
    }
}

impl Processor {
    /// Looks at what the thread that calls did since it looked last.
    pub(super) fn look(&mut self) {
        self.see(fs::read_to_string(TOLD).ok().and_then(|told| Times::of(&told)));
    }

    fn see(&mut self, told: Option<Times>) {
        self.scarce = told.zip(self.told).is_some_and(|(now, before)| {
            let ran = now.ran.saturating_sub(before.ran);
            now.waited.saturating_sub(before.waited).saturating_mul(4) >= ran.max(1)
        });
        self.told = told;
    }

    /// Whether the thread waited at least a quarter as long as it ran.
    pub(super) fn is_scarce(&self) -> bool {
        self.scarce
    }
}

#[cfg(test)]
impl Processor {
    pub(super) fn that_is_scarce() -> Self {
        Self { scarce: true, ..Self::default() }
    }

    /// Whether it has looked, and this system told it something.
    pub(super) fn was_told(&self) -> bool {
        self.told.is_some()
    }

    pub(super) fn can_be_told() -> bool {
        fs::exists(TOLD).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a processor is scarce where a thread did this after it had run for 1,000 ns and waited for as long.
    fn is_scarce_after(ran: u64, waited: u64) -> bool {
        let mut processor = Processor::default();
        processor.see(Some(Times { ran: 1_000, waited: 1_000 }));
        processor.see(Some(Times { ran: 1_000 + ran, waited: 1_000 + waited }));
        processor.is_scarce()
    }

    #[test]
    fn a_processor_is_scarce_where_one_waits_a_quarter_as_long_as_one_runs() {
        assert!(is_scarce_after(400, 100));
        assert!(!is_scarce_after(400, 99));
    }

    #[test]
    fn a_processor_is_not_scarce_where_nothing_is_told() {
        let mut processor = Processor::default();
        processor.see(Some(Times { ran: 0, waited: 0 }));
        processor.see(None);
        assert!(!processor.is_scarce());
        processor.see(Some(Times { ran: 4, waited: 9 }));
        assert!(!processor.is_scarce());
    }

    #[test]
    fn the_first_two_numbers_are_how_long_it_ran_and_waited() {
        let told = Times::of("37412 815 12\n").unwrap();
        assert_eq!((told.ran, told.waited), (37_412, 815));
        assert!(Times::of("").is_none());
    }

    #[test]
    fn what_this_system_tells_is_understood_where_it_tells_anything() {
        let mut processor = Processor::default();
        processor.look();
        assert_eq!(processor.was_told(), Processor::can_be_told());
    }
}

//! A count of the steps that an analysis takes. Tests compare it for texts of different lengths: unlike time, it is the same in
//! every run. Outside of tests nothing is counted.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts a step: a token that is read, a text that is compared, or a way to read a number that is tried.
#[inline]
pub(crate) fn count_step() {
    #[cfg(test)]
    STEPS.with(|steps| steps.set(steps.get() + 1));
}

/// The steps of this thread since the last call.
#[cfg(test)]
pub(crate) fn take_steps() -> u64 {
    STEPS.take()
}

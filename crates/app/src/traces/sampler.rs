//! Which deliveries, and which requests without a `traceparent`, are traced.

/// Chooses a share at random. The numbers need not be secure, and a secure one would cost more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampler {
    share: f64,
}

impl Sampler {
    /// Chooses this share, from 0 for none to 1 for all.
    pub(super) fn new(share: f64) -> Self {
        Self { share }
    }

    /// Whether to trace the next request or delivery.
    pub(super) fn decide(self) -> bool {
        fastrand::f64() < self.share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(share: f64) -> usize {
        let sampler = Sampler::new(share);
        (0..100_000).filter(|_| sampler.decide()).count()
    }

    #[test]
    fn the_share_0_chooses_nothing_and_the_share_1_everything() {
        assert_eq!((chosen(0.0), chosen(1.0)), (0, 100_000));
    }

    /// The bounds are ten standard deviations from the mean.
    #[test]
    fn a_share_is_chosen_up_to_chance() {
        assert!((685..=1_315).contains(&chosen(0.01)));
        assert!((48_419..=51_581).contains(&chosen(0.5)));
    }
}

//! How often what goes wrong in a run. Each seed draws its own rates, so that some runs have much of one kind and none of
//! another.

use support::seeded_rng::SeededRng;

/// The rates, in permille of the occasions.
#[derive(Clone, Copy, Default)]
pub(crate) struct Chaos {
    /// A process ends at a step, and starts again later.
    pub(crate) crash: usize,
    /// A process stands still at a step, for longer than a lease can last.
    pub(crate) stall: usize,
    /// A call is refused at once.
    pub(crate) refused: usize,
    /// A call does not arrive.
    pub(crate) lost_request: usize,
    /// A call takes effect, and its answer does not arrive.
    pub(crate) lost_answer: usize,
    /// A call takes effect after its caller has given up.
    pub(crate) late_request: usize,
    /// A step takes seconds.
    pub(crate) slow: usize,
    /// A hint of a change does not arrive.
    pub(crate) lost_hint: usize,
    /// A clock is set to another time.
    pub(crate) clock_jump: usize,
}

impl Chaos {
    /// Nothing goes wrong.
    pub(crate) const NONE: Self = Self {
        crash: 0,
        stall: 0,
        refused: 0,
        lost_request: 0,
        lost_answer: 0,
        late_request: 0,
        slow: 0,
        lost_hint: 0,
        clock_jump: 0,
    };

    /// The rates of a run. A third of them are zero.
    pub(crate) fn draw(rng: &mut SeededRng) -> Self {
        let mut rate = |max: usize| if rng.below(3) == 0 { 0 } else { 1 + rng.below(max) };
        Self {
            crash: rate(12),
            stall: rate(8),
            refused: rate(80),
            lost_request: rate(60),
            lost_answer: rate(60),
            late_request: rate(60),
            slow: rate(60),
            lost_hint: rate(600),
            clock_jump: rate(500),
        }
    }
}

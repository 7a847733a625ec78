//! What a protocol brings to the simulation, and one run of it.

use crate::{
    fault::Fault,
    scheduler::Scheduler,
    world::{SECOND, World},
};

/// How long things go wrong in a run.
const CHAOS: i64 = 45 * SECOND;

/// How long a run goes on after that, unless its protocol says otherwise. Every acknowledged change must be delivered
/// within a minute.
const CALM: i64 = 60 * SECOND;

/// A protocol that runs on several replicas. Properties that hold at all times are checked where a write takes effect.
pub(crate) trait Protocol: Sized {
    const NAME: &'static str;

    /// The faults that the properties of the protocol find.
    const FAULTS: &'static [Fault];

    /// How long a run goes on after the last failure.
    const CALM: i64 = CALM;

    /// Starts the processes of the protocol, and everything that surrounds them.
    fn start(world: &World) -> Self;

    /// Changes end, and deliveries go on.
    fn end_changes(&self);

    /// Checks what must hold in the end.
    fn check_end(&self, world: &World);
}

/// The outcome of a run.
pub(crate) struct Run {
    /// The property that did not hold.
    pub(crate) violation: Option<String>,
    /// What happened, if the run was traced.
    pub(crate) trace: Vec<String>,
}

/// Runs a protocol from a seed.
pub(crate) fn run<P: Protocol>(seed: u64, fault: Option<Fault>, traced: bool) -> Run {
    let world = World::new(seed, fault, traced);
    let protocol = P::start(&world);
    let mut scheduler = Scheduler::new(world.clone());
    scheduler.run_until(CHAOS);
    world.end_chaos();
    protocol.end_changes();
    scheduler.run_until(CHAOS + P::CALM);
    if world.violation().is_none() {
        protocol.check_end(&world);
    }
    let trace = world.take_trace();
    // What the dropped tasks have started would keep the world in memory.
    drop(scheduler);
    drop(world.take_started());
    Run { violation: world.violation(), trace }
}

//! The clocks of the computers, which can be set forward and back.

use parlance_domain::time::{Clock, SECONDS_PER_DAY, Timestamp};

use crate::world::{SECOND, World};

/// The number of replicas. Each runs on a computer of its own.
pub(crate) const REPLICAS: usize = 3;

/// The computer of the database, whose number follows those of the replicas.
pub(crate) const DATABASE: usize = REPLICAS;

const COMPUTERS: i64 = 4;

/// The time at which every run starts: 2026-01-01T00:00:00Z.
const START: i64 = 1_767_225_600 * SECOND;

/// The clock of one computer.
pub(crate) struct ComputerClock {
    world: World,
    computer: usize,
}

impl ComputerClock {
    pub(crate) fn new(world: &World, computer: usize) -> Self {
        Self { world: world.clone(), computer }
    }
}

impl Clock for ComputerClock {
    fn now(&self) -> Timestamp {
        let micros = START + self.world.now() + self.world.clock_error(self.computer);
        Timestamp::from_micros(micros).unwrap()
    }
}

/// Sets clocks of computers to other times, by seconds or by a day, now and then.
pub(crate) async fn set_clocks(world: World) {
    while world.calm_since().is_none() {
        world.pause(world.below(5 * SECOND)).await;
        if !world.happens(|chaos| chaos.clock_jump) {
            continue;
        }
        let computer = usize::try_from(world.below(COMPUTERS)).unwrap();
        let most = [2, 20, 60, SECONDS_PER_DAY][usize::try_from(world.below(4)).unwrap()];
        let seconds = world.below(2 * most) - most;
        world.set_clock_error(computer, seconds * SECOND);
        world.trace(|| format!("the clock of computer {computer} is {seconds} s off"));
    }
}

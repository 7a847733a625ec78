//! Hints that something has changed. A hint can be lost, so whoever waits for one waits no longer than for an interval.

use std::sync::{Arc, Mutex};

use crate::world::World;

/// Wakes one process. Clones share the hint.
#[derive(Clone)]
pub(crate) struct Hint {
    world: World,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    is_given: bool,
    waiting: Option<usize>,
}

impl Hint {
    pub(crate) fn new(world: &World) -> Self {
        Self { world: world.clone(), state: Arc::default() }
    }

    /// Gives the hint, unless it is lost.
    pub(crate) fn give(&self) {
        if self.world.happens(|chaos| chaos.lost_hint) {
            self.world.trace(|| "a hint is lost".to_owned());
            return;
        }
        let mut state = self.state.lock().unwrap();
        state.is_given = true;
        if let Some(task) = state.waiting.take() {
            self.world.wake(task);
        }
    }

    /// Waits for the hint, or for the interval. Returns whether the hint was given.
    pub(crate) async fn wait(&self, interval: i64) -> bool {
        let is_given = {
            let mut state = self.state.lock().unwrap();
            state.waiting = Some(self.world.current_task());
            state.is_given
        };
        if !is_given {
            self.world.pause(interval).await;
        }
        let mut state = self.state.lock().unwrap();
        state.waiting = None;
        std::mem::take(&mut state.is_given)
    }
}

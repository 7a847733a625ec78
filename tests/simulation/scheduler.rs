//! The scheduler: polls one task after the other, in an order that the seed decides.

use std::task::{Context, Waker};

use crate::world::{Restart, SECOND, StartedTask, Task, World};

/// The longest time after which a crashed process starts anew.
const MAX_DOWNTIME: i64 = 5 * SECOND;

/// The longest time for which a process stands still. A lease does not last that long.
const MAX_STALL: i64 = 25 * SECOND;

/// Runs the tasks of a world.
pub(crate) struct Scheduler {
    world: World,
    tasks: Vec<ScheduledTask>,
}

struct ScheduledTask {
    id: usize,
    task: Task,
    process: Option<(String, Restart)>,
    runs_at: i64,
}

impl Scheduler {
    pub(crate) fn new(world: World) -> Self {
        Self { world, tasks: Vec::new() }
    }

    /// Runs until a time, or until a property is violated.
    pub(crate) fn run_until(&mut self, end: i64) {
        while self.world.violation().is_none() {
            self.take_changes();
            let Some(next) = self.tasks.iter().map(|task| task.runs_at).min() else { return };
            if next > end {
                self.world.set_now(end);
                return;
            }
            self.world.set_now(next.max(self.world.now()));
            self.poll_one();
        }
    }

    /// Takes over started tasks and ended pauses.
    fn take_changes(&mut self) {
        let now = self.world.now();
        for StartedTask { id, task, process } in self.world.take_started() {
            self.tasks.push(ScheduledTask { id, task, process, runs_at: now });
        }
        for woken in self.world.take_woken() {
            if let Some(task) = self.tasks.iter_mut().find(|task| task.id == woken) {
                task.runs_at = task.runs_at.min(now);
            }
        }
    }

    /// Polls one of the tasks whose pause is over, or lets it crash or stall.
    fn poll_one(&mut self) {
        let now = self.world.now();
        let ready = self.tasks.iter().enumerate().filter(|(_, task)| task.runs_at <= now).map(|(index, _)| index);
        let ready: Vec<_> = ready.collect();
        let index = ready[usize::try_from(self.world.below(i64::try_from(ready.len()).unwrap())).unwrap()];
        let world = &self.world;
        let task = &mut self.tasks[index];
        world.set_current_task(task.id);
        if let Some((name, restart)) = &task.process {
            if world.happens(|chaos| chaos.crash) {
                world.trace(|| format!("{name} crashes"));
                task.task = restart();
                task.runs_at = now + 1 + world.below(MAX_DOWNTIME);
                return;
            }
            if world.happens(|chaos| chaos.stall) {
                task.runs_at = now + 1 + world.below(MAX_STALL);
                world.trace(|| format!("{name} stands still until {}", seconds(task.runs_at)));
                return;
            }
        }
        if task.task.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
            self.tasks.swap_remove(index);
        } else {
            task.runs_at = world.paused_until();
        }
    }
}

fn seconds(micros: i64) -> String {
    format!("{}.{:03}", micros / SECOND, micros % SECOND / 1_000)
}

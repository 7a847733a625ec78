//! The world of one run: its time, its random choices, its network and its trace.

use std::{
    future::{Future, poll_fn},
    mem,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard},
    task::Poll,
};

use parlance_domain::error::{StoreError, StoreErrorKind};
use support::seeded_rng::SeededRng;

use crate::{chaos::Chaos, fault::Fault};

pub(crate) const MILLISECOND: i64 = 1_000;
pub(crate) const SECOND: i64 = 1_000 * MILLISECOND;

/// How long the caller of a store waits for an answer.
const STORE_TIMEOUT: i64 = 2 * SECOND;

pub(crate) type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Starts a process anew after a crash.
pub(crate) type Restart = Box<dyn Fn() -> Task + Send>;

/// A task that was started and that the scheduler has not seen yet.
pub(crate) struct StartedTask {
    pub(crate) id: usize,
    pub(crate) task: Task,
    /// The name of a process that can crash and stall, and how it starts anew.
    pub(crate) process: Option<(String, Restart)>,
}

/// The world of one run. Clones share it.
#[derive(Clone)]
pub(crate) struct World {
    fault: Option<Fault>,
    state: Arc<Mutex<State>>,
}

struct State {
    rng: SeededRng,
    chaos: Chaos,
    /// The time since which nothing goes wrong.
    calm_since: Option<i64>,
    /// Microseconds since the start of the run.
    now: i64,
    trace: Option<Vec<String>>,
    violation: Option<String>,
    started: Vec<StartedTask>,
    next_task: usize,
    current_task: usize,
    /// The time until which the current task pauses.
    paused_until: i64,
    woken: Vec<usize>,
    /// How far the clock of each computer is from the right time, in microseconds.
    clock_errors: Vec<i64>,
}

/// When a call takes effect and when its answer arrives.
struct Fate {
    effect_after: Option<i64>,
    answer_after: Option<i64>,
}

impl World {
    pub(crate) fn new(seed: u64, fault: Option<Fault>, traced: bool) -> Self {
        // Seeds that follow each other would begin with similar numbers.
        let mut rng = SeededRng::new(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        rng.below(1);
        let chaos = Chaos::draw(&mut rng);
        let state = State {
            rng,
            chaos,
            calm_since: None,
            now: 0,
            trace: traced.then(Vec::new),
            violation: None,
            started: Vec::new(),
            next_task: 0,
            current_task: 0,
            paused_until: 0,
            woken: Vec::new(),
            clock_errors: Vec::new(),
        };
        Self { fault, state: Arc::new(Mutex::new(state)) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Whether this run has the fault.
    pub(crate) fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    pub(crate) fn now(&self) -> i64 {
        self.state().now
    }

    pub(crate) fn set_now(&self, now: i64) {
        self.state().now = now;
    }

    /// A number in `0..bound`. The generator gives 31 bits.
    pub(crate) fn below(&self, bound: i64) -> i64 {
        assert!(bound <= i64::from(i32::MAX), "{bound} is too large");
        let bound = usize::try_from(bound).unwrap();
        i64::try_from(self.state().rng.below(bound)).unwrap()
    }

    /// Whether something happens that is due at a rate of the chaos.
    pub(crate) fn happens(&self, rate: impl Fn(&Chaos) -> usize) -> bool {
        let mut state = self.state();
        let permille = rate(&state.chaos);
        permille > 0 && state.rng.below(1_000) < permille
    }

    /// Nothing goes wrong from now on, and all clocks are right.
    pub(crate) fn end_chaos(&self) {
        self.trace(|| "the chaos ends".to_owned());
        let mut state = self.state();
        state.chaos = Chaos::NONE;
        state.calm_since = Some(state.now);
        state.clock_errors.fill(0);
    }

    /// The time since which nothing goes wrong any more.
    pub(crate) fn calm_since(&self) -> Option<i64> {
        self.state().calm_since
    }

    /// The error of a computer's clock, in microseconds.
    pub(crate) fn clock_error(&self, computer: usize) -> i64 {
        self.state().clock_errors.get(computer).copied().unwrap_or_default()
    }

    pub(crate) fn set_clock_error(&self, computer: usize, error: i64) {
        let mut state = self.state();
        if state.clock_errors.len() <= computer {
            state.clock_errors.resize(computer + 1, 0);
        }
        state.clock_errors[computer] = error;
    }

    /// Adds a line to the trace, if the run is traced.
    pub(crate) fn trace(&self, text: impl FnOnce() -> String) {
        let now = {
            let state = self.state();
            if state.trace.is_none() {
                return;
            }
            state.now
        };
        let line = format!("{:>4}.{:06} {}", now / SECOND, now % SECOND, text());
        if let Some(trace) = &mut self.state().trace {
            trace.push(line);
        }
    }

    /// A property does not hold. The run ends.
    pub(crate) fn violate(&self, text: String) {
        self.trace(|| format!("VIOLATION: {text}"));
        self.state().violation.get_or_insert(text);
    }

    pub(crate) fn violation(&self) -> Option<String> {
        self.state().violation.clone()
    }

    pub(crate) fn take_trace(&self) -> Vec<String> {
        self.state().trace.take().unwrap_or_default()
    }

    /// Starts a task that no crash ends.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.start(Box::pin(task), None);
    }

    /// Starts a process that can crash and stall. After a crash it begins anew.
    pub(crate) fn spawn_process<F>(&self, name: String, start: impl Fn() -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let restart: Restart = Box::new(move || Box::pin(start()));
        self.start(restart(), Some((name, restart)));
    }

    fn start(&self, task: Task, process: Option<(String, Restart)>) {
        let mut state = self.state();
        let id = state.next_task;
        state.next_task += 1;
        state.started.push(StartedTask { id, task, process });
    }

    pub(crate) fn take_started(&self) -> Vec<StartedTask> {
        mem::take(&mut self.state().started)
    }

    pub(crate) fn current_task(&self) -> usize {
        self.state().current_task
    }

    pub(crate) fn set_current_task(&self, id: usize) {
        let mut state = self.state();
        state.current_task = id;
        state.paused_until = state.now;
    }

    /// The time until which the task that was polled last pauses.
    pub(crate) fn paused_until(&self) -> i64 {
        self.state().paused_until
    }

    /// Ends the pause of a task.
    pub(crate) fn wake(&self, task: usize) {
        self.state().woken.push(task);
    }

    pub(crate) fn take_woken(&self) -> Vec<usize> {
        mem::take(&mut self.state().woken)
    }

    /// Pauses the current task. Other tasks run meanwhile, even if the pause is zero.
    pub(crate) async fn pause(&self, micros: i64) {
        let mut has_paused = false;
        poll_fn(|_| {
            if mem::replace(&mut has_paused, true) {
                return Poll::Ready(());
            }
            let mut state = self.state();
            state.paused_until = state.now + micros;
            Poll::Pending
        })
        .await;
    }

    /// A step of a server: a millisecond at most, or seconds if the server is slow.
    pub(crate) async fn step(&self) {
        let most = if self.happens(|chaos| chaos.slow) { 3 * SECOND } else { MILLISECOND };
        self.pause(self.below(most)).await;
    }

    /// Calls a server. The effect takes place there whether or not the caller still runs or waits. `None` if the caller
    /// gets no answer within `timeout`, or is refused.
    pub(crate) async fn call<T: Send + 'static>(
        &self,
        timeout: i64,
        effect: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let Fate { effect_after, answer_after } = self.draw_fate(timeout);
        let answer = Arc::new(Mutex::new(None));
        if let Some(delay) = effect_after {
            let (world, answer) = (self.clone(), Arc::clone(&answer));
            self.spawn(async move {
                world.pause(delay).await;
                *answer.lock().unwrap() = Some(effect());
            });
        }
        self.pause(answer_after.unwrap_or(timeout)).await;
        answer_after?;
        loop {
            if let Some(answer) = answer.lock().unwrap().take() {
                return Some(answer);
            }
            self.pause(1).await;
        }
    }

    /// Calls a store.
    pub(crate) async fn call_store<T: Send + 'static>(
        &self,
        effect: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let answer = self.call(STORE_TIMEOUT, effect).await;
        answer.ok_or_else(|| StoreError::new(StoreErrorKind::Unavailable, "the simulated store gives no answer"))
    }

    fn draw_fate(&self, timeout: i64) -> Fate {
        let quick = self.below(MILLISECOND);
        if self.happens(|chaos| chaos.refused) {
            return Fate { effect_after: None, answer_after: None };
        }
        if self.happens(|chaos| chaos.lost_request) {
            return Fate { effect_after: None, answer_after: None };
        }
        if self.happens(|chaos| chaos.late_request) {
            return Fate { effect_after: Some(timeout + self.below(8 * SECOND)), answer_after: None };
        }
        if self.happens(|chaos| chaos.lost_answer) {
            return Fate { effect_after: Some(quick), answer_after: None };
        }
        let delay = if self.happens(|chaos| chaos.slow) { self.below(timeout / 2) } else { quick };
        Fate { effect_after: Some(delay), answer_after: Some(delay + 1 + self.below(MILLISECOND)) }
    }
}

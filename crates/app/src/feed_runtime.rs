//! The threads that export feeds. They serve no requests.

use std::time::Duration;

use anyhow::{Context, anyhow};
use tokio::{
    runtime::{Builder, Handle, Runtime},
    task::spawn_blocking,
};

/// The longest wait for calls of the operating system, such as a flush of a file, when the threads stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// A runtime of two threads, one for an export and one for the tasks that it spawns. Long computations between two
/// awaits then delay nothing else.
pub(crate) struct FeedRuntime {
    handle: Handle,
    /// None once the runtime stops.
    runtime: Option<Runtime>,
}

impl FeedRuntime {
    pub(crate) fn start() -> anyhow::Result<Self> {
        let runtime = Builder::new_multi_thread().worker_threads(2).thread_name("feeds").enable_all().build();
        let runtime = runtime.context("failed to start the threads that export feeds")?;
        Ok(Self { handle: runtime.handle().clone(), runtime: Some(runtime) })
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Ends every task at its next await, and waits until the threads have ended.
    pub(crate) async fn stop(mut self) {
        let Some(runtime) = self.runtime.take() else { return };
        // The wait blocks its thread. The closure does not panic, so there is no failure to report.
        let _ = spawn_blocking(move || runtime.shutdown_timeout(STOP_TIMEOUT)).await;
    }
}

impl Drop for FeedRuntime {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Runs a task on threads of its own.
///
/// # Errors
/// The error of the task. It leaves out the message of a panic, because it may contain stored texts.
pub(crate) async fn run_on_own_threads<T: Send + 'static>(
    task: impl Future<Output = anyhow::Result<T>> + Send + 'static,
) -> anyhow::Result<T> {
    let runtime = FeedRuntime::start()?;
    let outcome = runtime.handle().spawn(task).await.unwrap_or_else(|_| Err(anyhow!("the task panicked")));
    runtime.stop().await;
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_in_the_work_becomes_an_error_without_its_message() {
        let failed = run_on_own_threads::<()>(async { panic!("not to be repeated") }).await.unwrap_err();
        assert_eq!(failed.to_string(), "the task panicked");
        assert_eq!(run_on_own_threads(async { Ok(7) }).await.unwrap(), 7);
    }
}

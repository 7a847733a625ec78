//! The tasks that a server runs beside its listener, and the order in which they stop.

use std::io;

use actix_web::rt::{spawn, task::JoinHandle};
use anyhow::anyhow;
use tokio::sync::watch;

use crate::listener::{Listener, ListenerHandle};

/// The running tasks. Dropping this value stops no task.
pub(crate) struct BackgroundTasks {
    /// Never end on their own.
    endless: Vec<BackgroundTask>,
    /// End after `stop` has become true.
    stoppable: Vec<BackgroundTask>,
    stop: watch::Sender<bool>,
    /// The listeners of metrics and health checks.
    side_listeners: Vec<(ListenerHandle, JoinHandle<io::Result<()>>)>,
}

struct BackgroundTask {
    /// The text of the error if the task panics.
    failure: &'static str,
    handle: JoinHandle<()>,
}

impl BackgroundTasks {
    pub(crate) fn new() -> Self {
        let (endless, stoppable, side_listeners) = (Vec::new(), Vec::new(), Vec::new());
        Self { endless, stoppable, stop: watch::channel(false).0, side_listeners }
    }

    /// Runs a task that never ends on its own. A stop ends it at its next await.
    pub(crate) fn run_endless(&mut self, failure: &'static str, task: impl Future<Output = ()> + 'static) {
        self.endless.push(BackgroundTask { failure, handle: spawn(task) });
    }

    /// Runs a task that ends after the value of the receiver has become true. A stop waits for its end.
    pub(crate) fn run_stoppable<F: Future<Output = ()> + 'static>(
        &mut self,
        failure: &'static str,
        task: impl FnOnce(watch::Receiver<bool>) -> F,
    ) {
        self.stoppable.push(BackgroundTask { failure, handle: spawn(task(self.stop.subscribe())) });
    }

    /// Runs a listener of metrics or health checks.
    pub(crate) fn run_listener(&mut self, listener: Listener) {
        self.side_listeners.push((listener.handle(), spawn(listener.run())));
    }

    /// Stops every task, also after a failure, and waits until each has ended. Running deliveries finish, and a running
    /// export of feeds is interrupted. The tasks that hold a lease release it.
    ///
    /// # Errors
    /// The first failure.
    pub(crate) async fn stop(self) -> anyhow::Result<()> {
        // Without a stoppable task, nothing receives the signal.
        let _ = self.stop.send(true);
        let mut outcome = Ok(());
        for BackgroundTask { failure, handle } in self.endless {
            outcome = outcome.and(cancel(handle, failure).await);
        }
        for BackgroundTask { failure, handle } in self.stoppable {
            outcome = outcome.and(join(handle, failure).await);
        }
        for (handle, listener) in self.side_listeners {
            handle.stop(false).await;
            let served = join(listener, "the metrics or health listener failed").await;
            outcome = outcome.and(served.and_then(|served| Ok(served?)));
        }
        outcome
    }
}

/// Ends a task at its next await, and waits until it has ended.
async fn cancel(task: JoinHandle<()>, failure: &'static str) -> anyhow::Result<()> {
    task.abort();
    match task.await {
        Err(error) if error.is_panic() => Err(anyhow!(failure)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Waits for the end of a task. The error leaves out the message of a panic, because it may contain data of a request.
async fn join<T>(task: JoinHandle<T>, failure: &'static str) -> anyhow::Result<T> {
    task.await.map_err(|_| anyhow!(failure))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::{
        future::pending,
        net::{TcpListener, TcpStream},
        sync::Arc,
        time::Duration,
    };

    use actix_web::{App, rt::task::yield_now};
    use parlance_adapters_http::{ConnectionLimits, ConnectionRegistry, GuardReplies};
    use tokio::sync::oneshot::{self, error::TryRecvError};

    use super::*;
    use crate::{
        listener::ListenerOptions,
        system::{SystemClock, UlidSource},
    };

    /// Limits without timeouts, for one connection.
    pub(crate) fn single_connection_limits() -> ConnectionLimits {
        ConnectionLimits {
            head_timeout: Duration::ZERO,
            idle_timeout: Duration::ZERO,
            body_timeout: Duration::ZERO,
            write_timeout: Duration::ZERO,
            min_write_rate: 0,
            max_connections: 1,
            max_per_address: None,
            max_per_credential: 1,
        }
    }

    fn listener() -> Listener {
        let replies = GuardReplies::new(Arc::new(UlidSource::default()), Arc::new(SystemClock));
        let connections = ConnectionRegistry::new(single_connection_limits(), replies);
        let options = ListenerOptions { connections, workers: 1, shutdown_timeout: Duration::ZERO, tls: None };
        Listener::bind("health_listen", ([127, 0, 0, 1], 0).into(), options, App::new).unwrap()
    }

    const FAILURE: &str = "the task failed";

    /// Tasks that do nothing.
    pub(crate) fn idle_tasks() -> BackgroundTasks {
        let mut tasks = BackgroundTasks::new();
        tasks.run_endless("the idle task failed", pending());
        tasks
    }

    async fn wait_until_ended(task: &BackgroundTask) {
        while !task.handle.is_finished() {
            yield_now().await;
        }
    }

    #[actix_web::test]
    async fn every_task_is_stopped_although_others_fail() {
        let mut tasks = BackgroundTasks::new();
        tasks.run_endless(FAILURE, async { panic!("not to be repeated") });
        wait_until_ended(&tasks.endless[0]).await;
        let (endless, mut endless_end) = oneshot::channel::<()>();
        tasks.run_endless("another task failed", async move {
            let _endless = endless;
            pending::<()>().await;
        });
        let (stoppable, mut stoppable_end) = oneshot::channel();
        tasks.run_stoppable("another task failed", async move |mut stop| {
            stop.wait_for(|stop| *stop).await.unwrap();
            stoppable.send(()).unwrap();
        });
        let (failed, running) = (listener(), listener());
        let address = running.address();
        tasks.side_listeners.push((failed.handle(), spawn(async { Err(io::Error::other("broken")) })));
        tasks.run_listener(running);
        drop(failed);
        assert!(TcpStream::connect(address).is_ok());

        let failure = tasks.stop().await.unwrap_err();
        assert_eq!(format!("{failure:#}"), FAILURE);
        assert_eq!((endless_end.try_recv(), stoppable_end.try_recv()), (Err(TryRecvError::Closed), Ok(())));
        assert!(TcpListener::bind(address).is_ok());
    }

    #[actix_web::test]
    async fn stopping_returns_the_failure_of_any_task_and_succeeds_if_none_failed() {
        assert!(idle_tasks().stop().await.is_ok());
        let mut endless = idle_tasks();
        endless.run_endless(FAILURE, async { panic!("not to be repeated") });
        wait_until_ended(&endless.endless[1]).await;
        assert_eq!(endless.stop().await.unwrap_err().to_string(), FAILURE);
        let mut stoppable = idle_tasks();
        stoppable.run_stoppable(FAILURE, |_| async { panic!("not to be repeated") });
        assert_eq!(stoppable.stop().await.unwrap_err().to_string(), FAILURE);
        let mut listeners = idle_tasks();
        listeners.side_listeners.push((listener().handle(), spawn(async { Err(io::Error::other("broken")) })));
        assert_eq!(listeners.stop().await.unwrap_err().to_string(), "broken");
    }
}

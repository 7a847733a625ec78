//! Lines of the log on their way out: those that come within a moment leave together.
//!
//! A busy server logs as many lines as it answers requests, and to write each by itself costs it more than to make it.

use std::{
    io::{self, Write},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;

/// How long a line waits at most. As much of the log is lost where the process is killed.
const MOMENT: Duration = Duration::from_millis(10);

/// Bytes that may wait. Whoever brings more writes them.
const FULL: usize = 64 * 1024;

/// The way out. Warnings and errors leave at once, with all that came before them. Cloning shares it.
#[derive(Clone)]
pub(super) struct Lines(Arc<Shared>);

struct Shared {
    waiting: Mutex<Vec<u8>>,
    some_wait: Condvar,
    out: Mutex<Box<dyn Write + Send>>,
}

impl Lines {
    /// Lines that wait until [`Self::flush`], an urgent one or too many.
    pub(super) fn to(out: impl Write + Send + 'static) -> Self {
        let (waiting, some_wait, out) = (Mutex::default(), Condvar::new(), Mutex::new(Box::new(out) as _));
        Self(Arc::new(Shared { waiting, some_wait, out }))
    }

    /// Has a thread write what waits, a moment after it came, as long as the process lives.
    pub(super) fn keep_leaving(&self) -> io::Result<()> {
        let lines = self.clone();
        let leave = move || loop {
            lines.gather();
            lines.flush();
        };
        thread::Builder::new().name("log".to_owned()).spawn(leave).map(|_| ())
    }

    /// Writes all that waits.
    pub(super) fn flush(&self) {
        // Held while the lines are taken, so that later ones cannot overtake them.
        let mut out = lock(&self.0.out);
        let lines = std::mem::take(&mut *lock(&self.0.waiting));
        // There is nowhere to say that the log cannot be written.
        let _ = out.write_all(&lines).and_then(|()| out.flush());
    }

    /// Waits until some lines wait, and then for a moment.
    fn gather(&self) {
        let Shared { waiting, some_wait, .. } = &*self.0;
        let some = some_wait.wait_while(lock(waiting), |lines| lines.is_empty());
        let some = some.unwrap_or_else(PoisonError::into_inner);
        drop(some_wait.wait_timeout_while(some, MOMENT, |lines| !lines.is_empty()));
    }

    fn add(&self, line: &[u8], urgent: bool) {
        let mut waiting = lock(&self.0.waiting);
        let first = waiting.is_empty();
        waiting.extend_from_slice(line);
        let full = waiting.len() >= FULL;
        drop(waiting);
        if urgent || full {
            self.flush();
        } else if first {
            self.0.some_wait.notify_one();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes one line, whole.
pub(super) struct Line<'lines> {
    lines: &'lines Lines,
    urgent: bool,
}

impl Write for Line<'_> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.lines.add(line, self.urgent);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'lines> MakeWriter<'lines> for Lines {
    type Writer = Line<'lines>;

    fn make_writer(&'lines self) -> Self::Writer {
        Line { lines: self, urgent: true }
    }

    fn make_writer_for(&'lines self, event: &Metadata<'_>) -> Self::Writer {
        Line { lines: self, urgent: *event.level() <= Level::WARN }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Default)]
    struct Out(Arc<Mutex<Vec<String>>>);

    impl Write for Out {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            lock(&self.0).push(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Out {
        fn written(&self) -> Vec<String> {
            lock(&self.0).clone()
        }
    }

    #[test]
    fn lines_that_wait_leave_together_in_their_order() {
        let out = Out::default();
        let lines = Lines::to(out.clone());
        lines.add(b"one\n", false);
        lines.add(b"two\n", false);
        lines.flush();
        assert_eq!(out.written(), ["one\ntwo\n"]);
    }

    #[test]
    fn an_urgent_line_leaves_at_once_after_those_that_wait() {
        let out = Out::default();
        let lines = Lines::to(out.clone());
        lines.add(b"one\n", false);
        lines.add(b"failed\n", true);
        assert_eq!(out.written(), ["one\nfailed\n"]);
    }

    #[test]
    fn no_more_than_a_bound_waits() {
        let out = Out::default();
        let lines = Lines::to(out.clone());
        lines.add(&vec![b'a'; FULL - 1], false);
        let before = out.written().len();
        lines.add(b"b", false);
        assert_eq!((before, out.written().len()), (0, 1));
    }
}

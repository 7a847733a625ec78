//! A buffer of log lines. Lines that arrive within [`MAX_DELAY`] are written together.
//!
//! A busy server logs one line for each request. Writing a line by itself costs more than formatting it.

use std::{
    io::{self, Write},
    sync::{Arc, Condvar, Mutex},
    thread,
    time::Duration,
};

use parlance_domain::sync;
use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;

/// The longest time that a line stays in the buffer. If the process is killed, the lines of this time are lost.
const MAX_DELAY: Duration = Duration::from_millis(10);

/// Bytes at which the buffer is full. The thread that fills it writes it.
const MAX_BUFFERED_BYTES: usize = 64 * 1024;

/// Buffers log lines. A warning or an error is written at once, with every line before it. Clones share the buffer.
#[derive(Clone)]
pub(super) struct LogBuffer(Arc<Shared>);

struct Shared {
    buffer: Mutex<Vec<u8>>,
    not_empty: Condvar,
    out: Mutex<Box<dyn Write + Send>>,
}

impl LogBuffer {
    /// Creates a buffer that is written on [`Self::flush`], on an urgent line, and when it is full.
    pub(super) fn new(out: impl Write + Send + 'static) -> Self {
        let (buffer, not_empty, out) = (Mutex::default(), Condvar::new(), Mutex::new(Box::new(out) as _));
        Self(Arc::new(Shared { buffer, not_empty, out }))
    }

    /// Spawns a thread that writes buffered lines after [`MAX_DELAY`], for the lifetime of the process.
    pub(super) fn spawn_flusher(&self) -> io::Result<()> {
        let buffer = self.clone();
        let write_forever = move || loop {
            buffer.wait_for_lines();
            buffer.flush();
        };
        thread::Builder::new().name("log".to_owned()).spawn(write_forever).map(|_| ())
    }

    /// Writes all buffered lines.
    pub(super) fn flush(&self) {
        // Locked before the lines are taken, so that later lines cannot overtake them.
        let mut out = sync::lock(&self.0.out);
        let lines = std::mem::take(&mut *sync::lock(&self.0.buffer));
        // A failure to write the log cannot be reported anywhere.
        let _ = out.write_all(&lines).and_then(|()| out.flush());
    }

    /// Waits until the buffer has lines, and then for at most [`MAX_DELAY`], or until another thread has taken them.
    fn wait_for_lines(&self) {
        let Shared { buffer, not_empty, .. } = &*self.0;
        let filled = not_empty.wait_while(sync::lock(buffer), |lines| lines.is_empty());
        let filled = sync::ignore_poison(filled);
        drop(not_empty.wait_timeout_while(filled, MAX_DELAY, |lines| !lines.is_empty()));
    }

    fn add(&self, line: &[u8], is_urgent: bool) {
        let mut buffer = sync::lock(&self.0.buffer);
        let was_empty = buffer.is_empty();
        buffer.extend_from_slice(line);
        let is_full = buffer.len() >= MAX_BUFFERED_BYTES;
        drop(buffer);
        if is_urgent || is_full {
            self.flush();
        } else if was_empty {
            self.0.not_empty.notify_one();
        }
    }
}

/// Receives one whole line of the log.
pub(super) struct LineWriter<'lines> {
    buffer: &'lines LogBuffer,
    is_urgent: bool,
}

impl Write for LineWriter<'_> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.buffer.add(line, self.is_urgent);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'lines> MakeWriter<'lines> for LogBuffer {
    type Writer = LineWriter<'lines>;

    fn make_writer(&'lines self) -> Self::Writer {
        LineWriter { buffer: self, is_urgent: true }
    }

    fn make_writer_for(&'lines self, event: &Metadata<'_>) -> Self::Writer {
        LineWriter { buffer: self, is_urgent: *event.level() <= Level::WARN }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Default)]
    struct Output(Arc<Mutex<Vec<String>>>);

    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            sync::lock(&self.0).push(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Output {
        fn written(&self) -> Vec<String> {
            sync::lock(&self.0).clone()
        }
    }

    #[test]
    fn buffered_lines_are_written_together_and_in_order() {
        let out = Output::default();
        let buffer = LogBuffer::new(out.clone());
        buffer.add(b"one\n", false);
        buffer.add(b"two\n", false);
        buffer.flush();
        assert_eq!(out.written(), ["one\ntwo\n"]);
    }

    #[test]
    fn an_urgent_line_is_written_at_once_after_the_buffered_lines() {
        let out = Output::default();
        let buffer = LogBuffer::new(out.clone());
        buffer.add(b"one\n", false);
        buffer.add(b"failed\n", true);
        assert_eq!(out.written(), ["one\nfailed\n"]);
    }

    #[test]
    fn a_full_buffer_is_written() {
        let out = Output::default();
        let buffer = LogBuffer::new(out.clone());
        buffer.add(&vec![b'a'; MAX_BUFFERED_BYTES - 1], false);
        let writes_before = out.written().len();
        buffer.add(b"b", false);
        assert_eq!((writes_before, out.written().len()), (0, 1));
    }
}

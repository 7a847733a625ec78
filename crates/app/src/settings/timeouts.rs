//! The settings of timeouts.

use std::time::Duration;

use super::{
    reader::Reader,
    values::{read_milliseconds, read_timeout},
};

/// Timeouts of requests and connections.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// Time for the whole head of a request to arrive.
    pub header: Duration,
    /// Time for the whole body of a request to arrive.
    pub body: Duration,
    /// Time until the answer begins.
    pub request: Duration,
    /// Time for the next request on a connection to arrive.
    pub idle: Duration,
}

impl Reader<'_> {
    pub(super) fn timeouts(&mut self) -> Option<Timeouts> {
        let header = self.read("header_timeout_seconds", read_timeout);
        let body = self.read("body_timeout_seconds", read_timeout);
        let request = self.read("request_timeout_ms", read_milliseconds);
        let idle = self.read("idle_timeout_seconds", read_timeout);
        Some(Timeouts { header: header?, body: body?, request: request?, idle: idle? })
    }
}

//! A connection whose bytes the test writes itself, for what no client library would send.

use std::{
    io::{ErrorKind, Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    time::Duration,
};

/// How long a test waits for what must happen.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A connection to a server.
pub struct RawConnection(TcpStream);

impl RawConnection {
    /// Connects.
    #[must_use]
    pub fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Self(stream)
    }

    /// Sends bytes, as far as the server takes them.
    ///
    /// Returns whether it took all of them.
    pub fn send(&mut self, bytes: &[u8]) -> bool {
        self.0.write_all(bytes).is_ok()
    }

    /// Says that nothing more will be sent.
    pub fn finish(&self) {
        self.0.shutdown(Shutdown::Write).unwrap();
    }

    /// Reads until the end of the next head, and its body where that has a length.
    pub fn answer(&mut self) -> String {
        let mut bytes = Vec::new();
        let mut byte = [0];
        while !bytes.ends_with(b"\r\n\r\n") {
            self.0.read_exact(&mut byte).unwrap();
            bytes.push(byte[0]);
        }
        let head = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).unwrap();
        bytes.extend(body);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Waits for the first byte of an answer.
    pub fn first_byte(&mut self) {
        self.0.read_exact(&mut [0]).unwrap();
    }

    /// Reads until the server closes the connection, in order or not.
    pub fn rest(&mut self) -> String {
        let mut bytes = Vec::new();
        let mut piece = vec![0; 65_536];
        loop {
            match self.0.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => bytes.extend_from_slice(&piece[..count]),
                Err(error) => {
                    let open = [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind());
                    assert!(!open, "the server leaves the connection open");
                    break;
                }
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

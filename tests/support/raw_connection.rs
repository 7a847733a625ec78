//! A raw TCP connection, for requests that no HTTP client library sends.

use std::{
    io::{ErrorKind, Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    time::Duration,
};

/// The time limit for anything that a test waits for.
pub const IO_TIMEOUT: Duration = Duration::from_secs(20);

/// A connection to a server.
pub struct RawConnection(TcpStream);

impl RawConnection {
    /// Connects to the server.
    #[must_use]
    pub fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(IO_TIMEOUT)).unwrap();
        stream.set_write_timeout(Some(IO_TIMEOUT)).unwrap();
        Self(stream)
    }

    /// Sends bytes. Returns `false` if the server stopped reading before the end.
    pub fn send(&mut self, bytes: &[u8]) -> bool {
        self.0.write_all(bytes).is_ok()
    }

    /// Closes the sending direction.
    pub fn close_write(&self) {
        self.0.shutdown(Shutdown::Write).unwrap();
    }

    /// Reads the next head, and its body if the head has a `content-length`.
    pub fn read_response(&mut self) -> String {
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

    /// Waits for the first byte of a response.
    pub fn read_first_byte(&mut self) {
        self.0.read_exact(&mut [0]).unwrap();
    }

    /// Reads until the server closes or resets the connection.
    pub fn read_to_end(&mut self) -> String {
        let mut bytes = Vec::new();
        let mut buffer = vec![0; 65_536];
        loop {
            match self.0.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => bytes.extend_from_slice(&buffer[..count]),
                Err(error) => {
                    let is_open = [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind());
                    assert!(!is_open, "the server did not close the connection");
                    break;
                }
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

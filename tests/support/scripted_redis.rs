//! A Redis server with a behavior that the test sets, to produce the failures of a real server.

use std::{
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard},
    thread,
};

use parlance_domain::sync;

/// The behavior of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerBehavior {
    /// Works: every rate limit script admits the request, with [`REMAINING`].
    Works,
    /// Responds to every command with this error.
    RefusesCommands(&'static str),
    /// Sends this error on every new connection, and closes the connection.
    RefusesConnections(&'static str),
    /// Never responds.
    IsSilent,
}

/// The remaining requests in its responses. No other limiter returns this number.
pub const REMAINING: u32 = 77_777;

/// A server on its own port. It runs until the test process ends.
#[derive(Debug, Clone)]
pub struct ScriptedRedis {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    behavior: ServerBehavior,
    connections: Vec<TcpStream>,
}

impl ScriptedRedis {
    /// Starts a server that works.
    #[must_use]
    pub fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let state = Arc::new(Mutex::new(State { behavior: ServerBehavior::Works, connections: Vec::new() }));
        let redis = Self { address: listener.local_addr().unwrap(), state };
        let server = redis.clone();
        thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                let server = server.clone();
                thread::spawn(move || server.serve(connection));
            }
        });
        redis
    }

    /// The URL of the server, with a password and a database number.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://:hush@{}/3", self.address)
    }

    /// Sets the behavior, and closes every connection.
    pub fn restart_with(&self, behavior: ServerBehavior) {
        let mut state = self.state();
        state.behavior = behavior;
        for connection in state.connections.drain(..) {
            // The connection may be closed already.
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        sync::lock(&self.state)
    }

    fn serve(&self, mut connection: TcpStream) {
        let behavior = {
            let mut state = self.state();
            state.connections.push(connection.try_clone().unwrap());
            state.behavior
        };
        if let ServerBehavior::RefusesConnections(error) = behavior {
            // The client may have disconnected.
            let _ = write!(connection, "-{error}\r\n");
            let _ = connection.shutdown(Shutdown::Both);
            return;
        }
        let mut commands = BufReader::new(connection.try_clone().unwrap());
        while let Some(command) = read_command(&mut commands) {
            let response = match behavior {
                ServerBehavior::IsSilent => continue,
                ServerBehavior::RefusesCommands(error) => format!("-{error}\r\n"),
                ServerBehavior::Works | ServerBehavior::RefusesConnections(_) => respond(&command),
            };
            if connection.write_all(response.as_bytes()).is_err() {
                return;
            }
        }
    }
}

fn respond(command: &str) -> String {
    match command {
        "EVALSHA" | "EVAL" => format!("*2\r\n:{REMAINING}\r\n:0\r\n"),
        "PING" => "+PONG\r\n".to_owned(),
        _ => "+OK\r\n".to_owned(),
    }
}

/// Reads the next command, an array of texts with their lengths, and returns its name; `None` at the end of the input.
fn read_command(commands: &mut impl BufRead) -> Option<String> {
    let parts = read_number(commands, '*')?;
    let mut name = None;
    for _ in 0..parts {
        let length = read_number(commands, '$')?;
        let mut part = vec![0; length + 2];
        commands.read_exact(&mut part).ok()?;
        let text = String::from_utf8_lossy(part.get(..length)?).to_uppercase();
        name.get_or_insert(text);
    }
    name
}

fn read_number(commands: &mut impl BufRead, mark: char) -> Option<usize> {
    let mut line = String::new();
    commands.read_line(&mut line).ok()?;
    line.trim_end().strip_prefix(mark)?.parse().ok()
}

//! A Redis that answers as a test tells it to: the failures of a real one, when the test wants them.

use std::{
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

/// How a scripted Redis answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// As one that works: every script admits, and says so in its own words.
    Works,
    /// Every command with this error.
    RefusesCommands(&'static str),
    /// Every new connection with this error, and closes it.
    RefusesConnections(&'static str),
    /// Nothing at all.
    IsSilent,
}

/// How many more requests it says would be admitted, which no other limiter says.
pub const REMAINING: u32 = 77_777;

/// A server on a port of its own, until the test process ends.
#[derive(Debug, Clone)]
pub struct ScriptedRedis {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    script: Script,
    connections: Vec<TcpStream>,
}

impl ScriptedRedis {
    /// One that works.
    #[must_use]
    pub fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let state = Arc::new(Mutex::new(State { script: Script::Works, connections: Vec::new() }));
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

    /// Its address, with a password and the number of a database.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://:hush@{}/3", self.address)
    }

    /// Answers by this script from now on, and cuts every connection.
    pub fn restart_as(&self, script: Script) {
        let mut state = self.state();
        state.script = script;
        for connection in state.connections.drain(..) {
            // It may be closed already.
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, mut connection: TcpStream) {
        let script = {
            let mut state = self.state();
            state.connections.push(connection.try_clone().unwrap());
            state.script
        };
        if let Script::RefusesConnections(error) = script {
            // The client may be gone.
            let _ = write!(connection, "-{error}\r\n");
            let _ = connection.shutdown(Shutdown::Both);
            return;
        }
        let mut commands = BufReader::new(connection.try_clone().unwrap());
        while let Some(command) = read_command(&mut commands) {
            let answer = match script {
                Script::IsSilent => continue,
                Script::RefusesCommands(error) => format!("-{error}\r\n"),
                Script::Works | Script::RefusesConnections(_) => answer(&command),
            };
            if connection.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    }
}

fn answer(command: &str) -> String {
    match command {
        "EVALSHA" | "EVAL" => format!("*2\r\n:{REMAINING}\r\n:0\r\n"),
        "PING" => "+PONG\r\n".to_owned(),
        _ => "+OK\r\n".to_owned(),
    }
}

/// The name of the next command, an array of texts each with its length; none at the end of the connection.
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

//! A stub of a Presidio Analyzer, which finds one name and can fail in every way.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Barrier, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde_json::{Value, json};

/// How the stub answers `POST /analyze`.
#[derive(Clone)]
pub enum Behaviour {
    /// With each "Zoe" in the text as a name.
    Find,
    /// Like [`Find`](Self::Find), once as many requests are in flight as the barrier waits for.
    FindTogether(Arc<Barrier>),
    /// With this status and this body.
    Respond(u16, String),
    /// With bytes that are no HTTP.
    Garbage,
    /// Not at all, while the connection stays open.
    Hang,
    /// Not at all, and closes the connection.
    Close,
}

struct State {
    behaviour: Mutex<Behaviour>,
    bodies: Mutex<Vec<Value>>,
    in_flight: AtomicUsize,
    most_in_flight: AtomicUsize,
    hanging: Mutex<Vec<TcpStream>>,
}

/// A listening stub. It answers `GET /health` with success as long as it finds names. Its thread ends with the process.
pub struct Analyzer {
    address: SocketAddr,
    state: Arc<State>,
}

impl Analyzer {
    /// Starts a stub on a free port.
    #[must_use]
    pub fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State {
            behaviour: Mutex::new(Behaviour::Find),
            bodies: Mutex::default(),
            in_flight: AtomicUsize::default(),
            most_in_flight: AtomicUsize::default(),
            hanging: Mutex::default(),
        });
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let state = Arc::clone(&shared);
                thread::spawn(move || serve(stream, &state));
            }
        });
        Self { address, state }
    }

    /// The URL of the stub.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sets how all following requests are answered.
    pub fn set(&self, behaviour: Behaviour) {
        *self.state.behaviour.lock().unwrap() = behaviour;
    }

    /// The bodies of all requests to `/analyze`, in the order of their arrival.
    #[must_use]
    pub fn bodies(&self) -> Vec<Value> {
        self.state.bodies.lock().unwrap().clone()
    }

    /// The largest number of requests that were in flight at the same time.
    #[must_use]
    pub fn most_in_flight(&self) -> usize {
        self.state.most_in_flight.load(Ordering::SeqCst)
    }
}

/// Answers one request, and closes the connection.
fn serve(mut stream: TcpStream, state: &State) {
    let Some((line, body)) = read_request(&stream) else { return };
    let behaviour = state.behaviour.lock().unwrap().clone();
    if line.starts_with("GET /health ") {
        let status = if matches!(behaviour, Behaviour::Find | Behaviour::FindTogether(_)) { 200 } else { 500 };
        return answer(&mut stream, status, "\"up\"");
    }
    let body: Value = serde_json::from_slice(&body).unwrap();
    let found = findings(body["text"].as_str().unwrap());
    state.bodies.lock().unwrap().push(body);
    let in_flight = state.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
    state.most_in_flight.fetch_max(in_flight, Ordering::SeqCst);
    if let Behaviour::FindTogether(barrier) = &behaviour {
        barrier.wait();
    }
    state.in_flight.fetch_sub(1, Ordering::SeqCst);
    match behaviour {
        Behaviour::Find | Behaviour::FindTogether(_) => answer(&mut stream, 200, &found.to_string()),
        Behaviour::Respond(status, body) => answer(&mut stream, status, &body),
        Behaviour::Garbage => stream.write_all(b"220 ready\r\n\r\n").unwrap_or_default(),
        Behaviour::Hang => state.hanging.lock().unwrap().push(stream),
        Behaviour::Close => {}
    }
}

/// Each "Zoe" in a text, with offsets in characters.
fn findings(text: &str) -> Value {
    let starts = text.match_indices("Zoe").map(|(start, _)| text[..start].chars().count());
    starts.map(|start| json!({"entity_type": "PERSON", "start": start, "end": start + 3, "score": 0.85})).collect()
}

fn read_request(stream: &TcpStream) -> Option<(String, Vec<u8>)> {
    let mut reader = BufReader::new(stream);
    let (mut line, mut length) = (String::new(), 0);
    reader.read_line(&mut line).ok()?;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim().split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((line, body))
}

fn answer(stream: &mut TcpStream, status: u16, body: &str) {
    let head = format!("HTTP/1.1 {status} Status\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    // A client that has given up has closed the connection.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
}

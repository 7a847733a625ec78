//! A transcription component for tests: takes what is sent to it, and can be told to fail, to be gone and to come back.

use std::{net::SocketAddr, sync::Mutex, thread};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::StatusCode,
    rt::System,
    web::{self, Bytes, Data},
};

/// One request that arrived.
#[derive(Debug, Clone)]
pub struct Received {
    /// The method and the path.
    pub line: String,
    /// The headers, their names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// A component that listens. It is gone when it is dropped.
pub struct Receiver {
    address: SocketAddr,
    state: Data<State>,
    running: Option<(ServerHandle, thread::JoinHandle<()>)>,
}

struct State {
    received: Mutex<Vec<Received>>,
    answers: Mutex<(StatusCode, Option<String>)>,
}

impl Receiver {
    /// A component on a free port that takes everything.
    #[must_use]
    pub fn start() -> Self {
        let answers = Mutex::new((StatusCode::NO_CONTENT, None));
        let state = Data::new(State { received: Mutex::default(), answers });
        let (address, running) = listen(SocketAddr::from(([127, 0, 0, 1], 0)), &state);
        Self { address, state, running: Some(running) }
    }

    /// The address of a path there.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Everything that arrived, in order.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        self.state.received.lock().unwrap().clone()
    }

    /// Answers with this status from now on, and with this place to go to instead.
    pub fn answer(&self, status: u16, location: Option<&str>) {
        let status = StatusCode::from_u16(status).unwrap();
        *self.state.answers.lock().unwrap() = (status, location.map(str::to_owned));
    }

    /// Is gone: connections are refused.
    pub fn go_away(&mut self) {
        let Some((handle, thread)) = self.running.take() else { return };
        let stopping = thread::spawn(move || System::new().block_on(handle.stop(false)));
        let _ = (stopping.join(), thread.join());
    }

    /// Listens again where it did before.
    pub fn come_back(&mut self) {
        self.running = Some(listen(self.address, &self.state).1);
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.go_away();
    }
}

fn listen(address: SocketAddr, state: &Data<State>) -> (SocketAddr, (ServerHandle, thread::JoinHandle<()>)) {
    let (started, starts) = std::sync::mpsc::channel();
    let state = state.clone();
    let thread = thread::spawn(move || {
        System::new().block_on(async {
            let app = move || App::new().app_data(state.clone()).default_service(web::to(take));
            let server = HttpServer::new(app).workers(1).disable_signals().bind(address).unwrap();
            let address = server.addrs()[0];
            let server = server.run();
            started.send((address, server.handle())).unwrap();
            server.await.unwrap();
        });
    });
    let (address, handle) = starts.recv().unwrap();
    (address, (handle, thread))
}

async fn take(request: HttpRequest, body: Bytes, state: Data<State>) -> HttpResponse {
    let header = |(name, value): (&actix_web::http::header::HeaderName, &actix_web::http::header::HeaderValue)| {
        (name.as_str().to_owned(), value.to_str().unwrap_or_default().to_owned())
    };
    let received = Received {
        line: format!("{} {}", request.method(), request.path()),
        headers: request.headers().iter().map(header).collect(),
        body: body.to_vec(),
    };
    state.received.lock().unwrap().push(received);
    let (status, location) = state.answers.lock().unwrap().clone();
    let mut answer = HttpResponse::build(status);
    if let Some(location) = location {
        answer.insert_header(("location", location));
    }
    answer.finish()
}

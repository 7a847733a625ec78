//! A transcription component for tests. It records requests, and can return errors, stop and restart.

use std::{net::SocketAddr, sync::Mutex, thread};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::StatusCode,
    rt::System,
    web::{self, Bytes, Data},
};

/// A request that the component received.
#[derive(Debug, Clone)]
pub struct ReceivedRequest {
    /// The method and the path.
    pub line: String,
    /// The headers, their names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// A listening component. Dropping the value stops it.
pub struct Receiver {
    address: SocketAddr,
    state: Data<State>,
    running: Option<(ServerHandle, thread::JoinHandle<()>)>,
}

struct State {
    received: Mutex<Vec<ReceivedRequest>>,
    response: Mutex<(StatusCode, Option<String>)>,
}

impl Receiver {
    /// Starts a component on a free port. It accepts every request.
    #[must_use]
    pub fn start() -> Self {
        let response = Mutex::new((StatusCode::NO_CONTENT, None));
        let state = Data::new(State { received: Mutex::default(), response });
        let (address, running) = listen(SocketAddr::from(([127, 0, 0, 1], 0)), &state);
        Self { address, state, running: Some(running) }
    }

    /// The URL of a path of the component.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// All received requests, in order.
    #[must_use]
    pub fn received(&self) -> Vec<ReceivedRequest> {
        self.state.received.lock().unwrap().clone()
    }

    /// Sets the status and the `location` header of all following responses.
    pub fn set_response(&self, status: u16, location: Option<&str>) {
        let status = StatusCode::from_u16(status).unwrap();
        *self.state.response.lock().unwrap() = (status, location.map(str::to_owned));
    }

    /// Stops listening. Connections are refused.
    pub fn stop(&mut self) {
        let Some((handle, thread)) = self.running.take() else { return };
        let stopping = thread::spawn(move || System::new().block_on(handle.stop(false)));
        let _ = (stopping.join(), thread.join());
    }

    /// Listens again on the same address.
    pub fn restart(&mut self) {
        self.running = Some(listen(self.address, &self.state).1);
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.stop();
    }
}

fn listen(address: SocketAddr, state: &Data<State>) -> (SocketAddr, (ServerHandle, thread::JoinHandle<()>)) {
    let (sender, receiver) = std::sync::mpsc::channel();
    let state = state.clone();
    let thread = thread::spawn(move || {
        System::new().block_on(async {
            let app = move || App::new().app_data(state.clone()).default_service(web::to(receive));
            let server = HttpServer::new(app).workers(1).disable_signals().bind(address).unwrap();
            let address = server.addrs()[0];
            let server = server.run();
            sender.send((address, server.handle())).unwrap();
            server.await.unwrap();
        });
    });
    let (address, handle) = receiver.recv().unwrap();
    (address, (handle, thread))
}

async fn receive(request: HttpRequest, body: Bytes, state: Data<State>) -> HttpResponse {
    let header = |(name, value): (&actix_web::http::header::HeaderName, &actix_web::http::header::HeaderValue)| {
        (name.as_str().to_owned(), value.to_str().unwrap_or_default().to_owned())
    };
    let received = ReceivedRequest {
        line: format!("{} {}", request.method(), request.path()),
        headers: request.headers().iter().map(header).collect(),
        body: body.to_vec(),
    };
    state.received.lock().unwrap().push(received);
    let (status, location) = state.response.lock().unwrap().clone();
    let mut response = HttpResponse::build(status);
    if let Some(location) = location {
        response.insert_header(("location", location));
    }
    response.finish()
}

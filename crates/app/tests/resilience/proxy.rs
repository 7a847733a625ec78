//! A proxy before PostgreSQL that knows where messages of its protocol begin and end, and cuts a connection at one of them.

use std::{
    io::{BufReader, Read, Write},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

/// Which way a message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    ToServer,
    ToClient,
}

/// Where a connection is cut: before the message is passed on, when half of it was, or after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    Before,
    Amid,
    After,
}

/// A connection is cut at the message of this number, from one, of all that go one way on any connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut {
    pub(crate) direction: Direction,
    pub(crate) message: usize,
    pub(crate) moment: Moment,
}

#[derive(Default)]
struct Plan {
    /// None where no cut is due.
    cut: Option<Cut>,
    /// How many messages went to the server and to the client since the plan was made.
    seen: [usize; 2],
    /// Whether every connection is refused.
    refuses: bool,
    connections: Vec<TcpStream>,
}

/// A proxy on a port of its own, until the test process ends.
#[derive(Clone)]
pub(crate) struct PostgresProxy {
    port: u16,
    plan: Arc<Mutex<Plan>>,
}

impl PostgresProxy {
    /// A proxy before the server on this port.
    pub(crate) fn start(server: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let proxy = Self { port: listener.local_addr().unwrap().port(), plan: Arc::default() };
        let serving = proxy.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if !serving.admits(&client) {
                    continue;
                }
                let Ok(server) = TcpStream::connect((Ipv4Addr::LOCALHOST, server)) else { continue };
                serving.relay(Direction::ToServer, &client, &server);
                serving.relay(Direction::ToClient, &server, &client);
            }
        });
        proxy
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Counts messages from now on, and makes this cut, if any.
    pub(crate) fn plan(&self, cut: Option<Cut>) {
        let mut plan = self.locked();
        (plan.cut, plan.seen) = (cut, [0; 2]);
    }

    /// Ends every connection and refuses new ones, as a host that went down, or serves again.
    pub(crate) fn refuse(&self, refuses: bool) {
        let mut plan = self.locked();
        plan.refuses = refuses;
        for connection in plan.connections.drain(..) {
            // It may have ended already.
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    fn admits(&self, client: &TcpStream) -> bool {
        let mut plan = self.locked();
        if plan.refuses {
            // It may have ended already.
            let _ = client.shutdown(Shutdown::Both);
        } else {
            plan.connections.push(client.try_clone().unwrap());
        }
        !plan.refuses
    }

    /// How many messages went to the server and to the client, and whether no cut is due any more.
    pub(crate) fn seen(&self) -> ([usize; 2], bool) {
        let plan = self.locked();
        (plan.seen, plan.cut.is_none())
    }

    fn locked(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a message, and tells where it is to be cut, if it is.
    fn count(&self, direction: Direction) -> Option<Moment> {
        let mut plan = self.locked();
        let place = usize::from(direction == Direction::ToClient);
        plan.seen[place] += 1;
        let number = plan.seen[place];
        let cut = plan.cut.filter(|cut| cut.direction == direction && cut.message == number)?;
        plan.cut = None;
        Some(cut.moment)
    }

    fn relay(&self, direction: Direction, from: &TcpStream, to: &TcpStream) {
        let (proxy, from, to) = (self.clone(), from.try_clone().unwrap(), to.try_clone().unwrap());
        to.set_nodelay(true).unwrap();
        thread::spawn(move || {
            // Whatever ends one way of a connection ends both.
            let _ = proxy.relay_messages(direction, &from, &to);
            let _ = from.shutdown(Shutdown::Both);
            let _ = to.shutdown(Shutdown::Both);
        });
    }

    /// Passes messages on until the connection ends or is cut.
    fn relay_messages(&self, direction: Direction, from: &TcpStream, mut to: &TcpStream) -> std::io::Result<()> {
        let mut from = BufReader::new(from);
        // The first message of a client is the only one that has no type.
        let mut has_type = direction == Direction::ToClient;
        loop {
            let message = read_message(&mut from, has_type)?;
            has_type = true;
            match self.count(direction) {
                None => to.write_all(&message)?,
                Some(Moment::Before) => return Ok(()),
                Some(Moment::Amid) => return to.write_all(&message[..message.len() / 2]),
                Some(Moment::After) => return to.write_all(&message),
            }
        }
    }
}

/// The next message, whole: its type, its length, which counts itself, and its content.
fn read_message(from: &mut impl Read, has_type: bool) -> std::io::Result<Vec<u8>> {
    let head = if has_type { 5 } else { 4 };
    let mut message = vec![0; head];
    from.read_exact(&mut message)?;
    let length = u32::from_be_bytes(message[head - 4..].try_into().unwrap());
    let content = usize::try_from(length).unwrap() - 4;
    message.resize(head + content, 0);
    from.read_exact(&mut message[head..])?;
    Ok(message)
}

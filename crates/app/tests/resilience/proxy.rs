//! A proxy for PostgreSQL that reads whole protocol messages, and cuts a connection at a chosen message.

use std::{
    io::{BufReader, Read, Write},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard},
    thread,
};

use parlance_domain::sync;

/// The direction of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    ToServer,
    ToClient,
}

/// Where a connection is cut: before a message is forwarded, after half of the message, or after the whole message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CutPoint {
    Before,
    Within,
    After,
}

/// A cut at the n-th message in one direction, counted from one over all connections.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut {
    pub(crate) direction: Direction,
    pub(crate) message: usize,
    pub(crate) point: CutPoint,
}

#[derive(Default)]
struct Plan {
    /// The cut that is due, if any.
    cut: Option<Cut>,
    /// Numbers of messages to the server and to the client since [`PostgresProxy::schedule_cut`].
    message_counts: [usize; 2],
    /// Whether new connections are refused.
    is_refusing: bool,
    connections: Vec<TcpStream>,
}

/// A proxy on its own port. The proxy runs until the test process exits.
#[derive(Clone)]
pub(crate) struct PostgresProxy {
    port: u16,
    plan: Arc<Mutex<Plan>>,
}

impl PostgresProxy {
    /// Starts a proxy for the server on this port.
    pub(crate) fn start(server_port: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let proxy = Self { port: listener.local_addr().unwrap().port(), plan: Arc::default() };
        let acceptor = proxy.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if !acceptor.accepts(&client) {
                    continue;
                }
                let Ok(server) = TcpStream::connect((Ipv4Addr::LOCALHOST, server_port)) else { continue };
                acceptor.relay(Direction::ToServer, &client, &server);
                acceptor.relay(Direction::ToClient, &server, &client);
            }
        });
        proxy
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Resets the message counts, and replaces the cut that is due.
    pub(crate) fn schedule_cut(&self, cut: Option<Cut>) {
        let mut plan = self.lock();
        (plan.cut, plan.message_counts) = (cut, [0; 2]);
    }

    /// Ends every connection, and sets whether new connections are refused, as by a host that is down.
    pub(crate) fn set_refusing(&self, is_refusing: bool) {
        let mut plan = self.lock();
        plan.is_refusing = is_refusing;
        for connection in plan.connections.drain(..) {
            // The connection may have ended already.
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    fn accepts(&self, client: &TcpStream) -> bool {
        let mut plan = self.lock();
        if plan.is_refusing {
            // The connection may have ended already.
            let _ = client.shutdown(Shutdown::Both);
        } else {
            plan.connections.push(client.try_clone().unwrap());
        }
        !plan.is_refusing
    }

    /// Returns the numbers of messages to the server and to the client, and whether no cut is due.
    pub(crate) fn progress(&self) -> ([usize; 2], bool) {
        let plan = self.lock();
        (plan.message_counts, plan.cut.is_none())
    }

    fn lock(&self) -> MutexGuard<'_, Plan> {
        sync::lock(&self.plan)
    }

    /// Counts a message, and returns where to cut the connection if a cut is due at this message.
    fn count_message(&self, direction: Direction) -> Option<CutPoint> {
        let mut plan = self.lock();
        let index = usize::from(direction == Direction::ToClient);
        plan.message_counts[index] += 1;
        let number = plan.message_counts[index];
        let cut = plan.cut.filter(|cut| cut.direction == direction && cut.message == number)?;
        plan.cut = None;
        Some(cut.point)
    }

    fn relay(&self, direction: Direction, from: &TcpStream, to: &TcpStream) {
        let (proxy, from, to) = (self.clone(), from.try_clone().unwrap(), to.try_clone().unwrap());
        to.set_nodelay(true).unwrap();
        thread::spawn(move || {
            // The end of one direction ends both directions of a connection.
            let _ = proxy.relay_messages(direction, &from, &to);
            let _ = from.shutdown(Shutdown::Both);
            let _ = to.shutdown(Shutdown::Both);
        });
    }

    /// Forwards messages until the connection ends or is cut.
    fn relay_messages(&self, direction: Direction, from: &TcpStream, mut to: &TcpStream) -> std::io::Result<()> {
        let mut from = BufReader::new(from);
        // Only the first message of a client has no type byte.
        let mut has_type = direction == Direction::ToClient;
        loop {
            let message = read_message(&mut from, has_type)?;
            has_type = true;
            match self.count_message(direction) {
                None => to.write_all(&message)?,
                Some(CutPoint::Before) => return Ok(()),
                Some(CutPoint::Within) => return to.write_all(&message[..message.len() / 2]),
                Some(CutPoint::After) => return to.write_all(&message),
            }
        }
    }
}

/// Reads a whole message: its type byte if it has one, its length, which includes itself, and its content.
fn read_message(from: &mut impl Read, has_type: bool) -> std::io::Result<Vec<u8>> {
    let head_length = if has_type { 5 } else { 4 };
    let mut message = vec![0; head_length];
    from.read_exact(&mut message)?;
    let length = u32::from_be_bytes(message[head_length - 4..].try_into().unwrap());
    let content_length = usize::try_from(length).unwrap() - 4;
    message.resize(head_length + content_length, 0);
    from.read_exact(&mut message[head_length..])?;
    Ok(message)
}

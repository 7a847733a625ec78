//! What requests and answers tell the guard of their connection.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use actix_web::{HttpRequest, dev::ServiceRequest};
use parlance_domain::access::ApiId;

use super::{
    registry::ConnectionRegistry,
    state::{ConnectionState, Continue, Phase},
};

/// The connection of a request. Cloning shares it.
#[derive(Clone)]
pub struct ConnectionHandle(Rc<Inner>);

struct Inner {
    state: Arc<ConnectionState>,
    registry: ConnectionRegistry,
    credential: RefCell<Option<ApiId>>,
}

impl ConnectionHandle {
    pub(super) fn new(state: Arc<ConnectionState>, registry: ConnectionRegistry) -> Self {
        Self(Rc::new(Inner { state, registry, credential: RefCell::default() }))
    }

    /// The connection that a request came by; none where a test calls a handler itself.
    pub(crate) fn of(request: &HttpRequest) -> Option<&Self> {
        request.conn_data()
    }

    /// The connection that a request came by; none where a test calls a service itself.
    pub(crate) fn of_service(request: &ServiceRequest) -> Option<&Self> {
        Self::of(request.request())
    }

    /// Whether only health is answered on this connection.
    pub(crate) fn is_health_only(&self) -> bool {
        self.0.state.health_only
    }

    /// Whether the connection must end after the present answer.
    pub(crate) fn must_close(&self) -> bool {
        let Inner { state, registry, .. } = &*self.0;
        self.is_health_only() || state.is_body_incomplete() || state.cut().is_some() || registry.is_draining()
    }

    /// The application is done with the present answer. Its bytes may not be sent yet.
    pub(crate) fn finish_answer(&self) {
        let Inner { state, registry, .. } = &*self.0;
        state.set_interim(Continue::NotExpected);
        let next = if self.must_close() { Phase::Closing } else { Phase::Idle };
        state.enter(next, registry.now());
        if state.has_read_ahead() || next == Phase::Closing {
            state.wake();
        }
    }

    /// Lets the client send its body, where it waits to be told so.
    pub(crate) fn begin_body(&self) {
        let state = &self.0.state;
        if state.interim() == Continue::Expected {
            state.set_interim(Continue::Requested);
            state.wake();
        }
    }

    /// Counts the connection for this credential, whose request it carries.
    ///
    /// Returns whether the credential may have one more connection.
    pub(crate) fn attribute(&self, credential: &ApiId) -> bool {
        let Inner { state, registry, credential: present } = &*self.0;
        state.set_authenticated(true);
        if present.borrow().as_ref() == Some(credential) {
            return true;
        }
        let admitted = registry.attribute(state.id, credential);
        if admitted {
            present.replace(Some(credential.clone()));
        }
        admitted
    }
}

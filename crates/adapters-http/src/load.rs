//! How many requests are in flight, and what is said to one too many.

use std::{
    num::NonZero,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread::available_parallelism,
};

use actix_web::{
    Error, HttpMessage, HttpRequest, HttpResponse,
    body::{BodySize, BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
    web::Data,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::yield_now,
};

use crate::{
    authentication::Authenticated,
    connection::{ConnectionHandle, OutputBody, OutputOwner, OutputPermit, OutputPermits, OutputRefusal, STREAM_BYTES},
    problem::{ApiError, Detail, RefusalKind},
};

/// Whole conversations whose first pages are read and written out at once, for each processor: one waits for the database while
/// the other is written out. More would take memory and hold up others' short requests.
const LARGE_READS: usize = 2;

/// Counts the requests in flight, all workers together, against a bound. Cloning shares the count.
#[derive(Debug, Clone)]
pub struct Load {
    in_flight: Arc<AtomicUsize>,
    most: usize,
    large_reads: Arc<Semaphore>,
}

/// The right to be in flight, given back when it is dropped.
#[derive(Debug)]
struct Permit(Arc<AtomicUsize>);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Load {
    /// Lets at most this many requests be in flight.
    #[must_use]
    pub fn at_most(most: usize) -> Self {
        let processors = available_parallelism().map_or(1, NonZero::get);
        Self { in_flight: Arc::default(), most, large_reads: Arc::new(Semaphore::new(LARGE_READS * processors)) }
    }

    fn enter(&self) -> Option<Permit> {
        let admit = |in_flight: usize| (in_flight < self.most).then_some(in_flight + 1);
        let admitted = self.in_flight.fetch_update(Ordering::AcqRel, Ordering::Acquire, admit);
        admitted.ok().map(|_| Permit(Arc::clone(&self.in_flight)))
    }
}

/// Sends a request away at once where there are as many in flight as there may be. Whether the server lives and is
/// ready is told at any load.
pub async fn shed_load(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let load = request.app_data::<Data<Load>>().filter(|_| !request.path().starts_with("/health/"));
    let Some(load) = load else { return next.call(request).await.map(ServiceResponse::map_into_boxed_body) };
    let health_only = ConnectionHandle::of_service(&request).is_some_and(ConnectionHandle::is_health_only);
    let Some(permit) = load.enter().filter(|_| !health_only) else {
        return Ok(ApiError::refused(RefusalKind::Overloaded).answer(request));
    };
    request.extensions_mut().insert(permit);
    let response = next.call(request).await?.map_into_boxed_body();
    drop(response.request().extensions_mut().remove::<Permit>());
    Ok(response)
}

/// About how many bytes a stream holds while it waits for its reader, as an extension of its response.
pub(crate) struct StreamMemory(pub(crate) u64);

/// Counts an answer that may wait for its reader, apart from requests in flight.
///
/// # Errors
/// [`RefusalKind::TooManyAtOnce`] and [`RefusalKind::Overloaded`] where there are as many as there may be.
pub(crate) fn count_output(request: &HttpRequest, response: HttpResponse) -> Result<HttpResponse, ApiError> {
    if !OutputPermits::concerns(response.body().size()) {
        return Ok(response);
    }
    let bytes = match response.body().size() {
        BodySize::Sized(bytes) => bytes,
        BodySize::None | BodySize::Stream => {
            response.extensions().get::<StreamMemory>().map_or(STREAM_BYTES, |memory| memory.0.max(STREAM_BYTES))
        }
    };
    let permit = output_permit(request, bytes)?;
    Ok(match permit {
        None => response,
        Some(permit) => response.map_body(|_, body| OutputBody::around(body, permit)),
    })
}

/// The right of the request's answer to wait for its reader.
fn output_permit(request: &HttpRequest, bytes: u64) -> Result<Option<OutputPermit>, ApiError> {
    let Some(permits) = request.app_data::<Data<OutputPermits>>() else { return Ok(None) };
    let owner = request.extensions().get::<Authenticated>().map(|by| OutputOwner::Credential(by.id.clone()));
    let owner = owner.unwrap_or_else(|| OutputOwner::Address(request.peer_addr().map(|peer| peer.ip())));
    permits.acquire(owner, bytes).map(Some).map_err(|refusal| match refusal {
        OutputRefusal::InAll => ApiError::refused(RefusalKind::Overloaded),
        OutputRefusal::OfOwner => {
            let rule = "there are as many large answers and streams under way as you may have: read those first";
            ApiError::Refused(RefusalKind::TooManyAtOnce, vec![Detail::new("", "max_streams", rule)])
        }
    })
}

/// Waits for the turn of a request that reads the first page of a whole conversation. The turn is over when the permit is
/// dropped.
pub(crate) async fn large_read(request: &HttpRequest) -> Option<OwnedSemaphorePermit> {
    let load = request.app_data::<Data<Load>>()?;
    // It is never closed.
    let permit = Arc::clone(&load.large_reads).acquire_owned().await.ok();
    // So that requests that arrived meanwhile are served between two of them.
    yield_now().await;
    permit
}

/// Gives up the request's place in flight while it waits for its caller, as it does for a body that comes slowly.
pub(crate) fn step_aside(request: &HttpRequest) {
    drop(request.extensions_mut().remove::<Permit>());
}

/// Takes a place in flight again.
///
/// # Errors
/// [`RefusalKind::Overloaded`] where there is none.
pub(crate) fn step_back_in(request: &HttpRequest) -> Result<(), ApiError> {
    let Some(load) = request.app_data::<Data<Load>>() else { return Ok(()) };
    let permit = load.enter().ok_or_else(|| ApiError::refused(RefusalKind::Overloaded))?;
    request.extensions_mut().insert(permit);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_too_many_is_not_let_in_until_another_has_left() {
        let load = Load::at_most(2);
        let (first, second) = (load.enter(), load.enter());
        assert!(first.is_some() && second.is_some() && load.enter().is_none());
        drop(first);
        assert!(load.enter().is_some());
    }
}

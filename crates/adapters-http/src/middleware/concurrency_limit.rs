//! The limit on requests in flight, on concurrent large reads and on pending large responses.

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
    connection::{
        ConnectionHandle, MIN_STREAM_BYTES, OutputBody, OutputOwner, OutputPermit, OutputPermits, OutputRefusal,
    },
    errors::{
        api_error::{ApiError, RefusalKind},
        envelope::Detail,
    },
    middleware::authentication::AuthenticatedCaller,
};

/// Concurrent reads of whole conversations, up to and including the first page, per processor: one waits for the
/// database while the other is serialized. More of them would take memory and delay short requests.
const LARGE_READS_PER_PROCESSOR: usize = 2;

/// Limits the requests in flight of all workers together. Clones share the count.
#[derive(Debug, Clone)]
pub struct ConcurrencyLimit {
    in_flight: Arc<AtomicUsize>,
    max_in_flight: usize,
    large_reads: Arc<Semaphore>,
}

/// Counts one request as in flight until dropped.
#[derive(Debug)]
struct InFlightPermit(Arc<AtomicUsize>);

impl Drop for InFlightPermit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl ConcurrencyLimit {
    /// A limit of this many requests in flight.
    #[must_use]
    pub fn new(max_in_flight: usize) -> Self {
        let processors = available_parallelism().map_or(1, NonZero::get);
        Self {
            in_flight: Arc::default(),
            max_in_flight,
            large_reads: Arc::new(Semaphore::new(LARGE_READS_PER_PROCESSOR * processors)),
        }
    }

    fn try_acquire(&self) -> Option<InFlightPermit> {
        let increment = |in_flight: usize| (in_flight < self.max_in_flight).then_some(in_flight + 1);
        let admitted = self.in_flight.fetch_update(Ordering::AcqRel, Ordering::Acquire, increment);
        admitted.ok().map(|_| InFlightPermit(Arc::clone(&self.in_flight)))
    }
}

/// Middleware that refuses a request immediately if the limit on requests in flight is reached. The health paths are
/// served at any load.
pub async fn shed_load(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let limit = request.app_data::<Data<ConcurrencyLimit>>().filter(|_| !request.path().starts_with("/health/"));
    let Some(limit) = limit else { return next.call(request).await.map(ServiceResponse::map_into_boxed_body) };
    let health_only = ConnectionHandle::from_service_request(&request).is_some_and(ConnectionHandle::is_health_only);
    if health_only {
        let message = "the server, or the client address, has reached its connection limit: close some connections, or try again later";
        let refusal = ApiError::refused_at(RefusalKind::Overloaded, "part:server", "max_connections", &message);
        return Ok(refusal.into_service_response(request));
    }
    let Some(permit) = limit.try_acquire() else {
        return Ok(ApiError::refused(RefusalKind::Overloaded).into_service_response(request));
    };
    request.extensions_mut().insert(permit);
    let response = next.call(request).await?.map_into_boxed_body();
    drop(response.request().extensions_mut().remove::<InFlightPermit>());
    Ok(response)
}

/// The approximate memory of a stream that waits for its reader, in bytes: an extension of the response.
pub(crate) struct StreamMemory(pub(crate) u64);

/// Marks the response as a stream of events: an extension of the response. Such streams last, and the hub of events counts
/// them.
pub(crate) struct LiveStream;

/// Attaches an [`OutputPermit`] to a response that may wait for its reader. Such responses are counted separately from
/// requests in flight.
///
/// # Errors
/// [`RefusalKind::TooManyConcurrent`] if the owner has reached its limit, [`RefusalKind::Overloaded`] if the total
/// limit is reached.
pub(crate) fn attach_output_permit(request: &HttpRequest, response: HttpResponse) -> Result<HttpResponse, ApiError> {
    let is_live = response.extensions().contains::<LiveStream>();
    if is_live || !OutputPermits::requires_permit(response.body().size()) {
        return Ok(response);
    }
    let bytes = match response.body().size() {
        BodySize::Sized(bytes) => bytes,
        BodySize::None | BodySize::Stream => response
            .extensions()
            .get::<StreamMemory>()
            .map_or(MIN_STREAM_BYTES, |memory| memory.0.max(MIN_STREAM_BYTES)),
    };
    let permit = acquire_output_permit(request, bytes)?;
    Ok(match permit {
        None => response,
        Some(permit) => response.map_body(|_, body| OutputBody::boxed(body, permit)),
    })
}

/// The permit for the response to wait for its reader; `None` if the application has no [`OutputPermits`].
fn acquire_output_permit(request: &HttpRequest, bytes: u64) -> Result<Option<OutputPermit>, ApiError> {
    let Some(permits) = request.app_data::<Data<OutputPermits>>() else { return Ok(None) };
    let owner = request
        .extensions()
        .get::<AuthenticatedCaller>()
        .map(|authenticated| OutputOwner::Credential(authenticated.api_id.clone()));
    let owner = owner.unwrap_or_else(|| OutputOwner::Address(request.peer_addr().map(|peer| peer.ip())));
    permits.acquire(owner, bytes).map(Some).map_err(|refusal| match refusal {
        OutputRefusal::TotalLimit => ApiError::refused(RefusalKind::Overloaded),
        OutputRefusal::OwnerLimit => {
            let message = "the limit on unfinished large responses and streams is reached: read those first";
            ApiError::Refused(RefusalKind::TooManyConcurrent, vec![Detail::new("", "max_streams", message)])
        }
    })
}

/// Waits for a permit to read the first page of a whole conversation. `None` if the application has no
/// [`ConcurrencyLimit`].
pub(crate) async fn acquire_large_read_permit(request: &HttpRequest) -> Option<OwnedSemaphorePermit> {
    let limit = request.app_data::<Data<ConcurrencyLimit>>()?;
    // The semaphore is never closed.
    let permit = Arc::clone(&limit.large_reads).acquire_owned().await.ok();
    // Lets requests that arrived meanwhile run before this large read.
    yield_now().await;
    permit
}

/// Releases the in-flight permit of a request while the request waits for its caller, such as for a slow body.
pub(crate) fn release_permit(request: &HttpRequest) {
    drop(request.extensions_mut().remove::<InFlightPermit>());
}

/// Acquires an in-flight permit for the request again.
///
/// # Errors
/// [`RefusalKind::Overloaded`] if the limit is reached.
pub(crate) fn reacquire_permit(request: &HttpRequest) -> Result<(), ApiError> {
    let Some(limit) = request.app_data::<Data<ConcurrencyLimit>>() else { return Ok(()) };
    let permit = limit.try_acquire().ok_or_else(|| ApiError::refused(RefusalKind::Overloaded))?;
    request.extensions_mut().insert(permit);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_over_the_limit_is_refused_until_a_permit_is_released() {
        let limit = ConcurrencyLimit::new(2);
        let (first, second) = (limit.try_acquire(), limit.try_acquire());
        assert!(first.is_some() && second.is_some() && limit.try_acquire().is_none());
        drop(first);
        assert!(limit.try_acquire().is_some());
    }
}

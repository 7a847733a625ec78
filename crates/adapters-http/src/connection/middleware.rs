//! The middleware around everything else, which tells the guard when an answer is complete.

use actix_web::{
    Error,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::ConnectionType,
    middleware::Next,
};

use super::{
    handle::ConnectionHandle,
    output::{OutputPermits, PiecewiseBody},
};

/// Tells the connection when the answer to a request is complete, and ends it after the answer where it must end.
///
/// # Errors
/// Those of the service.
pub async fn connection_scope(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(connection) = ConnectionHandle::of_service(&request).cloned() else {
        return next.call(request).await.map(ServiceResponse::map_into_boxed_body);
    };
    let answered = next.call(request).await;
    let mut response = match answered {
        Ok(response) => response.map_into_boxed_body(),
        Err(error) => {
            connection.finish_answer();
            return Err(error);
        }
    };
    if connection.must_close() {
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    if OutputPermits::concerns(response.response().body().size()) {
        return Ok(response.map_body(|_, body| PiecewiseBody::around(body, connection)));
    }
    connection.finish_answer();
    Ok(response)
}

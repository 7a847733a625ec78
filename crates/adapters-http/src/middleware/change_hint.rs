//! Tells the hub of events after a write.

use actix_web::{
    HttpRequest,
    http::{Method, StatusCode},
    web::Data,
};

use crate::EventHub;

/// Wakes the hub if a request has probably changed something. The hub finds everything else by its polling.
pub(crate) fn hint_after(request: &HttpRequest, status: StatusCode) {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_read
        && status.is_success()
        && let Some(hub) = request.app_data::<Data<EventHub>>()
    {
        hub.hints().report_write();
    }
}

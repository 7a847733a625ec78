//! The Swagger UI pages, which show the OpenAPI description.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use actix_web::{HttpRequest, HttpResponse, http::header};
use parlance_domain::sync;
use utoipa_swagger_ui::Config;

use crate::{
    errors::api_error::{ApiError, RefusalKind},
    response::{security_headers::PAGE_SECURITY_HEADERS, static_content::StaticContent},
};

pub(crate) async fn redirect_to_swagger_ui() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/docs/")).finish()
}

/// A file of Swagger UI. The files are embedded in the program, so the page needs no other host.
pub(crate) async fn swagger_ui(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let file = request.match_info().get("file").unwrap_or_default();
    let file = if file.is_empty() { "index.html" } else { file };
    let mut response = swagger_ui_file(file)?.respond(&request);
    for (name, value) in PAGE_SECURITY_HEADERS {
        response.headers_mut().insert(header::HeaderName::from_static(name), header::HeaderValue::from_static(value));
    }
    Ok(response)
}

/// A file of Swagger UI, cached after its first request. The number of files is fixed, which bounds the cache.
fn swagger_ui_file(name: &str) -> Result<Arc<StaticContent>, ApiError> {
    static FILES: Mutex<BTreeMap<String, Arc<StaticContent>>> = Mutex::new(BTreeMap::new());
    let mut files = sync::lock(&FILES);
    if let Some(file) = files.get(name) {
        return Ok(Arc::clone(file));
    }
    let config = Arc::new(Config::from("/openapi.json"));
    let content = utoipa_swagger_ui::serve(name, config).map_err(|_| ApiError::InternalError)?;
    let content = content.ok_or_else(|| ApiError::refused(RefusalKind::UnknownRoute))?;
    let file = Arc::new(StaticContent::new(content.content_type, content.bytes.into_owned()));
    files.insert(name.to_owned(), Arc::clone(&file));
    Ok(file)
}

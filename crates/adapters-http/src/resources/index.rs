//! `GET /`: the name and version of the server, and links to its documentation.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, ContentType},
    web::Data,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{HttpSettings, extract::accept::preferred_index, response::security_headers::PAGE_SECURITY_HEADERS};

const NAME: &str = "Parlance";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What this server is.
#[derive(Serialize, ToSchema)]
pub(crate) struct IndexView {
    /// The name of the program.
    #[schema(value_type = String)]
    name: &'static str,
    /// Its version.
    #[schema(value_type = String)]
    version: &'static str,
    /// Where the interface is described for people.
    documentation: String,
    /// Where the interface is described for programs, as OpenAPI 3.1.
    openapi: String,
    /// Where the server says whether it can do its work.
    health: String,
}

/// What this server is
///
/// JSON, or for a browser a page with the same links.
#[utoipa::path(
    get,
    path = "/",
    tag = "description",
    operation_id = "getIndex",
    responses((status = 200, description = "The name, the version and where to read on", content(
        (IndexView = "application/json"), (String = "text/html"))))
)]
pub(crate) async fn index(settings: Data<HttpSettings>, request: HttpRequest) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response.insert_header((header::VARY, "accept"));
    if preferred_index(&request, &["application/json", "text/html"]) != Some(1) {
        let address = |path| settings.url_for(path);
        let (documentation, openapi) = (address("/docs/"), address("/openapi.json"));
        let view = IndexView { name: NAME, version: VERSION, documentation, openapi, health: address("/health/ready") };
        return response.json(view);
    }
    for header in PAGE_SECURITY_HEADERS {
        response.insert_header(header);
    }
    response.content_type(ContentType::html()).body(page())
}

fn page() -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{NAME}</title>\n<h1>{NAME} {VERSION}</h1>\n\
         <p>Stores contact-centre conversations.</p>\n<ul>\n<li><a href=\"docs/\">Interface documentation</a></li>\n\
         <li><a href=\"openapi.json\">OpenAPI 3.1 description</a></li>\n\
         <li><a href=\"health/ready\">Readiness of the server</a></li>\n</ul>\n</html>\n"
    )
}

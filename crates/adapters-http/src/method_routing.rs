//! Routing of one path by HTTP method, with a 405 response to every other method.

use actix_web::{
    HttpResponse, Resource, Route,
    http::{Method, header},
    web,
};

use crate::errors::api_error::{ApiError, RefusalKind};

/// One path of the interface, with a handler for each of its methods. A handler for `GET` also handles `HEAD`.
pub(crate) struct Endpoint {
    pub(crate) path: &'static str,
    methods: Vec<(Method, Route)>,
}

impl Endpoint {
    pub(crate) fn new(path: &'static str) -> Self {
        Self { path, methods: Vec::new() }
    }

    pub(crate) fn get<F, Args>(self, handler: F) -> Self
    where
        F: actix_web::Handler<Args>,
        Args: actix_web::FromRequest + 'static,
        F::Output: actix_web::Responder + 'static,
    {
        self.method(Method::GET, web::get().to(handler.clone())).method(Method::HEAD, web::head().to(handler))
    }

    pub(crate) fn post<F, Args>(self, handler: F) -> Self
    where
        F: actix_web::Handler<Args>,
        Args: actix_web::FromRequest + 'static,
        F::Output: actix_web::Responder + 'static,
    {
        self.method(Method::POST, web::post().to(handler))
    }

    pub(crate) fn put<F, Args>(self, handler: F) -> Self
    where
        F: actix_web::Handler<Args>,
        Args: actix_web::FromRequest + 'static,
        F::Output: actix_web::Responder + 'static,
    {
        self.method(Method::PUT, web::put().to(handler))
    }

    pub(crate) fn delete<F, Args>(self, handler: F) -> Self
    where
        F: actix_web::Handler<Args>,
        Args: actix_web::FromRequest + 'static,
        F::Output: actix_web::Responder + 'static,
    {
        self.method(Method::DELETE, web::delete().to(handler))
    }

    pub(crate) fn patch<F, Args>(self, handler: F) -> Self
    where
        F: actix_web::Handler<Args>,
        Args: actix_web::FromRequest + 'static,
        F::Output: actix_web::Responder + 'static,
    {
        self.method(Method::PATCH, web::patch().to(handler))
    }

    fn method(mut self, method: Method, route: Route) -> Self {
        self.methods.push((method, route));
        self
    }

    pub(crate) fn methods(&self) -> Vec<Method> {
        self.methods.iter().map(|(method, _)| method.clone()).collect()
    }

    /// Converts the endpoint into an actix-web resource. Any other method gets a 405 that lists these.
    pub(crate) fn into_resource(self) -> Resource {
        let allow = self.methods().iter().map(Method::as_str).collect::<Vec<_>>().join(", ");
        let resource = web::resource(self.path);
        let resource = self.methods.into_iter().fold(resource, |resource, (_, route)| resource.route(route));
        resource.default_service(web::to(move || {
            let mut response = HttpResponse::from_error(ApiError::refused(RefusalKind::MethodNotAllowed));
            if let Ok(allow) = header::HeaderValue::from_str(&allow) {
                response.headers_mut().insert(header::ALLOW, allow);
            }
            std::future::ready(response)
        }))
    }
}

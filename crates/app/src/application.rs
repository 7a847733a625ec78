//! The actix-web applications that listeners serve: the whole interface, or health alone.

use std::sync::Arc;

use actix_web::{
    App, Error,
    body::BoxBody,
    dev::{ServiceFactory, ServiceRequest, ServiceResponse},
    middleware::{Condition, from_fn},
    web::{Data, ServiceConfig},
};
use anyhow::Context;
use parlance_adapters_http::{
    ConcurrencyLimit, DrainFlag, EventHub, HttpSettings, OutputPermits, RequestScope, RequestTimeouts, RequestTracer,
    Services, allow_origins, connection_scope, health_routes, routes, shed_load,
};

use crate::{metrics::Metrics, settings::Settings, wiring::Stores};

/// The shared state from which each worker thread builds its application.
#[derive(Clone)]
pub(crate) struct Application {
    services: Data<Services>,
    http: Data<HttpSettings>,
    /// Whether pages of other origins may read answers.
    allows_origins: bool,
    pub(crate) hub: EventHub,
    pub(crate) draining: DrainFlag,
    concurrency_limit: Data<ConcurrencyLimit>,
    outputs: Data<OutputPermits>,
    request_scope: RequestScope,
    /// The tracer of the whole interface. Health checks of their own address are not traced.
    tracer: Option<Arc<dyn RequestTracer>>,
}

impl Application {
    pub(crate) fn new(
        settings: &Settings,
        stores: &Stores,
        services: Services,
        metrics: &Metrics,
    ) -> anyhow::Result<Self> {
        let request_scope = RequestScope::new(Arc::clone(&stores.ids), Arc::clone(&stores.clock));
        Ok(Self {
            hub: EventHub::new(services.events.clone()),
            services: Data::new(services),
            http: Data::new(http_settings(settings)?),
            allows_origins: !settings.cors_origins.is_empty(),
            draining: DrainFlag::default(),
            concurrency_limit: Data::new(ConcurrencyLimit::new(settings.max_in_flight)),
            outputs: Data::new(OutputPermits::new(settings.connections.outputs)),
            tracer: stores.tracers.request_tracer(if settings.tls.is_some() { "https" } else { "http" }),
            request_scope: request_scope.with_observer(Arc::clone(&metrics.requests) as Arc<_>),
        })
    }

    /// Builds the application of the whole interface.
    pub(crate) fn interface(&self) -> App<impl AppFactory + use<>> {
        self.build_app(routes, self.request_scope.clone().with_tracer(self.tracer.clone()))
    }

    /// Builds the application that answers health alone.
    pub(crate) fn health(&self) -> App<impl AppFactory + use<>> {
        self.build_app(health_routes, self.request_scope.clone())
    }

    fn build_app(&self, routes: fn(&mut ServiceConfig), request_scope: RequestScope) -> App<impl AppFactory + use<>> {
        App::new()
            .app_data(self.services.clone())
            .app_data(self.http.clone())
            .app_data(Data::new(self.hub.clone()))
            .app_data(Data::new(self.draining.clone()))
            .app_data(self.concurrency_limit.clone())
            .app_data(self.outputs.clone())
            .wrap(from_fn(shed_load))
            .wrap(Condition::new(self.allows_origins, from_fn(allow_origins)))
            .wrap(request_scope)
            .wrap(from_fn(connection_scope))
            .configure(routes)
    }
}

/// The service factory of an actix-web application, including its middleware.
pub(crate) trait AppFactory:
    ServiceFactory<ServiceRequest, Config = (), Response = ServiceResponse<BoxBody>, Error = Error, InitError = ()>
{
}

impl<T> AppFactory for T where
    T: ServiceFactory<ServiceRequest, Config = (), Response = ServiceResponse<BoxBody>, Error = Error, InitError = ()>
{
}

fn http_settings(settings: &Settings) -> anyhow::Result<HttpSettings> {
    let http = HttpSettings::new(&settings.header_prefix, settings.max_body_bytes).context("header_prefix")?;
    let timeouts = RequestTimeouts { body: settings.timeouts.body, request: settings.timeouts.request };
    Ok(http
        .with_vocabulary_page_size(settings.vocabulary_page_size)
        .with_quota(settings.rate_limit)
        .with_timeouts(timeouts)
        .with_trusted_proxies(settings.trusted_proxies)
        .with_logged_client_address(settings.log_client_address)
        .with_public_url(&settings.public_url)
        .with_cors_origins(settings.cors_origins.clone()))
}

//! The applications that listeners serve: the interface, and health alone.

use std::sync::Arc;

use actix_web::{
    App, Error,
    body::BoxBody,
    dev::{ServiceFactory, ServiceRequest, ServiceResponse},
    middleware::from_fn,
    web::{Data, ServiceConfig},
};
use anyhow::Context;
use parlance_adapters_http::{
    Draining, HttpSettings, Load, OutputPermits, Patience, RequestScope, Services, connection_scope, health_routes,
    routes, shed_load,
};

use crate::{metrics::Metrics, service::Stores, settings::Settings};

/// What each thread that answers requests makes its application of.
#[derive(Clone)]
pub(crate) struct Application {
    services: Data<Services>,
    http: Data<HttpSettings>,
    pub(crate) draining: Draining,
    load: Data<Load>,
    outputs: Data<OutputPermits>,
    scope: RequestScope,
}

impl Application {
    pub(crate) fn new(
        settings: &Settings,
        stores: &Stores,
        services: Services,
        metrics: &Metrics,
    ) -> anyhow::Result<Self> {
        let scope = RequestScope::new(Arc::clone(&stores.ids), Arc::clone(&stores.clock));
        Ok(Self {
            services: Data::new(services),
            http: Data::new(http_settings(settings)?),
            draining: Draining::default(),
            load: Data::new(Load::at_most(settings.max_in_flight)),
            outputs: Data::new(OutputPermits::new(settings.connections.outputs)),
            scope: scope.observed_by(Arc::clone(&metrics.requests) as Arc<_>),
        })
    }

    /// The whole interface.
    pub(crate) fn interface(&self) -> App<impl AppFactory + use<>> {
        self.around(routes)
    }

    /// Health alone.
    pub(crate) fn health(&self) -> App<impl AppFactory + use<>> {
        self.around(health_routes)
    }

    fn around(&self, routes: fn(&mut ServiceConfig)) -> App<impl AppFactory + use<>> {
        App::new()
            .app_data(self.services.clone())
            .app_data(self.http.clone())
            .app_data(Data::new(self.draining.clone()))
            .app_data(self.load.clone())
            .app_data(self.outputs.clone())
            .wrap(from_fn(shed_load))
            .wrap(self.scope.clone())
            .wrap(from_fn(connection_scope))
            .configure(routes)
    }
}

/// What an application of actix-web is made of, with everything around it.
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
    let patience = Patience { body: settings.timeouts.body, request: settings.timeouts.request };
    Ok(http
        .with_vocabulary_page_size(settings.vocabulary_page_size)
        .with_quota(settings.rate_limit)
        .with_patience(patience)
        .with_trusted_proxies(settings.trusted_proxies)
        .with_logged_client_address(settings.log_client_address)
        .with_public_url(&settings.public_url))
}

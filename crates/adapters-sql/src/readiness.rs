//! Whether the database is in reach.

use async_trait::async_trait;
use parlance_domain::{error::StoreError, readiness::ReadinessProbe};
use sea_orm::ConnectionTrait;

use crate::{Database, error::call};

#[async_trait]
impl ReadinessProbe for Database {
    fn part(&self) -> &'static str {
        "database"
    }

    async fn check(&self) -> Result<(), StoreError> {
        call(self.writer().execute_unprepared("SELECT 1")).await.map(|_| ())
    }
}

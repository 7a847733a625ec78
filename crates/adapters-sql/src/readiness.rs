//! Whether the database is in reach.

use async_trait::async_trait;
use parlance_domain::{error::StoreError, readiness::ReadinessProbe};
use sea_orm::ConnectionTrait;

use crate::Database;

#[async_trait]
impl ReadinessProbe for Database {
    fn part(&self) -> &'static str {
        "database"
    }

    async fn check(&self) -> Result<(), StoreError> {
        self.read_from(self.writer(), |db| db.execute_unprepared("SELECT 1")).await.map(|_| ())
    }
}

//! The wiring of erasure, holds and retention, and of what refuses that erased conversations come back.

use std::sync::Arc;

use parlance_adapters_sql::{
    SqlCompactor, SqlConversations, SqlDeletedBytes, SqlErasures, SqlHolds, SqlPrivacyRequests, SqlRetention,
    SqlSubjects,
};
use parlance_domain::{
    conversation::{ConversationStore, Conversations, FieldRedaction},
    event::ChangeLog,
    id::IdSource,
    privacy::{
        ArchiveReader, Compaction, DeletedByteStore, DerivedData, ErasureStore, Erasures, Holds, IdentifierDigester,
        InvalidRequests, KnownUncoveredCopy, PrivacyRequestRunner, PrivacyRequestStore, PrivacyRequests, Retention,
        RetentionRuns, SubjectStore,
    },
};

use crate::{
    feed_rewriter::ServerFeedRewriter, keys::UnusableDigester, ledger::LedgeredErasures, metrics::FeedMetrics,
    operator, privacy_requests::PrivacyRequestTask, settings::Settings, wiring::Stores,
};

impl Stores {
    /// Builds the service of conversations on this store. With a master key, it refuses the identifiers of erased ones.
    pub(crate) fn conversations(&self, store: Arc<dyn ConversationStore>, fields: FieldRedaction) -> Conversations {
        let conversations = Conversations::new(store, fields, Arc::clone(&self.ids), Arc::clone(&self.clock));
        self.identifier_digester.iter().cloned().fold(conversations, Conversations::with_digester)
    }

    /// The store of erasures.
    pub(crate) fn erasure_store(&self) -> Arc<dyn ErasureStore> {
        Arc::new(SqlErasures::new(self.database.clone()))
    }

    /// Builds the service that erases conversations. If there is a ledger, it writes each erasure there.
    ///
    /// # Errors
    /// If `ledger_url` is not an address that can be opened, or is within the feeds.
    pub(crate) fn erasures(&self, settings: &Settings) -> anyhow::Result<Erasures> {
        let store = match self.ledger(settings)? {
            Some(ledger) => Arc::new(LedgeredErasures { store: self.erasure_store(), ledger }),
            None => self.erasure_store(),
        };
        Ok(self.erasures_in(store))
    }

    fn erasures_in(&self, store: Arc<dyn ErasureStore>) -> Erasures {
        let conversations = Arc::new(SqlConversations::new(self.database.clone()));
        Erasures::new(store, conversations, self.digester(), Arc::clone(&self.clock))
    }

    /// Builds the service of holds, whose identifiers are those of `ids`.
    pub(crate) fn holds(&self, ids: Arc<dyn IdSource>) -> Holds {
        let store = Arc::new(SqlHolds::new(self.database.clone()));
        Holds::new(store, self.digester(), ids, Arc::clone(&self.clock))
    }

    /// Builds the service of retention rules, whose metadata values these redactions mask.
    pub(crate) fn retention(&self, fields: FieldRedaction) -> Retention {
        let store = Arc::new(SqlRetention::new(self.database.clone()));
        Retention::new(store, fields, Arc::clone(&self.preview_authenticator), Arc::clone(&self.clock))
    }

    /// Builds the service that erases what no retention rule keeps. The task of the ledger writes these erasures there, many
    /// in one object.
    #[must_use]
    pub fn retention_runs(&self) -> RetentionRuns {
        let store = Arc::new(SqlRetention::new(self.database.clone()));
        RetentionRuns::new(store, self.erasure_store(), self.digester(), Arc::clone(&self.clock))
    }

    fn digester(&self) -> Arc<dyn IdentifierDigester> {
        self.identifier_digester.clone().unwrap_or_else(|| Arc::new(UnusableDigester::MissingKey))
    }

    /// What removes the bytes of deleted rows.
    pub(crate) fn deleted_byte_store(&self) -> Arc<dyn DeletedByteStore> {
        Arc::new(SqlDeletedBytes::new(self.database.clone()))
    }

    fn privacy_stores(&self) -> (Arc<dyn PrivacyRequestStore>, Arc<dyn SubjectStore>) {
        (Arc::new(SqlPrivacyRequests::new(self.database.clone())), Arc::new(SqlSubjects::new(self.database.clone())))
    }

    /// Builds the service that receives privacy requests, whose identifiers are those of `ids`.
    pub(crate) fn privacy_requests(&self, archives: ArchiveReader, ids: Arc<dyn IdSource>) -> PrivacyRequests {
        PrivacyRequests::new(self.privacy_stores(), archives, self.digester(), ids, Arc::clone(&self.clock))
    }

    /// Builds the service that ends privacy requests whose stored rows are invalid. Its audit records name the operator.
    pub(crate) fn invalid_requests(&self) -> InvalidRequests {
        let store = SqlPrivacyRequests::new(self.database.clone().with_operator(operator::current()));
        InvalidRequests::new(Arc::new(store), Arc::clone(&self.clock))
    }

    /// Builds the task that carries out privacy requests.
    ///
    /// # Errors
    /// If `ledger_url` is not an address that can be opened, or is within the feeds.
    pub(crate) fn privacy_request_task(
        &self,
        settings: &Settings,
        log: Arc<dyn ChangeLog>,
        metrics: FeedMetrics,
    ) -> anyhow::Result<PrivacyRequestTask> {
        let rewriter = Arc::new(self.feed_rewriter(settings, log, Some(metrics)));
        let runner = self.privacy_request_runner(settings, vec![Arc::clone(&rewriter) as Arc<_>])?;
        Ok(PrivacyRequestTask::new(runner, self.leases(), rewriter))
    }

    /// Builds what writes feeds again and removes them.
    pub(crate) fn feed_rewriter(
        &self,
        settings: &Settings,
        log: Arc<dyn ChangeLog>,
        metrics: Option<FeedMetrics>,
    ) -> ServerFeedRewriter {
        let feeds = &settings.feeds;
        let formats = feeds.export_minute.map(|_| feeds.formats.clone()).unwrap_or_default();
        ServerFeedRewriter::new((self.feed_production(settings), log), self.leases(), formats, metrics)
    }

    /// Builds the service that carries out privacy requests, and removes what was erased from everything in `derived`.
    ///
    /// # Errors
    /// If `ledger_url` is not an address that can be opened, or is within the feeds.
    pub(crate) fn privacy_request_runner(
        &self,
        settings: &Settings,
        derived: Vec<Arc<dyn DerivedData>>,
    ) -> anyhow::Result<PrivacyRequestRunner> {
        let (requests, subjects) = self.privacy_stores();
        let runner = PrivacyRequestRunner::new(
            (requests, subjects, self.deleted_byte_store()),
            // The runner itself writes to the ledger, many erasures in one object.
            self.erasures_in(self.erasure_store()),
            derived,
            (self.database.signer(), self.uncovered_copies(settings)),
            Arc::clone(&self.clock),
        );
        Ok(self.ledger(settings)?.into_iter().fold(runner, PrivacyRequestRunner::with_ledger))
    }

    /// Builds the service that compacts the database. Its audit records name the operator.
    pub(crate) fn compaction(&self) -> Compaction {
        let requests = SqlPrivacyRequests::new(self.database.clone().with_operator(operator::current()));
        let compactor = Arc::new(SqlCompactor::new(self.database.clone()));
        Compaction::new(compactor, Arc::new(requests), self.database.signer(), Arc::clone(&self.clock))
    }

    /// The copies that an erasure by this service does not reach.
    pub(crate) fn uncovered_copies(&self, settings: &Settings) -> Vec<KnownUncoveredCopy> {
        let is_bucket = !settings.feeds.url.reveal().starts_with("file:");
        let is_covered = |copy: &KnownUncoveredCopy| match copy {
            KnownUncoveredCopy::PostgresqlBytes
            | KnownUncoveredCopy::WalSegments
            | KnownUncoveredCopy::WalArchives
            | KnownUncoveredCopy::Standbys => !self.database.is_postgres(),
            KnownUncoveredCopy::BucketVersions => !is_bucket,
            KnownUncoveredCopy::FeedFiles => settings.feeds.export_minute.is_some(),
            KnownUncoveredCopy::ServerLogs
            | KnownUncoveredCopy::CollectedCopies
            | KnownUncoveredCopy::EarlierBackups => false,
            // A vocabulary holds nothing of a customer.
            KnownUncoveredCopy::DeliveredVocabularies => true,
        };
        KnownUncoveredCopy::ALL.into_iter().filter(|copy| !is_covered(copy)).collect()
    }
}

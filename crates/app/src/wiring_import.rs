//! The wiring of the service that imports files.

use std::sync::Arc;

use parlance_adapters_sql::{SqlConversations, SqlImports, SqlMessages, SqlRedaction, SqlTenantErasures};
use parlance_domain::{import::Import, message::Messages, redaction::ActiveEntityCache};

use crate::wiring::Stores;

impl Stores {
    /// Builds the service that imports conversations with their messages.
    pub(crate) fn import(&self) -> Import {
        let conversation_store = Arc::new(SqlConversations::new(self.database.clone()));
        let message_store = Arc::new(SqlMessages::new(self.database.clone()));
        let active =
            ActiveEntityCache::new(Arc::new(SqlRedaction::new(self.database.clone())), Arc::clone(&self.monotonic));
        let fields = self.redactions.fields(active.clone());
        let redaction = self.redactions.uncounted_messages(active);
        let (ids, clock) = (&self.ids, &self.clock);
        let store = Arc::clone(&conversation_store) as Arc<_>;
        let conversations = self.conversations(store, fields);
        let messages = Messages::new(message_store, conversation_store, redaction, Arc::clone(ids), Arc::clone(clock));
        let tenant_erasures = Arc::new(SqlTenantErasures::new(self.database.clone()));
        let erasures = (self.erasure_store(), tenant_erasures as Arc<_>);
        Import::new(Arc::new(SqlImports::new(self.database.clone())), erasures, conversations, messages)
    }
}

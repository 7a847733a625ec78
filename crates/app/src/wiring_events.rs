//! The wiring of the service that reads events.

use std::sync::Arc;

use parlance_adapters_sql::{
    SqlChangeLog, SqlConversations, SqlMessages, SqlRedaction, SqlStreamAddresses, SqlVocabularies,
};
use parlance_domain::{
    conversation::Conversations,
    event::{EventSources, Events, StreamAddresses},
    redaction::ActiveEntityCache,
};

use crate::{
    system::{RandomSecrets, Sha256Digester},
    wiring::Stores,
};

impl Stores {
    /// Builds the service that reads events.
    pub(crate) fn events(&self, active: ActiveEntityCache) -> Events {
        let sources = EventSources {
            conversations: Arc::new(SqlConversations::new(self.database.clone())),
            fields: self.redactions.fields(active.clone()),
            messages: Arc::new(SqlMessages::new(self.database.clone())),
            redaction: self.export_redaction(active),
            vocabularies: Arc::new(SqlVocabularies::new(self.database.clone())),
            entities: Arc::new(SqlRedaction::new(self.database.clone())),
        };
        Events::new(Arc::new(SqlChangeLog::new(self.database.clone())), sources, Arc::clone(&self.clock))
    }

    /// Builds the service that issues addresses of streams.
    pub(crate) fn stream_addresses(&self, conversations: Conversations) -> StreamAddresses {
        let store = Arc::new(SqlStreamAddresses::new(self.database.clone())) as Arc<_>;
        let secrets = (Arc::new(RandomSecrets) as Arc<_>, Arc::new(Sha256Digester) as Arc<_>);
        StreamAddresses::new((store, conversations), secrets, Arc::clone(&self.ids), Arc::clone(&self.clock))
    }
}

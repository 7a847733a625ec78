//! The rules of Parlance, without any technology: conversations, transcripts, what is masked in them, vocabularies, and
//! who may see them.
//!
//! Everything that the domain needs of the world is a trait in [`ports`]; an adapter implements it, a service takes
//! it. The services are [`conversation::Conversations`], [`conversation::Messages`], [`conversation::Transcripts`],
//! [`vocabulary::Vocabularies`], [`vocabulary::delivery::Deliveries`], [`vocabulary::delivery::Reconciler`],
//! [`redaction::RedactionEntities`], [`redaction::Compliance`], [`access::Gate`], [`access::Credentials`] and
//! [`audit::Audit`]. Each use case takes a [`access::Caller`] first and does nothing
//! without the permission it needs.
//!
//! There is no clock, no randomness and no I/O here, so the same calls on the same ports give the same answers.
//!
//! # Embedding
//! A service of your own brings its own ports:
//!
//! ```
//! use std::{collections::HashMap, sync::{Arc, Mutex}};
//! use parlance_domain::{access::*, conversation::*, error::StoreError, id::*, ports::*, retry::Claim, text::*, time::*};
//!
//! #[derive(Default)]
//! struct InMemory(Mutex<HashMap<(TenantId, ExternalId), Conversation>>);
//!
//! #[async_trait::async_trait]
//! impl ConversationStore for InMemory {
//!     async fn find(&self, tenant: &TenantId, id: &ConversationId) -> Result<Option<Conversation>, StoreError> {
//!         Ok(self.0.lock().unwrap().iter().find(|((t, _), c)| t == tenant && c.id == *id).map(|(_, c)| c.clone()))
//!     }
//!     async fn find_by_external_id(&self, t: &TenantId, e: &ExternalId) -> Result<Option<Conversation>, StoreError> {
//!         Ok(self.0.lock().unwrap().get(&(t.clone(), e.clone())).cloned())
//!     }
//!     async fn upsert(&self, t: &TenantId, upsert: &Upsert, _: Timestamp, _: Option<Claim>)
//!         -> Result<Upserted, StoreError> {
//!         let mut all = self.0.lock().unwrap();
//!         let known = all.entry((t.clone(), upsert.external_id.clone()));
//!         let known = known.and_modify(|known| upsert.change(known)).or_insert_with(|| upsert.creation());
//!         Ok(Upserted::Stored(known.id.clone()))
//!     }
//! }
//! struct Fixed;
//! impl Clock for Fixed { fn now(&self) -> Timestamp { Timestamp::parse("2026-01-31T09:30:00Z").unwrap() } }
//! impl IdSource for Fixed { fn next(&self, _: Timestamp) -> u128 { 1 } }
//!
//! let conversations = Conversations::new(Arc::new(InMemory::default()), Arc::new(Fixed), Arc::new(Fixed));
//! let caller = Caller::new(TenantId::parse("acme")?, Permissions::all());
//! let customer = Participant { external_id: ExternalId::parse("customer-7")?, name: None };
//! let request = UpsertRequest { id: None, external_id: ExternalId::parse("call-1")?, agent: Change::Keep, customer,
//!     metadata: Change::Keep, started_at: Fixed.now() };
//! let id = pollster::block_on(conversations.upsert(&caller, request))?;
//! assert_eq!(pollster::block_on(conversations.find(&caller, &id))?.external_id.as_str(), "call-1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod access;
pub mod audit;
pub mod conversation;
pub mod error;
pub mod feed;
pub mod file_mode;
pub mod id;
pub mod lease;
pub mod limits;
pub mod ports;
pub mod quoting;
pub mod readiness;
pub mod redaction;
pub mod retry;
pub mod signing;
pub mod text;
pub mod time;
pub mod vocabulary;

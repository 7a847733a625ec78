//! Custom vocabularies: the phrases that a tenant wants speech-to-text to recognize, and how they may sound.

mod collision;
mod common_words;
pub mod delivery;
mod error;
pub mod export;
mod model;
mod page;
mod store;
mod vocabularies;

pub use collision::{Collision, CollisionKind, EntryField, find_collisions};
pub use error::{CreateEntryError, EntryError};
pub use model::{Alternative, Capacity, Phrase, SoundsLike, VocabularyEntry};
pub use page::{Cursor, ListPage, Listed, PageSize, VocabularyPage};
pub use store::{InsertOutcome, RemoveOutcome, VocabularyStore};
pub use vocabularies::Vocabularies;

#[cfg(feature = "mocks")]
pub use store::MockVocabularyStore;

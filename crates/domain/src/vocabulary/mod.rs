//! Custom vocabularies: what a tenant wants speech-to-text to hear, and how it may sound.

mod collision;
mod common_words;
pub mod delivery;
pub mod export;
mod model;
mod page;
mod store;
mod vocabularies;

pub use collision::{Collision, CollisionKind, Place, collisions};
pub use model::{Alternative, Capacity, Phrase, SoundsLike, Vocabulary};
pub use page::{Cursor, PageSize, VocabularyPage};
pub use store::{Admission, Removal, VocabularyStore};
pub use vocabularies::Vocabularies;

#[cfg(feature = "mocks")]
pub use store::MockVocabularyStore;

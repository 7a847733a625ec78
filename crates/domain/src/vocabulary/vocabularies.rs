//! The use cases of vocabularies.

use std::sync::Arc;

use super::{
    Capacity, Collision, CreateEntryError, Cursor, EntryError, InsertOutcome, PageSize, Phrase, RemoveOutcome,
    SoundsLike, VocabularyEntry, VocabularyPage, VocabularyStore, find_collisions,
};
use crate::{
    access::{AuthorizedCaller, ReadConfiguration, WriteConfiguration},
    error::StoreError,
    id::{IdSource, VocabularyEntryId},
    idempotency::{Claim, KeyRefusal},
    time::Clock,
};

/// Creates, validates, lists, finds and removes the entries of a tenant's vocabulary.
#[derive(Clone)]
pub struct Vocabularies {
    store: Arc<dyn VocabularyStore>,
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
}

impl Vocabularies {
    /// Reads and writes `store`.
    #[must_use]
    pub fn new(store: Arc<dyn VocabularyStore>, ids: Arc<dyn IdSource>, clock: Arc<dyn Clock>) -> Self {
        Self { store, ids, clock }
    }

    /// Creates an entry (spec §4.7). The idempotency record of the claim is stored in the same step.
    ///
    /// # Errors
    /// [`CreateEntryError::PhraseTaken`]; [`CreateEntryError::Full`] if there are already [`Capacity::PER_TENANT`]
    /// entries; [`KeyRefusal::Taken`] if another request has used the key of the claim meanwhile;
    /// [`CreateEntryError::Store`].
    pub async fn create(
        &self,
        caller: &AuthorizedCaller<WriteConfiguration>,
        phrase: Phrase,
        sounds_like: SoundsLike,
        claim: Option<Claim>,
    ) -> Result<VocabularyEntry, CreateEntryError> {
        let tenant = caller.tenant();
        let created_at = self.clock.now();
        let id = VocabularyEntryId::from_bits(self.ids.next(created_at));
        let entry = VocabularyEntry { id, phrase, sounds_like, created_at };
        let record = claim.map(|claim| claim.into_record(vec![entry.id.to_string()]));
        match self.store.insert(tenant, &entry, Capacity::PER_TENANT, record.as_ref()).await? {
            InsertOutcome::Inserted => Ok(entry),
            InsertOutcome::Full => Err(CreateEntryError::Full(Capacity::PER_TENANT)),
            InsertOutcome::PhraseTaken => Err(CreateEntryError::PhraseTaken),
            InsertOutcome::KeyTaken => Err(KeyRefusal::Taken.into()),
        }
    }

    /// The page at `cursor`, or the first page, oldest entries first (spec §4.8).
    ///
    /// # Errors
    /// If the store fails.
    pub async fn list(
        &self,
        caller: &AuthorizedCaller<ReadConfiguration>,
        cursor: Option<&Cursor>,
        size: PageSize,
    ) -> Result<VocabularyPage, StoreError> {
        let tenant = caller.tenant();
        self.store.page(tenant, cursor, size).await
    }

    /// The entry with this id (spec §4.8).
    ///
    /// # Errors
    /// [`EntryError`].
    pub async fn find(
        &self,
        caller: &AuthorizedCaller<ReadConfiguration>,
        id: &VocabularyEntryId,
    ) -> Result<VocabularyEntry, EntryError> {
        let tenant = caller.tenant();
        self.store.find(tenant, id).await?.ok_or(EntryError::NotFound)
    }

    /// Finds the texts of a proposed entry that speech recognition could confuse with something else. Nothing is
    /// stored.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn validate(
        &self,
        caller: &AuthorizedCaller<ReadConfiguration>,
        phrase: &Phrase,
        sounds_like: &SoundsLike,
    ) -> Result<Vec<Collision>, StoreError> {
        Ok(find_collisions(phrase, sounds_like, &self.list_all(caller).await?))
    }

    /// Every entry, oldest first; at most [`Capacity::PER_TENANT`].
    ///
    /// # Errors
    /// If the store fails.
    pub async fn list_all(
        &self,
        caller: &AuthorizedCaller<ReadConfiguration>,
    ) -> Result<Vec<VocabularyEntry>, StoreError> {
        let tenant = caller.tenant();
        let mut entries = Vec::new();
        let mut page = self.store.page(tenant, None, PageSize::MAX).await?;
        loop {
            entries.append(&mut page.entries);
            let Some(next) = page.next else { break };
            page = self.store.page(tenant, Some(&next), PageSize::MAX).await?;
        }
        Ok(entries)
    }

    /// Removes the entry with this id (spec §4.8).
    ///
    /// # Errors
    /// [`EntryError`].
    pub async fn remove(
        &self,
        caller: &AuthorizedCaller<WriteConfiguration>,
        id: &VocabularyEntryId,
    ) -> Result<(), EntryError> {
        let tenant = caller.tenant();
        match self.store.remove(tenant, id, self.clock.now()).await? {
            RemoveOutcome::Removed => Ok(()),
            RemoveOutcome::NotFound => Err(EntryError::NotFound),
        }
    }
}

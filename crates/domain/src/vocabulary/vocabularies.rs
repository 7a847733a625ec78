//! The use cases of vocabularies.

use std::sync::Arc;

use super::{
    Admission, Capacity, Collision, Cursor, PageSize, Phrase, Removal, SoundsLike, Vocabulary, VocabularyPage,
    VocabularyStore, collisions,
};
use crate::{
    access::{Caller, Permission},
    error::{Conflict, Error, Resource},
    id::{IdSource, VocabularyId},
    retry::Claim,
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
    /// Works on this store.
    #[must_use]
    pub fn new(store: Arc<dyn VocabularyStore>, ids: Arc<dyn IdSource>, clock: Arc<dyn Clock>) -> Self {
        Self { store, ids, clock }
    }

    /// Creates an entry (spec §4.7).
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::WriteConfiguration`]; [`Error::Conflict`] where another entry has the
    /// phrase; [`Error::Full`] where there are [`Capacity::PER_TENANT`] entries already; [`Error::Store`].
    pub async fn create(&self, caller: &Caller, phrase: Phrase, sounds_like: SoundsLike) -> Result<Vocabulary, Error> {
        self.create_once(caller, phrase, sounds_like, None).await
    }

    /// Creates an entry as [`create`](Self::create) does, and stores the receipt of the request with it.
    ///
    /// # Errors
    /// As [`create`](Self::create); [`Error::Conflict`] where the key was used meanwhile.
    pub async fn create_once(
        &self,
        caller: &Caller,
        phrase: Phrase,
        sounds_like: SoundsLike,
        claim: Option<Claim>,
    ) -> Result<Vocabulary, Error> {
        let tenant = caller.permit(Permission::WriteConfiguration)?;
        let created_at = self.clock.now();
        let id = VocabularyId::from_bits(self.ids.next(created_at));
        let entry = Vocabulary { id, phrase, sounds_like, created_at };
        let receipt = claim.map(|claim| claim.receipt(vec![entry.id.to_string()]));
        match self.store.admit(tenant, &entry, Capacity::PER_TENANT, receipt.as_ref()).await? {
            Admission::Admitted => Ok(entry),
            Admission::Full => Err(Error::Full(Capacity::PER_TENANT)),
            Admission::PhraseTaken => Err(Error::Conflict(Conflict::PhraseTaken)),
            Admission::Repeated => Err(Error::Conflict(Conflict::KeyTaken)),
        }
    }

    /// One page of the vocabulary, oldest entries first: the one at `cursor`, or the first (spec §4.8).
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadConfiguration`]; [`Error::Store`].
    pub async fn list(
        &self,
        caller: &Caller,
        cursor: Option<&Cursor>,
        size: PageSize,
    ) -> Result<VocabularyPage, Error> {
        let tenant = caller.permit(Permission::ReadConfiguration)?;
        Ok(self.store.page(tenant, cursor, size).await?)
    }

    /// The entry with this id (spec §4.8).
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadConfiguration`]; [`Error::Missing`]; [`Error::Store`].
    pub async fn find(&self, caller: &Caller, id: &VocabularyId) -> Result<Vocabulary, Error> {
        let tenant = caller.permit(Permission::ReadConfiguration)?;
        self.store.find(tenant, id).await?.ok_or(Error::Missing(Resource::Vocabulary))
    }

    /// What speaks against an entry, were it created: each text of it that recognition could take for something else.
    /// Nothing is stored.
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadConfiguration`]; [`Error::Store`].
    pub async fn validate(
        &self,
        caller: &Caller,
        phrase: &Phrase,
        sounds_like: &SoundsLike,
    ) -> Result<Vec<Collision>, Error> {
        Ok(collisions(phrase, sounds_like, &self.all(caller).await?))
    }

    /// Every entry, oldest first: there are no more than [`Capacity::PER_TENANT`].
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadConfiguration`]; [`Error::Store`].
    pub async fn all(&self, caller: &Caller) -> Result<Vec<Vocabulary>, Error> {
        let tenant = caller.permit(Permission::ReadConfiguration)?;
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
    /// [`Error::Denied`] without [`Permission::WriteConfiguration`]; [`Error::Missing`]; [`Error::Store`].
    pub async fn remove(&self, caller: &Caller, id: &VocabularyId) -> Result<(), Error> {
        let tenant = caller.permit(Permission::WriteConfiguration)?;
        match self.store.remove(tenant, id, self.clock.now()).await? {
            Removal::Removed => Ok(()),
            Removal::Absent => Err(Error::Missing(Resource::Vocabulary)),
        }
    }
}

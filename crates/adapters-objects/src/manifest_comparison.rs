//! The comparison of a stored manifest with an update.

use parlance_domain::feed::{FeedWriteError, ManifestUpdate};

use crate::metadata_json;

/// Whether the update has to be written: `false` if its manifest is stored already.
///
/// # Errors
/// [`FeedWriteError::Superseded`] if the stored manifest is neither the expected nor the new one.
pub(crate) fn must_write(stored: Option<&[u8]>, update: &ManifestUpdate) -> Result<bool, FeedWriteError> {
    let stored = stored.map(metadata_json::parse_manifest).transpose()?;
    if stored.as_ref() == Some(&update.manifest) {
        Ok(false)
    } else if stored == update.expected {
        Ok(true)
    } else {
        Err(FeedWriteError::Superseded)
    }
}

//! Symbolic links in a directory of feeds. Other programs write feeds there, so a link could lead to any file that the service
//! can read. A file that is not where its path says is no file of a feed.

use std::{fs, io, path::Path as LocalPath};

use object_store::path::Path;
use parlance_domain::{access::TenantId, error::StoreError};

use crate::{ObjectFeeds, error::file_error};

impl ObjectFeeds {
    /// Whether a link leads from this path out of the directory of the tenant, or the file itself is a link. Never in a bucket.
    /// The directory of the tenant may be a link.
    pub(crate) fn is_linked(&self, tenant: &TenantId, path: &Path) -> Result<bool, StoreError> {
        let (Some(file), Some(directory)) = (self.local_path(path), self.local_path(&self.layout.tenant(tenant)))
        else {
            return Ok(false);
        };
        match leads_elsewhere(&file, &directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            linked => linked.map_err(file_error),
        }
    }
}

fn leads_elsewhere(file: &LocalPath, directory: &LocalPath) -> io::Result<bool> {
    let below = file.strip_prefix(directory).map_err(io::Error::other)?;
    Ok(fs::canonicalize(file)? != fs::canonicalize(directory)?.join(below))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_is_elsewhere_if_it_or_a_directory_below_the_tenant_is_a_link() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        fs::create_dir_all(at("feeds/acme/day")).unwrap();
        fs::write(at("secret"), "").unwrap();
        fs::write(at("feeds/acme/day/file"), "").unwrap();
        symlink(at("secret"), at("feeds/acme/day/linked")).unwrap();
        symlink(root.path(), at("feeds/acme/other")).unwrap();
        symlink(at("feeds/acme"), at("feeds/globex")).unwrap();
        let is_elsewhere = |tenant: &str, file: &str| {
            leads_elsewhere(&at(&format!("feeds/{tenant}/{file}")), &at(&format!("feeds/{tenant}"))).unwrap()
        };
        assert!(!is_elsewhere("acme", "day/file"));
        assert!(is_elsewhere("acme", "day/linked"));
        assert!(is_elsewhere("acme", "other/secret"));
        assert!(!is_elsewhere("globex", "day/file"));
    }
}

//! The permissions of a credential.

use std::fmt;

/// One permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Permission {
    /// Read conversations, messages and transcripts.
    ReadConversations,
    /// Create and change conversations, add messages.
    WriteConversations,
    /// Read vocabularies and redaction entities.
    ReadConfiguration,
    /// Change vocabularies, switch redaction entities.
    WriteConfiguration,
    /// List and collect feeds.
    ReadFeeds,
}

/// The word names no permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of conversation:read, conversation:write, configuration:read, configuration:write and feed:read")]
pub struct UnknownPermission;

impl Permission {
    /// Every permission, in display order.
    pub const ALL: [Self; 5] = [
        Self::ReadConversations,
        Self::WriteConversations,
        Self::ReadConfiguration,
        Self::WriteConfiguration,
        Self::ReadFeeds,
    ];

    /// The name of the permission on the command line and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReadConversations => "conversation:read",
            Self::WriteConversations => "conversation:write",
            Self::ReadConfiguration => "configuration:read",
            Self::WriteConfiguration => "configuration:write",
            Self::ReadFeeds => "feed:read",
        }
    }

    /// Parses the name of a permission.
    ///
    /// # Errors
    /// [`UnknownPermission`] if no permission has this name.
    pub fn parse(word: &str) -> Result<Self, UnknownPermission> {
        Self::ALL.into_iter().find(|permission| permission.as_str() == word).ok_or(UnknownPermission)
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A permission as a type, so that a signature can name it.
pub trait RequiredPermission {
    /// The permission.
    const PERMISSION: Permission;
}

macro_rules! permission_types {
    ($($name:ident)*) => {$(
        #[doc = concat!("[`Permission::", stringify!($name), "`] as a type.")]
        #[derive(Debug, Clone)]
        pub enum $name {}

        impl RequiredPermission for $name {
            const PERMISSION: Permission = Permission::$name;
        }
    )*};
}

permission_types!(ReadConversations WriteConversations ReadConfiguration WriteConfiguration ReadFeeds);

/// A set of permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Permissions(u8);

impl Permissions {
    /// Every permission.
    #[must_use]
    pub fn all() -> Self {
        Permission::ALL.into_iter().collect()
    }

    /// Whether the set contains this permission.
    #[must_use]
    pub fn contains(self, permission: Permission) -> bool {
        self.0 & bit(permission) != 0
    }

    /// The permissions of the set, in display order.
    pub fn iter(self) -> impl Iterator<Item = Permission> {
        Permission::ALL.into_iter().filter(move |permission| self.contains(*permission))
    }
}

fn bit(permission: Permission) -> u8 {
    1 << permission as u8
}

impl FromIterator<Permission> for Permissions {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Self {
        Self(permissions.into_iter().fold(0, |set, permission| set | bit(permission)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_permission_is_parsed_from_its_name() {
        for permission in Permission::ALL {
            assert_eq!(Permission::parse(permission.as_str()), Ok(permission));
        }
        assert_eq!(Permission::parse("conversation:*"), Err(UnknownPermission));
    }

    #[test]
    fn a_set_contains_exactly_the_permissions_it_was_built_from() {
        let set: Permissions = [Permission::ReadFeeds, Permission::ReadConversations].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [Permission::ReadConversations, Permission::ReadFeeds]);
        assert!(!set.contains(Permission::WriteConversations));
    }
}

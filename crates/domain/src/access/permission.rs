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
    /// List webhooks and their deliveries.
    ReadWebhooks,
    /// Create, change and remove webhooks, and send events again.
    WriteWebhooks,
    /// Erase conversations, and list what was erased.
    OperatePrivacy,
}

/// The word names no permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be one of conversation:read, conversation:write, configuration:read, configuration:write, feed:read, \
     webhook:read, webhook:write and privacy:operate"
)]
pub struct UnknownPermission;

impl Permission {
    /// Every permission, in display order.
    pub const ALL: [Self; 8] = [
        Self::ReadConversations,
        Self::WriteConversations,
        Self::ReadConfiguration,
        Self::WriteConfiguration,
        Self::ReadFeeds,
        Self::ReadWebhooks,
        Self::WriteWebhooks,
        Self::OperatePrivacy,
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
            Self::ReadWebhooks => "webhook:read",
            Self::WriteWebhooks => "webhook:write",
            Self::OperatePrivacy => "privacy:operate",
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

permission_types!(
    ReadConversations WriteConversations ReadConfiguration WriteConfiguration ReadFeeds ReadWebhooks WriteWebhooks
    OperatePrivacy
);

/// A set of permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Permissions(u16);

impl Permissions {
    /// Every permission.
    #[must_use]
    pub fn all() -> Self {
        Permission::ALL.into_iter().collect()
    }

    /// The permissions of a credential for which no permission is named: those that the specification knows. Others are
    /// given only by name.
    #[must_use]
    pub fn standard() -> Self {
        let is_standard = |permission: &Permission| {
            !matches!(permission, Permission::ReadWebhooks | Permission::WriteWebhooks | Permission::OperatePrivacy)
        };
        Permission::ALL.into_iter().filter(is_standard).collect()
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

fn bit(permission: Permission) -> u16 {
    1 << permission as u16
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
    fn the_standard_set_has_no_permission_that_must_be_named() {
        let words: Vec<_> = Permissions::standard().iter().map(Permission::as_str).collect();
        let expected =
            ["conversation:read", "conversation:write", "configuration:read", "configuration:write", "feed:read"];
        assert_eq!(words, expected);
    }

    #[test]
    fn a_set_contains_exactly_the_permissions_it_was_built_from() {
        let set: Permissions = [Permission::ReadFeeds, Permission::ReadConversations].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [Permission::ReadConversations, Permission::ReadFeeds]);
        assert!(!set.contains(Permission::WriteConversations));
    }
}

//! Identifiers of callers. An identifier is never masked, because a changed identifier no longer names its object.

/// What happens with an identifier that contains card data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IdentifierPolicy {
    /// It is stored as it is, and counted.
    #[default]
    Allow,
    /// The request is refused.
    Refuse,
}

/// The policy is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be allow or refuse")]
pub struct UnknownIdentifierPolicy;

impl IdentifierPolicy {
    /// Both policies.
    pub const ALL: [Self; 2] = [Self::Allow, Self::Refuse];

    /// The word for the policy.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Refuse => "refuse",
        }
    }

    /// Parses the word for a policy.
    ///
    /// # Errors
    /// [`UnknownIdentifierPolicy`] for any other word.
    pub fn parse(word: &str) -> Result<Self, UnknownIdentifierPolicy> {
        Self::ALL.into_iter().find(|policy| policy.as_str() == word).ok_or(UnknownIdentifierPolicy)
    }
}

/// The member of a request that holds an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdentifierField {
    /// The external identifier of a conversation.
    Conversation,
    /// The external identifier of the agent of a conversation.
    Agent,
    /// The external identifier of the customer of a conversation.
    Customer,
    /// A key of the metadata of a conversation.
    MetadataKey,
    /// The external identifier of the sender of a message.
    Sender,
    /// The external identifier of the sender of the message with this index, in a batch of messages.
    BatchSender(usize),
}

impl IdentifierField {
    /// The words of [`kind`](Self::kind).
    pub const KINDS: [&str; 4] = ["conversation", "participant", "metadata_key", "sender"];

    /// The kind of the identifier, for metrics.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self {
            Self::Conversation => "conversation",
            Self::Agent | Self::Customer => "participant",
            Self::MetadataKey => "metadata_key",
            Self::Sender | Self::BatchSender(_) => "sender",
        }
    }
}

/// Identifiers of a request contain card data, and the policy refuses them. No text of this error contains one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must not contain a card number or a card verification code")]
pub struct SensitiveIdentifiers {
    /// The members of the request, at least one, in the order of the request.
    pub fields: Vec<IdentifierField>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_is_parsed_from_its_word() {
        for policy in IdentifierPolicy::ALL {
            assert_eq!(IdentifierPolicy::parse(policy.as_str()), Ok(policy));
        }
        assert_eq!(IdentifierPolicy::parse("Allow"), Err(UnknownIdentifierPolicy));
    }
}

//! The participants of a conversation as a transcript names them.

use parlance_domain::{
    conversation::{Conversation, Participant},
    message::{Role, Sender},
    text::DisplayName,
};

/// How a role is called in a transcript for people.
pub(super) fn role_title(role: Role) -> &'static str {
    match role {
        Role::Agent => "Agent",
        Role::Customer => "Customer",
        Role::System => "System",
    }
}

/// The display name of a sender: the name of the participant with its role and identifier, if the conversation knows
/// one. The conversation knows its present agent only.
pub(super) fn known_name<'conversation>(
    conversation: &'conversation Conversation,
    sender: &Sender,
) -> Option<&'conversation str> {
    let participant = match sender.role {
        Role::Agent => conversation.agent.as_ref(),
        Role::Customer => Some(&conversation.customer),
        Role::System => None,
    };
    participant.filter(|participant| participant.external_id == sender.external_id).and_then(display_name)
}

/// The name of a sender, or its identifier where no name is known.
pub(super) fn speaker<'text>(conversation: &'text Conversation, sender: &'text Sender) -> &'text str {
    known_name(conversation, sender).unwrap_or(sender.external_id.as_str())
}

/// The name of a participant, unless it is empty.
pub(super) fn display_name(participant: &Participant) -> Option<&str> {
    participant.name.as_ref().map(DisplayName::as_str).filter(|name| !name.trim().is_empty())
}

/// The name and the identifier of a participant: `Ada Lovelace (agent-3)`, or the identifier alone.
pub(super) fn participant_text(participant: &Participant) -> String {
    let external_id = participant.external_id.as_str();
    display_name(participant).map_or_else(|| external_id.to_owned(), |name| format!("{name} ({external_id})"))
}

#[cfg(test)]
mod tests {
    use parlance_domain::text::ExternalId;

    use super::{super::sample, *};

    fn sender(role: Role, external_id: &str) -> Sender {
        Sender { role, external_id: ExternalId::parse(external_id).unwrap() }
    }

    #[test]
    fn a_sender_is_called_by_the_name_of_its_participant() {
        let conversation = sample::conversation();
        assert_eq!(speaker(&conversation, &sender(Role::Agent, "agent <7>")), "Ada *Lovelace*");
        assert_eq!(speaker(&conversation, &sender(Role::Customer, "customer-7")), "customer-7");
    }

    #[test]
    fn a_sender_with_another_role_or_identifier_is_called_by_its_identifier() {
        let conversation = sample::conversation();
        for (role, external_id) in
            [(Role::Agent, "agent-8"), (Role::Customer, "agent <7>"), (Role::System, "agent <7>")]
        {
            assert_eq!(speaker(&conversation, &sender(role, external_id)), external_id);
        }
    }

    #[test]
    fn an_empty_name_is_no_name() {
        let participant = Participant {
            external_id: ExternalId::parse("agent-3").unwrap(),
            name: Some(DisplayName::parse("  ".to_owned()).unwrap()),
        };
        assert_eq!(participant_text(&participant), "agent-3");
    }
}

//! The rows of the change log. A row holds the changes of one kind, as references separated by line feeds.

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::{Change, EventType, FeedChange, LogEntry, LogPosition, MessageReference},
    feed::{Day, FeedName},
    id::{ConversationId, MessageId, VocabularyEntryId},
    message::MessagePosition,
    redaction::Entity,
    time::Timestamp,
};

use crate::{
    error::{ReadError, corrupt},
    row::Row,
};

const TABLE: &str = "change_log";

/// A row with its references.
pub(super) struct LogRow {
    pub(super) sequence: i64,
    pub(super) tag: i64,
    kind: i16,
    occurred_at: Timestamp,
    refs: Box<str>,
}

impl LogRow {
    /// Decodes the columns `sequence`, `tag`, `kind`, `occurred_at`, `last_index`, `refs`.
    pub(super) fn restore(row: &(impl Row + ?Sized), tenant: &TenantId) -> Result<Self, ReadError> {
        let sequence = row.integer(0)?;
        let occurred_at = Timestamp::from_micros(row.integer(3)?)
            .map_err(|error| corrupt(TABLE, "occurred_at", &row_name(tenant, sequence), error))?;
        let refs: Box<str> = row.text(5)?.into();
        if usize::try_from(row.integer(4)?).ok() != refs.lines().count().checked_sub(1) {
            let row = row_name(tenant, sequence);
            return Err(corrupt(TABLE, "last_index", &row, "is not the index of the last reference").into());
        }
        Ok(Self { sequence, tag: row.integer(1)?, kind: row.smallint(2)?, occurred_at, refs })
    }

    /// The entries of the row from this index on.
    pub(super) fn entries_from(&self, first: u32, tenant: &TenantId) -> Result<Vec<LogEntry>, StoreError> {
        let numbered = (0..).zip(self.refs.lines()).skip_while(|(index, _)| *index < first);
        numbered.map(|(index, reference)| self.entry(index, reference, tenant)).collect()
    }

    fn entry(&self, index: u32, reference: &str, tenant: &TenantId) -> Result<LogEntry, StoreError> {
        let position = LogPosition { sequence: self.sequence, index, tag: self.tag };
        let change = parse_change(self.kind, reference).ok_or_else(|| {
            corrupt(TABLE, "refs", &row_name(tenant, self.sequence), "is not a list of references of this kind")
        })?;
        Ok(LogEntry { position, occurred_at: self.occurred_at, change })
    }
}

fn row_name(tenant: &TenantId, sequence: i64) -> String {
    format!("{tenant}/{sequence}")
}

/// The change with this number and reference. The numbers never change their meaning: the triggers of
/// `migrations/functions` write them.
pub(crate) fn parse_change(kind: i16, reference: &str) -> Option<Change> {
    let conversation = || ConversationId::parse(reference).ok();
    let vocabulary_entry = || VocabularyEntryId::parse(reference).ok();
    Some(match kind {
        1 => Change::ConversationCreated(conversation()?),
        2 => Change::ConversationUpdated(conversation()?),
        3 => Change::MessageCreated(parse_message(reference)?),
        4 => Change::MessageMasked(parse_message(reference)?),
        5 => Change::ConversationErased(conversation()?),
        6 => Change::VocabularyCreated(vocabulary_entry()?),
        7 => Change::VocabularyDeleted(vocabulary_entry()?),
        8 => Change::RedactionSwitched(Entity::from_label(reference)?),
        9 => Change::FeedDayCompleted(parse_feed_day(reference)?),
        10 => Change::FeedDayRevised(parse_feed_day(reference)?),
        _ => return None,
    })
}

/// The number of the changes of a type, which [`parse_change`] reads.
pub(crate) fn kind_of(event_type: EventType) -> i16 {
    match event_type {
        EventType::ConversationCreated => 1,
        EventType::ConversationUpdated => 2,
        EventType::MessageCreated => 3,
        EventType::MessageMasked => 4,
        EventType::ConversationErased => 5,
        EventType::VocabularyCreated => 6,
        EventType::VocabularyDeleted => 7,
        EventType::RedactionSwitched => 8,
        EventType::FeedDayCompleted => 9,
        EventType::FeedDayRevised => 10,
    }
}

/// The number and the reference of a change, which [`parse_change`] reads.
pub(crate) fn format_change(change: &Change) -> (i16, String) {
    let reference = match change {
        Change::ConversationCreated(id) | Change::ConversationUpdated(id) | Change::ConversationErased(id) => {
            id.to_string()
        }
        Change::MessageCreated(MessageReference { conversation, position })
        | Change::MessageMasked(MessageReference { conversation, position }) => {
            format!("{conversation}/{}/{}", position.sent_at.as_micros(), position.id)
        }
        Change::VocabularyCreated(id) | Change::VocabularyDeleted(id) => id.to_string(),
        Change::RedactionSwitched(entity) => entity.label().to_owned(),
        Change::FeedDayCompleted(FeedChange { feed, day, revision })
        | Change::FeedDayRevised(FeedChange { feed, day, revision }) => {
            format!("{feed}/{}/{revision}", day.epoch_days())
        }
    };
    (kind_of(change.event_type()), reference)
}

fn parse_message(reference: &str) -> Option<MessageReference> {
    let mut parts = reference.split('/');
    let conversation = ConversationId::parse(parts.next()?).ok()?;
    let sent_at = Timestamp::from_micros(parts.next()?.parse().ok()?).ok()?;
    let id = MessageId::parse(parts.next()?).ok()?;
    parts.next().is_none().then_some(MessageReference { conversation, position: MessagePosition { sent_at, id } })
}

fn parse_feed_day(reference: &str) -> Option<FeedChange> {
    let mut parts = reference.split('/');
    let feed = FeedName::parse(parts.next()?).ok()?;
    let day = Day::from_epoch_days(parts.next()?.parse().ok()?).ok()?;
    let revision = parts.next()?.parse().ok()?;
    parts.next().is_none().then_some(FeedChange { feed, day, revision })
}

/// The position in the columns `sequence`, `last_index`, `tag`.
pub(super) fn restore_position(row: &(impl Row + ?Sized), tenant: &TenantId) -> Result<LogPosition, ReadError> {
    let sequence = row.integer(0)?;
    let index = u32::try_from(row.integer(1)?)
        .map_err(|error| corrupt(TABLE, "last_index", &row_name(tenant, sequence), error))?;
    Ok(LogPosition { sequence, index, tag: row.integer(2)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_that_is_not_of_its_kind_is_refused() {
        for (kind, reference) in [
            (1, "a"),
            (3, "A/1"),
            (3, "A/x/B"),
            (3, "A/1/B/C"),
            (8, "NO_SUCH_ENTITY"),
            (9, "messages/1"),
            (9, "messages/x/1"),
            (11, "A"),
            (0, "A"),
        ] {
            assert_eq!(parse_change(kind, reference), None, "{kind} {reference}");
        }
    }

    #[test]
    fn each_kind_is_read_as_its_change() {
        for (kind, reference, event_type) in [
            (1, "A", "conversation.created"),
            (2, "A", "conversation.updated"),
            (3, "A/-1/B", "message.created"),
            (4, "A/1/B", "message.masked"),
            (5, "A", "conversation.erased"),
            (6, "A", "vocabulary.created"),
            (7, "A", "vocabulary.deleted"),
            (8, "CREDIT_CARD_NUMBER", "redaction.switched"),
            (9, "messages/20000/1", "feed.day_completed"),
            (10, "messages/20000/2", "feed.day_revised"),
        ] {
            let change = parse_change(kind, reference).unwrap();
            assert_eq!(change.event_type().as_str(), event_type);
            assert_eq!(format_change(&change), (kind, reference.to_owned()));
        }
    }
}

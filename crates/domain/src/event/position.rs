//! Positions in the change log, and their text form as cursors.

use std::{fmt, str::FromStr};

/// A position in the change log of a tenant: directly after one event. A reader that is at a position has seen all events
/// up to it.
///
/// A row of the log holds the events of one commit. The tag of a row is random, so a database that was restored or
/// replaced by a copy does not mistake a position of another history for its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogPosition {
    /// The number of the row, from 1 on; 0 before the first row.
    pub sequence: i64,
    /// The index of the event within the row, from 0 on.
    pub index: u32,
    /// The tag of the row.
    pub tag: i64,
}

impl LogPosition {
    /// The position before the first event of a log.
    pub const START: Self = Self { sequence: 0, index: 0, tag: 0 };
}

/// The text is not the form of a cursor. The error does not repeat the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not a cursor of events: use `nextCursor` or the `id` of an event")]
pub struct InvalidCursor;

/// The cursor of the position.
impl fmt::Display for LogPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}-{:x}-{:x}", self.sequence, self.index, self.tag)
    }
}

impl FromStr for LogPosition {
    type Err = InvalidCursor;

    fn from_str(cursor: &str) -> Result<Self, InvalidCursor> {
        let mut parts = cursor.split('-');
        let mut part = || parts.next().and_then(parse_hex).ok_or(InvalidCursor);
        let (sequence, index, tag) = (part()?, part()?, part()?);
        if parts.next().is_some() {
            return Err(InvalidCursor);
        }
        let sequence = i64::try_from(sequence).map_err(|_| InvalidCursor)?;
        let index = u32::try_from(index).map_err(|_| InvalidCursor)?;
        Ok(Self { sequence, index, tag: tag.cast_signed() })
    }
}

/// A number in lower-case hexadecimal digits, without a zero in front. So each number has one form.
fn parse_hex(text: &str) -> Option<u64> {
    let is_canonical = text == "0" || (!text.starts_with('0') && crate::hex::is_lower_hex(text));
    if is_canonical && text.len() <= 16 { u64::from_str_radix(text, 16).ok() } else { None }
}

/// What a store knows of the log of a tenant around a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LogBounds {
    /// The position of the last dropped event; `None` if no event was dropped.
    pub last_dropped: Option<LogPosition>,
    /// The tag of the row with the sequence number of the position; `None` if there is no such row.
    pub tag_at_position: Option<i64>,
}

/// Whether a log can be read on from a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PositionState {
    /// All events after the position are kept.
    Valid,
    /// An event after the position was dropped.
    Expired,
    /// The log has no entry at the position.
    Unknown,
}

impl LogBounds {
    /// The state of a position that a store has read these bounds for. The rows after the position MUST be read before the
    /// bounds, because rows can be dropped between the two.
    #[must_use]
    pub fn state_of(&self, position: LogPosition) -> PositionState {
        let start = LogPosition::START;
        match (self.last_dropped, self.tag_at_position) {
            (Some(dropped), _) if position == dropped => PositionState::Valid,
            (Some(dropped), _) if (position.sequence, position.index) <= (dropped.sequence, dropped.index) => {
                PositionState::Expired
            }
            (None, _) if position == start => PositionState::Valid,
            (_, Some(tag)) if position.sequence > start.sequence && tag == position.tag => PositionState::Valid,
            _ => PositionState::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(sequence: i64, index: u32, tag: i64) -> LogPosition {
        LogPosition { sequence, index, tag }
    }

    #[test]
    fn a_cursor_is_read_back_as_its_position() {
        for position in [LogPosition::START, at(1, 0, 7), at(i64::MAX, u32::MAX, -1), at(255, 16, i64::MIN)] {
            assert_eq!(position.to_string().parse(), Ok(position));
        }
    }

    #[test]
    fn another_form_of_a_cursor_is_refused() {
        for text in
            ["", "1", "1-0", "1-0-2-3", "01-0-2", "A-0-2", "-1-0-2", "1-0-2 ", "1-100000000-2", "ffffffffffffffff-0-0"]
        {
            assert_eq!(text.parse::<LogPosition>(), Err(InvalidCursor), "{text}");
        }
    }

    #[test]
    fn the_start_is_valid_until_an_event_is_dropped() {
        assert_eq!(LogBounds::default().state_of(LogPosition::START), PositionState::Valid);
        let bounds = LogBounds { last_dropped: Some(at(4, 1, 9)), tag_at_position: None };
        assert_eq!(bounds.state_of(LogPosition::START), PositionState::Expired);
    }

    #[test]
    fn a_position_is_valid_while_its_row_has_its_tag() {
        let bounds = LogBounds { last_dropped: None, tag_at_position: Some(9) };
        assert_eq!(bounds.state_of(at(4, 1, 9)), PositionState::Valid);
        assert_eq!(bounds.state_of(at(4, 1, 8)), PositionState::Unknown);
        assert_eq!(LogBounds::default().state_of(at(4, 1, 9)), PositionState::Unknown);
    }

    #[test]
    fn a_position_expires_only_when_an_event_after_it_is_dropped() {
        let bounds = LogBounds { last_dropped: Some(at(4, 1, 9)), tag_at_position: None };
        assert_eq!(bounds.state_of(at(4, 1, 9)), PositionState::Valid);
        assert_eq!(bounds.state_of(at(4, 0, 9)), PositionState::Expired);
        assert_eq!(bounds.state_of(at(3, 0, 2)), PositionState::Expired);
        assert_eq!(bounds.state_of(at(5, 0, 2)), PositionState::Unknown);
    }
}

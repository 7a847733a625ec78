//! Every limit on what a caller may send, each as one named constant.
//!
//! Characters are Unicode scalar values throughout.

/// Most characters of an external identifier (conversation, agent, customer, sender). The least is one.
pub const EXTERNAL_ID_MAX_CHARACTERS: usize = 256;

/// Most characters of a participant's display name.
pub const NAME_MAX_CHARACTERS: usize = 256;

/// Most key-value pairs of a conversation's metadata.
pub const METADATA_MAX_PAIRS: usize = 50;

/// Most characters of a metadata key. The least is one.
pub const METADATA_KEY_MAX_CHARACTERS: usize = 128;

/// Most characters of a metadata value.
pub const METADATA_VALUE_MAX_CHARACTERS: usize = 1_024;

/// Fewest characters of a message's text (spec §8). How many there may be is up to the size of a request.
pub const MESSAGE_TEXT_MIN_CHARACTERS: usize = 1;

/// Most messages in one page of a conversation's messages. The least is one.
pub const MESSAGE_PAGE_MAX: u16 = 1_000;

/// A page of a conversation's messages ends early where its texts reach so many bytes.
pub const MESSAGE_PAGE_BYTES: usize = 1024 * 1024;

/// A page of a whole transcript ends where its texts reach so many bytes, so that a client that does not read takes little
/// memory.
pub const TRANSCRIPT_PAGE_BYTES: usize = 64 * 1024;

/// Most messages of one page of a whole transcript. Two pages are in memory while a longer one is sent.
pub const TRANSCRIPT_PAGE_MESSAGES: u16 = 300;

/// Most entries of a tenant's vocabulary (spec §8).
pub const VOCABULARY_MAX_ENTRIES: u16 = 200;

/// Most characters of a vocabulary entry's phrase, blanks at its ends left out. The least is one.
pub const PHRASE_MAX_CHARACTERS: usize = 100;

/// Most items of a vocabulary entry's `soundsLike` (spec §8). There may be none.
pub const SOUNDS_LIKE_MAX_ITEMS: usize = 5;

/// Most characters of one item of `soundsLike` (spec §8), blanks at its ends left out. The least is one.
pub const SOUNDS_LIKE_MAX_CHARACTERS: usize = 40;

/// Most entries in one page of a vocabulary. The least is one.
pub const VOCABULARY_PAGE_MAX: u16 = 100;

/// Entries in one page of a vocabulary where nothing else is asked for or configured (spec §8).
pub const VOCABULARY_PAGE_DEFAULT: u16 = 20;

/// Most characters of a tenant's name. The least is one.
pub const TENANT_MAX_CHARACTERS: usize = 64;

/// Most characters of the name that an operator gives a credential. The least is one.
pub const CREDENTIAL_NAME_MAX_CHARACTERS: usize = 128;

/// Longest time, in seconds, that a verified credential is trusted without asking the store again. It bounds how
/// long a revoked credential is still accepted on a replica that did not see it revoked.
pub const CREDENTIAL_TRUST_SECONDS: i64 = 30;

/// Most client addresses whose failed authentications a process counts.
pub const FAILURE_ADDRESSES_REMEMBERED: usize = 100_000;

/// Longest time, in seconds, that a process trusts a tenant's switches without reading them again. It bounds how late
/// a switch takes effect on a replica that did not see it thrown.
pub const ACTIVE_SET_TRUST_SECONDS: i64 = 30;

/// Most tenants whose switches a process remembers; of all others they are read each time.
pub const ACTIVE_SETS_REMEMBERED: usize = 10_000;

/// Most conversations whose newest messages a process remembers; of all others they are read where they matter. With
/// [`RECENT_TEXT_BYTES`] it bounds the memory that this takes: 16 MiB of text.
pub const RECENT_CONVERSATIONS: usize = 4_096;

/// Most bytes of text that are remembered of one conversation. One whose newest messages have more is not remembered.
pub const RECENT_TEXT_BYTES: usize = 4_096;

/// Most characters of an approver's name.
pub const APPROVER_MAX_CHARACTERS: usize = 128;

/// Least letters of an approver's name.
pub const APPROVER_MIN_LETTERS: usize = 2;

/// Most characters of the reference of an approved change.
pub const CHANGE_REFERENCE_MAX_CHARACTERS: usize = 256;

/// Least letters and digits of the reference of an approved change.
pub const CHANGE_REFERENCE_MIN_LETTERS_AND_DIGITS: usize = 3;

/// How long, in seconds, a replica has a duty before it must ask for it again. It bounds how long nobody does the work
/// after the replica that did it was killed.
pub const LEASE_SECONDS: i64 = 15;

/// How often a replica that stops tries to give a duty back, where the store is out of reach. A store may take two seconds
/// to tell that it is, so that more attempts would take longer than others wait for the lease to run out.
pub const LEASE_RETURN_ATTEMPTS: usize = 3;

/// Longest time, in seconds, that the transcription component may take to take one vocabulary.
pub const DELIVERY_TIMEOUT_SECONDS: u64 = 5;

/// How long, in seconds, a failed delivery waits before the second attempt.
pub const DELIVERY_PAUSE_FIRST_SECONDS: u64 = 1;

/// Longest time, in seconds, that a failed delivery waits before the next attempt. With [`DELIVERY_TIMEOUT_SECONDS`] and
/// [`LEASE_SECONDS`] it bounds how late a vocabulary is delivered once the component is back: within a minute (spec §8).
pub const DELIVERY_PAUSE_MAX_SECONDS: u64 = 15;

/// Most characters of the name of a feed, a version, a format or a file. The least is one.
pub const FEED_SEGMENT_MAX_CHARACTERS: usize = 128;

/// How long after its end, in seconds, a day is taken to be over: what was created on it is stored by then.
pub const FEED_SETTLE_SECONDS: i64 = 300;

/// Most rows of one file of a feed that is produced here.
pub const FEED_FILE_MAX_ROWS: u64 = 1_000_000;

/// How long, in seconds, the address of a file is good.
pub const FEED_ADDRESS_SECONDS: i64 = 900;

/// How long, in seconds, a repeat of a request is answered as the first was: 24 hours.
pub const RECEIPT_SECONDS: i64 = 86_400;

/// Most messages of one batch. The least is one.
pub const MESSAGE_BATCH_MAX: usize = 300;

//! Limits on callers' input, and internal bounds, each as one named constant.
//!
//! Characters are Unicode scalar values throughout.

use crate::time::SECONDS_PER_DAY;

/// Maximum characters of an external identifier (conversation, agent, customer, sender). The minimum is 1.
pub const EXTERNAL_ID_MAX_CHARACTERS: usize = 256;

/// Maximum characters of a participant's display name.
pub const NAME_MAX_CHARACTERS: usize = 256;

/// Maximum key-value pairs of a conversation's metadata.
pub const METADATA_MAX_PAIRS: usize = 50;

/// Maximum characters of a metadata key. The minimum is 1.
pub const METADATA_KEY_MAX_CHARACTERS: usize = 128;

/// Maximum characters of a metadata value.
pub const METADATA_VALUE_MAX_CHARACTERS: usize = 1_024;

/// Maximum pairs of metadata by which conversations are found at once.
pub const CONVERSATION_METADATA_CRITERIA_MAX: usize = 3;

/// Maximum conversations in one page of a list by criteria. The minimum is 1.
pub const CONVERSATION_PAGE_MAX: u16 = 100;

/// Conversations in one page of a list by criteria if the request sets no number.
pub const CONVERSATION_PAGE_DEFAULT: u16 = 20;

/// Maximum rows and index entries that a store reads for one page of conversations. It bounds the time of a page whose
/// criteria few of the read conversations meet.
pub const CONVERSATION_PAGE_MAX_READS: usize = 10_000;

/// Minimum characters of a message's text (spec §8). The request size limits the maximum.
pub const MESSAGE_TEXT_MIN_CHARACTERS: usize = 1;

/// Maximum messages in one page of a conversation's messages. The minimum is 1.
pub const MESSAGE_PAGE_MAX: u16 = 1_000;

/// Text bytes that end a page of a conversation's messages early.
pub const MESSAGE_PAGE_BYTES: usize = 1024 * 1024;

/// Text bytes that end a page of a transcript, so that a client that does not read takes little memory.
pub const TRANSCRIPT_PAGE_BYTES: usize = 64 * 1024;

/// Maximum messages of one page of a transcript. Two pages are in memory while a longer transcript is sent.
pub const TRANSCRIPT_PAGE_MESSAGES: u16 = 300;

/// Maximum events in one page. The minimum is 1.
pub const EVENT_PAGE_MAX: u16 = 1_000;

/// Events in one page if the request sets no number.
pub const EVENT_PAGE_DEFAULT: u16 = 100;

/// Maximum records in one page of erased conversations. The minimum is 1.
pub const ERASURE_PAGE_MAX: u16 = 1_000;

/// Records in one page of erased conversations if the request sets no number.
pub const ERASURE_PAGE_DEFAULT: u16 = 100;

/// Maximum characters of the operator's reference of a privacy request or a hold. The minimum is 1.
pub const PRIVACY_REFERENCE_MAX_CHARACTERS: usize = 256;

/// Seconds after which the answer to a privacy request is due: 30 days, within the month of GDPR, article 12(3).
pub const PRIVACY_REQUEST_DUE_SECONDS: i64 = 30 * SECONDS_PER_DAY;

/// Runs of a privacy request that end with an error, one directly after another, before a permanent error ends the request.
/// With the pauses between them this takes about 45 seconds.
pub const PRIVACY_REQUEST_MAX_FAILED_RUNS: u32 = 8;

/// Greatest number of a receipt of one privacy request. The first is 1.
pub const RECEIPT_ISSUE_MAX: u16 = 100;

/// Maximum rules of a tenant's retention. The minimum is 0: everything is kept.
pub const RETENTION_RULES_MAX: usize = 20;

/// Maximum days of a retention rule. The minimum is 1.
pub const RETENTION_DAYS_MAX: u32 = 36_500;

/// Seconds for which the token of a preview of retention rules is valid.
pub const RETENTION_PREVIEW_SECONDS: i64 = 3_600;

/// Conversations that a preview of retention rules reads at once.
pub const RETENTION_PREVIEW_PAGE: u16 = 2_000;

/// Conversations that a run of retention reads at once.
pub const RETENTION_RUN_PAGE: u16 = 200;

/// Seconds from the beginning of a run of retention to that of the next one.
pub const RETENTION_RUN_SECONDS: i64 = SECONDS_PER_DAY;

/// Maximum reads of the change log for one page of events. It bounds the time of a page whose types few entries have.
pub const EVENT_POLL_MAX_READS: usize = 10;

/// Maximum time, in seconds, for which a request for events waits until there is one.
pub const EVENT_WAIT_MAX_SECONDS: u64 = 30;

/// Maximum open streams of events of a process.
pub const EVENT_STREAMS_MAX: usize = 4_000;

/// Maximum events that a stream reads from the log at once.
pub const EVENT_STREAM_PAGE: u64 = 50;

/// Seconds between two comments on a stream without events.
pub const EVENT_STREAM_COMMENT_SECONDS: u64 = 15;

/// Seconds between two checks of whether the credential of an open stream was revoked. Together with the time of a check
/// it is less than a minute.
pub const EVENT_STREAM_CHECK_SECONDS: u64 = 30;

/// Seconds for which a streaming address can be used.
pub const STREAM_ADDRESS_SECONDS: i64 = 30;

/// Maximum days for which events are kept. The minimum is 1.
pub const EVENT_RETENTION_DAYS_MAX: i64 = 90;

/// Days for which events are kept if the configuration sets no number.
pub const EVENT_RETENTION_DAYS_DEFAULT: i64 = 7;

/// Maximum time, in seconds, for which the view of settled events holds a message back that is not only digits.
pub const SETTLE_SECONDS: i64 = 10;

/// Maximum entries of a tenant's vocabulary (spec §8).
pub const VOCABULARY_MAX_ENTRIES: u16 = 200;

/// Maximum characters of a vocabulary entry's phrase, without white space at its ends. The minimum is 1.
pub const PHRASE_MAX_CHARACTERS: usize = 100;

/// Maximum items of a vocabulary entry's `soundsLike` (spec §8). The minimum is 0.
pub const SOUNDS_LIKE_MAX_ITEMS: usize = 5;

/// Maximum characters of one item of `soundsLike` (spec §8), without white space at its ends. The minimum is 1.
pub const SOUNDS_LIKE_MAX_CHARACTERS: usize = 40;

/// Maximum entries in one page of a vocabulary. The minimum is 1.
pub const VOCABULARY_PAGE_MAX: u16 = 100;

/// Entries in one page of a vocabulary if neither the request nor the configuration sets a number (spec §8).
pub const VOCABULARY_PAGE_DEFAULT: u16 = 20;

/// Maximum characters of a tenant's name. The minimum is 1.
pub const TENANT_MAX_CHARACTERS: usize = 64;

/// Maximum characters of an operator's name for a credential. The minimum is 1.
pub const CREDENTIAL_NAME_MAX_CHARACTERS: usize = 128;

/// Maximum time, in seconds, for which a verified credential is cached. It bounds how long a replica that missed a
/// revocation still accepts the credential.
pub const CREDENTIAL_CACHE_SECONDS: i64 = 30;

/// Maximum client addresses whose failed authentications a process counts.
pub const AUTH_THROTTLE_MAX_ADDRESSES: usize = 100_000;

/// Maximum time, in seconds, for which a process caches a tenant's redaction switches. It bounds how late a switch
/// takes effect on a replica that missed it.
pub const ACTIVE_SET_CACHE_SECONDS: i64 = 30;

/// Maximum tenants whose redaction switches a process caches. The switches of other tenants are read each time.
pub const ACTIVE_SET_CACHE_MAX_TENANTS: usize = 10_000;

/// Maximum time, in minutes by the clocks of the senders, between a message and the earlier messages in which the digits
/// of a dictated card number are searched for, besides the six newest.
pub const NUMBER_RUN_MINUTES: i64 = 10;

/// Maximum conversations whose newest messages a process caches. For other conversations, they are read if they are
/// needed. Together with [`RECENT_CACHE_MAX_TEXT_BYTES`] it bounds the memory of the cache to 16 MiB of text.
pub const RECENT_CACHE_MAX_CONVERSATIONS: usize = 4_096;

/// Maximum text bytes that are cached of one conversation. A conversation whose newest messages have more is not
/// cached.
pub const RECENT_CACHE_MAX_TEXT_BYTES: usize = 4_096;

/// Maximum characters of an approver's name.
pub const APPROVER_MAX_CHARACTERS: usize = 128;

/// Minimum letters of an approver's name.
pub const APPROVER_MIN_LETTERS: usize = 2;

/// Maximum characters of the reference of an approved change.
pub const CHANGE_REFERENCE_MAX_CHARACTERS: usize = 256;

/// Minimum letters and digits of the reference of an approved change.
pub const CHANGE_REFERENCE_MIN_LETTERS_AND_DIGITS: usize = 3;

/// The duration of a lease in seconds. It bounds the time without a worker after the replica that held the lease was
/// killed.
pub const LEASE_SECONDS: i64 = 15;

/// How often a stopping replica tries to release a lease while the store is unreachable. A store can take two seconds
/// to report that, so more attempts would take longer than the lease lasts.
pub const LEASE_RELEASE_ATTEMPTS: usize = 3;

/// Timeout, in seconds, for the delivery of one vocabulary to the transcription component.
pub const DELIVERY_TIMEOUT_SECONDS: u64 = 5;

/// Backoff, in seconds, after the first failed delivery.
pub const DELIVERY_BACKOFF_INITIAL_SECONDS: u64 = 1;

/// Maximum backoff, in seconds, after a failed delivery. Together with [`DELIVERY_TIMEOUT_SECONDS`] and
/// [`LEASE_SECONDS`] it bounds how late a vocabulary is delivered after the component is reachable again: within a
/// minute (spec §8).
pub const DELIVERY_BACKOFF_MAX_SECONDS: u64 = 15;

/// Maximum characters of the name of a feed, a version, a format or a file. The minimum is 1.
pub const FEED_SEGMENT_MAX_CHARACTERS: usize = 128;

/// Seconds from the end of a day or an hour of a feed until it is closed. Everything that was created in it is stored by
/// then.
pub const FEED_CLOSE_DELAY_SECONDS: i64 = 300;

/// Maximum rows of one file of a feed that this service produces.
pub const FEED_FILE_MAX_ROWS: u64 = 1_000_000;

/// Seconds for which the signed address of a file is valid.
pub const FEED_ADDRESS_SECONDS: i64 = 900;

/// Seconds for which an idempotency record is valid and repeats get the first response: 24 hours.
pub const IDEMPOTENCY_RECORD_SECONDS: i64 = SECONDS_PER_DAY;

/// Maximum characters of an idempotency key, all of them printable ASCII. The minimum is 1.
pub const IDEMPOTENCY_KEY_MAX_CHARACTERS: usize = 255;

/// Maximum messages of one preview of redaction. The minimum is 1.
pub const PREVIEW_MAX_MESSAGES: usize = 100;

/// Maximum characters of each text of a preview. The minimum is [`MESSAGE_TEXT_MIN_CHARACTERS`].
pub const PREVIEW_TEXT_MAX_CHARACTERS: usize = 20_000;

/// Maximum samples of a back-test.
pub const BACKTEST_MAX_SAMPLES: usize = 100;

/// Maximum days of UTC between the two ends of a back-test's period.
pub const BACKTEST_MAX_DAYS: i64 = 92;

/// Maximum messages that one back-test reads.
pub const BACKTEST_MAX_MESSAGES: u64 = 100_000;

/// Milliseconds after which a back-test ends early. It is less than the default timeout of a request.
pub const BACKTEST_MAX_MILLISECONDS: u64 = 1_000;

/// Maximum messages of one batch. The minimum is 1.
pub const MESSAGE_BATCH_MAX: usize = 300;

/// Maximum messages of an imported conversation that are appended in one step.
pub const IMPORT_APPEND_MESSAGES: usize = 256;

/// Maximum bytes of a line of an imported file, and of a record of a CSV file. Together with
/// [`IMPORT_BUFFER_BYTES`] it bounds the memory of an import.
pub const IMPORT_LINE_MAX_BYTES: usize = 4 * 1024 * 1024;

/// Maximum bytes of an imported file that are in memory as lines. Two lines of the greatest length are read one after the
/// other, because each needs several times as much memory while it is imported.
pub const IMPORT_BUFFER_BYTES: usize = IMPORT_LINE_MAX_BYTES + IMPORT_LINE_MAX_BYTES / 2;

/// Maximum conversations, and maximum messages, that a dry run of an import remembers as counted. Each takes some 30 bytes.
pub const IMPORT_DRY_RUN_REMEMBERED: usize = 250_000;

/// Lines of a CSV file that are imported together. Equal lines within them are different messages.
pub const IMPORT_CSV_CHUNK_LINES: usize = 4_096;

/// Maximum webhooks of a tenant.
pub const WEBHOOK_MAX_PER_TENANT: u16 = 20;

/// Maximum characters of the address of a webhook.
pub const WEBHOOK_URL_MAX_CHARACTERS: usize = 2_048;

/// Maximum characters of the description of a webhook. The minimum is 0.
pub const WEBHOOK_DESCRIPTION_MAX_CHARACTERS: usize = 256;

/// Seconds for which the secret before a rotation signs as well: 24 hours.
pub const WEBHOOK_ROTATION_SECONDS: i64 = SECONDS_PER_DAY;

/// Delays, in seconds, after the first failures of a delivery in succession. After the last one, it is repeated.
pub const WEBHOOK_RETRY_SECONDS: [i64; 6] = [5, 300, 1_800, 7_200, 18_000, 36_000];

/// Seconds for which a delivery fails before its webhook is switched off: five days.
pub const WEBHOOK_FAILING_SECONDS: i64 = 5 * SECONDS_PER_DAY;

/// Maximum attempts that are kept of a delivery, the newest ones. A webhook is switched off after fewer.
pub const WEBHOOK_ATTEMPTS_KEPT: usize = 20;

/// Timeout, in seconds, for a connection to a webhook.
pub const WEBHOOK_CONNECT_TIMEOUT_SECONDS: u64 = 5;

/// Timeout, in seconds, for one attempt: the resolution, the connection, the request and the answer.
pub const WEBHOOK_TIMEOUT_SECONDS: u64 = 15;

/// Maximum bytes that are read of the answer of a webhook.
pub const WEBHOOK_ANSWER_MAX_BYTES: usize = 64 * 1024;

/// Maximum concurrent attempts at one webhook. One whose last attempt failed has one.
pub const WEBHOOK_MAX_CONCURRENT_PER_ENDPOINT: usize = 16;

/// Maximum concurrent attempts at webhooks whose last attempt succeeded.
pub const WEBHOOK_MAX_CONCURRENT: usize = 128;

/// Maximum concurrent attempts at webhooks whose last attempt failed.
pub const WEBHOOK_MAX_CONCURRENT_FAILING: usize = 64;

/// Maximum attempts at once, when each endpoint has one beyond the shared slots. It bounds the connections of a process.
pub const WEBHOOK_MAX_ATTEMPTS_RUNNING: usize = 1_024;

/// Pending deliveries of a webhook from which on no more are added. Further entries wait in the change log.
pub const WEBHOOK_MAX_PENDING: u64 = 10_000;

/// Deliveries in one page.
pub const WEBHOOK_DELIVERY_PAGE: usize = 100;

/// Seconds for which a delivery is kept after it was delivered: 24 hours.
pub const WEBHOOK_DELIVERY_RETENTION_SECONDS: i64 = SECONDS_PER_DAY;

/// Deliveries that are removed in one step.
pub const WEBHOOK_PURGE_ROWS: u16 = 1_000;

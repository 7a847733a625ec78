//! The statements on `conversations`. Each is limited to a tenant.

/// The columns of a conversation in the order in which `rows.rs` reads them, each after `$prefix`.
macro_rules! conversation_columns {
    ($prefix:literal) => {
        concat!(
            concat!($prefix, "id, ", $prefix, "external_id, ", $prefix, "agent_external_id, ", $prefix, "agent_name, "),
            concat!($prefix, "customer_external_id, ", $prefix, "customer_name, ", $prefix, "metadata, "),
            concat!($prefix, "started_at")
        )
    };
}

pub(crate) use conversation_columns;

/// Inserts the conversations of `$rows`, or does `$otherwise` where one with the same external identifier exists. The rows
/// have the columns `$more` before the last one.
macro_rules! insert {
    ($rows:expr, $more:literal, $otherwise:expr) => {
        concat!(
            "INSERT INTO conversations (tenant_id, ",
            conversation_columns!(""),
            ", created_at, ",
            $more,
            "updated_at) ",
            $rows,
            " ON CONFLICT (tenant_id, external_id) DO ",
            $otherwise
        )
    };
}

/// The conversations whose columns are bound as arrays, the last of them as `$digests`. For PostgreSQL.
macro_rules! all_rows {
    ($digests:literal) => {
        concat!(
            "SELECT new.*, new.created_at FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], ",
            "$6::text[], $7::text[], $8::text[], $9::bigint[], $10::bigint[], ",
            $digests,
            "::bytea[]) AS new (tenant_id, ",
            conversation_columns!(""),
            ", created_at, external_digest)"
        )
    };
}

/// Changes the conversation with the same external identifier: the agent only if `$agent` is true, and the metadata only if
/// `$metadata` is true. Returns `$returning`.
macro_rules! update {
    ($agent:literal, $metadata:literal, $returning:literal) => {
        concat!(
            "UPDATE SET ",
            "customer_external_id = excluded.customer_external_id, customer_name = excluded.customer_name, ",
            "agent_external_id = CASE WHEN ",
            $agent,
            " THEN excluded.agent_external_id ELSE conversations.agent_external_id END, ",
            "agent_name = CASE WHEN ",
            $agent,
            " THEN excluded.agent_name ELSE conversations.agent_name END, ",
            "metadata = CASE WHEN ",
            $metadata,
            " THEN excluded.metadata ELSE conversations.metadata END, updated_at = excluded.updated_at RETURNING ",
            $returning
        )
    };
}

/// Selects the conversations with these tenants and values of `$column`, which are bound as arrays. The last column of a
/// row is the number of its lookup, starting at 1.
macro_rules! all_by {
    ($column:literal) => {
        concat!(
            "SELECT ",
            conversation_columns!("found."),
            ", requested.number FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS requested (tenant_id, key, number) ",
            "JOIN conversations AS found ON found.tenant_id = requested.tenant_id AND found.",
            $column,
            " = requested.key"
        )
    };
}

/// The conversation with this identifier.
pub(crate) const BY_ID: &str =
    concat!("SELECT ", conversation_columns!(""), " FROM conversations WHERE tenant_id = $1 AND id = $2");

/// The conversation with this external identifier.
pub(crate) const BY_EXTERNAL_ID: &str =
    concat!("SELECT ", conversation_columns!(""), " FROM conversations WHERE tenant_id = $1 AND external_id = $2");

/// [`BY_ID`] for many lookups. For PostgreSQL.
pub(crate) const ALL_BY_ID: &str = all_by!("id");

/// [`BY_EXTERNAL_ID`] for many lookups. For PostgreSQL.
pub(crate) const ALL_BY_EXTERNAL_ID: &str = all_by!("external_id");

/// Inserts a conversation, or updates the one with the same external identifier, and returns its id. An update changes
/// the agent only if `$11` is true, and the metadata only if `$12` is true.
pub(super) const UPSERT: &str =
    insert!("VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)", "", update!("$11", "$12", "id"));

/// Whether a conversation with this digest was erased. For SQLite.
pub(super) const IS_DIGEST_ERASED: &str = "SELECT 1 FROM erased_conversations WHERE tenant_id = $1 AND digest = $2";

/// Whether the tenant is erased, or any customer of it is being erased: 1 if the tenant is. For SQLite.
pub(super) const FENCE: &str = "SELECT 1 FROM tenant_erasures WHERE tenant_id = $1
    UNION ALL SELECT 0 FROM privacy_subjects WHERE tenant_id = $1 AND is_fence = 1";

/// Whether the customer `$2`, or that of the conversation with the external identifier `$3`, is being erased. For SQLite.
pub(super) const IS_FENCED: &str = "SELECT 1 FROM privacy_subjects WHERE tenant_id = $1 AND is_fence = 1
    AND customer_external_id IN ($2, (SELECT customer_external_id FROM conversations
        WHERE tenant_id = $1 AND external_id = $3))";

/// The code of the error by which PostgreSQL refuses to write an erased conversation (`refuse_erased_v1`), or one whose
/// customer or tenant is being erased (`refuse_fenced_v2`).
pub(crate) const REFUSED_AS_ERASED: &str = "PE001";

/// [`UPSERT`] for many conversations, whose columns are bound as arrays. No conversation occurs twice, and `$11` and
/// `$12` hold for all. Returns the tenant, the external identifier and the id of each. For PostgreSQL.
pub(crate) const UPSERT_ALL: &str =
    insert!(all_rows!("$13"), "external_digest, ", update!("$11::bool", "$12::bool", "tenant_id, external_id, id"));

/// Inserts those of many conversations whose external identifiers do not exist yet. Their columns are bound as arrays.
/// Returns the id of each that is inserted. For PostgreSQL.
pub(crate) const INSERT_ALL: &str = insert!(all_rows!("$11"), "external_digest, ", "NOTHING RETURNING id");

//! The statements on `conversations`, each naming its tenant.

/// Adds conversations, or changes those with their external identifiers: the first are their rows. Of one that is there,
/// the agent and the metadata are changed only where the second and the third say so. Gives the last.
macro_rules! upsert {
    ($rows:literal, $agent:literal, $metadata:literal, $given:literal) => {
        concat!(
            "INSERT INTO conversations (tenant_id, id, external_id, agent_external_id, agent_name, ",
            "customer_external_id, customer_name, metadata, started_at, created_at, updated_at) ",
            $rows,
            " ON CONFLICT (tenant_id, external_id) DO UPDATE SET ",
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
            $given
        )
    };
}

/// A conversation by its identifier.
pub(super) const BY_ID: &str = concat!(
    "SELECT id, external_id, agent_external_id, agent_name, customer_external_id, customer_name, metadata, started_at ",
    "FROM conversations WHERE tenant_id = $1 AND id = $2"
);

/// A conversation by the caller's identifier.
pub(super) const BY_EXTERNAL_ID: &str = concat!(
    "SELECT id, external_id, agent_external_id, agent_name, customer_external_id, customer_name, metadata, started_at ",
    "FROM conversations WHERE tenant_id = $1 AND external_id = $2"
);

/// Conversations by tenants and identifiers that are given as arrays, each with its number, from one. For PostgreSQL.
pub(crate) const ALL_BY_ID: &str = "SELECT found.id, found.external_id, found.agent_external_id, found.agent_name, \
    found.customer_external_id, found.customer_name, found.metadata, found.started_at, place.number \
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS place (tenant_id, key, number) \
    JOIN conversations AS found ON found.tenant_id = place.tenant_id AND found.id = place.key";

/// The same by the callers' identifiers.
pub(crate) const ALL_BY_EXTERNAL_ID: &str = "SELECT found.id, found.external_id, found.agent_external_id, \
    found.agent_name, found.customer_external_id, found.customer_name, found.metadata, found.started_at, place.number \
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS place (tenant_id, key, number) \
    JOIN conversations AS found ON found.tenant_id = place.tenant_id AND found.external_id = place.key";

/// Adds a conversation, or changes the one with its external identifier, and gives its id. Of the one that is there, the
/// agent and the metadata are changed only where `$11` and `$12` say so.
pub(super) const UPSERT: &str = upsert!("VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)", "$11", "$12", "id");

/// [`UPSERT`] for many conversations, none of them twice, whose columns are given as arrays, and of which all change the
/// same parts. It gives the keys of all, each with its id. For PostgreSQL.
pub(super) const UPSERT_ALL: &str = upsert!(
    "SELECT new.*, new.created_at FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], \
    $7::text[], $8::text[], $9::bigint[], $10::bigint[]) AS new (tenant_id, id, external_id, agent_external_id, \
    agent_name, customer_external_id, customer_name, metadata, started_at, created_at)",
    "$11::bool",
    "$12::bool",
    "tenant_id, external_id, id"
);

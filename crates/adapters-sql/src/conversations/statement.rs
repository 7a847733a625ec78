//! The statements on `conversations`, each naming its tenant.

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

/// Adds a conversation, where its external identifier is not taken.
pub(super) const CREATE: &str = "INSERT INTO conversations (tenant_id, id, external_id, agent_external_id, agent_name, \
    customer_external_id, customer_name, metadata, started_at, created_at, updated_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) ON CONFLICT (tenant_id, external_id) DO NOTHING";

/// Changes a conversation. An agent and metadata are changed only where the value before theirs says so.
pub(super) const UPDATE: &str = "UPDATE conversations SET \
    customer_external_id = $1, customer_name = $2, \
    agent_external_id = CASE WHEN $3 THEN $4 ELSE agent_external_id END, \
    agent_name = CASE WHEN $3 THEN $5 ELSE agent_name END, \
    metadata = CASE WHEN $6 THEN $7 ELSE metadata END, updated_at = $8 \
    WHERE tenant_id = $9 AND id = $10";

/// [`CREATE`] and [`UPDATE`] for many conversations, none of them twice, whose columns are given as arrays. It takes the
/// new ones first and each in the order given, and gives the keys of those that were added or changed. For PostgreSQL.
pub(super) const WRITE_ALL: &str = "WITH created AS (INSERT INTO conversations (tenant_id, id, external_id, \
    agent_external_id, agent_name, customer_external_id, customer_name, metadata, started_at, created_at, updated_at) \
    SELECT new.*, new.created_at FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], \
    $7::text[], $8::text[], $9::bigint[], $10::bigint[]) AS new (tenant_id, id, external_id, agent_external_id, \
    agent_name, customer_external_id, customer_name, metadata, started_at, created_at) \
    ON CONFLICT (tenant_id, external_id) DO NOTHING RETURNING tenant_id, id), \
    updated AS (UPDATE conversations SET \
    customer_external_id = due.customer_external_id, customer_name = due.customer_name, \
    agent_external_id = CASE WHEN due.sets_agent THEN due.agent_external_id ELSE conversations.agent_external_id END, \
    agent_name = CASE WHEN due.sets_agent THEN due.agent_name ELSE conversations.agent_name END, \
    metadata = CASE WHEN due.sets_metadata THEN due.metadata ELSE conversations.metadata END, \
    updated_at = due.updated_at \
    FROM unnest($11::text[], $12::text[], $13::text[], $14::text[], $15::bool[], $16::text[], $17::text[], \
    $18::bool[], $19::text[], $20::bigint[]) AS due (tenant_id, id, customer_external_id, customer_name, sets_agent, \
    agent_external_id, agent_name, sets_metadata, metadata, updated_at) \
    WHERE conversations.tenant_id = due.tenant_id AND conversations.id = due.id \
    RETURNING conversations.tenant_id, conversations.id) \
    SELECT tenant_id, id FROM created UNION ALL SELECT tenant_id, id FROM updated";

-- Adds the rows of the next conversations, of whichever tenant (tenant_id, id), to the side tables, and returns the last of
-- them. The conversations are locked, so that no update comes between reading and adding. A batch that would have to wait
-- for a writer fails at once instead, because two that wait for each other would fail one of them.
WITH batch AS MATERIALIZED (
    SELECT tenant_id, id, started_at, created_at, updated_at, metadata FROM conversations
    WHERE (tenant_id, id) > ($1, $2) ORDER BY tenant_id, id LIMIT $3 FOR SHARE NOWAIT
), pairs AS (
    INSERT INTO conversation_metadata SELECT tenant_id, pair, started_at, id
    FROM batch, metadata_pairs_v1(metadata) AS pair ON CONFLICT DO NOTHING
), hours AS (
    INSERT INTO conversation_updates SELECT tenant_id, updated_at / {HOUR_MICROS}, id FROM batch
    WHERE updated_at / {HOUR_MICROS} <> created_at / {HOUR_MICROS} ON CONFLICT DO NOTHING
)
SELECT tenant_id, id FROM batch ORDER BY tenant_id DESC, id DESC LIMIT 1

-- Rows of the schema up to m0017_changes_before_the_audit_log, in the tables that audit_log_before_signing.sql leaves empty.
-- Byte strings use the syntax of SQLite. The triggers add rows to late_changes.
INSERT INTO conversations (tenant_id, id, external_id, agent_external_id, agent_name, customer_external_id, customer_name, metadata, started_at, created_at, updated_at) VALUES
    ('acme', '01M86XY4EA0VNV60RGG4PS1W18', 'call-1', 'agent-3', 'Grace', 'customer-7', NULL, '{"channel":"phone"}', 1000, 1700000000000000, 1700000000000001);
INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at, masked_with) VALUES
    ('acme', '01M86XY4EA0VNV60RGG4PS1W18', 2000, '01M86XY4FF5HG694W4KMDA9WAB', 2, 'customer-7', 'it''s 🦀', 1700000000000002, 'ab'),
    ('acme', '01M86XY4EA0VNV60RGG4PS1W18', 2000, '01M86XY4GETTST0Q8YPJ4TBKVE', 1, 'agent-3', '**** 4242', 1700000000000003, '0');
INSERT INTO vocabularies (tenant_id, id, phrase, sounds_like, created_at) VALUES
    ('acme', '01M86XY4YAGKCEE0B4GYCMFDPA', 'IEEE', '["I triple E"]', 1700000000000004);
INSERT INTO vocabulary_changes (tenant_id, changed_at, id, vocabulary_id, kind, phrase, sounds_like, created_at) VALUES
    ('acme', 1700000000000004, '01M86XY4YAGKCEE0B4GYCMFDPA added', '01M86XY4YAGKCEE0B4GYCMFDPA', 1, 'IEEE', '["I triple E"]', 1700000000000004);
INSERT INTO configuration_versions (tenant_id, vocabulary_version, changed_at, pending_since, delivered_version, delivered_at, failures, failure, failed_at, next_attempt_at) VALUES
    ('acme', 3, 1700000000000004, 1700000000000004, 2, 1700000000000000, 1, 'unreachable', 1700000000000005, 1700000000000006);
INSERT INTO leases (duty, replica_id, term, held_until) VALUES ('feed-production', '01M86XY4V14J35N3X1H9T1HFCW', 4, 0);
INSERT INTO receipts (tenant_id, operation, key_digest, request_digest, ids, created_at) VALUES
    ('acme', 'create-message', x'0101010101010101010101010101010101010101010101010101010101010101', x'020202020202020202020202020202020202020202020202020202020202020202', '01M86XY4FF5HG694W4KMDA9WAB', 1700000000000007);

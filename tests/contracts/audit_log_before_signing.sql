-- An audit log with its credentials and switches, as a version without signatures and quotation marks wrote them.
-- Byte strings use the syntax of SQLite. The digests of secrets are invented.
INSERT INTO credentials (tenant_id, api_id, name, permissions, secret_digest, previous_digest, previous_until, created_at, revoked_at) VALUES
    ('acme', 'acme.01M86XY4EA0VNV60RGG4PS1W18', 'telephony, named twice', 'conversation:read conversation:write configuration:read configuration:write feed:read', x'0202020202020202020202020202020202020202020202020202020202020202', NULL, NULL, 1795529052618041, NULL);
INSERT INTO credentials (tenant_id, api_id, name, permissions, secret_digest, previous_digest, previous_until, created_at, revoked_at) VALUES
    ('acme', 'acme.01M86XY4FF5HG694W4KMDA9WAB', 'reader', 'conversation:read', x'0303030303030303030303030303030303030303030303030303030303030303', x'0303030303030303030303030303030303030303030303030303030303030303', 1795532652974253, 1795529052655041, NULL);
INSERT INTO credentials (tenant_id, api_id, name, permissions, secret_digest, previous_digest, previous_until, created_at, revoked_at) VALUES
    ('globex', 'globex.01M86XY4GETTST0Q8YPJ4TBKVE', 'quote " and \ back', 'conversation:read conversation:write configuration:read configuration:write feed:read', x'0404040404040404040404040404040404040404040404040404040404040404', NULL, NULL, 1795529052686260, NULL);
INSERT INTO credentials (tenant_id, api_id, name, permissions, secret_digest, previous_digest, previous_until, created_at, revoked_at) VALUES
    ('acme', 'acme.01M86XY4YAGKCEE0B4GYCMFDPA', 'w', 'conversation:read conversation:write configuration:read configuration:write feed:read', x'0505050505050505050505050505050505050505050505050505050505050505', NULL, NULL, 1795529053130623, 1795529054165931);
INSERT INTO audit_records (tenant_id, sequence, recorded_at, action, subject, details, previous, hash) VALUES
    ('acme', 1, 1795529052618041, 'credential.created', 'acme.01M86XY4EA0VNV60RGG4PS1W18', 'conversation:read conversation:write configuration:read configuration:write feed:read, named telephony, named twice', x'0000000000000000000000000000000000000000000000000000000000000000', x'66d6ef2f0fe9818f1c114e7fec9ed3820cfe8886a9de6fdd0fe5bbc47023ebf8');
INSERT INTO audit_records (tenant_id, sequence, recorded_at, action, subject, details, previous, hash) VALUES
    ('acme', 2, 1795529052655041, 'credential.created', 'acme.01M86XY4FF5HG694W4KMDA9WAB', 'conversation:read, named reader', x'66d6ef2f0fe9818f1c114e7fec9ed3820cfe8886a9de6fdd0fe5bbc47023ebf8', x'4e675c542cfa622e9568720687151a5349d3d602e28d4bac83b056e7fcbbf2d7');
INSERT INTO audit_records (tenant_id, sequence, recorded_at, action, subject, details, previous, hash) VALUES
    ('acme', 3, 1795529052974253, 'credential.rotated', 'acme.01M86XY4FF5HG694W4KMDA9WAB', 'the secret before is accepted until 2026-11-24T15:04:12.974253Z', x'4e675c542cfa622e9568720687151a5349d3d602e28d4bac83b056e7fcbbf2d7', x'2f835dbee563392aa64b5bf17fec7e21abf1ca18726656b727ccb05cf219e743');
INSERT INTO audit_records (tenant_id, sequence, recorded_at, action, subject, details, previous, hash) VALUES
    ('acme', 4, 1795529053025867, 'entity.switched', 'CVV', 'active to inactive, on CHG-7, approved by Ada and Grace', x'2f835dbee563392aa64b5bf17fec7e21abf1ca18726656b727ccb05cf219e743', x'cff1e19f80716d821ffa9c72f1884ec84a3f01730b256b015b5a057d3a5133b6');
INSERT INTO audit_records (tenant_id, sequence, recorded_at, action, subject, details, previous, hash) VALUES
    ('acme', 5, 1795529053081142, 'entity.switched', 'CVV', 'inactive to active, on -, approved by A and B', x'cff1e19f80716d821ffa9c72f1884ec84a3f01730b256b015b5a057d3a5133b6', x'31e8c7083da999be4b4cdbf7e91e30588e64891e182c8ab2da7c422e559c44d8');
INSERT INTO audit_records (tenant_id, sequence, recorded_at, action, subject, details, previous, hash) VALUES
    ('acme', 6, 1795529053130623, 'credential.created', 'acme.01M86XY4YAGKCEE0B4GYCMFDPA', 'conversation:read conversation:write configuration:read configuration:write feed:read, named w', x'31e8c7083da999be4b4cdbf7e91e30588e64891e182c8ab2da7c422e559c44d8', x'8073e7ff395219944a1ebf00c91dfc17d96eb9edbc4517cd328f8d34a2121180');
INSERT INTO audit_records (tenant_id, sequence, recorded_at, action, subject, details, previous, hash) VALUES
    ('acme', 7, 1795529053796262, 'entity.switched', 'EMAIL', 'inactive to active, by credential acme.01M86XY4YAGKCEE0B4GYCMFDPA', x'8073e7ff395219944a1ebf00c91dfc17d96eb9edbc4517cd328f8d34a2121180', x'e2e2e954c51bc4da0a60418379e3efdf521801e516199d70b2b495f059915f24');
INSERT INTO audit_records (tenant_id, sequence, recorded_at, action, subject, details, previous, hash) VALUES
    ('acme', 8, 1795529054165931, 'credential.revoked', 'acme.01M86XY4YAGKCEE0B4GYCMFDPA', '', x'e2e2e954c51bc4da0a60418379e3efdf521801e516199d70b2b495f059915f24', x'd98ba0e7eaf86801a80009ec31e4470142eb04355097a024ecb11ddfd9fc2a85');
INSERT INTO audit_records (tenant_id, sequence, recorded_at, action, subject, details, previous, hash) VALUES
    ('globex', 1, 1795529052686260, 'credential.created', 'globex.01M86XY4GETTST0Q8YPJ4TBKVE', 'conversation:read conversation:write configuration:read configuration:write feed:read, named quote " and \ back', x'0000000000000000000000000000000000000000000000000000000000000000', x'255cdd50442cabd25175e469220e63b3687c55e7dbb5b9833ec03d5e2164ecb6');
INSERT INTO audit_heads (tenant_id, sequence, hash) VALUES
    ('acme', 8, x'd98ba0e7eaf86801a80009ec31e4470142eb04355097a024ecb11ddfd9fc2a85');
INSERT INTO audit_heads (tenant_id, sequence, hash) VALUES
    ('globex', 1, x'255cdd50442cabd25175e469220e63b3687c55e7dbb5b9833ec03d5e2164ecb6');
INSERT INTO redaction_flags (tenant_id, label, active) VALUES
    ('acme', 'CVV', true);
INSERT INTO redaction_flags (tenant_id, label, active) VALUES
    ('acme', 'EMAIL', true);
INSERT INTO redaction_audit (tenant_id, switched_at, id, label, was_active, is_active, credential, reference, first_approver, second_approver) VALUES
    ('acme', 1795529053025867, '01M86XY4V14J35N3X1H9T1HFCW', 'CVV', true, false, NULL, 'CHG-7', 'Ada', 'Grace');
INSERT INTO redaction_audit (tenant_id, switched_at, id, label, was_active, is_active, credential, reference, first_approver, second_approver) VALUES
    ('acme', 1795529053081142, '01M86XY4WSZ840V482RX02HQA8', 'CVV', false, true, NULL, '-', 'A', 'B');
INSERT INTO redaction_audit (tenant_id, switched_at, id, label, was_active, is_active, credential, reference, first_approver, second_approver) VALUES
    ('acme', 1795529053796262, '01M86XY5K4BW9DQPSVQJS2D9VD', 'EMAIL', false, true, 'acme.01M86XY4YAGKCEE0B4GYCMFDPA', NULL, NULL, NULL);

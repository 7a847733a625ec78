-- Nothing is stored for a tenant whose erasure began.
--
-- The first function takes the place of `refuse_fenced_v1` in the triggers of conversations, and also refuses the
-- conversations of erased tenants. Its statements have a snapshot of their own, so they show an erasure that was committed
-- after the write began. The run of the erasure waits for writes that ended their check before.
CREATE OR REPLACE FUNCTION refuse_fenced_v2() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM tenant_id FROM written WHERE (SELECT true FROM tenant_erasures
            WHERE tenant_erasures.tenant_id = written.tenant_id LIMIT 1) IS NOT NULL OR (SELECT true FROM privacy_subjects
            WHERE privacy_subjects.tenant_id = written.tenant_id AND is_fence = 1
                AND privacy_subjects.customer_external_id = written.customer_external_id LIMIT 1) IS NOT NULL LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION USING ERRCODE = '{REFUSED}', MESSAGE = 'the customer or the tenant is erased';
        END IF;
        RETURN NULL;
    END $$;

DROP TRIGGER IF EXISTS refuse_fenced_inserts ON conversations;
CREATE TRIGGER refuse_fenced_inserts AFTER INSERT ON conversations REFERENCING NEW TABLE AS written FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_fenced_v2();

DROP TRIGGER IF EXISTS refuse_fenced_updates ON conversations;
CREATE TRIGGER refuse_fenced_updates AFTER UPDATE ON conversations REFERENCING NEW TABLE AS written FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_fenced_v2();

-- Refuses new rows of erased tenants in the tables that the control plane writes. The triggers follow below.
CREATE OR REPLACE FUNCTION refuse_erased_tenant_v1() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM tenant_id FROM written WHERE (SELECT true FROM tenant_erasures
            WHERE tenant_erasures.tenant_id = written.tenant_id LIMIT 1) IS NOT NULL LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION USING ERRCODE = '{TENANT_ERASED}', MESSAGE = 'its name cannot be used again';
        END IF;
        RETURN NULL;
    END $$;

-- Deletes the records of the switches of an erased tenant. It runs with the rights of its owner, because the server's role
-- may delete no record of a switch.
CREATE OR REPLACE FUNCTION erase_switch_records_v1(erased text) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
    SET search_path FROM CURRENT AS $$
    DECLARE removed bigint;
    BEGIN
        PERFORM tenant_id FROM tenant_erasures WHERE tenant_id = erased;
        IF NOT FOUND THEN
            RETURN 0;
        END IF;
        DELETE FROM redaction_audit WHERE tenant_id = erased;
        GET DIAGNOSTICS removed = ROW_COUNT;
        RETURN removed;
    END $$;

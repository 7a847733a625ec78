-- A privacy request erases what is stored of a customer.
--
-- The first trigger refuses an upsert of a conversation whose customer is being erased, whether the upsert names this customer
-- or the stored conversation has it. Its statements have a snapshot of their own, so they show a request that was committed
-- after the upsert began. An upsert that ended its check before the request was committed holds its lock of the change log
-- until it has ended, and the erasure waits for it.
CREATE OR REPLACE FUNCTION refuse_fenced_v1() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM tenant_id FROM written WHERE (SELECT true FROM privacy_subjects
            WHERE privacy_subjects.tenant_id = written.tenant_id AND is_fence = 1
                AND privacy_subjects.customer_external_id = written.customer_external_id LIMIT 1) IS NOT NULL LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION USING ERRCODE = '{REFUSED}', MESSAGE = 'the customer is being erased';
        END IF;
        RETURN NULL;
    END $$;

DROP TRIGGER IF EXISTS refuse_fenced_inserts ON conversations;
CREATE TRIGGER refuse_fenced_inserts AFTER INSERT ON conversations REFERENCING NEW TABLE AS written FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_fenced_v1();

DROP TRIGGER IF EXISTS refuse_fenced_updates ON conversations;
CREATE TRIGGER refuse_fenced_updates AFTER UPDATE ON conversations REFERENCING NEW TABLE AS written FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_fenced_v1();

-- Keeps the customer that a conversation had, and refuses the change while that customer is being erased.
CREATE OR REPLACE FUNCTION keep_former_customer_v1() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM FROM privacy_subjects WHERE tenant_id = OLD.tenant_id AND is_fence = 1
            AND customer_external_id = OLD.customer_external_id LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION USING ERRCODE = '{REFUSED}', MESSAGE = 'the customer is being erased';
        END IF;
        INSERT INTO former_customers VALUES (OLD.tenant_id, OLD.id, OLD.customer_external_id) ON CONFLICT DO NOTHING;
        RETURN NULL;
    END $$;

DROP TRIGGER IF EXISTS keep_former_customer ON conversations;
CREATE TRIGGER keep_former_customer AFTER UPDATE ON conversations FOR EACH ROW
    WHEN (OLD.customer_external_id <> NEW.customer_external_id) EXECUTE FUNCTION keep_former_customer_v1();

CREATE OR REPLACE FUNCTION forget_former_customers_v1() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM former_customers WHERE tenant_id = OLD.tenant_id AND conversation_id = OLD.id;
        RETURN NULL;
    END $$;

DROP TRIGGER IF EXISTS forget_former_customers ON conversations;
CREATE TRIGGER forget_former_customers AFTER DELETE ON conversations FOR EACH ROW
    EXECUTE FUNCTION forget_former_customers_v1();

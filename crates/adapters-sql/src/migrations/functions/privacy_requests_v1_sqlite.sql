-- Keeps the customers that a conversation had. The one writer of SQLite refuses upserts of customers that are being erased.
-- The conflict clause of an upsert overrides OR IGNORE in a trigger that it fires, so the trigger looks for the row itself.
DROP TRIGGER IF EXISTS keep_former_customer;
CREATE TRIGGER keep_former_customer AFTER UPDATE OF customer_external_id ON conversations
        WHEN OLD.customer_external_id <> NEW.customer_external_id
        BEGIN
            INSERT INTO former_customers SELECT OLD.tenant_id, OLD.id, OLD.customer_external_id
                WHERE NOT EXISTS (SELECT 1 FROM former_customers WHERE tenant_id = OLD.tenant_id
                    AND conversation_id = OLD.id AND customer_external_id = OLD.customer_external_id);
        END;

DROP TRIGGER IF EXISTS forget_former_customers;
CREATE TRIGGER forget_former_customers AFTER DELETE ON conversations
        BEGIN
            DELETE FROM former_customers WHERE tenant_id = OLD.tenant_id AND conversation_id = OLD.id;
        END;

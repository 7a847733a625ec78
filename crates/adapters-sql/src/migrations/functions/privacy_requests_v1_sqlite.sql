-- Keeps the customers that a conversation had. The one writer of SQLite refuses upserts of customers that are being erased.
DROP TRIGGER IF EXISTS keep_former_customer;
CREATE TRIGGER keep_former_customer AFTER UPDATE OF customer_external_id ON conversations
        WHEN OLD.customer_external_id <> NEW.customer_external_id
        BEGIN
            INSERT OR IGNORE INTO former_customers VALUES (OLD.tenant_id, OLD.id, OLD.customer_external_id);
        END;

DROP TRIGGER IF EXISTS forget_former_customers;
CREATE TRIGGER forget_former_customers AFTER DELETE ON conversations
        BEGIN
            DELETE FROM former_customers WHERE tenant_id = OLD.tenant_id AND conversation_id = OLD.id;
        END;

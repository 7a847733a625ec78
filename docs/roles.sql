-- Two roles on PostgreSQL: parlance_owner owns the schema and runs `parlance migrate`; parlance_server runs
-- `parlance serve --no-migrate`, can alter no table, and can add to what is on record without changing it.
-- Run it as a superuser in the database of Parlance, before the first migration or after any; it can be run again.
-- Then give both roles a way to log in, such as ALTER ROLE parlance_server PASSWORD '…'.

DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'parlance_owner') THEN CREATE ROLE parlance_owner LOGIN; END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'parlance_server') THEN CREATE ROLE parlance_server LOGIN; END IF;
END $$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO parlance_owner;
GRANT USAGE ON SCHEMA public TO parlance_server;

-- What is there already belongs to the owner from now on.
DO $$ DECLARE relation text; routine regprocedure; BEGIN
    FOR relation IN SELECT relname FROM pg_class WHERE relkind IN ('r', 'p', 'S') AND relnamespace = 'public'::regnamespace LOOP
        EXECUTE format('ALTER TABLE public.%I OWNER TO parlance_owner', relation);
    END LOOP;
    -- All but what an extension brought.
    FOR routine IN SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS
        (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e') LOOP
        EXECUTE format('ALTER ROUTINE %s OWNER TO parlance_owner', routine);
    END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO parlance_server;
ALTER DEFAULT PRIVILEGES FOR ROLE parlance_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO parlance_server;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO parlance_server;
ALTER DEFAULT PRIVILEGES FOR ROLE parlance_owner IN SCHEMA public
    GRANT USAGE, SELECT ON SEQUENCES TO parlance_server;

-- The server empties partitions of the change log whose rows are too old. The migration grants this too, if it comes later.
DO $$ DECLARE relation text; BEGIN
    FOR relation IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^change_log_[0-9]+$'
        AND relnamespace = 'public'::regnamespace LOOP
        EXECUTE format('GRANT TRUNCATE ON public.%I TO parlance_server', relation);
    END LOOP;
END $$;

-- Records are for good, and only a migration writes that it was made. Run this again after the first migration.
DO $$ DECLARE relation text; BEGIN
    FOREACH relation IN ARRAY ARRAY['audit_records', 'redaction_audit', 'erased_conversations'] LOOP
        IF to_regclass('public.' || relation) IS NOT NULL THEN
            EXECUTE format('REVOKE UPDATE, DELETE ON public.%I FROM parlance_server', relation);
        END IF;
    END LOOP;
    -- The erasure of a tenant is completed by an update, and stays for good.
    IF to_regclass('public.tenant_erasures') IS NOT NULL THEN
        REVOKE DELETE ON public.tenant_erasures FROM parlance_server;
    END IF;
    FOREACH relation IN ARRAY ARRAY['seaql_migrations', 'schema_functions', 'schema_compatibility'] LOOP
        IF to_regclass('public.' || relation) IS NOT NULL THEN
            EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON public.%I FROM parlance_server', relation);
        END IF;
    END LOOP;
END $$;

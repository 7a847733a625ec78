-- The triggers append to the change log in the transaction of each change, whichever program writes.
--
-- Rows are numbered by a sequence. Numbers are taken in another order than the one in which transactions commit, so a
-- reader must not pass a number while a transaction with a smaller one is open. Before it takes a number, a transaction
-- announces a smaller one: the last value of the sequence, as the key of a shared advisory lock, which it holds until it
-- has ended. A reader stays below all announced numbers. So only transactions that append hold readers up.
--
-- No statement here scans a table or sorts: the sessions of writers have these plans off, and a plan that has one of them
-- all the same is rated so dear that PostgreSQL compiles it (JIT), which takes 50 to 100 ms each time.
CREATE OR REPLACE FUNCTION next_change_v1() RETURNS bigint LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_advisory_xact_lock_shared({LOCK_CLASS},
            (pg_sequence_last_value('change_log_sequence') & 2147483647)::int);
        RETURN nextval('change_log_sequence');
    END $$;

-- A random number. It tells apart rows with the same number of two copies of a database.
CREATE OR REPLACE FUNCTION change_tag_v1() RETURNS bigint LANGUAGE plpgsql AS $$
    BEGIN
        RETURN floor(random() * 4611686018427387904);
    END $$;

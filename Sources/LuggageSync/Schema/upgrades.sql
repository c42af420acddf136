-- What a hub lacks that an earlier program of version 1 has made. Each statement may be run again and again.

-- Facts may be longer: see tables.sql. Those that are there are short.
do $$
declare
    facts regclass;
begin
    foreach facts in array array['luggage.ahead', 'luggage.fact']::regclass[] loop
        continue when exists (select from pg_constraint where conrelid = facts and conname = 'is_short');
        execute format('alter table %s drop constraint if exists ahead_check4, add constraint is_short
            check (greatest(octet_length(body), octet_length(rest), octet_length(renamed_body),
                octet_length(renamed_rest)) <= 1048576) not valid', facts);
    end loop;
end $$;

-- Typed tags are no reader's: see the view of read rates.
alter table luggage.sighting add column if not exists is_typed boolean not null default false;

alter table luggage.publication add column if not exists overdue interval;

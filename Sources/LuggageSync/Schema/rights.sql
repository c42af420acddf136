-- Who may do what: stations call functions, readers ask the views, and nobody else does anything. Each set-up runs
-- it again.

do $$
declare
    name text;
begin
    foreach name in array array['luggage_station', 'luggage_publisher', 'luggage_reader'] loop
        -- Roles are of the whole database system, where another hub may have made them.
        if not exists (select from pg_roles where rolname = name) then
            begin
                execute format('create role %I nologin', name);
            exception
                -- It has, a moment ago.
                when duplicate_object or unique_violation then null;
            end;
        end if;
    end loop;
end $$;

-- With its tables of months.
select luggage.sample_no_texts(of) from unnest(array['luggage.fact', 'luggage.ahead', 'luggage.bag']::regclass[]) of;

-- What they were given besides, somebody gave them by mistake.
revoke all on all tables in schema luggage from public, luggage_station, luggage_publisher, luggage_reader;
revoke all on all sequences in schema luggage from public, luggage_station, luggage_publisher, luggage_reader;
revoke all on all functions in schema luggage from public, luggage_station, luggage_publisher, luggage_reader;
grant usage on schema luggage to luggage_station, luggage_reader;
do $$
begin
    -- Granting it anew takes a right that the owner may not have any more.
    if not pg_has_role('luggage_publisher', 'luggage_station', 'member') then
        grant luggage_station to luggage_publisher;
    end if;
end $$;
grant execute on function luggage.greet(bigint),
    luggage.enter(text, text, boolean, boolean),
    luggage.leave(bigint),
    luggage.push(bigint, uuid, uuid, bigint, timestamptz, jsonb),
    luggage.pull(bigint, bigint, bigint, integer),
    luggage.attend(bigint),
    luggage.wanted_bags(bigint, integer),
    luggage.pull_bags(bigint, uuid[]),
    luggage.have_bags(bigint, uuid[]),
    luggage.days(bigint),
    luggage.pull_day(bigint, text, date, uuid, uuid, integer) to luggage_station;
grant execute on function luggage.begin_publishing(bigint, bigint),
    luggage.publish(bigint, bigint, jsonb, bigint, bigint, boolean),
    luggage.drop_old_rows(bigint, bigint, integer) to luggage_publisher;
grant select on luggage.bag, luggage.journey, luggage.sighting, luggage.freshness, luggage.missing,
    luggage.overdue, luggage.scans_per_hour, luggage.read_rate, luggage.stations to luggage_reader;

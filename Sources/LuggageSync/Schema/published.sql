-- Version 1 of the hub: what a station that gets every fact has derived from them, for people who ask with SQL.
--
-- Nothing here is truth: it may be thrown away, and is published anew.

-- Who publishes, and which facts the rows below stand on.
create table luggage.publication (
    member bigint not null references luggage.member,
    generation bigint not null,
    -- Every fact of this hub before this place is in the rows below.
    transaction bigint not null,
    number bigint not null,
    -- Whether all rows were published since the publisher began.
    is_whole boolean not null,
    published_at timestamptz not null default now(),
    is_only boolean not null default true unique check (is_only),
    -- After what time a missing bag is overdue there; null if it does not say.
    overdue interval
);

create table luggage.bag (
    id uuid primary key,
    owner text,
    weight real,
    departed_at timestamptz,
    arrived_at timestamptz,
    generation bigint not null
);
create index if not exists bag_departed_at_idx on luggage.bag (departed_at) where arrived_at is null;

create table luggage.journey (
    bag uuid not null,
    -- The number among the journeys of the bag, from 1.
    number integer not null,
    departed_at timestamptz,
    arrived_at timestamptz,
    points text[] not null,
    generation bigint not null,
    primary key (bag, number)
);

create table luggage.sighting (
    id uuid primary key,
    bag uuid,
    station text not null,
    point text not null,
    role text,
    scanned_at timestamptz not null,
    outcome text not null,
    reason text not null,
    -- Whether it counts: it is neither undone nor another filing of one that counts.
    counts boolean not null,
    generation bigint not null,
    -- Whether a person typed the tag, which no reader has read.
    is_typed boolean not null default false
);
create index if not exists sighting_scanned_at_idx on luggage.sighting (scanned_at);
create index if not exists sighting_bag_idx on luggage.sighting (bag);

-- Begins to publish, or goes on; gives the generation of the rows to send.
--
-- `mine` is the generation in which all rows of this station were published, null if there is none. If it
-- gets that one back, it publishes what has changed since; else everything anew.
create or replace function luggage.begin_publishing(wanted bigint, mine bigint) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '20s' as $$
declare
    me luggage.member := luggage.caller(wanted);
    present luggage.publication;
    made bigint;
begin
    if not me.pulls_everything then
        raise exception 'station % does not get every fact, so it cannot publish', me.station
            using errcode = 'LG007', hint = 'leave the hub, and join it without --only-seen';
    end if;
    -- Two that begin at once do it one after the other, also if none has before.
    lock table luggage.publication in share row exclusive mode;
    select * into present from luggage.publication for update;
    if present.member = me.id and present.generation = mine and present.is_whole then return mine; end if;
    if present.member <> me.id and present.published_at > now() - interval '1 minute' then
        raise exception 'station % publishes already',
            (select station from luggage.member where id = present.member)
            using errcode = 'LG008', hint = 'let one station publish, and the others run without --publish';
    end if;
    -- Never one that was there, also in the future that a restored hub has lost.
    made := greatest(coalesce(present.generation, 0) + 1, (extract(epoch from now()) * 1000)::bigint);
    delete from luggage.publication;
    insert into luggage.publication values (me.id, made, 0, 0, false);
    return made;
end $$;

-- Publishes rows that stand on every fact before a place; `is_last` tells that there are no more of them.
create or replace function luggage.publish(
    wanted bigint, this_generation bigint, rows jsonb, last_transaction bigint, last_number bigint,
    is_last boolean
) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '20s' as $$
declare
    me luggage.member := luggage.caller(wanted);
    present luggage.publication;
begin
    select * into present from luggage.publication for update;
    if present.member is distinct from me.id or present.generation <> this_generation then
        raise exception 'another station publishes now' using errcode = 'LG008';
    end if;
    -- As a push: a purge does not miss the names that this brings.
    lock table luggage.forgetting in row exclusive mode;
    delete from luggage.bag b using jsonb_array_elements_text(rows -> 'goneBags') g
        where b.id = g.value::uuid;
    delete from luggage.sighting s using jsonb_array_elements_text(rows -> 'goneSightings') g
        where s.id = g.value::uuid;
    delete from luggage.journey j where j.bag in (
        select value::uuid from jsonb_array_elements_text(rows -> 'goneBags')
        union all
        select (value ->> 'id')::uuid from jsonb_array_elements(rows -> 'bags'));
    insert into luggage.bag
        select id,
            -- Without the name, if it has yet to hear of a purge: it might never publish the bag again.
            case when not exists (
                    select from luggage.forgetting g join luggage.fact f on f.bag = g.bag and f.id = g.id
                    where g.bag = b.id
                        and (f.transaction, f.number) > (last_transaction, last_number))
                then nullif(concat_ws(' ', "givenName", "familyName"), '') end,
            weight, "departedAt", "arrivedAt", this_generation
        from jsonb_to_recordset(rows -> 'bags') as b(
            id uuid, "givenName" text, "familyName" text, weight real, "departedAt" timestamptz,
            "arrivedAt" timestamptz)
        on conflict (id) do update set owner = excluded.owner, weight = excluded.weight,
            departed_at = excluded.departed_at, arrived_at = excluded.arrived_at,
            generation = excluded.generation;
    insert into luggage.journey
        select (b.value ->> 'id')::uuid, j.number, j."departedAt", j."arrivedAt",
            coalesce(j.points, '{}'), this_generation
        from jsonb_array_elements(rows -> 'bags') b, jsonb_to_recordset(b.value -> 'journeys') as j(
            number integer, "departedAt" timestamptz, "arrivedAt" timestamptz, points text[]);
    insert into luggage.sighting
        select fact, bag, station, point, role, "scannedAt", outcome, coalesce(reason, ''), counts,
            this_generation, coalesce("isTyped", false)
        from jsonb_to_recordset(rows -> 'sightings') as s(
            fact uuid, bag uuid, station text, point text, role text, "scannedAt" timestamptz,
            outcome text, reason text, counts boolean, "isTyped" boolean)
        on conflict (id) do update set bag = excluded.bag, station = excluded.station,
            point = excluded.point, role = excluded.role, scanned_at = excluded.scanned_at,
            outcome = excluded.outcome, reason = excluded.reason, counts = excluded.counts,
            generation = excluded.generation, is_typed = excluded.is_typed;
    if is_last and not present.is_whole then
        perform luggage.drop_old_rows(wanted, this_generation, null);
    end if;
    update luggage.publication set
        transaction = case when is_last then last_transaction else transaction end,
        number = case when is_last then last_number else number end,
        is_whole = is_whole or is_last,
        overdue = case when is_last then make_interval(secs => (rows ->> 'overdue')::float8) else overdue end,
        published_at = now();
end $$;

-- Drops so many rows of each kind, or all, that an earlier publisher has left; returns how many those were.
create or replace function luggage.drop_old_rows(wanted bigint, this_generation bigint, most integer)
returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '20s' as $$
declare
    me luggage.member := luggage.caller(wanted);
    rows text;
    number bigint;
    dropped bigint := 0;
begin
    perform from luggage.publication where member = me.id and generation = this_generation for update;
    if not found then
        raise exception 'another station publishes now' using errcode = 'LG008';
    end if;
    foreach rows in array array['bag', 'journey', 'sighting'] loop
        execute format(
            'delete from luggage.%1$I where ctid = any (array(
                select ctid from luggage.%1$I where generation < $1 limit $2))', rows)
            using this_generation, most;
        get diagnostics number = row_count;
        dropped := dropped + number;
    end loop;
    return dropped;
end $$;

-- How far the published rows are behind the facts of the hub.
create or replace view luggage.freshness as
    select m.station as publisher, p.published_at, p.is_whole,
        (select count(*) from luggage.fact f where (f.transaction, f.number) > (p.transaction, p.number)
            and f.member <> p.member) as facts_not_yet_published
    from luggage.publication p join luggage.member m on m.id = p.member;

-- Bags that departed and have not arrived.
create or replace view luggage.missing as
    select id as bag, owner, weight, departed_at, now() - departed_at as under_way_for
    from luggage.bag where departed_at is not null and arrived_at is null;

-- Bags that are missing for longer than the publisher's setting `overdue` says, or else for more than a day.
create or replace view luggage.overdue as
    select m.*, overdue_after
    from luggage.missing m, (
        select coalesce((select overdue from luggage.publication), interval '1 day') as overdue_after) b
    where under_way_for > overdue_after;

create or replace view luggage.scans_per_hour as
    select station, point, date_trunc('hour', scanned_at) as hour, count(*) as scans
    from luggage.sighting where counts and bag is not null
    group by station, point, date_trunc('hour', scanned_at);

-- How many of the tags of a station's day were read; who types one is no reader.
create or replace view luggage.read_rate as
    select station, (scanned_at at time zone 'UTC')::date as day,
        count(*) filter (where bag is not null) as filed, count(*) as scans,
        round(100.0 * count(*) filter (where bag is not null) / count(*), 2) as percent
    from luggage.sighting where counts and not is_typed
    group by station, (scanned_at at time zone 'UTC')::date;

-- The stations, for people.
create or replace view luggage.stations as
    select station, login, joined_at, left_at, seen_at, pushed_at, pulled_at, skew, pulls_everything,
        (select count(*) from luggage.ahead a where a.member = m.id) as facts_kept_apart
    from luggage.member m where replaced_by is null;

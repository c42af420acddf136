-- Version 1 of the hub: giving facts.
--
-- Reading waits for a station only that is making the tables of months. Should it stay in that transaction, who
-- waits is told to try again, and ends it then.

-- Whether a member gets a fact: all, or those of bags that it has seen, of pictures of its station without a
-- bag, and of purges of such pictures. None gets what was altered by SQL: see `variant`.
create or replace function luggage.is_for(me luggage.member, fact luggage.fact) returns boolean
language sql stable as $$
    select md5((fact).body)::uuid = (fact).variant and ((me).pulls_everything
        or (fact).member = (me).id
        or (fact).bag = '00000000-0000-0000-0000-000000000000'
            and ((fact).forgets is not null or (fact).station = (me).station)
        or exists (
            select from luggage.interest i where i.member = (me).id and i.bag = (fact).bag)
        -- What it has pushed before it joined anew.
        or exists (
            select from luggage.member m where m.id = (fact).member and m.login = (me).login))
$$;

-- The facts of others after a place, in the order in which they became visible to all.
--
-- Numbers are given before transactions end, so "greater than the last number" would miss some: only
-- facts of transactions before the oldest one still running are given, whatever that one does, and in whatever
-- database of the server. The last row has no body; it tells where to go on, and `more` whether there is more at
-- once: null if there is, but not before a transaction has ended. One call looks at no more facts than it takes a
-- moment to, however few of them are for this member.
create or replace function luggage.pull(
    wanted bigint, after_transaction bigint, after_number bigint, most integer
) returns table (transaction bigint, number bigint, body text, more boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '20s'
    -- Else it might sort all facts that come later, to give the first of them.
    set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_sort = off as $$
declare
    me luggage.member;
    fence bigint;
    last record;
    seen integer := 0;
    given integer := 0;
    bytes bigint := 0;
    most_bytes constant bigint := 8388608;
begin
    me := luggage.reader(wanted);
    fence := luggage.fence();
    transaction := after_transaction;
    number := after_number;
    for last in
        select f.transaction, f.number, f.body, f.member <> me.id and luggage.is_for(me, f) as is_wanted
        from luggage.fact f
        where (f.transaction, f.number) > (after_transaction, after_number) and f.transaction < fence
        order by f.transaction, f.number
        limit 20 * most
    loop
        seen := seen + 1;
        transaction := last.transaction;
        number := last.number;
        if last.is_wanted then
            body := last.body;
            more := true;
            given := given + 1;
            bytes := bytes + octet_length(body);
            return next;
        end if;
        exit when given = most or bytes > most_bytes;
    end loop;
    body := null;
    more := given = most or bytes > most_bytes or seen = 20 * most;
    if not more then
        transaction := greatest(fence, after_transaction);
        number := -1;
        more := nullif(exists (
            select from (
                select f as fact from luggage.fact f where f.transaction >= fence
                order by f.transaction, f.number limit 20 * most) later
            where (fact).member <> me.id and luggage.is_for(me, fact)), true);
    end if;
    return next;
end $$;

-- The bags whose earlier facts a station has yet to get, since it has seen them.
create or replace function luggage.wanted_bags(wanted bigint, most integer) returns setof uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    me luggage.member := luggage.reader(wanted);
begin
    return query select bag from luggage.interest where member = me.id and not is_filled limit most;
end $$;

-- All facts of some bags.
create or replace function luggage.pull_bags(wanted bigint, bags uuid[]) returns setof text
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '20s' as $$
declare
    me luggage.member := luggage.reader(wanted);
begin
    return query
        select f.body from luggage.fact f
        where f.bag = any (bags) and f.member <> me.id and luggage.is_for(me, f);
end $$;

-- Notes that a station has what was here of some bags.
create or replace function luggage.have_bags(wanted bigint, bags uuid[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    me luggage.member := luggage.caller(wanted);
begin
    update luggage.interest set is_filled = true where member = me.id and bag = any (bags);
end $$;

-- How many facts of which stations and days are here, and the XOR of their identifiers.
create or replace function luggage.days(wanted bigint)
returns table (station text, day date, count bigint, digest text)
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '20s' as $$
declare
    me luggage.member := luggage.reader(wanted);
begin
    return query
        select d.station, d.day, count(*),
            lpad(to_hex(bit_xor(d.high)), 16, '0') || lpad(to_hex(bit_xor(d.low)), 16, '0')
        from (
            select distinct f.station, f.day, f.id,
                ('x' || left(replace(f.id::text, '-', ''), 16))::bit(64)::bigint as high,
                ('x' || right(replace(f.id::text, '-', ''), 16))::bit(64)::bigint as low
            from luggage.fact f
            where luggage.is_for(me, f)
            union
            -- What it has pushed, though nobody else gets it yet.
            select a.station, (a.at at time zone 'UTC')::date, a.id,
                ('x' || left(replace(a.id::text, '-', ''), 16))::bit(64)::bigint,
                ('x' || right(replace(a.id::text, '-', ''), 16))::bit(64)::bigint
            from luggage.ahead a where a.member = me.id
        ) d
        group by d.station, d.day;
end $$;

-- Facts of a station's day after one of them, in the order of identifiers, for comparing days.
create or replace function luggage.pull_day(
    wanted bigint, of_station text, of_day date, after_id uuid, after_variant uuid, most integer
) returns table (id uuid, variant uuid, body text)
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '20s' as $$
declare
    me luggage.member := luggage.reader(wanted);
begin
    return query
        select f.id, f.variant, f.body from luggage.fact f
        where f.day = of_day and f.station = of_station and (f.id, f.variant) > (after_id, after_variant)
            and luggage.is_for(me, f)
        order by f.id, f.variant limit most;
end $$;

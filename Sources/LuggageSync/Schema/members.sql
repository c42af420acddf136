-- Version 1 of the hub: who exchanges facts with it.

-- For how long a station may stay in a transaction that has written: it holds up what others hear, and may
-- hold locks. It is as long as a station waits for an answer.
create or replace function luggage.longest_stay() returns interval
language sql immutable parallel safe as $$ select interval '1 minute' $$;

-- When somebody last looked who stays for longer, in seconds. No transaction can hold a sequence, as it
-- can a row.
create sequence luggage.last_look as bigint minvalue 0 start 0;

-- Ends the sessions of stations that stay in a transaction, in any database of the server. Nothing else stops
-- a hostile one: each role can lift the limits of its own sessions.
--
-- Calls that write look, every 5 seconds at most. One that only reads must not: `setval` gives its transaction
-- a number, and nobody gets a fact that comes later before its answer is read.
--
-- As each role can lift its limits, nothing in this schema waits for an advisory lock, which anybody may take
-- and keep; tables can be locked only by these functions.
create or replace function luggage.end_stays() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    present bigint := extract(epoch from clock_timestamp())::bigint;
    stay record;
begin
    if present - (select last_value from luggage.last_look) between 0 and 4 then return; end if;
    perform setval('luggage.last_look', present);
    for stay in
        select a.pid, a.usename, a.datname, clock_timestamp() - a.xact_start as duration
        from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
        where a.pid <> pg_backend_pid() and not r.rolsuper
            -- Who only reads holds up nobody but `make_months`.
            and a.xact_start < clock_timestamp()
                - luggage.longest_stay() * case when a.backend_xid is null then 60 else 1 end
            and pg_has_role(a.usesysid, 'luggage_station', 'member')
    loop
        perform pg_terminate_backend(stay.pid);
        raise log 'ended a session of station % in %, which was in a transaction for %',
            stay.usename, stay.datname, stay.duration;
    end loop;
exception when insufficient_privilege then
    -- The owner is no superuser and has no right to that; setting the hub up says so.
    return;
end $$;

-- Lets ANALYZE keep no samples of the texts of a table: names are in them, which a purge would not reach there.
create or replace function luggage.sample_no_texts(of regclass) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    name text;
begin
    for name in select attname from pg_attribute where attrelid = of and attstattarget is distinct from 0
        and attname in ('body', 'rest', 'renamed_body', 'renamed_rest', 'owner')
    loop
        execute format('alter table %s alter column %I set statistics 0', of, name);
    end loop;
end $$;

-- Makes the partitions of this month and the next two. Those who push call it, before they use any of the
-- facts, and those who greet the hub.
--
-- Not of days: each statement locks all partitions with their indexes, and a server has room for so many
-- locks. Attaching one waits for all that use `fact_other`, and then they for it. If it takes long, or another
-- does it, the next call tries again.
create or replace function luggage.make_months() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '500ms' as $$
declare
    present date := date_trunc('month', now() at time zone 'UTC')::date;
    wanted date;
    following date;
    name text;
begin
    if to_regclass('luggage.fact_' || to_char(present + interval '1 month', 'YYYYMM')) is not null then
        return;
    end if;
    -- What attaching takes anyway; it stops nobody from adding facts, unlike `create … partition of`.
    lock table luggage.fact in share update exclusive mode nowait;
    for wanted in select present + step * interval '1 month' from generate_series(0, 2) step loop
        name := 'fact_' || to_char(wanted, 'YYYYMM');
        following := wanted + interval '1 month';
        continue when to_regclass('luggage.' || name) is not null;
        -- Facts of that month are among the others already: they stay there.
        continue when exists (select from luggage.fact_other where day >= wanted and day < following);
        execute format('create table luggage.%I (like luggage.fact including all)', name);
        perform luggage.sample_no_texts(('luggage.' || name)::regclass);
        execute format(
            'alter table luggage.fact attach partition luggage.%I for values from (%L) to (%L)',
            name, wanted, following);
    end loop;
exception
    when lock_not_available or deadlock_detected then return;
end $$;

-- The present run of the server.
create or replace function luggage.this_run() returns luggage.run
language sql stable set search_path = pg_catalog, pg_temp as $$
    select r from luggage.run r order by number desc limit 1
$$;

-- Notes that the server was started anew, which may be after a restoration, a failover or a move to another
-- system. Every call of a member begins with it, so no fact is stored before.
create or replace function luggage.notice_run() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '20s' as $$
declare
    last luggage.run;
    present luggage.run;
    stored bigint;
begin
    select system_identifier::text into present.system from pg_control_system();
    present.timeline :=
        ('x' || lpad(left(pg_walfile_name(pg_current_wal_lsn()), 8), 16, '0'))::bit(64)::bigint;
    present.started_at := pg_postmaster_start_time();
    present.relation := 'luggage.fact'::regclass;
    for attempt in 1..2 loop
        last := luggage.this_run();
        if (last.system, last.timeline, last.started_at, last.relation)
            is not distinct from
                (present.system, present.timeline, present.started_at, present.relation) then
            return;
        end if;
        lock table luggage.run in share row exclusive mode;
    end loop;
    present.place := pg_current_xact_id()::text::bigint;
    present.shift := coalesce(last.shift, 0);
    if last.system <> present.system or last.relation <> present.relation then
        -- From the beginning: nothing is before the first place.
        select greatest(last.place, max(transaction)) into stored from luggage.fact;
        present.shift := stored + 1 - present.place;
    end if;
    insert into luggage.run (system, relation, timeline, started_at, shift, place)
        values (present.system, present.relation, present.timeline, present.started_at, present.shift,
            present.place + present.shift);
end $$;

-- The member that calls and only reads; an error if this login may not speak for it.
--
-- It locks nothing: who takes long to read an answer must not hold up others.
create or replace function luggage.reader(wanted bigint) returns luggage.member
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    found luggage.member;
begin
    perform luggage.notice_run();
    select * into found from luggage.member where id = wanted;
    if found.id is null then
        raise exception 'this hub does not know member %', wanted using errcode = 'LG001';
    end if;
    if found.login <> session_user then
        raise exception 'member % logs in as %, not as %', wanted, found.login, session_user
            using errcode = 'LG002',
                hint = 'use the address with which this record has joined, or join with this one by '
                    || '`luggage sync join --as-new`';
    end if;
    if found.left_at is not null then
        raise exception 'station % has left', found.station
            using errcode = 'LG003', hint = 'to come back, run `luggage sync join --as-new`';
    end if;
    if found.replaced_by is not null then
        raise exception 'another record has taken the place of this one' using errcode = 'LG004';
    end if;
    return found;
end $$;

-- The member that calls and writes, which it does in one connection at a time.
create or replace function luggage.caller(wanted bigint) returns luggage.member
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '20s' as $$
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        -- It would see facts and purges as they were before those that it has waited for.
        raise exception 'a station may write only in a transaction that is read committed'
            using errcode = 'LG009', hint = 'let default_transaction_isolation at the hub be read committed';
    end if;
    perform luggage.end_stays();
    perform luggage.notice_run();
    perform from luggage.member where id = wanted for no key update;
    return luggage.reader(wanted);
end $$;

-- Notes that a station is here, and passes on what has waited for its time. At most once a second.
create or replace function luggage.attend(wanted bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    me luggage.member := luggage.reader(wanted);
begin
    if me.pulled_at > now() - interval '1 second' then return; end if;
    perform luggage.caller(wanted);
    update luggage.member set pulled_at = now(), seen_at = now() where id = me.id;
    perform luggage.release_due();
end $$;

-- The place of this transaction in the order of the facts.
create or replace function luggage.this_place() returns bigint
language sql volatile set search_path = pg_catalog, pg_temp as $$
    select pg_current_xact_id()::text::bigint + (luggage.this_run()).shift
$$;

-- The place before which every fact can be seen that will ever be before it.
create or replace function luggage.fence() returns bigint
language sql stable set search_path = pg_catalog, pg_temp as $$
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + (luggage.this_run()).shift
$$;

-- What a station needs to know first; `wanted` is null before it joins.
create or replace function luggage.greet(wanted bigint) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    me luggage.member;
begin
    perform luggage.end_stays();
    perform luggage.notice_run();
    if wanted is not null then
        me := luggage.caller(wanted);
        update luggage.member set seen_at = now() where id = me.id;
    end if;
    perform luggage.release_due();
    perform luggage.make_months();
    return (
        select jsonb_build_object(
            'hub', id, 'version', version,
            'runs', (
                select jsonb_agg(jsonb_build_object('id', r.id, 'place', r.place) order by r.number)
                from (select * from luggage.run order by number desc limit 20) r),
            'now', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
            'token', me.token, 'nonce', me.nonce,
            'waiting', (select count(*) from luggage.ahead where member = me.id))
        from luggage.hub);
end $$;

-- Why a role would be more than a station; null if it would not.
create or replace function luggage.power(login name) returns text
language sql stable set search_path = pg_catalog, pg_temp as $$
    select case
        when r.rolsuper then 'is a superuser'
        when pg_has_role(r.oid, n.nspowner, 'member') then 'owns the hub'
        when has_table_privilege(r.oid, 'luggage.fact', 'select')
            or exists (select from pg_class c where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v')
                and has_table_privilege(r.oid, c.oid, 'insert, update, delete, truncate'))
            or exists (select from pg_roles p
                where pg_has_role(r.oid, p.oid, 'member') and (p.rolname like 'pg\_%'
                    or p.rolsuper or p.rolcreaterole or p.rolcreatedb or p.rolreplication or p.rolbypassrls))
            then 'may do more at this server than a station'
        when r.rolname like 'luggage\_%' then 'is a group, whose members would be stations too'
        when not r.rolcanlogin then 'may not log in'
    end
    from pg_roles r, pg_namespace n where r.rolname = login and n.nspname = 'luggage'
$$;

-- Joins a record as a member.
create or replace function luggage.enter(
    station text, machine text, pulls_everything boolean, takes_place boolean
) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    present luggage.member;
    made bigint := luggage.draw_member();
    power text := luggage.power(session_user);
begin
    if power is not null then
        raise exception 'the role % %, so it cannot be the login of a station', session_user, power
            using errcode = 'LG011', hint = 'give the station a login of its own: `luggage sync admit`';
    end if;
    perform luggage.end_stays();
    perform luggage.notice_run();
    select * into present from luggage.member
        where login = session_user and left_at is null and replaced_by is null for update;
    if present.id is not null and not takes_place then
        raise exception 'the login % is that of station % already, whose record was here at %',
            session_user, present.station,
            to_char(present.seen_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')
            using errcode = 'LG005',
                hint = 'each record has a login of its own: let this one in with `luggage sync admit`, or take '
                    || 'the place of the other with `luggage sync join --as-new`';
    end if;
    update luggage.member set replaced_by = made where id = present.id;
    insert into luggage.member (id, login, station, machine, pulls_everything)
        values (made, session_user, station, machine, pulls_everything);
    -- It may have lost what the other one had of them.
    insert into luggage.interest select made, bag, false from luggage.interest where member = present.id;
    return made;
exception when unique_violation then
    raise exception 'another record joins with the login % right now', session_user using errcode = 'LG005',
        hint = 'each record has a login of its own: let this one in with `luggage sync admit`';
end $$;

create or replace function luggage.leave(wanted bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform luggage.caller(wanted);
    update luggage.member set left_at = now() where id = wanted;
    delete from luggage.interest where member = wanted;
end $$;

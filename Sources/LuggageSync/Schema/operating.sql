-- Version 1 of the hub: what its owner does, and nobody else.

-- The statements of purges that the hub follows, and who has sent them first.
create or replace view luggage.purges as
    select g.id, nullif(g.bag, luggage.no_bag()) as bag, g.scope, g.until, g.known, m.station, m.login
    from luggage.forgetting g
    -- By the bag there is an index.
    left join lateral (
        select f.member from luggage.fact f where f.bag = g.bag and f.id = g.id limit 1) f on true
    left join luggage.member m on m.id = f.member;

-- Takes back the statement of a purge, and lets each station compare its days with the hub, as if the hub had
-- been put back: so it gets again what it has forgotten, from whoever has it. Returns whether there is such
-- a statement.
create or replace function luggage.take_back(purge uuid) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    purged uuid;
begin
    lock table luggage.forgetting in share row exclusive mode;
    delete from luggage.forgetting where id = purge returning bag into purged;
    if not found then return false; end if;
    delete from luggage.fact where bag = purged and id = purge;
    update luggage.member set token = 0 where token > 0;
    return true;
end $$;

-- Ends the membership of a login that has no rights any more, and drops what only the hub has of it: facts
-- that nobody else was given yet, and what it has published. Returns the stations as which it has joined.
create or replace function luggage.expel(wanted name) returns setof text
language plpgsql set search_path = pg_catalog, pg_temp set lock_timeout = '20s' as $$
declare
    members bigint[] := array(select id from luggage.member where login = wanted);
begin
    delete from luggage.ahead where member = any (members);
    delete from luggage.interest where member = any (members);
    if exists (select from luggage.publication where member = any (members)) then
        -- At once, however many they are.
        truncate luggage.publication, luggage.bag, luggage.journey, luggage.sighting;
    end if;
    return query
        update luggage.member set left_at = now()
        where id = any (members) and left_at is null and replaced_by is null
        returning station;
end $$;

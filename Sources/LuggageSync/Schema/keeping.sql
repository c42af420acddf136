-- Version 1 of the hub: keeping facts, and forgetting.

-- Keeps facts, and forgets what they tell to forget. A push may be repeated without end.
--
-- `before` is the nonce of the last push that this record knows to have arrived, and `attempt` that of
-- this one: so another record that speaks for the same member is noticed. `token` is the save up to which
-- the history is pushed; null if the facts are not the next of the history.
create or replace function luggage.push(
    wanted bigint, before uuid, attempt uuid, token bigint, clock timestamptz, facts jsonb
) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '20s' as $$
declare
    me luggage.member;
    pushed luggage.ahead[];
    stored integer;
    early integer;
    is_of_purge boolean := exists (
        select from jsonb_array_elements(facts) f where f ->> 'forgets' is not null);
begin
    me := luggage.caller(wanted);
    if me.nonce is distinct from before and me.nonce is distinct from attempt then
        raise exception 'another record has pushed as station %', me.station
            using errcode = 'LG006', hint = 'try again: it finds out which of the two is the copy';
    end if;
    perform luggage.release_due();
    -- A purge must not miss what another station is pushing right now: it waits for all who push, and they
    -- for it. Whoever stays in such a transaction is ended, see `end_stays`; who waits is told to try again.
    if is_of_purge then
        lock table luggage.forgetting in share row exclusive mode;
    else
        lock table luggage.forgetting in row exclusive mode;
    end if;
    perform luggage.make_months();

    select coalesce(array_agg(row(f.*)::luggage.ahead), '{}') into pushed from (
        select distinct on (told.id, md5(told.body))
            told.id, md5(told.body)::uuid, coalesce(told.bag, luggage.no_bag()),
            coalesce(told.station, ''), told.at, told.known,
            told.forgets, told.until, me.id, told.body, told.rest_id, told.rest,
            told.renamed_at, told.renamed_known, told.renamed_body, told.renamed_rest,
            greatest(told.at, told.known, told.until) - interval '5 minutes'
        from jsonb_to_recordset(facts) as told(
            id uuid, bag uuid, station text, at timestamptz, known timestamptz, forgets text,
            until timestamptz, body text, rest_id uuid, rest text, renamed_at timestamptz,
            renamed_known timestamptz, renamed_body text, renamed_rest text)
    ) f;
    perform luggage.check_statement(p) from unnest(pushed) p
        where p.forgets is not null or p.body ~ 'forgotten-|\\u';
    insert into luggage.ahead select * from unnest(pushed) p where p.due > now()
        on conflict (id, variant) do update set member = excluded.member;
    get diagnostics early = row_count;
    -- Also if all of them were kept apart before: it may be a repeated push.
    if early > 0 then
        select coalesce(array_agg(p), '{}') into pushed from unnest(pushed) p where p.due <= now();
    end if;
    stored := luggage.keep(pushed);

    update luggage.member m set
        nonce = attempt,
        token = greatest(m.token, push.token),
        pushed_at = now(),
        seen_at = now(),
        skew = push.clock - clock_timestamp()
        where m.id = me.id;
    return jsonb_build_object(
        'stored', stored, 'ahead', early,
        'waiting', (select count(*) from luggage.ahead where member = me.id),
        'now', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'));
end $$;

-- Refuses a fact of which the hub would forget something else than stations do: one that is, or is not, the
-- statement of a purge, unlike its body, which is what they read.
--
-- Such a body has no members but these, each once, so nobody can read it otherwise. Other bodies are looked
-- at only if they may be statements, and may be what they like.
create or replace function luggage.check_statement(told luggage.ahead) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    says jsonb;
    kind text;
    is_about_bag boolean := told.bag <> luggage.no_bag();
    form text := '^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3])(:[0-5][0-9]){2}([.][0-9]+)?Z$';
    is_right boolean;
begin
    begin
        says := told.body::jsonb;
        kind := says ->> 'kind';
        if told.forgets is null then
            is_right := kind is null or kind not like 'forgotten-%';
        else
            is_right := says ->> 'record' = 'fact' and (says ->> 'id')::uuid = told.id
                and kind = case
                    when told.forgets = 'names' and is_about_bag then 'forgotten-names'
                    when told.forgets = 'names' then 'forgotten-failure-names'
                    when is_about_bag then 'forgotten-bag' else 'forgotten-failures' end
                and ((says ->> 'subject')::uuid = told.bag or not is_about_bag)
                and (says ->> 'subject')::uuid is not null
                and says ->> 'madeAt' ~ form and says ->> 'until' ~ form
                and coalesce(says ->> 'knownAt', says ->> 'madeAt') ~ form
                and luggage.is_same((says ->> 'madeAt')::timestamptz, told.at)
                and luggage.is_same((says ->> 'until')::timestamptz, told.until)
                and luggage.is_same(
                    coalesce(says ->> 'knownAt', says ->> 'madeAt')::timestamptz,
                    coalesce(told.known, told.at))
                and (
                    select count(*) = count(distinct key) and bool_and(json_typeof(value) = 'string'
                        and key in ('record', 'id', 'kind', 'subject', 'madeAt', 'knownAt', 'until'))
                    from json_each(told.body::json));
        end if;
    exception when data_exception then
        -- No JSON, or no identifier or time where one belongs.
        is_right := told.forgets is null;
    end;
    if is_right is not true then
        raise exception 'the fact % says of a purge something else than its body', told.id
            using errcode = 'LG010', hint = 'see that the hub and this program are of one version';
    end if;
end $$;

-- Whether two times are the same but for parts of a millisecond, which one of them may lack.
create or replace function luggage.is_same(one timestamptz, other timestamptz) returns boolean
language sql immutable parallel safe as $$
    select abs(extract(epoch from one) - extract(epoch from other)) <= 0.002
$$;

-- Whether a purge of names or of everything about a bag covers a fact with these times.
create or replace function luggage.covers(
    purge luggage.forgetting, at timestamptz, known timestamptz
) returns boolean
language sql immutable parallel safe as $$
    select at < purge.until and coalesce(known, '-infinity') < purge.known
$$;

-- A fact without what purges of names take from it: its own names, and the identifier of the fact that
-- it withdraws if that one would tell names.
create or replace function luggage.without_names(
    fact luggage.ahead, loses_names boolean, is_renamed boolean
) returns luggage.ahead
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
    if is_renamed and fact.renamed_body is not null then
        fact.body := fact.renamed_body;
        fact.rest := fact.renamed_rest;
        fact.rest_id := case when fact.rest is not null then fact.id end;
        fact.renamed_at := null;
        fact.renamed_known := null;
        fact.renamed_body := null;
        fact.renamed_rest := null;
    end if;
    if loses_names then
        fact.body := coalesce(fact.rest, fact.body);
        fact.id := coalesce(fact.rest_id, fact.id);
        fact.rest := null;
        fact.rest_id := null;
        if fact.renamed_body is not null then
            fact.renamed_body := coalesce(fact.renamed_rest, fact.renamed_body);
        end if;
        fact.renamed_rest := null;
    end if;
    fact.variant := md5(fact.body)::uuid;
    return fact;
end $$;

-- Keeps facts, and applies the statements of purges among them.
--
-- It takes an array, not a temporary table: who made a table of that name first, with a trigger, could act
-- with the rights of this function.
create or replace function luggage.keep(pushed luggage.ahead[]) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    stored integer;
    purge luggage.forgetting;
    place bigint := luggage.this_place();
begin
    insert into luggage.forgetting
        select distinct on (id) id, bag, forgets, until, coalesce(known, at)
        from unnest(pushed) where forgets is not null
        on conflict do nothing;
    with judged as (
        select p as fact, g.*
        from unnest(pushed) p
        left join lateral (
            select bool_or(g.scope = 'bag' and luggage.covers(g, p.at, p.known)) as is_lost,
                bool_or(g.scope = 'names' and luggage.covers(g, p.at, p.known)) as loses_names,
                bool_or(g.scope = 'names' and luggage.covers(g, p.renamed_at, p.renamed_known))
                    as is_renamed
            from luggage.forgetting g where g.bag = p.bag and p.forgets is null
        ) g on true
    ), kept as (
        select (case
            when loses_names or is_renamed
            then luggage.without_names(fact, coalesce(loses_names, false), coalesce(is_renamed, false))
            else fact end).*
        from judged where is_lost is not true
    )
    insert into luggage.fact
        select distinct on (day, id, variant)
            place, nextval('luggage.fact_number'), (at at time zone 'UTC')::date as day,
            id, variant, bag, station, at, known, forgets, until, member, body, rest_id, rest,
            renamed_at, renamed_known, renamed_body, renamed_rest
        from kept
        -- What was altered is right again.
        on conflict (day, id, variant) do update set transaction = excluded.transaction,
            number = excluded.number, body = excluded.body
            where md5(luggage.fact.body)::uuid <> luggage.fact.variant;
    get diagnostics stored = row_count;

    for purge in
        select * from luggage.forgetting
        where id in (select id from unnest(pushed) where forgets is not null)
    loop
        perform luggage.forget(purge);
    end loop;

    insert into luggage.interest
        select distinct p.member, p.bag, false from unnest(pushed) p
        join luggage.member m on m.id = p.member and not m.pulls_everything
        where p.bag <> luggage.no_bag()
        on conflict do nothing;
    if stored > 0 then perform pg_notify('luggage', ''); end if;
    return stored;
end $$;

-- Takes from the facts that are here what a purge says is forgotten.
--
-- They keep their places in the order, except those that name another fact from now on: these are news
-- for who has them without what they withdraw.
create or replace function luggage.forget(purge luggage.forgetting) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    delete from luggage.fact f
    where purge.scope = 'bag' and f.bag = purge.bag and f.forgets is null
        and luggage.covers(purge, f.at, f.known);
    with struck as (
        delete from luggage.fact f
        where purge.scope = 'names' and f.bag = purge.bag and f.forgets is null
            and (luggage.covers(purge, f.at, f.known) and f.rest is not null
                or luggage.covers(purge, f.renamed_at, f.renamed_known))
        returning f.*
    ), stripped as (
        select s.transaction, s.number, s.day, luggage.without_names(
            (s.id, s.variant, s.bag, s.station, s.at, s.known, s.forgets, s.until, s.member, s.body,
                s.rest_id, s.rest, s.renamed_at, s.renamed_known, s.renamed_body, s.renamed_rest,
                s.at)::luggage.ahead,
            luggage.covers(purge, s.at, s.known), r.is_renamed) as fact,
            r.is_renamed
        from struck s, lateral (
            select coalesce(luggage.covers(purge, s.renamed_at, s.renamed_known), false) as is_renamed
        ) r
    )
    insert into luggage.fact
        select case when is_renamed then luggage.this_place() else transaction end,
            case when is_renamed then nextval('luggage.fact_number') else number end,
            day, (fact).id, (fact).variant, (fact).bag, (fact).station, (fact).at,
            (fact).known, null, null, (fact).member, (fact).body, (fact).rest_id, (fact).rest,
            (fact).renamed_at, (fact).renamed_known, (fact).renamed_body, (fact).renamed_rest
        from stripped
        on conflict do nothing;
    -- Those that wait for their time hold names too, also in what they call the fact that they withdraw.
    with struck as (
        delete from luggage.ahead a
        where a.bag = purge.bag and a.forgets is null
            and (luggage.covers(purge, a.at, a.known) and (purge.scope = 'bag' or a.rest is not null)
                or purge.scope = 'names' and luggage.covers(purge, a.renamed_at, a.renamed_known))
        returning a
    )
    insert into luggage.ahead
        select (luggage.without_names(
            a, luggage.covers(purge, (a).at, (a).known),
            coalesce(luggage.covers(purge, (a).renamed_at, (a).renamed_known), false))).*
        from struck where purge.scope = 'names'
        on conflict do nothing;
    -- What a publisher that is gone has left; one that is there publishes the bag anew, once it has heard
    -- of the purge.
    update luggage.bag set owner = null where id = purge.bag and owner is not null;
end $$;

-- Passes on facts that were kept apart, once their time has come: some at a time, so that no call takes long.
create or replace function luggage.release_due() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '20s' as $$
declare
    released luggage.ahead[];
begin
    if not exists (select from luggage.ahead where due <= now()) then return; end if;
    lock table luggage.forgetting in share row exclusive mode;
    with due as (
        delete from luggage.ahead where (id, variant) in (
            select id, variant from luggage.ahead where due <= now() order by due limit 5000)
        returning ahead)
    select array_agg(due.ahead) into released from due;
    perform luggage.keep(coalesce(released, '{}'));
exception when integrity_constraint_violation or data_exception then
    -- Whoever calls must not fail for what another has sent: it stays apart, for a person to look at.
    update luggage.ahead a set due = 'infinity' from unnest(released) r
        where (a.id, a.variant) = (r.id, r.variant);
    raise warning 'facts that were kept apart cannot be kept: %', sqlerrm;
end $$;

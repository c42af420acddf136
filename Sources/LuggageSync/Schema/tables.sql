-- Version 1 of the hub: the facts of all stations, and who the stations are.
--
-- Statements that begin with `create or replace` or `create … index if not exists` are run by each set-up.
--
-- The hub decides nothing. It keeps bodies of facts as texts that only stations read, and forgets what a
-- station tells it to forget. Stations may only call the functions of this schema.

create schema luggage;

-- Stands for no bag, so that facts about none are found as those of a bag are.
create or replace function luggage.no_bag() returns uuid
language sql immutable parallel safe as $$ select '00000000-0000-0000-0000-000000000000'::uuid $$;

-- The hub itself: one row.
create table luggage.hub (
    id uuid primary key default gen_random_uuid(),
    version integer not null,
    made_at timestamptz not null default now(),
    is_only boolean not null default true unique check (is_only)
);

-- The runs of the server, oldest first: so stations notice a hub that was put back to an earlier state.
--
-- They remember in which run they were last here. If the next run began before the place up to which they
-- have pulled, this hub has lost what was between.
create table luggage.run (
    number integer generated always as identity primary key,
    id uuid not null unique default gen_random_uuid(),
    -- The database system, its timeline, when its server was started, and the table of the facts: another
    -- one if a dump was restored. Each run has others.
    system text not null,
    relation oid not null,
    timeline bigint not null,
    started_at timestamptz not null,
    -- What to add to the numbers of its transactions to get places in the order of the facts. They begin
    -- anew where the hub was copied to another system; the order goes on.
    shift bigint not null,
    -- The place at which it began: facts of earlier runs are before it, and its own are not.
    place bigint not null
);

-- The number of a new member. Drawn, not counted: a hub that was restored must not give the number of a
-- member that it has lost to another station.
create or replace function luggage.draw_member() returns bigint
language sql volatile as $$
    select ('x' || left(replace(gen_random_uuid()::text, '-', ''), 13))::bit(52)::bigint
$$;

-- A station's record that has joined. A record that takes the place of another is a member of its own.
create table luggage.member (
    id bigint primary key,
    -- The role with which it must log in.
    login name not null,
    station text not null,
    -- Which machine it is, for telling a copy from a record that was restored.
    machine text not null,
    -- Whether it gets every fact, or only those of bags that it has seen.
    pulls_everything boolean not null,
    joined_at timestamptz not null default now(),
    left_at timestamptz,
    -- Noted before the other one is here: each login has one member at a time.
    replaced_by bigint references luggage.member deferrable initially deferred,
    -- The last push: a random number that only the record that made it knows, and the save up to which
    -- its history was pushed.
    nonce uuid,
    token bigint not null default 0,
    pushed_at timestamptz,
    pulled_at timestamptz,
    seen_at timestamptz not null default now(),
    -- By how much its clock is ahead of the hub's.
    skew interval
);
create unique index if not exists member_login_idx on luggage.member (login) where left_at is null and replaced_by is null;

create sequence luggage.fact_number as bigint;

-- Facts whose times are more than 5 minutes ahead of the hub's clock, kept apart until it gets there. It has
-- what a station tells of each fact, which the table of the facts is like: what cannot become a fact must
-- not wait here.
create table luggage.ahead (
    id uuid not null,
    -- The MD5 of the body. One whose body is another was altered by SQL: nobody gets it, until somebody who has
    -- the fact sends it again.
    variant uuid not null,
    -- Zeros if it is about no bag.
    bag uuid not null,
    station text not null,
    -- The times by which a purge decides whether it is forgotten.
    at timestamptz not null,
    known timestamptz,
    -- What it forgets, if it is the statement of a purge.
    forgets text check (forgets in ('names', 'bag')),
    until timestamptz,
    -- Who has pushed it first. No foreign key: attaching a partition with one would lock the members, and
    -- each push writes one. Nobody deletes members.
    member bigint not null,
    body text not null,
    -- What is left of it without names; null if that is everything.
    rest_id uuid,
    rest text,
    -- If the fact that it withdraws, with these times, loses its names: what it says then, since that
    -- fact gets another identifier; and what is left of that without names.
    renamed_at timestamptz,
    renamed_known timestamptz,
    renamed_body text,
    renamed_rest text,
    check ((rest_id is null) = (rest is null)),
    check ((renamed_at is null) = (renamed_body is null)),
    check (renamed_rest is null or renamed_body is not null),
    check ((forgets is null) = (until is null)),
    -- A scanner may send 65,536 bytes that are no tag, of which JSON makes six times as many.
    constraint is_short check (greatest(octet_length(body), octet_length(rest),
        octet_length(renamed_body), octet_length(renamed_rest)) <= 1048576)
);

-- The facts. Several versions of one fact may be here: stations merge them.
create table luggage.fact (
    -- The order in which they became visible, see `pull`: the transaction that stored it, as a place in
    -- the order of all runs, and a number.
    transaction bigint not null,
    number bigint not null,
    -- The day of `at` in UTC.
    day date not null,
    like luggage.ahead including constraints,
    primary key (day, id, variant)
) partition by range (day);
create index if not exists fact_transaction_number_idx on luggage.fact (transaction, number);
create index if not exists fact_bag_idx on luggage.fact (bag);

-- When it is no longer ahead.
alter table luggage.ahead add column due timestamptz not null, add primary key (id, variant);
create index if not exists ahead_due_idx on luggage.ahead (due);
create index if not exists ahead_member_idx on luggage.ahead (member);

-- The months before the hub was made.
do $$
begin
    execute format('create table luggage.fact_before partition of luggage.fact for values from (minvalue) to (%L)',
        date_trunc('month', now() at time zone 'UTC')::date);
end $$;

-- Months without a partition of their own. To attach one, PostgreSQL looks at everything here.
create table luggage.fact_other partition of luggage.fact default;

-- The statements of purges once more: every push asks whether one covers what it brings.
create table luggage.forgetting (
    id uuid primary key,
    bag uuid not null,
    scope text not null,
    until timestamptz not null,
    known timestamptz not null
);
create index if not exists forgetting_bag_idx on luggage.forgetting (bag);

-- The bags of which a station that does not get everything gets the facts.
create table luggage.interest (
    member bigint not null references luggage.member,
    bag uuid not null,
    -- Whether it has the facts that were here before it saw the bag.
    is_filled boolean not null default false,
    primary key (member, bag)
);
create index if not exists interest_member_idx on luggage.interest (member) where not is_filled;

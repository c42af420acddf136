import Foundation
import HubConnection
import LuggageTags
import TestHubs
import Testing

@testable import LuggageSync

@Suite("A station's login at the hub", .serialized, .timeLimit(.minutes(30)))
struct RightsTests {
    private let zeros = "'00000000-0000-0000-0000-000000000000'::uuid"

    @Test("may read no table, change none, and call only what stations need")
    func tables() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            try fleet[0].scan([1])
            try fleet[0].sync()
            for publishes in [false, true] {
                let login = try fleet.admit("login \(publishes)")
                if !publishes {
                    try fleet.query("revoke luggage_publisher from \"\(login)\"")
                    try fleet.query("grant luggage_station to \"\(login)\"")
                }
                let connection = try HubConnection(ofTest: fleet.address(as: login))
                let relations = try fleet.query(
                    """
                    select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
                    where n.nspname = 'luggage' and c.relkind in ('r', 'p', 'v', 'S')
                    """
                ).compactMap { $0[0] }
                #expect(relations.contains("fact") && relations.contains("fact_other"))
                #expect(relations.contains { $0.hasPrefix("fact_2") }, "a day of its own")
                for relation in relations {
                    for sql in [
                        "select from luggage.\(relation)", "delete from luggage.\(relation)",
                        "truncate luggage.\(relation)",
                        "copy luggage.\(relation) to stdout",
                        "create table luggage.mine ()", "drop table luggage.\(relation)",
                    ] {
                        let error = failure { try connection.query(sql) } as? HubError
                        // What is not possible with a view or a sequence is refused to everybody.
                        let codes = ["42501", "42809", "55000"]
                        #expect(
                            codes.contains(error?.sqlState ?? ""),
                            "\(sql): \(error?.message ?? "")"
                        )
                    }
                }
                let callable = try connection.query(
                    """
                    select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
                    where n.nspname = 'luggage' and has_function_privilege(p.oid, 'execute') order by 1
                    """
                ).compactMap { $0[0] }
                let stations = [
                    "attend", "days", "enter", "greet", "have_bags", "leave", "pull", "pull_bags",
                    "pull_day",
                    "push", "wanted_bags",
                ]
                let publishers = ["begin_publishing", "drop_old_rows", "publish"]
                #expect(callable == (publishes ? stations + publishers : stations).sorted())
            }
        }
    }

    @Test("speaks for no other member")
    func others() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            try north.scan([1])
            try north.sync()
            let member = try #require(try north.state?.member)
            let connection = try south.connect().connection
            let calls = [
                "greet(\(member))", "leave(\(member))", "days(\(member))",
                "push(\(member), null, gen_random_uuid(), 1, now(), '[]')",
                "pull(\(member), 0, 0, 10)", "wanted_bags(\(member), 10)",
                "pull_bags(\(member), '{}')", "have_bags(\(member), '{}')",
                "pull_day(\(member), 'north', now()::date, \(zeros), \(zeros), 10)",
                "begin_publishing(\(member), null)",
                "publish(\(member), 1, '{}', 0, 0, false)", "drop_old_rows(\(member), 1, 10)",
            ]
            // Nor by becoming the group, whose rights it has.
            for role in ["none", "luggage_station"] {
                try connection.query("set role \(role)")
                for call in calls {
                    let error =
                        failure { try connection.query("select luggage.\(call)") } as? HubError
                    let isRefused = error?.refusal == .otherLogin || error?.kind == .forbidden
                    #expect(isRefused, "\(call): \(error?.message ?? "nothing")")
                }
            }
            try north.sync()
            #expect(north.events.isEmpty)
        }
    }

    @Test("gains nothing by tables, functions and operators that it makes itself")
    func tricks() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            try fleet[0].scan([1])
            try fleet[0].sync()
            // Even where everybody may make tables in the schema that all look in.
            try fleet.query("grant create on schema public to public")
            let south = fleet[1]
            let connection = try south.connect().connection
            let member = try #require(try south.state?.member)
            for table in [
                "fact", "member", "ahead", "forgetting", "hub", "interest", "run", "publication",
                "bag",
            ] {
                for place in ["pg_temp", "public"] {
                    try connection.query("create table \(place).\(table) (stolen text)")
                }
            }
            try connection.query("create table public.loot (who text)")
            try connection.query("grant all on public.loot to public")
            try connection.query(
                """
                create function public.steal() returns trigger language plpgsql as $$
                begin insert into public.loot values (current_user); return new; end $$
                """
            )
            for name in [
                "md5(text)", "greatest(timestamptz)", "now()", "hashtext(text)",
                "pg_notify(text, text)", "to_regclass(text)", "count(bigint)", "nextval(regclass)",
            ] where !name.hasPrefix("greatest") {
                for place in ["pg_temp", "public"] {
                    let result = name.hasPrefix("now") ? "timestamptz" : "text"
                    try connection.query(
                        """
                        create function \(place).\(name) returns \(result) language plpgsql as $$
                        begin insert into public.loot values (current_user); return null; end $$
                        """
                    )
                }
            }
            try connection.query(
                """
                create function public.same(uuid, uuid) returns boolean language plpgsql as $$
                begin insert into public.loot values (current_user); return true; end $$
                """
            )
            try connection.query(
                "create operator public.= (leftarg = uuid, rightarg = uuid, function = public.same)"
            )
            try connection.query("set search_path = pg_temp, public, luggage, pg_catalog")
            let fact = """
                [{"id":"\(UUID())","bag":"\(Station.bag(9))","station":"s","at":"2023-11-14T22:13:20Z","body":"x"}]
                """
            for call in [
                "greet(\(member))", "days(\(member))", "pull(\(member), 0, 0, 10)",
                "push(\(member), null, '\(UUID())', 1, pg_catalog.now(), '\(fact)')",
                "wanted_bags(\(member), 10)", "pull_bags(\(member), '{\(Station.bag(1))}')",
                "have_bags(\(member), '{}')",
                "pull_day(\(member), 'north', '2023-11-14', \(zeros), \(zeros), 10)",
                "begin_publishing(\(member), null)", "leave(\(member))",
            ] {
                try connection.query("select luggage.\(call)")
            }
            #expect(
                try fleet.value("select count(*) from public.loot where who = 'postgres'") == "0"
            )
            #expect(try fleet.value("select count(*) from luggage.fact") == "2")
            for table in ["fact", "member"] {
                #expect(try connection.query("select from public.\(table)").isEmpty)
            }
        }
    }

    @Test("gains nothing where the hub's owner comes to functions and operators that it has made")
    func traps() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            try fleet.query("grant create on schema public to public")
            let connection = try fleet[1].connect().connection
            try connection.query("create table public.loot (who text)")
            try connection.query("grant all on public.loot to public")
            // They fit what the owner's statements say better than PostgreSQL's own.
            for (name, arguments) in [
                ("pg_has_role", "oid, text, text"), ("has_table_privilege", "oid, text, text"),
                ("equal", "name, text"), ("alike", "name, name"),
            ] {
                try connection.query(
                    """
                    create function public.\(name)(\(arguments)) returns boolean language plpgsql as $$
                    begin insert into public.loot values (current_user); return false; end $$
                    """
                )
            }
            try connection.query(
                "create operator public.~~ (leftarg = name, rightarg = name, function = public.alike)"
            )
            try connection.query(
                "create operator public.= (leftarg = name, rightarg = text, function = public.equal)"
            )
            let address = try HubAddress(fleet.address(as: "postgres"))
            let owner = try HubConnection(toHub: address)
            _ = try HubSchema.setUp(owner, admitting: [fleet[0].login])
            try StationLogin(fleet[0].login).admit(publishes: true, owner)
            _ = try HubOperation.advice(owner)
            _ = try StationLogin(fleet[0].login).expel(owner)
            #expect(failure { try HubOperation.takeBack(UUID(), owner) } as? SyncError != nil)
            #expect(try fleet.value("select count(*) from public.loot") == "0")
            // It would have been so with another connection.
            _ = try? StationLogin(fleet[0].login).expel(fleet.owner())
            let taken = "select count(*) from public.loot where who = 'postgres'"
            #expect(try fleet.value(taken) != "0")
        }
    }

    @Test("works at a hub whose owner is no superuser")
    func plainOwner() async throws {
        try await onThread {
            let fleet = try Fleet([])
            try fleet.query("drop schema luggage cascade")
            let role = "owner of \(fleet.database)"
            try fleet.query("create role \"\(role)\" login createrole")
            for group in ["luggage_station", "luggage_publisher"] {
                try fleet.query("grant \(group) to \"\(role)\" with admin option")
            }
            try fleet.query("alter database \(fleet.database) owner to \"\(role)\"")
            let owner = try HubConnection(ofTest: fleet.address(as: role))
            #expect(try HubSchema.setUp(owner) == .made)
            #expect(try HubSchema.setUp(owner) == .present)
            let north = try fleet.add("north")
            let south = try fleet.add("south")
            try north.scan([1])
            try north.sync()
            try south.sync(publishes: true)
            try fleet.expectAgreement(scans: 1)
        }
    }
}

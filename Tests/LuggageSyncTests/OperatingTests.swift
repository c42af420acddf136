import Foundation
import HubConnection
import LuggageTags
import TestHubs
import Testing

@testable import LuggageSync

@Suite("The owner of a hub", .serialized, .timeLimit(.minutes(30)))
struct OperatingTests {
    /// How a role is made that may do more than a station.
    static let powers = [
        ("superuser", "is a superuser"), ("createrole", "may do more"),
        ("replication", "may do more"), ("in role pg_read_all_data", "may do more"),
        ("in role pg_execute_server_program", "may do more"), ("in role postgres", "owns the hub"),
    ]

    @Test("cannot admit as a station who may do more than one", arguments: powers)
    func powerful(power: (clause: String, words: String)) async throws {
        try await onThread {
            let fleet = try Fleet([])
            let role = "strong in \(fleet.database)"
            try fleet.query("create role \"\(role)\" login \(power.clause)")
            for admit in [
                { _ = try HubSchema.setUp(fleet.owner(), admitting: ["one more", role]) },
                { try StationLogin(role).admit(publishes: true, fleet.owner()) },
            ] {
                let error = failure(of: admit) as? SyncError
                #expect(
                    error?.message.contains(power.words) == true,
                    "\(String(describing: error))"
                )
                #expect(error?.remedy?.contains("a login of its own") == true)
            }
            // Nor does it join with a right that it has already.
            try fleet.query("grant luggage_station to \"\(role)\"")
            let joining =
                failure {
                    _ = try Hub(HubConnection(ofTest: fleet.address(as: role))).enter(
                        station: "strong",
                        machine: "m",
                        pullsEverything: true,
                        takesPlace: false
                    )
                } as? HubError
            #expect(joining?.refusal == .powerful && joining?.message.contains(power.words) == true)
            #expect(joining?.remedy?.contains("a login of its own") == true)
            #expect(try fleet.value("select count(*) from luggage.member") == "0")
            try fleet.query("revoke luggage_station from \"\(role)\"")
            // Nothing is half done.
            let made = "select count(*) from pg_roles where rolname = 'one more'"
            #expect(try fleet.value(made) == "0")
            let right = try fleet.query(
                """
                select from pg_auth_members m join pg_roles r on r.oid = m.member
                where r.rolname = $1 and m.roleid::regrole::text like 'luggage%'
                """,
                [role]
            )
            #expect(right.isEmpty)
        }
    }

    /// What another program of the same version may have left otherwise at a hub.
    static let others: [(statement: String, indexes: [String])] =
        [
            ("drop index luggage.fact_bag_idx", ["fact_bag_idx"]),
            (
                "drop index luggage.member_login_idx, luggage.fact_transaction_number_idx",
                ["fact_transaction_number_idx", "member_login_idx"]
            ), ("update luggage.hub set version = 0", []),
            ("alter table luggage.publication drop column overdue cascade", []),
        ] + functions.map { ($0, []) }

    private static let functions = [
        """
        create or replace function luggage.longest_stay() returns interval
        language sql immutable parallel safe as $$ select interval '3 minutes' $$
        """,
        "drop function luggage.take_back(uuid)",
        """
        create or replace view luggage.missing as
            select id as bag, owner, weight, departed_at, now() - departed_at as under_way_for from luggage.bag
        """,
        "drop view luggage.overdue",
        "revoke select on luggage.missing from luggage_reader",
        "revoke select on luggage.bag from luggage_reader",
        "grant execute on function luggage.take_back(uuid) to public",
        "grant delete on luggage.fact to luggage_station",
        "alter table luggage.sighting drop column is_typed cascade",
        """
        alter table luggage.ahead drop constraint is_short,
            add constraint ahead_check4 check (octet_length(body) <= 65536)
        """,
    ]

    @Test(
        "brings a hub that another program has made up to date, and its facts stay",
        arguments: others
    )
    func refreshed(other: (statement: String, indexes: [String])) async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let definitions = try HubSchema.definitions(fleet.owner())
            try fleet[0].scan([1])
            try fleet[0].sync()
            let facts = "select count(*) from luggage.fact"
            let stored = try fleet.value(facts)
            #expect(try HubSchema.setUp(fleet.owner()) == .present)
            try fleet.query(other.statement)
            #expect(try HubSchema.setUp(fleet.owner()) == .refreshed(indexes: other.indexes))
            #expect(try HubSchema.definitions(fleet.owner()) == definitions)
            #expect(try HubSchema.setUp(fleet.owner()) == .present)
            #expect(try fleet.value(facts) == stored)
            try fleet[1].sync(publishes: true)
            try fleet.expectAgreement(scans: 1)
        }
    }

    @Test("can expel a station, which keeps its record, and admit it again")
    func expelled() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south", "office"])
            let (north, south, office) = (fleet[0], fleet[1], fleet[2])
            try north.scan([1])
            try north.scan(2, by: Date() + 480)
            try north.sync(publishes: true)
            try south.sync()
            #expect(try fleet.value("select count(*) from luggage.bag") == "2")
            #expect(try fleet.value("select count(*) from luggage.ahead") == "1")
            // It is there, in a transaction, and holds its own row.
            let connection = try north.connect().connection
            let member = try #require(try north.state?.member)
            try connection.query("BEGIN")
            try connection.query("select luggage.greet($1)", ["\(member)"])

            let owner = try fleet.owner()
            #expect(try StationLogin(north.login).expel(owner).stations == ["north"])
            #expect(failure { try connection.query("select 1") } != nil)
            #expect((failure { try north.sync() } as? HubError)?.kind == .forbidden)
            #expect(failure { _ = try StationLogin(north.login).expel(owner) } != nil)
            // What it has sent stays, and nothing else.
            #expect(try fleet.facts == 1)
            for table in ["ahead", "bag", "journey", "sighting", "publication"] {
                #expect(try fleet.value("select count(*) from luggage.\(table)") == "0")
            }
            try office.sync(publishes: true)
            #expect(try office.scans == 1)
            #expect(try fleet.value("select count(*) from luggage.bag") == "1")

            try StationLogin(north.login).admit(publishes: false, owner)
            let error = failure { try north.sync() } as? HubError
            #expect(error?.refusal == .hasLeft && error?.remedy?.contains("--as-new") == true)
            try north.join(asNew: true)
            try north.scan([3])
            try north.sync()
            // What was kept apart is sent again.
            #expect(north.events.contains { if case .keptApart = $0 { true } else { false } })
            try fleet.query("update luggage.ahead set due = now() - interval '1 second'")
            try fleet.query("update luggage.member set pulled_at = null")
            try fleet.exchangeAll()
            try fleet.expectAgreement(scans: 3)
        }
    }

    @Test("cannot expel who is no station")
    func strangers() async throws {
        try await onThread {
            let fleet = try Fleet(["north"])
            for login in ["postgres", "nobody", "luggage_reader", ""] {
                let error =
                    failure { _ = try StationLogin(login).expel(fleet.owner()) } as? SyncError
                #expect(error == .noStation(login: login) && error?.remedy != nil)
            }
            try fleet[0].sync()
        }
    }

    @Test(
        "can take back a purge that stations did not follow, and the hub gets again what it forgot"
    )
    func takenBack() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            try north.scan([1, 2])
            try south.scan([1], hour: 1)
            try fleet.exchangeAll()
            // As an earlier version of the hub took it: stations cannot read it.
            try fleet.query("alter function luggage.check_statement rename to checked")
            try fleet.query(
                "create function luggage.check_statement(luggage.ahead) returns void language sql as 'select'"
            )
            var intruder = try Intruder("evil", in: fleet)
            let statement = Statement(bag: Station.bag(1))
            try intruder.push([statement.json(body: "nothing that a station reads")])
            #expect(try fleet.facts == 2)
            var exchange = try north.exchange()
            try exchange.run()
            #expect(try north.scans == 3)

            let purge = try fleet.query("select id, bag, scope, station, login from luggage.purges")
            #expect(purge.count == 1)
            #expect(purge[0][0] == statement.wire["id"]?.lowercased())
            #expect(purge[0][3] == "evil")
            let id = try #require(UUID(uuidString: purge[0][0] ?? ""))
            try HubOperation.takeBack(id, fleet.owner())
            // Who is connected hears of it, because it has to connect anew.
            #expect(failure { try exchange.run() } is HubError)
            #expect(
                failure { try HubOperation.takeBack(id, fleet.owner()) } as? SyncError
                    == .noPurge(id)
            )
            try fleet.exchangeAll()
            #expect(try fleet.facts == 3)
            try fleet.expectAgreement(scans: 3)
            try fleet.exchangeAll()
            for station in fleet.stations { #expect(station.events.isEmpty) }
        }
    }

    @Test("is told what to change at the server, and nothing if all is well")
    func advice() async throws {
        try await onThread {
            let fleet = try Fleet(["north"])
            let connections = try [fleet.owner(), fleet[0].connect().connection]
            for connection in connections { #expect(try HubOperation.advice(connection) == []) }
            try fleet.query("grant create on schema public to public")
            let advice = try HubOperation.advice(connections[1])
            #expect(advice.first?.contains("revoke create") == true)
            try fleet.query("revoke create on schema public from public")
            for year in 1900..<1912 {
                try fleet.query(
                    """
                    create table luggage.fact_\(year) (like luggage.fact including all)
                    """
                )
            }
            try fleet.query("alter table luggage.fact detach partition luggage.fact_before")
            for year in 1900..<1912 {
                try fleet.query(
                    """
                    alter table luggage.fact attach partition luggage.fact_\(year)
                    for values from ('\(year)-01-01') to ('\(year + 1)-01-01')
                    """
                )
            }
            for connection in connections {
                let advice = try HubOperation.advice(connection)
                #expect(advice.count == 1)
                #expect(advice.first?.contains("set max_locks_per_transaction to 288") == true)
            }
            try fleet.query("create role \"poor\"\"owner\" login")
            try fleet.query("alter schema luggage owner to \"poor\"\"owner\"")
            #expect(
                try HubOperation.advice(fleet.owner()).last?.hasSuffix(
                    #"grant pg_read_all_stats, pg_signal_backend to "poor""owner""#
                ) == true
            )
        }
    }
}

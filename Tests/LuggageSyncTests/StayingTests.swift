import Foundation
import HubConnection
import LuggageTags
import SystemSupport
import TestHubs
import Testing

@testable import LuggageSync

@Suite("A station that stays in a transaction", .serialized, .timeLimit(.minutes(20)))
struct StayingTests {
    /// What it has done there.
    struct Deed: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var prepare: @Sendable (Fleet) throws -> Void = { _ in }
        let stay: @Sendable (inout Intruder) throws -> Void

        static let all = [
            Deed(testDescription: "in which it has pushed a purge") {
                try $0.push([Statement(bag: UUID()).json])
            },
            Deed(testDescription: "in which it has pushed a fact") {
                try $0.push([
                    #"{"id":"\#(UUID())","station":"e","at":"2023-11-14T22:13:20Z","body":"x"}"#
                ])
            },
            Deed(testDescription: "without any of the hub's functions") {
                try $0.connection.query("select pg_current_xact_id()")
            },
            Deed(testDescription: "in which it has made the tables of the next months") { fleet in
                for name in try fleet.months {
                    try fleet.query("drop table luggage.\(name)")
                }
            } stay: {
                try $0.connection.query("select luggage.greet(null)")
            },
            Deed(testDescription: "in which it was the first after a start of the server") {
                try $0.query("update luggage.run set started_at = started_at - interval '1 day'")
            } stay: {
                try $0.connection.query("select luggage.greet(null)")
            },
            Deed(testDescription: "in which it has begun to publish") {
                try $0.connection.query(
                    "select luggage.begin_publishing($1, null)",
                    ["\($0.member)"]
                )
            },
        ]
    }

    @Test("holds up the others for a moment, and is ended", arguments: Deed.all)
    func held(deed: Deed) async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            try north.scan([1, 2])
            try fleet.exchangeAll()
            try fleet.hurry()
            var intruder = try Intruder("intruder", in: fleet)
            // As a role may: nothing that it can set itself is of any use.
            for limit in ["idle_in_transaction_session_timeout", "lock_timeout"] {
                try intruder.connection.query("set \(limit) = 0")
            }
            try deed.prepare(fleet)
            try intruder.connection.query("BEGIN")
            try deed.stay(&intruder)
            // Nobody looks again at once for who stays.
            try fleet.query(
                "select setval('luggage.last_look', extract(epoch from clock_timestamp())::bigint)"
            )

            try south.scan([3])
            try north.purge(.bags)
            let end = SuspendingClock.now + .seconds(120)
            while SuspendingClock.now < end {
                for station in fleet.stations {
                    guard let error = failure(of: { try station.sync(publishes: true) }) else {
                        continue
                    }
                    // Others are told to try again, and nothing else.
                    #expect((error as? HubError)?.kind == .conflict, "\(error)")
                }
                if try north.scans == 1, try south.scans == 1 { break }
            }
            #expect(failure { try intruder.connection.query("select 1") } != nil)
            try fleet.exchangeAll()
            try fleet.expectAgreement(scans: 1)
        }
    }

    @Test("and only reads holds up nobody, and is let alone")
    func reading() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            try north.scan([1, 2])
            try fleet.exchangeAll()
            try fleet.hurry()
            let intruder = try Intruder("intruder", in: fleet)
            try intruder.connection.query("BEGIN")
            try intruder.connection.query(
                "select luggage.pull($1, 0, 0, 10)",
                ["\(intruder.member)"]
            )
            // Locks that anybody may take are none of the hub's.
            for name in ["forget", "notice_run", "publish", "make_days", "set_up"] {
                try intruder.connection.query(
                    "select pg_advisory_lock(hashtext('luggage.\(name)'))"
                )
            }
            try fleet.query("update luggage.run set started_at = started_at - interval '1 day'")
            try north.purge(.bags)
            try south.scan([3])
            for station in [north, south, north] { try station.sync(publishes: true) }
            try fleet.expectAgreement(scans: 1)
            // What was hurried has its usual time again.
            #expect(try HubSchema.setUp(fleet.owner()) == .refreshed(indexes: []))
            #expect(failure { try intruder.connection.query("select 1") } == nil)
        }
    }

    @Test("as it was before others said something may not write in it")
    func isolated() async throws {
        try await onThread {
            let fleet = try Fleet(["north"])
            var intruder = try Intruder("intruder", in: fleet)
            for isolation in ["repeatable read", "serializable"] {
                try intruder.connection.query("BEGIN isolation level \(isolation)")
                let error = failure { try intruder.push([]) } as? HubError
                #expect(error?.refusal == .isolation && error?.remedy != nil, "\(isolation)")
                try intruder.connection.query("ROLLBACK")
            }
            try intruder.push([])
        }
    }
}

extension Fleet {
    /// Lets the hub wait for a moment only, where it waits for long.
    func hurry() throws {
        try query(
            """
            create or replace function luggage.longest_stay() returns interval
            language sql immutable parallel safe as $$ select interval '1 second' $$
            """
        )
        let patient = try query(
            """
            select p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace
            where n.nspname = 'luggage' and 'lock_timeout=20s' = any (p.proconfig)
            """
        )
        #expect(!patient.isEmpty)
        for function in patient {
            try query("alter function \(function[0] ?? "") set lock_timeout = '300ms'")
        }
    }

    /// The tables of months.
    var months: [String] {
        get throws {
            try query("select relname from pg_class where relname ~ '^fact_2[0-9]+$'")
                .compactMap { $0[0] }
        }
    }
}

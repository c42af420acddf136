import Foundation
import HubConnection
import LuggageTags
import TestFolders
import TestHubs
import Testing

@testable import LuggageSync

@Suite("A hub that was put back", .serialized, .timeLimit(.minutes(30)))
struct PutBackHubTests {
    @Test("to its backup gets what it lacks, from whoever has it, and nobody misses anything")
    func restored() async throws {
        try await onThread {
            let server = try TestHub(.quiet)
            let fleet = try Fleet(["north", "south", "west"], on: server)
            let (north, south, west) = (fleet[0], fleet[1], fleet[2])
            for station in fleet.stations { try station.scan([1], hour: 1) }
            try fleet.exchangeAll()
            let backup = try server.backup()
            // What is lost: of one that pushes again, of one that will never, and of one that joined.
            try north.scan([2])
            try west.scan([3])
            let east = try fleet.add("east")
            try east.scan([4])
            try fleet.exchangeAll()
            try server.restore(backup)
            _ = try fleet.admit("east")
            // Others come first, and bring the hub beyond the places that the last one has seen.
            try east.scan([5])
            try east.sync()
            #expect(east.events.contains(.hubChanged))
            try north.scan([6])
            try north.sync()
            for hour in 0..<30 {
                try north.scan([7], hour: Double(hour))
                try north.sync()
            }
            try south.sync()
            #expect(south.events.contains(.hubChanged))
            for station in [north, east, south] { try station.sync() }
            // What only the lost one had is there too.
            try fleet.expectAgreement(of: [north, south, east], scans: 3 + 3 + 2 + 30)
            // The next time it is quiet.
            for station in [north, south, east] {
                try station.sync()
                #expect(station.events.isEmpty)
            }
            try fleet.query("select 1")
            server.kill()
            try server.start()
            for station in [north, south, east] {
                try station.sync()
                #expect(station.events.isEmpty, "a mere start is no loss")
            }
        }
    }

    @Test("gets what it lacks also if the line is cut while days are compared, however often")
    func cutWhileComparing() async throws {
        try await onThread {
            let server = try TestHub(.quiet)
            let fleet = try Fleet(["north", "south"], on: server)
            let (north, south) = (fleet[0], fleet[1])
            try north.scan([1])
            try fleet.exchangeAll()
            let backup = try server.backup()
            for hour in 0..<3 { try north.scan((0..<1500).map { $0 % 20 }, hour: Double(hour)) }
            try north.sync()
            try server.restore(backup)
            for round in 0..<3 {
                var pages = 0
                north.onEvent = { event in
                    guard case .pushed = event else { return }
                    pages += 1
                    if pages > round {
                        _ = try? fleet.query(
                            "select pg_terminate_backend(pid) from pg_stat_activity where usename = $1",
                            [north.login]
                        )
                    }
                }
                #expect(failure { try north.sync() } != nil)
                #expect(try north.state?.pushed == nil, "nobody knows then what the hub has")
            }
            north.onEvent = { _ in }
            for station in [north, south, north] { try station.sync() }
            try fleet.expectAgreement(scans: 4501)
            try north.sync()
            #expect(north.events.isEmpty)
        }
    }

    @Test("to a moment between two pages of one save gets both, and those of the next")
    func betweenPages() async throws {
        try await onThread {
            let server = try TestHub(.quiet)
            let fleet = try Fleet(["north", "south"], on: server)
            let (north, south) = (fleet[0], fleet[1])
            try fleet.exchangeAll()
            // The hub takes only so many.
            try fleet.query("CREATE TABLE public.gate AS SELECT 1000 AS most")
            try fleet.query(
                """
                CREATE FUNCTION public.guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF (SELECT count(*) FROM luggage.fact) > (SELECT most FROM public.gate) THEN
                        RAISE 'no more'; END IF;
                    RETURN NULL;
                END $$
                """
            )
            try fleet.query("GRANT SELECT ON public.gate TO PUBLIC")
            try fleet.query(
                "CREATE TRIGGER guard AFTER INSERT ON luggage.fact EXECUTE FUNCTION public.guard()"
            )
            for hour in 0..<2 { try north.scan((0..<1500).map { $0 % 20 }, hour: Double(hour)) }
            #expect(failure { try north.sync() } != nil)
            #expect(try fleet.facts == 1000)
            let backup = try server.backup()
            try fleet.query("UPDATE public.gate SET most = 2500")
            #expect(failure { try north.sync() } != nil)
            #expect(try fleet.facts == 2500)
            try server.restore(backup)
            try fleet.query("UPDATE public.gate SET most = 1000000")
            for station in [north, south] { try station.sync() }
            try fleet.expectAgreement(scans: 3000)
        }
    }

    @Test("by a copy to another system, whose transactions are counted anew")
    func dumped() async throws {
        try await onThread {
            let server = try TestHub(.quiet)
            let fleet = try Fleet(["north", "south"], on: server)
            let (north, south) = (fleet[0], fleet[1])
            for hour in 0..<50 {
                try north.scan([1, 2], hour: Double(hour))
                try north.sync()
            }
            try south.sync()
            for _ in 0..<400 { try fleet.query("select pg_current_xact_id()") }
            try north.scan([2], hour: 50)
            try north.sync()
            try south.sync()
            let folder = try TemporaryFolder(named: "dump-")
            let dump = try dump(fleet, to: folder)
            // After the copy was made.
            try south.scan([3])
            try south.sync()
            try fleet.query("DROP SCHEMA luggage CASCADE")
            let other = try TestHub(.quiet)
            let moved = try Fleet([], on: other)
            try moved.query("DROP SCHEMA luggage CASCADE")
            for station in fleet.stations {
                try other.query("CREATE ROLE \"\(station.login)\" LOGIN IN ROLE luggage_publisher")
            }
            try run(
                "psql",
                ["-q", "-v", "ON_ERROR_STOP=1", "-f", dump, moved.address(as: "postgres")]
            )
            // Few transactions were there.
            let before =
                try Int(moved.value("select max(transaction) from luggage.fact") ?? "") ?? 0
            #expect(
                try Int(moved.value("select pg_current_xact_id()") ?? "") ?? .max < before + 100
            )
            let stations = try fleet.stations.map { station in
                try Station(
                    station.name,
                    login: station.login,
                    machine: station.machine,
                    at: moved.address(as: station.login),
                    copy: station
                )
            }
            let late = try moved.add("late")
            try stations[0].scan([4])
            try stations[0].sync()
            try late.scan([5])
            for station in [late, stations[1], stations[0], late] { try station.sync() }
            try moved.expectAgreement(of: stations + [late], scans: 104)
            #expect(
                try moved.value(
                    "select bool_and(transaction > \(before)) from luggage.fact where member = \(late.state?.member ?? 0)"
                ) == "t"
            )
            for station in stations {
                try station.sync()
                #expect(station.events.isEmpty)
            }
        }
    }

    @Test("by a dump that was restored on the same server gets again what came after it")
    func dumpedHere() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            try north.scan([1])
            try fleet.exchangeAll()
            let folder = try TemporaryFolder(named: "dump-")
            let dump = try dump(fleet, to: folder)
            try north.scan([2])
            try south.scan([3])
            try fleet.exchangeAll()
            try fleet.query("DROP SCHEMA luggage CASCADE")
            try run(
                "psql",
                ["-q", "-v", "ON_ERROR_STOP=1", "-f", dump, fleet.address(as: "postgres")]
            )
            #expect(try fleet.facts == 1)
            for station in [north, south] {
                try station.sync()
                #expect(station.events.contains(.hubChanged))
            }
            #expect(try fleet.facts == 3)
            try fleet.exchangeAll()
            try fleet.expectAgreement(scans: 3)
            for station in fleet.stations {
                try station.sync()
                #expect(station.events.isEmpty)
            }
        }
    }

    @Test("by a failover to a standby that lags")
    func failedOver() async throws {
        try await onThread {
            let server = try TestHub(.quiet)
            let fleet = try Fleet(["north", "south"], on: server)
            let standby = try server.standby()
            try fleet[0].scan([1])
            try fleet.exchangeAll()
            try server.waitUntilFollowed(by: standby)
            try standby.stopFollowing()
            try fleet[0].scan([2])
            try fleet[1].scan([3])
            try fleet.exchangeAll()
            server.kill()
            try standby.promote()
            let stations = try fleet.stations.map { station in
                try Station(
                    station.name,
                    login: station.login,
                    machine: station.machine,
                    at: standby.address(as: station.login, database: fleet.database),
                    copy: station
                )
            }
            for round in 0..<2 {
                for station in stations {
                    try station.sync()
                    #expect(round == 1 || station.events.contains(.hubChanged))
                }
            }
            #expect(try stations[0].export == stations[1].export)
            #expect(try stations[0].scans == 3)
            let count = "select count(*) from luggage.fact"
            #expect(try standby.query(count, database: fleet.database).first?[0] == "3")
            // A failover that loses nothing costs no comparison.
            let last = try standby.standby()
            try standby.waitUntilFollowed(by: last)
            standby.kill()
            try last.promote()
            for station in stations {
                let late = try Station(
                    station.name,
                    login: station.login,
                    machine: station.machine,
                    at: last.address(as: station.login, database: fleet.database),
                    copy: station
                )
                try late.sync()
                #expect(late.events.isEmpty)
            }
        }
    }

    /// Writes all of a hub to a file.
    private func dump(_ fleet: Fleet, to folder: TemporaryFolder) throws -> String {
        let path = folder.path("dump.sql")
        try run("pg_dump", ["-n", "luggage", "-f", path, fleet.address(as: "postgres")])
        return path
    }
}

/// Runs a program of PostgreSQL to its end, and gives what it writes.
@discardableResult
func run(_ program: String, _ arguments: [String]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(program) \(arguments)")
    return [UInt8](output)
}

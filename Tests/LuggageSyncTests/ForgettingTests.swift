import Foundation
import HubConnection
import LuggageTags
import ObjectStore
import SystemSupport
import TestHubs
import Testing

@testable import LuggageSync

@Suite("A purge at one station", .serialized, .timeLimit(.minutes(20)))
struct ForgettingTests {
    private static func holds(_ bytes: [UInt8], _ text: String) -> Bool {
        Data(bytes).range(of: Data(text.utf8)) != nil
    }

    /// Names as they are in facts; a tag has the first three letters of them.
    private static func owner(_ number: Int) -> String { "QX" + ["A", "B", "C", "D", "E"][number] }

    /// What the hub holds, without the lines of a dump that have a key by chance, and with it any letters.
    private static func dump(of fleet: Fleet) throws -> [UInt8] {
        let lines = try run("pg_dump", [fleet.address(as: "postgres")])
            .split(separator: UInt8(ascii: "\n"))
            .filter { line in
                !["\\restrict ", "\\unrestrict "].contains { line.starts(with: $0.utf8) }
            }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    private static func expectNoName(_ fleet: Fleet) throws {
        for station in fleet.stations {
            for number in 0..<5 {
                #expect(
                    !holds(station.files, owner(number)),
                    "\(station.name) still holds the name that \(number) gave"
                )
            }
        }
        let dump = try Self.dump(of: fleet)
        let samples = try fleet.value(
            "select count(*) from pg_stats where schemaname = 'luggage' and pg_stats::text like '%QX%'"
        )
        #expect(samples == "0", "what ANALYZE has kept holds names")
        for number in 0..<5 {
            #expect(!holds(dump, owner(number)), "the hub still holds the name that \(number) gave")
        }
    }

    @Test(
        "reaches every record and the hub, also what others push later",
        arguments: RecordPurge.Scope.allCases
    )
    func reaches(scope: RecordPurge.Scope) async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south", "west", "east", "office"])
            let office = fleet[4]
            for (number, station) in fleet.stations.enumerated() {
                try station.scan([1, 2], owner: Self.owner(number), hour: Double(number))
                _ = try RecordCorrector(container: station.container).edit(
                    Station.bag(1),
                    BagEdit(
                        owner: .passenger(.init(givenName: "D", familyName: Self.owner(number)))
                    ),
                    by: Responsibility(author: "person \(number)", reason: "why")
                )
            }
            for station in fleet.stations.dropLast() { try station.sync() }
            try office.sync(publishes: true)
            let dump = try Self.dump(of: fleet)
            #expect(Self.holds(dump, "QX"))
            try fleet.query("analyze")
            // One that filed before the purge, and pushes after it.
            try fleet[1].scan([2], owner: Self.owner(1), hour: 6)
            try fleet[0].purge(scope)
            try fleet[0].sync()
            // One that heard the purge first, and one that pushes first.
            for _ in 0..<2 {
                for station in fleet.stations.dropLast() { try station.sync() }
                try office.sync(publishes: true)
            }
            try Self.expectNoName(fleet)
            try fleet.expectAgreement()
            if scope == .bags { #expect(try office.scans == 0) }
        }
    }

    @Test("reaches what people have said of trips and of pictures without a bag")
    func remarks() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            let (north, south) = (fleet[0], fleet[1])
            let person = Responsibility(author: "anna", reason: Self.owner(0) + " told us")
            let list = ExpectationList([
                ExpectedBag(
                    identifier: Station.bag(1),
                    point: .load,
                    due: Date() - 3600,
                    route: Route(trip: "LX14", date: "2026-07-01")
                )
            ])
            _ = try ExpectationRecorder(
                container: north.container,
                by: Responsibility(author: "anna", reason: "")
            ).file(list)
            try north.fail()
            let alarm = try #require(
                try north.container.read {
                    try Alarm.open(at: Date(), within: AlarmBounds(), in: $0)
                }.first
            )
            let corrector = RecordCorrector(container: north.container)
            try corrector.note(alarm, by: person)
            try corrector.dismiss(
                FailedSight(
                    imageDigest: "digest of north 1",
                    imageName: "north 1.png",
                    station: "north",
                    point: .origin
                ),
                by: Responsibility(author: "anna", reason: Self.owner(1) + " has it")
            )
            try fleet.exchangeAll()
            #expect(Self.holds(south.files, "QXA") && Self.holds(south.files, "QXB"))
            try north.purge(.names)
            for _ in 0..<2 { for station in fleet.stations { try station.sync() } }
            try Self.expectNoName(fleet)
            try fleet.expectAgreement()
        }
    }

    @Test("is heard of again by a hub that was put back to what it was before")
    func putBack() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "office"])
            try fleet[0].scan([1, 2], owner: Self.owner(0))
            try fleet[0].sync()
            try fleet[1].sync(publishes: true)
            let backup = try fleet.server.backup()
            try fleet[0].purge(.names)
            try fleet[0].sync()
            try fleet[1].sync(publishes: true)
            try Self.expectNoName(fleet)
            try fleet.server.restore(backup)
            let dump = try Self.dump(of: fleet)
            #expect(Self.holds(dump, Self.owner(0)))
            // From a station that has only heard of the purge.
            try fleet[1].sync(publishes: true)
            try Self.expectNoName(fleet)
            try fleet.exchangeAll()
            try fleet.expectAgreement(scans: 2)
        }
    }

    @Test("costs each other station no comparison of days, and is heard of once")
    func comparisons() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south", "office"])
            try fleet[0].scan(0..<200, owner: "QXA")
            try fleet.exchangeAll()
            var south = try fleet[1].exchange()
            var office = try fleet[2].exchange()
            try south.run()
            try office.run(publishes: true)
            try fleet[0].purge(.names)
            try fleet[0].sync()
            // Its own history is gone, by another program: that is found by one comparison.
            #expect(fleet[0].comparisons.count == 1)
            try fleet[0].sync()
            #expect(fleet[0].events.isEmpty)
            try fleet[1].scan([500], owner: "QXB")
            for _ in 0..<3 {
                try south.run()
                try office.run(publishes: true)
            }
            #expect(fleet[1].comparisons.isEmpty && fleet[2].comparisons.isEmpty)
            #expect(
                try fleet[1].container.read { try $0.history(after: nil, limit: 500) }.count < 10
            )
            #expect(
                try fleet.value("select count(*) from luggage.bag where owner is not null") == "1"
            )
            // What it kept is enough after a kill, too.
            for station in [fleet[1], fleet[2]] {
                try station.sync()
                #expect(station.comparisons.isEmpty)
            }
            try fleet.exchangeAll()
            try fleet.expectAgreement(scans: 201)
        }
    }

    @Test("is not undone if the station is killed before it has removed the history")
    func killed() async throws {
        try await onThread {
            let fleet = try Fleet(["north", "south"])
            try fleet[0].scan([1], owner: "QXA")
            try fleet.exchangeAll()
            let south = fleet[1]
            var state = try south.sync()
            try fleet[0].purge(.names)
            try fleet[0].sync()
            let answer = try south.connect().pull(state.member, after: state.pulled, limit: 1000)
            state.pulled = answer.cursor
            _ = try FactIntake(container: south.container).merge(answer.bodies, then: state)
            // Killed here, it knows that there is something left to do.
            #expect(try south.state?.holdsPurged == true)
            #expect(Self.holds(south.files, "QXA"))
            try south.sync()
            #expect(try south.state?.holdsPurged == false)
            #expect(!Self.holds(south.files, "QXA"))
        }
    }

    @Test("while many connections push what it forgets")
    func contended() async throws {
        let fleet = try await onThread { try Fleet(["office"]) }
        let day = "2023-11-14T22:13:20Z"
        @Sendable func fact(_ bag: Int, _ round: Int, _ writer: Int) -> String {
            """
            {"id":"\(UUID())","bag":"\(Station.bag(bag))","station":"w","at":"\(day)","known":"\(day)",
            "body":"QXA \(round) \(writer)","rest_id":"\(UUID())","rest":"rest \(round) \(writer)"}
            """
        }
        let logins = try await onThread { try (0..<8).map { try fleet.admit("w\($0)") } }
        let addresses = logins.map { fleet.address(as: $0) }
        try await withThrowingTaskGroup { group in
            for (writer, address) in addresses.enumerated() {
                group.addTask {
                    try await onThread {
                        let connection = try HubConnection(ofTest: address)
                        let member = try Hub(connection).enter(
                            station: "w\(writer)",
                            machine: "m",
                            pullsEverything: true,
                            takesPlace: false
                        )
                        var nonce: String?
                        for round in 0..<60 {
                            var facts = (0..<10).map { fact($0, round, writer) }
                            if writer < 2 {
                                // Every bag is forgotten again and again.
                                let purge = Statement(
                                    bag: Station.bag(round % 10),
                                    scope: "names",
                                    until: Date(timeIntervalSince1970: 1_704_067_200),
                                    known: Date(timeIntervalSince1970: 1_704_067_200)
                                )
                                facts.append(try purge.json)
                            }
                            let attempt = UUID().uuidString
                            try connection.query(
                                "select luggage.push($1, $2, $3, $4, now(), $5)",
                                [
                                    "\(member)", nonce, attempt, "\(round)",
                                    "[\(facts.joined(separator: ","))]",
                                ]
                            )
                            nonce = attempt
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await onThread {
            let named = try fleet.value("select count(*) from luggage.fact where body like 'QXA%'")
            let left = try fleet.value("select count(*) from luggage.fact where body like 'rest%'")
            #expect(named == "0")
            #expect(left == "4800")
        }
    }
}

import Foundation
import LuggageTags
import ObjectStore
import SeededRandom
import Testing

@Suite("Stations that import what others export")
struct ExchangeTests {
    /// The formats that carry all kinds of records in one file.
    static let wholeFormats = ExchangeFormat.allCases.filter { $0 != .csv }

    @Test("have the same on record, in whatever order and however often", arguments: 0..<100)
    func converge(seed: Int) throws {
        var random = StationStores(seed: seed)
        let stations = try ["MUC", "LHR", "NRT"].prefix(2 + random.number(2)).map { name in
            let container = try emptyRecord()
            try random.fill(container, as: name)
            return container
        }
        let files = try stations.map { station in
            try station.exported(as: random.choice(Self.wholeFormats))
        }
        for (place, station) in stations.enumerated() {
            // What others export later comes in between, and what a station has exported itself.
            var arrivals = files + files.prefix(random.number(3))
            if random.number(2) == 0 {
                arrivals.append(
                    try random.choice(stations).exported(as: random.choice(Self.wholeFormats))
                )
            }
            for file in arrivals.shuffled(using: &random.generator) {
                let report = try station.importing(file, chunk: 1 + random.number(5000))
                #expect(report.isClean, "seed \(seed), station \(place): \(report.refusals)")
            }
        }
        let records = try stations.map { String(decoding: try $0.exported(), as: UTF8.self) }
        for record in records.dropFirst() {
            #expect(record == records[0], "seed \(seed)\n\(records[0])\n\(record)")
        }
    }

    @Test("have the same passengers, whatever bags these own now", arguments: 0..<20)
    func passengers(seed: Int) throws {
        var random = StationStores(seed: 1000 + seed)
        let stations = try ["MUC", "LHR"].map { name in
            let container = try emptyRecord()
            try random.fill(container, as: name)
            return container
        }
        let files = try stations.map {
            try $0.exported(as: .jsonLines, ExportSelection(version: .states))
        }
        try stations[0].importing(files[1])
        try stations[1].importing(files[0])
        let names = try stations.map { station in
            Set(try station.makeContext().fetch(FetchRequest(Passenger.self)).map(\.name))
        }
        #expect(names[0] == names[1])
    }

    @Test(
        "make a copy that is the same, byte for byte",
        arguments: wholeFormats,
        TestStore.allCases
    )
    func copy(format: ExchangeFormat, store: TestStore) async throws {
        for seed in 0..<8 {
            var random = StationStores(seed: seed)
            try await store.withRecord { original in
                try random.fill(original, as: "MUC")
                let copy = try emptyRecord()
                let report = try copy.importing(original.exported(as: format))
                #expect(report.format == format)
                #expect(report.isClean, "\(report.refusals)")
                #expect(try copy.exported() == original.exported(), "seed \(seed)")
                // Again, it is all there.
                let again = try copy.importing(original.exported(as: format))
                #expect(again.bags.repeated == again.bags.total)
                #expect(again.scans.repeated == again.scans.total)
                #expect(again.passengers.repeated == again.passengers.total)
            }
        }
    }

    @Test("copy by two CSV files, one of bags and one of scans", arguments: 0..<20)
    func commaSeparated(seed: Int) throws {
        var random = StationStores(seed: seed)
        let original = try emptyRecord()
        try random.fill(original, as: "MUC")
        let copy = try emptyRecord()
        for records in [ExportSelection.Records.bags, .scans] {
            let selection = ExportSelection(records: records)
            let report = try copy.importing(original.exported(as: .csv, selection), format: .csv)
            #expect(report.isClean, "seed \(seed): \(report.refusals)")
        }
        for records in [ExportSelection.Records.bags, .scans] {
            let selection = ExportSelection(records: records)
            #expect(
                try copy.exported(as: .csv, selection) == original.exported(as: .csv, selection)
            )
        }
    }

    @Test("may come in parts of one byte", arguments: ExchangeFormat.allCases)
    func chunks(format: ExchangeFormat) throws {
        var random = StationStores(seed: 7)
        let original = try emptyRecord()
        try random.fill(original, as: "MUC")
        let selection = ExportSelection(records: format == .csv ? .scans : .all)
        let file = try original.exported(as: format, selection)
        let (whole, parts) = (try emptyRecord(), try emptyRecord())
        try whole.importing(file)
        let report = try parts.importing(file, chunk: 1)
        #expect(report.isClean)
        #expect(try whole.exported() == parts.exported())
    }

    @Test(
        "take files that were put one behind the other",
        arguments: [ExchangeFormat.jsonLines, .messagePack]
    )
    func concatenated(format: ExchangeFormat) throws {
        var random = StationStores(seed: 3)
        let stations = try ["MUC", "LHR"].map { name in
            let container = try emptyRecord()
            try random.fill(container, as: name)
            return container
        }
        let files = try stations.map { try $0.exported(as: format) }
        let (together, apart) = (try emptyRecord(), try emptyRecord())
        #expect(try together.importing(files[0] + files[1]).isClean)
        for file in files { try apart.importing(file) }
        #expect(try together.exported() == apart.exported())
    }

    @Test("read page after page of a record that is longer than one")
    func pages() async throws {
        try await TestStore.sqlite.withRecord { container in
            let context = container.makeContext()
            for number in 0..<1003 {
                let luggage = Luggage(context: context)
                luggage.identifier = UUID()
                luggage.weight = Float(number)
                let passenger = Passenger(context: context)
                passenger.givenName = "D"
                passenger.familyName = "\(number % 600)"
                // One has the name of another, and no bag.
                let second = Passenger(context: context)
                second.givenName = "E"
                second.familyName = "\(number % 600)"
                luggage.owner = number.isMultiple(of: 2) ? passenger : nil
            }
            try await context.save()
            let scanned = "F432BDB8-D84F-4461-8362-AFF89F6C493E"
            // Scans of one bag, and failures, of which many have one time.
            for number in 0..<1200 {
                let scan = Scan(context: context)
                scan.imageDigest = "\(number)"
                scan.imageName = "a.png"
                scan.station = "MUC"
                scan.payload = Data()
                scan.point = .origin
                scan.scannedAt = Date(timeIntervalSince1970: Double(1_000_000 + number / 550))
                scan.outcome = .noCode
                scan.reason = "no-code"
                if number.isMultiple(of: 2) {
                    (scan.outcome, scan.reason) = (.repeated, "")
                    scan.payload = Data(payload(owner: nil).utf8)
                    scan.luggage = Luggage(context: context)
                    scan.luggage?.identifier = try #require(UUID(uuidString: scanned))
                    scan.luggage?.weight = 42
                    scan.luggage?.departedAt = scan.scannedAt
                }
            }
            try await context.save()
            var steps: [Int] = []
            let counts = try StoreExporter(container: container)
                .export(as: .messagePack, progress: { done, _ in steps.append(done) }) { _ in }
            #expect(counts.bags == 1004)
            #expect(counts.passengers == 900)
            #expect(counts.scans == 1200)
            #expect(steps == [1024, 2048, 3072])
            try await TestStore.sqlite.withRecord { copy in
                try RecordCheckup(container: container).settle()
                let file = try container.exported(as: .messagePack)
                #expect(try copy.importing(file).isClean)
                let original = try container.exported()
                #expect(try copy.exported() == original)
            }
        }
    }
}

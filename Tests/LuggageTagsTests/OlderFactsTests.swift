import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("What a record says of a bag that older versions of the program tell of")
struct OlderFactsTests: OneBagSuite {
    let container: PersistentContainer

    init() throws { container = try emptyRecord() }

    @Test("a bag of an older record is derived when something is said about it, and keeps the rest")
    func olderRecord() throws {
        try insertOlderBag()
        #expect(try RecordCheckup(container: container).findings().isEmpty)
        try scan("a", 5, at: .destination)
        #expect(try record() == "42.0 lb, 0.0 to 5.0")
        try undo("a")
        #expect(try record() == "7.0 lb, 0.0 to never")
    }

    @Test("a departure that an older record was told stands when a later scan is taken back")
    func olderDeparture() throws {
        try insertOlderBag()
        try scan("a", 4)
        #expect(try record() == "42.0 lb, 4.0 to never")
        try undo("a")
        #expect(try record() == "7.0 lb, 0.0 to never")
    }

    @Test("an edit of an older bag says what it has changed, and nothing else")
    func olderEdit() throws {
        let context = container.makeContext()
        let luggage = Luggage(context: context)
        luggage.identifier = Self.bag
        luggage.weight = 7
        let scan = Scan(context: context)
        scan.luggage = luggage
        scan.point = .origin
        scan.station = "gate"
        scan.scannedAt = Date(timeIntervalSince1970: 1_000_000)
        scan.imageName = "a.png"
        scan.imageDigest = "a"
        scan.payload = Data(payload().utf8)
        scan.outcome = .new
        scan.reason = ""
        luggage.departedAt = scan.scannedAt
        try context.save()
        let findings = try RecordCheckup(container: container).findings()
        #expect(findings.map(\.message).first?.contains("weight 7.0 lb and not 42.0 lb") == true)
        let edit = BagEdit(owner: .passenger(PassengerName(givenName: "E", familyName: "FGH")))
        _ = try RecordCorrector(container: container).edit(Self.bag, edit, by: Self.anna)
        let said = try container.makeContext().fetch(
            FetchRequest(Correction.self).where(\.kind, is: .edit)
        )
        #expect(said.map(\.weight) == [nil])
        try self.scan("b", 9, "41")
        #expect(try record() == "41.0 lb, 9.0 to never")
    }

    @Test("a typed tag of version 1 counts once, however often it is imported and names are purged")
    func typedElsewhere() throws {
        var tag = TypedTag(
            identifier: Self.bag,
            point: .destination,
            date: Date(timeIntervalSince1970: 1_000_000)
        )
        (tag.owner, tag.weight) = (PassengerName(givenName: "D", familyName: "ZMU"), 42)
        let other = try emptyRecord()
        _ = try RecordCorrector(container: other).file(tag, by: Self.anna)
        let file = try other.exported(as: .json, ExportSelection(version: .states))
        for _ in 0..<3 {
            try container.importing(file)
            let purge = RecordPurge(container: container, scope: .names, before: Date() - Self.hour)
            _ = try purge.run()
            #expect(try container.makeContext().count(FetchRequest(Scan.self)) == 1)
            #expect(try Bag.all(in: container).map(\.owner) == [nil])
        }
    }

    @Test("what an import of version 1 has brought stays taken back when it is imported again")
    func importedAgain() throws {
        let other = try emptyRecord()
        _ = try ScanRecorder(container: other).record(.of(payload(), at: .destination))
        let file = try other.exported(as: .json, ExportSelection(version: .states))
        try container.importing(file)
        let change = try #require(try undoing.changes(limit: 9).first)
        #expect(change.kind == .imported)
        _ = try undoing.undo(change.number, by: Self.anna)
        for _ in 0..<2 {
            try container.importing(file)
            #expect(try Bag.all(in: container).isEmpty)
        }
        _ = try undoing.redo(change.number, by: Self.anna)
        #expect(try Bag.all(in: container) == Bag.all(in: other))
    }

    @Test(
        "what was taken back where it was known by its contents is so here, until it is filed again"
    )
    func withdrawnElsewhere() throws {
        try scan("a", 8)
        let other = try emptyRecord()
        try other.importing(container.exported(as: .json, ExportSelection(version: .states)))
        let elsewhere = ChangeUndoing(container: other)
        let number = try #require(elsewhere.changes(limit: 9).first).number
        _ = try elsewhere.undo(number, by: Self.anna)
        try container.importing(other.exported())
        #expect(try record() == nil)
        #expect(try scan("a", 8) == .new)
        try container.importing(other.exported())
        #expect(try record() == "42.0 lb, 8.0 to never")
    }

    @Test("no identifier tells a name that was purged")
    func identifiersWithoutNames() throws {
        var identifiers: Set<[UUID?]> = []
        for name in ["ZMU", "XYZ"] {
            let (here, other) = (try emptyRecord(), try emptyRecord())
            _ = try ScanRecorder(container: other).record(.of(payload(owner: ["D", name])))
            try insertOlderBag(into: here)
            let context = here.makeContext()
            let passenger = Passenger(context: context)
            (passenger.givenName, passenger.familyName) = ("D", name)
            try context.fetch(FetchRequest(Luggage.self)).first?.owner = passenger
            try context.save()
            try here.importing(other.exported(as: .json, ExportSelection(version: .states)))
            _ = try RecordPurge(container: here, scope: .names, before: Date()).run()
            let facts = here.makeContext()
            let heard = try facts.fetch(FetchRequest(Correction.self).where(\.kind, is: .heard))
            let scans = try facts.fetch(FetchRequest(Scan.self))
            // Those that are made of what the facts say.
            let told = (heard.map(\.fact) + scans.map(\.identifier)).filter {
                $0.map { $0.uuid.6 >> 4 == 8 } ?? false
            }
            #expect(told.count == 2)
            identifiers.insert(told)
        }
        #expect(identifiers.count == 1)
    }
}

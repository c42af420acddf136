import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("What a record says of a bag, whatever was done to it")
struct FactsTests: OneBagSuite {
    let container: PersistentContainer

    init() throws { container = try emptyRecord() }

    @Test("a bag that departs again is under way until it arrives")
    func secondJourney() throws {
        try scan("a", 8)
        try scan("b", 18, at: .destination)
        #expect(try scan("c", 32) == .updated)
        #expect(try record() == "42.0 lb, 32.0 to never")
        var question = LuggageQuestion()
        question.isMissing = true
        #expect(try question.count(in: container.makeContext()) == 1)
        try scan("d", 40, at: .destination)
        #expect(try record() == "42.0 lb, 32.0 to 40.0")
        #expect(try question.count(in: container.makeContext()) == 0)
    }

    @Test("an arrival that was filed late stands when the one before it is taken back")
    func lateArrival() throws {
        try scan("a", 8)
        try scan("late", 18, at: .destination)
        try scan("early", 17.5, at: .destination)
        try undo("late")
        #expect(try record() == "42.0 lb, 8.0 to 17.5")
    }

    @Test("of tags that were filed in any order, the last that stands has the word")
    func middleTag() throws {
        try scan("first", 1)
        try scan("third", 3, "50")
        try scan("second", 2, "50")
        try undo("third")
        #expect(try record() == "50.0 lb, 2.0 to never")
    }

    @Test("an edit that is taken back leaves what tags have said since")
    func editBeforeTags() throws {
        try scan("a", 1, "50")
        try edit(42)
        try scan("b", 2, "42")
        try undoEdit()
        #expect(try record() == "42.0 lb, 2.0 to never")
    }

    @Test("an edit can be taken back after a tag that contradicts it, and after an import")
    func editBeforeContradiction() throws {
        try scan("a", 1)
        try edit(50)
        try scan("b", 2, "60")
        #expect(try record() == "50.0 lb, 2.0 to never")
        try container.importing(payload(weight: "70"))
        try undoEdit()
        #expect(try record() == "60.0 lb, 2.0 to never")
    }

    @Test("an arrival that was taken back does not come back from another station")
    func arrivalFromElsewhere() throws {
        try scan("a", 8)
        try scan("b", 18, at: .destination)
        let other = try emptyRecord()
        try other.importing(container.exported())
        try undo("b")
        #expect(try record() == "42.0 lb, 8.0 to never")
        for _ in 0..<2 { try container.importing(other.exported()) }
        #expect(try record() == "42.0 lb, 8.0 to never")
    }

    @Test("a picture that was scanned with a wrong time, and again, has the right one")
    func wrongTime() throws {
        try scan("a", 30)
        try undo("a")
        #expect(try record() == nil)
        #expect(try scan("a", 8) == .new)
        #expect(try record() == "42.0 lb, 8.0 to never")
        // Later than what was taken back, too.
        try undo("a")
        try scan("a", 9)
        #expect(try record() == "42.0 lb, 9.0 to never")
    }

    @Test("of two files with the same bytes the earlier counts, in whatever order they are filed")
    func equalBytes() throws {
        var exports: Set<[UInt8]> = []
        for hours in [[8.0, 9], [9, 8], [9, 9, 8]] {
            let container = try emptyRecord()
            for hour in hours {
                let picture = ReadPicture.of(payload(), second: 1_000_000 + hour * Self.hour)
                _ = try ScanRecorder(container: container).record(picture)
            }
            #expect(try Bag.all(in: container).map(\.departed) == [1_000_000 + 8 * Self.hour])
            let summary = try container.read { try RecordSummary(of: Period(), in: $0) }
            #expect(summary.scans == 1)
            exports.insert(
                try container.exported(as: .json, ExportSelection(version: .states))
                    .filter { !"newupdatrp".utf8.contains($0) }
            )
        }
        #expect(exports.count == 1)
    }

    @Test("a typed tag without a weight claims none")
    func typedWithoutWeight() throws {
        try scan("a", 1, "42")
        var tag = TypedTag(
            identifier: Self.bag,
            point: .destination,
            date: Date(timeIntervalSince1970: 1_000_000 + 3 * Self.hour)
        )
        tag.owner = PassengerName(givenName: "D", familyName: "ZMU")
        _ = try RecordCorrector(container: container).file(tag, by: Self.anna)
        let typed = try container.makeContext().fetch(
            FetchRequest(Scan.self).where(\.point, is: .destination)
        )
        let told = try TagDecoder().contents(of: Array(try #require(typed.first).payload))
        #expect(told.weight == nil && told.owner == tag.owner)
        // A tag that was scanned before it was typed is filed after it.
        try scan("b", 2, "50")
        #expect(try record() == "50.0 lb, 2.0 to 3.0")
    }

    @Test("times are as exact for all, so that it does not matter who is first by less")
    func precision() throws {
        var exports: Set<[UInt8]> = []
        for weights in [["42", "50"], ["50", "42"]] {
            let container = try emptyRecord()
            for weight in weights {
                let picture = ReadPicture.of(
                    payload(weight: weight),
                    name: weight,
                    second: 1_000_000 + (weight == "42" ? 2e-7 : 1e-7)
                )
                _ = try ScanRecorder(container: container).record(picture)
            }
            #expect(try Bag.all(in: container).map(\.weight) == [50])
            let export = try container.exported(as: .json, ExportSelection(version: .states))
            exports.insert(export.filter { !"newchagd".utf8.contains($0) })
        }
        #expect(exports.count == 1)
    }

    @Test("what is said later counts later, also where a clock was set back")
    func clockSetBack() throws {
        try scan("a", 1)
        try edit(50, now: Date(timeIntervalSince1970: 3_000_000))
        try edit(60, now: Date(timeIntervalSince1970: 2_000_000))
        #expect(try record() == "60.0 lb, 1.0 to never")
        try undoEdit()
        #expect(try record() == "50.0 lb, 1.0 to never")
        try undoEdit()
        #expect(try record() == "42.0 lb, 1.0 to never")
    }

    @Test("what somebody has purged of names is known when it is imported again")
    func purgedNames() throws {
        try scan("a", 1)
        let export = try container.exported()
        let purge = RecordPurge(container: container, scope: .names, before: Date())
        for _ in 0..<4 {
            _ = try purge.run()
            try container.importing(export)
            #expect(try container.makeContext().count(FetchRequest(Scan.self)) == 1)
            #expect(try Bag.all(in: container).map(\.owner) == [nil])
        }
    }

    @Test("names and stations that are canonically equivalent are one, whatever their code points")
    func equivalentNames() throws {
        let spellings = [("\u{F9E1}", "t\u{F6}r"), ("\u{674E}", "to\u{308}r")]
        for (place, (name, station)) in spellings.enumerated() {
            let text = payload(owner: ["D", name])
            _ = try recorder.record(.of(text, name: "\(place)", station: station))
        }
        let context = container.makeContext()
        #expect(try context.count(FetchRequest(Passenger.self)) == 1)
        let stations = try context.fetch(FetchRequest(Scan.self)).map { Array($0.station.utf8) }
        #expect(stations.count == 2 && Set(stations).count == 1)
        #expect(try Bag.all(in: container).count == 1)
    }

    @Test("a picture at both points, at one time, gives the same in whatever order it is filed")
    func bothPoints() throws {
        var bags: Set<Bag> = []
        for points in [Point.builtIn, Point.builtIn.reversed()] {
            let container = try emptyRecord()
            let recorder = ScanRecorder(container: container)
            _ = try recorder.record(.of(payload(), name: "a", station: "Z", second: 1_000_000))
            for point in points {
                let picture = ReadPicture.of(
                    payload(),
                    name: "e",
                    at: point,
                    station: "A",
                    second: 1_020_000
                )
                _ = try recorder.record(picture)
            }
            bags.formUnion(try Bag.all(in: container))
        }
        #expect(bags.map(\.arrived) == [1_020_000])
    }

    @Test("two tags of one bag in a picture are one sighting, whichever is filed when")
    func twoTags() throws {
        let tags = (payload(weight: "42"), payload(weight: "42.0"))
        let picture = ReadPicture.of(
            tags.0,
            tags.1,
            name: "two",
            at: .destination,
            second: 1_000_000
        )
        _ = try recorder.record(picture)
        let number = try #require(try undoing.changes(limit: 9).last).number
        _ = try undoing.undo(number, by: Self.anna)
        var again = picture
        again.date += Self.hour
        _ = try recorder.record(again)
        #expect(try record() == "42.0 lb, never to 0.0")
        #expect(try RecordCheckup(container: container).findings().isEmpty)
    }

    @Test("a tag without a weight leaves the one on record, and contradicts nothing")
    func noWeight() throws {
        #expect(try scan("a", 1, nil) == .new)
        #expect(try record() == "no weight, 1.0 to never")
        #expect(try scan("b", 2, "42") == .updated)
        #expect(try scan("c", 3, nil) == .updated)
        #expect(try scan("d", 0.5, nil) == .repeated)
        #expect(try record() == "42.0 lb, 3.0 to never")
        // Nothing that is left tells one.
        try undo("b")
        #expect(try record() == "no weight, 3.0 to never")
        let change = try #require(
            try undoing.changes(areUndone: true, limit: 1).first
        )
        #expect(
            change.details.map(\.before) == [nil] && change.details.map(\.after) == [.weight(42)]
        )
        #expect(try RecordCheckup(container: container).findings().isEmpty)
        let other = try emptyRecord()
        try other.importing(container.exported())
        #expect(try Bag.all(in: other) == Bag.all(in: container))
        // That a weight is known now is something new, at whatever time.
        #expect(try scan("e", 0.6, "43") == .updated)
        #expect(try scan("f", 0.7, "50") == .changed)
    }

    @Test("a bag of which nothing that counts tells a weight has none, whatever came first")
    func weightTakenBack() throws {
        for order in [[0, 1], [1, 0]] {
            let container = try emptyRecord()
            let corrector = RecordCorrector(container: container)
            var tag = TypedTag(
                identifier: Self.bag,
                point: .origin,
                date: Date(timeIntervalSince1970: 1_000_000)
            )
            tag.weight = 42
            _ = try corrector.file(tag, by: Self.anna)
            tag.weight = nil
            tag.date += Self.hour
            _ = try corrector.file(tag, by: Self.anna)
            _ = try corrector.edit(Self.bag, BagEdit(weight: 60), by: Self.anna)
            let undoing = ChangeUndoing(container: container)
            let changes = try undoing.changes(limit: 9)
            let wanted = [changes[0].number, changes[2].number]
            for place in order { _ = try undoing.undo(wanted[place], by: Self.anna) }
            #expect(try Bag.all(in: container).map(\.weight) == [nil])
            _ = try undoing.undo(changes[1].number, by: Self.anna)
            #expect(try Bag.all(in: container).isEmpty)
            _ = try undoing.redo(changes[1].number, by: Self.anna)
            #expect(try Bag.all(in: container).map(\.weight) == [nil])
        }
    }

    @Test("what is imported again counts again, and is kept once")
    func statements() throws {
        for (weight, policy) in [
            ("40", ImportPolicy.objectTrump), ("50", .objectTrump), ("40", .objectTrump),
            ("40", .objectTrump), ("50", .overwrite), ("50", .overwrite),
        ] {
            try container.importing(payload(weight: weight), policy: policy)
            #expect(try record() == "\(weight).0 lb, never to never")
        }
        let context = container.makeContext()
        let statements = FetchRequest(Correction.self).where(\.kind, is: .statement)
        #expect(try context.count(statements) == 3)
    }
}

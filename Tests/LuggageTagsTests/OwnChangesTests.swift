import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("What somebody has done last")
struct OwnChangesTests {
    private static let bag = UUID(uuidString: "F432BDB8-D84F-4461-8362-AFF89F6C493E") ?? UUID()

    private let container: PersistentContainer
    private let undoing: ChangeUndoing

    init() throws {
        container = try emptyRecord()
        undoing = ChangeUndoing(container: container)
    }

    private func person(_ name: String) -> Responsibility {
        Responsibility(author: name, reason: "")
    }

    private func scan(_ picture: String, by author: String?, _ payloads: [String] = [payload()])
        throws
    {
        var scan = ReadPicture.of(name: picture, second: 1_000_000)
        scan.reading = .success(.of(payloads.map { Array($0.utf8) }))
        _ = try ScanRecorder(container: container, author: author).record(scan)
    }

    private func edit(_ weight: Float, by author: String) throws {
        _ = try RecordCorrector(container: container).edit(
            Self.bag,
            BagEdit(weight: weight),
            by: person(author)
        )
    }

    private func type(by author: String) throws {
        let tag = TypedTag(
            identifier: Self.bag,
            point: .destination,
            date: Date(timeIntervalSince1970: 1_000_100)
        )
        _ = try RecordCorrector(container: container).file(tag, by: person(author))
    }

    /// Whose and what each change is, the last one first.
    private func changes(of author: String?, areUndone: Bool = false) throws -> [String] {
        try undoing.changes(areUndone: areUndone, limit: 100, of: author).map { change in
            let after = change.details.first { $0.property == "weight" }?.after
            let weight = if case .weight(let pounds) = after { " \(pounds)" } else { "" }
            return "\(change.author): \(change.kind)\(weight)"
                + (change.undoneBy.map { ", undone by \($0)" } ?? "")
        }
    }

    private func code(_ body: () throws -> RecordChange) -> CorrectionError.Code? {
        let error = #expect(throws: CorrectionError.self) { _ = try body() }
        return error?.code
    }

    @Test("is taken back without its number, whatever others have done since")
    func own() throws {
        try scan("a", by: "anna")
        try scan("b", by: nil)
        try edit(50, by: "bob")
        try edit(60, by: "anna")
        try type(by: "bob")
        #expect(
            try changes(of: nil) == [
                "bob: file", "anna: edit 60.0", "bob: edit", "origin: scan", "anna: scan",
            ]
        )
        #expect(try changes(of: "anna") == ["anna: edit 60.0", "anna: scan"])
        #expect(try changes(of: "bob") == ["bob: file", "bob: edit"])
        // What a service has filed is nobody's, whatever the station is called.
        #expect(try changes(of: "origin") == [])
        #expect(code { try undoing.undo(by: person("origin")) } == .nothing)
        #expect(code { try undoing.change(of: "origin") } == .nothing)
        #expect(try undoing.changes(limit: 9).map(\.isOfPerson) == [true, true, true, false, true])
        #expect(try undoing.change(of: "anna").author == "anna")
        #expect(try undoing.undo(by: person("anna")).details.map(\.after) == [.weight(60)])
        #expect(try Bag.all(in: container).map(\.weight) == [50])
        #expect(try undoing.undo(by: person("anna")).kind == .scan)
        #expect(code { try undoing.undo(by: person("anna")) } == .nothing)
        #expect(try undoing.undo(by: person("bob")).kind == .file)
        // By its number, anything can be.
        let number = try #require(try undoing.changes(limit: 9).last).number
        let change = try undoing.undo(number, by: person("anna"))
        #expect(change.author == "origin" && change.station == "origin" && !change.isOfPerson)
        #expect(change.isUndone && change.undoneBy == "anna")
        #expect(try changes(of: nil) == ["bob: edit"])
    }

    @Test("a typed tag is its author's, and so is its scan")
    func typed() throws {
        try scan("a", by: nil)
        try type(by: "bob")
        let scans = try container.makeContext().fetch(FetchRequest(Scan.self))
        #expect(Set(scans.map(\.author)) == [nil, "bob"])
        #expect(try changes(of: "bob") == ["bob: file"])
        #expect(try undoing.undo(by: person("bob")).station == "destination")
        #expect(try Bag.all(in: container).map(\.arrived) == [nil])
    }

    @Test("is brought back without its number by whoever has taken it back, and nobody else")
    func broughtBack() throws {
        try scan("a", by: nil)
        try edit(50, by: "bob")
        let numbers = try undoing.changes(limit: 9).map(\.number)
        // Whose it was does not matter.
        _ = try undoing.undo(numbers[0], by: person("anna"))
        _ = try undoing.undo(numbers[1], by: person("bob"))
        #expect(
            try changes(of: nil, areUndone: true) == [
                "origin: scan, undone by bob", "bob: edit, undone by anna",
            ]
        )
        #expect(try changes(of: "anna", areUndone: true) == ["bob: edit, undone by anna"])
        #expect(try changes(of: "origin", areUndone: true) == [])
        #expect(code { try undoing.redo(by: person("origin")) } == .nothing)
        #expect(try undoing.change(isUndone: true, of: "anna").number == numbers[0])
        let change = try undoing.redo(by: person("anna"))
        #expect(change.number == numbers[0] && !change.isUndone && change.undoneBy == nil)
        #expect(code { try undoing.redo(by: person("anna")) } == .nothing)
        // Taken back once more by another, it is that one's.
        _ = try undoing.undo(numbers[0], by: person("bob"))
        #expect(code { try undoing.redo(by: person("anna")) } == .nothing)
        #expect(try undoing.redo(by: person("bob")).number == numbers[0])
        #expect(try undoing.redo(by: person("bob")).number == numbers[1])
        #expect(code { try undoing.redo(by: person("bob")) } == .nothing)
    }

    @Test("is found behind many that were taken back and brought back")
    func many() throws {
        try scan("a", by: "anna")
        let first = try undoing.undo(by: person("anna")).number
        try scan("b", by: "anna")
        for _ in 0..<120 {
            let number = try undoing.undo(by: person("anna")).number
            #expect(number != first)
            _ = try undoing.redo(by: person("anna"))
        }
        #expect(try undoing.redo(by: person("anna")).number == first)
        #expect(code { try undoing.redo(by: person("anna")) } == .nothing)
    }

    @Test("of tags that were filed together, the last one is taken back first")
    func together() throws {
        let ids = (0..<5).map { "00000000-0000-4000-8000-00000000000\($0)" }
        try scan("sheet", by: "anna", ids.map { payload($0) })
        let listed = try undoing.changes(limit: 100).map(\.bag?.uuidString)
        #expect(listed == ids.reversed())
        for id in ids.reversed() {
            #expect(try undoing.undo(by: person("anna")).bag?.uuidString == id)
        }
    }

    @Test("what is only looked at stays, and says what it is")
    func looking() throws {
        try scan("a", by: "anna")
        let number = try undoing.change(of: "anna").number
        for change in [
            try undoing.change(of: "anna"), try undoing.change(number, of: "bob"),
            try #require(try undoing.changes(limit: 1).first),
        ] {
            #expect(!change.isUndone && change.undoneBy == nil && change.isNewBag)
        }
        #expect(code { try undoing.change(number, isUndone: true, of: "anna") } == .alreadyDone)
        #expect(code { try undoing.change(number + 2, of: "anna") } == .notFound)
        _ = try undoing.undo(by: person("anna"))
        #expect(code { try undoing.change(number, of: "anna") } == .alreadyDone)
        let undone = try undoing.change(isUndone: true, of: "anna")
        #expect(undone.isUndone && undone.undoneBy == "anna" && undone.isNewBag)
        #expect(try Bag.all(in: container).isEmpty)
    }
}

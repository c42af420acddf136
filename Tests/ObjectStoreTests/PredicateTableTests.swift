import Foundation
import ObjectStore
import SeededRandom
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

/// A predicate, and what it means in plain Swift.
struct PredicateRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let predicate: Predicate<Parcel>
    let condition: @Sendable (Parcel) -> Bool
    /// How many of the ten parcels it selects.
    let expected: Int

    init(
        _ name: String,
        _ expected: Int,
        _ predicate: Predicate<Parcel>,
        _ condition: @escaping @Sendable (Parcel) -> Bool
    ) {
        testDescription = name
        self.expected = expected
        self.predicate = predicate
        self.condition = condition
    }
}

@Suite("A predicate selects what the same condition in Swift selects")
struct PredicateTableTests {
    /// Ten parcels: the first three on one shelf, the next three on another, each third one in the
    /// first, with slips on the even ones.
    static func fill(_ context: ManagedObjectContext) {
        let shelves = (0..<2).map { index in
            let shelf = Shelf(context: context)
            shelf.label = "s\(index)"
            shelf.rank = index == 0 ? 7 : nil
            shelf.isOpen = index == 0
            return shelf
        }
        let names = ["", "a", "ab", "abc", "\u{E9}", "e\u{301}", "\u{6771}\u{4EAC}", "A", "%", "b"]
        var parcels: [Parcel] = []
        for index in 0..<10 {
            let parcel = Parcel(context: context)
            parcel.label = "p\(index)"
            parcel.isOpen = index % 3 == 0 ? nil : index % 3 == 1
            parcel.count = index - 4
            parcel.number = index < 5 ? Int64(index) : nil
            parcel.small = index.isMultiple(of: 2) ? Int8(index) : nil
            parcel.weight = Double(index) / 2 - 1
            parcel.price = index == 9 ? .infinity : index.isMultiple(of: 4) ? 1.5 : nil
            parcel.volume = index < 3 ? 0.5 : nil
            parcel.name = names[index]
            parcel.text = index.isMultiple(of: 2) ? names[index / 2] : nil
            parcel.data = index < 4 ? Data(0..<UInt8(index)) : nil
            parcel.date = index > 6 ? Date(timeIntervalSince1970: Double(index) * 1e8) : nil
            parcel.uuid = index < 2 ? UUID(uuidString: PredicateData.uuids[index]) : nil
            parcel.status = Status.allCases[index % 3]
            if index < 6 { parcel.shelf = shelves[index / 3] }
            if index > 0, index.isMultiple(of: 3) { parcel.outer = parcels[0] }
            for number in 0..<(index.isMultiple(of: 2) ? index / 2 : 0) {
                let slip = Slip(context: context)
                slip.label = "l\(index)\(number)"
                slip.number = number == 0 ? nil : number
                slip.parcel = parcel
            }
            parcels.append(parcel)
        }
    }

    static func stores(_ folder: TemporaryFolder) throws -> [any PersistentStore] {
        let path = folder.path("store.sqlite")
        return [
            InMemoryStore(), try SQLiteStore(path: path),
            ScratchStore(over: try SQLiteStore(path: folder.path("beneath.sqlite"))),
        ]
    }

    @Test("on every store, saved and pending", arguments: PredicateRows.all)
    func rows(row: PredicateRow) throws {
        let folder = try TemporaryFolder()
        for store in try Self.stores(folder) {
            let container = try PersistentContainer(model: PredicateData.model(), store: store)
            let context = container.makeContext()
            Self.fill(context)
            try Self.check(row, context, "\(type(of: store)), pending")
            try context.save()
            try Self.check(row, container.makeContext(), "\(type(of: store)), saved")
            let parcels = try context.fetch(FetchRequest(Parcel.self))
            for parcel in parcels.prefix(4) { parcel.label += "x" }
            try Self.check(row, context, "\(type(of: store)), some changed")
        }
    }

    private static func check(
        _ row: PredicateRow,
        _ context: ManagedObjectContext,
        _ place: Comment
    ) throws {
        let all = try context.fetch(FetchRequest(Parcel.self).sorted(by: \.label))
        let expected = all.filter(row.condition)
        let request = FetchRequest(Parcel.self, predicate: row.predicate).sorted(by: \.label)
        let found = try context.fetch(request)
        #expect(found.map(\.label) == expected.map(\.label), place)
        #expect(found.count == row.expected, place)
        let ids = expected.map(\.objectID)
        #expect(try context.fetchIDs(request) == ids, place)
        #expect(try context.count(request) == ids.count, place)
        let page = request.skipping(1).limited(to: 2)
        #expect(try context.fetchIDs(page) == Array(ids.dropFirst().prefix(2)), place)
        #expect(try context.count(page) == ids.dropFirst().prefix(2).count, place)
        #expect(try context.count(request.limited(to: 0)) == 0, place)
        #expect(try context.fetchIDs(request.skipping(.max)) == [], place)
    }

    @Test("sums beyond 64 bits are compared as numbers")
    func overflow() throws {
        let folder = try TemporaryFolder()
        for store in try Self.stores(folder) {
            let context = try PersistentContainer(model: PredicateData.model(), store: store)
                .makeContext()
            Self.fill(context)
            try context.save()
            let max = Int.max
            func count(_ predicate: Predicate<Parcel>) throws -> Int {
                try context.count(FetchRequest(Parcel.self, predicate: predicate))
            }
            let place: Comment = "\(type(of: store))"
            // Five counts are above 0, so that the sum is 2^63, one more than the greatest number.
            #expect(try count(#Predicate { $0.count + max > max }) == 5, place)
            #expect(try count(#Predicate { $0.count + max == max }) == 1, place)
            #expect(try count(#Predicate { ($0.count + max) - max == 0 }) == 6, place)
            let options = [0]
            #expect(
                try count(#Predicate { options.contains(($0.count + max) - max) }) == 6,
                place
            )
        }
    }
}

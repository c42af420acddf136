import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

/// A predicate that no store could answer, and the part of it that is to blame.
struct RefusedRow: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let expression: String
    let predicate: Predicate<Parcel>

    init(_ name: String, _ expression: String, _ predicate: Predicate<Parcel>) {
        testDescription = name
        self.expression = expression
        self.predicate = predicate
    }

    static var all: [RefusedRow] {
        let (noNumber, nul, wide) = (Double.infinity - .infinity, "a\0b", UInt128.max)
        let numbers = [1.0, .nan]
        // swift-format-ignore: NeverForceUnwrap
        return [
            RefusedRow("NaN", "Value", #Predicate { $0.weight == noNumber }),
            RefusedRow("NaN in an array", "Value", #Predicate { numbers.contains($0.weight) }),
            RefusedRow("text with NUL", "Value", #Predicate { $0.name == nul }),
            RefusedRow(
                "no attribute",
                "Value",
                #Predicate { $0.name.isEmpty && wide == wide }
            ),
            RefusedRow("unsigned sum", "Arithmetic", #Predicate { $0.pieces + 1 > 5 }),
            RefusedRow("undeclared", "KeyPath", #Predicate { $0.undeclared == 1 }),
            RefusedRow("isDeleted", "KeyPath", #Predicate { $0.isDeleted }),
            RefusedRow("length of a text", "KeyPath", #Predicate { $0.name.count == 3 }),
            RefusedRow(
                "form of a text",
                "KeyPath",
                #Predicate { $0.name.isContiguousUTF8 }
            ),
            RefusedRow("index of members", "KeyPath", #Predicate { $0.slips.startIndex == 0 }),
            RefusedRow("raw value", "KeyPath", #Predicate { $0.status.rawValue == 1 }),
            RefusedRow(
                "part of a date",
                "KeyPath",
                #Predicate { $0.date?.timeIntervalSince1970 == 0 }
            ),
            RefusedRow(
                "filter",
                "Filter",
                #Predicate { $0.slips.filter { $0.number == 1 }.isEmpty }
            ),
            RefusedRow("division", "FloatDivision", #Predicate { $0.weight / 2 == 1 }),
            RefusedRow("whole division", "IntDivision", #Predicate { $0.count / 2 == 1 }),
            RefusedRow("remainder", "IntRemainder", #Predicate { $0.count % 2 == 1 }),
            RefusedRow("forced", "ForcedUnwrap", #Predicate { $0.shelf!.label == "s1" }),
            RefusedRow("type check", "TypeCheck", #Predicate { ($0.name as Any) is String }),
            RefusedRow(
                "regular expression",
                "StringContainsRegex",
                #Predicate { $0.name.contains(/a+/) }
            ),
            RefusedRow(
                "outer variable",
                "Variable",
                #Predicate { parcel in parcel.slips.contains { ($0.number ?? 0) == parcel.count } }
            ),
        ]
    }
}

@Suite("What no store could answer is refused by name")
struct PredicateRefusalTests {
    private static func stores(_ folder: TemporaryFolder) throws -> [PersistentContainer] {
        let file = try SQLiteStore(path: folder.path("store.sqlite"))
        let beneath = try SQLiteStore(path: folder.path("beneath.sqlite"))
        return try [InMemoryStore(), file, ScratchStore(over: beneath)].map {
            (store: any PersistentStore) in
            try PersistentContainer(model: PredicateData.model(), store: store)
        }
    }

    @Test("in a predicate", arguments: RefusedRow.all)
    func predicates(row: RefusedRow) throws {
        let folder = try TemporaryFolder()
        for container in try Self.stores(folder) {
            let context = container.makeContext()
            PredicateTableTests.fill(context)
            let request = FetchRequest(Parcel.self, predicate: row.predicate)
            for refused in [
                #expect(throws: UnsupportedPredicateError.self) { try context.fetch(request) },
                #expect(throws: UnsupportedPredicateError.self) { try context.fetchIDs(request) },
                #expect(throws: UnsupportedPredicateError.self) { try context.count(request) },
            ] {
                #expect(refused?.expression == row.expression)
                #expect(refused?.description.contains(row.expression) == true)
                #expect(refused?.reason.isEmpty == false)
            }
            // The context goes on.
            #expect(try context.count(FetchRequest(Parcel.self)) == 10)
        }
    }

    @Test(
        "in a sort",
        arguments: [
            FetchRequest<Parcel>().sorted(by: \.undeclared),
            FetchRequest<Parcel>().sorted(by: \.slips.count),
        ]
    )
    func sorts(request: FetchRequest<Parcel>) throws {
        let folder = try TemporaryFolder()
        for container in try Self.stores(folder) {
            let context = container.makeContext()
            let refused = #expect(throws: UnsupportedPredicateError.self) {
                try context.fetch(request)
            }
            #expect(refused?.expression.contains("Parcel.") == true)
        }
    }

    /// Requests that name no property of their class.
    private static func others() -> [FetchRequest<Parcel>] {
        let every = FetchRequest<Parcel>()
        return [
            every.where(\.shelf?.label, is: "s1"), every.where(\.undeclared, is: 1),
            every.where(\.name.count, isGreaterThan: 1), every.where(\.undeclared, isLessThan: 1),
            every.where(\.undeclared, isOneOf: [1]), every.where(\.shelf?.label, isMissing: true),
            every.where(\.shelf?.parcels.first?.shelf, isOneOf: []),
            every.whereEither({ $0.where(\.name, is: "a") }, { $0.where(\.undeclared, is: 1) }),
        ]
    }

    @Test("in a condition, where it is of another object or computed", arguments: others().indices)
    func conditions(index: Int) throws {
        let folder = try TemporaryFolder()
        for container in try Self.stores(folder) {
            let context = container.makeContext()
            let request = Self.others()[index]
            #expect(throws: UnsupportedPredicateError.self) { try context.fetch(request) }
            #expect(throws: UnsupportedPredicateError.self) { try context.count(request) }
            #expect(try context.count(FetchRequest(Parcel.self)) == 0)
        }
    }

    @Test("in a figure, in groups, and in what is to be read along")
    func figures() throws {
        let folder = try TemporaryFolder()
        for container in try Self.stores(folder) {
            let context = container.makeContext()
            PredicateTableTests.fill(context)
            #expect(throws: UnsupportedPredicateError.self) {
                try context.maximum(of: \Parcel.undeclared)
            }
            #expect(throws: UnsupportedPredicateError.self) {
                try context.distinctValues(of: \Parcel.shelf?.label)
            }
            #expect(throws: UnsupportedPredicateError.self) {
                try context.sum(of: \Parcel.undeclared)
            }
            let along = FetchRequest(Parcel.self).prefetching(\.shelf?.parcels.first?.shelf)
            #expect(throws: UnsupportedPredicateError.self) { try context.fetch(along) }
            #expect(try context.count(FetchRequest(Parcel.self)) == 10)
        }
    }

    @Test("a sort by properties orders every store alike, missing values first")
    func sorted() throws {
        let folder = try TemporaryFolder()
        for container in try Self.stores(folder) {
            let context = container.makeContext()
            PredicateTableTests.fill(context)
            try Self.checkOrders(of: context)
            try context.save()
            try Self.checkOrders(of: context)
            try Self.checkOrders(of: container.makeContext())
            try context.fetch(FetchRequest(Parcel.self)).first?.label = "first"
            try Self.checkOrders(of: context)
        }
    }

    private static func checkOrders(of context: ManagedObjectContext) throws {
        func counts(
            _ order: (FetchRequest<Parcel>) -> FetchRequest<Parcel>
        ) throws -> [Int] {
            let request = FetchRequest(Parcel.self, predicate: #Predicate { $0.count >= 0 })
            return try context.fetch(order(request)).map(\.count)
        }
        #expect(try counts { $0.sorted(by: \.weight) } == [0, 1, 2, 3, 4, 5])
        #expect(try counts { $0.sorted(by: \.weight, .descending) } == [5, 4, 3, 2, 1, 0])
        #expect(try counts { $0.sorted(by: \.small).sorted(by: \.count) } == [1, 3, 5, 0, 2, 4])
        #expect(
            try counts { $0.sorted(by: \.small, .descending).sorted(by: \.count) }
                == [4, 2, 0, 1, 3, 5]
        )
        #expect(try counts { $0.sorted(by: \.name) } == [4, 3, 5, 1, 0, 2])
        #expect(try counts { $0.sorted(by: \.name, .descending) } == [2, 0, 1, 5, 3, 4])
    }
}

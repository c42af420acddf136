import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

/// A whole number of each size.
private final class Tally: ManagedObject {
    @Attribute var int: Int
    @Attribute var int8: Int8
    @Attribute var int16: Int16
    @Attribute var int32: Int32
    @Attribute var int64: Int64
    @Attribute var uint: UInt
    @Attribute var uint8: UInt8
    @Attribute var uint16: UInt16
    @Attribute var uint32: UInt32
    @Attribute var uint64: UInt64
    @Attribute var level: Level

    enum Level: UInt8, AttributeType {
        case low, high
        static var absent: Level { .low }
    }

    func fill(_ value: (any FixedWidthInteger.Type) -> any FixedWidthInteger) {
        func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
            Number(truncatingIfNeeded: value(type))
        }
        (int, int8, int16) = (number(Int.self), number(Int8.self), number(Int16.self))
        (int32, int64) = (number(Int32.self), number(Int64.self))
        (uint, uint8, uint16) = (number(UInt.self), number(UInt8.self), number(UInt16.self))
        (uint32, uint64) = (number(UInt32.self), number(UInt64.self))
    }

    var numbers: [String] {
        [
            "\(int)", "\(int8)", "\(int16)", "\(int32)", "\(int64)", "\(uint)", "\(uint8)",
            "\(uint16)", "\(uint32)", "\(uint64)",
        ]
    }

    static let entity = EntityDescription(
        Tally.self,
        name: "Tally",
        properties: [
            .attribute(\.int), .attribute(\.int8), .attribute(\.int16),
            .attribute(\.int32), .attribute(\.int64), .attribute(\.uint),
            .attribute(\.uint8), .attribute(\.uint16),
            .attribute(\.uint32),
            .attribute(\.uint64, .minimum(0), combining: .maximum),
            .attribute(\.level, default: .low),
        ]
    )
}

@Suite("Whole numbers")
struct WholeNumberTests {
    private func withStore(
        _ body: (PersistentContainer, SQLiteStore) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.path("store.sqlite"))
        let model = try ManagedObjectModel(Tally.entity)
        try body(PersistentContainer(model: model, store: store), store)
    }

    @Test("of every size come back at their limits")
    func limits() throws {
        try withStore { container, _ in
            let context = container.makeContext()
            Tally(context: context).fill { $0.min }
            Tally(context: context).fill { $0.max }
            try context.save()
            let found = try container.makeContext().fetch(FetchRequest(Tally.self))
            #expect(
                found.map(\.numbers) == [
                    [
                        "\(Int.min)", "-128", "-32768", "-2147483648", "\(Int64.min)", "0", "0",
                        "0",
                        "0", "0",
                    ],
                    [
                        "\(Int.max)", "127", "32767", "2147483647", "\(Int64.max)", "\(UInt.max)",
                        "255", "65535", "4294967295", "\(UInt64.max)",
                    ],
                ]
            )
            let newest = container.makeContext()
            #expect(try newest.sum(of: \Tally.uint64) == .max)
            #expect(try newest.sum(of: \Tally.uint32) == 4_294_967_295)
            #expect(try newest.sum(of: \Tally.int64) == -1)
        }
    }

    @Test("that need the 64th bit are 20 digits in the file")
    func digits() throws {
        try withStore { container, store in
            let context = container.makeContext()
            let tally = Tally(context: context)
            tally.fill { _ in 0 }
            (tally.uint64, tally.uint) = (1 << 63, 7)
            try context.save()
            let kept = try DatabaseQueue(path: store.path).read { db in
                try Row.fetchOne(db, sql: "SELECT uint64, uint FROM Tally")
            }
            #expect(kept == ["uint64": "09223372036854775808", "uint": "00000000000000000007"])
        }
    }

    @Test(
        "that their type cannot hold are damage, wherever they are read",
        arguments: [
            ("int8", "128"), ("int8", "-129"), ("uint8", "-1"), ("uint8", "256"),
            ("int16", "32768"), ("uint16", "65536"), ("int32", "2147483648"),
            ("uint32", "4294967296"), ("uint32", "-9223372036854775808"), ("level", "256"),
            ("uint64", "'18446744073709551616'"), ("uint64", "'7'"), ("uint64", "''"),
            ("uint64", "'0000000000000000000x'"), ("uint64", "'-0000000000000000001'"),
            ("uint", "'+0000000000000000001'"), ("uint", "'99999999999999999999'"),
        ]
    )
    func outOfRange(column: String, value: String) throws {
        try withStore { container, store in
            let context = container.makeContext()
            for _ in 0..<3 { Tally(context: context).fill { _ in 1 } }
            try context.save()
            let queue = try DatabaseQueue(path: store.path)
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "UPDATE Tally SET \(column) = \(value) WHERE id = 2")
            }
            try queue.close()

            func expectDamage(_ body: (ManagedObjectContext) throws -> Void) {
                let error = #expect(throws: StoreError.self) { try body(container.makeContext()) }
                #expect(error?.code == .damaged)
            }
            let message = #expect(throws: StoreError.self) {
                try container.makeContext().fetch(FetchRequest(Tally.self))
            }?.message
            #expect(message?.contains("Tally.\(column) of the object with the key 2") == true)
            expectDamage { context in
                let id = ObjectID(entity: 0, key: 2)
                _ = try context.existingObject(Tally.self, id: id)
            }
            let index = try #require(
                container.model.entities[0].columns.firstIndex {
                    $0.name == column
                }
            )
            let query = StoreQuery(model: container.model, entity: container.model.entities[0])
            for (grouping, figures) in [
                ([index], [StoreAggregate.Figure]()), ([], [.sum(index)]), ([], [.average(index)]),
                ([], [.minimum(index), .maximum(index)]),
            ] {
                let aggregate = StoreAggregate(query: query, grouping: grouping, figures: figures)
                let error = #expect(throws: StoreError.self) {
                    try store.read { try $0.groups(of: aggregate) }
                }
                #expect(error?.code == .damaged)
            }
        }
    }

    @Test("of an enumeration may be of no case, which a newer program may have")
    func unknownCase() throws {
        try withUnknownCase { container, _ in
            let found = try container.makeContext().fetch(FetchRequest(Tally.self))
            #expect(found.map(\.level) == [.low])
        }
    }

    @Test("of no case let the other values of their object be saved, and stay as they are")
    func unknownCaseKept() throws {
        try withUnknownCase { container, queue in
            let other = container.makeContext()
            let tally = try #require(try other.fetch(FetchRequest(Tally.self)).first)
            tally.int = 2
            try other.save()
            let level = try queue.read { try Int.fetchOne($0, sql: "SELECT level FROM Tally") }
            #expect(level == 9)
            #expect(try container.makeContext().fetch(FetchRequest(Tally.self)).first?.int == 2)
        }
    }

    @Test("of no case come back where a deletion is undone that was saved")
    func unknownCaseUndone() throws {
        try withUnknownCase { container, queue in
            let context = container.makeContext()
            context.undoLimit = 1
            try context.delete(try #require(try context.fetch(FetchRequest(Tally.self)).first))
            try context.save()
            let isUndone = context.undo()
            #expect(isUndone)
            try context.save()
            let level = try queue.read { try Int.fetchOne($0, sql: "SELECT level FROM Tally") }
            #expect(level == 9)
        }
    }

    /// A store with one object, whose level is none that this program knows, and its file.
    private func withUnknownCase(
        _ body: (PersistentContainer, DatabaseQueue) throws -> Void
    ) throws {
        try withStore { container, store in
            let context = container.makeContext()
            Tally(context: context).fill { _ in 1 }
            try context.save()
            let queue = try DatabaseQueue(path: store.path)
            try queue.writeWithoutTransaction { try $0.execute(sql: "UPDATE Tally SET level = 9") }
            try body(container, queue)
            try queue.close()
        }
    }
}

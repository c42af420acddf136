import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("A store of the format that counted dates from 1970")
struct OlderDatesTests {
    private let folder: TemporaryFolder
    private let path: String
    private let morning = Date(timeIntervalSince1970: 1_700_000_000.25)
    private let noon = Date(timeIntervalSince1970: 1_700_014_400)

    /// Makes a store with two bags and the history of a date, and counts its dates as before.
    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
        let store = try SQLiteStore(path: path)
        let context = try PersistentContainer(model: TestModel.make(), store: store).makeContext()
        let bag = Luggage(context, "A", weight: 1)
        bag.departedAt = noon
        let number = 1_700_000_000.25
        bag.heaviest = Int(number)
        _ = Luggage(context, "B", weight: number)
        try context.save()
        bag.departedAt = morning
        try context.save()
        try store.close()

        try OlderDates.turnBack(path, [("Luggage", "departedAt")], dates: [morning, noon])
    }

    private func open(_ access: SQLiteStore.Access) throws -> PersistentContainer {
        try PersistentContainer(
            model: TestModel.make(),
            store: SQLiteStore(path: path, access: access)
        )
    }

    private func check(_ container: PersistentContainer) throws {
        let context = container.makeContext()
        let bags = FetchRequest(Luggage.self)
        #expect(try context.luggage("A")?.departedAt == morning)
        #expect(try context.luggage("B")?.departedAt == nil)
        #expect(try context.luggage("B")?.weight == 1_700_000_000.25)
        #expect(try context.count(bags.where(\.departedAt, is: morning)) == 1)
        #expect(try context.count(bags.where(\.departedAt, isAtLeast: noon)) == 0)
        #expect(try context.count(bags.where(\.departedAt, isMissing: true)) == 1)
        #expect(try context.maximum(of: \Luggage.departedAt) == morning)
        #expect(try context.counts(by: \Luggage.departedAt) == [morning: 1, nil: 1])
        let sorted = try context.fetch(bags.sorted(by: \.departedAt, .descending))
        #expect(sorted.map(\.tag) == ["A", "B"])
        let change = try container.history(after: nil).last?.changes.first?.properties.first
        #expect(change?.before == noon.attributeValue)
        #expect(change?.after == morning.attributeValue)
        #expect(try container.read { try $0.historyFindings() } == [])
    }

    @Test("is read as it is, and stays as it is")
    func reading() throws {
        try check(open(.read))
        let queue = try DatabaseQueue(path: path)
        let date = try queue.read { db in
            try Double.fetchOne(db, sql: "SELECT departedAt FROM Luggage WHERE tag = 'A'")
        }
        #expect(date == 1_700_000_000.25)
    }

    @Test(
        "finds a date again that is exact only as it is counted now, while it is counted as before"
    )
    func inexactDates() throws {
        let other = try KilledWriter("store-writer", [path, "hold"])
        try other.waitForOutput()
        let container = try open(.create)
        #expect(try OlderDates.format(of: path) == 2)
        for place in 0..<64 {
            let date = Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(place) * 0x1p-23)
            let context = container.makeContext()
            let bag = Luggage(context, "\(place)", weight: 1)
            bag.departedAt = date
            try context.save()
            let tag = "\(place)"
            let bags = FetchRequest(Luggage.self).where(\.tag, is: tag)
            let later = bags.where(\.departedAt, isAtLeast: date)
            let other = container.makeContext()
            #expect(try other.count(bags.where(\.departedAt, is: date)) == 1, "\(place)")
            #expect(try other.count(bags.where(\.departedAt, isOneOf: [date])) == 1, "\(place)")
            #expect(try other.count(later) == 1, "\(place)")
        }
        let sorted = try container.makeContext().fetch(
            FetchRequest(Luggage.self).sorted(by: \.departedAt).limited(to: 2)
        )
        #expect(sorted.map(\.tag) == ["B", "0"])
        _ = try other.kill(after: 0, 0)
    }

    @Test("tells a migration step from when its dates are counted")
    func steps() throws {
        let day = 86_400.0
        let step = MigrationStep("a day later") { [morning] migration in
            let until = morning.timeIntervalSince(try migration.dateOrigin)
            try migration.execute(
                "UPDATE Luggage SET departedAt = departedAt + \(day) WHERE departedAt = ?",
                [.real(until)]
            )
        }
        let store = try SQLiteStore(path: path, migrations: [step])
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        #expect(try container.makeContext().luggage("A")?.departedAt == morning + day)
        #expect(try OlderDates.format(of: path) == 3)
    }

    @Test("is converted once when it is opened for writing")
    func converting() throws {
        for _ in 0..<2 { try check(open(.create)) }
        #expect(try OlderDates.format(of: path) == 3)
        let context = try open(.create).makeContext()
        try #require(try context.luggage("B")).departedAt = Date(
            timeIntervalSinceReferenceDate: 0.1
        )
        try context.save()
        let dates = try open(.read).makeContext().fetch(FetchRequest(Luggage.self)).map(
            \.departedAt
        )
        #expect(dates == [morning, Date(timeIntervalSinceReferenceDate: 0.1)])
        #expect(try SQLiteStore(path: path, access: .read).checkIntegrity() == [])
    }

    @Test("keeps programs away that count from 1970, also those that looked at the file before")
    func olderPrograms() throws {
        // The first thing that they look at, before the log is in the file.
        let container = try open(.create)
        #expect(try OlderDates.format(of: path) == 3)
        let queue = try DatabaseQueue(path: path)
        let (definition, tables) = try queue.read { db in
            let tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
            return (
                try String.fetchOne(db, sql: "SELECT definition FROM ObjectStoreModel"),
                try String.fetchAll(db, sql: tables)
            )
        }
        // They compare this with their model, and then refuse tables that are not of it.
        #expect(definition?.contains("\"name\":\"ObjectStoreFormat\"") == true)
        #expect(tables.contains("ObjectStoreFormat"))
        try check(container)
    }

    @Test("is read right by who has opened it before it was converted")
    func convertedMeanwhile() throws {
        let reader = try open(.read)
        let writer = try open(.create)
        try check(reader)
        let other = try open(.create)
        for container in [reader, writer, other] { try check(container) }
        let context = writer.makeContext()
        _ = try #require(try context.luggage("B"))
        try context.delete(try #require(try context.luggage("B")))
        try context.save()
        let bag = Luggage(context, "B", weight: 1_700_000_000.25)
        bag.departedAt = Date(timeIntervalSinceReferenceDate: 0.1)
        try context.save()
        let found = try reader.makeContext().luggage("B")?.departedAt
        #expect(found == Date(timeIntervalSinceReferenceDate: 0.1))
    }

    @Test("stays as it is while another process has it open, and all read and write it right")
    func openElsewhere() throws {
        let other = try KilledWriter("store-writer", [path, "hold"])
        try other.waitForOutput()
        // Exact in either format.
        let evening = Date(timeIntervalSince1970: 1_700_030_000.5)
        let first = try open(.create)
        try check(first)
        #expect(try OlderDates.format(of: path) == 2)
        let context = first.makeContext()
        try #require(try context.luggage("A")).departedAt = evening
        let bag = Luggage(context, "C", weight: 3)
        bag.departedAt = noon
        try context.save()
        let queue = try DatabaseQueue(path: path)
        let stored = try queue.read { db in
            let sql = "SELECT departedAt FROM Luggage ORDER BY tag"
            let changes = "SELECT changes FROM ObjectStoreHistory ORDER BY token DESC"
            return (
                try Optional<Double>.fetchAll(db, sql: sql),
                try Data.fetchOne(db, sql: changes)?.first
            )
        }
        #expect(stored.0 == [evening.timeIntervalSince1970, nil, noon.timeIntervalSince1970])
        #expect(stored.1 == 1)
        #expect(try first.makeContext().count(bags(at: evening)) == 1)
        try (first.store as? SQLiteStore)?.close()
        _ = try other.kill(after: 0, 0)

        let second = try open(.create)
        #expect(try OlderDates.format(of: path) == 3)
        #expect(try second.makeContext().count(bags(at: evening)) == 1)
        #expect(try second.makeContext().count(bags(at: noon)) == 1)
        let history = try second.history(after: nil)
        let change = history.last?.changes.first { $0.kind == .updated }?.properties.first
        #expect(change?.before == morning.attributeValue)
        #expect(change?.after == evening.attributeValue)
    }

    private func bags(at date: Date) -> ObjectStore.FetchRequest<Luggage> {
        FetchRequest(Luggage.self).where(\.departedAt, is: date)
    }

    @Test("is converted right by several processes that open it at the same time")
    func severalProcesses() throws {
        for round in 0..<5 {
            let copy = folder.path("copy-\(round).sqlite")
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let programs = try (0..<4).map { _ in
                try StartedProgram("store-writer", [copy, "commands"])
            }
            for (number, program) in programs.enumerated() {
                try program.input.write(contentsOf: Data("depart \(number)\n".utf8))
            }
            for program in programs {
                #expect(program.output.availableData.last == 0x0A)
                try program.input.close()
                #expect(program.wait() == .exit(0))
            }
            let store = try SQLiteStore(path: copy)
            let container = try PersistentContainer(model: TestModel.make(), store: store)
            #expect(try OlderDates.format(of: copy) == 3)
            let bags = try container.makeContext().fetch(FetchRequest(Luggage.self))
            let dates = Dictionary(uniqueKeysWithValues: bags.map { ($0.tag, $0.departedAt) })
            let departed = Dictionary(
                uniqueKeysWithValues: (0..<4).map { number in
                    ("\(number)", Date?(Date(timeIntervalSince1970: Double(1000 + number))))
                }
            )
            #expect(dates == departed.merging(["A": morning, "B": nil]) { a, _ in a })
            #expect(try store.checkIntegrity() == [])
        }
    }

    @Test("is left in the older format or the newer one by a process that is killed meanwhile")
    func kill() throws {
        let bags = 3000
        do {
            let context = try open(.create).makeContext()
            for number in 0..<bags {
                let luggage = Luggage(context, "\(number)", weight: 1)
                luggage.departedAt = noon
                luggage.note = String(repeating: "n", count: 500)
            }
            try context.save()
        }
        try OlderDates.turnBack(path, [("Luggage", "departedAt")], dates: [morning, noon])
        var formats: [Int: Int] = [:]
        for kill in 0..<12 {
            let copy = folder.path("copy-\(kill).sqlite")
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let writer = try KilledWriter("store-writer", [copy, "merge"])
            // It says when it begins, and when it is done, for which one of them waits.
            _ = try writer.kill(after: kill == 11 ? 2 : 1, kill < 11 ? kill * 4_000 : 0)
            for access in [SQLiteStore.Access.read, .create] {
                let store = try SQLiteStore(path: copy, access: access)
                let container = try PersistentContainer(model: TestModel.make(), store: store)
                let context = container.makeContext()
                #expect(try context.count(self.bags(at: noon)) == bags, "kill \(kill)")
                #expect(try context.luggage("A")?.departedAt == morning, "kill \(kill)")
                if access == .read {
                    formats[try store.format(), default: 0] += 1
                }
                #expect(try store.checkIntegrity() == [])
            }
            #expect(try OlderDates.format(of: copy) == 3)
        }
        // The last one was killed when it was done; how far the others got is up to the machine.
        #expect(formats[3] != nil && Set(formats.keys).isSubset(of: [2, 3]), "\(formats)")
    }

    private final class Slot: ManagedObject {
        @Attribute var at: Date
        @Attribute var gate: Int

        static let entity = EntityDescription(
            Slot.self,
            name: "Slot",
            properties: [.attribute(\.at), .attribute(\.gate)],
            uniquenessConstraints: [[\.at]]
        )
    }

    @Test("is converted where dates are unique, also where one is stored as another will be")
    func uniqueDates() throws {
        let path = folder.path("slots.sqlite")
        let model = try ManagedObjectModel(Slot.entity)
        let year1970 = Date(timeIntervalSince1970: 0)
        let year2001 = Date(timeIntervalSinceReferenceDate: 0)
        let year2032 = Date(timeIntervalSinceReferenceDate: 978_307_200)
        let dates = [year2001, year2032, year1970]
        do {
            let store = try SQLiteStore(path: path)
            let context = try PersistentContainer(model: model, store: store).makeContext()
            for (gate, date) in dates.enumerated() {
                let slot = Slot(context: context)
                (slot.at, slot.gate) = (date, gate)
            }
            try context.save()
        }
        let index = try DatabaseQueue(path: path)
        try index.write { try $0.execute(sql: "DROP INDEX \"Slot(unique at)\"") }
        try index.close()
        try OlderDates.turnBack(path, [("Slot", "at")])
        let again = try DatabaseQueue(path: path)
        try again.write {
            try $0.execute(sql: "CREATE UNIQUE INDEX \"Slot(unique at)\" ON \"Slot\" (\"at\")")
        }
        try again.close()

        let store = try SQLiteStore(path: path)
        let context = try PersistentContainer(model: model, store: store).makeContext()
        let slots = try context.fetch(FetchRequest(Slot.self).sorted(by: \.gate))
        #expect(slots.map(\.at) == dates)
        let twin = Slot(context: context)
        (twin.at, twin.gate) = (year1970, 7)
        try context.save()
        #expect(try context.count(Slot.self) == 3)
        #expect(try store.checkIntegrity() == [])
    }
}

extension SQLiteStore {
    /// The format of the stored rows, also where it is still in the log only.
    fileprivate func format() throws -> Int {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
    }
}

import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import TestFolders
import Testing

@Suite("The guide to stores in SQLite")
struct SQLiteStoreExampleTests {
    final class Luggage: ManagedObject {
        @Attribute var label: String
        @Attribute var colour: String
        @Attribute var weight: Int
    }

    final class Trolley: ManagedObject {
        @Attribute var number: Int
    }

    final class Bag: ManagedObject {
        @Attribute var tag: String
        @Attribute var weight: Int
    }

    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("bags.sqlite")
    }

    /// Keeps two bags of one label in a file of an older model.
    private func makeOldFile() throws {
        let model = try ManagedObjectModel(
            EntityDescription(
                Luggage.self,
                name: "Luggage",
                properties: [
                    .attribute(\.label), .attribute(\.colour),
                    .attribute(\.weight),
                ]
            ),
            EntityDescription(
                Trolley.self,
                name: "Trolley",
                properties: [.attribute(\.number)]
            )
        )
        let store = try SQLiteStore(path: path)
        let container = try PersistentContainer(model: model, store: store)
        let context = container.makeContext()
        for weight in [20, 21] {
            let luggage = Luggage(context: context)
            (luggage.label, luggage.colour, luggage.weight) = ("F432", "red", weight)
        }
        Trolley(context: context).number = 7
        try context.save()
        try store.close()
    }

    private static func makeModel() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            EntityDescription(
                Bag.self,
                name: "Bag",
                properties: [.attribute(\.tag), .attribute(\.weight)],
                uniquenessConstraints: [[\.tag]]
            )
        )
    }

    /// Shows what others save until the task is cancelled.
    private static func follow(
        _ container: PersistentContainer,
        showAll: @Sendable () throws -> Void,
        show: @Sendable (ObjectID, ObjectChange) -> Void
    ) async throws {
        let saves = container.changes
        try showAll()
        for await save in saves {
            guard save.isComplete else {
                try showAll()
                continue
            }
            if !save.isForeign { continue }
            for (id, change) in save.changes { show(id, change) }
        }
    }

    @Test("hears of the saves of others", .timeLimit(.minutes(30)))
    func following() async throws {
        let own = try PersistentContainer(
            model: Self.makeModel(),
            store: SQLiteStore(path: path)
        )
        let other = try PersistentContainer(
            model: Self.makeModel(),
            store: SQLiteStore(path: path)
        )
        let (shown, feed) = AsyncStream.makeStream(of: String.self)
        let listening = Task {
            try await Self.follow(
                own,
                showAll: { feed.yield("all") },
                show: { _, change in feed.yield("\(change.kind)") }
            )
        }
        var news = shown.makeAsyncIterator()
        let first = await news.next(isolation: nil)
        // The own save is not shown; the save of the other container is.
        for container in [own, other] {
            let context = container.makeContext()
            let bag = Bag(context: context)
            (bag.tag, bag.weight) = ("F432", container === own ? 20 : 21)
            try await context.save()
        }
        let second = await news.next(isolation: nil)
        listening.cancel()
        #expect(first == "all" && second == "updated")
    }

    @Test("brings an older file to the model")
    func migration() throws {
        try makeOldFile()
        let model = try Self.makeModel()
        let store = try SQLiteStore(
            path: path,
            migrations: [
                .renamingEntity("Luggage", to: "Bag"),
                .renamingProperty("label", of: "Bag", to: "tag"),
                .removingProperty("colour", of: "Bag"),
                .removingEntity("Trolley"),
                MigrationStep("weights in grams") { migration in
                    try migration.execute("UPDATE Bag SET weight = weight * 1000")
                },
            ],
            duplicates: .merge(.mergeByPropertyObjectTrump)
        )
        let context = try PersistentContainer(model: model, store: store).makeContext()
        let bags = try context.fetch(FetchRequest(Bag.self))
        #expect(bags.map(\.tag) == ["F432"] && bags.map(\.weight) == [21_000])
        let tables = try DatabaseQueue(path: path).read { db in
            try ["Luggage", "Bag", "Trolley"].filter { try db.tableExists($0) }
        }
        #expect(tables == ["Bag"])
        let copy = folder.path("copy.sqlite")
        let problems = try store.checkIntegrity()
        try store.backup(to: copy, replacing: true)
        #expect(problems.isEmpty)
        #expect(FileManager.default.fileExists(atPath: copy))
    }
}

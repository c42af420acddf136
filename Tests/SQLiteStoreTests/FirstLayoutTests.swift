import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("A store of the first layout, which had no history")
struct FirstLayoutTests {
    private let folder: TemporaryFolder
    private let path: String

    /// Makes a store of the first layout: with its tables as statements, and without a history.
    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            let statements = [
                """
                CREATE TABLE "Passenger" (id INTEGER PRIMARY KEY NOT NULL, \
                version INTEGER NOT NULL, "givenName" TEXT, "familyName" TEXT, "card" INTEGER, \
                "phone" TEXT) STRICT
                """,
                """
                CREATE UNIQUE INDEX "Passenger_unique_givenName_familyName" \
                ON "Passenger" ("givenName", "familyName")
                """,
                "CREATE UNIQUE INDEX \"Passenger_unique_card\" ON \"Passenger\" (\"card\")",
                """
                CREATE TABLE "Deposit" (id INTEGER PRIMARY KEY NOT NULL, version INTEGER NOT NULL, \
                "payer" INTEGER REFERENCES "Passenger"(id) DEFERRABLE INITIALLY DEFERRED) STRICT
                """,
                "CREATE INDEX \"Deposit_payer\" ON \"Deposit\" (\"payer\")",
            ]
            try db.execute(sql: "PRAGMA application_id = \(0x4F42_5354)")
            try db.execute(sql: "PRAGMA user_version = 1")
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try db.execute(sql: statements.joined(separator: ";\n"))
            try db.execute(
                sql: """
                    CREATE TABLE ObjectStoreModel (definition TEXT NOT NULL) STRICT;
                    CREATE TABLE ObjectStoreKeys (
                        entity TEXT PRIMARY KEY NOT NULL, lastKey INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    INSERT INTO ObjectStoreKeys VALUES ('Passenger', 4), ('Deposit', 9);
                    INSERT INTO Passenger VALUES (3, 2, 'D', 'ZMU', NULL, '555');
                    INSERT INTO Deposit VALUES (9, 1, 3);
                    """
            )
            try db.execute(
                sql: "INSERT INTO ObjectStoreModel VALUES (?)",
                arguments: [statements.joined(separator: ";\n")]
            )
        }
        try queue.close()
    }

    private final class Payer: ManagedObject {
        @Attribute var givenName: String
        @Attribute var familyName: String
        @Attribute var card: Int?
        @Attribute var phone: String?

        static let entity = EntityDescription(
            Payer.self,
            name: "Passenger",
            properties: [
                .attribute(\.givenName), .attribute(\.familyName),
                .attribute(\.card), .attribute(\.phone),
            ],
            uniquenessConstraints: [[\.givenName, \.familyName], [\.card]]
        )
    }

    private final class Payment: ManagedObject {
        @ToOne var payer: Payer?

        static let entity = EntityDescription(
            Payment.self,
            name: "Deposit",
            properties: [.toOne(\.payer, isOptional: false, onDeleteOfTarget: .deny)]
        )
    }

    private func open(_ access: SQLiteStore.Access) throws -> PersistentContainer {
        try PersistentContainer(
            model: ManagedObjectModel(Payer.entity, Payment.entity),
            store: SQLiteStore(path: path, access: access)
        )
    }

    @Test("is read as it is")
    func reading() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let container = try open(.read)
        let payments = try container.makeContext().fetch(FetchRequest(Payment.self))
        #expect(payments.map(\.payer?.phone) == ["555"])
        #expect(try container.history(after: nil).isEmpty)
        #expect(try container.lastHistoryToken() == nil)
        #expect(try SQLiteStore(path: path, access: .read).checkIntegrity() == [])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test("gets a history when it is opened for writing, and keeps its keys")
    func writing() throws {
        for round in 0..<2 {
            let container = try open(.create)
            let context = container.makeContext()
            let payer = Payer(context: context)
            payer.givenName = "P"
            payer.familyName = "\(round)"
            try context.save()
            #expect(payer.objectID.key == Int64(5 + round))
            #expect(try container.history(after: nil).count == round + 1)
        }
        let store = try SQLiteStore(path: path)
        #expect(try store.checkIntegrity() == [])
        try store.close()
        let queue = try DatabaseQueue(path: path)
        #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 3)
        try queue.close()
    }
}

package import ObjectStore
internal import SQLiteStore
internal import TestFolders

/// The stores on which everything is to be the same.
package enum TestStore: String, CaseIterable, Sendable {
    case memory
    case sqlite

    /// Gives an empty store without a model to the body and clears it away afterwards.
    package func withStore<Result>(
        _ body: (any PersistentStore) throws -> Result
    ) throws -> Result {
        switch self {
        case .memory: return try body(InMemoryStore())
        case .sqlite:
            let folder = try TemporaryFolder()
            return try body(SQLiteStore(path: folder.path("store.sqlite")))
        }
    }

    /// Gives an empty store to the body and clears it away afterwards.
    package func withContainer<Result>(
        _ body: (PersistentContainer) throws -> Result
    ) throws -> Result {
        let model = try TestModel.make()
        return try withStore { try body(PersistentContainer(model: model, store: $0)) }
    }

    /// Gives an empty store without a model to the body and clears it away afterwards.
    package func withStore<Result>(
        _ body: (any PersistentStore) async throws -> Result
    ) async throws -> Result {
        switch self {
        case .memory: return try await body(InMemoryStore())
        case .sqlite:
            let folder = try TemporaryFolder()
            return try await body(SQLiteStore(path: folder.path("store.sqlite")))
        }
    }

    /// Gives an empty store to the body and clears it away afterwards.
    package func withContainer<Result>(
        _ body: (PersistentContainer) async throws -> Result
    ) async throws -> Result {
        let model = try TestModel.make()
        return try await withStore { try await body(PersistentContainer(model: model, store: $0)) }
    }
}

extension MergePolicy {
    package static let all: [MergePolicy] = [
        .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ]
}

extension ManagedObjectContext {
    /// The only object that a request finds, or nil.
    package func first<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Object? {
        try fetch(request).first
    }

    /// The bag with a tag, or nil.
    package func luggage(_ tag: String) throws -> Luggage? {
        try first(FetchRequest(Luggage.self).where(\.tag, is: tag))
    }

    /// The number of objects of a class.
    package func count<Object: ManagedObject>(_ type: Object.Type) throws -> Int {
        try count(FetchRequest(type))
    }
}

internal import GRDB
public import ObjectStore
internal import Synchronization

extension SQLiteStore {
    /// Makes the tables of a model in an empty store, or brings those of an older model to it.
    ///
    /// Entities, attributes, relationships, constraints and indices that the store does not have are
    /// added, after the steps of migration that it has not seen, all in one transaction. Objects that
    /// are there get the default value of an attribute that is added or that is required now. Nothing
    /// is ever removed but by a ``MigrationStep``, and indices and constraints, which hold nothing.
    /// Objects that a new constraint does not allow are listed in an error, or merged where the store
    /// was opened with ``DuplicateHandling/merge(_:)``.
    ///
    /// - Parameter model: The model whose rows will be read and written.
    /// - Throws: `StoreError`, of the code `incompatible` where the store cannot be
    ///   brought to the model. It lists what differs, or the objects that a new constraint does not
    ///   allow. The store is then as it was.
    public func prepare(for model: ManagedObjectModel) throws {
        try StoreError.translating(path) {
            defer { sql.withLock { $0 = ModelSQL(model) } }
            let schema = SQLiteSchema(
                model,
                path: path,
                steps: migrations,
                duplicates: duplicates
            )
            switch try pool.read({ try schema.state(of: $0) }) {
            case .current: return
            case .empty where access == .read:
                throw StoreError(
                    .notFound,
                    "\(path) is an empty store: nothing was ever saved in it"
                )
            case .other(let recorded) where access == .read:
                try pool.read { try schema.checkReading(recorded, in: $0) }
            case .empty, .other:
                try commits.alone { db in
                    try db.inTransaction(.immediate) {
                        // Another process may have been quicker.
                        switch try schema.state(of: db) {
                        case .current: break
                        case .empty: try schema.create(in: db)
                        case .other(let recorded): try schema.migrate(recorded, in: db)
                        }
                        return .commit
                    }
                }
            }
        }
    }
}

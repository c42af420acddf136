internal import HashTreeCollections
internal import Synchronization

extension ManagedObject {
    /// Every rule of the model that the object breaks, as a save after merging reports them.
    public var validationFailures: [ValidationFailure] { context.failures(of: self) }
}

extension ManagedObjectContext {
    fileprivate func failures(of object: ManagedObject) -> [ValidationFailure] {
        state.withLock { state in
            let id = object.objectID
            state.load(id, model: model, source: source)
            guard let row = state.graph.rows[id], !row.isDeleted else { return [] }
            return model.entities[id.entity].failures(of: row.values, id: id)
        }
    }
}

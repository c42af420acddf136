extension ObservableManagedObject {
    /// Makes another object a member of a to-many relationship of this one.
    ///
    /// It takes the same time however many members there are; writing the relationship as an array
    /// compares all of them.
    ///
    /// - Parameters:
    ///   - member: An object of the same context, or a saved one of another; it leaves the object
    ///     that it was a member of.
    ///   - keyPath: The relationship.
    /// - Throws: ``StoreError`` if another context has not saved the object yet, or it cannot be read.
    public func insert<Member: ManagedObject>(
        _ member: Member,
        into keyPath: KeyPath<Self, [Member]>
    ) throws {
        try context.setOwner(of: member, to: self, at: keyPath, ifMemberOfIt: false)
    }

    /// Makes another object no member of a to-many relationship of this one any more.
    ///
    /// - Parameters:
    ///   - member: The object; if it is no member, nothing happens.
    ///   - keyPath: The relationship.
    /// - Throws: As ``insert(_:into:)``.
    public func remove<Member: ManagedObject>(
        _ member: Member,
        from keyPath: KeyPath<Self, [Member]>
    ) throws {
        try context.setOwner(of: member, to: self, at: keyPath, ifMemberOfIt: true)
    }
}

extension ManagedObjectContext {
    /// Makes an object lead to an owner, or only if it leads there, to none.
    fileprivate func setOwner(
        of member: ManagedObject,
        to owner: ManagedObject,
        at keyPath: AnyKeyPath,
        ifMemberOfIt isRemoved: Bool
    ) throws {
        try change { state in
            guard case .members(_, let slot) = state.place(of: keyPath) else { return }
            let id = member.objectID
            guard state.load(id) else {
                try state.throwFailure()
                throw StoreError.isOfAnotherContext(model.entities[id.entity].name)
            }
            let reference = AttributeValue.reference(owner.objectID)
            if isRemoved {
                guard state.graph.value(of: id, slot: slot) == reference else { return }
                state.assign(.null, to: id, slot: slot)
            } else {
                state.assign(reference, to: id, slot: slot)
            }
        }
    }
}

extension StoreError {
    /// The error of a relationship to an object that only another context has.
    static func isOfAnotherContext(_ entity: String) -> StoreError {
        StoreError(
            .failed,
            "the object of \(entity) is not here: another context has made it and not saved it yet, or "
                + "it is deleted; save it there first, or make it in this context"
        )
    }
}

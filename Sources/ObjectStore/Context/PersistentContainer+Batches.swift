// Work on more objects than fit in memory: page by page in one durable transaction, with the same rules,
// constraints and history as in a context.

extension PersistentContainer {
    /// How many objects are in memory at a time.
    private static let pageSize = 1000

    /// Inserts any number of objects in one transaction, in bounded memory.
    ///
    /// - Parameters:
    ///   - elements: What to make objects of.
    ///   - mergePolicy: How objects are merged with those on record that have the same unique values.
    ///   - author: The author, for the history.
    ///   - insert: Makes the objects of an element in the context. It keeps none of them: the context forgets them
    ///     after each thousand, and one that is needed again is fetched.
    /// - Returns: The number of elements.
    /// - Throws: What `insert` or a save throws; nothing is stored then.
    @discardableResult
    public func insertAll<Element>(
        _ elements: some Sequence<Element>,
        mergePolicy: MergePolicy = .mergeByPropertyObjectTrump,
        author: String? = nil,
        _ insert: (Element, ManagedObjectContext) throws -> Void
    ) throws -> Int {
        try transaction(mergePolicy: mergePolicy) { context in
            context.author = author
            var count = 0
            for element in elements {
                try insert(element, context)
                count += 1
                if count.isMultiple(of: Self.pageSize) {
                    try context.save()
                    context.reset()
                }
            }
            try context.save()
            return count
        }
    }

    /// Changes every object that a request selects, in one transaction and in bounded memory.
    ///
    /// A thousand objects are saved at a time. So none may get the unique values that one of a later
    /// thousand has until then: take them away first, by another call in the same way.
    ///
    /// - Parameters:
    ///   - request: The objects, as they are selected before the first change, in the order in which they
    ///     are changed.
    ///   - author: The author, for the history.
    ///   - update: Changes an object.
    /// - Returns: The number of objects.
    /// - Throws: What `update`, the fetch or a save throws; nothing is stored then.
    @discardableResult
    public func updateAll<Object: ManagedObject>(
        _ request: FetchRequest<Object>,
        author: String? = nil,
        _ update: (Object) throws -> Void
    ) throws -> Int {
        try pages(of: request, author) { _, objects in
            for object in objects { try update(object) }
        }
    }

    /// Deletes every object that a request selects, in one transaction and in bounded memory.
    ///
    /// The delete rules apply: what they delete too counts as little as what another object of the
    /// request has deleted already. A thousand objects are saved at a time. So what one of a later thousand requires
    /// must not be deleted before it, even if that is to be deleted too; nor, with the rule `deny`, what one of
    /// the same thousand does.
    ///
    /// - Parameters:
    ///   - request: The objects.
    ///   - author: The author, for the history.
    /// - Returns: The number of objects that the request selects.
    /// - Throws: ``DeleteDeniedError``, or what the fetch or a save throws; nothing is deleted then.
    @discardableResult
    public func deleteAll<Object: ManagedObject>(
        _ request: FetchRequest<Object>,
        author: String? = nil
    ) throws -> Int {
        try pages(of: request, author) { context, objects in
            for object in objects { try context.delete(object) }
        }
    }

    /// Passes the objects of a request to a closure page by page, and saves each page.
    private func pages<Object: ManagedObject>(
        of request: FetchRequest<Object>,
        _ author: String?,
        _ body: (ManagedObjectContext, [Object]) throws -> Void
    ) throws -> Int {
        try transaction { context in
            context.author = author
            let ids = try context.fetchIDs(request.asFaults().prefetching([]))
            for page in ids.pages(of: Self.pageSize) {
                context.reset()
                let request = FetchRequest(Object.self).whereObject(isOneOf: page)
                    .prefetching(request.prefetched)
                // Without those that a page before has deleted too.
                let present = Set(try context.fetchIDs(request))
                try body(context, context.objects(Object.self, ids: page.filter(present.contains)))
                try context.save()
            }
            return ids.count
        }
    }
}

internal import ObjectStore
internal import SystemSupport

/// Changes names on record to their composed form.
///
/// Older versions of the program kept names as they were given.
struct NameSpelling {
    let container: PersistentContainer

    /// How many objects are changed in one transaction.
    private static let size = 500

    /// The stations on record whose names are not in composed form.
    static func stations(in context: ManagedObjectContext) throws -> [String] {
        let names =
            try context.distinctValues(of: \Scan.station)
            + context.distinctValues(of: \Correction.station).compactMap(\.self)
            + context.distinctValues(of: \JournalEntry.station)
            + context.distinctValues(of: \ScanCount.station)
        return Set(names.filter { !$0.isComposed }).sorted()
    }

    /// Changes all names of passengers and stations to their composed form.
    ///
    /// - Throws: `StoreError`; what was changed before stays changed.
    func settle() throws {
        try settlePassengers()
        try settle(\Scan.station, { $0 }) { scan, name, _ in scan.station = name }
        try settle(\Correction.station, { $0 }) { correction, name, _ in correction.station = name }
        try settle(\JournalEntry.station, { $0 }) { entry, name, context in
            let same = FetchRequest(JournalEntry.self).where(\.station, is: name)
                .where(\.imageDigest, is: entry.imageDigest).where(\.point, is: entry.point)
            if try context.fetch(same).isEmpty {
                entry.station = name
            } else {
                try context.delete(entry)
            }
        }
        try settle(\ScanCount.station, { $0 }) { count, name, context in
            let same = FetchRequest(ScanCount.self).where(\.station, is: name)
                .where(\.time, is: count.time).where(\.point, is: count.point)
                .where(\.outcome, is: count.outcome)
            if let sum = try context.fetch(same).first {
                sum.scans += count.scans
                sum.typed += count.typed
                try context.delete(count)
            } else {
                count.station = name
            }
        }
    }

    /// Gives the bags of passengers whose names are not composed to the passengers whose names are.
    private func settlePassengers() throws {
        var others: [ObjectID] = []
        try container.read { context in
            let names = [\Passenger.givenName, \.familyName].map { context.model.property($0) }
            try context.forEachBatch(ofSnapshots: FetchRequest(Passenger.self)) { passengers in
                others += passengers.filter { one in !names.allSatisfy { one[$0].isComposed } }
                    .map(\.id)
            }
        }
        for id in others {
            try transaction { context in
                guard let other = try context.existingObject(Passenger.self, id: id) else { return }
                let passenger =
                    try context.passenger(other.name) ?? Passenger(other.name, context: context)
                for luggage in other.luggage { luggage.owner = passenger }
                try context.delete(other)
            }
        }
    }

    /// Changes the stations in one kind of objects.
    ///
    /// - Parameters:
    ///   - station: The attribute.
    ///   - name: The station's name in the attribute's value.
    ///   - change: Sets the name of an object.
    /// - Throws: `StoreError`.
    private func settle<Object: ManagedObject, Value: AttributeConvertible>(
        _ station: KeyPath<Object, Value>,
        _ name: (Value) -> String?,
        _ change: (Object, String, ManagedObjectContext) throws -> Void
    ) throws {
        for value in try container.read({ try $0.distinctValues(of: station) }) {
            guard let other = name(value), !other.isComposed else { continue }
            var hasMore = true
            while hasMore {
                hasMore = try transaction { context in
                    let page = try context.fetch(
                        FetchRequest(Object.self).where(station, is: value).limited(to: Self.size)
                    )
                    for object in page { try change(object, other.composed, context) }
                    return page.count == Self.size
                }
            }
        }
    }

    private func transaction<Result>(
        _ body: (ManagedObjectContext) throws -> Result
    ) throws -> Result {
        try container.transaction { context in
            context.author = RecordCheckup.author
            let result = try body(context)
            try context.save()
            return result
        }
    }
}

internal import ObjectStore

/// Brings names into the spelling in which they are kept: their composed form.
///
/// Older versions of the program have kept them as they were told.
struct NameSpelling {
    let container: PersistentContainer

    /// How many objects are changed in one transaction.
    private static let size = 500

    /// The stations on record that are spelt otherwise.
    static func stations(in context: ManagedObjectContext) throws -> [String] {
        let names =
            try context.distinctValues(of: \Scan.station)
            + context.distinctValues(of: \Correction.station).compactMap(\.self)
            + context.distinctValues(of: \JournalEntry.station)
            + context.distinctValues(of: \ScanCount.station)
        return Set(names.filter { !$0.isComposed }).sorted()
    }

    /// Gives all names of passengers and stations their spelling.
    ///
    /// - Throws: `StoreError`; what was changed before is well.
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

    /// Gives the bags of passengers who are spelt otherwise to those who are not.
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

    /// Gives the stations of one kind of objects their spelling.
    ///
    /// - Parameters:
    ///   - station: The attribute.
    ///   - name: The station that it names.
    ///   - change: Gives an object a name.
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

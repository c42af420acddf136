internal import FoundationEssentials
public import ObjectStore

extension Alarm {
    /// The bags that have not passed, if it is about a list.
    ///
    /// - Parameters:
    ///   - limit: How many at most; ``count`` says how many there are.
    ///   - context: The context to read in, best the one in which the alarm was found.
    /// - Returns: The bags, by identifier.
    /// - Throws: `StoreError`.
    public func awaited(limit: Int, in context: ManagedObjectContext) throws -> [LuggageReport] {
        guard key.kind == .incomplete, let point = key.point else { return [] }
        let wanted = Expectation.Key(
            point,
            key.place,
            Route(trip: key.trip, date: key.date),
            key.occasion
        )
        let unmet = FetchRequest(Correction.self).expecting(wanted).where(\.metAt, isMissing: true)
        let bags = try context.fetch(unmet).filter { Expectation($0)?.key == wanted }
            .map(\.identifier)
        let first = Set(bags).sorted { $0.uuidString < $1.uuidString }.prefix(limit)
        let found = FetchRequest(Luggage.self).where(\.identifier, isOneOf: Array(first))
            .sorted(by: \.identifier)
        return try context.fetch(found).map { LuggageReport($0) }
    }
}

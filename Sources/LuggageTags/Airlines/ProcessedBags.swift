public import ObjectStore

/// Writes baggage processed messages of the bags on record that have a licence plate.
///
/// Each sighting that counts is one message. Bags without a plate have none, because an airline would not
/// know them.
public struct ProcessedBags: Sendable {
    private let airport: String
    private let question: ScanQuestion

    /// Prepares the messages.
    ///
    /// - Parameters:
    ///   - airport: The airport of the stations, in three capital letters; scans at another one have no message.
    ///   - question: The scans; those that failed, or were undone, have no message in any case.
    public init(airport: String, of question: ScanQuestion) {
        self.airport = airport
        let filed = Set(Outcome.allCases.filter(\.isFiled))
        var counting = question
        counting.leavesOutUndone = true
        counting.omitsPayloads = true
        counting.outcomes =
            question.outcomes.isEmpty ? filed : question.outcomes.intersection(filed)
        self.question = counting
    }

    /// Writes the messages in the order of their times.
    ///
    /// - Parameters:
    ///   - context: The context to read in, best a context of `PersistentContainer.read(_:)`.
    ///   - write: Receives the messages of a batch.
    /// - Returns: How many messages were written.
    /// - Throws: `StoreError`, or the error of `write`.
    public func write(
        in context: ManagedObjectContext,
        to write: ([UInt8]) throws -> Void
    ) throws -> Int {
        var count = 0
        if question.outcomes.isEmpty { return 0 }
        try question.forEachBatch(in: context) { entries in
            let messages = entries.compactMap { message(of: $0) }
            count += messages.count
            if !messages.isEmpty { try write(Array(messages.joined().utf8)) }
        }
        return count
    }

    private func message(of entry: HistoryEntry) -> String? {
        guard let plate = entry.bag.flatMap(LicencePlate.init) else { return nil }
        // Another airport's scans, which came by an import or a hub, are for that one to tell.
        if let place = entry.place, place.isAirport, place.nameKey != airport.nameKey { return nil }
        return BaggageProcessedMessage(
            airport: airport,
            plate: plate,
            date: entry.scannedAt,
            station: entry.station,
            point: entry.point.rawValue,
            remarks: entry.isTyped == true ? ["TYPED"] : []
        ).text
    }
}

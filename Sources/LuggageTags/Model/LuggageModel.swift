public import ObjectStore

/// The entities of the record.
///
/// They are ``Luggage``, ``Passenger``, ``Scan``, ``JournalEntry``, ``Correction``, ``ScanCount``, and one for
/// what the record knows about the hub with which it exchanges facts.
public enum LuggageModel {
    /// Makes the model.
    ///
    /// - Returns: The model, for a container.
    /// - Throws: `ModelError` if the declarations contradict one another, which the tests exclude.
    public static func make() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            Luggage.entity,
            Passenger.entity,
            Scan.entity,
            JournalEntry.entity,
            Correction.entity,
            ScanCount.entity,
            HubLink.entity
        )
    }
}

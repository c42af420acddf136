public import ObjectStore

/// The entities of the record.
///
/// They are ``Luggage``, ``Passenger``, ``Scan``, ``JournalEntry``, ``Correction``, ``ScanCount``, and two of this
/// record alone: what it knows about the hub with which it exchanges facts, and which alarms it has told.
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
            HubLink.entity,
            ToldAlarm.entity
        )
    }
}

/// Decides which side counts if a bag in a file differs from the bag on record.
///
/// It applies only to what no scan tells. Under every policy the scans of a bag determine its weight and
/// owner, the last scan first, and no scans are lost. So the order in which stations import from one
/// another is irrelevant.
public enum ImportPolicy: String, CaseIterable, Codable, Sendable {
    /// The file counts; values that it does not have stay.
    ///
    /// If the file also has the scans, the greater weight counts, and the owner whose name sorts last. So
    /// two stations that exchange everything get the same result.
    case objectTrump = "object-trump"
    /// What is on record counts; the file only fills missing values.
    case storeTrump = "store-trump"
    /// The whole bag of the file counts, and values that it does not have become empty.
    case overwrite
    /// What is on record stays as it is; only new bags are added.
    case rollback
    /// A bag that contradicts the record is refused.
    case error
}

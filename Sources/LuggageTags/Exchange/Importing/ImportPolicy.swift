/// Which side counts where a bag of a file and the bag on record differ.
///
/// It is for what no scan tells. What the scans of a bag say about its weight and owner counts under
/// every policy, the last of them first, and scans are never lost: so it does not matter in which
/// order stations import from one another.
public enum ImportPolicy: String, CaseIterable, Codable, Sendable {
    /// What the file has; what it does not have stays.
    ///
    /// Of a file that has the scans too, the greater weight counts and the owner whose name comes
    /// later: so two stations that exchange all they have come to the same.
    case objectTrump = "object-trump"
    /// What is on record stays; what is missing there is filled in.
    case storeTrump = "store-trump"
    /// The file's bag as a whole, with what it does not have left empty.
    case overwrite
    /// What is on record stays as it is; only new bags are taken.
    case rollback
    /// A bag that contradicts the record is refused.
    case error
}

/// What the service does with a dropped file that it has examined.
enum Disposition: Sendable {
    /// It is on record and in its folder.
    case filed(FiledPicture)
    /// Someone has taken it away.
    case gone
    /// The service does not file it; the words complete "NAME …".
    case passedOver(String)
    /// It is not complete; the words complete "NAME …".
    case unfinished(String)
    /// The service may not open it, which the owner can change; the words complete "NAME: …".
    case forbidden(String)
    /// A temporary obstacle is in the way.
    case postponed(String)
    /// The service is stopping.
    case abandoned
    /// It is a folder, whose pictures were moved up to be filed; and what is newly left in it.
    case visited(FolderVisit, left: [FolderRefusal])
}

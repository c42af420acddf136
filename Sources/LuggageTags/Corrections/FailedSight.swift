internal import FoundationEssentials
internal import ObjectStore
internal import SystemSupport

/// A picture from which something could not be filed, with what tells it from others on record.
public struct FailedSight: Hashable, Sendable {
    /// The SHA-256 of its file, in hexadecimal.
    public var imageDigest: String
    /// The name of its file, without the folder.
    public var imageName: String
    /// The station that could not file it; its name is in composed form.
    public let station: String
    /// The point at which the picture's bags were.
    public var point: Point

    /// Describes a picture.
    public init(imageDigest: String, imageName: String, station: String, point: Point) {
        self.imageDigest = imageDigest
        self.imageName = imageName
        self.station = station.composed
        self.point = point
    }
}

/// How much of a failed picture is settled.
public struct FailedSightProgress: Hashable, Sendable {
    /// How many of its tags people typed, without what was undone.
    public var typed = 0
    /// How many of its tags could not be filed, in any number of tries; at least 1.
    ///
    /// A picture without a code counts as one tag.
    public var failed = 1
    /// Whether a person has said that there is nothing to file.
    public var isDismissed = false

    /// Whether nothing is left to do about it.
    public var isClosed: Bool { isDismissed || typed >= failed }
}

extension RecordCorrector {
    /// Dismisses a failed picture: a person has looked at it, and there is nothing to file.
    ///
    /// The failure stays in the history and in the read rate. A second dismissal changes nothing.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - person: The person who dismisses it, with the reason.
    /// - Throws: `StoreError`; then the picture is not dismissed.
    public func dismiss(_ picture: FailedSight, by person: Responsibility) throws {
        try container.transaction { context in
            let standing = try context.fetch(.about(picture))
            if standing.contains(where: { $0.kind == .dismiss }) { return }
            let correction = try Correction(.dismiss, UUID(), person, at: now(), in: context)
            correction.take(picture)
            try context.save()
        }
    }

    /// Tells how much of a failed picture is settled.
    ///
    /// - Throws: `StoreError`.
    public func progress(of picture: FailedSight) throws -> FailedSightProgress {
        try container.read { try $0.progress(of: picture) }
    }
}

extension Correction {
    /// Keeps which picture it is about.
    func take(_ picture: FailedSight) {
        imageDigest = picture.imageDigest
        imageName = picture.imageName
        station = picture.station
        point = picture.point
    }
}

extension FailedSight {
    /// The picture that a correction is about; nil if it is about none.
    init?(_ correction: Correction) {
        guard let digest = correction.imageDigest, let name = correction.imageName,
            let station = correction.station, let point = correction.point
        else { return nil }
        self.init(imageDigest: digest, imageName: name, station: station, point: point)
    }
}

extension FetchRequest<Correction> {
    /// The corrections about a failed picture that nobody has undone.
    static func about(_ picture: FailedSight) -> Self {
        FetchRequest(Correction.self)
            .where(\.imageDigest, is: picture.imageDigest)
            .where(\.station, is: picture.station)
            .where(\.point, is: picture.point)
            .where(\.undoneAt, isMissing: true)
    }
}

extension ManagedObjectContext {
    /// Tells how much of a failed picture is settled.
    func progress(of picture: FailedSight) throws -> FailedSightProgress {
        var progress = FailedSightProgress()
        let corrections = try fetch(.about(picture))
        if corrections.isEmpty { return progress }
        progress.isDismissed = corrections.contains { $0.kind == .dismiss }
        progress.typed = Set(corrections.filter { $0.kind == .file }.map(\.identifier)).count
        let scans = FetchRequest<Scan>.of(picture.imageDigest, at: picture.station, picture.point)
            .notUndone
        progress.failed = max(1, FailedTag.all(in: try fetch(scans)).count)
        return progress
    }
}

/// A tag that could not be filed, with what tells it from others of its picture.
private struct FailedTag: Hashable {
    let payload: Data
    /// The scan of the tag, if its payload was purged and so cannot identify it.
    let scan: UUID?

    /// Nil for a failure of the picture as a whole.
    private init?(_ scan: Scan) {
        let isBlank = scan.payload.allSatisfy { $0 == UInt8(ascii: " ") }
        if isBlank && scan.outcome != .invalid { return nil }
        payload = scan.payload
        self.scan = isBlank ? scan.factIdentifier : nil
    }

    /// The failed tags of one picture.
    ///
    /// The picture may have been tried several times. Each try has its own reason for failing, and one of
    /// them may have filed a tag. A failure of the picture as a whole is not another tag.
    static func all(in scans: [Scan]) -> Set<FailedTag> {
        let filed = Set(scans.filter(\.outcome.isFiled).map(\.payload))
        let failed = Set(scans.filter { !$0.outcome.isFiled }.compactMap(FailedTag.init))
        return failed.filter { $0.scan != nil || !filed.contains($0.payload) }
    }
}

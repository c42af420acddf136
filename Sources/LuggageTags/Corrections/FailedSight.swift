internal import Foundation
internal import ObjectStore

/// A picture of which something could not be filed, by what tells it from others on record.
public struct FailedSight: Hashable, Sendable {
    /// The SHA-256 of its file, in hexadecimal.
    public var imageDigest: String
    /// The name of its file, without the folder.
    public var imageName: String
    /// The station that could not file it, in the composed form of its name.
    public let station: String
    /// Where on their way its bags were.
    public var point: Point

    /// Describes a picture.
    public init(imageDigest: String, imageName: String, station: String, point: Point) {
        self.imageDigest = imageDigest
        self.imageName = imageName
        self.station = station.composed
        self.point = point
    }
}

/// How far a failed picture is done with.
public struct FailedSightProgress: Hashable, Sendable {
    /// How many of its tags were typed, as far as that was not taken back.
    public var typed = 0
    /// How many of its tags could not be filed, however often that was tried; at least 1, as a picture
    /// without a code counts as one.
    public var failed = 1
    /// Whether somebody has said that there is nothing to file.
    public var isDismissed = false

    /// Whether nothing is left to be done about it.
    public var isClosed: Bool { isDismissed || typed >= failed }
}

extension RecordCorrector {
    /// Dismisses a failed picture: somebody has looked at it, and there is nothing to file.
    ///
    /// What could not be read stays so, in the history and in the read rate. A picture that is dismissed
    /// already stays as it is.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - person: Who dismisses it, and why.
    /// - Throws: `StoreError`; it is not dismissed then.
    public func dismiss(_ picture: FailedSight, by person: Responsibility) throws {
        try container.transaction { context in
            let standing = try context.fetch(.about(picture))
            if standing.contains(where: { $0.kind == .dismiss }) { return }
            let correction = try Correction(.dismiss, UUID(), person, at: now(), in: context)
            correction.take(picture)
            try context.save()
        }
    }

    /// How far a failed picture is done with.
    ///
    /// - Throws: `StoreError`.
    public func progress(of picture: FailedSight) throws -> FailedSightProgress {
        try container.read { try $0.progress(of: picture) }
    }
}

extension Correction {
    /// Takes down which picture it is about.
    func take(_ picture: FailedSight) {
        imageDigest = picture.imageDigest
        imageName = picture.imageName
        station = picture.station
        point = picture.point
    }
}

extension FailedSight {
    /// The picture that a correction is about; nil where it is about none.
    init?(_ correction: Correction) {
        guard let digest = correction.imageDigest, let name = correction.imageName,
            let station = correction.station, let point = correction.point
        else { return nil }
        self.init(imageDigest: digest, imageName: name, station: station, point: point)
    }
}

extension FetchRequest<Correction> {
    /// Those about a failed picture that nobody has taken back.
    static func about(_ picture: FailedSight) -> Self {
        FetchRequest(Correction.self)
            .where(\.imageDigest, is: picture.imageDigest)
            .where(\.station, is: picture.station)
            .where(\.point, is: picture.point)
            .where(\.undoneAt, isMissing: true)
    }
}

extension ManagedObjectContext {
    /// How far a failed picture is done with.
    func progress(of picture: FailedSight) throws -> FailedSightProgress {
        var progress = FailedSightProgress()
        let corrections = try fetch(.about(picture))
        if corrections.isEmpty { return progress }
        progress.isDismissed = corrections.contains { $0.kind == .dismiss }
        progress.typed = Set(corrections.filter { $0.kind == .file }.map(\.identifier)).count
        let scans = FetchRequest(Scan.self)
            .where(\.imageDigest, is: picture.imageDigest)
            .where(\.station, is: picture.station)
            .where(\.point, is: picture.point)
            .where(\.undoneAt, isMissing: true)
        progress.failed = max(1, FailedTag.all(in: try fetch(scans)).count)
        return progress
    }
}

/// A tag that could not be filed, by what tells it from others of its picture.
private struct FailedTag: Hashable {
    let payload: Data
    /// Which one it is, where nothing is left of its payload that would tell.
    let scan: UUID?

    /// Nil for what is said of a picture as a whole.
    private init?(_ scan: Scan) {
        let isBlank = scan.payload.allSatisfy { $0 == UInt8(ascii: " ") }
        if isBlank && scan.outcome != .invalid { return nil }
        payload = scan.payload
        self.scan = isBlank ? scan.factIdentifier : nil
    }

    /// Those of one picture.
    ///
    /// It may have been tried several times. Each try fails for a reason of its own, a tag may have been
    /// filed by one of them, and what is said of the whole picture is not of one more tag.
    static func all(in scans: [Scan]) -> Set<FailedTag> {
        let filed = Set(scans.filter(\.outcome.isFiled).map(\.payload))
        let failed = Set(scans.filter { !$0.outcome.isFiled }.compactMap(FailedTag.init))
        return failed.filter { $0.scan != nil || !filed.contains($0.payload) }
    }
}

public import Foundation
public import LuggageTags
internal import System

/// Takes pictures that are done with from those that have failed.
///
/// What was typed from a picture, or that it was dismissed, is on record before it is moved. So after an
/// interruption the same can simply be done again.
public struct FolderClosing: Sendable {
    private let layout: FolderLayout

    /// Works on a watched folder, whether a service runs or not.
    public init(_ layout: FolderLayout) {
        self.layout = layout
    }

    /// A failed picture, or the note about one that was moved by somebody who was interrupted then.
    public struct Picture: Sendable {
        /// What tells it from others on record.
        public let sight: FailedSight
        /// When its bags were there, as far as the note tells.
        public let date: Date?
        /// What the point is at which they were, where it is not built in, as far as the note tells.
        public let role: Point.Role?
        fileprivate let file: FailedPicture
        /// Whether it is still among those that have failed.
        fileprivate let isThere: Bool

        /// The name as a person sees it.
        public var displayName: String { file.displayName }
    }

    /// What was found of some names.
    public struct Result: Sendable {
        /// The pictures.
        public var pictures: [Picture] = []
        /// Why others are not among them, each with its name: `NAME: …`.
        public var left: [String] = []
    }

    /// Finds failed pictures.
    ///
    /// - Parameters:
    ///   - names: Their names, as reports show them or as they are.
    ///   - point: Where their bags are; without it, where the notes beside them say.
    ///   - station: The station that could not file those without a note; without it, the name of the
    ///     point.
    /// - Returns: What was found.
    /// - Throws: ``FilingError`` where the folder of failed pictures cannot be read.
    public func pictures(
        named names: [[UInt8]],
        at point: Point? = nil,
        station: String? = nil
    ) async throws(FilingError) -> Result {
        let all = try FailedPicture.all(in: layout)
        let (chosen, missing) = FailedPicture.named(names, among: all)
        var result = Result()
        for file in chosen.map({ ($0, true) }) + missing.compactMap(noted).map({ ($0, false) }) {
            let (file, isThere) = file
            let noted = file.note?.point
            if let point, let noted, point != noted {
                result.left.append(
                    "\(file.displayName): its bags are at \(noted.rawValue), says the note beside it, and "
                        + "not at \(point.rawValue)"
                )
            } else if let place = noted ?? point {
                switch await digest(of: file, isThere) {
                case .success(let digest):
                    let sight = FailedSight(
                        imageDigest: digest,
                        imageName: file.note?.image ?? file.displayName,
                        station: file.note?.station ?? station ?? place.rawValue,
                        point: place
                    )
                    let report = file.note?.results.first
                    result.pictures.append(
                        Picture(
                            sight: sight,
                            date: report?.scannedAt,
                            role: report?.role,
                            file: file,
                            isThere: isThere
                        )
                    )
                case .failure(let reason): result.left.append(reason.words)
                }
            } else {
                result.left.append(
                    "\(file.displayName): nothing beside it says where its bags are; say it with --at, as "
                        + "--at origin"
                )
            }
        }
        let known = Set(missing.compactMap(noted).map(\.name))
        result.left += missing.filter { !known.contains($0) }.map {
            "there is no failed picture called \($0.displayText.onOneLine)"
        }
        return result
    }

    /// The note about a picture that is not there any more.
    private func noted(_ name: [UInt8]) -> FailedPicture? {
        guard let note = FailureNote.read(beside: name, in: layout.path(of: .failed)) else {
            return nil
        }
        return FailedPicture(name: name, note: note)
    }

    /// Why it is not known which picture it is.
    private struct Doubt: Error {
        let words: String
    }

    /// By which a picture is known on record.
    private func digest(
        of file: FailedPicture,
        _ isThere: Bool
    ) async -> Swift.Result<String, Doubt> {
        let noted = file.note?.results.first?.imageDigest
        // Of one that is too long, the service has read as much as it was told.
        if let noted, !isThere || file.note?.reason == "too-many-bytes" { return .success(noted) }
        let path = Array("\(layout.path(of: .failed))/".utf8) + file.name
        guard let digest = await FiledFile(at: FilePlace(path))?.digest else {
            return .failure(Doubt(words: "\(file.displayName) cannot be read"))
        }
        if let noted, noted != digest {
            let words = "\(file.displayName) was changed since it failed; have it tried again first"
            return .failure(Doubt(words: words))
        }
        return .success(digest)
    }

    /// Moves a picture that is done with to those that were processed, and takes the note away then.
    ///
    /// - Parameter picture: The picture.
    /// - Returns: The name that it has there; nil where it was moved before.
    /// - Throws: ``FilingError``; it is among those that have failed then.
    @discardableResult
    public func close(_ picture: Picture) throws(FilingError) -> String? {
        let failed = try layout.held(.failed)
        guard picture.isThere else {
            picture.file.removeNote(in: failed)
            return nil
        }
        let processed = try layout.held(.processed)
        let name = try picture.file.move(from: failed, to: processed)
        // The note tells more of a picture that is not there than nothing of one that is.
        _ = processed.synchronize()
        picture.file.removeNote(in: failed)
        return name.displayText.onOneLine
    }
}

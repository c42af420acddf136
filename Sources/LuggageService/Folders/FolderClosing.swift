package import FoundationEssentials
package import LuggageTags
internal import SystemSupport

/// Moves pictures that are done with out of the failed ones.
///
/// The record has what was typed from a picture, or that it was dismissed, before the picture is moved.
/// So after an interruption the user can simply do the same again.
package struct FolderClosing: Sendable {
    private let layout: FolderLayout

    /// Works on a watched folder, whether a service runs or not.
    package init(_ layout: FolderLayout) {
        self.layout = layout
    }

    /// A failed picture, or the note about one that an interrupted run has already moved.
    package struct Picture: Sendable {
        /// What identifies it on record.
        package let sight: FailedSight
        /// When its bags were there, if the note says so.
        package let date: Date?
        /// The role of that point, if it is not built in and the note says so.
        package let role: Point.Role?
        fileprivate let file: FailedPicture
        /// Whether it is still among the failed pictures.
        fileprivate let isThere: Bool

        /// The name as a person sees it.
        package var displayName: String { file.displayName }
    }

    /// The pictures with some names, and why others are left out.
    package struct Result: Sendable {
        package var pictures: [Picture] = []
        /// Why the others are left out, each with its name: `NAME: …`.
        package var left: [String] = []
    }

    /// Finds failed pictures.
    ///
    /// - Parameters:
    ///   - names: Their names, as reports show them or as they are.
    ///   - point: Where their bags are; if nil, the notes beside them say so.
    ///   - station: The station that could not file those without a note; if nil, the name of the
    ///     point.
    /// - Returns: What was found.
    /// - Throws: ``FilingError`` if the folder of failed pictures cannot be read.
    package func pictures(
        named names: [[UInt8]],
        at point: Point? = nil,
        station: String? = nil
    ) async throws(FilingError) -> Result {
        let (chosen, missing) = try FailedPicture.named(names, in: layout)
        var result = Result()
        for file in chosen.map({ ($0, true) }) + missing.compactMap(noted).map({ ($0, false) }) {
            let (file, isThere) = file
            let noted = file.note?.point
            if let point, let noted, point != noted {
                result.left.append(
                    "\(file.displayName): the note beside it says that its bags are at "
                        + "\(noted.rawValue), not at \(point.rawValue); say --at \(noted.rawValue)"
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
                    "\(file.displayName): no note beside it says where its bags are; say it with "
                        + "--at, as --at origin"
                )
            }
        }
        let known = Set(missing.compactMap(noted).map(\.name))
        result.left += missing.filter { !known.contains($0) }.map {
            "there is no failed picture called \($0.displayText.onOneLine)"
        }
        return result
    }

    /// Reads the note about a picture that is no longer there.
    private func noted(_ name: [UInt8]) -> FailedPicture? {
        let picture = FailedPicture(name, in: layout)
        return picture.note == nil ? nil : picture
    }

    /// Why the picture cannot be identified.
    private struct Doubt: Error {
        let words: String
    }

    /// The digest that identifies the picture on record.
    private func digest(
        of file: FailedPicture,
        _ isThere: Bool
    ) async -> Swift.Result<String, Doubt> {
        let noted = file.note?.results.first?.imageDigest
        // Of a picture that is too long, the service read and digested only as much as its limit.
        if let noted, !isThere || file.note?.reason == "too-many-bytes" { return .success(noted) }
        let path = Array("\(layout.path(of: .failed))/".utf8) + file.name
        guard let digest = await FiledFile(at: FilePlace(path))?.digest else {
            return .failure(Doubt(words: "\(file.displayName) cannot be read"))
        }
        if let noted, noted != digest {
            let words =
                "\(file.displayName) was changed since it failed; try it again first, "
                + "with `luggage retry`"
            return .failure(Doubt(words: words))
        }
        return .success(digest)
    }

    /// Moves a picture that is done with to the processed ones, then removes its note.
    ///
    /// - Parameter picture: The picture.
    /// - Returns: The name that it has there; nil if it was moved before.
    /// - Throws: ``FilingError``; it is then still among the failed pictures.
    @discardableResult
    package func close(_ picture: Picture) throws(FilingError) -> String? {
        let failed = try layout.held(.failed)
        guard picture.isThere else {
            picture.file.removeNote(in: failed)
            return nil
        }
        let processed = try layout.held(.processed)
        let name = try picture.file.move(from: failed, to: processed)
        // Make the move durable first: a note without a picture is better than a picture without a note.
        _ = processed.synchronize()
        picture.file.removeNote(in: failed)
        return name.displayText.onOneLine
    }
}

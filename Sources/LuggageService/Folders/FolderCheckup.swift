package import LuggageTags
package import ObjectStore
internal import SystemSupport

/// Checks whether the pictures in watched folders agree with the record.
package struct FolderCheckup: Sendable {
    private let layouts: [FolderLayout]
    private let pictures: FiledPictures
    private var found: [RecordFinding] = []
    /// The digests of the pictures in any folder.
    private var seen: Set<String> = []
    /// The number of processed files for each digest.
    private var processed: [String: Int] = [:]
    /// The stations whose pictures are in these folders.
    private var stations: Set<String> = []

    /// A file whose content is not on record.
    private struct UnknownFile {
        /// Its path, for a person.
        let path: String
        /// The names with which it may have come.
        let origins: [String]
        /// The folders for dropping to which a person may move it; for a person.
        let folders: String
    }

    private var unknown: [UnknownFile] = []

    /// Prepares to check folders.
    ///
    /// - Parameters:
    ///   - layouts: The watched folders; without any, there are no findings.
    ///   - container: The record, with the model of `LuggageModel`.
    package init(_ layouts: [FolderLayout], _ container: PersistentContainer) {
        self.layouts = layouts
        pictures = FiledPictures(container: container)
    }

    /// Reads every filed picture, and compares it with the record.
    ///
    /// - Returns: What is wrong; empty if all is well.
    /// - Throws: `StoreError`.
    package func findings() async throws -> [RecordFinding] {
        if layouts.isEmpty { return [] }
        var run = self
        // Read first: a picture filed while this runs may come to a folder that was already checked.
        let filed = try pictures.filed()
        for folder in layouts.flatMap(\.dropFolders) { await run.look(into: folder) }
        for layout in layouts {
            for destination in FolderLayout.Destination.allCases {
                try await run.check(destination, of: layout)
            }
        }
        try run.checkUnknown(filed)
        try run.checkMissing(filed)
        return run.found
    }

    /// Adds the pictures in a folder for dropping: a picture on record may still be waiting to be moved.
    private mutating func look(into folder: DropFolder) async {
        // If a folder is watched with one point, the folders for the other points are missing.
        let names = (try? FolderNames.files(in: folder.path.pathText)) ?? []
        for name in names {
            let path = folder.path + [UInt8(ascii: "/")] + name
            if let file = await FiledFile(at: FilePlace(path)) { seen.insert(file.digest) }
        }
    }

    private mutating func check(
        _ destination: FolderLayout.Destination,
        of layout: FolderLayout
    ) async throws {
        let folder = layout.path(of: destination)
        let names: [[UInt8]]
        do throws(FilingError) {
            names = try FolderNames.files(in: folder)
        } catch {
            note(.unreadable, error.message, .nameWatchedFolder)
            return
        }
        for name in names {
            let path = Array("\(folder)/".utf8) + name
            if destination == .failed && FailureNote.read(at: FilePlace(path)) != nil { continue }
            let shown = path.displayText.onOneLine
            guard let file = await FiledFile(at: FilePlace(path)) else {
                note(.unreadable, "\(shown) cannot be read", "check its permissions and the disk")
                continue
            }
            seen.insert(file.digest)
            if destination == .processed { processed[file.digest, default: 0] += 1 }
            let answer = try pictures.answer(digest: file.digest)
            stations.formUnion(answer.stations)
            if answer.isUnknown && destination != .failed {
                let folders = layout.dropFolders.map(\.path.displayText.onOneLine)
                unknown.append(
                    UnknownFile(
                        path: shown,
                        origins: FreeNames.origins(of: name).map {
                            String(decoding: $0, as: UTF8.self)
                        },
                        folders: folders.joined(separator: " or ")
                    )
                )
            } else {
                check(destination, shown, answer, layout)
            }
        }
    }

    private mutating func check(
        _ destination: FolderLayout.Destination,
        _ path: String,
        _ answer: FiledPictures.Answer,
        _ layout: FolderLayout
    ) {
        switch destination {
        case .failed where answer.isClosed:
            note(
                .misplaced,
                "\(path) was typed or dismissed, but is still in the folder of failed pictures",
                "type or dismiss it again; or move it to \(layout.path(of: .processed).onOneLine)"
            )
        case .failed where !answer.stations.isEmpty:
            note(
                .misplaced,
                "\(path) is on record, but is still in the folder of failed pictures",
                "move it to \(layout.path(of: .processed).onOneLine)"
            )
        case .processed where !answer.stands, .duplicates where !answer.stands:
            note(.withdrawn, "\(path) was filed, but nothing of it counts any more", .bringBack)
        case .processed, .duplicates, .failed: break
        }
    }

    /// Tells files that were changed from files that were never filed.
    ///
    /// A file was changed if a picture that came with its name was filed and is not where it belongs. The
    /// inode number proves nothing: pictures of others are filed as copies, and numbers are reused.
    private mutating func checkUnknown(_ filed: [String: [String]]) throws {
        let named = try pictures.filed(as: Set(unknown.flatMap(\.origins)), by: stations)
        var changed: Set<String> = []
        for file in unknown {
            let missing = file.origins.flatMap { name in
                (named[name] ?? [:]).filter { $0.value > processed[$0.key, default: 0] }.keys
            }
            changed.formUnion(missing)
            if missing.isEmpty {
                note(
                    .notOnRecord,
                    "\(file.path) is not on record",
                    "move it to \(file.folders), and the service files it"
                )
            } else {
                note(
                    .changed,
                    "\(file.path) is not the file that was filed: it was changed since, or is "
                        + "another file",
                    "put it back from a copy; or move it to \(file.folders), and the service files it as it is"
                )
            }
        }
        for (station, digests) in filed where !changed.isDisjoint(with: digests) {
            stations.insert(station)
        }
    }

    /// Reports pictures that stations of these folders have filed, and that are in no folder.
    private mutating func checkMissing(_ filed: [String: [String]]) throws {
        for (station, digests) in filed.sorted(by: { $0.key < $1.key }) {
            let missing = digests.filter { !seen.contains($0) }
            guard !missing.isEmpty else { continue }
            let name = station.onOneLine
            if !stations.contains(station) {
                note(
                    .notOnDisk,
                    "none of the pictures that \(name) has filed is in these folders",
                    .nameOtherFolder
                )
                continue
            }
            let names = try missing.prefix(5).map { try pictures.name(of: $0) }.sorted()
            let more = missing.count > 5 ? " and \(missing.count - 5) more" : ""
            note(
                .notOnDisk,
                "of the pictures that \(name) has filed, \(names.joined(separator: ", "))\(more) "
                    + "cannot be found in these folders",
                "put it back into processed from a copy, if you need it; the record is complete without it"
            )
        }
    }

    private mutating func note(_ code: RecordFinding.Code, _ message: String, _ remedy: Remedy) {
        found.append(RecordFinding(code, message, remedy: remedy))
    }
}

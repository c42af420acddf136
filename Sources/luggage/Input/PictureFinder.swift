internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import ProgramSupport
internal import SystemSupport

/// The pictures that the arguments name: files as they are, the files directly in a folder, and `-` for
/// the one that comes from standard input.
struct PictureFinder {
    /// The pictures in the order of the arguments; those of a folder sorted by name.
    private(set) var pictures: [Picture] = []
    /// Files in folders that do not look like pictures, and folders in folders.
    private(set) var passedOver = 0

    /// A file to read.
    struct Picture: Sendable {
        /// The path in bytes, which need not be valid text.
        let path: [UInt8]
        /// The path as text, with invalid bytes replaced.
        let name: String
        /// The path as a person sees it; different paths never look alike.
        let shownName: String
        /// Whether it comes from standard input, and the path is only its sign.
        let isStandardInput: Bool

        init(path: [UInt8], isStandardInput: Bool = false) {
            self.path = path
            name = isStandardInput ? "(standard input)" : String(decoding: path, as: UTF8.self)
            shownName = path.escapedText
            self.isStandardInput = isStandardInput
        }
    }

    /// Finds the pictures.
    ///
    /// - Parameters:
    ///   - arguments: The paths.
    ///   - consequence: The consequence of a wrong path, in words.
    /// - Throws: ``Failure`` if one does not exist or there is no picture; `ValidationError` if no picture
    ///   can come from standard input. Nothing has been read by then.
    init(_ arguments: [String], orElse consequence: String) throws {
        do {
            try find(arguments)
        } catch let failure as Failure {
            throw Failure(failure.status, "\(failure.message); \(consequence)")
        }
    }

    private mutating func find(_ arguments: [String]) throws {
        let paths = try CommandLineWords.current.bytes(of: arguments)
        for path in paths {
            if path.isEmpty {
                throw Failure(.noInput, "an argument is empty, and names no picture")
            }
            if path == Array(StandardInput.sign.utf8) {
                try addStandardInput()
                continue
            }
            guard let status = FileStatus(at: path) else {
                throw Failure(.noInput, Self.words(path, describe(errorNumber: errno)))
            }
            if status.kind == .folder {
                try addFolder(path)
            } else {
                pictures.append(Picture(path: path))
            }
        }
    }

    private mutating func addStandardInput() throws {
        if pictures.contains(where: \.isStandardInput) {
            throw ValidationError(
                "- names standard input, from which only one picture can come; name it once"
            )
        }
        try StandardInput.refuseTerminal(for: "a picture", as: "- < tag.png")
        pictures.append(
            Picture(path: Array(StandardInput.sign.utf8), isStandardInput: true)
        )
    }

    /// The endings of picture files.
    ///
    /// They include formats that cannot be read: a user who drops a HEIC must get an error.
    private static let endings: Set<String> = [
        "png", "jpg", "jpeg", "gif", "webp", "heic", "heif", "avif", "bmp", "tif", "tiff", "pdf",
    ]

    private mutating func addFolder(_ folder: [UInt8]) throws {
        let separator = folder.last == UInt8(ascii: "/") ? "" : "/"
        let before = pictures.count
        for name in try Self.names(in: folder)
        where name.first != UInt8(ascii: ".") {
            let text = String(decoding: name, as: UTF8.self)
            let path = folder + Array(separator.utf8) + name
            let ending = text.lastIndex(of: ".").map { text[text.index(after: $0)...].lowercased() }
            // A file that is named like a picture and cannot be read is reported, not passed over.
            if ending.map(Self.endings.contains) == true && FileStatus(at: path)?.kind != .folder {
                pictures.append(Picture(path: path))
            } else {
                passedOver += 1
            }
        }
        if pictures.count == before {
            throw Failure(.noInput, Self.words(folder, "there is no picture in this folder"))
        }
    }

    private static func words(_ path: [UInt8], _ problem: String) -> String {
        "\(path.escapedText.onOneLine): \(problem)"
    }

    private static func names(in folder: [UInt8]) throws -> [[UInt8]] {
        var names: [[UInt8]] = []
        let number = FolderEntry.forEach(at: folder) { entry in
            names.append(entry.name)
            return true
        }
        if number != 0 { throw Failure(.noInput, words(folder, describe(errorNumber: number))) }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }
}

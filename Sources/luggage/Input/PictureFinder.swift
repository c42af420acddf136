internal import Foundation
internal import LuggageTags
internal import ProgramSupport
internal import System
internal import TagReading

#if canImport(Glibc)
internal import Glibc
#endif

/// The pictures that arguments name: files as they are, and those directly in a folder.
struct PictureFinder {
    /// Paths in the order of the arguments; those of a folder sorted by their names.
    private(set) var pictures: [Picture] = []
    /// Files in folders that do not look like pictures, and folders in folders.
    private(set) var passedOver = 0

    /// A file to read.
    struct Picture: Sendable {
        /// The path as the system knows it: names are bytes and need not be text.
        let path: [UInt8]
        /// The path as text, as far as it is text.
        let name: String
        /// The path as a person sees it; different ones never look alike.
        let shownName: String

        init(path: [UInt8]) {
            self.path = path
            name = String(decoding: path, as: UTF8.self)
            shownName = path.escapedText
        }
    }

    /// Looks the arguments up.
    ///
    /// - Parameters:
    ///   - arguments: What was named.
    ///   - consequence: What comes of it where a name is wrong, in words.
    /// - Throws: ``Failure`` where one does not exist or nothing is to be read; nothing has been read
    ///   by then.
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
            let (kind, number) = Self.kind(of: path)
            guard let kind else {
                throw Failure(.noInput, Self.words(path, describe(errorNumber: number)))
            }
            if kind == S_IFDIR {
                try addFolder(path)
            } else {
                pictures.append(Picture(path: path))
            }
        }
    }

    /// What files that are pictures end with.
    ///
    /// Those that cannot be read are found too: somebody who drops a JPEG in is to be told.
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
            let ending = text.split(separator: ".").last.map { $0.lowercased() } ?? ""
            // What is named like a picture and cannot be read is to be reported, not passed over.
            if Self.endings.contains(ending) && Self.kind(of: path).kind != S_IFDIR {
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

    /// The kind of file at a path, or the system's reason for not knowing.
    private static func kind(of path: [UInt8]) -> (kind: mode_t?, errorNumber: Int32) {
        var status = stat()
        guard unsafe stat(path.cString, &status) == 0 else { return (nil, errno) }
        return (status.st_mode & S_IFMT, 0)
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

internal import Configuration
internal import Foundation
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// A configuration file and what is wrong with it.
struct ConfigurationFile {
    /// More than anybody writes by hand, and little enough to be read whole.
    static let byteLimit = 65536

    /// The settings that could be read.
    private(set) var layer: ConfigurationLayer?
    private(set) var mistakes: [ConfigurationMistake] = []
    private(set) var extent = Extent.whole
    /// Where it is, or would be.
    let path: String
    /// Whether it may be absent.
    let isOptional: Bool
    /// Whether there is none.
    private(set) var isAbsent = false

    /// How much of the file is known.
    enum Extent {
        /// Every setting that is in it, be its value wrong.
        case whole
        /// Any setting may be in what could not be read.
        case part
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isOptional: Whether it may be absent.
    init(path: String, isOptional: Bool) {
        self.path = path
        self.isOptional = isOptional
        switch Self.contents(of: path) {
        case .success(let bytes): read(bytes, path)
        case .failure(let refusal) where isOptional && refusal.isAbsence: isAbsent = true
        case .failure(let refusal):
            isAbsent = refusal.isAbsence
            extent = .part
            mistakes = [
                ConfigurationMistake(
                    .file(path: path),
                    problem: refusal.problem,
                    remedy: refusal.remedy
                )
            ]
        }
    }

    /// Reads the file that somebody has named, else the one of this machine, which may be absent.
    init(named name: String?, environment: [String: String]) {
        let variable = environment[WatchConfiguration.fileVariable] ?? ""
        let path = name ?? (variable.isEmpty ? nil : variable)
        self.init(path: path ?? WatchConfiguration.defaultFile, isOptional: path == nil)
    }

    private struct Refusal: Error {
        var problem: String
        var remedy: String
        var isAbsence = false
    }

    private static func contents(of path: String) -> Result<[UInt8], Refusal> {
        // Not waiting: the file may be a pipe to which nobody writes.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        if descriptor < 0 {
            let number = errno
            return .failure(
                Refusal(
                    problem: "cannot be opened: \(describe(errorNumber: number))",
                    remedy: number == EACCES
                        ? "let this user read it, as by the group of the service"
                        : "name another file, or make this one",
                    isAbsence: number == ENOENT || number == ENOTDIR
                )
            )
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(
                Refusal(problem: "is not a regular file", remedy: "name a file of settings")
            )
        }
        var bytes = [UInt8](repeating: 0, count: byteLimit + 1)
        var count = 0
        while count < bytes.count {
            let result = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(
                    descriptor,
                    buffer.baseAddress.map { unsafe $0 + count },
                    buffer.count - count
                )
            }
            if result == 0 { break }
            if result > 0 {
                count += result
            } else if errno != EINTR {
                let words = describe(errorNumber: errno)
                return .failure(
                    Refusal(problem: "cannot be read: \(words)", remedy: "name another file")
                )
            }
        }
        guard count <= byteLimit else {
            return .failure(
                Refusal(
                    problem: "has more than \(byteLimit) bytes",
                    remedy: "name a file of settings; what a hook does belongs into a script"
                )
            )
        }
        return .success(Array(bytes.prefix(count)))
    }

    private mutating func read(_ bytes: [UInt8], _ path: String) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            extent = .part
            mistakes = [
                ConfigurationMistake(
                    .file(path: path),
                    problem: "is not text in UTF-8",
                    remedy: "save it in that encoding"
                )
            ]
            return
        }
        let outline = ConfigurationOutline(text)
        if outline.hasUnknownLines { extent = .part }
        mistakes = outline.faults.map { fault in
            ConfigurationMistake(
                .file(path: path, line: fault.line),
                key: fault.key,
                problem: fault.problem,
                remedy: fault.remedy
            )
        }
        readValues(outline, path)
    }

    /// Reads what the outline has found good.
    ///
    /// A value that is not YAML is reported and left out, so that the others are looked at too.
    private mutating func readValues(_ outline: ConfigurationOutline, _ path: String) {
        var entries = outline.entries.filter { !$0.isEmpty }
        while !entries.isEmpty {
            do {
                let text = outline.text(of: entries)
                let snapshot = try unsafe YAMLSnapshot(
                    data: Array(text.utf8).span.bytes,
                    providerName: path,
                    parsingOptions: .default
                )
                let lines = entries.map { ($0.setting, $0.lines.lowerBound + 1) }
                let lineOf = Dictionary(lines) { first, _ in first }
                // Whoever reads the file, in whatever folder: the paths in it are the same.
                let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
                layer = ConfigurationLayer(snapshot: snapshot, folder: folder) {
                    .file(path: path, line: lineOf[$0])
                }
                return
            } catch {
                let flaw = YAMLFlaw(error)
                let place = entries.lastIndex { $0.lines.lowerBound < flaw.line ?? 0 }
                mistakes.append(
                    ConfigurationMistake(
                        .file(path: path, line: flaw.line, column: flaw.column),
                        key: place.map { entries[$0].setting.rawValue },
                        problem: "is not YAML: \(flaw.words)",
                        remedy: "put the value in single quotes, and double those within it"
                    )
                )
                guard let place else {
                    extent = .part
                    return
                }
                entries.remove(at: place)
            }
        }
    }
}

/// What the parser of YAML says about a text.
///
/// Its error is of a type that only the parser knows; its description begins with the place, if there
/// is one, and ends with the line itself.
private struct YAMLFlaw {
    var line: Int?
    var column: Int?
    var words: String

    init(_ error: any Error) {
        let text = String(describing: error)
        let parts = text.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, let line = Int(parts[0]), let column = Int(parts[1]) else {
            words = String(text.prefix(200))
            return
        }
        self.line = line
        self.column = column
        let end = parts[4].firstRange(of: ":\n")?.lowerBound ?? parts[4].endIndex
        words = parts[4][..<end].split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .joined(separator: ", ")
    }
}

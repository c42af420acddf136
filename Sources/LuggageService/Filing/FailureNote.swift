internal import CFiling
public import Foundation
public import LuggageTags
internal import SystemCalls

#if canImport(Glibc)
internal import Glibc
#endif

/// What is written beside a picture that could not be filed: `NAME.error.json`.
public struct FailureNote: Codable, Sendable {
    /// What the name of the picture is followed by in the name of its note.
    static let ending = ".error.json"

    /// The name that the picture was dropped with.
    public var image: String
    /// How far the way from picture to record was gone.
    public var stage: TagError.Stage
    /// The stable code of the reason.
    public var reason: String
    /// What is wrong, for a person.
    public var message: String
    /// How often reading it was tried.
    public var attempts: Int
    /// Where the bags are; this is the folder to which the picture goes for another try.
    public var point: Point
    /// The station that tried to file it.
    public var station: String
    /// When it was given up.
    public var failedAt: Date
    /// What came of each tag in it, also of those that are on record.
    public var results: [ScanReport]

    /// Takes down why a picture is not filed.
    ///
    /// - Returns: The note; nil where every tag is on record.
    init?(image: String, attempts: Int, results: [ScanReport], at date: Date) {
        guard let report = results.first(where: { $0.error != nil }), let problem = report.error
        else { return nil }
        self.image = image.onOneLine
        stage = problem.stage
        reason = problem.reason
        message = problem.message
        self.attempts = attempts
        point = report.point
        station = report.station
        failedAt = date
        self.results = results
    }

    /// Puts the note beside a picture, as a whole or not at all, in place of a note that is there.
    ///
    /// - Parameters:
    ///   - name: The name of the picture.
    ///   - folder: The folder that it is in, or will be in.
    /// - Returns: Whether it is there; not where something else has its name.
    /// - Throws: ``FilingError``.
    func write(beside name: [UInt8], in folder: String) throws(FilingError) -> Bool {
        let path = Array("\(folder)/".utf8) + name + Array(Self.ending.utf8)
        let what = "\(path.displayText) cannot be written"
        let bytes: [UInt8]
        do {
            bytes = try Array(JSONEncoder.forReports(isIndented: true).encode(self)) + [0x0A]
        } catch {
            throw FilingError(EINVAL, what)
        }
        var status = stat()
        let isTaken = unsafe lstat(path.cString, &status) == 0
        if isTaken && Self.read(at: path) == nil { return false }
        let (temporary, descriptor) = Self.openTemporary(in: folder)
        guard descriptor >= 0 else { throw FilingError(errno, what) }
        var failure = bytes.writeAll(to: descriptor)
        if failure == 0, fsync(descriptor) != 0 { failure = errno }
        close(descriptor)
        if failure == 0, unsafe rename(temporary.cString, path.cString) != 0 { failure = errno }
        guard failure == 0 else {
            _ = unsafe unlink(temporary.cString)
            throw FilingError(failure, what)
        }
        return true
    }

    /// Makes a hidden file for a note.
    ///
    /// - Returns: Its path and descriptor; below 0 where it cannot be made, with the reason in `errno`.
    private static func openTemporary(in folder: String) -> (path: [UInt8], descriptor: Int32) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        var number = 1
        while true {
            let difference = number == 1 ? "" : "-\(number)"
            let path = Array("\(folder)/.luggage-note\(difference).part".utf8)
            // Whatever somebody has put there is neither written to nor waited for.
            _ = unsafe unlink(path.cString)
            let descriptor = unsafe Glibc.open(path.cString, flags, 0o666)
            // A folder stays.
            if descriptor >= 0 || errno != EEXIST || number == 100 { return (path, descriptor) }
            number += 1
        }
    }

    /// Whether a file is a note: what is only named like one may be a picture.
    static func isNote(_ name: [UInt8], in folder: [UInt8]) -> Bool {
        isNamedAsNote(name) && read(at: folder + [UInt8(ascii: "/")] + name) != nil
    }

    /// Whether a file is named as notes are, for which it need not be looked at.
    static func isNamedAsNote(_ name: [UInt8]) -> Bool {
        let ending = Array(ending.utf8)
        return name.count > ending.count && name.suffix(ending.count) == ending[...]
    }

    /// Reads the note of a picture.
    ///
    /// - Returns: The note; nil where there is none, or none that is understood.
    static func read(beside name: [UInt8], in folder: String) -> FailureNote? {
        read(at: Array("\(folder)/".utf8) + name + Array(ending.utf8))
    }

    /// Reads a note; nil where there is none, or none that is understood.
    static func read(at path: [UInt8]) -> FailureNote? {
        let descriptor = unsafe filing_open(AT_FDCWD, path.cString)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // A note has some hundred bytes for each tag of a picture; what is longer is none.
        guard let data = try? file.read(upToCount: 1 << 20) else { return nil }
        return try? JSONDecoder.forReports().decode(FailureNote.self, from: data)
    }
}

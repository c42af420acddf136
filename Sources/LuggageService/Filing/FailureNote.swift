package import FoundationEssentials
internal import Glibc
package import LuggageTags
internal import SystemSupport

/// The note beside a picture that could not be filed: `NAME.error.json`.
package struct FailureNote: Codable, Sendable {
    /// The suffix that turns the name of a picture into the name of its note.
    static let ending = ".error.json"

    /// The name that the picture was dropped with.
    package var image: String
    /// The stage at which filing stopped.
    package var stage: TagError.Stage
    /// The stable code of the reason.
    package var reason: String
    /// What is wrong, for a person.
    package var message: String
    /// How often reading it was tried.
    package var attempts: Int
    /// Where the bags are; the picture goes to this point's folder for another try.
    package var point: Point
    /// The station that tried to file it.
    package var station: String
    /// When the service gave up.
    package var failedAt: Date
    /// The result of each tag in it, including those on record.
    package var results: [ScanReport]

    /// Records why a picture is not filed.
    ///
    /// - Returns: The note; nil if every tag is on record.
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

    /// Puts the note beside a picture, whole or not at all, replacing a note that is there.
    ///
    /// - Parameters:
    ///   - name: The name of the picture.
    ///   - folder: The folder that it is in, or will be in.
    /// - Returns: The note's file; nil if another kind of file has its name, and nothing was written.
    /// - Throws: ``FilingError``.
    func write(beside name: [UInt8], in folder: HeldFolder) throws(FilingError) -> FileIdentity? {
        let place = Self.place(beside: name, in: folder)
        let what = "\(place.path.displayText) cannot be written"
        let bytes: [UInt8]
        do {
            bytes = try Array(JSONEncoder.forReports(isIndented: true).encode(self)) + [0x0A]
        } catch {
            throw FilingError(EINVAL, what)
        }
        let isTaken = place.identity != nil
        if isTaken && Self.read(at: place) == nil { return nil }
        do throws(SystemError) {
            let temporary = FilePlace(Array(".luggage-note.part".utf8), in: folder)
            // Only the service may write to it: it decides what a retry makes of the picture.
            var file = try TemporaryFile(at: temporary, mode: 0o644)
            var number = bytes.writeAll(to: file.descriptor)
            if number == 0, fsync(file.descriptor) != 0 { number = errno }
            if number == 0 { number = file.replace(place) }
            if number != 0 { throw SystemError(number: number) }
            return FileStatus(of: file.descriptor)?.identity
        } catch {
            throw FilingError(error.number, what)
        }
    }

    /// Removes a note whose picture did not arrive beside it.
    ///
    /// - Parameters:
    ///   - name: The name that the picture would have had.
    ///   - folder: The folder.
    ///   - identity: The note's file; a different file stays.
    static func remove(beside name: [UInt8], in folder: HeldFolder, _ identity: FileIdentity) {
        let place = place(beside: name, in: folder)
        if place.identity == identity { place.remove() }
    }

    /// Whether a file is a note: a file that is only named like one may be a picture.
    static func isNote(_ name: [UInt8], in folder: [UInt8]) -> Bool {
        isNamedAsNote(name) && read(at: FilePlace(folder + [UInt8(ascii: "/")] + name)) != nil
    }

    /// Whether a file in an open folder is a note.
    static func isNote(_ name: [UInt8], in folder: Int32) -> Bool {
        guard isNamedAsNote(name) else { return false }
        let own = fcntl(folder, F_DUPFD_CLOEXEC, 0)
        return own >= 0
            && read(at: FilePlace(name, in: HeldFolder(adopting: own, path: "."))) != nil
    }

    /// Whether a file has the name of a note, without opening it.
    static func isNamedAsNote(_ name: [UInt8]) -> Bool {
        let ending = Array(ending.utf8)
        return name.count > ending.count && name.suffix(ending.count) == ending[...]
    }

    /// Reads the note of a picture.
    ///
    /// - Returns: The note; nil if there is none, or its content is not understood.
    static func read(beside name: [UInt8], in folder: String) -> FailureNote? {
        read(at: FilePlace(Array("\(folder)/".utf8) + name + Array(ending.utf8)))
    }

    /// Where the note of a picture is, or would be.
    static func place(beside name: [UInt8], in folder: HeldFolder) -> FilePlace {
        FilePlace(name + Array(ending.utf8), in: folder)
    }

    /// Reads a note; nil if there is none, or its content is not understood.
    static func read(at place: FilePlace) -> FailureNote? {
        let descriptor = place.open()
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // A note has a few hundred bytes for each tag of a picture; a longer file is not a note.
        guard let bytes = [UInt8](reading: descriptor, upTo: 1 << 20) else { return nil }
        return try? JSONDecoder.forReports().decode(FailureNote.self, from: Data(bytes))
    }
}

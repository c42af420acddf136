internal import Foundation
internal import LuggageTags

#if canImport(Glibc)
internal import Glibc
#endif

/// What the file of a lock says: who has it, in a line, and in another one why filing has paused.
struct LockWords: Equatable {
    let owner: String
    var pause: FilingPause?

    /// No file that a service has written is longer, in bytes.
    private static let longest = 16 << 10

    init(owner: String, pause: FilingPause? = nil) {
        self.owner = owner
        self.pause = pause
    }

    /// The bytes of the first line.
    var ownerLine: [UInt8] { Array("\(owner)\n".utf8) }

    /// The bytes of the file.
    var bytes: [UInt8] {
        guard let pause, let line = try? JSONEncoder.forReports().encode(pause) else {
            return ownerLine
        }
        return ownerLine + line + [UInt8(ascii: "\n")]
    }

    /// Reads a file, whoever has written it.
    ///
    /// It is written in place, as it is the open file that is locked: one that is being written at the
    /// moment is read again.
    init(of descriptor: Int32) {
        var lines: [String] = []
        for _ in 0..<Self.mostReadings {
            lines = Self.lines(of: descriptor)
            if lines.count < 2 { break }
            pause = Self.pause(in: lines[1])
            if pause != nil { break }
            usleep(1000)
        }
        let line = lines.first.map { String($0.unicodeScalars.prefix(Self.longestOwner)).onOneLine }
        owner = line ?? "another process"
    }

    private static let mostReadings = 5
    /// The name of a machine may have 255 characters.
    private static let longestOwner = 300

    private static func lines(of descriptor: Int32) -> [String] {
        var bytes = [UInt8](repeating: 0, count: longest)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    private static func pause(in line: String) -> FilingPause? {
        try? JSONDecoder.forReports().decode(FilingPause.self, from: Data(line.utf8))
    }
}

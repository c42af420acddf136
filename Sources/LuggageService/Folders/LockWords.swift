internal import FoundationEssentials
internal import Glibc
internal import LuggageTags
internal import SystemSupport

/// The content of a lock file: who has the lock, why filing has paused, and what is left.
///
/// Each is one line; the file has only the first if there is nothing else to say.
struct LockWords: Equatable {
    let owner: String
    var pause: FilingPause?
    /// What is left in dropped folders, for a person, one line each.
    var left: [String] = []

    /// The most bytes to read: no file that a service writes is longer.
    private static let longest = 16 << 10

    init(owner: String, pause: FilingPause? = nil, left: [String] = []) {
        self.owner = owner
        self.pause = pause
        self.left = left
    }

    /// Shortens what is left, so that the file fits in one block on any disk.
    static func shortened(_ left: [String]) -> [String] {
        let told = left.prefix(mostLeft).map { String($0.unicodeScalars.prefix(longestLeft)) }
        return told + (left.count > mostLeft ? ["and \(left.count - mostLeft) more"] : [])
    }

    private static let mostLeft = 5
    private static let longestLeft = 400

    /// The bytes of the first line.
    var ownerLine: [UInt8] { Array("\(owner)\n".utf8) }

    /// The bytes of the file.
    var bytes: [UInt8] {
        let encoder = JSONEncoder.forReports()
        guard pause != nil || !left.isEmpty, let pause = try? encoder.encode(pause),
            let left = try? encoder.encode(left)
        else { return ownerLine }
        let end = [UInt8(ascii: "\n")]
        return ownerLine + pause + end + left + end
    }

    /// Reads a lock file, which may have any author.
    ///
    /// The service writes to the locked file in place, so a file that is half written is read again.
    init(of descriptor: Int32) {
        var lines: [String] = []
        for _ in 0..<Self.mostReadings {
            lines = Self.lines(of: descriptor)
            if lines.count < 2 { break }
            if lines.count > 2, let pause = Self.read(FilingPause?.self, in: lines[1]),
                let left = Self.read([String].self, in: lines[2])
            {
                (self.pause, self.left) = (pause, left.map(\.onOneLine))
                break
            }
            usleep(1000)
        }
        let line = lines.first.map { String($0.unicodeScalars.prefix(Self.longestOwner)).onOneLine }
        owner = line ?? "another process"
    }

    private static let mostReadings = 5
    /// The longest owner in characters: a host name may have 255.
    private static let longestOwner = 300

    private static func lines(of descriptor: Int32) -> [String] {
        var bytes = [UInt8](repeating: 0, count: longest)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    private static func read<Words: Decodable>(_ words: Words.Type, in line: String) -> Words? {
        try? JSONDecoder.forReports().decode(words, from: Data(line.utf8))
    }
}

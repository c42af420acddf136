internal import Foundation
internal import Glibc
internal import TagPrinting
internal import TagDrawing

/// A watched folder with a record beside it, which goes when it is done.
final class Inbox {
    let base: URL
    private let isOthers: Bool

    /// Makes the folders.
    ///
    /// - Parameter isOthers: Whether the pictures belong to another user than the service, which files copies
    ///   of them then; that takes root.
    /// - Throws: Where they cannot be made.
    init(isOthers: Bool = false) throws {
        self.isOthers = isOthers
        base = FileManager.default.temporaryDirectory
            .appending(path: "watch-speed-\(UUID().uuidString)", directoryHint: .isDirectory)
        for name in ["inbox/origin", "staging"] {
            try FileManager.default.createDirectory(
                at: base.appending(path: name),
                withIntermediateDirectories: true
            )
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: base)
    }

    func path(_ name: String) -> String { base.appending(path: name).path(percentEncoded: false) }

    var folder: String { path("inbox") }
    var store: String { path("luggage.sqlite") }

    /// Writes a picture where nobody watches.
    func stage(_ name: String, _ bytes: [UInt8]) throws {
        let staged = path("staging/\(name)")
        try Data(bytes).write(to: URL(filePath: staged))
        // A time of its own, whenever the picture is made.
        var time = timespec()
        time.tv_sec = 1_700_000_000
        let times = [time, time]
        _ = unsafe utimensat(AT_FDCWD, staged, times, 0)
        guard isOthers else { return }
        let number = unsafe chown(staged, 65534, 65534) == 0 ? 0 : errno
        if number != 0 { throw POSIXError(POSIXErrorCode(rawValue: number) ?? .EPERM) }
    }

    /// Drops a staged picture.
    func drop(_ name: String) {
        _ = unsafe rename(path("staging/\(name)"), path("inbox/origin/\(name)"))
    }

    /// How many files are in a folder, without hidden ones.
    func count(in place: String) -> Int {
        let names = try? FileManager.default.contentsOfDirectory(atPath: path("inbox/\(place)"))
        return names?.count { !$0.hasPrefix(".") } ?? 0
    }

    /// Waits until no picture is left where they are dropped.
    func waitUntilFiled() {
        while count(in: "origin") > 0 { usleep(20_000) }
    }
}

/// Pictures of a few hundred tags, each file another.
struct Pictures {
    private let tags: [[UInt8]]

    /// Draws the tags.
    ///
    /// - Parameters:
    ///   - count: How many different tags.
    ///   - module: The size of a module in pixels.
    /// - Throws: `TagDrawingError`.
    init(tags count: Int, module: Int = 3) throws {
        tags = try (0..<count).map { number in
            let tail = String(number, radix: 16)
            let id =
                "F432BDB8-D84F-4461-8362-" + String(repeating: "0", count: 12 - tail.count) + tail
            let payload = #"{"id":"\#(id)","owner":["D","ZMU"],"weight":\#(20 + number % 30).5}"#
            return try QRSymbol(Array(payload.utf8)).image(module: module).png()
        }
    }

    /// The picture with a number: a text chunk makes its content its own.
    subscript(number: Int) -> [UInt8] {
        let comment = Array("Comment".utf8) + [0] + Array("picture \(number)".utf8)
        return PNGChunks.insert("tEXt", comment, into: tags[number % tags.count])
    }
}
